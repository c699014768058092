"""Examples: their targets, windows of a page, and pages that train."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.learned import prepared
from testing.synthetic import QUICK, article, gold_page, page_of, write_set

from scrapy_boilernet.extractor.features.hashed import NUMBERS, Bag, Features, featurize
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.boilernet.scoring import featurizer_of
from scrapy_boilernet.extractor.labelers.model_folder import load_model
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, read_pages
from scrapy_boilernet.lab.evaluation.same_pages import keys_of
from scrapy_boilernet.lab.evaluation.votes import Votes, votes_file, write_votes
from scrapy_boilernet.lab.training.augment import Augmentation
from scrapy_boilernet.lab.training.examples import (
    WINDOW_BLOCKS,
    epoch_windows,
    learning_pages,
    pseudo_page,
    voted_set,
    windows,
)
from scrapy_boilernet.lab.training.fit import Example
from scrapy_boilernet.lab.training.gold import dataset_record


def example(length: int) -> Example:
    """Return an example whose targets number its blocks; no two blocks have the same words."""
    page = page_of(f"word{i} other{i}" for i in range(length))
    order = np.arange(length, dtype=np.float32)
    return Example(featurize(page), order, order + 1)


def ids_of(bag: Bag, block: int) -> list[int]:
    return bag.ids[bag.offsets[block] : bag.offsets[block + 1]].tolist()


def check_valid(found: Example) -> None:
    length = len(found.targets)
    assert found.weights.shape == (length,)
    assert found.features.numbers.shape == (length, NUMBERS)
    for bag in found.features.bags.values():
        assert bag.offsets.shape == (length + 1,)
        assert bag.offsets[0] == 0
        assert bag.offsets[-1] == len(bag.ids)
        assert (np.diff(bag.offsets) >= 0).all()


@pytest.mark.parametrize("length", [1, 100, WINDOW_BLOCKS])
def test_a_page_that_fits_is_one_window(length: int) -> None:
    whole = example(length)
    assert list(windows(whole, np.random.default_rng(0))) == [whole]


@QUICK
@given(st.integers(WINDOW_BLOCKS + 1, 900), st.integers(0, 99))
def test_windows_cover_all_blocks_in_order_except_a_small_rest(length: int, seed: int) -> None:
    found = list(windows(example(length), np.random.default_rng(seed)))
    order = np.concatenate([window.targets for window in found])
    assert order.tolist() == list(range(len(order)))
    assert length - len(order) < 16
    assert all(16 <= len(window.targets) <= WINDOW_BLOCKS for window in found)


def test_windows_keep_the_features_of_each_block() -> None:
    whole = example(700)
    for window in windows(whole, np.random.default_rng(3)):
        check_valid(window)
        for i in (0, len(window.targets) - 1):
            block = int(window.targets[i])
            assert window.weights[i] == block + 1
            assert (window.features.numbers[i] == whole.features.numbers[block]).all()
            for name, bag in window.features.bags.items():
                assert ids_of(bag, i) == ids_of(whole.features.bags[name], block)


def test_cuts_are_shifted_at_random() -> None:
    rng, whole = np.random.default_rng(0), example(600)
    assert len({len(next(windows(whole, rng)).targets) for _ in range(10)}) > 1


def test_a_learning_page_has_soft_labels_and_weights_of_mean_1() -> None:
    source = gold_page(1, host="shore.example")
    page = prepared(source)
    assert page is not None
    assert page.source == replace(source, html=b"")
    assert len(page.example.targets) == len(page.page.blocks) == len(page.tokens)
    assert page.example.weights.mean() == pytest.approx(1, abs=1e-5)
    assert page.example.weights.dtype == page.example.targets.dtype == "float32"
    assert float((page.example.targets * page.tokens).sum()) == page.gold_tokens


def test_other_markup_has_the_same_targets_and_texts() -> None:
    page = prepared(gold_page(1))
    assert page is not None
    assert page.restyled.targets is page.example.targets
    assert page.restyled.weights is page.example.weights
    words, same = (e.features.bags["words"].ids for e in (page.example, page.restyled))
    assert np.array_equal(words, same)
    assert not np.array_equal(
        page.example.features.bags["tags"].ids, page.restyled.features.bags["tags"].ids
    )


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
def test_training_and_labeling_compute_the_same_features(
    name: str, read_page: Callable[[str], bytes], tiny_model: Path
) -> None:
    html, url = read_page(name), "https://www.shore.example/news/tide-pools-warm"
    page = prepared(gold_page(1, html=html, url=url, gold=""))
    assert page is not None
    labeling = featurizer_of(load_model(tiny_model)[0])(blockify(html, url))
    training = page.example.features
    for field in fields(Features):
        if field.name != "bags":
            assert np.array_equal(getattr(training, field.name), getattr(labeling, field.name))
    assert len(labeling.url) > 0
    assert training.bags.keys() == labeling.bags.keys()
    for bag, other in zip(training.bags.values(), labeling.bags.values(), strict=True):
        assert np.array_equal(bag.ids, other.ids)
        assert np.array_equal(bag.offsets, other.offsets)


def test_longer_blocks_weigh_more() -> None:
    page = prepared(gold_page(1, html=b"<p>one</p><p>a b c d e f g h</p>", gold="one"))
    assert page is not None
    assert page.example.weights[1] / page.example.weights[0] == pytest.approx((9 / 2) ** 0.5)


def test_a_page_that_does_not_show_its_gold_does_not_train() -> None:
    assert prepared(gold_page(1, html=b"<p>one two</p>", gold="one two three four")) is not None
    assert prepared(gold_page(1, html=b"<p>one</p>", gold="one two three four")) is None
    assert prepared(gold_page(1, html=b"", gold="")) is None


def test_a_page_with_empty_gold_is_all_boilerplate() -> None:
    page = prepared(gold_page(1, gold=""))
    assert page is not None
    assert not page.example.targets.any()


def test_votes_are_targets_and_trust_scales_the_weights() -> None:
    source = gold_page(1, html=b"<p>one two</p><p>three four</p><p>five six</p>", gold=None)
    votes, trust = np.array([[0, 0.5, 1], [1, 0.5, 0.25]], dtype=np.float32)
    page = pseudo_page(source, votes, trust, np.random.default_rng(0))
    assert page is not None
    assert page.example.targets.tolist() == [0, 0.5, 1]
    assert page.example.weights.tolist() == pytest.approx([1, 0.5, 0.25])
    assert pseudo_page(source, votes[:2], trust[:2], np.random.default_rng(0)) is None


def test_an_epoch_has_the_windows_of_all_pages() -> None:
    pages = [page for n in (1, 2) if (page := prepared(gold_page(n))) is not None]
    found = epoch_windows(pages, Augmentation(), np.random.default_rng(0))
    assert [len(e.targets) for e in found] == [len(p.page.blocks) for p in pages]


@pytest.mark.parametrize(("share", "own"), [(0.0, True), (1.0, False)])
def test_an_epoch_reads_the_given_share_in_other_markup(share: float, own: bool) -> None:
    page = prepared(gold_page(1))
    assert page is not None
    augmentation = Augmentation(tags_value=0, restyled=share)
    (found,) = epoch_windows([page], augmentation, np.random.default_rng(0))
    expected = (page.example if own else page.restyled).features.bags["tags"].ids
    assert np.array_equal(found.features.bags["tags"].ids, expected)


def votes_on(html: bytes) -> Votes:
    page = blockify(html)
    half = np.full(len(page.blocks), 0.5, dtype=np.float32)
    return Votes(page.digest, half, half)


def test_other_markup_does_not_depend_on_other_pages() -> None:
    pages = [gold_page(n) for n in range(4)]
    together, alone = learning_pages(pages), learning_pages(pages[2:3])
    assert together[2] is not None
    assert alone[0] is not None
    one, other = (page.restyled.features for page in (together[2], alone[0]))
    assert np.array_equal(one.numbers, other.numbers)
    assert np.array_equal(one.bags["tags"].ids, other.bags["tags"].ids)


def test_pages_that_cannot_train_keep_their_place() -> None:
    found = learning_pages([gold_page(1), gold_page(2, html=b""), gold_page(3)])
    assert [page is None for page in found] == [False, True, False]


def test_votes_for_other_bytes_or_other_pages_are_left_out(tmp_path: Path) -> None:
    pages = {f"p{n}": (article(n)[0], None) for n in range(4)}
    folder = write_set(tmp_path / "crawl", pages)
    changed = pages["p1"][0].replace(b"Home", b"Main")
    voted = [("p0", votes_on(pages["p0"][0])), ("p1", votes_on(changed)), ("gone", votes_on(b"x"))]
    write_votes(votes_file(tmp_path, "crawl"), voted)
    found = voted_set(folder, list(read_pages(folder)), tmp_path, frozenset())
    assert [page.source.id for page in found.pages] == ["p0"]
    assert set(found.pages[0].example.targets.tolist()) == {0.5}
    assert dataset_record(folder, voted=found.pages)["voted_pages"] == 1
    assert found.beside_gold == 0


def test_a_page_that_a_set_with_gold_has_does_not_train_by_votes(tmp_path: Path) -> None:
    pages = {f"p{n}": (article(n)[0], None) for n in range(4)}
    folder = write_set(tmp_path / "crawl", pages, [{"id": "p2", "url": "http://paper.com/2/"}])
    voted = [(name, votes_on(html)) for name, (html, _) in pages.items() if name != "p3"]
    write_votes(votes_file(tmp_path, "crawl"), voted)
    chosen = list(read_pages(folder))
    gold = [gold_page(1, host="mirror.org"), gold_page(9, url="https://paper.com/2"), gold_page(3)]
    found = voted_set(folder, chosen, tmp_path, keys_of(gold))
    assert [page.source.id for page in found.pages] == ["p0"]
    assert found.beside_gold == 2  # p3 has no votes
    with pytest.raises(DatasetError, match=r"--voted .*crawl.* all its 3 pages with votes"):
        voted_set(folder, chosen, tmp_path, keys_of([*gold, gold_page(0)]))
