"""Adds the formats that were asked for to a labeled page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrapy_boilernet.extractor.labeled import LabeledPage, with_cached
from scrapy_boilernet.extractor.options import Format
from scrapy_boilernet.extractor.output.chunks import Cuttable
from scrapy_boilernet.extractor.output.document import Document, document_of
from scrapy_boilernet.extractor.output.html import to_html
from scrapy_boilernet.extractor.output.markdown import to_markdown
from scrapy_boilernet.extractor.output.metadata import page_metadata
from scrapy_boilernet.extractor.output.parts import Part
from scrapy_boilernet.extractor.output.posts import find_posts


def with_formats(
    result: LabeledPage,
    formats: Sequence[Format],
    detect_language: bool = False,
    opt_out: str = "",
    headline: bool = True,
) -> LabeledPage:
    """Return the result with the formats; its page is then without ``markup``, ``stated`` and
    ``thread``.

    ``detect_language``, ``opt_out``: as in
    :func:`~scrapy_boilernet.extractor.output.metadata.page_metadata`, and raises as there.
    ``headline``: whether Markdown and HTML begin with the headline, also if it is no content.
    Raises ``ValueError`` if Markdown or HTML is wanted and the page has no markup.
    """
    has_metadata = "metadata" in formats
    has_document = not {"markdown", "html"}.isdisjoint(formats)
    parts, shortened = Document([], False)
    if has_document:
        begin = headline_of(result) if headline else -1
        parts, shortened = document_of(result.page, result.kept, begin)
    posts = find_posts(result) if "posts" in formats else None
    page = replace(result.page, markup=None, stated=None, thread=None)
    columns = ("texts", "hidden", "paths")
    vars(page).update((name, getattr(result.page, name)) for name in columns)
    full = replace(
        result,
        page=page,
        markdown=to_markdown(parts) if "markdown" in formats else None,
        html=to_html(parts) if "html" in formats else None,
        metadata=(
            page_metadata(result, detect_language, opt_out, posts or ()) if has_metadata else None
        ),
        posts=posts,
        shortened=shortened,
        cutter=_cutter(parts, result) if has_document else None,
    )
    return with_cached(full, result)


def headline_of(result: LabeledPage) -> int:
    """Return the index of the block that is the headline; -1 without one, without content, and if
    the rule of the site drops it.
    """
    kinds, site = result.kinds, result.page.site
    headline = kinds.index("title") if "title" in kinds and any(result.kept) else -1
    return -1 if headline >= 0 and site is not None and site.drops(headline) else headline


def _cutter(parts: Sequence[Part], result: LabeledPage) -> Cuttable:
    markup = result.page.markup
    return Cuttable(tuple(parts), markup.ids if markup else ())
