"""Adds the formats that were asked for to a labeled page."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from scrapy_boilernet.extractor.labeled import LabeledPage, with_cached
from scrapy_boilernet.extractor.options import BESIDE, BlockKind, Format
from scrapy_boilernet.extractor.output.beside import beside_of
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
    beside: Collection[BlockKind] = BESIDE,
) -> LabeledPage:
    """Return the result with the formats; its page is then without ``markup``, ``stated`` and
    ``thread``.

    ``detect_language``, ``opt_out``: as in
    :func:`~scrapy_boilernet.extractor.output.metadata.page_metadata`, and raises as there.
    ``beside``: the kinds of blocks that Markdown and HTML have although they are no content.
    Raises ``ValueError`` if Markdown or HTML is wanted and the page has no markup.
    """
    has_metadata = "metadata" in formats
    has_document = not {"markdown", "html"}.isdisjoint(formats)
    parts, shortened = Document([], False)
    if has_document:
        parts, shortened = document_of(result.page, result.kept, beside_of(result, beside))
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


def _cutter(parts: Sequence[Part], result: LabeledPage) -> Cuttable:
    markup = result.page.markup
    return Cuttable(tuple(parts), markup.ids if markup else ())
