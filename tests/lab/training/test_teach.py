"""``scrapy boilernet train --from MODEL``: its model, its messages and its refusals."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")
pytest.importorskip("matplotlib")

from testing.commanding import refusal, run
from testing.learned import SMALL, learned
from testing.synthetic import LONG_MENU, article, write_set

from scrapy_boilernet import extract
from scrapy_boilernet.commands import card, export, train
from scrapy_boilernet.extractor.labelers.model_folder import load_model, save_model, weights_digest
from scrapy_boilernet.lab.training.boilernet import train_default
from scrapy_boilernet.lab.training.gold import SPREAD

PAGES = 7


def saved(folder: Path, epochs: int, rate: float) -> Path:
    """Save a model trained on 16 articles, for so many epochs at this learning rate."""
    train_pages, validation = ([learned(n) for n in range(*span)] for span in ((0, 16), (16, 20)))
    options = SMALL.__class__(**{**vars(SMALL), "epochs": epochs, "learning_rate": rate})
    save_model(
        folder, *train_default(folder.name, train_pages, validation, options, lambda _: None)
    )
    return folder


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the models "untrained" and "trained"."""
    folder = tmp_path_factory.mktemp("models")
    saved(folder / "untrained", 1, 0.001)
    saved(folder / "trained", 10, 0.02)
    return folder


def pages_of(numbers: Sequence[int]) -> dict[str, tuple[bytes, str | None]]:
    return {f"p{n}": article(n, 3, LONG_MENU) for n in numbers}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Return a set of seven pages of a site, with gold."""
    return write_set(tmp_path / "mine", pages_of(range(40, 40 + PAGES)))


@pytest.fixture(scope="module")
def learned_site(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the set "mine" and the model "taught", fine-tuned from "untrained"."""
    folder = tmp_path_factory.mktemp("work")
    rows: list[Mapping[str, Any]] = [{"id": "p40", "split": "dev"}, {"id": "p46", "split": "test"}]
    rows += [{"id": "p47", "split": "test"}]
    site = pages_of(range(40, 47))
    site["p47"] = site["p41"]  # a test page that is a copy of another page
    write_set(folder / "mine", {**site, **pages_of([50, 51])}, rows)
    news = write_set(folder / "news", pages_of(range(60, 68)))
    arguments = ("--from", models / "untrained", "--beside", news, "--seed", "3", "--name", "site")
    assert run(train, folder / "mine", *arguments, "--out", folder / "taught") == 0
    return folder


