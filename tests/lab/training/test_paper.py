"""The paper's recipe on a few made-up pages, and its experiment run by the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from testing.commanding import refusal, run
from testing.synthetic import article, write_set

from scrapy_boilernet.commands import card as card_action
from scrapy_boilernet.commands import train
from scrapy_boilernet.extractor.features.counts import CountVocabulary
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.boilernet.numpy_engine import NumpyLabeler
from scrapy_boilernet.extractor.labelers.boilernet.scoring import featurizer_of
from scrapy_boilernet.extractor.labelers.model_folder import load_model, save_model
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.leaves import LeafSplit, labeled_leaves
from scrapy_boilernet.lab.evaluation.metrics import Score
from scrapy_boilernet.lab.training import paper
from scrapy_boilernet.lab.training.paper import (
    PaperOptions,
    PaperResult,
    alphabetical,
    over_seeds,
    train_paper,
)

Labeled = tuple[Page, np.ndarray]
PROSE = "<div><p>The mill on the river</p></div>"
OTHER = {
    "words": "<div><p>Its wheel turned until 1911</p></div>",
    "tags": "<ul><li>The mill on the river</li></ul>",
}
"""Pages that differ from ``PROSE`` only in words, or only in tags."""
SIZES = {"train": 3, "dev": 1, "test": 2}
"""The number of pages per part of the set that the command trains on."""


@pytest.fixture(autouse=True)
def small_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "UNITS", 16)


def leaf_page(seed: int, paragraphs: int) -> Labeled:
    html, _ = article(seed, paragraphs)
    return labeled_leaves(html.replace(b"<article", b'<article __boilernet_label="1"'))


def split_of(train: int = 5) -> LeafSplit:
    return LeafSplit(
        train=[leaf_page(n, 2 + 3 * n) for n in range(train)],
        dev=[leaf_page(20, 3), leaf_page(21, 6)],
        test=[leaf_page(22, 4)],
    )


def trained(**options: object) -> PaperResult:
    return train_paper(split_of(), PaperOptions(**{"epochs": 3, **options}), lambda _: None)


def same(a: PaperResult, b: PaperResult) -> bool:
    return all(np.array_equal(a.tensors[name], b.tensors[name]) for name in a.tensors)


def test_a_seed_gives_the_same_model_and_scores() -> None:
    first, second = trained(seed=3), trained(seed=3)
    assert same(first, second)
    assert first.spec == second.spec
    assert (first.content, first.boilerplate) == (second.content, second.boilerplate)
    assert not same(first, trained(seed=4))


def test_every_epoch_is_reported_and_the_best_one_returned() -> None:
    lines: list[str] = []
    result = train_paper(split_of(), PaperOptions(epochs=3), lines.append)
    f1 = [float(line.rsplit(" ", 1)[1]) for line in lines]
    assert [line.split(":")[0] for line in lines] == ["epoch 1", "epoch 2", "epoch 3"]
    assert f1[result.best_epoch - 1] == max(f1)
    assert result.spec.training["best_epoch"] == result.best_epoch


def test_the_tensors_are_those_of_the_best_epoch() -> None:
    result = trained(epochs=4)
    again = trained(epochs=result.best_epoch)
    assert again.best_epoch == result.best_epoch
    assert same(again, result)


def test_both_classes_are_found_after_some_epochs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paper, "LEARNING_RATE", 0.02)
    result = trained(epochs=25)
    assert result.content.f1 > 0.8
    assert result.boilerplate.f1 > 0.8


def test_the_model_saves_loads_and_labels_leaves(tmp_path: Path) -> None:
    result = trained()
    save_model(tmp_path / "paper", result.spec, result.tensors)
    spec, tensors = load_model(tmp_path / "paper")
    assert replace(spec, featurizer={}, training={}, architecture=result.spec.architecture) == (
        replace(result.spec, featurizer={}, training={})
    )
    assert dict(spec.featurizer) == dict(result.spec.featurizer)
    assert tensors["out.weight"] == pytest.approx(result.tensors["out.weight"], rel=1e-3, abs=1e-6)
    page, _ = leaf_page(30, 2)
    assert load_labeler(str(tmp_path / "paper")).probabilities([page])[0].shape == (
        len(page.blocks),
    )


def test_the_vocabulary_is_from_the_training_part() -> None:
    featurizer = trained().spec.featurizer
    expected = CountVocabulary.of(page for page, _ in split_of().train)
    assert tuple(featurizer["words"]) == expected.words
    assert tuple(featurizer["tags"]) == expected.tags


@pytest.mark.parametrize("fault", ["unknown_overwrites", "unmasked_padding"])
def test_the_faults_of_the_published_code_can_be_switched_on(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_words = CountVocabulary.of(page for page, _ in split_of().train[:1])
    few_words = replace(few_words, words=few_words.words[:20])
    monkeypatch.setattr(
        CountVocabulary,
        "of",
        lambda _, **chosen: replace(few_words, **chosen),
    )
    correct, faulty = trained(), trained(**{fault: True})
    assert not same(correct, faulty)
    recorded = {**faulty.spec.featurizer, **faulty.spec.training}
    assert recorded[fault] is True
    assert {**correct.spec.featurizer, **correct.spec.training}[fault] is False


@pytest.mark.parametrize("unread", ["words", "tags"])
def test_features_that_the_ablation_leaves_out_change_nothing(unread: str) -> None:
    result = trained(unread=unread)
    assert result.spec.featurizer["unread"] == unread
    featurize = featurizer_of(result.spec)
    page, other = (blockify(html, units="leaf") for html in (PROSE, OTHER[unread]))
    one, same_again = (featurize(each).bags["counts"] for each in (page, other))
    assert np.array_equal(one.ids, same_again.ids)
    assert len(one.ids) > 0


def test_both_classes_weigh_the_same_over_the_training_part() -> None:
    split = split_of()
    vocabulary = CountVocabulary.of(page for page, _ in split.train)
    examples = paper._examples(split.train, vocabulary, paper.class_weights(split.train))
    targets = np.concatenate([example.targets for example in examples])
    weights = np.concatenate([example.weights for example in examples])
    assert weights[targets > 0.5].sum() == pytest.approx(weights[targets < 0.5].sum(), rel=1e-5)
    assert weights.mean() == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize("mostly", [0, 1])
def test_padding_weighs_the_same_as_boilerplate_leaves(mostly: int) -> None:
    page, _ = leaf_page(1, 4)
    rare = np.full(len(page.blocks), mostly, dtype=np.float32)
    rare[0] = 1 - mostly
    longer, longer_labels = leaf_page(2, 9)
    labels = np.full(len(longer_labels), mostly, dtype=np.float32)
    vocabulary = CountVocabulary.of([page, longer])
    pages = [(page, rare), (longer, labels)]
    weights = paper.class_weights(pages)
    examples = paper._examples(pages, vocabulary, weights)
    boilerplate = next(e.weights[i] for e in examples for i in np.flatnonzero(e.targets < 0.5))
    short, long = next(paper._padded(iter([examples]), weights[0]))
    assert len(short.targets) == len(long.targets) == len(longer.blocks)
    assert not short.targets[len(page.blocks) :].any()
    assert (short.weights[len(page.blocks) :] == boilerplate).all()
    assert short.features.bags["counts"].offsets.shape == (len(longer.blocks) + 1,)


def test_padding_of_a_page_with_only_content_weighs_the_same_as_boilerplate_leaves() -> None:
    short, long = leaf_page(1, 2)[0], leaf_page(2, 9)[0]
    content = np.ones(len(short.blocks), dtype=np.float32)
    boilerplate = np.zeros(len(long.blocks), dtype=np.float32)
    pages = [(short, content), (long, boilerplate)]
    weights = paper.class_weights(pages)
    examples = paper._examples(pages, CountVocabulary.of([short, long]), weights)
    padded = next(paper._padded(iter([examples]), weights[0]))[0]
    assert padded.weights[-1] == examples[1].weights[0]


@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_a_page_without_leaves_is_accepted(part: str) -> None:
    empty = (*labeled_leaves(b"<html></html>"),)
    split = split_of()
    split = replace(split, **{part: [*getattr(split, part), empty]})
    result = train_paper(split, PaperOptions(epochs=1), lambda _: None)
    assert isinstance(result.content, Score)


def write_leaves(folder: Path) -> Path:
    """Write a set with labeled leaves and a split, like the paper's sets."""
    parts = [part for part, size in SIZES.items() for _ in range(size)]
    ids = [str(number) for number in range(len(parts))]
    dataset = write_set(
        folder,
        {name: article(int(name)) for name in ids},
        [{"id": name, "split": part} for name, part in zip(ids, parts, strict=True)],
    )
    prepared, lists = dataset / "extra" / "prepared_html", dataset / "extra" / "own-split"
    prepared.mkdir(parents=True)
    lists.mkdir()
    for part in SIZES:
        names = [f"{name}.html" for name, own in zip(ids, parts, strict=True) if own == part]
        (lists / f"{part}_set.txt").write_text("\n".join(names))
        for name in names:
            html, _ = article(int(name.removesuffix(".html")))
            labeled = html.replace(b"<article", b'<article __boilernet_label="1"')
            (prepared / name).write_bytes(labeled)
    return dataset


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
    assert document["pages"] == SIZES
    assert document["dataset"] == "leaves"
    scores = [row["content"]["f1"] for row in document["runs"]]
    message = f"test content F1: {mean(scores):.3f} +- {stdev(scores):.3f} over 2 seeds"
    lines = capsys.readouterr().err.splitlines()
    assert message in lines
    spec, _ = load_model(out)
    assert spec.name == name
    best = max(document["runs"], key=lambda row: row["dev_f1"])
    assert spec.training["seed"] == best["seed"]
    f1 = f"{best['content']['f1']:.3f}".removeprefix("0")
    assert lines[-1] == (
        f"wrote {out}: F1 of content leaves {f1} on 2 test pages; use it with "
        f"BOILERNET_MODEL = '{out}'"
    )


