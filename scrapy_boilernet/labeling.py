"""The whole way, from a page's bytes to its labels and main text.

::

    bytes -> blockify -> Page -> labeler -> probabilities -> decision, fallback -> LabeledPage

:func:`extract` is for one page. A crawl and the commands read pages by
:mod:`scrapy_boilernet.workers.page_worker`, which has caches, and label them by
:func:`label_pages`; ``explain`` and ``evaluate`` label by :func:`label_page`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.decide.fallback import Found, fall_back, is_hidden_as_a_whole
from scrapy_boilernet.decide.kinds import chosen_blocks
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.options import (
    MAX_BLOCKS,
    MAX_BYTES,
    Choice,
    Favor,
    Hidden,
    LabelOptions,
    rungs_of,
)
from scrapy_boilernet.page import Page

P = ParamSpec("P")
T = TypeVar("T")
Scores = NDArray[np.float32]


def extract(
    html: bytes | str,
    url: str | None = None,
    encoding: str | None = None,
    model: str = "default",
    threshold: float | None = None,
    engine: str = "auto",
    device: str = "cpu",
    favor: Favor = "balanced",
    fallback: bool | Sequence[str] = True,
    title: Choice = "model",
    comments: Choice = "model",
    hidden: Hidden = "drop",
    charset: str | None = None,
    max_bytes: int = MAX_BYTES,
    max_blocks: int = MAX_BLOCKS,
) -> LabeledPage:
    """Return the page's blocks with their labels; ``.text`` is the main text.

    ``html``: a page, as bytes or text; nothing in it raises. Gzip is unpacked; a PDF document, an
    image or another binary has no blocks, and ``.page.not_html`` names it. ``encoding``: the page's
    encoding if you know it for sure: it yields to a byte order mark alone. ``charset``: what the
    response's header says, which is believed as far as the bytes allow. ``max_bytes``,
    ``max_blocks``: what follows is cut off. ``model``: a shipped model's name or a model folder.
    ``engine``: ``"auto"``, ``"onnx"``, ``"torch"`` or ``"numpy"``. ``device``: ``"cpu"``, or a GPU
    such as ``"cuda"`` for torch. ``fallback``: True, False or some of
    :data:`~scrapy_boilernet.options.RUNGS`. The others are those of
    :class:`~scrapy_boilernet.options.LabelOptions`.

    Raises ``ModelError`` if the model or engine cannot be loaded, ``ValueError`` for a threshold
    outside [0, 1] or an unknown word.
    """
    labeler = load_labeler(model, engine, device)
    options = LabelOptions(threshold, favor, rungs_of(fallback), title, comments, hidden)
    page = blockify(html, url, encoding, labeler.units, max_blocks, charset, max_bytes)
    return label_page(page, labeler, options)


def label_page(page: Page, labeler: Labeler, options: LabelOptions | None = None) -> LabeledPage:
    """Return ``page`` labeled by ``labeler``, with the default options if none are given.

    Raises ``ValueError`` for a page that is not in the labeler's units.
    """
    _check(page, labeler)
    scores = labeler.probabilities([page])[0]
    return _decide(page, labeler, scores, options or LabelOptions())


def label_pages(
    pages: Sequence[Page], labeler: Labeler, options: Sequence[LabelOptions]
) -> list[LabeledPage | Exception]:
    """Return per page what :func:`label_page` returns, or the exception that it raises.

    The labeler scores all pages in one call. If that raises, it scores each alone, so that a bad
    page never harms its neighbours.
    """
    for page in pages:
        _check(page, labeler)
    scores = attempt(_scores, labeler, pages)
    if isinstance(scores, Exception):
        alone = [attempt(_scores, labeler, [page]) for page in pages]
        each = [found if isinstance(found, Exception) else found[0] for found in alone]
    else:
        each = [*scores]
    return [
        found if isinstance(found, Exception) else attempt(_decide, page, labeler, found, chosen)
        for page, found, chosen in zip(pages, each, options, strict=True)
    ]


def attempt(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Exception:
    """Return what the function returns, or the exception that it raises."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def _scores(labeler: Labeler, pages: Sequence[Page]) -> Sequence[Scores]:
    """What the labeler gives; raises ``ValueError`` if it is not one array per page."""
    scores = labeler.probabilities(pages)
    if len(scores) != len(pages):
        raise ValueError(
            f"the labeler {labeler.name!r} gave {len(scores)} arrays for {len(pages)} pages; put "
            "it to scrapy_boilernet.labelers.contract.check_labeler"
        )
    return scores


def _number(labeler: Labeler, what: str, value: float) -> float:
    """The value as a float of Python's, which JSON takes; raises if it is no number."""
    number = float(value)
    if not isfinite(number):
        raise ValueError(
            f"the labeler {labeler.name!r} gave the {what} {value!r}; put it to "
            "scrapy_boilernet.labelers.contract.check_labeler"
        )
    return number


def _decide(
    page: Page, labeler: Labeler, probabilities: Scores, options: LabelOptions
) -> LabeledPage:
    if probabilities.shape != (len(page.blocks),) or not np.isfinite(probabilities).all():
        raise ValueError(
            f"the labeler {labeler.name!r} gave probabilities of shape {probabilities.shape} for "
            f"{len(page.blocks)} blocks, or some that are no numbers; put it to "
            "scrapy_boilernet.labelers.contract.check_labeler"
        )
    found, believed = _found(page, labeler, probabilities, options)
    kept = chosen_blocks(page, found.kept.tolist(), options.title, options.comments)
    confidence = labeler.confidence(page, believed, found.kept) if any(kept) else 0.0
    return LabeledPage.from_kept(
        page=page,
        kept=kept,
        probabilities=probabilities.tolist(),
        threshold=found.threshold,
        confidence=_number(labeler, "confidence", confidence),
        model=labeler.name,
        source=found.source if any(kept) else "nothing",
    )


def _found(
    page: Page, labeler: Labeler, probabilities: Scores, options: LabelOptions
) -> tuple[Found, Scores]:
    """What the model keeps of the page, or a rung of the ladder; by these probabilities."""
    found = _by_model(page, labeler, probabilities, options)
    shown = np.array([not block.hidden for block in page.blocks], dtype=np.bool_)
    if options.hidden == "drop" and not shown.all():
        if "hidden" in options.fallback and is_hidden_as_a_whole(page, found.kept, probabilities):
            return found._replace(source="hidden"), probabilities
        probabilities = np.where(shown, probabilities, np.float32(0))
        found = _by_model(page, labeler, probabilities, options)
    else:
        shown[:] = True
    if not (shown & found.kept).any():
        rungs = [r for r in options.fallback if r != "lower-threshold" or options.threshold is None]
        found = fall_back(page, probabilities, found.threshold, options.favor, rungs)
    return found._replace(kept=shown & found.kept), probabilities


def _by_model(page: Page, labeler: Labeler, probabilities: Scores, options: LabelOptions) -> Found:
    threshold = options.threshold
    if threshold is None:
        given = labeler.threshold_for(page, probabilities, options.favor)
        threshold = _number(labeler, "threshold", given)
    return Found("model", probabilities.astype(np.float64) >= threshold, threshold)


def _check(page: Page, labeler: Labeler) -> None:
    if page.units != labeler.units:
        raise ValueError(
            f"model {labeler.name!r} labels {labeler.units!r} units, the page has {page.units!r}; "
            "pass units=labeler.units to blockify"
        )
