"""The whole way, from a page's bytes to its labels and main text, in one small file."""

from __future__ import annotations

from scrapy_boilernet.blockify import blockify
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
) -> LabeledPage:
    """Return the page's blocks with their labels; ``.text`` is the main text.

    ``html``: a page, as bytes or text; nothing in it raises. ``encoding``: the encoding that a
    response header named, if any. ``model``: a shipped model's name or a model folder.
    ``threshold``: the probability from which a block is content, in [0, 1]; None takes the
    model's own. ``engine``: ``"auto"``, ``"torch"`` or ``"numpy"``.

    Raises ``ModelError`` if the model or engine cannot be loaded, ``ValueError`` for a threshold
    outside [0, 1].
    """
    labeler = load_labeler(model, engine)
    page = blockify(html, url=url, encoding=encoding, units=labeler.units)
    return label_page(page, labeler, threshold)


def label_page(page: Page, labeler: Labeler, threshold: float | None = None) -> LabeledPage:
    """Return ``page`` labeled by ``labeler``; the page must be in the labeler's units.

    Raises ``ValueError`` for a threshold outside [0, 1] or a page in other units.
    """
    if page.units != labeler.units:
        raise ValueError(
            f"model {labeler.name!r} labels {labeler.units!r} units, the page has {page.units!r}; "
            "pass units=labeler.units to blockify"
        )
    chosen = labeler.threshold if threshold is None else threshold
    if not 0 <= chosen <= 1:
        raise ValueError(f"threshold {chosen!r} is outside [0, 1]; use None for the model's own")
    probabilities = labeler.probabilities([page])[0]
    return LabeledPage.from_probabilities(
        page=page,
        probabilities=probabilities.tolist(),
        threshold=chosen,
        confidence=labeler.confidence(page, probabilities, chosen),
        model=labeler.name,
    )