def test_a_model_with_a_gain_is_written_and_the_last_line_has_the_gain(
    models: Path, mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "taught"
    (mine / "html/nogold.html").write_bytes(b"<p>Text.")
    (mine / "gold/orphan.txt").write_text("Text.")
    assert run(train, "--from", models / "untrained", "--out", out, mine) == 0
    lines = capsys.readouterr().err.splitlines()
    assert f"{PAGES} pages; left out: nogold (no gold text), orphan (no page)" in lines
    last = lines[-1]
    assert last.startswith(f"wrote {out}: word-F1 .")
    assert f"on {PAGES} held-out pages, gain +" in last
    assert last.endswith(f"use it with BOILERNET_MODEL = '{out}'")
    html, gold = article(99, 3, LONG_MENU)
    assert extract(html, model=str(out), engine="numpy").text == gold


def test_the_record_has_the_start_the_settings_and_the_scores(
    learned_site: Path, models: Path
) -> None:
    spec, _ = load_model(learned_site / "taught")
    tuning = spec.training["fine_tuning"]
    assert spec.name == "site"
    assert spec.training["from"]["name"] == "untrained"
    assert spec.training["from"]["weights_sha256"] == weights_digest(models / "untrained")
    assert spec.training["options"]["seed"] == 3
    assert tuning["interval"][0] > 0
    assert tuning["before"] < tuning["after"]
    assert tuning["beside"] == ["news"]
    assert tuning["steps"] in (20, 40, 80)


def test_all_pages_train_except_test_pages_and_their_copies(learned_site: Path) -> None:
    training = load_model(learned_site / "taught")[0].training
    assert training["fine_tuning"]["pages"] == 7  # of 10, without two test pages and p41
    assert training["datasets"]["mine"]["train_pages"] == 7
    assert training["overlap"]["sets"]["mine"]["test_pages"] == 2
    assert training["overlap"]["sets"]["mine"]["near_duplicates"]["gold"] == 0
    assert training["datasets"]["news"]["train_pages"] > 0


def test_the_card_has_the_start_and_the_gain(learned_site: Path) -> None:
    text = (learned_site / "taught" / "README.md").read_text(encoding="utf-8")
    assert "Fine-tuned from `untrained`" in text
    assert "`untrained` was trained on these sets, which its own card describes: " in text
    assert "mixed in: news" in text
    assert "| data set | before | after |" in text
    assert "--accept-unproven" not in text
    assert "calibration.svg" not in text


def test_the_card_can_be_written_again_from_the_record(learned_site: Path) -> None:
    taught = learned_site / "taught"
    before = (taught / "README.md").read_text(encoding="utf-8")
    assert run(card, taught) == 0
    assert (taught / "README.md").read_text(encoding="utf-8") == before
    assert "--overlap-with" in refusal(card, taught, learned_site / "mine", learned_site / "news")


def test_it_can_be_exported_and_fine_tuned_again(
    learned_site: Path, mine: Path, tmp_path: Path
) -> None:
    pytest.importorskip("onnx")
    taught = Path(shutil.copytree(learned_site / "taught", tmp_path / "taught"))
    assert run(export, taught) == 0
    assert (taught / "model.onnx").is_file()
    again = ("--from", taught, "--accept-unproven", "--out", tmp_path / "again")
    assert run(train, mine, *again) == 0
    start = load_model(tmp_path / "again")[0].training["from"]
    assert (start["name"], start["datasets"]) == ("site", ["mine", "news"])


def test_there_is_a_warning_of_gold_that_was_spread_from_a_few_labels(
    models: Path, mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mine / "meta.json").write_text(json.dumps({"source": SPREAD}))
    assert run(train, "--from", models / "untrained", "--out", tmp_path / "taught", mine) == 0
    warning, last = capsys.readouterr().err.splitlines()[-2:]
    assert warning.startswith("mine: adapt spread this gold from a few labels")
    assert last.startswith("wrote ")


def test_without_a_gain_nothing_is_written_and_the_reason_is_reported(
    models: Path, mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "taught"
    given = ("--from", models / "trained", "--out", out, mine)
    assert run(train, *given) == 1
    assert not out.exists()
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"wrote nothing: no gain is shown over {models / 'trained'}, word-F1 ")
    assert "the model labels these pages well already, at 1.000" in last
    assert last.endswith("or write the model anyway with --accept-unproven")
    assert run(train, *given, "--accept-unproven") == 0
    text = (out / "README.md").read_text(encoding="utf-8")
    assert "no gain is shown; written by `--accept-unproven`" in text


def test_few_pages_are_refused(models: Path, tmp_path: Path) -> None:
    few = write_set(tmp_path / "few", pages_of(range(5)))
    message = refusal(train, "--from", models / "trained", "--out", tmp_path / "taught", few)
    assert "5 pages that show their gold text" in message
    assert "at least 6 are needed" in message
    assert not (tmp_path / "taught").exists()


def test_an_unknown_start_is_refused_by_its_option(mine: Path, tmp_path: Path) -> None:
    message = refusal(train, "--from", "defualt", "--out", tmp_path / "taught", mine)
    assert message.startswith("no model 'defualt': it is neither a known name (")
    assert message.endswith("give --from one of them; did you mean default?")


@pytest.mark.parametrize("ending", ["", ".md"])
def test_pages_without_gold_are_refused_as_too_few(
    mine: Path, models: Path, tmp_path: Path, ending: str
) -> None:
    for file in [*(mine / "gold").iterdir()]:
        if ending:
            file.rename(file.with_suffix(ending))
        else:
            file.unlink()
    message = refusal(train, "--from", models / "trained", "--out", tmp_path / "taught", mine)
    assert message.startswith("0 pages that show their gold text are too few")
    assert "gold/<id>.txt" in message


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--recipe", "crf"), "--recipe crf cannot be used with --from"),
        (("--epochs", "3"), "--epochs cannot be used with --from, since how long it trains is"),
        (("--option", "hidden=3"), "--option cannot be used with --from"),
        (("--voted", "crawl"), "--voted cannot be used with --from, since the pages need gold"),
        (("--calibrate-on", "folds"), "--calibrate-on cannot be used with --from"),
    ],
)
def test_options_of_other_trainings_are_refused_by_name(
    given: tuple[str, ...], why: str, mine: Path, tmp_path: Path
) -> None:
    message = refusal(train, "--from", "nowhere", *given, "--out", tmp_path / "taught", mine)
    assert message.startswith(why)
    assert "leave it out" in message


@pytest.mark.parametrize("given", [("--beside", "news"), ("--accept-unproven",)])
def test_options_of_fine_tuning_need_from(
    given: tuple[str, ...], mine: Path, tmp_path: Path
) -> None:
    assert "need --from" in refusal(train, *given, "--out", tmp_path / "taught", mine)


def test_models_that_cannot_be_fine_tuned_are_refused(
    mine: Path, tmp_path: Path, tiny_paper_model: Path
) -> None:
    (tmp_path / "classical").mkdir()
    (tmp_path / "classical" / "model.json").write_text(json.dumps({"labeler": "crf"}))
    out = ("--out", tmp_path / "taught", mine)
    assert "labeler crf" in refusal(train, "--from", tmp_path / "classical", *out)
    assert "featurizer counts" in refusal(train, "--from", tiny_paper_model, *out)
    assert "nowhere" in refusal(train, "--from", "nowhere", *out)


def test_the_start_is_never_overwritten(models: Path, mine: Path) -> None:
    start = models / "trained"
    assert "another folder" in refusal(train, "--from", start, "--out", start, mine)


def test_sets_that_only_test_are_refused_by_name(models: Path, mine: Path, tmp_path: Path) -> None:
    tests = write_set(tmp_path / "cleaneval", pages_of(range(6)))
    out = ("--out", tmp_path / "taught", "--from", models / "trained")
    assert refusal(train, *out, tests).startswith("cleaneval: a set of this name only tests")
    assert refusal(train, *out, mine, "--beside", tests).startswith("cleaneval")


def test_copies_of_the_pages_do_not_train_beside_them(
    models: Path, mine: Path, tmp_path: Path
) -> None:
    again = Path(shutil.copytree(mine, tmp_path / "again"))
    out = ("--out", tmp_path / "taught", "--from", models / "trained")
    assert "no page of --beside" in refusal(train, *out, mine, "--beside", again)
