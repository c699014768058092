"""``scrapy boilernet evaluate``: its reports, options and refusals, without torch."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("rapidfuzz")

from scrapy.exceptions import UsageError
from testing.crawling import run_python
from testing.models import write_fold_models
from testing.synthetic import article, write_set

from scrapy_boilernet.commands import evaluate
from scrapy_boilernet.lab.evaluation import peers
from scrapy_boilernet.lab.evaluation.evaluate import WorstPage
from scrapy_boilernet.lab.evaluation.provenance import shown_arguments, versions
from scrapy_boilernet.lab.evaluation.splits import TEST_ONE_IN, evaluation_pages, held_out

TRAINING, TESTING = 7, 3


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Return a set "mine" with its own split: seven pages train, three test."""
    number = TRAINING + TESTING
    rows = [
        {"id": f"p{n}", "split": "train" if n < TRAINING else "test", "page_type": "article"}
        for n in range(number)
    ]
    return write_set(tmp_path / "mine", {f"p{n}": article(n) for n in range(number)}, rows)


def run(*arguments: object) -> int:
    parser = argparse.ArgumentParser()
    evaluate.add_arguments(parser)
    return evaluate.run(parser.parse_args(["--engine", "numpy", *map(str, arguments)]))


def refusal(*arguments: object) -> str:
    with pytest.raises(UsageError) as caught:
        run(*arguments)
    message = str(caught.value)
    assert "\n" not in message
    return message


def result(folder: Path) -> dict[str, object]:
    return json.loads((folder / "r.json").read_text(encoding="utf-8"))


