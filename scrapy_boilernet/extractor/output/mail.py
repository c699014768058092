"""Finds the message on a page of a mailing list's archive, as Pipermail and MHonArc write it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.post_places import Place
from scrapy_boilernet.extractor.output.writers import date_of
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import Thread, ThreadMark

_FROM = re.compile(
    r"(?:from|von|de|da|van|od|от|från|fra|寄件者|发件人|差出人)\s?[:：]\s?(?P<name>.{1,100})",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:date|datum|fecha|data|dato|дата|日期|日時|sent|gesendet)\s?[:：]\s?", re.IGNORECASE
)
_ADDRESS = re.compile(
    r"\s*[<(\[]?\s*[\w.+-]+\s?(?:@|\(?at\)?\s|\bat\b)\s?[\w.-]+\s?[>)\]]?.*\Z", re.IGNORECASE
)
_ABOVE, _MOST = 12, 0.5
"""Blocks above the text among which the head is, and the least share of the content in it."""


def message_of(result: LabeledPage, thread: Thread) -> Place | None:
    """Return the place of the message; None if the page is none of an archive.

    Its text is in ``<pre>``. Right above are its author and its date, in lines that begin with
    "From:" and "Date:", or as an address and a line with a date.
    """
    page = result.page
    if "pre" not in page.names[0]:
        return None
    blocks, words = page.blocks_without_xpaths, page.words
    kept = [i for i, keep in enumerate(result.kept) if keep]
    text = [i for i in kept if blocks[i].preformatted]
    everything = sum(words[i] for i in kept)
    if not text or sum(words[i] for i in text) < _MOST * everything:
        return None
    head = _head(blocks, range(max(0, text[0] - _ABOVE), text[0]), thread)
    if not head:
        return None
    node = blocks[text[0]].nodes[blocks[text[0]].tags.index("pre")]
    own = [i for i in range(text[0], text[-1] + 1) if node in blocks[i].nodes]
    return Place(0, blocks=own, marks=head, sure=True)


def _head(blocks: Sequence[Block], near: range, thread: Thread) -> list[ThreadMark]:
    """Return a mark of the author and one of the date; [] if one of them is missing."""
    author, date = "", ""
    mailed = {mark.block: mark.text for mark in thread.marks if mark.tag == "a" and _is_mail(mark)}
    for i in near:
        plain = blocks[i].text
        if match := _FROM.match(plain):
            author = _ADDRESS.sub("", match["name"])
        elif i in mailed and not author and plain.endswith(mailed[i]):
            author = plain.removesuffix(mailed[i]).strip()
        found = date_of(_DATE.sub("", plain, count=1), thread.language)
        date = date or found if author else ""
    mark = ThreadMark(0, "", "", "", "", "", "", "", "", near.start)
    if not author or not date:
        return []
    return [mark._replace(names="author", text=author), mark._replace(tag="time", date=date)]


def _is_mail(mark: ThreadMark) -> bool:
    """Return whether the mark is a link to write to an author."""
    return bool(mark.text) and "@profile" in mark.names and bool(_ADDRESS.fullmatch(mark.text))
