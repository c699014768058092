# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The compiled form of :mod:`scrapy_boilernet.extractor.html.markup`: a walk for blocks and their markup."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.string cimport strcmp
from lxml.includes cimport etreepublic as lxml_c
from lxml.includes.tree cimport XML_ELEMENT_NODE, xmlAttr, xmlNode

from scrapy_boilernet.extractor.html.compiled_paths cimport (
    INLINE,
    LINK,
    UNKNOWN,
    Bytes,
    Frame,
    attribute_value,
    grown,
    space_bytes,
)
from scrapy_boilernet.extractor.html.compiled_walk cimport CompiledWalk, Piece

from scrapy_boilernet.extractor.html.code import language_of
from scrapy_boilernet.extractor.html.embeds import script_address
from scrapy_boilernet.extractor.html.emphasis import STYLED_TAGS, TAG_MARKS, marks_inside
from scrapy_boilernet.extractor.html.images import IMAGE_TAGS, PICTURE_TAGS, image_of
from scrapy_boilernet.extractor.html.markup import (
    STRUCTURE,
    is_whole_source,
    item_numbers,
    shown_by,
    table_cell,
)
from scrapy_boilernet.extractor.html.raised import as_plain_text
from scrapy_boilernet.extractor.html.paths import MAX_ANCESTORS
from scrapy_boilernet.extractor.html.walk import ROW_TAGS
from scrapy_boilernet.extractor.markup import EMBED, Markup, Picture, Rule, Span

lxml_c.import_lxml__etree()

cdef object _new_tuple = tuple.__new__


