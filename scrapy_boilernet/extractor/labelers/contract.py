"""A check of the labeler contract for any labeler, including labelers of other packages.

In the tests of a package with a labeler::

    from scrapy_boilernet.extractor.labelers import check_labeler

    def test_my_labeler_keeps_the_contract():
        check_labeler(MyLabeler.load(None))
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import LABELER_PARTS, Explaining, Labeler, Reason
from scrapy_boilernet.extractor.options import FAVORS, UNITS, Units
from scrapy_boilernet.extractor.page import Page

BATCH_TOLERANCE = 1e-6
"""How much a probability may change with the other pages in a batch."""
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
    """A labeler breaks the contract; the message names the page and the value."""


def check_labeler(labeler: Labeler, pages: Sequence[Page] = ()) -> None:
    """Raise :class:`ContractError` if the labeler breaks the contract.

    ``pages``: further pages to check, in the labeler's units.
    """
    missing = [part for part in LABELER_PARTS if not hasattr(labeler, part)]
    _require(not missing, f"it lacks {', '.join(missing)}")
    _require(isinstance(labeler.name, str) and bool(labeler.name), "its name is empty or no string")
    _require(labeler.units in UNITS, f"its units {labeler.units!r} are unknown")
    all_pages = [*contract_pages(labeler.units), *pages]
    alone = []
    for page in all_pages:
        scores = _scored(labeler, page)
        _require(len(scores) == 1, f"{len(scores)} arrays for one page")
        _check_scores(page, scores[0])
        _check_decision(labeler, page, scores[0])
        if isinstance(labeler, Explaining) and len(page.blocks) < _ROWS:  # which may take long
            _check_reasons(labeler, page)
        alone += scores
    _require(labeler.probabilities([]) == [], "probabilities([]) is not []")
    for order in (all_pages, all_pages[::-1]):
        together = labeler.probabilities(order)
        _require(len(together) == len(order), f"{len(together)} arrays for {len(order)} pages")
        for page, got in zip(order, together, strict=True):
            wanted = alone[next(i for i, one in enumerate(all_pages) if one is page)]
            near = got.shape == wanted.shape and np.allclose(got, wanted, 0, BATCH_TOLERANCE)
            _require(bool(near), f"{_described(page)} has other probabilities in a batch")


def _scored(labeler: Labeler, page: Page) -> list[NDArray[np.float32]]:
    try:
        scores = labeler.probabilities([page])
    except Exception as error:
        raise ContractError(f"{_described(page)} raises {error!r}") from error
    kind = type(scores).__name__
    _require(isinstance(scores, list), f"probabilities() returns {kind}, not a list")
    return scores


def contract_pages(units: Units) -> Iterator[Page]:
    """Yield the pages of the check: an article, odd and empty pages, and a page of 5,000 blocks."""
    for html in _PAGES:
        yield blockify(html, url="http://example.com/a", units=units)
    rows = (f"<p class=row>Row {i}: some text, and then some more of it." for i in range(_ROWS))
    yield blockify("".join(rows), units=units)


def _check_scores(page: Page, scores: NDArray[np.float32]) -> None:
    blocks = len(page.blocks)
    _require(
        isinstance(scores, np.ndarray) and scores.shape == (blocks,),
        f"{_described(page)} has {blocks} blocks and probabilities of shape {np.shape(scores)}",
    )
    _require(scores.dtype == np.float32, f"probabilities are {scores.dtype}, not float32")
    inside = bool(((scores >= 0) & (scores <= 1)).all())
    _require(inside, f"{_described(page)} has probabilities outside [0, 1]")


def _check_decision(labeler: Labeler, page: Page, scores: NDArray[np.float32]) -> None:
    thresholds = [labeler.threshold_for(page, scores, favor) for favor in FAVORS]
    _require(
        all(type(value) is float and 0 <= value <= 1 for value in thresholds),
        f"{_described(page)} has thresholds {thresholds}, which are not floats in [0, 1]",
    )
    falling = thresholds == sorted(thresholds, reverse=True)
    order = ", ".join(FAVORS)
    _require(falling, f"{_described(page)}: thresholds must not rise in the order {order}")
    balanced = labeler.threshold_for(page, scores)
    _require(
        thresholds[FAVORS.index("balanced")] == balanced, "the default threshold is not balanced"
    )
    for threshold in thresholds:
        confidence = labeler.confidence(page, scores, scores >= threshold)
        _require(0 <= confidence <= 1, f"{_described(page)} has confidence {confidence!r}")
    nothing = labeler.confidence(page, scores, np.zeros(len(scores), dtype=np.bool_))
    _require(nothing == 0, f"{_described(page)}: confidence {nothing!r} although nothing is kept")


def _check_reasons(labeler: Explaining, page: Page) -> None:
    blocks, described = len(page.blocks), _described(page)
    try:
        given = [[Reason(*reason) for reason in of_block] for of_block in labeler.reasons(page)]
        finite = all(math.isfinite(reason.weight) for of_block in given for reason in of_block)
    except Exception as error:
        raise ContractError(f"reasons() of {described} raises {error!r}") from error
    _require(len(given) == blocks, f"{described} has {blocks} blocks and {len(given)} of reasons")
    _require(finite, f"{described} has a reason with a weight that is not finite")


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise ContractError(problem)


def _described(page: Page) -> str:
    return f"the page that begins {page.blocks[0].text[:40]!r}" if page.blocks else "an empty page"
