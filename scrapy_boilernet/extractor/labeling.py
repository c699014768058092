"""All steps from a page's bytes to its labels and main text.

::

    bytes -> blockify -> Page -> labeler -> probabilities -> decision, fallback -> LabeledPage

:func:`extract` labels one page. A crawl and ``scrapy boilernet extract`` read pages with
:mod:`scrapy_boilernet.workers.page_worker`, which has caches, and label them with
:func:`label_pages`. ``explain`` and ``evaluate`` use :func:`label_page`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.completion import complete
from scrapy_boilernet.extractor.decide.dialogs import dialogs_of, is_the_page
from scrapy_boilernet.extractor.decide.fallback import (
    Selection,
    fall_back,
    is_hidden_as_a_whole,
    shows_article,
    shows_main_text,
)
from scrapy_boilernet.extractor.decide.kinds import apply_options, block_kinds, found_in
from scrapy_boilernet.extractor.decide.site_rules import by_rule, keep_to_rule, shown_on
from scrapy_boilernet.extractor.decide.stubs import STUB_CONFIDENCE, is_stub
from scrapy_boilernet.extractor.decide.teasers import complete_teasers
from scrapy_boilernet.extractor.encodings import check_encoding
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.base import judges_comments
from scrapy_boilernet.extractor.labelers.registry import Labeler, ModelError, load_labeler
from scrapy_boilernet.extractor.options import (
    BESIDE,
    BOILERPLATE,
    CONTENT,
    MARKUP_FORMATS,
    BlockKind,
    CommentOption,
    Favor,
    Format,
    Hidden,
    KindOption,
    LabelOptions,
    Limits,
    Step,
    fallback_steps_of,
    formats_of,
    parts_read_for,
)
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.sites.rules import SiteRules

P = ParamSpec("P")
T = TypeVar("T")
Scores = NDArray[np.float32]
_Dialogs = tuple[NDArray[np.bool_], NDArray[np.bool_]]
"""What :func:`~scrapy_boilernet.extractor.decide.dialogs.dialogs_of` returns."""


def extract(
    html: bytes | str,
    url: str | None = None,
    encoding: str | None = None,
    *,
    charset: str | None = None,
    model: str = "default",
    engine: str = "auto",
    threshold: float | None = LabelOptions.threshold,
    favor: Favor = LabelOptions.favor,
    fallback: bool | Sequence[str] = True,
    title: KindOption = LabelOptions.title,
    comments: CommentOption = LabelOptions.comments,
    captions: KindOption = LabelOptions.captions,
    hidden: Hidden = LabelOptions.hidden,
    max_bytes: int = Limits.max_bytes,
    max_blocks: int = Limits.max_blocks,
    formats: Iterable[str] = (),
    detect_language: bool = False,
    sites: SiteRules | Mapping[str, Any] | str | Path | None = None,
) -> LabeledPage:
    """Return the page's blocks with their labels; ``.text`` is the main text.

    :param html: the page, as bytes or text. Nothing in it raises. Gzip is unpacked. A PDF document,
        JSON, an image or other data has no blocks, and ``.page.not_html`` names it.
    :param url: the page's URL. The model reads its words. Links become absolute by it.
    :param encoding: the page's encoding, if you know it for sure. Only a byte order mark
        overrides it.
    :param charset: the charset of the response's header. It is used unless the bytes contradict it.
    :param model: the name of a shipped model, or the path of a model's folder.
    :param engine: ``"auto"``, ``"onnx"``, ``"torch"`` or ``"numpy"``.
    :param threshold: the probability from which a block is content, in [0, 1]. None: the model
        decides, page by page.
    :param favor: ``"precision"`` keeps less, ``"recall"`` more. Without effect beside a threshold.
    :param fallback: what is tried where the model keeps nothing: True (the default), False, or some
        of ``"hidden"``, ``"json-ld"``, ``"lower-threshold"`` and ``"main-element"``.
    :param title: whether the headline is content: ``"model"`` (as the model decides), ``"keep"`` or
        ``"drop"``. Markdown and HTML begin with it in any case but ``"drop"``.
    :param comments: the same for readers' comments. ``"auto"`` drops them, but not on pages of
        forums and questions, and not where a BoilerNet takes them for the page's own text.
    :param captions: the same for captions and photo credits, without ``"auto"``. Markdown and HTML
        have those of their pictures in any case but ``"drop"``.
    :param hidden: ``"drop"`` leaves out text that the page hides. ``"model"`` lets the model
        decide.
    :param max_bytes: the most that is read of a page, after unpacking. What follows is cut off.
    :param max_blocks: the most blocks that are labeled. What follows is cut off.
    :param formats: some of ``"markdown"``, ``"html"``, ``"metadata"`` and ``"posts"``. They fill
        the result's fields of these names.
    :param detect_language: whether ``metadata.language`` is the language of the main text. Needs
        the extra ``language``.
    :param sites: the rules of sites: the path of a TOML file, a dict of domain to rule, or what
        :meth:`SiteRules.of` makes of one. Make it once for many pages.
    :raises TypeError: ``html`` is neither bytes nor text, such as None for a failed download.
    :raises SitesError: a rule is wrong, or the file cannot be read.
    :raises ModelError: the model or engine cannot be loaded, or gives no such formats.
    :raises ValueError: a threshold outside [0, 1], or an unknown word or ``encoding``.
    :raises ImportError: py3langid is missing, and ``detect_language`` needs it.
    """
    _check_type(html)
    check_encoding(encoding)
    rules, wanted, labeler = SiteRules.of(sites), formats_of(formats), load_labeler(model, engine)
    check_formats(wanted, labeler)
    chosen = (threshold, favor, fallback_steps_of(fallback), title, comments, captions, hidden)
    reading = (labeler.units, max_blocks, charset, max_bytes, None, *parts_read_for(wanted))
    page = blockify(html, url, encoding, *reading, rules.rule_for(url) if rules else None)
    options = LabelOptions(*chosen)
    labeled = label_page(page, labeler, options)
    return formatted(labeled, wanted, detect_language, beside=options.beside)


def _check_type(html: object) -> None:
    if not isinstance(html, (bytes, str)):
        given = "None" if html is None else f"an object of the type {type(html).__name__!r}"
        raise TypeError(
            f"extract needs a page as bytes or str, but got {given}: pass response.body of a "
            "response, Path(name).read_bytes() of a file, and leave out pages whose download failed"
        )


def formatted(
    result: LabeledPage,
    formats: Sequence[Format],
    detect_language: bool = False,
    opt_out: str = "",
    beside: Collection[BlockKind] = BESIDE,
) -> LabeledPage:
    """Return the result with these formats; the code that makes them is loaded if there are any.

    ``opt_out``: what the headers of the response state against the use in training. ``beside``: the
    kinds of blocks that Markdown and HTML have although they are no content.
    """
    if not formats:
        return result
    from scrapy_boilernet.extractor.output.formats import with_formats

    return with_formats(result, formats, detect_language, opt_out, beside)


def check_formats(formats: Sequence[Format], labeler: Labeler) -> None:
    """Raise ``ModelError`` if Markdown, HTML or posts are wanted, but the labeler labels leaves."""
    if labeler.units != "block" and not MARKUP_FORMATS.isdisjoint(formats):
        raise ModelError(
            f"model {labeler.name!r} labels {labeler.units!r} units, from which neither Markdown "
            "nor HTML nor posts can be made; choose a model of blocks, such as 'default'"
        )


def label_page(page: Page, labeler: Labeler, options: LabelOptions | None = None) -> LabeledPage:
    """Return ``page`` labeled by ``labeler``, with the default options if none are given.

    Raises ``ValueError`` for a page that is not in the labeler's units.
    """
    _check_units(page, labeler)
    scores = labeler.probabilities([page])[0]
    return _decide(page, labeler, scores, options or LabelOptions())


def label_pages(
    pages: Sequence[Page], labeler: Labeler, options: Sequence[LabelOptions]
) -> list[LabeledPage | Exception]:
    """Return per page what :func:`label_page` returns, or the exception that it raises.

    The labeler scores all pages in one call. If that raises, it scores each page alone, so that a
    bad page does not affect the others.
    """
    for page in pages:
        _check_units(page, labeler)
    scores = attempt(_scores, labeler, pages)
    if isinstance(scores, Exception):
        alone = [attempt(_scores, labeler, [page]) for page in pages]
        per_page = [one if isinstance(one, Exception) else one[0] for one in alone]
    else:
        per_page = [*scores]
    return [
        scored if isinstance(scored, Exception) else attempt(_decide, page, labeler, scored, own)
        for page, scored, own in zip(pages, per_page, options, strict=True)
    ]


def attempt(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Exception:
    """Return what the function returns, or the exception that it raises."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return error