def test_the_test_part_is_reported_as_markdown_and_json(mine: Path, tiny_model: Path) -> None:
    work = mine.parent
    completed = run_python(
        "-m", "scrapy", "boilernet", "evaluate", "mine", "--model", str(tiny_model), "--engine",
        "numpy", "--markdown", "r.md", "--json", "r.json", folder=work,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr.decode()
    text = (work / "r.md").read_text(encoding="utf-8")
    assert text.startswith("Command: `scrapy boilernet evaluate mine --model tiny --engine numpy")
    assert f"| mine | {TESTING} | " in text
    document = result(work)
    assert {row["page"] for row in document["pages"]} == {"p7", "p8", "p9"}
    assert document["summary"]["systems"] == {"tiny": "ours"}
    assert document["summary"]["engines"] == {"tiny": "numpy"}
    assert document["versions"]["python"]


def taught(tiny_model: Path, folder: Path, **training: object) -> Path:
    """Return a copy of the model with this record of its training."""
    shutil.copytree(tiny_model, folder, dirs_exist_ok=True)
    document = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    (folder / "model.json").write_text(json.dumps({**document, "training": training}))
    return folder


def leave_out_splits(folder: Path) -> None:
    """Take the splits from a set, and add a page that tests by its id."""
    (folder / "pages.jsonl").unlink()
    name = next(f"q{n}" for n in range(99) if held_out(f"{folder.name}/q{n}", TEST_ONE_IN))
    html, gold = article(77)
    (folder / "html" / f"{name}.html").write_bytes(html)
    (folder / "gold" / f"{name}.txt").write_text(gold, encoding="utf-8")


@pytest.mark.parametrize(
    ("training", "part", "warned"),
    [
        ({"datasets": {"mine": {}}}, "all", False),
        ({"from": {}, "datasets": {"other": {}}}, "all", False),
        ({"from": {}, "datasets": {"mine": {}}}, "all", True),
        ({"from": {}, "datasets": {"mine": {}}}, "test", False),
    ],
)
def test_a_model_that_has_learned_measured_pages_is_reported(
    training: dict[str, object],
    part: str,
    warned: bool,
    mine: Path,
    tiny_model: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    model = taught(tiny_model, mine.parent / "taught", **training)
    assert run(mine, "--model", model, "--json", mine.parent / "r.json", "--part", part) == 0
    message = "was trained on the pages of mine that do not have the split 'test'"
    assert (message in capsys.readouterr().err) == warned


def test_without_a_split_every_page_of_the_set_was_learned(
    mine: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_out_splits(mine)
    model = taught(tiny_model, mine.parent / "taught", **{"from": {}}, datasets={"mine": {}})
    assert run(mine, "--model", model, "--json", mine.parent / "r.json") == 0
    assert "was trained on the pages of mine" in capsys.readouterr().err


@pytest.mark.parametrize(("part", "warned"), [("test", False), ("all", True)])
def test_of_a_set_beside_only_the_test_part_was_not_learned(
    part: str, warned: bool, mine: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_out_splits(mine)
    tuning = {"beside": ["mine"]}
    record = {"from": {}, "fine_tuning": tuning, "datasets": {"mine": {}, "site": {}}}
    model = taught(tiny_model, mine.parent / "taught", **record)
    assert run(mine, "--model", model, "--json", mine.parent / "r.json", "--part", part) == 0
    message = "was trained on pages of mine outside of its test part"
    assert (message in capsys.readouterr().err) == warned


def test_rows_without_a_page_are_reported(
    mine: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ("--model", tiny_model, "--json", mine.parent / "r.json")
    assert run(mine, *out) == 0
    assert "without a page" not in capsys.readouterr().err
    with (mine / "pages.jsonl").open("a", encoding="utf-8") as rows:
        rows.write('{"id": "p99", "split": "test"}\n')
    assert run(mine, *out) == 0
    assert "1 row of pages.jsonl without a page, such as 'p99'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("model", "end"),
    [
        ("defualt", "give --model one of them; did you mean default?"),
        ("folds", "give --model one of them"),
        ("no/such/model", "give --model one of them"),
    ],
)
def test_an_unknown_model_is_refused_by_its_option(mine: Path, model: str, end: str) -> None:
    for more in ((), ("--check",)):
        message = refusal(mine, "--model", model, *more)
        assert message.startswith(f"no model {model!r}: ")
        assert f"there is no {Path(model).absolute() / 'model.json'}" in message
        assert message.endswith(end)


@pytest.mark.parametrize("option", ["--json", "--markdown", "--html", "--labelers"])
def test_files_that_cannot_be_written_are_refused_before_the_work(
    option: str, mine: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "no" / "r.txt"
    message = refusal(mine, "--model", "no-such-model", option, missing)
    assert message == f"cannot write {missing}: there is no folder {missing.parent}; make it first"
    (tmp_path / "reports").mkdir()
    message = refusal(mine, "--model", "no-such-model", option, tmp_path / "reports")
    assert message == f"{tmp_path / 'reports'} is a folder; name a file in it"


def test_all_metrics_are_measured_on_request(mine: Path, tiny_model: Path) -> None:
    out = ("--model", tiny_model, "--json", mine.parent / "r.json")
    assert run(mine, *out) == 0
    core = set(result(mine.parent)["pages"][0]["metrics"])
    assert run(mine, *out, "--metrics", "all") == 0
    everything = set(result(mine.parent)["pages"][0]["metrics"])
    assert core < everything
    assert {"lcs_f1", "cleaneval_f1", "block_hits"} <= everything - core


def test_the_table_of_labelers_is_written_on_request(mine: Path, tiny_model: Path) -> None:
    out, table = mine.parent / "r.json", mine.parent / "labelers.md"
    assert run(mine, "--model", tiny_model, "--json", out, "--labelers", table) == 0
    text = table.read_text(encoding="utf-8")
    assert text.startswith("# Labelers\n")
    assert "\n| tiny | " in text
    assert "Engines: tiny by numpy" in text
    metrics = set(result(mine.parent)["pages"][0]["metrics"])
    assert "lcs_f1" in metrics  # the metrics of the table are measured without --metrics
    assert "block_hits" not in metrics
    assert run(mine, "--model", tiny_model, "--json", out, "--labelers", table,
               "--metrics", "core") == 0  # fmt: skip
    assert "lcs_f1" not in result(mine.parent)["pages"][0]["metrics"]


def test_two_models_with_the_same_name_get_different_names(mine: Path, tiny_model: Path) -> None:
    arguments = ["--json", mine.parent / "r.json"]
    for name in ("first", "second"):
        arguments += ["--model", shutil.copytree(tiny_model, mine.parent / name)]
    assert run(mine, *arguments) == 0
    found = result(mine.parent)["summary"]
    assert len(found["systems"]) == 2
    assert set(found["engines"].values()) == {"numpy"}


def test_all_means_every_installed_peer(
    mine: Path,
    tiny_model: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = {
        "here": ("json", "scrapy", lambda _: lambda html, url, language: "text"),
        "gone": ("no_such_module", "gone", lambda _: None),
    }
    monkeypatch.setattr(peers, "PEERS", made)
    out = mine.parent / "r.json"
    arguments = (mine, "--model", tiny_model, "--peer", "all", "--peer", "here", "--json", out)
    assert run(*arguments) == 0
    assert list(result(mine.parent)["summary"]["systems"]) == ["tiny", "here"]
    assert "not installed, skipped: gone\n" in capsys.readouterr().err


def test_cross_validated_models_are_measured_on_held_out_pages(
    mine: Path, tiny_model: Path
) -> None:
    models = {"fold-0": [["mine", "p0"], ["other", "p9"]], "fold-1": [["mine", "p8"]]}
    folder = write_fold_models(mine.parent / "crossed", tiny_model, models)
    assert run(mine, "--model", folder, "--json", mine.parent / "r.json") == 0
    document = result(mine.parent)
    assert [row["page"] for row in document["pages"]] == ["p0", "p8"]
    assert document["summary"]["systems"] == {"crossed": "ours"}
    assert document["summary"]["engines"] == {"crossed": "numpy"}
    other = write_set(mine.parent / "another", {"p0": article(0)})
    message = refusal(other, "--model", folder)
    assert "another" in message
    assert "folds.json" in message


def write_floors(folder: Path, floor: float, sample: int = 2) -> Path:
    document = {"format": 1, "sample": sample, "floors": {"mine": floor}}
    (folder / "floors.json").write_text(json.dumps(document))
    return folder / "floors.json"


def test_the_exit_status_is_1_below_a_floor(
    mine: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ("--model", tiny_model, "--json", mine.parent / "r.json")
    assert run(mine, *out, "--check", write_floors(mine.parent, 0)) == 0
    assert "floor 0.0000: kept" in capsys.readouterr().err
    assert len(result(mine.parent)["pages"]) == 2  # the sample of the floors
    assert run(mine, *out, "--check", write_floors(mine.parent, 1), "--sample", "1") == 1
    assert "below its floor 1.0000" in capsys.readouterr().err
    assert len(result(mine.parent)["pages"]) == 1


def test_the_floors_of_a_model_are_in_its_folder(
    mine: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = shutil.copytree(tiny_model, mine.parent / "model")
    assert str(model / "floors.json") in refusal(mine, "--model", model, "--check")
    write_floors(model, 1)
    assert run(mine, "--model", model, "--check") == 1
    assert "mine: tiny has word-F1" in capsys.readouterr().err


@pytest.mark.parametrize("archive", [False, True], ids=["folder", "archive"])
def test_a_data_set_after_check_is_not_read_as_floors(
    mine: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str], archive: bool
) -> None:
    model = shutil.copytree(tiny_model, mine.parent / "model")
    write_floors(model, 0)
    dataset = mine
    if archive:
        dataset = Path(shutil.make_archive(str(mine), "xztar", mine.parent, mine.name))
        shutil.rmtree(mine)
    cache = ("--cache", mine.parent / "cache")
    assert run("--model", model, *cache, "--check", dataset) == 0
    assert "floor 0.0000: kept" in capsys.readouterr().err


def test_the_error_for_a_missing_data_set_describes_one(mine: Path, tiny_model: Path) -> None:
    floors = write_floors(mine.parent, 0)
    message = refusal("--model", tiny_model, "--check", floors)
    assert "no data set is given" in message
    assert "html/ and gold/" in message


def test_floors_are_only_for_the_test_part(mine: Path, tiny_model: Path) -> None:
    floors = write_floors(mine.parent, 0)
    message = refusal(mine, "--model", tiny_model, "--check", floors, "--part", "all")
    assert "--part all" in message


def test_the_html_report_is_given_summary_rows_and_worst_pages(
    mine: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []
    module = ModuleType("html_report")
    module.html_report = lambda *arguments: given.extend(arguments) or "<p>Żółw"
    monkeypatch.setitem(sys.modules, "scrapy_boilernet.lab.report.html", module)
    out = mine.parent / "r.html"
    assert run(mine, "--model", tiny_model, "--html", out) == 0
    assert out.read_text(encoding="utf-8") == "<p>Żółw"
    summary, rows, worst, command, given_versions = given
    assert list(summary["systems"]) == ["tiny"]
    assert [row.page for row in rows] == ["p7", "p8", "p9"]
    assert all(isinstance(page, WorstPage) for page in worst)
    assert len(worst) == TESTING
    assert command.startswith("scrapy boilernet evaluate")
    assert given_versions == versions()


def test_the_error_for_a_missing_set_names_it_and_its_folders(
    tmp_path: Path, tiny_model: Path
) -> None:
    message = refusal(tmp_path / "nowhere", "--model", tiny_model)
    assert str(tmp_path / "nowhere") in message
    assert "html/ and gold/" in message


def test_a_set_without_gold_is_refused_by_name(tmp_path: Path, tiny_model: Path) -> None:
    folder = write_set(tmp_path / "bare", {f"p{n}": (article(n)[0], None) for n in range(5)})
    assert str(folder) in (message := refusal(folder, "--model", tiny_model))
    assert "gold" in message


def test_a_set_without_a_test_part_can_be_measured_as_a_whole(mine: Path, tiny_model: Path) -> None:
    rows = [{"id": f"p{n}", "split": "train"} for n in range(TRAINING + TESTING)]
    (mine / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    message = refusal(mine, "--model", tiny_model)
    assert str(mine) in message
    assert "--part all" in message
    assert run(mine, "--model", tiny_model, "--part", "all") == 0


def test_a_peer_that_is_not_installed_is_refused_with_the_remedy(
    mine: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(peers.PEERS, "gone", ("no_such_module", "gone", lambda _: None))
    message = refusal(mine, "--model", tiny_model, "--peer", "gone")
    assert "'gone'" in message
    assert "pip install gone" in message


def test_unknown_peers_and_models_are_refused_by_name(mine: Path, tiny_model: Path) -> None:
    assert "nosuch" in refusal(mine, "--model", tiny_model, "--peer", "nosuch")
    assert "nosuch" in refusal(mine, "--model", "nosuch")


def test_a_sample_is_a_fixed_draw_of_the_part(mine: Path, tmp_path: Path) -> None:
    def drawn(part: str, sample: int | None) -> list[str]:
        return [page.id for page in evaluation_pages([mine], tmp_path, part, sample).pages]

    assert len(drawn("all", None)) == TRAINING + TESTING
    assert drawn("all", 5) == drawn("all", 5)
    assert len(drawn("all", 5)) == 5
    assert len(drawn("test", 100)) == TESTING


def test_pages_are_picked_by_set_and_id(mine: Path, tmp_path: Path) -> None:
    only = {("mine", "p1"), ("other", "p2")}
    found = evaluation_pages([mine], tmp_path, "test", None, only)
    assert [page.id for page in found.pages] == ["p1"]
    assert found.left_out is None


@pytest.fixture
def learned_from(tmp_path: Path) -> Path:
    """Return another set with the bytes of one training and one test page of "mine"."""
    return write_set(tmp_path / "learned", {"a": article(0), "b": article(8), "c": article(99)})


def test_pages_of_another_set_are_left_out_before_the_draw(
    mine: Path, learned_from: Path, tmp_path: Path
) -> None:
    def kept(part: str, sample: int | None) -> list[str]:
        found = evaluation_pages([mine], tmp_path, part, sample, None, [learned_from])
        assert found.left_out is not None
        assert found.left_out.sets == ("learned",)
        counts = {"test": (1, TESTING), "all": (2, TRAINING + TESTING)}
        assert found.left_out.counts == {"mine": counts[part]}
        return [page.id for page in found.pages]

    assert kept("test", None) == kept("test", 2) == ["p7", "p9"]
    assert {"p0", "p8"}.isdisjoint(kept("all", None))
    assert len(kept("all", TRAINING)) == TRAINING


def test_every_report_has_the_number_of_pages_that_were_left_out(
    mine: Path, learned_from: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = mine.parent
    other = write_set(work / "other", {"x": article(50)})
    out = ("--json", work / "r.json", "--markdown", work / "r.md", "--html", work / "r.html")
    sets = ("--except-pages-of", learned_from, "--except-pages-of", other)
    assert run(mine, *sets, "--model", tiny_model, *out) == 0
    sentence = "Left out, since learned or other has them, too: 1 of 3 pages of mine."
    assert f"{sentence}\n" in capsys.readouterr().err
    for name in ("r.md", "r.html"):
        assert sentence in (work / name).read_text(encoding="utf-8")
    assert [row["page"] for row in result(work)["pages"]] == ["p7", "p9"]
    left_out = {"sets": ["learned", "other"], "counts": {"mine": [1, 3]}}
    assert result(work)["summary"]["left_out"] == left_out


def test_a_set_without_remaining_pages_is_refused(mine: Path, tiny_model: Path) -> None:
    message = refusal(mine, "--except-pages-of", mine, "--model", tiny_model)
    assert "that is not in mine, too" in message
    assert "nowhere" in refusal(mine, "--except-pages-of", "nowhere", "--model", tiny_model)


def test_versions_name_the_engines_that_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "torch":
            raise metadata.PackageNotFoundError
        return "1.2"

    monkeypatch.setattr(metadata, "version", version)
    assert set(versions()) == {"python", "numpy", "onnxruntime", "lightgbm", "scipy"}


def test_shown_commands_have_no_paths() -> None:
    shown = shown_arguments(["/home/me/sets/mine", "--out", "/tmp/model", "--epochs", "2"])
    assert shown == ["mine", "--out", "model", "--epochs", "2"]
    assert shown_arguments(["mine.tar.xz", "--out=/home/me/model"])[1] == "--out=model"
    whole = ["--without", "crawl:lab/reader", "--without=crawl:lab/other", "/sets/mine"]
    assert shown_arguments(whole) == [*whole[:3], "mine"]
    assert shown_arguments(["--without-licence", "Apache/MIT"])[1] == "Apache/MIT"
    assert shown_arguments(["mine", "--except-pages-of", "/sets/a"])[2] == "a"


def test_rules_of_sites_are_measured(tiny_model: Path, tmp_path: Path) -> None:
    pages = {f"p{n}": article(n) for n in range(3)}
    rows = [{"id": name, "url": f"https://a.example/{name}"} for name in pages]
    own = write_set(tmp_path / "own", pages, rows)
    rules, out = tmp_path / "sites.toml", tmp_path / "out.json"
    given = (own, "--model", tiny_model, "--part", "all", "--json", out, "--sites", rules)
    rules.write_text('["a.example"]\ndrop = "*"', encoding="utf-8")
    assert run(*given) == 0
    scores = json.loads(out.read_text(encoding="utf-8"))["pages"]
    assert [(one["source"], one["metrics"]["word_f1"]) for one in scores] == [("nothing", 0.0)] * 3
    rules.write_text('["a.example"]\nkeep = "*"', encoding="utf-8")
    assert run(*given) == 0
    scores = json.loads(out.read_text(encoding="utf-8"))["pages"]
    assert {one["source"] for one in scores} == {"site-rule"}
    assert {one["metrics"]["word_recall"] for one in scores} == {1.0}
    rules.write_text('["a.example"]\nkep = "p"', encoding="utf-8")
    with pytest.raises(UsageError, match=r"sites\.toml, line 2"):
        run(*given)