cdef class CompiledMarkupWalk(CompiledWalk):
    """The walk over a page in block units that also gathers its markup."""

    cdef list _spans, _breaks, _images, _pictures, _numbers, _rows, _cells, _languages, _notes
    cdef list _rules, _roles
    cdef set _seen
    cdef dict _cell_index, _structured, _item_numbers
    # Pairs of a link's address and marks; the first is the style of plain text.
    cdef list _styles
    cdef dict _style_numbers
    cdef str _base
    # The run with superscripts and subscripts that are only marked, or None.
    cdef tuple _marked
    # The span that is being written.
    cdef list _written
    cdef Py_ssize_t _begin, _end
    cdef int _style

    def __init__(self, rules=None, readings=None):
        CompiledWalk.__init__(self, "block", rules, readings)
        self.ids = []
        self._spans, self._breaks, self._images, self._pictures = [], [0], [], []
        self._numbers, self._rows, self._cells, self._languages = [], [], [], []
        self._seen, self._cell_index, self._structured, self._notes = set(), {}, {}, []
        self._rules, self._roles, self._item_numbers = [], [], {}
        self._styles, self._style_numbers = [("", 0)], {("", 0): 0}
        self._base = ""

    def markup(self, most):
        """Return the markup of the first ``most`` blocks, once the walk is done."""
        made = Markup(
            spans=tuple(self._spans[:most]),
            breaks=tuple(self._breaks[: min(most, len(self._spans))]),
            pictures=tuple(picture for picture in self._pictures if picture.before <= most),
            numbers=tuple(self._numbers),
            rows=tuple(self._rows),
            cells=tuple(self._cells),
            languages=tuple(self._languages),
            notes=tuple(self._notes),
            rules=tuple(rule for rule in self._rules if rule.before <= most),
            roles=tuple(self._roles),
            base=self._base,
            ids=tuple(sorted(self.ids)),
        )
        # The walk stays alive with the blocks, which are needed longer than the markup.
        self._spans, self._breaks, self._pictures, self._numbers = [], [0], [], []
        self._rows, self._cells, self._languages = [], [], []
        self._seen, self._cell_index, self._structured = set(), {}, {}
        self._rules, self._roles, self._item_numbers = [], [], {}
        self._styles, self._style_numbers, self.ids = [], {}, None
        return made

    cdef int keep_marked(self, list parts, list counts, list moved) except -1:
        self._marked = (as_plain_text(parts, False), counts, moved)
        return 0

    cdef int ended(self, str text, int path) except -1:
        cdef int frame = self.pieces[0].frame
        if self._marked is not None:
            self._place(self._marked[0], self._marked[1], self._marked[2])
            self._marked = None
        cdef int style
        spans = ()
        if self._images or (self.piece_count > 1 and not self._are_alike()):
            spans = self._collapsed()
            self._images = []
        else:
            style = self._style_of(frame)
            if style:
                spans = (self._span(text, style),)
        self._spans.append(spans)
        self._breaks.append(0)
        structured = self._structured.get(path)
        if structured is None:
            tags = self.path_of(path)[0]
            structured = not STRUCTURE.isdisjoint(tags) or len(tags) >= MAX_ANCESTORS
            self._structured[path] = structured
        if structured or self.readings is not None:
            self._look_at(frame)
        return 0

    cdef int note(self, xmlNode *node, int tag, int frame) except -1:
        """Record an image, an embed, a line break, a thematic break or the page's base."""
        name = self.tag_names[tag]
        if name == "br":
            self._breaks[len(self._breaks) - 1] += 1
        elif name == "hr":
            if frame < 0 or self.hidden_by(frame):
                return 0
            if self.hides_itself(lxml_c.elementFactory(self.document, node)):
                return 0
            self.locate(frame)
            self._look_at(frame)
            tags = self.path_of(self.frames[frame].path)[0]
            self._rules.append(Rule(len(self._spans), tags, self.nodes_of(frame)))
        elif name == "base":
            self._base = self._base or _attribute(node, b"href").strip()
        elif frame >= 0:
            span = self._shown_by(node, name, frame)
            if span is None:
                return 0
            if self.piece_count:
                self._images.append((self.text_end, span, frame))
                return 0
            self.locate(frame)
            self._look_at(frame)
            tags = self.path_of(self.frames[frame].path)[0]
            number = self.node_number if name == "blockquote" else 0
            self._pictures.append(_new_tuple(Picture, (
                len(self._spans), tags, self.nodes_of(frame), span, self.hidden_by(frame) != 0,
                number,
            )))
        return 0

    cdef object _shown_by(self, xmlNode *node, str name, int frame):
        """Return what ``shown_by`` returns, an image with its link.

        Scripts and most images are read without an element of lxml, which takes longer to make.
        """
        cdef bint in_text = self.piece_count > 0
        if name == "script":
            address = script_address(
                _attribute(node, b"src"), _attribute(node, b"data-telegram-post")
            )
            return _new_tuple(Span, ("", address, EMBED, "", "")) if address else None
        if name in IMAGE_TAGS and self.tag_names[self.frames[frame].name] not in PICTURE_TAGS:
            image = image_of(_attributes(node), in_text)
            if image is None:
                return None
            src, alt = image
        else:
            span = shown_by(lxml_c.elementFactory(self.document, node), in_text)
            if span is None or not span.src:
                return span
            src, alt = span.src, span.alt
        return _new_tuple(Span, ("", self._styles[self._style_of(frame)][0], 0, src, alt))

    cdef int show_images(self, list moves) except -1:
        """Forget the images in hidden parts of the run; the others keep their places among the
        shown texts.
        """
        cdef Py_ssize_t i = 0
        cdef list images = []
        for place, span, frame in self._images:
            while i + 1 < len(moves) and moves[i][1] < place:
                i += 1
            begin, end, now = moves[i]
            if not self.hidden_by(frame):
                images.append((now + max(0, min(place, end) - begin), span, frame))
        self._images = images
        return 0

    cdef list image_places(self):
        return [place for place, _, _ in self._images]

    cdef int place_images(self, list places) except -1:
        self._images = [
            (place, span, frame)
            for place, (_, span, frame) in zip(places, self._images, strict=True)
        ]
        return 0

    cdef object _span(self, str text, int style):
        href, marks = self._styles[style]
        return _new_tuple(Span, (text, href, marks, "", ""))

    cdef bint _are_alike(self) except -1:
        """Return whether all texts except white space have the same link and marks."""
        cdef int first = self.pieces[0].frame, frame
        cdef int style = self._style_of(first)
        cdef Py_ssize_t i
        for i in range(1, self.piece_count):
            frame = self.pieces[i].frame
            if frame == first or self._is_blank(&self.pieces[i]):
                continue
            if self.frames[frame].link != self.frames[first].link:
                return False
            if self._style_of(frame) != style:
                return False
        return True

    cdef int _style_of(self, int number) except -1:
        """Return the number of the style of an element's texts: the link around them, and the marks
        of the inline elements around them, up to the first that is not inline.
        """
        cdef Frame *frame = &self.frames[number]
        cdef int above = number, flags
        cdef list unknown = []
        if frame.style != UNKNOWN:
            return frame.style
        while above >= 0 and self.frames[above].style == UNKNOWN:
            frame = &self.frames[above]
            if not frame.link and not self.tag_flags[frame.tag] & INLINE:
                frame.style = 0
                break
            unknown.append(above)
            above = frame.parent
        href, marks = self._styles[self.frames[above].style] if above >= 0 else ("", 0)
        for above in reversed(unknown):
            frame = &self.frames[above]
            flags = self.tag_flags[frame.tag]
            if flags & LINK:
                href = _attribute(frame.element, b"href")
            outside = marks
            name = self.tag_names[frame.tag]
            if not flags & INLINE:
                marks = 0
            elif name in STYLED_TAGS:
                marks = marks_inside(marks, name, _attribute(frame.element, b"style"))
            else:
                marks |= TAG_MARKS.get(name, 0)
            if name == "cite":
                cite = lxml_c.elementFactory(self.document, frame.element)
                if is_whole_source(cite.get("class"), cite):
                    marks = outside
            if self.readings is not None:
                reading = self.readings.get(<uintptr_t>frame.element)
                if reading is not None:
                    href, marks = reading.href or href, reading.marks or marks
            style = (href, marks)
            known = self._style_numbers.get(style)
            if known is None:
                known = self._style_numbers[style] = len(self._styles)
                self._styles.append(style)
            frame.style = known
        return self.frames[number].style

    cdef tuple _collapsed(self):
        """Return the spans of the run, with white space collapsed over all of them.

        A space stays in the piece that it is in. Adjacent texts of one style become one span.
        """
        cdef Py_ssize_t i, place, end
        cdef Piece *piece
        cdef Piece *before = NULL
        cdef Py_ssize_t number = 0, images = len(self._images)
        cdef int gap = UNKNOWN
        cdef bint begun = False, trails = False
        if self._line_room < 2 * (self.text_end + self.piece_count) + 64:
            self._line_room = 2 * (self.text_end + self.piece_count) + 1024
            self.line = <unsigned char *>grown(self.line, self._line_room)
        self._written, self._begin, self._end, self._style = [], 0, 0, 0
        for i in range(self.piece_count):
            piece = &self.pieces[i]
            if before is not NULL and self.is_apart(before.frame, piece.frame):
                if gap < 0 and self.is_long(before) and self.is_long(piece):
                    gap = piece.frame
            place = piece.start
            while True:
                while number < images and self._images[number][0] <= place:
                    self._space(trails, gap, begun)
                    self._flush(self._style, True)
                    self._written.append(self._images[number][1])
                    begun, trails, gap = True, False, UNKNOWN
                    number += 1
                if place >= piece.end:
                    break
                end = piece.end
                if number < images and self._images[number][0] < end:
                    end = self._images[number][0]
                self._write(place, end, piece.frame, &begun, &trails, &gap)
                place = end
                if place >= piece.end:
                    break
            before = piece
        for number in range(number, images):
            self._space(trails, gap, begun)
            self._flush(self._style, True)
            self._written.append(self._images[number][1])
            begun, trails, gap = True, False, UNKNOWN
        self._flush(self._style, True)
        return tuple(self._written)

    cdef int _space(self, bint trails, int gap, bint begun) except -1:
        """Write the space before the next part, if there is one; return whether there is.

        The space belongs to the text before if that ends in it, else to the element of the white
        space in between.
        """
        if trails:
            self._put(c" ")
            return 1
        if gap >= 0 and begun:
            self._flush(self._style_of(gap))
            self._put(c" ")
            return 1
        return 0

    cdef int _write(
        self, Py_ssize_t start, Py_ssize_t end, int frame, bint *begun, bint *trails, int *gap
    ) except -1:
        """Write a text with its white space collapsed."""
        cdef Bytes place = self.text + start
        cdef Bytes last = self.text + end
        cdef int space = 0
        cdef bint leads = False, inside = False
        while place < last:
            space = space_bytes(place, last)
            if not space:
                break
            leads = True
            place += space
        if place == last:
            gap[0] = frame if gap[0] < 0 else gap[0]
            return 0
        leads = not self._space(trails[0], gap[0], begun[0]) and leads and begun[0]
        self._flush(self._style_of(frame))
        if leads:
            self._put(c" ")
        while place < last:
            space = space_bytes(place, last)
            if space:
                inside = True
                place += space
                continue
            if inside:
                self._put(c" ")
                inside = False
            self._put(place[0])
            place += 1
        begun[0], trails[0], gap[0] = True, inside, UNKNOWN
        return 0

    cdef inline void _put(self, unsigned char byte) noexcept:
        self.line[self._end] = byte
        self._end += 1

    cdef int _flush(self, int style, bint ends=False) except -1:
        """End the span if what follows has another style, or if it ``ends``."""
        cdef const char *begin = <const char *>self.line + self._begin
        if style == self._style and not ends:
            return 0
        if self._end > self._begin:
            text = PyUnicode_DecodeUTF8(begin, self._end - self._begin, NULL)
            self._written.append(self._span(text, self._style))
            self._begin = self._end
        self._style = style
        return 0

    cdef int _look_at(self, int number) except -1:
        """Record the list items, cells and ``<pre>`` elements around a block, each once."""
        cdef Frame *frame
        cdef Frame *parent
        cdef bint is_item
        while number >= 0 and self.frames[number].node not in self._seen:
            frame = &self.frames[number]
            self._seen.add(frame.node)
            name = self.tag_names[frame.tag]
            if self.readings is not None:
                reading = self.readings.get(<uintptr_t>frame.element)
                if reading is not None and reading.label:
                    self._notes.append((frame.node, reading.label))
                if reading is not None and reading.role:
                    self._roles.append((frame.node, reading.role))
            if frame.parent >= 0:
                parent = &self.frames[frame.parent]
                above = self.tag_names[parent.tag]
                is_item = strcmp(<const char *>frame.element.name, b"li") == 0
                if name == "li" and above == "ol" and is_item:
                    if parent.node not in self._item_numbers:
                        items = _items_of(parent.element)
                        numbers = item_numbers(_attributes(parent.element), items)
                        self._item_numbers[parent.node] = numbers
                    number_of = self._item_numbers[parent.node][frame.step - 1]
                    self._numbers.append((frame.node, number_of))
                elif (
                    name in ("td", "th")
                    and above in ROW_TAGS
                ):
                    if <uintptr_t>frame.element not in self._cell_index:
                        self._look_at_row(parent)
                    self._cells.append((frame.node, self._cell_index[<uintptr_t>frame.element]))
            if name == "pre":
                language = language_of(lxml_c.elementFactory(self.document, frame.element))
                if language:
                    self._languages.append((frame.node, language))
            number = frame.parent
        return 0

    cdef int _look_at_row(self, Frame *row) except -1:
        cdef xmlNode *child = row.element.children
        cells = []
        while child is not NULL:
            if child.type == XML_ELEMENT_NODE:
                reading = None if self.readings is None else self.readings.get(<uintptr_t>child)
                name = child.name.decode() if reading is None else reading.tag
                if name in ("td", "th"):
                    self._cell_index[<uintptr_t>child] = len(cells)
                    cells.append(table_cell(_attributes(child), name == "th"))
            child = child.next
        self._rows.append((row.node, tuple(cells)))
        return 0


cdef list _items_of(xmlNode *ordered_list):
    """Return the attributes of each item of an ``<ol>``."""
    cdef xmlNode *child = ordered_list.children
    cdef list items = []
    while child is not NULL:
        if child.type == XML_ELEMENT_NODE and strcmp(<const char *>child.name, b"li") == 0:
            items.append(_attributes(child))
        child = child.next
    return items


cdef str _attribute(xmlNode *element, const char *name):
    """Return the value of an attribute; "" if the element has none of this name."""
    cdef xmlAttr *attribute = element.properties
    while attribute is not NULL:
        if attribute.ns is NULL and strcmp(<const char *>attribute.name, name) == 0:
            return attribute_value(element, attribute)
        attribute = attribute.next
    return ""


cdef dict _attributes(xmlNode *element):
    """Return the values of the element's attributes by name."""
    cdef xmlAttr *attribute = element.properties
    cdef dict values = {}
    while attribute is not NULL:
        if attribute.ns is NULL:
            name = (<const char *>attribute.name).decode("utf-8")
            values[name] = attribute_value(element, attribute)
        attribute = attribute.next
    return values
