"""What stands beside the article: forms that train no model, and what is counted as kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.quality.beside import FORMS, KINDS, headline_lost, kept_of
from benchmarks.quality.confidence import (
    CONSENT_ALONE,
    STUBS,
    area_interval,
    area_under_roc,
    stub_pages,
)
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.systems import Extraction, System
from scrapy_boilernet.lab.training.boxes import read_forms
from scrapy_boilernet.lab.training.gold import gold_blocks
from scrapy_boilernet.lab.training.varied import Varier

TEXTS = [f"The tide turned at {n}, and the boats went out past the breakwater." for n in range(20)]
SOURCE = GoldPage(
    "news", "a",
    ("<title>Harbour</title><ul><li>Start</ul><main><h1>Harbour</h1>"
     + "".join(f"<p>{text}</p>" for text in TEXTS) + "</main>").encode(),
    "\n".join(TEXTS), "utf-8", language="en", page_type="article",
)  # fmt: skip


def system(keeps: bool) -> System:
    """Return a system that keeps all blocks, or only those of the article."""

    def run(source: GoldPage) -> Extraction:
        page = blockify(source.html, source.url)
        kept = [keeps or text in TEXTS for text in page.texts]
        labeled = LabeledPage(
            page,
            tuple("content" if keep else "boilerplate" for keep in kept),
            tuple("title" if text == "Harbour" else "main" for text in page.texts),
            ("model",) * len(kept), tuple(map(float, kept)), 0.9, "made", 0.5,
        )  # fmt: skip
        return Extraction(labeled.text, 0.9, labeled)

    return System("made", "ours", run)


def test_no_form_or_text_is_one_that_trains() -> None:
    own, trained = read_forms(FORMS), read_forms()
    for kind in own.forms:
        assert not {tuple(form) for form in own.forms[kind]} & {*map(tuple, trained.forms[kind])}
    phrases = {t for texts in trained.texts.values() for kind in texts.values() for t in kind}
    assert not phrases & {t for texts in own.texts.values() for k in texts.values() for t in k}
    assert {*own.texts} - {*trained.texts} >= {"da", "fi", "hu", "uk", "ko"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "threads" not in kind])
@pytest.mark.parametrize("seed", range(3))
def test_an_addition_counts_as_kept_if_a_block_of_it_is_content(kind: str, seed: int) -> None:
    gold = gold_blocks(SOURCE, "block")
    assert gold is not None
    varier = Varier(KINDS[kind], [gold, replace(gold, source=replace(SOURCE, id="b"))], seed)
    made = varier.varied(SOURCE, gold)
    assert made is not None
    for keeps in (True, False):
        kept = kept_of(system(keeps), SOURCE, made)
        assert kept is not None
        assert kept.recall == 1
        if "further" not in kind:  # these have the texts of the page itself
            assert kept.any == kept.half == keeps


def test_a_headline_is_lost_if_it_is_found_no_more() -> None:
    found = system(False).extract(SOURCE).labeled
    assert found is not None
    kinds = tuple("main" if kind == "title" else kind for kind in found.kinds)
    assert headline_lost(found, found, 0) is False
    assert headline_lost(found, replace(found, kinds=kinds), 0) is True
    assert headline_lost(found, found, 5) is None


def test_pages_without_content_have_none_of_the_gold() -> None:
    sources = [replace(SOURCE, id=str(n)) for n in range(30)]
    made = [*stub_pages(sources)]
    assert len(made) == len(sources)
    assert {kind for kind, _ in made} == {"empty search", "paywall stub", "error", CONSENT_ALONE}
    assert STUBS.is_file()
    for _, page in made:
        texts = blockify(page.html).texts
        assert not {*TEXTS} & {*texts}
        assert len(texts) > 2


def test_the_area_under_the_curve() -> None:
    rng = np.random.default_rng(0)
    scores, wrong = rng.random(200), rng.random(200) < 0.3
    pairs = [(a > b) + (a == b) / 2 for a in scores[wrong] for b in scores[~wrong]]
    assert area_under_roc(scores, wrong) == pytest.approx(np.mean(pairs))
    assert area_under_roc(np.zeros(5), np.array([1, 0, 0, 1, 0], bool)) == 0.5
    assert area_under_roc(scores, np.zeros(200, bool)) == 0.5
    low, high = area_interval(wrong + scores / 10, wrong)
    assert low == high == 1
