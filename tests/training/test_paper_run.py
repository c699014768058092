"""The paper's experiment by the command: a model, the scores of every seed, what it refuses."""

from __future__ import annotations

import json
from itertools import count, islice
from pathlib import Path
from statistics import mean, stdev

import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from testing.commanding import refusal, run
from testing.synthetic import article, write_set

from scrapy_boilernet.commands import train
from scrapy_boilernet.labelers.model_folder import load_model
from scrapy_boilernet.training import paper
from scrapy_boilernet.training.paper import over_seeds


def write_leaves(folder: Path) -> Path:
    """A set with labeled leaves and the split that the paper's sets have."""
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


def test_one_set_with_labeled_leaves_is_needed(tmp_path: Path) -> None:
    mine = str(write_set(tmp_path / "mine", {"p0": article(0)}))
    arguments = ("--recipe", "paper", "--out", str(tmp_path / "model"))
    assert "prepared_html" in refusal(train, mine, *arguments)
    assert "one data set" in refusal(train, mine, mine, *arguments)


@pytest.mark.parametrize(("options", "name"), [((), "out"), (("--name", "leaf"), "leaf")])
def test_a_model_and_the_scores_of_every_seed_are_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    name: str,
) -> None:
    monkeypatch.setattr(paper, "UNITS", 8)
    folder, out = write_leaves(tmp_path / "leaves"), tmp_path / "out"
    fixed = ("--recipe", "paper", "--epochs", "1", "--seed", "3", "--seeds", "2")
    assert run(train, folder, *fixed, "--out", out, *options) == 0
    document = json.loads((out / "results.json").read_text())
    assert [row["seed"] for row in document["runs"]] == [3, 4]
    assert document["pages"] == {"train": 3, "dev": 1, "test": 2}
    assert document["dataset"] == "leaves"
    scores = [row["content"]["f1"] for row in document["runs"]]
    told = f"test content F1: {mean(scores):.3f} +- {stdev(scores):.3f} over 2 seeds"
    assert told in capsys.readouterr().err
    spec, _ = load_model(out)
    assert spec.training["seed"] == 3
    assert spec.name == name


def test_the_deviation_over_seeds_is_that_of_the_sample() -> None:
    assert over_seeds([0.5, 0.7]) == "0.600 +- 0.141 over 2 seeds"
    assert over_seeds([0.5]) == "0.500, one seed"
