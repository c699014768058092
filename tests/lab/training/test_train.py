"""The commands that train BoilerNet: votes, cross-validation, training, card."""

from __future__ import annotations

import json
import re
import shutil
from argparse import Namespace
from contextlib import redirect_stderr
from io import StringIO
from itertools import islice
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")
pytest.importorskip("matplotlib")

from testing.commanding import refusal, run, scrapy
from testing.synthetic import article, gold_page, write_set

from scrapy_boilernet.commands import card, crossvalidate, train
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.model_folder import load_model
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.lab.evaluation.datasets import dataset_digest
from scrapy_boilernet.lab.evaluation.floors import read_folds
from scrapy_boilernet.lab.evaluation.splits import held_out
from scrapy_boilernet.lab.evaluation.votes import vote, votes_file, write_votes
from scrapy_boilernet.lab.training import train as default_run
from scrapy_boilernet.lab.training.fit import STATE_FILE
from scrapy_boilernet.lab.training.recipes import Recipe
from scrapy_boilernet.lab.training.record import validation_scores
from scrapy_boilernet.lab.training.train import FEW_PAGES, few_pages_warning

TRAIN, VALIDATION, TEST, VOTED = 12, 4, 3, 5
VOTES = {
    "pages": VOTED, "voted": VOTED, "digest_sha256": "0" * 64,
    "command": "scrapy boilernet vote --out votes crawl", "versions": {"python": "3.12.1"},
    "voters": {"trafilatura": {"version": "2.3.1", "weight": 1.5}},
    "rule": {"min_voters": 3, "min_vote_tokens": 5, "trust_per_deviation": 1.2, "min_trust": 0.2},
}  # fmt: skip
SMALL = tuple(
    word
    for option in ("hidden=4", "layers=1", "dense=6", "columns.words=2", "columns.classes=2")
    for word in ("--option", option)
)


EXAM = [{"id": f"e{n}", "url": f"https://paper{n}.com/", "split": "test"} for n in range(4)]
"""The pages of the set "exam". Two of them are also in the set "crawl", which trains by votes."""


def hosts(number: int, drawn: bool) -> list[str]:
    """Return hosts that are, or are not, drawn for validation."""
    names = (f"paper{n}.com" for n in range(999))
    return list(islice((h for h in names if held_out(h, 10, "validation:") == drawn), number))


def write_mine(folder: Path) -> Path:
    """Write a set with its own split, on hosts of which some are drawn for validation."""
    split = [("train", host) for host in hosts(VALIDATION, drawn=True)]
    others = hosts(TRAIN + TEST, drawn=False)
    split += [("train", host) for host in others[:TRAIN]]
    split += [("test", host) for host in others[TRAIN:]]
    rows = [
        {"id": f"p{n}", "url": f"https://{host}/", "split": part, "page_type": "article"}
        for n, (part, host) in enumerate(split)
    ]
    write_set(folder, {f"p{n}": article(n) for n in range(len(split))}, rows)
    (folder / "meta.json").write_text('{"licence": "CC0-1.0", "source": "made up"}')
    return folder


def write_voted(folder: Path, votes: Path) -> None:
    """Write a set without gold, and the votes of three extractors, of which two agree."""
    rows = [{"id": f"v{n}", "src": f"lab{n % 2}/reader:{n}.html (MIT)"} for n in range(VOTED)]
    write_set(folder, {f"v{n}": (article(900 + n)[0], None) for n in range(VOTED)}, rows)
    voted = []
    for n in range(VOTED):
        html, gold = article(900 + n)
        texts = {"trafilatura": gold, "resiliparse": gold, "magic-html": f"{gold}\nMost read"}
        found = vote(blockify(html), texts)
        assert found is not None
        voted.append((f"v{n}", found))
    write_votes(votes_file(votes, folder.name), voted)
    (votes / "votes.json").write_text(json.dumps({"datasets": {folder.name: VOTES}}))


