"""The walk over a page's elements that gathers its text into units, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, dropwhile, groupby, islice, pairwise, repeat
from operator import is_, itemgetter
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.embeds import EMBED_TAGS
from scrapy_boilernet.extractor.html.head import READ_TAGS, Seen
from scrapy_boilernet.extractor.html.hiding import REASONS, revealed, without_stray_spaces
from scrapy_boilernet.extractor.html.images import IMAGE_TAGS
from scrapy_boilernet.extractor.html.paths import (
    MARKED,
    PREFORMATTED,
    TYPED_TAGS,
    Frame,
    PathBuilder,
    common_ancestor,
)
from scrapy_boilernet.extractor.html.preformatted import is_shadow_root, raw_texts
from scrapy_boilernet.extractor.html.raised import MARK_TAGS, Mark, as_plain_text, mark_inside
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.sentences import COUNTS_AS, ENDING_TAGS, stands_in_sentence
from scrapy_boilernet.extractor.html.style_sheets import Rules
from scrapy_boilernet.extractor.markup import EMBED, Markup
from scrapy_boilernet.extractor.options import Units
from scrapy_boilernet.extractor.page import HEADING_TAGS, Block

Piece = tuple[str, Frame]
"""A text of the DOM and the element that it is in."""
Run = list[Piece]


def whole(run: Run) -> Run:
    """Return the run; texts that only a comment or a skipped element separates are joined."""
    frames = [frame for _, frame in run]
    if not any(map(is_, frames, islice(frames, 1, None))):
        return run
    pieces = groupby(run, itemgetter(1))
    return [("".join(text for text, _ in same), frame) for frame, same in pieces]


def without_leading_space(run: Sequence[Piece]) -> Run:
    """Return the run from its first text that has more than white space."""
    return [*dropwhile(lambda piece: piece[0].isspace(), run)]


def joined(run: Run) -> str:
    """Return the run's text, with a space between elements side by side, as margins show it."""
    parts = [run[0][0]]
    for (text_before, before), (text, frame) in pairwise(run):
        solid = frame is not before and len(text_before) > 1 and len(text) > 1
        if solid and is_apart(before, frame):
            parts.append(" ")
        parts.append(text)
    return "".join(parts)


def is_apart(before: Frame, frame: Frame) -> bool:
    """Return whether only markup separates two links, or two siblings outside of code of which
    the second is neither raised nor lowered; code and a variable are one word.
    """
    if before.link and frame.link and before.link != frame.link:
        return True
    if before.tag in TYPED_TAGS and frame.tag in TYPED_TAGS:
        return False
    return frame.parent is before.parent and not frame.code and frame.tag not in MARK_TAGS


INLINE_TAGS = frozenset(
    "a abbr acronym amp-anim amp-img b bdi bdo big cite code d-footnote data del dfn em font i img "
    "ins kbd mark math nobr q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u "
    "var wbr".split()
)
"""Elements that do not end a run of text; every other element does, ``<br>`` too. A formula counts
as ``<math>``, a note in a sentence as ``<d-footnote>``."""
ROW_TAGS = frozenset(("tr", "thead", "tbody", "tfoot", "table"))
"""Elements whose cells are a row. Some pages write no ``<tr>``, mostly in a ``<thead>``."""
SKIPPED_TAGS = frozenset(
    "title script style template iframe object applet svg math canvas audio video map "
    "select datalist textarea noframes noembed amp-img amp-anim".split()
)
SEAMLESS_TAGS: AbstractSet[Any] = INLINE_TAGS | {
    "script", "style", "template", "svg", "math", etree.Comment, etree.PI,
}  # fmt: skip
"""Elements and comments that do not end a sentence: inline elements, and some that are skipped."""
_CHUNK = 500
"""Elements that are read at once, which is faster than one by one."""
_new_tuple = tuple.__new__
_parent_of = etree._Element.getparent
_ITEM_TYPES: Any = etree.XPath("descendant-or-self::*/@itemtype", smart_strings=False)
_END = etree.Comment()
"""Stands after a root's last element, and so closes the open elements."""
SKIPPED_LEAF_TAGS = frozenset(
    "iframe script meta link style input checkbox button noscript".split()
)
"""What the paper's code leaves out. That code leaves out the whole head, too. Of the head only the
title is left out here, since libxml2 puts text into the head of a page that does not open its
body."""
NOTED_TAGS: AbstractSet[Any] = frozenset(READ_TAGS) | {"title"}
"""Elements that are read besides the text."""
RECORDED_TAGS = IMAGE_TAGS | EMBED_TAGS | {"br", "base", "hr"}
"""Elements that the markup needs, whether or not they have text."""

