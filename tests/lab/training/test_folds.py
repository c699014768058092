"""Cross-validation: the pages that a run holds out, and that its model has not seen them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from testing.learned import SMALL, learned, prepared
from testing.synthetic import article, gold_page

from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.lab.evaluation.floors import read_folds
from scrapy_boilernet.lab.evaluation.splits import assign, domain
from scrapy_boilernet.lab.training.examples import LearningPage
from scrapy_boilernet.lab.training.fit import STATE_FILE
from scrapy_boilernet.lab.training.folds import (
    Run,
    fold_runs,
    learnable_pages,
    left_out_runs,
    parts_of,
    write_folds,
)
from scrapy_boilernet.lab.training.train import train_default_runs

OPTIONS = replace(SMALL, epochs=1, dense=4, hidden=2)


@cache
def pages() -> tuple[GoldPage, ...]:
    """Return three sets: two share domains, one has a split. Some pages are reprints or no gold."""
    found = [
        gold_page(n, dataset, host=f"www.paper{n // 2}.com")
        for dataset, numbers in (("news", range(40)), ("blogs", range(36, 80)))
        for n in numbers
    ]
    html, gold = article(5)
    reprint = {"html": html, "gold": f"{gold}\nReprinted."}
    found.append(gold_page(200, "news", host="reprints.example.org", **reprint))
    found.append(gold_page(201, "blogs", host="copies.example.org", **reprint))
    found.append(gold_page(202, "news", host="no-gold.com", gold=None))
    found += [gold_page(n, "own", host=f"own{n // 2}.com", split="train") for n in range(300, 320)]
    found += [gold_page(n, "own", host=f"own{n // 2}.com", split="test") for n in range(320, 324)]
    return tuple(found)


def all_runs() -> list[Run]:
    left_out = [frozenset({"news"}), frozenset({"blogs", "own"})]
    return [*fold_runs(pages(), learnable(), 4), *left_out_runs(pages(), learnable(), left_out)]


@cache
def learnable() -> tuple[int, ...]:
    return tuple(learnable_pages(pages()))


def test_a_papers_experiment_learns_from_every_page_with_gold() -> None:
    found = set(learnable_pages(pages(), with_test_parts=True))
    assert found == {i for i, page in enumerate(pages()) if page.gold is not None}
    assert set(learnable_pages(pages())) < found
    held = [run.held_out for run in fold_runs(pages(), sorted(found), 5)]
    assert sorted(i for pages_of in held for i in pages_of) == sorted(found)


def test_only_training_parts_train_by_default() -> None:
    parts = assign(pages())
    assert {parts[i] for i in learnable()} == {"train", "validation"}
    tested = [gold_page(n, "l3s-gn1") for n in range(3)]
    assert learnable_pages(tested) == []
    assert learnable_pages(tested, with_test_sets=True) == [0, 1, 2]


def test_every_learnable_page_is_held_out_exactly_once() -> None:
    runs = fold_runs(pages(), learnable(), 4)
    held = Counter(i for run in runs for i in run.held_out)
    assert set(held) == set(learnable())
    assert set(held.values()) == {1}
    assert [run.name for run in runs] == ["fold-0", "fold-1", "fold-2", "fold-3"]
    assert all(run.held_out for run in runs)


@pytest.mark.parametrize("run", all_runs(), ids=lambda run: run.name)
def test_no_page_of_the_domain_or_text_of_a_held_out_page_trains(run: Run) -> None:
    parts = parts_of(pages(), set(learnable()), run)
    assert {i for i, part in enumerate(parts) if part == "test"} == run.held_out
    seen = {i for i, part in enumerate(parts) if part in ("train", "validation")}
    assert seen
    assert seen <= set(learnable()) - run.held_out
    held = {(pages()[i].dataset, domain(pages()[i])) for i in run.held_out}
    assert not {(pages()[i].dataset, domain(pages()[i])) for i in seen} & held
    split_by_domain = {name for dataset, name in held if dataset != "own"}
    assert not {domain(pages()[i]) for i in seen} & split_by_domain
    for page in run.held_out:
        start = (pages()[page].gold or "")[:200]
        assert not any((pages()[i].gold or "").startswith(start) for i in seen)


@pytest.mark.parametrize("run", all_runs(), ids=lambda run: run.name)
def test_some_domains_validate_and_none_trains_too(run: Run) -> None:
    parts = parts_of(pages(), set(learnable()), run)
    names = {
        part: {domain(page) for page, own in zip(pages(), parts, strict=True) if own == part}
        for part in ("train", "validation")
    }
    assert all(names.values())
    assert not names["train"] & names["validation"]


@pytest.mark.parametrize("run", all_runs(), ids=lambda run: run.name)
def test_pages_that_do_not_validate_train(run: Run) -> None:
    parts = parts_of(pages(), set(learnable()), run)
    all_train = ["train" if part == "validation" else part for part in parts]
    assert parts_of(pages(), set(learnable()), run, validates=False) == all_train


def test_sets_that_are_left_out_do_not_train() -> None:
    runs = left_out_runs(pages(), learnable(), [frozenset({"news"}), frozenset({"own", "blogs"})])
    assert [run.name for run in runs] == ["without-news", "without-blogs-own"]
    for run, names in zip(runs, ({"news"}, {"own", "blogs"}), strict=True):
        parts = parts_of(pages(), set(learnable()), run)
        trained = {p.dataset for p, part in zip(pages(), parts, strict=True) if part == "train"}
        assert trained == {"news", "blogs", "own"} - names
        assert run.held_out == {i for i in learnable() if pages()[i].dataset in names}


def test_an_unknown_set_cannot_be_left_out() -> None:
    with pytest.raises(DatasetError, match="no set 'nwes' to leave out among blogs, news, own"):
        left_out_runs(pages(), learnable(), [frozenset({"nwes"})])


@pytest.fixture(scope="module")
def crossed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the folder of two trained folds, and the messages of the training."""
    folder = tmp_path_factory.mktemp("models") / "crossed"
    lines: list[str] = []
    runs, voted = fold_runs(pages(), learnable(), 2), [learned(500, "voted")]
    train_default_runs(folder, pages(), learned_pages(), voted, runs, OPTIONS, lines.append)
    write_folds(folder, pages(), runs)
    return folder, lines