def _scores(labeler: Labeler, pages: Sequence[Page]) -> Sequence[Scores]:
    """Return the labeler's arrays; raises ``ValueError`` if there is not one per page."""
    scores = labeler.probabilities(pages)
    if len(scores) != len(pages):
        raise ValueError(
            f"the labeler {labeler.name!r} gave {len(scores)} arrays for {len(pages)} pages; "
            "check it with scrapy_boilernet.extractor.labelers.contract.check_labeler"
        )
    return scores


def _finite(labeler: Labeler, name: str, value: float) -> float:
    """Return the value as a Python float, which JSON can hold; raises ``ValueError`` if it is not
    finite. ``name``: what the value is, for the message.
    """
    number = float(value)
    if not isfinite(number):
        raise ValueError(
            f"the labeler {labeler.name!r} gave the {name} {value!r}; check it with "
            "scrapy_boilernet.extractor.labelers.contract.check_labeler"
        )
    return number


def _decide(
    page: Page, labeler: Labeler, probabilities: Scores, options: LabelOptions
) -> LabeledPage:
    _check_scores(page, labeler, probabilities)
    site = page.site
    scores = probabilities if site is None else np.where(site.never, np.float32(0), probabilities)
    dialogs = dialogs_of(page)
    select = _select if site is None else _select_by_rule
    selection, shown_scores, steps = select(page, labeler, scores, options, dialogs)
    content = with_teasers = selection.kept
    confidence_of = cache(lambda: labeler.confidence(page, shown_scores, content))
    if options.threshold is None and selection.source == "model" and page.units == "block":
        content, decided = complete(page, content, shown_scores, selection.threshold)
        for step, places in decided.items():
            _set(steps, step, places)
        with_teasers = complete_teasers(page, content, confidence_of)
        _set(steps, "teaser", with_teasers & ~content)
    is_hidden_text = options.hidden == "model" or selection.source == "hidden"
    found = found_in(page, selection.kept.tolist(), is_hidden_text)
    kept = with_teasers.tolist()
    learned = shown_scores if judges_comments(labeler) else None
    apply_options(options, page, found, kept, steps, learned)
    if site is not None:
        content = keep_to_rule(site, kept, steps)
        confidence_of.cache_clear()
    confidence = confidence_of() if any(kept) else 0.0
    if is_stub(page, kept, dialogs[0].tolist()) and selection.source != "site-rule":
        confidence = min(confidence, STUB_CONFIDENCE)
    return LabeledPage(
        page=page,
        labels=tuple(map((BOILERPLATE, CONTENT).__getitem__, kept)),
        kinds=block_kinds(page, kept, found),
        steps=tuple(steps),
        probabilities=tuple(probabilities.tolist()),
        threshold=selection.threshold,
        confidence=_finite(labeler, "confidence", confidence),
        model=labeler.name,
        source=selection.source if any(kept) else "nothing",
    )