@pytest.fixture(scope="module")
def messages() -> list[str]:
    """Return the list of the messages of the commands that make ``work``."""
    return []


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory, messages: list[str]) -> Path:
    """Return a folder with sets, votes, cross-validated "folds", and "small", calibrated there."""
    folder = tmp_path_factory.mktemp("work")
    write_mine(folder / "mine")
    write_voted(folder / "crawl", folder / "votes")
    shared = (*SMALL, "--epochs", "2", "--voted", folder / "crawl", "--votes", folder / "votes",
              "--cache", folder / "cache")  # fmt: skip
    mine, folds = folder / "mine", folder / "folds"
    given = ("--folds", "2", "--out", folds, "--only")
    for number in "10":  # as two processes would do
        assert run_noting(messages, crossvalidate, mine, *shared, *given, number) == 0
    exam = write_set(folder / "exam", {f"e{n}": article(898 + n) for n in range(4)}, EXAM)
    arguments = ("--out", folder / "small", "--calibrate-on", folds, "--overlap-with", exam)
    assert run_noting(messages, train, mine, *shared, *arguments) == 0
    return folder


def run_noting(messages: list[str], action: ModuleType, *arguments: str | Path) -> int:
    """Run the action, add its messages to ``messages``, and return its exit status."""
    with redirect_stderr(StringIO()) as stream:
        status = run(action, *arguments)
    messages += stream.getvalue().splitlines()
    return status


@pytest.mark.parametrize("action", [train, crossvalidate])
def test_an_output_that_is_no_folder_is_refused_before_the_work(
    action: ModuleType, tmp_path: Path
) -> None:
    file = tmp_path / "model.json"
    file.write_text("{}")
    for out in (file, file / "deeper" / "still"):
        message = refusal(action, tmp_path / "no-set", "--out", out)
        assert message == f"--out {out}: {file} is a file; name a folder"


@pytest.mark.parametrize("name", [("--out", "."), ("--out", "a", "--name", "a\nb")])
def test_a_name_that_no_model_can_have_is_refused_before_the_work(name: tuple[str, ...]) -> None:
    assert "printable characters; give another --name" in refusal(train, "no-set", *name)


