# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The compiled form of :mod:`scrapy_boilernet.extractor.html.walk`.

It reads the nodes of libxml2 behind lxml's elements, so that no Python objects are made for them.
Tests check that its blocks are equal to those of the Python code, which runs if this module is not
compiled.
"""

from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, strcmp, strlen
from lxml.includes cimport etreepublic as lxml_c
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlNode,
)
from scrapy_boilernet.extractor.html.compiled_paths cimport (
    ASIDE,
    CODE,
    CONTROL,
    ENDING,
    HEAD,
    HEADING,
    INLINE,
    INNER_FLAGS,
    MARKED,
    METADATA,
    NOSCRIPT,
    NOTED,
    PREFORMATTED,
    RECORDED,
    SEAMLESS,
    SKIPPED,
    TITLE,
    TYPED,
    Bytes,
    Frame,
    PathTable,
    first_element,
    grown,
    is_space,
    next_node,
    space_bytes,
)

import numpy as np

from scrapy_boilernet.extractor.html.head import Seen
from scrapy_boilernet.extractor.html.hiding import BY_ARIA, ENDS_WORD, REASONS, revealed
from scrapy_boilernet.extractor.html.paths import MAX_ANCESTORS, is_teaser
from scrapy_boilernet.extractor.html.preformatted import is_shadow_root, raw_texts
from scrapy_boilernet.extractor.html.raised import as_plain_text, mark_inside
from scrapy_boilernet.extractor.html.sentences import COUNTS_AS, MOST_ELEMENTS, PARAGRAPH
from scrapy_boilernet.extractor.html.walk import SEAMLESS_TAGS, SKIPPED_LEAF_TAGS, SKIPPED_TAGS
from scrapy_boilernet.extractor.markup import EMBED
from scrapy_boilernet.extractor.page import Block, LazyBlocks

lxml_c.import_lxml__etree()

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(PyObject *op)
    object PyType_GenericAlloc(PyTypeObject *type, Py_ssize_t count)

cdef object _new_tuple = tuple.__new__
cdef int _MAX_ANCESTORS = MAX_ANCESTORS
cdef int BLOCK_FIELDS = len(Block._fields)
cdef int _MOST_ELEMENTS = MOST_ELEMENTS
cdef bytes _ENDS_WORD = ENDS_WORD.encode()
cdef int _BY_ARIA = BY_ARIA
cdef int _TURN = 4096  # nodes after which another thread may run


cdef class CompiledWalk(PathTable):
    """One pass over a page's tree that gathers its text into units."""

    def __init__(self, units, rules=None, readings=None):
        self.leaves = units == "leaf"
        PathTable.__init__(
            self,
            frozenset() if self.leaves else SEAMLESS_TAGS,
            SKIPPED_LEAF_TAGS if self.leaves else SKIPPED_TAGS,
            rules,
        )
        self.texts, self.preformatted, self._marks = [], {}, {}
        self._raw_texts = iter(())
        self._read_elements = readings  # they stay alive, and so do their nodes
        if readings:
            self.readings = {}
            for element, reading in readings.items():
                self.readings[<uintptr_t>(<lxml_c._Element>element)._c_node] = reading

    def __dealloc__(self):
        free(self.text)
        free(self.line)
        free(self.pieces)
        free(self.made)

    def blocks(self, roots, Py_ssize_t most, bint xpaths=True):
        """Return the page's first ``most`` units in document order, and whether there are more.

        Without ``xpaths`` the XPath of each unit is "". A unit is made when it is asked for.
        """
        cdef lxml_c._Element root
        if self._known is NULL or self._first is not None:
            raise ValueError("a walk is made once")
        self._most = most + 1
        self._first = roots[0]
        for number, root in enumerate(roots, 1):
            self.document = root._doc
            self.root_steps.append(f"/*[{number}]" if len(roots) > 1 else f"/{root.tag}")
            self._walk(root._c_node)
        return CompiledBlocks(self, most, xpaths), self.count > most

    def markup(self, most):
        """Return None: this walk gathers no markup."""
        return None

    def seen(self):
        """Return what is in the whole first root, even if the walk stopped at a block in it.

        After this call the walk does not use the tree.
        """
        if self._first is None:
            raise ValueError("no walk was made, or it is done")
        cdef lxml_c._Element root = self._first
        cdef xmlNode *top = root._c_node
        cdef xmlNode *node = top
        cdef xmlAttr *attribute
        cdef int tag
        cdef list noted = [], item_types = []
        cdef int *counts = <int *>calloc(self._tag_room + 1, sizeof(int))
        cdef int room = self._tag_room
        counted = {}
        try:
            while node is not NULL:
                if node.type == XML_ELEMENT_NODE:
                    tag = self.tag_of(node.name)
                    if tag < room:
                        counts[tag] += 1
                    else:
                        counted[tag] = counted.get(tag, 0) + 1
                    if self.tag_flags[tag] & NOTED:
                        noted.append(lxml_c.elementFactory(root._doc, node))
                    attribute = node.properties
                    while attribute is not NULL:
                        if attribute.name[0] == c"i" and (
                            strcmp(<const char *>attribute.name, b"itemtype") == 0
                        ):
                            item_types.append(lxml_c.attributeValue(node, attribute))
                        attribute = attribute.next
                node = next_node(node, top)
            tags = {self.tag_names[tag]: counts[tag] for tag in range(min(room, self.tag_count))}
        finally:
            free(counts)
        tags.update({self.tag_names[tag]: count for tag, count in counted.items()})
        self._first = self.document = None
        self._raw_texts = iter(())
        self._marks = {}
        self.readings = self._read_elements = None
        self.forget()
        free(self.text)
        free(self.line)
        free(self.pieces)
        self.text = self.line = NULL
        self.pieces = NULL
        self._text_room = self._line_room = self._piece_room = 0
        return Seen(tags, noted, item_types)

    cdef int _walk(self, xmlNode *root) except -1:
        """Gather the blocks of one root."""
        cdef xmlNode *node = root
        cdef xmlNode *below
        cdef int frame = -1, tag, flags, turn = 0
        cdef bint in_sentence
        cdef Py_ssize_t most = self._most
        self.piece_count = self.text_end = 0
        while True:
            turn += 1
            if turn == _TURN:
                turn = 0
                with nogil:
                    pass
            if node.type == XML_ELEMENT_NODE:
                self.node_number += 1
                tag = self.tag_of(node.name)
                flags = self.tag_flags[tag]
                reading = None
                if self.readings is not None:
                    reading = self.readings.get(<uintptr_t>node)
                    if reading is not None:
                        flags = self.tag_flags[self._new_tag(reading.tag)]
                in_sentence = not flags & (SEAMLESS | ENDING) and reading is None and (
                    self._stands_in_sentence(node, flags, frame)
                )
                if not flags & SEAMLESS and self.piece_count and not in_sentence:
                    self._end_block()
                    if self.count >= most:
                        return 0
                if flags & RECORDED and (reading is None or reading.marks & EMBED):
                    self.note(node, tag, frame)
                if reading is not None and reading.text is not None:
                    frame = self._read_instead(node, tag, frame, reading)
                elif node.children is NULL:
                    self.count_sibling(frame, tag)
                elif (flags & SKIPPED and reading is None and not self._is_shadow_root(node)) or (
                    flags & TITLE and self.leaves and frame >= 0
                    and self.tag_flags[self.frames[frame].tag] & HEAD
                ):
                    self.count_sibling(frame, tag)
                    self.node_number += _elements_below(node)
                else:
                    frame = self.open(node, tag, self.node_number, frame)
                    if in_sentence or reading is not None:
                        tag = self._new_tag(COUNTS_AS if reading is None else reading.tag)
                        self.frames[frame].tag = tag
                        flags = self.tag_flags[tag]
                        self.frames[frame].flags |= flags & INNER_FLAGS
                    if reading is not None and reading.lead:
                        self._add_read(reading.lead.encode(), frame)
                        self._end_block()
                        if self.count >= most:
                            return 0
                    below = self._read_texts(node.children, frame)
                    if below is not NULL:
                        node = below
                        continue
                    frame = self._close(node, frame, flags)
            elif self.piece_count and self.leaves:
                self._end_block()
            if self.count >= most:
                return 0
            # Go on to the next element: the next sibling, else the next sibling of an ancestor.
            while node is not root:
                below = self._read_texts(node.next, frame)
                if below is not NULL:
                    node = below
                    break
                node = node.parent
                frame = self._close(node, frame, self.tag_flags[self.frames[frame].tag])
                if self.count >= most:
                    return 0
            else:
                break
        if self.piece_count:
            self._end_block()
        return 0

    cdef bint _stands_in_sentence(self, xmlNode *element, int flags, int frame) except -1:
        """Return whether an element that is neither inline nor one of ``ENDING_TAGS`` is part of a
        sentence; ``frame``: the one around it.
        """
        cdef int seen = 0
        cdef bint follows = self.piece_count > 0
        cdef xmlNode *node = element
        if self.leaves or frame < 0 or self.frames[frame].flags & PREFORMATTED:
            return False
        if flags & METADATA:
            return self._is_in_paragraph(frame)
        if flags & CONTROL and not follows:
            return False
        while True:
            node = next_node(node, element)
            if node is NULL:
                break
            if node.type == XML_ELEMENT_NODE:
                if seen == _MOST_ELEMENTS or self.tag_flags[self.tag_of(node.name)] & ENDING:
                    return False
                seen += 1
            elif flags & NOSCRIPT and node.type == XML_TEXT_NODE and not is_space(
                node.content, node.content + strlen(<const char *>node.content)
            ):
                return False
        return (follows and not flags & CONTROL) or self._text_follows(element, frame)

    cdef bint _is_in_paragraph(self, int frame) except -1:
        """Return whether the nearest frame that is not inline is a paragraph."""
        while frame >= 0 and self.tag_flags[self.frames[frame].tag] & SEAMLESS:
            frame = self.frames[frame].parent
        return frame >= 0 and self.tag_names[self.frames[frame].tag] == PARAGRAPH

    cdef bint _text_follows(self, xmlNode *place, int frame) except -1:
        """Return whether text follows an element in its sentence; ``frame``: the one around it."""
        cdef int left = _MOST_ELEMENTS, flags
        cdef bint enters = False
        while True:
            if enters and place.children is not NULL:
                place = place.children
            else:
                while place.next is NULL:
                    place = place.parent
                    if place is self.frames[frame].element:
                        left -= 1
                        flags = self.tag_flags[self.frames[frame].tag]
                        frame = self.frames[frame].parent
                        if not left or not flags & SEAMLESS or frame < 0:
                            return False
                place = place.next
            enters = False
            if place.type == XML_TEXT_NODE or place.type == XML_CDATA_SECTION_NODE:
                if place.content is not NULL and not is_space(
                    place.content, place.content + strlen(<const char *>place.content)
                ):
                    return True
            elif place.type == XML_ELEMENT_NODE:
                left -= 1
                flags = self.tag_flags[self.tag_of(place.name)]
                if self.readings is not None and <uintptr_t>place in self.readings and (
                    strcmp(<const char *>place.name, b"select") == 0
                ):
                    return True
                if not left or not flags & SEAMLESS:
                    return False
                enters = not flags & SKIPPED

    cdef int _read_instead(self, xmlNode *node, int tag, int frame, object reading) except -2:
        """Add the text that is read of an element instead of those in it, and end the element;
        return the frame around it.
        """
        cdef int counts_as = self._new_tag(reading.tag), own
        cdef bytes text = reading.text.encode()
        if not text and node.children is NULL:
            self.count_sibling(frame, tag)
            return frame
        own = self.open(node, tag, self.node_number, frame)
        self.frames[own].tag = counts_as
        self.frames[own].flags |= self.tag_flags[counts_as] & INNER_FLAGS
        if text and (self.piece_count or not reading.text.isspace()):
            self._add_read(text, own)
        self.node_number += _elements_below(node)
        return self._close(node, own, self.tag_flags[counts_as])

    cdef int _add_read(self, bytes text, int frame) except -1:
        """Add a text that is read of an element to the run."""
        cdef Piece *piece
        if self.piece_count == self._piece_room:
            self._piece_room = 2 * self._piece_room + 16
            self.pieces = <Piece *>grown(self.pieces, self._piece_room * sizeof(Piece))
        piece = &self.pieces[self.piece_count]
        self.piece_count += 1
        piece.start, piece.frame = self.text_end, frame
        self._append(text)
        self.pieces[self.piece_count - 1].end = self.text_end
        return 0

    cdef bint _is_shadow_root(self, xmlNode *node) except -1:
        if node.properties is NULL or strcmp(<const char *>node.name, b"template") != 0:
            return False
        return is_shadow_root(lxml_c.elementFactory(self.document, node), "template")

    cdef int _close(self, xmlNode *node, int frame, int flags) except -2:
        """End the element of the frame; return the frame around it."""
        if self.piece_count and not flags & SEAMLESS:
            self._end_block()
        return self.frames[frame].parent

    cdef xmlNode *_read_texts(self, xmlNode *node, int frame) except? NULL:
        """Add the text from ``node`` on to the run; return the element that follows it, or NULL."""
        cdef xmlNode *first = node
        cdef bint solid = self.piece_count > 0
        cdef bint has_text = False
        while node is not NULL:
            if node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
                if node.content is not NULL and node.content[0]:
                    has_text = True
                    solid = solid or c" " < <signed char>node.content[0] or not is_space(
                        node.content, node.content + strlen(<const char *>node.content)
                    )
            elif node.type != XML_XINCLUDE_START and node.type != XML_XINCLUDE_END:
                break
            node = node.next
        if solid and has_text and frame >= 0:
            self._add_texts(first, node, frame)
        return first_element(node)

    cdef int _add_texts(self, xmlNode *node, xmlNode *end, int frame) except -1:
        cdef Py_ssize_t length
        cdef Piece *piece
        if self.piece_count and self.pieces[self.piece_count - 1].frame == frame:
            piece = &self.pieces[self.piece_count - 1]
        else:
            if self.piece_count == self._piece_room:
                self._piece_room = 2 * self._piece_room + 16
                self.pieces = <Piece *>grown(self.pieces, self._piece_room * sizeof(Piece))
            piece = &self.pieces[self.piece_count]
            self.piece_count += 1
            piece.start = self.text_end
            piece.frame = frame
        while node is not end:
            if (
                node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE
            ) and node.content is not NULL:
                length = strlen(<const char *>node.content)
                if self.text_end + length > self._text_room:
                    self._text_room = 2 * (self.text_end + length) + 1024
                    self.text = <unsigned char *>grown(self.text, self._text_room)
                memcpy(self.text + self.text_end, node.content, length)
                self.text_end += length
            node = node.next
        piece.end = self.text_end
        return 0

    cdef int _apart(self, int number) except? 1073741824:
        """Return why a text is hidden, or the negated number of the note in a sentence that it is
        in; 0: neither.
        """
        cdef int hidden = self.hidden_by(number)
        if hidden or not self.frames[number].flags & ASIDE:
            return hidden
        while self.frames[number].parent >= 0 and (
            self.frames[self.frames[number].parent].flags & ASIDE
        ):
            number = self.frames[number].parent
        return -self.frames[number].node

    cdef int _end_block(self) except -1:
        """Make a block of what is shown of the run, whose first piece has more than white space,
        and one of each text that is hidden in it, and of each note; one block if all or nothing of
        it is apart.
        """
        cdef Py_ssize_t i, count = self.piece_count
        cdef bint shown = False, hidden = False
        if count > 1 and not self.leaves:
            for i in range(count):
                if self._apart(self.pieces[i].frame):
                    hidden = True
                elif not shown:
                    shown = not self._is_blank(&self.pieces[i])
        if hidden and (self._reveal() or shown):
            self._end_parts()
        else:
            self._make_block()
        self.piece_count = self.text_end = 0
        return 0

    cdef bint _reveal(self) except -1:
        """Show what is hidden of a run and shown after all, as texts of the elements around it;
        return whether there is some.
        """
        cdef Py_ssize_t i
        cdef int above
        cdef bint by_aria = False
        cdef list texts = [], reasons = [], places
        for i in range(self.piece_count):
            by_aria = by_aria or self.hidden_by(self.pieces[i].frame) == _BY_ARIA
        if not by_aria:
            return False
        for i in range(self.piece_count):
            texts.append(self.text[self.pieces[i].start:self.pieces[i].end].decode("utf-8", "replace"))
            reasons.append(self.hidden_by(self.pieces[i].frame))
        places = revealed(texts, reasons, self._begins_in_heading)
        wanted = {reasons[i] for i in places}
        for i in places:
            above = self.pieces[i].frame
            while above >= 0 and self.hidden_by(above) in wanted:
                above = self.frames[above].parent
            if above >= 0:
                self.pieces[i].frame = above
        return bool(places)

    def _begins_in_heading(self):
        """Return whether the run begins in a heading that is shown."""
        cdef Py_ssize_t i
        for i in range(self.piece_count):
            if not self._is_blank(&self.pieces[i]):
                return self._is_in_shown_heading(self.pieces[i].frame)
        return False

    cdef bint _is_in_shown_heading(self, int number) noexcept:
        while number >= 0 and self.tag_flags[self.frames[number].tag] & INLINE:
            number = self.frames[number].parent
        if number < 0 or self.frames[number].hidden:
            return False
        return self.tag_flags[self.frames[number].tag] & HEADING

    cdef int _end_parts(self) except -1:
        """Make the blocks of a run of which a part is hidden."""
        cdef Py_ssize_t i, size, count = self.piece_count, chars = self.text_end
        cdef Py_ssize_t shown_pieces = 0, shown_end = 0, shown_moves = 0  # without spaces of hidden texts
        cdef bint hidden
        cdef int reason
        cdef Piece piece
        cdef Piece *pieces = NULL
        cdef unsigned char *text = NULL
        cdef list moves = []
        try:
            pieces = <Piece *>grown(NULL, count * sizeof(Piece))
            text = <unsigned char *>grown(NULL, chars + 1)
            memcpy(pieces, self.pieces, count * sizeof(Piece))
            memcpy(text, self.text, chars)
            self.piece_count = self.text_end = 0
            for i in range(count):
                piece = pieces[i]
                hidden = self._apart(piece.frame) != 0
                if hidden and not self._keep_space(&piece, text):
                    continue
                size = piece.end - piece.start
                if not hidden and shown_pieces and text[piece.start] in _ENDS_WORD:
                    self.piece_count, self.text_end = shown_pieces, shown_end
                    del moves[shown_moves:]
                if not self.piece_count and is_space(text + piece.start, text + piece.end):
                    continue
                moves.append((piece.start, piece.end, self.text_end))
                memcpy(self.text + self.text_end, text + piece.start, size)
                if not self.piece_count or self.pieces[self.piece_count - 1].frame != piece.frame:
                    self.pieces[self.piece_count] = piece
                    self.pieces[self.piece_count].start = self.text_end
                    self.piece_count += 1
                self.text_end += size
                self.pieces[self.piece_count - 1].end = self.text_end
                if not hidden:
                    shown_pieces, shown_end, shown_moves = self.piece_count, self.text_end, len(moves)
            self.show_images(moves)
            self._make_block()
            memcpy(self.text, text, chars)
            self.text_end, i = chars, 0
            while i < count and self.count < self._most:
                self.piece_count = 0
                while i < count and not self._apart(pieces[i].frame):
                    i += 1
                reason = self._apart(pieces[i].frame) if i < count else 0
                while i < count and self._apart(pieces[i].frame) == reason:
                    if self.piece_count or not is_space(text + pieces[i].start, text + pieces[i].end):
                        self.pieces[self.piece_count] = pieces[i]
                        self.piece_count += 1
                    i += 1
                if self.piece_count:
                    self._make_block()
        finally:
            free(pieces)
            free(text)
        return 0

    cdef bint _keep_space(self, Piece *piece, Bytes text) noexcept:
        """Keep of a piece the white space at its beginning or else at its end; return whether it
        has any.
        """
        cdef Bytes begin = text + piece.start
        cdef Bytes end = text + piece.end
        cdef Bytes place = begin
        cdef Bytes last = NULL
        cdef int space = space_bytes(begin, end)
        if not space:
            while place < end:
                space = space_bytes(place, end)
                last = place if space else NULL
                place += space if space else 1
            if last is NULL:
                return False
            begin = last
            space = space_bytes(last, end)
        piece.start = begin - text
        piece.end = piece.start + space
        return True

    cdef int show_images(self, list moves) except -1:
        """Do nothing; a subclass forgets the images in hidden parts of the run.

        ``moves``: per shown text where it began, where it ended, and where it begins now.
        """
        return 0

    cdef int _make_block(self) except -1:
        """Make a block of the pieces, of which the first has more than white space."""
        cdef Piece *pieces = self.pieces
        cdef Py_ssize_t i, solid = 0, link_chars = 0, chars
        cdef Py_ssize_t first = -1
        cdef int container, low = -1, high = -1
        cdef bint several = False
        cdef int reason, hidden = 0
        cdef int flags = 0
        cdef Frame *frame
        if not self.leaves:
            for i in range(self.piece_count):
                flags |= self.frames[pieces[i].frame].flags
            if flags & MARKED:
                self._use_plain_text()
        if self._line_room < self.text_end + self.piece_count + 1:
            self._line_room = 2 * (self.text_end + self.piece_count) + 1024
            self.line = <unsigned char *>grown(self.line, self._line_room)
        if self.piece_count > 1:
            for i in range(self.piece_count):
                if not self._is_blank(&pieces[i]):
                    if first < 0:
                        first = i
                    solid += 1
            several = solid > 1
        else:
            first = 0
        container = pieces[first].frame
        text = self._joined()
        chars = len(text)
        if not several:
            link_chars = chars if self.frames[container].link else 0
        else:
            hidden = -1
            for i in range(self.piece_count):
                if self._is_blank(&pieces[i]):
                    continue
                frame = &self.frames[pieces[i].frame]
                if frame.link:
                    link_chars += self._collapsed_chars(&pieces[i])
                reason = self.hidden_by(pieces[i].frame)
                if hidden < 0 or not reason:
                    hidden = reason
                if low < 0 or frame.node < self.frames[low].node:
                    low = pieces[i].frame
                if high < 0 or frame.node > self.frames[high].node:
                    high = pieces[i].frame
            link_chars = min(link_chars, chars)
            container = self.common_ancestor(low, high)
        self.locate(container)
        frame = &self.frames[container]
        if self.count == self._room:
            self._room = 2 * self._room + 256
            self.made = <Made *>grown(self.made, self._room * sizeof(Made))
        self.made[self.count].frame = container
        self.made[self.count].link_chars = link_chars
        self.made[self.count].hidden = frame.hidden or hidden
        self.made[self.count].noscript = (frame.flags & NOSCRIPT) != 0
        self.texts.append(text)
        if frame.flags & PREFORMATTED and not self.leaves:
            raw = self._preformatted(container, text)
            if raw:
                self.preformatted[self.count] = raw
        self.count += 1
        frame = &self.frames[container]
        self.ended(text, frame.path)
        return 0

    cdef int _use_plain_text(self) except -1:
        """Write the superscripts, subscripts, ruby and quotations of the run as plain text.

        The new texts stand behind the old ones, which are left as they are.
        """
        cdef Py_ssize_t i, start, end, number = 0
        cdef Piece *piece
        cdef list parts = [], places = self.image_places(), moved = [], counts = []
        for i in range(self.piece_count):
            piece = &self.pieces[i]
            start = piece.start
            count = len(parts)
            mark = self._mark(piece.frame)
            while start < piece.end:
                while number < len(places) and places[number] <= start:
                    moved.append(len(parts))
                    number += 1
                end = piece.end
                if number < len(places) and places[number] < end:
                    end = places[number]
                text = PyUnicode_DecodeUTF8(<const char *>self.text + start, end - start, NULL)
                parts.append((text, mark, self.frames[piece.frame].link))
                start = end
            counts.append(len(parts) - count)
        moved += [len(parts)] * (len(places) - number)
        self.keep_marked(parts, counts, moved)
        return self._place(as_plain_text(parts), counts, moved)

    cdef int keep_marked(self, list parts, list counts, list moved) except -1:
        """Do nothing; a subclass keeps the run with superscripts that are only marked."""
        return 0

    cdef int _place(self, list texts, list counts, list moved) except -1:
        """Make the texts of the run these, each piece of ``counts`` of them, behind the old ones.

        ``moved``: per image the number of texts before it.
        """
        cdef Py_ssize_t i, start = self.text_end, count = 0
        cdef list starts = [start]
        texts = [text.encode() for text in texts]
        for text in texts:
            start += len(text)
            starts.append(start)
        self._append(b"".join(texts))
        for i in range(self.piece_count):
            self.pieces[i].start = starts[count]
            count += counts[i]
            self.pieces[i].end = starts[count]
        self.place_images([starts[part] for part in moved])
        return 0

    cdef int _append(self, bytes text) except -1:
        """Write a text behind the run's text."""
        cdef const unsigned char *begin = text
        cdef Py_ssize_t length = len(text)
        if self.text_end + length > self._text_room:
            self._text_room = 2 * (self.text_end + length) + 1024
            self.text = <unsigned char *>grown(self.text, self._text_room)
        memcpy(self.text + self.text_end, begin, length)
        self.text_end += length
        return 0

    cdef object _mark(self, int number):
        """Return the innermost mark around the texts of a frame; None outside of all marks, and in
        an element that is not inline.
        """
        cdef list unknown = []
        cdef int flags
        mark = None
        while number >= 0 and self.frames[number].flags & MARKED:
            if number in self._marks:
                mark = self._marks[number]
                break
            unknown.append(number)
            number = self.frames[number].parent
        for number in reversed(unknown):
            flags = self.tag_flags[self.frames[number].tag]
            if flags & MARKED:
                self.locate(number)
                words = self.path_of(self.frames[number].path)[1]
                words = words[len(words) - 1]
                mark = mark_inside(mark, self.tag_names[self.frames[number].tag], words)
            elif not flags & INLINE:
                mark = None
            self._marks[number] = mark
        return mark

    cdef list image_places(self):
        """Return the places of images in the run's text; a subclass has some."""
        return []

    cdef int place_images(self, list places) except -1:
        """Do nothing; a subclass moves its images to these places."""
        return 0

    cdef int ended(self, str text, int path) except -1:
        """Do nothing; a subclass records a block that was made from the pieces."""
        return 0

    cdef int note(self, xmlNode *node, int tag, int frame) except -1:
        """Do nothing; a subclass records an element of ``RECORDED_TAGS`` in the frame."""
        return 0

    cdef bint _is_blank(self, Piece *piece) noexcept:
        return is_space(self.text + piece.start, self.text + piece.end)

    cdef Py_ssize_t _collapsed_chars(self, Piece *piece) noexcept:
        """Return how many characters the piece has with white space collapsed."""
        cdef Bytes place = self.text + piece.start
        cdef Bytes end = self.text + piece.end
        cdef Py_ssize_t chars = 0
        cdef bint gap = False
        cdef int space
        while place < end:
            space = space_bytes(place, end)
            if space:
                gap = chars > 0
                place += space
                continue
            if gap:
                chars += 1
                gap = False
            chars += (place[0] & 0xC0) != 0x80
            place += 1
        return chars

    cdef bint is_long(self, Piece *piece) noexcept:
        """Return whether the piece has more than one character."""
        cdef Py_ssize_t place
        cdef int chars = 0
        for place in range(piece.start, piece.end):
            chars += (self.text[place] & 0xC0) != 0x80
            if chars > 1:
                return True
        return False

    cdef str _joined(self):
        """Return the run's text, with a space between elements side by side."""
        cdef unsigned char *out = self.line
        cdef Py_ssize_t i
        cdef Piece *piece
        cdef Piece *before = NULL
        cdef Bytes place, end
        cdef bint gap = False
        cdef int space
        for i in range(self.piece_count):
            piece = &self.pieces[i]
            if before is not NULL and self.is_apart(before.frame, piece.frame):
                gap = gap or (self.is_long(before) and self.is_long(piece))
            place = self.text + piece.start
            end = self.text + piece.end
            while place < end:
                space = space_bytes(place, end)
                if space:
                    gap = True
                    place += space
                    continue
                if gap:
                    if out is not self.line:
                        out[0] = c" "
                        out += 1
                    gap = False
                out[0] = place[0]
                out += 1
                place += 1
                while place < end and c" " < <signed char>place[0]:  # a plain character
                    out[0] = place[0]
                    out += 1
                    place += 1
            before = piece
        return PyUnicode_DecodeUTF8(<const char *>self.line, out - self.line, NULL)

    cdef bint is_apart(self, int before, int after) noexcept:
        """Return whether only markup separates two links, or two siblings outside of code of which
        the second is neither raised nor lowered; code and a variable are one word.
        """
        cdef Frame *one = &self.frames[before]
        cdef Frame *other = &self.frames[after]
        if one.link and other.link and one.link != other.link:
            return True
        if self.tag_flags[one.tag] & self.tag_flags[other.tag] & TYPED:
            return False
        return other.parent == one.parent and not (
            other.flags & CODE or self.tag_flags[other.tag] & MARKED
        )

    cdef bint shows_teaser(self, xmlNode *link) except -1:
        """Return whether a link that is hidden from screen readers alone is a sentence."""
        return is_teaser(lxml_c.elementFactory(self.document, link))

    def left_out(self, lxml_c._Element element):
        """Return whether the page hides the element, or nothing is read of it."""
        if self.readings is not None:
            reading = self.readings.get(<uintptr_t>element._c_node)
            if reading is not None and reading.text == "":
                return True
        return self.hides_itself(element)

    cdef str _preformatted(self, int number, str text):
        """Return the lines of a block in ``<pre>``; "" if they do not match the block's text."""
        cdef int above = self.frames[number].parent, block = number
        while above >= 0 and self.frames[above].flags & PREFORMATTED:
            number, above = above, self.frames[above].parent
        shown = not self.frames[number].hidden
        if shown and self.frames[block].hidden:
            return ""
        if self.frames[number].node != self._pre:
            self._pre = self.frames[number].node
            pre = lxml_c.elementFactory(self.document, self.frames[number].element)
            hides = self.left_out if shown else None
            self._raw_texts = iter(raw_texts(pre, self.seamless, self.skipped, hides))
        raw = next(self._raw_texts, "")
        return raw if "".join(raw.split()) == text.replace(" ", "") else ""


