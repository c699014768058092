"""From a folder of pages to a model and its report by the commands, and what they refuse."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from itertools import count, islice
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from scrapy.exceptions import UsageError

from scrapy_boilernet.commands import evaluate, train
from scrapy_boilernet.labelers.model_folder import load_model
from scrapy_boilernet.training import paper
from scrapy_boilernet.training.datasets import dataset_digest
from scrapy_boilernet.training.groups import held_out
from scrapy_boilernet.training.runs import evaluation_pages, shown_arguments

from .synthetic import article, write_set

TRAIN, VALIDATION, TEST = 8, 3, 3


def write_mine(folder: Path) -> Path:
    """A set with its own split, on hosts of which some are drawn for validation."""
    hosts = [f"paper{n}.com" for n in range(200)]
    drawn = [host for host in hosts if held_out(host, 10, "validation:")][:VALIDATION]
    others = islice((host for host in hosts if not held_out(host, 10, "validation:")), 20)
    split = [("train", host) for host in drawn]
    split += [("train", next(others)) for _ in range(TRAIN)]
    split += [("test", next(others)) for _ in range(TEST)]
    rows = [
        {"id": f"p{n}", "url": f"https://{host}/", "split": part, "page_type": "article"}
        for n, (part, host) in enumerate(split)
    ]
    write_set(folder, {f"p{n}": article(n) for n in range(len(split))}, rows)
    (folder / "meta.json").write_text('{"licence": "CC0-1.0", "source": "made up"}')
    return folder


def scrapy(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "SCRAPY_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "scrapy", "boilernet", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


def run(action: ModuleType, *arguments: str) -> int:
    parser = argparse.ArgumentParser()
    action.add_arguments(parser)
    return action.run(parser.parse_args(arguments))


def refusal(action: ModuleType, *arguments: str) -> str:
    with pytest.raises(UsageError) as caught:
        run(action, *arguments)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the set "mine" and a model "small" that the command trained on it."""
    folder = tmp_path_factory.mktemp("work")
    mine = write_mine(folder / "mine")
    result = scrapy(
        folder, "train", str(mine), "--recipe", "default", "--epochs", "2", "--out", "small"
    )
    assert result.returncode == 0, result.stderr
    assert "epoch 2: loss" in result.stderr
    return folder


def test_training_writes_a_model_with_what_it_was_trained_on(work: Path) -> None:
    spec, _ = load_model(work / "small")
    assert spec.name == "small"
    assert spec.training["options"]["epochs"] == 2
    assert spec.training["datasets"]["mine"] == {
        "digest_sha256": dataset_digest(work / "mine"), "licence": "CC0-1.0", "source": "made up",
        "train_pages": TRAIN, "validation_pages": VALIDATION,
    }  # fmt: skip


def test_training_writes_a_card_with_the_whole_command(work: Path) -> None:
    card = (work / "small" / "README.md").read_text(encoding="utf-8")
    command = "scrapy boilernet train mine --recipe default --epochs 2 --out small"
    assert f"`{command}`" in card
    assert "CC0-1.0" in card
    assert str(work) not in card


def test_evaluating_reports_the_test_part_as_markdown_and_json(work: Path) -> None:
    result = scrapy(
        work, "evaluate", "mine", "--model", "small", "--markdown", "r.md", "--json", "r.json"
    )
    assert result.returncode == 0, result.stderr
    text = (work / "r.md").read_text(encoding="utf-8")
    assert text.startswith("Command: `scrapy boilernet evaluate mine --model small ")
    assert f"| mine | {TEST} | " in text
    document = json.loads((work / "r.json").read_text(encoding="utf-8"))
    assert {row["page"] for row in document["pages"]} == {"p11", "p12", "p13"}
    assert document["summary"]["systems"] == {"small": "ours"}


def test_a_missing_set_ends_with_status_2_and_no_traceback(tmp_path: Path) -> None:
    result = scrapy(tmp_path, "train", "nowhere", "--out", "model")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert "no data set at nowhere" in result.stderr.splitlines()[-1]
    assert not (tmp_path / "model").exists()