def test_folds_that_cannot_calibrate_are_refused_before_the_work(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(default_run, "train_default", None)
    folds = Path(shutil.copytree(work / "folds", tmp_path / "folds"))
    given = (work / "mine", "--calibrate-on", folds, "--out", tmp_path / "model")
    document = json.loads((folds / "folds.json").read_text())
    others = {name: [["other", f"q{name}"]] for name in document["models"]}
    (folds / "folds.json").write_text(json.dumps({**document, "models": others}))
    assert "left one of these pages out; cross-validate again" in refusal(train, *given)
    (folds / "fold-0" / "model.json").write_text(json.dumps({"labeler": "svm", "training": {}}))
    assert f"{folds} has models of another labeler" in refusal(train, *given)


ON_ALL = ("--option", "validation=0")


@pytest.mark.parametrize(
    ("action", "given", "why"),
    [
        (train, (), "no page is left to calibrate on; give --calibrate-on FOLDER"),
        (crossvalidate, ("--leave-out", "exam"), "one model has no others to calibrate it with"),
    ],
)
def test_pages_that_all_train_need_others_to_calibrate_on(
    work: Path, tmp_path: Path, action: ModuleType, given: tuple[str, ...], why: str
) -> None:
    sets = (work / "mine", work / "exam")
    message = refusal(action, *sets, "--out", tmp_path / "model", *ON_ALL, *given)
    assert message.startswith(f"--option validation=0: {why}")


def test_all_pages_train_where_none_validates(work: Path, tmp_path: Path) -> None:
    given = (work / "mine", *SMALL, "--epochs", "1", "--cache", work / "cache", *ON_ALL)
    folds, out, messages = tmp_path / "all-folds", tmp_path / "all", list[str]()
    assert run_noting(messages, crossvalidate, *given, "--folds", "2", "--out", folds) == 0
    assert any(line.startswith("2 models calibrated on ") for line in messages)
    assert run_noting(messages, train, *given, "--out", out, "--calibrate-on", folds) == 0
    assert f"{TRAIN + VALIDATION + TEST} pages: {TRAIN + VALIDATION} train" in " ".join(messages)
    spec = load_model(out)[0]
    assert spec.training["datasets"]["mine"]["train_pages"] == TRAIN + VALIDATION
    assert spec.training["datasets"]["mine"]["validation_pages"] == 0
    assert ", 1 epochs, on all pages: none validated" in (out / "README.md").read_text()


def test_the_pages_of_each_part_are_counted(work: Path, messages: list[str]) -> None:
    assert (work / "small").is_dir()
    number = TRAIN + VALIDATION + TEST
    parts = f"{TRAIN} train, {VALIDATION} validate, {TEST} test"
    assert f"{number} pages: {parts}" in messages


def test_the_last_line_of_every_command_names_folder_and_quality(
    work: Path, messages: list[str]
) -> None:
    lines = [line for line in messages if line.startswith("wrote ")]
    assert lines[-1] == messages[-1]
    folds, small = work / "folds", work / "small"
    expected = [
        rf"wrote {folds}: 1 of 1 model now, word-F1 [.\d]+ on (\d+) validation pages?; measure on "
        rf"the pages held out by scrapy boilernet evaluate --model {folds}",
        rf"wrote {folds}: 1 of 2 models now, word-F1 [.\d]+ on (\d+) validation pages?; measure .*",
        rf"wrote {small}: word-F1 [.\d]+ on {TRAIN + VALIDATION} pages that cross-validated models "
        rf"had not seen; use it with BOILERNET_MODEL = '{small}'",
    ]
    matches = [re.fullmatch(form, line) for form, line in zip(expected, lines, strict=True)]
    assert all(matches)


def test_the_word_f1_of_the_last_line_is_the_mean_over_pages_not_sets() -> None:
    pages = [SimpleNamespace(source=gold_page(n, dataset)) for n, dataset in enumerate("aaab")]
    assert validation_scores({"validation": {"a": 0.8, "b": 0.4}}, pages) == [0.8, 0.8, 0.8, 0.4]
    assert validation_scores({}, pages) == []


def test_the_warning_of_few_pages_has_their_number_and_the_remedy(
    work: Path, messages: list[str]
) -> None:
    warnings = [line for line in messages if line.startswith("warning: ")]
    assert len(warnings) == 1  # of train, not of crossvalidate
    assert f"{TRAIN + VOTED} pages" in warnings[0]
    assert "--from default" in warnings[0]
    assert few_pages_warning(FEW_PAGES) == ""
    assert f"{FEW_PAGES - 1} pages" in few_pages_warning(FEW_PAGES - 1)


def test_training_writes_a_model_with_a_record(work: Path) -> None:
    spec, _ = load_model(work / "small")
    assert (spec.name, spec.decision) == ("small", "correlated-f")
    assert spec.training["options"]["epochs"] == 2
    assert spec.training["options"]["hidden"] == spec.architecture.hidden == 4
    assert spec.training["datasets"]["mine"] == {
        "digest_sha256": dataset_digest(work / "mine"), "licence": "CC0-1.0", "source": "made up",
        "train_pages": TRAIN, "validation_pages": VALIDATION,
    }  # fmt: skip
    voted = spec.training["voted"]["crawl"]
    assert voted["voted_pages"] == VOTED
    assert voted["origins"]["lab0/reader"] == {"pages": 3, "licence": "MIT"}
    assert voted["votes"]["voters"] == VOTES["voters"]
    assert voted["votes"]["rule"] == VOTES["rule"]
    assert not list(work.rglob(f"{STATE_FILE}*"))


def test_the_record_counts_test_pages_close_to_those_that_trained(work: Path) -> None:
    overlap = load_model(work / "small")[0].training["overlap"]
    assert overlap["pages"] == {"gold": TRAIN + VALIDATION, "votes": VOTED}
    assert overlap["sets"]["mine"]["test_pages"] == TEST
    assert overlap["sets"]["mine"]["on_domain"] == {"gold": 0, "votes": 0}
    assert overlap["sets"]["exam"]["on_domain"]["gold"] == 4
    assert overlap["sets"]["exam"]["near_duplicates"] == {"gold": 0, "votes": 2}
    text = (work / "small" / "README.md").read_text(encoding="utf-8")
    assert "| exam | 4 | 0 | 4 | 0 | 0 | 2 |" in text


def test_the_record_has_the_commands_before_train(work: Path) -> None:
    steps = load_model(work / "small")[0].training["steps"]
    assert [step["makes"] for step in steps] == ["votes", "folds"]
    assert steps[0]["command"] == VOTES["command"]
    assert steps[1]["command"].startswith("scrapy boilernet crossvalidate")
    assert "torch" in steps[1]["versions"]


def test_the_command_card_counts_the_same_and_does_not_change_the_weights(
    work: Path, tmp_path: Path
) -> None:
    again = Path(shutil.copytree(work / "small", tmp_path / "small"))
    weights = (again / "model.safetensors").read_bytes()
    document = json.loads((again / "model.json").read_text())
    counted = document["training"]["overlap"]
    document["training"]["overlap"] = {**counted, "sets": {}}
    del document["training"]["voted"]["crawl"]["origins"]
    (again / "model.json").write_text(json.dumps(document))
    sets = (work / "mine", work / "crawl")
    assert run(card, again, *sets, "--overlap-with", work / "exam") == 0
    assert (again / "model.safetensors").read_bytes() == weights
    after = load_model(again)[0].training
    assert after["overlap"] == {**counted, "against": "the training parts"}
    assert after["voted"] == load_model(work / "small")[0].training["voted"]
    assert "| exam | 4 | 0 | 4 | 0 | 0 | 2 |" in (again / "README.md").read_text()


def test_pages_with_votes_can_be_left_out_by_their_origin(work: Path, tmp_path: Path) -> None:
    arguments = (*SMALL, "--epochs", "1", "--voted", work / "crawl", "--votes", work / "votes")
    given = (work / "mine", *arguments, "--out", tmp_path / "model")
    assert run(train, *given, "--without", "crawl:lab0/reader") == 0
    training = load_model(tmp_path / "model")[0].training
    assert training["voted"]["crawl"]["voted_pages"] == 2
    assert training["voted"]["crawl"]["origins"].keys() == {"lab1/reader"}
    assert training["chosen"]["without"] == ["crawl:lab0/reader"]
    assert training["overlap"]["pages"]["votes"] == 2
    assert run(card, tmp_path / "model", work / "mine", work / "crawl") == 0
    assert load_model(tmp_path / "model")[0].training["overlap"]["pages"]["votes"] == 2
    assert "no set 'crowl'" in refusal(train, *given, "--without", "crowl:lab0")
    assert "no page has a src" in refusal(train, *given, "--without", "crawl:lab2")


def write_shared(work: Path, folder: Path) -> tuple[Path, ...]:
    """Write a set "mine" with two pages of "crawl", one of which tests; return the arguments."""
    mine = Path(shutil.copytree(work / "mine", folder / "mine"))
    for name, number in (("p0", 900), (f"p{VALIDATION + TRAIN}", 901)):
        html, gold = article(number)
        (mine / "html" / f"{name}.html").write_bytes(html)
        (mine / "gold" / f"{name}.txt").write_text(gold)
    return (mine, "--voted", work / "crawl", "--votes", work / "votes", *SMALL, "--epochs", "1")


def test_a_page_in_a_set_with_gold_does_not_train_by_votes(
    work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, arguments = tmp_path / "model", write_shared(work, tmp_path)
    assert run(train, *arguments, "--out", model) == 0
    assert "crawl: 2 pages with votes left out" in capsys.readouterr().err
    training = load_model(model)[0].training
    assert training["voted"]["crawl"]["voted_pages"] == VOTED - 2
    assert training["voted"]["crawl"]["beside_gold"] == 2
    assert training["overlap"]["sets"]["mine"]["near_duplicates"] == {"gold": 0, "votes": 0}
    card_text = (model / "README.md").read_text(encoding="utf-8")
    assert "were left out for this reason: 2 of crawl." in card_text
    assert run(card, model, arguments[0], work / "crawl") == 0
    assert load_model(model)[0].training["overlap"]["pages"]["votes"] == VOTED - 2


def test_a_page_in_a_set_with_gold_does_not_train_by_votes_in_a_cross_validation(
    work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ("--folds", "2", "--only", "0", "--out", tmp_path / "folds")
    assert run(crossvalidate, *write_shared(work, tmp_path), *out) == 0
    assert "crawl: 2 pages with votes left out" in capsys.readouterr().err


def test_pages_can_be_left_out_by_their_licence(work: Path, tmp_path: Path) -> None:
    crawl = Path(shutil.copytree(work / "crawl", tmp_path / "crawl"))
    licences = ("MIT", "AGPL-3.0")
    rows = [{"id": f"v{n}", "src": f"lab:{n} ({licences[n % 2]})"} for n in range(VOTED)]
    (crawl / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    votes = ("--voted", crawl, "--votes", work / "votes")
    given = (work / "mine", *votes, *SMALL, "--epochs", "1", "--out", tmp_path / "model")
    assert run(train, *given, "--without-licence", "AGPL-3.0") == 0
    training = load_model(tmp_path / "model")[0].training
    assert training["voted"]["crawl"]["voted_pages"] == 3
    assert training["chosen"]["without_licence"] == ["AGPL-3.0"]
    assert "the licence AGPL-3.0." in (tmp_path / "model" / "README.md").read_text()
    assert run(card, tmp_path / "model", work / "mine", crawl) == 0
    assert load_model(tmp_path / "model")[0].training["overlap"]["pages"]["votes"] == 3
    assert "ends in (GPL-3.0)" in refusal(train, *given, "--without-licence", "GPL-3.0")


def test_training_calibrates_on_all_pages_that_the_folds_did_not_see(work: Path) -> None:
    spec, _ = load_model(work / "small")
    assert len(read_folds(work / "folds").model_of) == TRAIN + VALIDATION
    assert spec.training["calibrated_on"] == f"{TRAIN + VALIDATION} pages of folds"
    assert spec.training["calibration"]["floor"] == spec.threshold
    assert set(spec.training["cross_validation"]) == {"folds"}
    assert set(spec.training["cross_validation"]["folds"]) == {"mine"}
    assert (work / "small" / "calibration.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_the_recorded_calibration_is_folded_into_the_weights(work: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    arguments = (*SMALL, "--epochs", "2", "--voted", work / "crawl", "--votes", work / "votes")
    assert run(train, work / "mine", *arguments, "--out", plain) == 0
    raw = []
    page = blockify(article(777)[0])
    for folder in (plain, work / "small"):
        found = load_model(folder)[0].training["calibration"]
        (p,) = load_labeler(str(folder), "numpy").probabilities([page])
        logits = np.log(p / (1 - p))
        raw.append((logits - found["bias"]) * found["temperature"])
    np.testing.assert_allclose(raw[0], raw[1], atol=0.02)
    assert not (plain / "calibration.svg").exists()
    assert "calibration.svg" not in (plain / "README.md").read_text(encoding="utf-8")


def test_the_card_of_a_separate_process_has_the_whole_command(work: Path) -> None:
    arguments = ["mine", "--recipe", "default", "--epochs", "1", *SMALL, "--out", "again"]
    result = scrapy(work, "train", str(work / "mine"), *arguments[1:])
    assert result.returncode == 0, result.stderr
    assert "epoch 1: loss" in result.stderr
    last = result.stderr.splitlines()[-1]
    assert re.fullmatch(
        rf"wrote again: word-F1 [.\d]+ on {VALIDATION} validation pages; use it with "
        rf"BOILERNET_MODEL = '{work / 'again'}'",
        last,
    )
    text = (work / "again" / "README.md").read_text(encoding="utf-8")
    assert f"`scrapy boilernet train {' '.join(arguments)}`" in text
    assert "CC0-1.0" in text
    assert str(work) not in text


def test_whole_sets_can_be_left_out(work: Path, tmp_path: Path) -> None:
    other = write_set(tmp_path / "other", {f"p{n}": article(50 + n) for n in range(40)})
    arguments = (*SMALL, "--epochs", "1", "--leave-out", "other", "--out", tmp_path / "without")
    assert run(crossvalidate, work / "mine", other, *arguments) == 0
    models = json.loads((tmp_path / "without" / "folds.json").read_text())["models"]
    assert {dataset for dataset, _ in models["without-other"]} == {"other"}
    assert len(models["without-other"]) > 20
    assert read_folds(tmp_path / "without").model_of


def test_a_missing_set_ends_with_status_2_and_no_traceback(tmp_path: Path) -> None:
    result = scrapy(tmp_path, "train", "nowhere", "--out", "model")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert "no data set at nowhere" in result.stderr.splitlines()[-1]
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("action", [train, crossvalidate], ids=["train", "crossvalidate"])
def test_the_error_for_a_missing_set_names_it_and_its_folders(action, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    missing = str(tmp_path / "nowhere")
    assert missing in (message := refusal(action, missing, "--out", tmp_path / "model"))
    assert "html/ and gold/" in message


def test_a_set_without_gold_is_refused_by_name(tmp_path: Path) -> None:
    bare = {f"p{n}": (article(n)[0], None) for n in range(5)}
    folder = str(write_set(tmp_path / "bare", bare))
    assert folder in (message := refusal(train, folder, "--out", tmp_path / "model"))
    assert "gold" in message.replace(folder, "")
    assert "fold-0" in refusal(crossvalidate, folder, "--out", tmp_path / "folds")


def test_pages_of_one_domain_are_refused_early_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(default_run, "learning_pages", lambda *_: pytest.fail("pages aligned"))
    rows = [{"id": f"p{n}", "url": f"https://news.one.com/{n}"} for n in range(6)]
    folder = write_set(tmp_path / "one", {f"p{n}": article(n) for n in range(6)}, rows)
    message = refusal(train, folder, "--out", tmp_path / "model")
    for part in ("one:", "pages with gold text: 6, registered domains: 1,", "without url",
                 "add pages of other domains, or give every page a split"):  # fmt: skip
        assert part in message
    message = refusal(crossvalidate, folder, "--out", tmp_path / "folds")
    assert message.startswith("fold-0: no page left for")
    assert "registered domains: 1," in message


def test_pages_of_one_domain_train_if_they_have_a_split(tmp_path: Path) -> None:
    rows = [
        {"id": f"p{n}", "url": f"https://one.com/{n}", "split": "dev" if n < 2 else "train"}
        for n in range(6)
    ]
    folder = write_set(tmp_path / "one", {f"p{n}": article(n) for n in range(6)}, rows)
    assert run(train, folder, *SMALL, "--epochs", "1", "--out", tmp_path / "model") == 0
    trained = load_model(tmp_path / "model")[0].training["datasets"]["one"]
    assert (trained["train_pages"], trained["validation_pages"]) == (4, 2)


def test_pages_that_do_not_show_their_gold_text_are_refused(tmp_path: Path) -> None:
    rows = [{"id": f"p{n}", "split": "dev" if n < 2 else "train"} for n in range(6)]
    pages = {f"p{n}": (article(n)[0], article(90 + n)[1]) for n in range(6)}
    folder = write_set(tmp_path / "mixed", pages, rows)
    message = refusal(train, folder, "--out", tmp_path / "model")
    assert "less than half of their gold text" in message


def test_the_error_for_pages_of_one_class_names_the_set(tmp_path: Path) -> None:
    whole = (b"<p>All of this page is content.", "All of this page is content.")
    rows = [{"id": f"w{n}", "split": "train" if n % 5 else "dev"} for n in range(10)]
    write_set(tmp_path / "whole", {row["id"]: whole for row in rows}, rows)
    message = refusal(train, tmp_path / "whole", *SMALL, "--out", tmp_path / "model")
    assert "training pages of whole are content" in message


def test_votes_are_needed_and_must_be_for_these_pages(work: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "model")
    mine, voted = work / "mine", ("--voted", work / "crawl")
    assert "--votes FOLDER" in refusal(train, mine, *voted, *out)
    assert "scrapy boilernet vote" in refusal(train, mine, *voted, "--votes", tmp_path, *out)
    changed = write_set(tmp_path / "crawl", {"v0": article(901)})
    stale = ("--voted", changed, "--votes", work / "votes")
    assert "vote on this set" in refusal(train, mine, *stale, *out)


@pytest.mark.parametrize("action", [train, crossvalidate], ids=["train", "crossvalidate"])
def test_an_unknown_option_is_refused_before_the_sets_are_read(action, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    arguments = ("nowhere", "--option", "hiden=4", "--out", tmp_path / "model")
    assert "hiden" in refusal(action, *arguments)


@pytest.mark.parametrize("action", [train, crossvalidate], ids=["train", "crossvalidate"])
def test_a_set_to_repeat_must_be_given(action, work: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    message = refusal(
        action, work / "mine", "--option", "repeat.yours=4", "--out", tmp_path / "model"
    )
    assert "repeat.yours: no set 'yours' among mine" in message


def test_folds_that_cannot_be_read_are_refused_before_training(work: Path, tmp_path: Path) -> None:
    folds = ("--calibrate-on", tmp_path / "nowhere")
    assert "folds.json" in refusal(train, work / "mine", *folds, "--out", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_wrong_number_of_a_run_is_refused(work: Path, tmp_path: Path) -> None:
    arguments = ("--folds", "2", "--only", "2", "--out", tmp_path / "folds")
    assert "0 to 1" in refusal(crossvalidate, work / "mine", *arguments)


def test_a_recipe_like_default_can_change_its_sizes(tmp_path: Path) -> None:
    options = Namespace(seed=3, epochs=None, option=["dropout=0.1"])
    recipe = Recipe("mine", "boilernet", {"hidden": 48, "columns": {"words": 32}, "dropout": 0.2})
    found = default_run._settings(options, recipe)
    assert (found.hidden, found.columns["words"], found.dropout, found.seed) == (48, 32, 0.1, 3)
    (tmp_path / "mine.toml").write_text('mine = { like = "default", nonsense = 1 }')
    (tmp_path / "set").mkdir()
    recipe_file = f"{tmp_path / 'mine.toml'}:mine"
    message = refusal(train, tmp_path / "set", "--recipe", recipe_file, "--out", tmp_path / "m")
    assert "there is no 'nonsense'" in message


def test_the_papers_recipe_refuses_other_options(work: Path, tmp_path: Path) -> None:
    given = (work / "mine", "--out", tmp_path / "m", "--recipe")
    assert "no leaf labels" in refusal(train, *given, "paper")
    (tmp_path / "mine.toml").write_text('mine = { like = "paper", hidden = 1 }')
    message = refusal(train, *given, f"{tmp_path / 'mine.toml'}:mine")
    assert "hidden; the paper's recipe takes unread" in message
    assert "--split cannot be used with" in refusal(train, *given, "paper", "--split", "dev")