@cache
def learned_pages() -> dict[int, LearningPage | None]:
    return {i: prepared(pages()[i]) for i in learnable()}


def found_pages() -> list[LearningPage]:
    return [page for page in learned_pages().values() if page is not None]


def test_the_command_evaluate_can_read_the_folder(crossed: tuple[Path, list[str]]) -> None:
    models = read_folds(crossed[0], "numpy")
    assert set(models.model_of) == {(pages()[i].dataset, pages()[i].id) for i in learnable()}
    page = pages()[min(learnable())]
    assert models.labeler_for(page).name == models.model_of[page.dataset, page.id]
    assert not list(crossed[0].rglob(f"{STATE_FILE}*"))  # removed after the models are saved


def test_existing_models_are_not_trained_again(crossed: tuple[Path, list[str]]) -> None:
    folder, messages = crossed
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("model.*")}
    lines: list[str] = []
    runs = fold_runs(pages(), learnable(), 2)
    voted = [learned(500, "voted")]
    train_default_runs(folder, pages(), learned_pages(), voted, runs, OPTIONS, lines.append)
    assert lines == ["fold-0: exists already", "fold-1: exists already"]
    assert before == {file: file.stat().st_mtime_ns for file in folder.rglob("model.*")}
    assert sum("pages train" in line for line in messages) == 2


def test_models_of_other_pages_or_options_are_refused(
    crossed: tuple[Path, list[str]],
) -> None:
    other_runs = fold_runs(pages(), learnable(), 3)
    longer = replace(OPTIONS, epochs=2)
    for runs, options in ((other_runs, OPTIONS), (fold_runs(pages(), learnable(), 2), longer)):
        with pytest.raises(DatasetError, match=r"fold-0 holds a model of another recipe.*--out"):
            train_default_runs(
                crossed[0], pages(), learned_pages(), [learned(500, "voted")], runs, options, str
            )  # type: ignore[arg-type]


def test_voted_pages_train_in_every_run(crossed: tuple[Path, list[str]]) -> None:
    runs = fold_runs(pages(), learnable(), 2)
    gold = [parts_of(pages(), set(learnable()), run).count("train") for run in runs]
    messages = [line for line in crossed[1] if "pages train" in line]
    assert [int(line.split()[1]) for line in messages] == [number + 1 for number in gold]


def test_a_fold_without_a_model_is_not_listed(tmp_path: Path) -> None:
    write_folds(tmp_path, pages(), fold_runs(pages(), learnable(), 2))
    assert read_folds(tmp_path).model_of == {}


def test_a_run_without_pages_to_validate_on_is_refused(tmp_path: Path) -> None:
    few = [gold_page(n, host="one.com") for n in range(2)]
    run = Run("fold-0", frozenset({0, 1}))
    with pytest.raises(DatasetError, match="fold-0: no page left"):
        train_default_runs(tmp_path, few, {}, [learned(500)], [run], OPTIONS, lambda _: None)
