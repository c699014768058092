# cython: language_level=3
"""The declarations of :mod:`scrapy_boilernet.extractor.html.compiled_paths`."""

from lxml.includes cimport etreepublic as lxml_c
from lxml.includes.tree cimport XML_ELEMENT_NODE, const_xmlChar, xmlAttr, xmlNode

cdef extern from "compiled_bytes.h":
    int space_bytes(const unsigned char *s, const unsigned char *end) noexcept nogil

ctypedef const unsigned char *Bytes

include "constants.pxi"

cdef enum:
    # Flags of a tag, beside those of constants.pxi, which hold for everything in the element, too.
    LINK = INNER_FLAGS + 1
    SEAMLESS = 2 * LINK
    SKIPPED = 2 * SEAMLESS
    NOTED = 2 * SKIPPED
    PLAIN_NAME = 2 * NOTED
    NAMED = 2 * PLAIN_NAME
    DIV = 2 * NAMED
    BODY = 2 * DIV
    TITLE = 2 * BODY
    HEAD = 2 * TITLE
    RECORDED = 2 * HEAD
    INLINE = 2 * RECORDED
    HEADING = 2 * INLINE
    ENDING = 2 * HEADING
    CONTROL = 2 * ENDING
    TYPED = 2 * CONTROL
    METADATA = 2 * TYPED
    UNKNOWN = -1


cdef struct Frame:
    xmlNode *element
    int parent  # -1: none
    int tag
    int name  # the tag in its XPath
    int node
    int step
    int link
    int flags
    int depth
    int hidden  # UNKNOWN, or why it is hidden; 0: it is shown
    int path  # UNKNOWN: not located
    int xpath_chars  # characters of its XPath
    bint bare  # whether it counts as the element around it
    bint absolute  # whether its XPath is its number
    int children
    int names
    int style  # UNKNOWN or the number of a style of the markup


cdef enum:
    KNOWN_CLASSES = 128


cdef struct Classed:
    Bytes value  # of a class that hides nothing
    int words  # the number of its words


cdef struct Path:
    int above  # the path of the element around it
    int tag
    int words  # the number of the class words


cdef class PathTable:
    cdef object seamless, skipped, rules
    cdef bytes _rule_bits
    # (number, id) of the elements around blocks; None if nobody wants them.
    cdef list ids
    cdef list root_steps
    # Tags of the page: flags and names by number; numbers by pointer and by name.
    cdef int *tag_flags
    cdef int tag_count, _tag_room
    cdef list tag_names
    cdef dict _tag_numbers
    cdef const_xmlChar **_known
    cdef int *_known_numbers
    cdef size_t _known_count, _known_room
    # Children of a frame by tag: from (frame << 32 | tag) + 1 to their count.
    cdef unsigned long long *_sibling_keys
    cdef int *_sibling_counts
    cdef size_t _sibling_count, _sibling_room
    cdef Frame *frames
    cdef Py_ssize_t _frame_count, _frame_room
    # The different paths, of which the first is empty, and a hash table of their numbers.
    cdef Path *_paths
    cdef int path_count, _path_room
    cdef int *_path_slots
    cdef size_t _slot_room
    # Some classes that were read last, by a number of them.
    cdef Classed _classed[KNOWN_CLASSES]
    cdef list _words
    cdef dict _word_numbers, _made_paths
    # What nodes_of returned last.
    cdef tuple _last_nodes

    cdef int tag_of(self, const_xmlChar *name) except -1
    cdef int open(self, xmlNode *element, int tag, int node, int parent) except -1
    cdef int count_sibling(self, int parent, int tag) except -1
    cdef int common_ancestor(self, int a, int b) noexcept
    cdef int hidden_by(self, int number) except -1
    cdef bint shows_teaser(self, xmlNode *link) except -1
    cdef int locate(self, int number) except -1
    cdef tuple path_of(self, int path)
    cdef tuple nodes_of(self, int number)
    cdef str xpath_of(self, int number)
    cdef void forget(self) noexcept

    cdef int _new_tag(self, str name) except -1
    cdef int _grow_known(self, size_t room) except -1
    cdef int _grow_siblings(self, size_t room) except -1
    cdef int _note_id(self, Frame *frame) except -1
    cdef int _words_of(self, Frame *frame, int *reason) except -1
    cdef int _path_number(self, int above, int tag, int own) except -1
    cdef int _grow_slots(self, size_t room) except -1
    cdef int _set_hidden(self, int number) except -1
    cdef int _hide(self, Frame *frame) except -1
    cdef int _inherited(self, int above, int own, xmlNode *element) except -1
    cdef str _read_attributes(self, Frame *frame, int *reason, bint wants_words)
    cdef int _reason_of(
        self, int tag, Bytes *values, Bytes style, dict hiding, bint may_hide
    ) except -1
    cdef str _attributes_in_python(self, Frame *frame, int *reason)
    cdef int _set_path(self, Frame *frame) except -1


cdef void *grown(void *old, size_t size) except NULL
cdef str attribute_value(xmlNode *element, xmlAttr *attribute)


cdef inline xmlNode *first_element(xmlNode *node) noexcept nogil:
    """Return the first element or comment from ``node`` on, NULL if there is none."""
    while node is not NULL and not lxml_c._isElement(node):
        node = node.next
    return node


cdef inline xmlNode *next_node(xmlNode *node, xmlNode *top) noexcept nogil:
    """Return the node in ``top`` after ``node`` in document order; NULL after the last."""
    if node.type == XML_ELEMENT_NODE and node.children is not NULL:
        return node.children
    while node is not top:
        if node.next is not NULL:
            return node.next
        node = node.parent
    return NULL


cdef inline bint is_space(Bytes place, Bytes end) noexcept nogil:
    """Return whether the text is only white space."""
    cdef int space
    while place < end:
        space = space_bytes(place, end)
        if not space:
            return False
        place += space
    return True