def test_missing_sets_are_named_with_what_they_need(tmp_path: Path, tiny_model: Path) -> None:
    missing = str(tmp_path / "nowhere")
    for message in (
        refusal(train, missing, "--out", str(tmp_path / "model")),
        refusal(evaluate, missing, "--model", str(tiny_model)),
    ):
        assert missing in message
        assert "html/ and gold/" in message


def test_a_set_without_gold_is_refused_by_name(tmp_path: Path, tiny_model: Path) -> None:
    bare = {f"p{n}": (article(n)[0], None) for n in range(5)}
    folder = str(write_set(tmp_path / "bare", bare))
    assert folder in (message := refusal(evaluate, folder, "--model", str(tiny_model)))
    assert "gold" in message
    assert folder in (message := refusal(train, folder, "--out", str(tmp_path / "model")))
    assert "gold" in message.replace(folder, "")


def test_unknown_peers_and_models_are_refused_by_name(tmp_path: Path, tiny_model: Path) -> None:
    mine = str(write_mine(tmp_path / "mine"))
    assert "nosuch" in refusal(evaluate, mine, "--model", str(tiny_model), "--peer", "nosuch")
    assert "nosuch" in refusal(evaluate, mine, "--model", "nosuch")


def test_the_paper_recipe_needs_one_set_with_labeled_leaves(tmp_path: Path) -> None:
    mine = str(write_mine(tmp_path / "mine"))
    arguments = ("--recipe", "paper", "--out", str(tmp_path / "model"))
    assert "prepared_html" in refusal(train, mine, *arguments)
    assert "one data set" in refusal(train, mine, mine, *arguments)


def write_leaves(folder: Path) -> Path:
    mine = write_set(folder, {})
    prepared, lists = mine / "extra" / "prepared_html", mine / "extra" / "own-split"
    prepared.mkdir(parents=True)
    lists.mkdir()
    numbers = count()
    for part, size in (("train", 3), ("dev", 1), ("test", 2)):
        names = [f"{number}.html" for number in islice(numbers, size)]
        (lists / f"{part}_set.txt").write_text("\n".join(names))
        for name in names:
            html, _ = article(int(name.removesuffix(".html")))
            labeled = html.replace(b"<article", b'<article __boilernet_label="1"')
            (prepared / name).write_bytes(labeled)
    return mine


@pytest.mark.parametrize(("options", "name"), [((), "out"), (("--name", "leaf"), "leaf")])
def test_the_paper_recipe_writes_a_model_and_the_scores_of_every_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], name: str
) -> None:
    monkeypatch.setattr(paper, "UNITS", 8)
    folder, out = write_leaves(tmp_path / "leaves"), tmp_path / "out"
    fixed = ("--recipe", "paper", "--epochs", "1", "--seed", "3", "--seeds", "2")
    assert run(train, str(folder), *fixed, "--out", str(out), *options) == 0
    document = json.loads((out / "results.json").read_text())
    assert [row["seed"] for row in document["runs"]] == [3, 4]
    assert document["pages"] == {"train": 3, "dev": 1, "test": 2}
    assert document["dataset"] == "leaves"
    spec, _ = load_model(out)
    assert spec.training["seed"] == 3
    assert spec.name == name


def test_a_sample_is_a_fixed_draw_of_the_part(tmp_path: Path) -> None:
    mine = write_mine(tmp_path / "mine")
    everything = evaluation_pages([mine], tmp_path, "all", None)
    assert len(everything) == TRAIN + VALIDATION + TEST
    first = [page.id for page in evaluation_pages([mine], tmp_path, "all", 5)]
    assert first == [page.id for page in evaluation_pages([mine], tmp_path, "all", 5)]
    assert len(first) == 5
    assert len(evaluation_pages([mine], tmp_path, "test", 100)) == TEST


def test_shown_commands_hold_no_folder_of_this_machine() -> None:
    shown = shown_arguments(["/home/me/sets/mine", "--out", "/tmp/model", "--epochs", "2"])
    assert shown == ["mine", "--out", "model", "--epochs", "2"]
    assert shown_arguments(["mine.tar.xz", "--out=/home/me/model"])[1] == "--out=model"
