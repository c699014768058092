"""The labeler contract as a check that any labeler can be put to, also one from outside.

In the tests of a package that brings a labeler::

    from scrapy_boilernet.labelers.contract import check_labeler

    def test_my_labeler_keeps_the_contract():
        check_labeler(MyLabeler.load(None))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labelers.base import LABELER_PARTS, Labeler
from scrapy_boilernet.options import FAVORS
from scrapy_boilernet.page import Page, Units

BATCH_TOLERANCE = 1e-6
"""How much a probability may move with the pages beside its own."""
_ARTICLE = """<title>Tide pools</title><nav class=menu><a href=/>Home</a> <a href=/n>News</a></nav>
<article><h1>Tide pools</h1><p>The water has warmed since May, and the crabs came early this year.
<p>Nobody had <b>seen</b> them before the storm, or so the keeper of the light says.
<ul><li>Crabs<li>Limpets, <i>many</i> of them</ul></article><footer>© 2024 Coast Post</footer>"""
_PAGES = (
    _ARTICLE,
    "",
    "x",
    "<p>!!!",
    "潮だまりの水は五月から温かい。",
    "<a href=/>x</a>",
    "<p>---<p>***",
    "<p>\ud800 lone surrogate<p>Ünïcode \u202e text\u0000",
    "<table><tr><td>One<td>2<tr><td>Three<td>4</table>",
    "<div>" * 300 + "deep" + "</div>" * 300,
)
_ROWS = 5000


class ContractError(AssertionError):
    """A labeler breaks the contract; the message says where."""


def check_labeler(labeler: Labeler, pages: Sequence[Page] = ()) -> None:
    """Raise :class:`ContractError` where the labeler breaks the contract.

    ``pages``: more pages to look at beside those that come with the check, in its units.
    """
    missing = [part for part in LABELER_PARTS if not hasattr(labeler, part)]
    _need(not missing, f"it lacks {', '.join(missing)}")
    _need(isinstance(labeler.name, str) and bool(labeler.name), "its name is no text")
    _need(labeler.units in get_args(Units), f"its units {labeler.units!r} are unknown")
    all_pages = [*contract_pages(labeler.units), *pages]
    alone = []
    for page in all_pages:
        scores = _scored(labeler, page)
        _need(len(scores) == 1, f"{len(scores)} arrays for one page")
        _check_scores(page, scores[0])
        _check_decision(labeler, page, scores[0])
        alone += scores
    _need(labeler.probabilities([]) == [], "no pages give something")
    for order in (all_pages, all_pages[::-1]):
        together = labeler.probabilities(order)
        _need(len(together) == len(order), f"{len(together)} arrays for {len(order)} pages")
        for page, got in zip(order, together, strict=True):
            wanted = alone[next(i for i, one in enumerate(all_pages) if one is page)]
            near = got.shape == wanted.shape and np.allclose(got, wanted, 0, BATCH_TOLERANCE)
            _need(bool(near), f"{_named(page)} has other probabilities in a batch")


def _scored(labeler: Labeler, page: Page) -> list[NDArray[np.float32]]:
    try:
        scores = labeler.probabilities([page])
    except Exception as error:
        raise ContractError(f"{_named(page)} raises {error!r}") from error
    _need(isinstance(scores, list), f"probabilities give {type(scores).__name__}, not a list")
    return scores


def contract_pages(units: Units) -> Iterator[Page]:
    """Yield the pages of the check: an article, odd ones, an empty one, and one of 5,000 blocks."""
    for html in _PAGES:
        yield blockify(html, url="http://example.com/a", units=units)
    rows = (f"<p class=row>Row {i}: some text, and then some more of it." for i in range(_ROWS))
    yield blockify("".join(rows), units=units)


def _check_scores(page: Page, scores: NDArray[np.float32]) -> None:
    blocks = len(page.blocks)
    _need(
        isinstance(scores, np.ndarray) and scores.shape == (blocks,),
        f"{_named(page)} has {blocks} blocks and probabilities of shape {np.shape(scores)}",
    )
    _need(scores.dtype == np.float32, f"probabilities are {scores.dtype}, not float32")
    inside = bool(((scores >= 0) & (scores <= 1)).all())
    _need(inside, f"{_named(page)} has probabilities outside [0, 1]")


def _check_decision(labeler: Labeler, page: Page, scores: NDArray[np.float32]) -> None:
    thresholds = [labeler.threshold_for(page, scores, favor) for favor in FAVORS]
    _need(
        all(type(value) is float and 0 <= value <= 1 for value in thresholds),
        f"{_named(page)} has thresholds {thresholds}, which are not floats in [0, 1]",
    )
    falling = thresholds == sorted(thresholds, reverse=True)
    _need(falling, f"{_named(page)}: {', '.join(FAVORS)} must not raise the threshold in turn")
    balanced = labeler.threshold_for(page, scores)
    _need(thresholds[FAVORS.index("balanced")] == balanced, "the plain threshold is not balanced")
    for threshold in thresholds:
        confidence = labeler.confidence(page, scores, scores >= threshold)
        _need(0 <= confidence <= 1, f"{_named(page)} has confidence {confidence!r}")
    nothing = labeler.confidence(page, scores, np.zeros(len(scores), dtype=np.bool_))
    _need(nothing == 0, f"{_named(page)}: confidence {nothing!r} where nothing is kept")


def _need(kept: bool, otherwise: str) -> None:
    if not kept:
        raise ContractError(otherwise)


def _named(page: Page) -> str:
    return f"the page that begins {page.blocks[0].text[:40]!r}" if page.blocks else "an empty page"