def test_the_card_has_the_training_pages_and_the_scores(tmp_path: Path) -> None:
    folder, out = write_leaves(tmp_path / "leaves"), tmp_path / "mine"
    extra = write_leaves(tmp_path / "more")
    command = ("--recipe", "paper", "--epochs", "1", "--out", out, "--overlap-with", extra)
    assert run(train, folder, *command) == 0
    training = load_model(out)[0].training
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "# Model card: mine" in card
    assert "| leaves | 3 | 1 | not stated |" in card
    assert "| leaves | 2 | 2 | 0 | 0 |" in card
    assert "| more | 2 | 2 | 0 | 0 |" in card
    for part in ("dev", "test"):
        for name, score in training["leaves"][part].items():
            f1 = f"{score['f1']:.3f} |"
            assert any(
                line.startswith(f"| {part} | {SIZES[part]} | {name} |") and line.endswith(f1)
                for line in card.splitlines()
            )
    assert str(training["command"]) in card
    (out / "README.md").unlink()
    assert run(card_action, out) == 0
    assert (out / "README.md").read_text(encoding="utf-8") == card
    assert "train again with --overlap-with" in refusal(card_action, out, folder)


def test_the_order_of_the_words_in_the_model_changes_no_probability() -> None:
    result = trained()
    spec, tensors = alphabetical(result.spec, result.tensors)
    words = list(spec.featurizer["words"])
    assert words == sorted(result.spec.featurizer["words"])
    assert words != list(result.spec.featurizer["words"])
    page, _ = leaf_page(31, 5)
    before, after = (
        NumpyLabeler(a, b).probabilities([page])[0]
        for a, b in ((result.spec, result.tensors), (spec, tensors))
    )
    assert np.array_equal(before, after)


def test_the_deviation_over_seeds_is_of_the_sample() -> None:
    assert over_seeds([0.5, 0.7]) == "0.600 +- 0.141 over 2 seeds"
    assert over_seeds([0.5]) == "0.500, one seed"