cdef class CompiledBlocks:
    """The blocks of a page as a sequence; each is made when it is asked for."""

    def __init__(self, CompiledWalk walk, Py_ssize_t most, bint xpaths):
        self._walk, self._xpaths = walk, xpaths
        self._count = min(most, walk.count)

    def __len__(self):
        return self._count

    def __getitem__(self, which):
        cdef Py_ssize_t place
        if isinstance(which, slice):
            return tuple(
                [self._block(place, self._xpaths) for place in range(*which.indices(self._count))]
            )
        place = which
        if place < 0:
            place += self._count
        if not 0 <= place < self._count:
            raise IndexError(which)
        return self._block(place, self._xpaths)

    def __iter__(self):
        cdef Py_ssize_t place
        for place in range(self._count):
            yield self._block(place, self._xpaths)

    def __contains__(self, block):
        return block in self[:]

    def __eq__(self, other):
        return isinstance(other, (tuple, LazyBlocks)) and self[:] == other[:]

    def __hash__(self):
        return hash(self[:])

    def __repr__(self):
        return repr(self[:])

    def __add__(self, other):
        return self[:] + other[:]

    def __radd__(self, other):
        return other[:] + self[:]

    def __reduce__(self):
        return tuple, (self[:],)

    def at(self, places):
        """Return the blocks at these places, counted from 0, without XPaths."""
        if not all([0 <= place < self._count for place in places]):
            raise IndexError(places)
        return [self._block(place, False) for place in places]

    def texts(self):
        """Return the text of each block."""
        return tuple(self._walk.texts[: self._count])

    def hidden(self):
        """Return whether each block is hidden."""
        cdef Py_ssize_t place
        return tuple([bool(self._walk.made[place].hidden) for place in range(self._count)])

    def paths(self):
        """Return the different pairs of tags and class words, in the order of their first blocks,
        and per block the place of its pair among them.
        """
        cdef CompiledWalk walk = self._walk
        cdef Py_ssize_t place
        cdef int path
        cdef list pairs = [], places = []
        cdef int *numbers = <int *>calloc(walk.path_count, sizeof(int))
        if numbers is NULL:
            raise MemoryError
        try:
            for place in range(self._count):
                path = walk.frames[walk.made[place].frame].path
                if not numbers[path]:
                    pairs.append(walk.path_of(path))
                    numbers[path] = len(pairs)
                places.append(numbers[path] - 1)
        finally:
            free(numbers)
        return tuple(pairs), tuple(places)

    def names(self):
        """Return the tags, and the class words, of all elements around blocks, among others."""
        return tuple(self._walk.tag_names), tuple(self._walk._words)

    def marks(self):
        """Return per block its characters in links, the number of the reason that hides it, and
        whether it is in ``<noscript>``: (3, blocks), int64.
        """
        cdef Py_ssize_t place
        found = np.empty((3, self._count), dtype=np.int64)
        cdef int64_t[:, ::1] out = found
        for place in range(self._count):
            out[0, place] = self._walk.made[place].link_chars
            out[1, place] = self._walk.made[place].hidden
            out[2, place] = self._walk.made[place].noscript
        return found

    def nodes(self):
        """Return the numbers of the elements around the blocks, outermost first, block after block,
        and how many each block has: both int64. They are made once.
        """
        if self._nodes is None:
            self._nodes = self._chains(False)
            for made in self._nodes:
                made.setflags(write=False)  # all share them
        return self._nodes

    def siblings(self):
        """Return per element of ``nodes`` its number among its siblings of its tag, int64; 0 if the
        XPath names the element in another way.
        """
        return self._chains(True)[0]

    cdef tuple _chains(self, bint siblings):
        cdef Py_ssize_t place, count = 0, begin, room = 16 * self._count + 64
        cdef int number, levels
        cdef bint bare
        cdef Frame *frame
        cdef int64_t swapped
        found, lengths = np.empty(room, dtype=np.int64), np.empty(self._count, dtype=np.int64)
        cdef int64_t[::1] out = found, out_lengths = lengths
        for place in range(self._count):
            if count + _MAX_ANCESTORS > room:
                room = 2 * room + _MAX_ANCESTORS
                found = np.concatenate([found, np.empty(room - len(found), dtype=np.int64)])
                out = found
            begin, number, bare = count, self._walk.made[place].frame, False
            while number >= 0 and count - begin < _MAX_ANCESTORS:
                if not bare:
                    frame = &self._walk.frames[number]
                    if not siblings:
                        out[count] = frame.node
                    elif frame.parent < 0:
                        out[count] = len(self._walk.root_steps) == 1
                    elif frame.tag != frame.name:  # it counts as another tag
                        out[count] = 0
                    else:
                        out[count] = 0 if frame.bare or frame.absolute else max(frame.step, 0)
                    count += 1
                bare = self._walk.frames[number].bare
                number = self._walk.frames[number].parent
            out_lengths[place] = count - begin
            for levels in range((count - begin) // 2):
                swapped = out[begin + levels]
                out[begin + levels] = out[count - 1 - levels]
                out[count - 1 - levels] = swapped
        return found[:count], lengths

    cdef object _block(self, Py_ssize_t place, bint xpath):
        cdef Made *made = &self._walk.made[place]
        tags, class_words = self._walk.path_of(self._walk.frames[made.frame].path)
        cdef object block = PyType_GenericAlloc(<PyTypeObject *>Block, BLOCK_FIELDS)
        _set(block, 0, self._walk.texts[place])
        _set(block, 1, tags)
        _set(block, 2, class_words)
        _set(block, 3, self._walk.nodes_of(made.frame))
        _set(block, 4, self._walk.xpath_of(made.frame) if xpath else "")
        _set(block, 5, made.link_chars)
        _set(block, 6, REASONS[made.hidden])
        _set(block, 7, True if made.noscript else False)
        _set(block, 8, self._walk.preformatted.get(place, "") if self._walk.preformatted else "")
        # Plain values cannot be part of a cycle, so garbage collection need not look at the block.
        PyObject_GC_UnTrack(<PyObject *>block)
        return block


cdef inline void _set(object block, Py_ssize_t place, object value):
    """Set a field of a new block."""
    Py_INCREF(value)
    PyTuple_SET_ITEM(block, place, value)


cdef int _elements_below(xmlNode *top) noexcept nogil:
    cdef int count = 0
    cdef xmlNode *node = next_node(top, top)
    while node is not NULL:
        count += node.type == XML_ELEMENT_NODE
        node = next_node(node, top)
    return count


LazyBlocks.register(CompiledBlocks)
