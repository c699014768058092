# cython: language_level=3
"""The declarations of :mod:`scrapy_boilernet.extractor.html.compiled_walk`."""

from lxml.includes.tree cimport xmlNode

from scrapy_boilernet.extractor.html.compiled_paths cimport Bytes, PathTable


cdef struct Piece:
    Py_ssize_t start
    Py_ssize_t end
    int frame


cdef struct Made:
    int frame
    int link_chars
    int hidden  # why; 0: it is shown
    bint noscript


cdef class CompiledWalk(PathTable):
    cdef bint leaves
    # The blocks.
    cdef list texts
    cdef dict preformatted
    cdef Made *made
    cdef Py_ssize_t count, _room
    cdef object document, _first
    cdef int node_number
    # The text of the run that becomes the next block, as UTF-8, and the frame of each piece.
    cdef unsigned char *text
    cdef Py_ssize_t text_end, _text_room
    cdef Piece *pieces
    cdef Py_ssize_t piece_count, _piece_room
    # A buffer for the same text with white space collapsed.
    cdef unsigned char *line
    cdef Py_ssize_t _line_room
    cdef object _raw_texts
    cdef int _pre
    # The innermost mark around the texts of a frame.
    cdef dict _marks
    cdef Py_ssize_t _most
    # What is read instead of the texts of elements, by the address of their node; or None.
    cdef dict readings
    cdef object _read_elements

    cdef int ended(self, str text, int path) except -1
    cdef int note(self, xmlNode *node, int tag, int frame) except -1
    cdef bint is_apart(self, int before, int after) noexcept
    cdef bint is_long(self, Piece *piece) noexcept

    cdef int _walk(self, xmlNode *root) except -1
    cdef bint _stands_in_sentence(self, xmlNode *element, int flags, int frame) except -1
    cdef bint _is_in_paragraph(self, int frame) except -1
    cdef bint _text_follows(self, xmlNode *place, int frame) except -1
    cdef int _add_read(self, bytes text, int frame) except -1
    cdef int _read_instead(self, xmlNode *node, int tag, int frame, object reading) except -2
    cdef int _close(self, xmlNode *node, int frame, int flags) except -2
    cdef xmlNode *_read_texts(self, xmlNode *node, int frame) except? NULL
    cdef int _add_texts(self, xmlNode *node, xmlNode *end, int frame) except -1
    cdef int _apart(self, int number) except? 1073741824
    cdef int _end_block(self) except -1
    cdef int _end_parts(self) except -1
    cdef bint _reveal(self) except -1
    cdef bint _is_in_shown_heading(self, int number) noexcept
    cdef bint _keep_space(self, Piece *piece, Bytes text) noexcept
    cdef int show_images(self, list moves) except -1
    cdef list image_places(self)
    cdef int place_images(self, list places) except -1
    cdef int _use_plain_text(self) except -1
    cdef int keep_marked(self, list parts, list counts, list moved) except -1
    cdef int _place(self, list texts, list counts, list moved) except -1
    cdef int _append(self, bytes text) except -1
    cdef object _mark(self, int number)
    cdef bint _is_shadow_root(self, xmlNode *node) except -1
    cdef int _make_block(self) except -1
    cdef bint _is_blank(self, Piece *piece) noexcept
    cdef Py_ssize_t _collapsed_chars(self, Piece *piece) noexcept
    cdef str _joined(self)
    cdef str _preformatted(self, int number, str text)


cdef class CompiledBlocks:
    cdef CompiledWalk _walk
    cdef Py_ssize_t _count
    cdef bint _xpaths
    cdef tuple _nodes

    cdef tuple _chains(self, bint siblings)
    cdef object _block(self, Py_ssize_t place, bint xpath)