def _check_scores(page: Page, labeler: Labeler, probabilities: Scores) -> None:
    if probabilities.shape != (len(page.blocks),) or not np.isfinite(probabilities).all():
        raise ValueError(
            f"the labeler {labeler.name!r} gave probabilities of shape {probabilities.shape} for "
            f"{len(page.blocks)} blocks, or some that are not finite; check it with "
            "scrapy_boilernet.extractor.labelers.contract.check_labeler"
        )


def _set(steps: list[Step], step: Step, places: NDArray[np.bool_]) -> None:
    """Write the step that decided the blocks at these places."""
    for i in places.nonzero()[0].tolist():
        steps[i] = step


def _select_by_rule(
    page: Page, labeler: Labeler, scores: Scores, options: LabelOptions, dialogs: _Dialogs
) -> tuple[Selection, Scores, list[Step]]:
    """Return what :func:`_select` returns, for a page with a rule of its site.

    If the rule alone decides, its blocks are certain.
    """
    chosen = by_rule(page)
    if chosen is None:
        return _select(page, labeler, scores, options, dialogs)
    threshold = _by_model(page, labeler, scores, options).threshold
    steps: list[Step] = ["site rule"] * len(page.blocks)
    return Selection("site-rule", chosen, threshold), chosen.astype(np.float32), steps


