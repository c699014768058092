"""The labeler gbdt: scores per block, reasons that add up, models that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from synthetic import article, gold_page, page_of

pytest.importorskip("lightgbm")
pytest.importorskip("rapidfuzz")

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.classical.tree_features import feature_names
from scrapy_boilernet.labelers import gbdt
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.labelers.classical import ClassicalSpec, save_classical
from scrapy_boilernet.labelers.gbdt import GbdtLabeler
from scrapy_boilernet.labelers.reasons import Explaining
from scrapy_boilernet.training.gbdt import fit
from scrapy_boilernet.training.gold_blocks import gold_blocks

OPTIONS = {"trees": 30, "leaves": 8, "min_leaf": 3}


def spec_of(**changes: object) -> ClassicalSpec:
    fields = {"name": "trees", "units": "block", "threshold": 0.5, **changes}
    return ClassicalSpec("gbdt", featurizer=GbdtLabeler.featurizer, **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def payload() -> bytes:
    pages = [found for i in range(12) if (found := gold_blocks(gold_page(i), "block"))]
    return fit(pages, OPTIONS, 0, lambda _: None)


@pytest.fixture
def labeler(payload: bytes) -> GbdtLabeler:
    return GbdtLabeler(spec_of(), payload)


def test_the_article_is_told_from_what_is_around_it(labeler: GbdtLabeler) -> None:
    html, gold = article(99)
    page = blockify(html)
    content = np.array([block.text in gold for block in page.blocks])
    scores = labeler.logits(page)
    assert scores.dtype == np.float64
    assert scores[content].min() > scores[~content].max()


def test_blocks_of_a_leaf_share_their_score(labeler: GbdtLabeler) -> None:
    page = blockify("<div>One line<br>and another</div><p>Something else")
    scores = labeler.logits(page)
    assert len(scores) == 3
    assert scores[0] == scores[1]


def test_scores_are_the_same_each_time_and_after_saving(
    labeler: GbdtLabeler, payload: bytes, read_page: Callable[[str], bytes], tmp_path: Path
) -> None:
    save_classical(tmp_path / "trees", labeler.spec, payload, GbdtLabeler)
    again = GbdtLabeler.load(tmp_path / "trees")
    page = blockify(read_page("article.html"))
    assert np.array_equal(labeler.logits(page), again.logits(page))
    assert np.array_equal(labeler.probabilities([page])[0], again.probabilities([page])[0])


def test_reasons_add_up_to_the_score(
    labeler: GbdtLabeler, read_page: Callable[[str], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(labeler, Explaining)
    monkeypatch.setattr(gbdt, "MOST_REASONS", len(feature_names()))
    page = blockify(read_page("article.html"))
    told = np.array([sum(reason.weight for reason in block) for block in labeler.reasons(page)])
    rest = labeler.logits(page) - told  # what the trees say of any block
    np.testing.assert_allclose(rest, rest[0], atol=1e-6)


def test_reasons_name_features_with_their_values_the_weightiest_first(
    labeler: GbdtLabeler, read_page: Callable[[str], bytes]
) -> None:
    page = blockify(read_page("article.html"))
    found = labeler.reasons(page)
    assert len(found) == len(page.blocks)
    for reasons in found:
        assert 0 < len(reasons) <= gbdt.MOST_REASONS
        weights = [abs(reason.weight) for reason in reasons]
        assert weights == sorted(weights, reverse=True)
        assert {reason.feature for reason in reasons} <= {*feature_names()}
        assert all(float(reason.value) > -100 for reason in reasons)


@pytest.mark.parametrize("html", ["", "x", "<p>!!!", "<a href=/>x</a>", "潮", "<p>---<p>***"])
def test_any_page_is_scored(labeler: GbdtLabeler, html: str) -> None:
    page = blockify(html)
    assert np.isfinite(labeler.logits(page)).all()
    assert labeler.logits(page).shape == labeler.probabilities([page])[0].shape
    assert len(labeler.reasons(page)) == len(page.blocks)


def test_lone_surrogates_are_scored(labeler: GbdtLabeler) -> None:
    assert len(labeler.logits(page_of(["\ud800", "a \udfff b"]))) == 2


def test_a_model_of_some_groups_reads_these_only() -> None:
    pages = [found for i in range(6) if (found := gold_blocks(gold_page(i), "block"))]
    options = {**OPTIONS, "groups": ["shallow", "neighbours"]}
    payload = fit(pages, options, 0, lambda _: None)
    labeler = GbdtLabeler(spec_of(options=options), payload)
    names = {reason.feature for block in labeler.reasons(pages[0].page) for reason in block}
    assert names <= {*feature_names(("shallow", "neighbours"))}
    with pytest.raises(ValueError, match="features"):
        GbdtLabeler(spec_of(), payload)
    with pytest.raises(ValueError, match="'colour'"):
        GbdtLabeler(spec_of(options={"groups": ["colour"]}), payload)


def broken(payload: bytes) -> dict[str, bytes]:
    half = payload[: len(payload) // 2]
    child = next(line for line in payload.split(b"\n") if line.startswith(b"left_child=")).split()
    asked = next(line for line in payload.split(b"\n") if line.startswith(b"split_feature="))
    return {
        "empty": b"",
        "another file": b"\x89PNG\r\n",
        "not UTF-8": b"tree\n\xff",
        "half": half,
        "half with an end": half + b"\n\nend of trees\n",
        "no values": payload.replace(b"leaf_value=", b"leaf_valve="),
        "no trees' sizes": payload.replace(b"num_leaves=", b"many_leaves="),
        "a loop": payload.replace(child[0], b"left_child=0", 1),
        "a leaf too many": payload.replace(child[0], b"left_child=-99", 1),
        "a feature too many": payload.replace(asked, asked.replace(b"=", b"=9999", 1), 1),
        "letters": payload.replace(child[0], b"left_child=one", 1),
    }


def test_a_broken_model_is_refused(payload: bytes, tmp_path: Path) -> None:
    for name, bad in broken(payload).items():
        assert bad != payload
        with pytest.raises(ValueError):
            GbdtLabeler(spec_of(), bad)
        save_classical(tmp_path / name, spec_of(), bad, GbdtLabeler)
        with pytest.raises(ModelError, match=r"model\.txt"):
            GbdtLabeler.load(tmp_path / name)
