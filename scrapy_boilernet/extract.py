"""The whole way, from a page's bytes to its labels and main text, in one small file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.decision import FAVORS, Favor
from scrapy_boilernet.fallback import Found, fall_back, rungs_of
from scrapy_boilernet.kinds import CHOICES, Choice, chosen_blocks
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers import Labeler, load_labeler
from scrapy_boilernet.page import Page


def extract(
    html: bytes | str,
    url: str | None = None,
    encoding: str | None = None,
    model: str = "default",
    threshold: float | None = None,
    engine: str = "auto",
    favor: Favor = "balanced",
    fallback: bool | Sequence[str] = True,
    title: Choice = "model",
    comments: Choice = "model",
) -> LabeledPage:
    """Return the page's blocks with their labels; ``.text`` is the main text.

    ``html``: a page, as bytes or text; nothing in it raises. ``encoding``: the encoding that a
    response header named, if any. ``model``: a shipped model's name or a model folder.
    ``engine``: ``"auto"``, ``"torch"`` or ``"numpy"``. The others are those of :func:`label_page`.

    Raises ``ModelError`` if the model or engine cannot be loaded, ``ValueError`` for a threshold
    outside [0, 1] or an unknown word.
    """
    labeler = load_labeler(model, engine)
    page = blockify(html, url=url, encoding=encoding, units=labeler.units)
    return label_page(page, labeler, threshold, favor, fallback, title, comments)


def label_page(
    page: Page,
    labeler: Labeler,
    threshold: float | None = None,
    favor: Favor = "balanced",
    fallback: bool | Sequence[str] = True,
    title: Choice = "model",
    comments: Choice = "model",
) -> LabeledPage:
    """Return ``page`` labeled by ``labeler``; the page must be in the labeler's units.

    ``threshold``: the probability from which a block is content, in [0, 1]; None takes the model's
    decision, leaning as ``favor`` says. ``fallback``: rungs to try where the model keeps nothing;
    a ``threshold`` is never lowered. ``title``, ``comments``: ``"keep"`` or ``"drop"`` overrules
    the model on them; the confidence stays that of the labels before.

    Raises ``ValueError`` for a page in other units, a threshold outside [0, 1], an unknown word.
    """
    _check(page, labeler, threshold)
    _check_words(favor, title, comments)
    rungs = rungs_of(fallback)
    probabilities = labeler.probabilities([page])[0]
    if threshold is not None:
        rungs = tuple(rung for rung in rungs if rung != "lower-threshold")
    else:
        threshold = labeler.threshold_for(page, probabilities, favor)
    found = Found("model", probabilities.astype(np.float64) >= threshold, threshold)
    if not found.kept.any():
        found = fall_back(page, probabilities, threshold, favor, rungs)
    kept = chosen_blocks(page, found.kept.tolist(), title, comments)
    return LabeledPage.from_kept(
        page=page,
        kept=kept,
        probabilities=probabilities.tolist(),
        threshold=found.threshold,
        confidence=labeler.confidence(page, probabilities, found.kept) if any(kept) else 0.0,
        model=labeler.name,
        source=found.source if any(kept) else "nothing",
    )


def _check(page: Page, labeler: Labeler, threshold: float | None) -> None:
    if page.units != labeler.units:
        raise ValueError(
            f"model {labeler.name!r} labels {labeler.units!r} units, the page has {page.units!r}; "
            "pass units=labeler.units to blockify"
        )
    if threshold is not None and not 0 <= threshold <= 1:
        raise ValueError(
            f"threshold {threshold!r} is outside [0, 1]; use None for the model's decision"
        )


def _check_words(favor: str, title: str, comments: str) -> None:
    named = (("favor", favor, FAVORS), ("title", title, CHOICES), ("comments", comments, CHOICES))
    for name, word, known in named:
        if word not in known:
            raise ValueError(f"{name} {word!r}: must be one of {', '.join(known)}")