def _select(
    page: Page, labeler: Labeler, scores: Scores, options: LabelOptions, dialogs: _Dialogs
) -> tuple[Selection, Scores, list[Step]]:
    """Return what the model or a step of the fallback keeps, the probabilities it used, and the
    step that decided each block.

    Dialogs are content only if the page has nothing else, or if they are the page itself.
    """
    dialog, consent = dialogs
    if not dialog.any():
        return _select_of(page, labeler, scores, options)
    kept = _by_model(page, labeler, scores, options).kept
    dropped = consent if is_the_page(page, kept, dialog, consent) else dialog
    without, used, steps = _select_of(
        page, labeler, np.where(dropped, np.float32(0), scores), options
    )
    if not (without.kept & ~dropped).any():
        return _select_of(page, labeler, scores, options)
    _set(steps, "dialog", dropped & np.array([step != "hidden" for step in steps]))
    return without._replace(kept=without.kept & ~dropped), used, steps


def _select_of(
    page: Page, labeler: Labeler, probabilities: Scores, options: LabelOptions
) -> tuple[Selection, Scores, list[Step]]:
    """Return the same, by these probabilities alone."""
    steps: list[Step] = ["model"] * len(page.blocks)
    shown = shown_on(page)
    if options.hidden == "drop" and not shown.all():
        # Most pages show an article, so that nothing else need be looked at.
        if "hidden" in options.fallback and not shows_article(page, probabilities):
            selection = _by_model(page, labeler, probabilities, options)
            if _hides_main_text(page, labeler, selection.kept, probabilities):
                _set(steps, "fallback: hidden", selection.kept)
                return selection._replace(source="hidden"), probabilities, steps
        probabilities = np.where(shown, probabilities, np.float32(0))
        _set(steps, "hidden", ~shown)
    else:
        shown = np.ones_like(shown)
    selection = _by_model(page, labeler, probabilities, options)
    kept = shown & selection.kept
    if not kept.any():
        tried = [s for s in options.fallback if s != "lower-threshold" or options.threshold is None]
        selection = fall_back(page, probabilities, selection.threshold, options.favor, tried)
        kept = shown & selection.kept
        _set(steps, cast("Step", f"fallback: {selection.source}"), kept)
    return selection._replace(kept=kept), probabilities, steps


def _hides_main_text(
    page: Page, labeler: Labeler, kept: NDArray[np.bool_], probabilities: Scores
) -> bool:
    """Return whether the page is hidden as a whole, also if its visible text is labeled alone.

    Hidden text, if there is enough of it, changes the labels of all other text: beside 11,000 words
    of spam the model is sure of no block of an article. So whoever hides text in a page could make
    it look as if it showed nothing.
    """
    if not is_hidden_as_a_whole(page, kept, probabilities):
        return False
    shown = page.shown.nonzero()[0]
    if not len(shown):
        return True
    alone = replace(page, blocks=tuple(page.blocks_at(shown.tolist())))
    is_dropped = probabilities[shown] == 0  # a dialog
    scores = np.where(is_dropped, np.float32(0), _scores(labeler, [alone])[0])
    kept, probabilities = kept.copy(), probabilities.copy()
    kept[shown] = _by_model(alone, labeler, scores, LabelOptions()).kept
    probabilities[shown] = scores
    return not shows_main_text(page, kept) and is_hidden_as_a_whole(page, kept, probabilities)


def _by_model(
    page: Page, labeler: Labeler, probabilities: Scores, options: LabelOptions
) -> Selection:
    threshold = options.threshold
    if threshold is None:
        chosen = labeler.threshold_for(page, probabilities, options.favor)
        threshold = _finite(labeler, "threshold", chosen)
    return Selection("model", probabilities.astype(np.float64) >= threshold, threshold)


def _check_units(page: Page, labeler: Labeler) -> None:
    if page.units != labeler.units:
        raise ValueError(
            f"model {labeler.name!r} labels {labeler.units!r} units, the page has {page.units!r}; "
            "pass units=labeler.units to blockify"
        )
