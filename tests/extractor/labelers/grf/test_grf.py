"""The labeler ``grf``: its labels of an article, any page, and its reasons."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, article, page_of

pytest.importorskip("scipy")

from scrapy_boilernet import Page
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Explaining
from scrapy_boilernet.extractor.labelers.contract import contract_pages
from scrapy_boilernet.extractor.labelers.grf.labeler import GrfLabeler
from scrapy_boilernet.extractor.labelers.registry import ModelError


@pytest.fixture
def labeler() -> GrfLabeler:
    return GrfLabeler.load(None)


@pytest.fixture
def pages(read_page: Callable[[str], bytes]) -> list[Page]:
    return [blockify(read_page(name)) for name in ("article.html", "forum.html", "japanese.html")]


def test_the_text_of_an_article_is_kept(labeler: GrfLabeler) -> None:
    assert (labeler.name, labeler.units) == ("grf", "block")
    html, gold = article(3)
    page = blockify(html)
    (scores,) = labeler.probabilities([page])
    kept = [block.text for block, p in zip(page.blocks, scores, strict=True) if p >= 0.5]
    assert kept == gold.splitlines()


@QUICK
@given(st.lists(st.text(min_size=1, max_size=40), max_size=8))
def test_any_texts_are_scored_and_explained(texts: list[str]) -> None:
    labeler, page = GrfLabeler(), page_of(texts)
    (scores,) = labeler.probabilities([page])
    assert scores.shape == (len(texts),)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert len(labeler.reasons(page)) == len(texts)


def test_every_page_of_the_contract_is_explained(labeler: GrfLabeler) -> None:
    for page in contract_pages("block"):
        assert len(labeler.reasons(page)) == len(page.blocks)


def test_scores_do_not_depend_on_other_pages(labeler: GrfLabeler, pages: list[Page]) -> None:
    for batch in (pages, pages[::-1], [*pages, *pages]):
        for page, scores in zip(batch, labeler.probabilities(batch), strict=True):
            assert np.array_equal(scores, labeler.probabilities([page])[0])


def test_reasons_are_the_rule_or_the_blocks_that_a_label_came_from(labeler: GrfLabeler) -> None:
    page = blockify(article(3)[0])
    assert isinstance(labeler, Explaining)
    reasons = labeler.reasons(page)
    assert reasons[0] == [("inside <header>", "", -1.0)]
    title = next(i for i, block in enumerate(page.blocks) if block.text == page.title)
    assert 1 <= len(reasons[title]) <= 3
    first = reasons[title][0]
    paragraph = page.blocks[title + 1].text
    assert first.value == "prose inside <article>"
    assert any(r.feature == f'like "{paragraph[:40]}"' for r in reasons[title])
    weights = [abs(reason.weight) for reason in reasons[title]]
    assert weights == sorted(weights, reverse=True)
    assert first.weight > 0
    assert sum(weights) <= 1 + 1e-9


def test_without_any_rule_there_is_no_reason(labeler: GrfLabeler) -> None:
    page = blockify("<p>one")
    assert labeler.probabilities([page])[0].tolist() == pytest.approx([0.1])
    assert labeler.reasons(page) == [[]]


def write(folder: Path, **document: object) -> Path:
    (folder / "model.json").write_text(json.dumps({"format_version": 1, **document}))
    return folder


def test_options_come_from_a_folder(tmp_path: Path) -> None:
    labeler = GrfLabeler.load(write(tmp_path, options={"neighbours": 3, "adjacent": 0.5}))
    assert (labeler.options.neighbours, labeler.options.adjacent) == (3, 0.5)


@pytest.mark.parametrize("options", [None, [1], {"no_such": 1}, {"neighbours": "3"}, {"text": -1}])
def test_invalid_options_are_refused(tmp_path: Path, options: object) -> None:
    with pytest.raises(ModelError, match=r"model\.json in .*'grf'"):
        GrfLabeler.load(write(tmp_path, options=options))


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        GrfLabeler.load(tmp_path)