_Elements = Iterator[etree._Element]
_Note = Callable[[etree._Element, Frame | None, int, int], None]


class Walk:
    """One pass over a page's elements that gathers text into units.

    :meth:`_runs` is the inner loop of every extraction. It is in one piece: calls would double its
    time.
    """

    def __init__(
        self,
        units: Units,
        rules: Rules | None = None,
        readings: Mapping[etree._Element, Reading] | None = None,
    ) -> None:
        self.readings = readings or {}
        self.leaves = units == "leaf"
        self.skipped_tags = SKIPPED_LEAF_TAGS | {"title"} if self.leaves else SKIPPED_TAGS
        self.seamless_tags: AbstractSet[Any] = frozenset() if self.leaves else SEAMLESS_TAGS
        self._node = 0
        self._paths = PathBuilder(rules)
        self._note: _Note | None = None
        """Called with each element of ``RECORDED_TAGS`` that has no reading and each that is an
        embed by its reading, the frame around it, the length of the run so far, and the element's
        number."""
        self._pre = 0
        """The number of the outermost ``<pre>`` around the last block that was in one."""
        self._raw_texts: Iterator[str] = iter(())
        """The texts of the next blocks in it."""
        self._marks: dict[int, Mark | None] = {}
        """The innermost mark around the texts of an element, by the element's number."""
        self._first: _Elements = iter(())
        self._first_seen = Seen()

    def blocks(
        self, roots: Sequence[etree._Element], most: int, xpaths: bool = True
    ) -> tuple[Sequence[Block], bool]:
        """Return the page's first ``most`` units in document order, and whether there are more.

        Without ``xpaths`` the XPath of each unit is "".
        """
        blocks = list(islice(self._blocks(roots), most + 1))
        if not xpaths:
            blocks = [block._replace(xpath="") for block in blocks]
        return tuple(blocks[:most]), len(blocks) > most

    def markup(self, most: int) -> Markup | None:  # noqa: ARG002
        """Return None: this walk gathers no markup."""
        return None

    def _blocks(self, roots: Sequence[etree._Element]) -> Iterator[Block]:
        self._first = roots[0].iter()
        self._first_seen.item_types.extend(_ITEM_TYPES(roots[0]))
        for number, root in enumerate(roots, 1):
            first = number == 1
            elements, seen = (self._first, self._first_seen) if first else (root.iter(), Seen())
            self._paths.root_step = f"/*[{number}]" if len(roots) > 1 else f"/{root.tag}"
            for run in self._runs(elements, seen):
                if len(run) > 1 and not self.leaves:
                    for part in self._parts(run):
                        yield self._block(self._in_plain_text(part))
                elif run[0][1].flags & MARKED and not self.leaves:
                    yield self._block(self._in_plain_text(run))
                else:
                    yield self._block(run)

    def seen(self) -> Seen:
        """Return what is in the whole first root, even if the walk stopped at a block in it."""
        for _ in _read(self._first, self._first_seen):
            pass  # not kept: there may be a million elements
        return self._first_seen

    def _runs(self, elements: _Elements, seen: Seen) -> Iterator[Run]:  # noqa: C901
        """Yield the runs of one root's text; add its tags and noted elements to ``seen``."""
        run, inside = Run(), set[etree._Element]()  # inside: a skipped element and what it holds
        frame: Frame | None = None
        seamless, skipped, node = self.seamless_tags, self.skipped_tags, self._node
        chunks = _read(chain(elements, (_END,)), seen, self.readings)
        for element, tag, parent, reading in chain.from_iterable(chunks):
            if inside and parent in inside:
                inside.add(element)
                node += isinstance(tag, str)
                continue
            while frame is not None and frame.element is not parent:
                if run and frame.tag not in seamless:
                    yield run
                    run = []
                text, frame = frame.element.tail, frame.parent
                if text and frame is not None and (run or not text.isspace()):
                    run.append((text, frame))
            counts_as = tag if tag in seamless and not reading else self._tag(element, frame, run)
            if run and counts_as not in seamless:
                yield run
                run = []
            text = element.tail
            if isinstance(tag, str):  # the tag of a comment is a function
                node, counts = node + 1, frame.counts if frame else {}
                if self._note and (reading.marks & EMBED if reading else tag in RECORDED_TAGS):
                    self._note(element, frame, len(run), node)
                counts[tag] = step = counts.get(tag, 0) + 1
                is_skipped = (tag in skipped or reading) and self._is_skipped(element, tag, frame)
                own = (reading and reading.text) if is_skipped else element.text
                if (own and (run or not own.isspace())) or len(element):
                    if not (tag.isalnum() and tag.isascii()):
                        step = self._paths.step(tag, counts)
                    frame = Frame(element, counts_as, frame, node, step)
                    text, inside = own, {element} if is_skipped else inside
                    yield from [[(reading.lead, frame)]] if reading and reading.lead else ()
            if text and frame is not None and (run or not text.isspace()):
                run.append((text, frame))
        if run:
            yield run
        self._node = node

    def _tag(self, element: etree._Element, around: Frame | None, run: Run) -> Any:
        """Return the tag that an element counts as that has a reading or is not inline."""
        if element in self.readings:
            return self.readings[element].tag
        tag: Any = element.tag
        if self.leaves or tag in ENDING_TAGS:
            return tag
        known = self.seamless_tags, self.skipped_tags, self.readings
        return COUNTS_AS if stands_in_sentence(element, around, bool(run), *known) else tag

    def _is_skipped(self, element: etree._Element, tag: str, parent: Frame | None) -> bool:
        """Return whether the text of an element of the skipped tags, or of a title, is left out.

        A title that is not in the head is a leaf like others.
        """
        if element in self.readings:
            return self.readings[element].text is not None
        if tag == "title" and self.leaves:
            return parent is not None and parent.tag == "head"
        return not is_shadow_root(element, tag)

    def _parts(self, run: Run) -> Iterator[Run]:
        """Yield what is shown of a run, and then each text that is hidden in it, and each note; the
        whole run if all or nothing of it is apart.
        """
        self._reveal(run)
        shown = self._shown(run)
        texts = (piece[0] for piece in shown if piece is not None)
        if shown == run or all(map(str.isspace, texts)):
            yield run
            return
        yield without_leading_space([piece for piece in shown if piece is not None])
        for hidden, pieces in groupby(run, lambda piece: self._paths.apart(piece[1])):
            if hidden and (own := without_leading_space([*pieces])):
                yield own

    def _reveal(self, run: Run) -> None:
        """Show what is hidden of a run and shown after all, as texts of the elements around it."""
        reasons = [self._paths.hidden_by(frame) for _, frame in run]
        places = revealed([text for text, _ in run], reasons, lambda: self._is_in_heading(run))
        wanted = {reasons[i] for i in places}
        for i in places:
            text, frame = run[i]
            outside: Frame | None = frame
            while outside is not None and self._paths.hidden_by(outside) in wanted:
                outside = outside.parent
            run[i] = (text, outside or frame)

    def _is_in_heading(self, run: Run) -> bool:
        """Return whether a run begins in a heading that is shown."""
        return self._is_in_shown_heading(next(frame for text, frame in run if not text.isspace()))

    def _is_in_shown_heading(self, frame: Frame) -> bool:
        above: Frame | None = frame
        while above is not None and above.tag in INLINE_TAGS:
            above = above.parent
        return above is not None and above.tag in HEADING_TAGS and not above.hidden

    def _shown(self, run: Run) -> list[Piece | None]:
        """Return per piece what is shown of it: all, None, or a space at either end of a hidden
        text, which keeps the words around it apart, unless a sign that ends a word follows.
        """
        shown: list[Piece | None] = []
        for frame, same in groupby(run, itemgetter(1)):
            pieces = [*same]
            if self._paths.apart(frame):
                apart = pieces[0][0][0].isspace() or pieces[-1][0][-1].isspace()
                shown += [(" ", frame) if apart else None, *[None] * (len(pieces) - 1)]
            else:
                shown += pieces
        return without_stray_spaces(shown, self._paths.apart)

    def _in_plain_text(self, run: Run) -> Run:
        """Return the run with its superscripts, subscripts, ruby and quotations as plain text."""
        if not any(frame.flags & MARKED for _, frame in run):
            return run
        texts = as_plain_text([(text, self._mark(frame), frame.link) for text, frame in run])
        return [(text, frame) for text, (_, frame) in zip(texts, run, strict=True)]

    def _mark(self, frame: Frame) -> Mark | None:
        """Return the innermost mark around the texts of an element; None outside of all marks, and
        in an element that is not inline.
        """
        unknown: list[Frame] = []
        mark: Mark | None = None
        above: Frame | None = frame
        while above is not None and above.flags & MARKED:
            if above.node in self._marks:
                mark = self._marks[above.node]
                break
            unknown.append(above)
            above = above.parent
        for inner in reversed(unknown):
            if inner.tag in MARK_TAGS:
                mark = mark_inside(mark, inner.tag, self._paths.locate(inner).path[1][-1])
            elif inner.tag not in INLINE_TAGS:
                mark = None
            self._marks[inner.node] = mark
        return mark

    def _block(self, run: Run) -> Block:
        """Return the block of a run, whose first text has more than white space."""
        if len(run) > 1:
            run = whole(run)
        if len(run) == 1:
            text, container = run[0]
            text, hidden = " ".join(text.split()), 0
            link_chars = len(text) if container.link else 0
        else:
            text, container, link_chars, hidden = self._merged(run)
        frame = self._paths.locate(container)
        tags, class_words = frame.path
        values = (
            text, tags, class_words, frame.nodes, frame.xpath, link_chars,
            REASONS[frame.hidden or hidden], frame.noscript,
            self._preformatted(frame, text) if frame.flags & PREFORMATTED else "",
        )  # fmt: skip
        return _new_tuple(Block, values)  # what Block's own __new__ does

    def _preformatted(self, frame: Frame, text: str) -> str:
        """Return the lines of a block in ``<pre>``; "" if they do not match the block's text."""
        if self.leaves:
            return ""
        pre, above = frame, frame.parent
        while above is not None and above.flags & PREFORMATTED:
            pre, above = above, above.parent
        shown = not pre.hidden
        if shown and frame.hidden:
            return ""
        if pre.node != self._pre:
            self._pre = pre.node
            hides = self._left_out if shown else None
            self._raw_texts = iter(
                raw_texts(pre.element, self.seamless_tags, self.skipped_tags, hides)
            )
        raw = next(self._raw_texts, "")
        return raw if "".join(raw.split()) == text.replace(" ", "") else ""

    def _left_out(self, element: etree._Element) -> bool:
        """Return whether the page hides the element, or nothing is read of it."""
        if element in self.readings and self.readings[element].text == "":
            return True
        return self._paths.hides_itself(element)

    def _merged(self, run: Run) -> tuple[str, Frame, int, int]:
        """Return the text of several pieces, their common frame, the characters in links, and why
        the first piece is hidden if all are.
        """
        solid = [piece for piece in run if not piece[0].isspace()]
        frames = [frame for _, frame in solid]
        text = " ".join(joined(run).split())
        if len(frames) == 1:
            return text, frames[0], len(text) if frames[0].link else 0, 0
        links = (piece for piece, frame in solid if frame.link)
        link_chars = min(sum(len(" ".join(piece.split())) for piece in links), len(text))
        reasons = [self._paths.hidden_by(frame) for frame in frames]
        return text, common_ancestor(frames), link_chars, reasons[0] if all(reasons) else 0


_Read = tuple[etree._Element, Any, etree._Element | None, Reading | None]


def _read(
    elements: _Elements, seen: Seen, readings: Mapping[etree._Element, Reading] | None = None
) -> Iterator[Iterator[_Read]]:
    """Yield elements with tags, parents and readings, in chunks; add tags and noted elements to
    ``seen``.
    """
    while chunk := list(islice(elements, _CHUNK)):
        tags: list[Any] = [element.tag for element in chunk]
        seen.tags.update(tags)
        seen.noted.extend(e for e, tag in zip(chunk, tags, strict=True) if tag in NOTED_TAGS)
        read = map(readings.get, chunk) if readings else repeat(None, len(chunk))
        yield zip(chunk, tags, map(_parent_of, chunk), read, strict=True)
