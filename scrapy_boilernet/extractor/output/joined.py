"""Joins the pages of an article or thread to one document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Any
from urllib.parse import urldefrag

from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.labeled import (
    MAX_TOKENS,
    NO_MARKDOWN,
    Chunk,
    LabeledPage,
    ReadyChunks,
)
from scrapy_boilernet.extractor.metadata import Metadata
from scrapy_boilernet.extractor.options import BOILERPLATE, LABEL_KEYS, Source
from scrapy_boilernet.extractor.output.chunks import Cuttable
from scrapy_boilernet.extractor.output.fingerprint import fingerprint
from scrapy_boilernet.extractor.output.html import to_html
from scrapy_boilernet.extractor.output.markdown import to_markdown
from scrapy_boilernet.extractor.output.note_labels import labels_of, with_labels
from scrapy_boilernet.extractor.output.page_kind import page_kind
from scrapy_boilernet.extractor.output.parts import Part
from scrapy_boilernet.extractor.output.repeats import Repeats, without
from scrapy_boilernet.extractor.page import Block, HiddenText, Page
from scrapy_boilernet.extractor.posts import Post

_APART, _LISTS_APART = "\n\n", "\n\n<!-- -->\n\n"
"""What stands between the Markdown of two pages; the second keeps two ordered lists apart."""


@dataclass(frozen=True)
class JoinedPages:
    """The pages of an article or thread as one document, made by :func:`join_pages`."""

    pages: tuple[LabeledPage, ...]
    """The pages in order, each once. What a page repeats of those before is ``"boilerplate"`` in
    its labels, and not in its text, Markdown and HTML."""
    missing: tuple[str, ...] = ()
    """The URLs of pages between these that pages name as the next or previous one, and that are not
    among them. Empty if metadata were not asked for."""
    markdown: str | None = None
    """The Markdown of all pages; None unless all were asked for it."""
    html: str | None = None
    """The HTML of all pages; None unless all were asked for it."""
    metadata: Metadata | None = None
    """Those of the first page, with the latest ``date_modified``, the last page's ``next_page``,
    all opt-outs, and the fingerprint and the words of the whole text; None unless all pages were
    asked for them."""
    posts: tuple[Post, ...] | None = None
    """The posts of all pages with their numbers in the thread; None unless all pages were asked for
    them."""
    _separators: tuple[str, ...] = field(default=(), repr=False)
    """What stands in the Markdown before each page."""

    @property
    def page(self) -> Page:
        """The first page, with its URL and its title."""
        return self.pages[0].page

    @cached_property
    def text(self) -> str:
        """The main text: the lines of all pages."""
        return "\n".join(filter(None, (one.text for one in self.pages)))

    @property
    def confidence(self) -> float:
        """The mean confidence of the pages, weighted by the characters of their texts."""
        sizes = [len(one.text) for one in self.pages]
        weighted = (one.confidence * n for one, n in zip(self.pages, sizes, strict=True))
        return sum(weighted) / sum(sizes) if any(sizes) else 0.0

    @property
    def model(self) -> str:
        """The names of the models that labeled the pages, usually one."""
        return ", ".join(dict.fromkeys(one.model for one in self.pages))

    @property
    def source(self) -> Source:
        """What found the content of the first page that has some; else ``"nothing"``."""
        found = (one.source for one in self.pages if one.source != "nothing")
        return next(found, "nothing")

    @property
    def shortened(self) -> bool:
        """Whether one of the pages is shortened."""
        return any(one.shortened for one in self.pages)

    @property
    def content(self) -> tuple[Block, ...]:
        """The blocks labeled content, page after page."""
        return tuple(chain.from_iterable(one.content for one in self.pages))

    @property
    def hidden(self) -> tuple[HiddenText, ...]:
        """The texts that the pages hide and that are not content."""
        return tuple(chain.from_iterable(one.hidden for one in self.pages))

    def block_labels(self, keys: Sequence[str] = LABEL_KEYS) -> list[dict[str, Any]]:
        """Return the rows of :meth:`LabeledPage.block_labels` of all pages, each with the number of
        its page, from 1, as ``page``.
        """
        numbered = enumerate(self.pages, 1)
        return [{**row, "page": n} for n, one in numbered for row in one.block_labels(keys)]

    def chunks(
        self,
        max_tokens: int = MAX_TOKENS,
        overlap: int = 0,
        count: Callable[[str], int] | None = None,
    ) -> tuple[Chunk, ...]:
        """Return the Markdown in chunks, as :meth:`LabeledPage.chunks` does, and raise as it does.

        A chunk lies within a page: its XPaths and its URLs are those of that page. Its offsets are
        those in the joined Markdown and text. The headline of the first page is the outermost
        heading of the chunks of later ones.
        """
        if self.markdown is None:
            raise ValueError(NO_MARKDOWN)
        found: list[Chunk] = []
        begin = text_begin = 0
        title = self._title
        for page, separator in zip(self.pages, self._separators, strict=True):
            begin += len(separator)
            for chunk in page.chunks(max_tokens, overlap, count):
                is_later = page is not self.pages[0] and title
                found.append(
                    chunk._replace(
                        headings=(title, *chunk.headings) if is_later else chunk.headings,
                        start=chunk.start + begin,
                        end=chunk.end + begin,
                        text_start=chunk.text_start + text_begin,
                        text_end=chunk.text_end + text_begin,
                    )
                )
            begin += len(page.markdown or "")
            text_begin += len(page.text) + 1 if page.text else 0
        return tuple(found)

    def chunk_rows(self, max_tokens: int) -> list[dict[str, Any]]:
        """Return the chunks of at most so many tokens as plain JSON."""
        return [chunk.as_dict() for chunk in self.chunks(max_tokens)]

    @property
    def _title(self) -> str:
        """The headline of the first page, if its Markdown begins with it."""
        parts = _parts(self.pages[0])
        if not parts or parts[0].level != 1:
            return ""
        text = "".join(span.text for line in parts[0].lines for span in line)
        return " ".join(text.split())


def join_pages(pages: Sequence[LabeledPage]) -> JoinedPages:
    """Return the pages of an article or thread as one document.

    :param pages: results of :func:`extract` in the order of the document, all with the same
        formats. Their ``metadata`` name the next and the previous page.

    Headlines, intros, captions and other texts that a page repeats of those before it are left out.
    A page with the URL or the text of one before is left out. Labels of footnotes are changed where
    two pages have the same. The headline of a later page, if it is another one, is a heading of
    level 2.

    :raises ValueError: there is no page, their formats differ, or a page came from another process,
        which does not send what its Markdown or HTML is made of.
    :raises TypeError: one of them is not a ``LabeledPage``.
    """
    own = [*_different(_checked(pages))]
    repeats = Repeats(is_thread=_is_thread(own[0]))
    used: set[str] = set()
    joined: list[LabeledPage] = []
    for page in own:
        parts = [*_parts(page)]
        dropped = repeats.of(page, parts) if joined else frozenset()
        pictures = repeats.pictures_of(parts) if joined else frozenset()
        repeats.add(page, parts)
        new = [*without(parts, dropped, pictures)]
        if joined:
            new = [_demoted(part, page) for part in new]
        new = with_labels(new, used)
        used |= labels_of(new)
        joined.append(_changed(page, new, dropped))
    markdown, separators = _markdown(joined)
    htmls = [one.html for one in joined if one.html]
    result = JoinedPages(
        tuple(joined), _missing(own), markdown,
        None if joined[0].html is None else "\n".join(htmls), posts=_posts(joined),
        _separators=separators,
    )  # fmt: skip
    return replace(result, metadata=_metadata(joined, result.text))


def _posts(pages: Sequence[LabeledPage]) -> tuple[Post, ...] | None:
    """Return the posts of all pages, numbered on; an answer to an id stays one."""
    found: list[Post] = []
    for page in pages:
        if page.posts is None:
            return None
        before = len(found)
        for post in page.posts:
            answers = None if post.answers is None else post.answers + before
            found.append(post._replace(number=post.number + before, answers=answers))
    return tuple(found)


def _checked(pages: Sequence[LabeledPage]) -> Sequence[LabeledPage]:
    """Return the pages; raises as :func:`join_pages` does."""
    if not pages:
        raise ValueError("join_pages needs at least one page: give the results of extract")
    for number, page in enumerate(pages, 1):
        if not isinstance(page, LabeledPage):
            raise TypeError(f"page {number} is {type(page).__name__}: give results of extract")
    formats = [_formats(page) for page in pages]
    other = next((n for n, each in enumerate(formats) if each != formats[0]), 0)
    if other:
        raise ValueError(
            f"page {other + 1} ({pages[other].page.url}) has {_named(formats[other])}, but page 1 "
            f"has {_named(formats[0])}: ask for the same formats of all pages"
        )
    for page in pages:
        has_markup = page.markdown is not None or page.html is not None
        if has_markup and _cutter(page) is None:
            raise ValueError(
                f"{page.page.url} came from another process, without what its Markdown is made of: "
                "use BOILERNET_MODE = 'thread'"
            )
    return pages


def _formats(page: LabeledPage) -> tuple[str, ...]:
    names = ("markdown", "html", "metadata")
    return tuple(name for name in names if getattr(page, name) is not None)


def _named(formats: Sequence[str]) -> str:
    return " and ".join(formats) or "no format"


def _different(pages: Sequence[LabeledPage]) -> Iterator[LabeledPage]:
    """Yield the pages without those with the URL, or with the text, of one before."""
    urls: set[str] = set()
    texts: set[str] = set()
    for page in pages:
        url = _plain(page.page.url)
        if (url and url in urls) or (page.text and page.text in texts):
            continue
        urls.add(url)
        texts.add(page.text)
        yield page


def _plain(url: str | None) -> str:
    return urldefrag(url or "")[0]


def _is_thread(page: LabeledPage) -> bool:
    kind = page.metadata.page_kind if page.metadata else None
    return (kind or (page_kind(page.page) if page.page.blocks else None)) == "forum"


def _missing(pages: Sequence[LabeledPage]) -> tuple[str, ...]:
    """Return the pages that two successive ones name between them."""
    found: dict[str, None] = {}
    known = {_plain(page.page.url) for page in pages}
    for one, other in pairwise(pages):
        if one.metadata is None or other.metadata is None:
            continue
        after, before = one.metadata.next_page, other.metadata.previous_page
        if after == other.page.url or before == one.page.url:
            continue
        found.update(dict.fromkeys(url for url in (after, before) if url and url not in known))
    return tuple(found)


def _cutter(page: LabeledPage) -> Cuttable | None:
    cutter = page.cutter.cutter if isinstance(page.cutter, ReadyChunks) else page.cutter
    return cutter if isinstance(cutter, Cuttable) else None


def _parts(page: LabeledPage) -> Sequence[Part]:
    cutter = _cutter(page)
    return cutter.parts if cutter else ()


def _demoted(part: Part, page: LabeledPage) -> Part:
    """Return a headline as a heading of level 2."""
    blocks = {i for line in part.blocks for i in line}
    is_headline = part.level == 1 and any(page.kinds[i] == "title" for i in blocks)
    return part._replace(level=2) if is_headline else part


def _changed(page: LabeledPage, parts: Sequence[Part], dropped: frozenset[int]) -> LabeledPage:
    """Return the page with these parts, and without these blocks in its text."""
    cutter = _cutter(page)
    columns = enumerate(zip(page.labels, page.kinds, strict=True))
    changed = [
        (BOILERPLATE, "boilerplate" if kind == "main" else kind) if i in dropped else (label, kind)
        for i, (label, kind) in columns
    ]
    changes = {
        "labels": tuple(label for label, _ in changed),
        "kinds": tuple(kind for _, kind in changed),
        "markdown": None if page.markdown is None else to_markdown(parts),
        "html": None if page.html is None else to_html(parts),
        "cutter": cutter and cutter._replace(parts=tuple(parts)),
    }
    own = {one.name: getattr(page, one.name) for one in fields(LabeledPage)}
    return LabeledPage(**{**own, **changes})  # in a crawl, the page is of a subclass


def _markdown(pages: Sequence[LabeledPage]) -> tuple[str | None, tuple[str, ...]]:
    """Return the joined Markdown, and what stands before each page in it."""
    if pages[0].markdown is None:
        return None, ("",) * len(pages)
    separators: list[str] = []
    before: Part | None = None
    for page in pages:
        parts = _parts(page) if page.markdown else ()
        separators.append(_separator(before, parts[0]) if before and parts else "")
        before = parts[-1] if parts else before
    texts = (one.markdown or "" for one in pages)
    return "".join(chain.from_iterable(zip(separators, texts, strict=True))), tuple(separators)


def _separator(before: Part, after: Part) -> str:
    """Return what stands between two parts of different pages.

    An ordered list that does not go on where the one before ended needs more than a blank line.
    """
    if not before.within or not after.within:
        return _APART
    number, following = before.within[0].number, after.within[0].number
    is_other = number is not None and following is not None and following != number + 1
    return _LISTS_APART if is_other else _APART


def _metadata(pages: Sequence[LabeledPage], text: str) -> Metadata | None:
    every = [one.metadata for one in pages if one.metadata is not None]
    if len(every) < len(pages):
        return None
    first, last, own = every[0], every[-1], {_plain(one.page.url) for one in pages}
    changed = max(every, key=lambda one: one.date_modified or "")
    words = token_hashes(text)
    sources = {**first.sources}
    for name, one in (("date_modified", changed), ("next_page", last)):
        sources.pop(name, None)
        if name in one.sources:
            sources[name] = one.sources[name]
    is_end = last.next_page in own
    if is_end:
        sources.pop("next_page", None)
    return replace(
        first,
        date_modified=changed.date_modified,
        date_modified_raw=changed.date_modified_raw,
        training_opt_out=tuple(
            dict.fromkeys(chain.from_iterable(m.training_opt_out for m in every))
        ),
        next_page=None if is_end else last.next_page,
        word_count=len(words),
        fingerprint=fingerprint(words),
        sources=sources,
    )
