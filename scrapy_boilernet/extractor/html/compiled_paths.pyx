# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The compiled form of :mod:`scrapy_boilernet.extractor.html.paths`, which reads libxml2's own nodes."""

from os import urandom

from cpython.long cimport PyLong_AsLong
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_DecodeUTF8
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset, strcmp, strlen
from lxml.includes cimport etreepublic as lxml_c
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    const_xmlChar,
    xmlAttr,
    xmlNode,
)

from scrapy_boilernet.extractor.html.hiding import (
    BY_ARIA,
    CLASSES,
    COLLAPSING,
    HIDING_HEADS,
    OPENED,
    OPENS,
    TABLE_HEAD,
    UNDOABLE,
    hides_by_style,
)
from scrapy_boilernet.extractor.html.paths import (
    LONG_XPATH,
    MANY_NAMES,
    MAX_ANCESTORS,
    MAX_ATTRIBUTE_CHARS,
    MAX_CLASS_WORDS,
    SIDE_NOTES,
    TAG_FLAGS,
    TYPED_TAGS,
    XPATH_NAME,
    hiding_reason,
    inherited_reason,
    read_attributes,
)
from scrapy_boilernet.extractor.html.sentences import CONTROLS, ENDING_TAGS, METADATA_TAGS
from scrapy_boilernet.extractor.html.walk import INLINE_TAGS, NOTED_TAGS, RECORDED_TAGS
from scrapy_boilernet.extractor.page import HEADING_TAGS

lxml_c.import_lxml__etree()

cdef extern from "compiled_bytes.h":
    int attribute_number(const unsigned char *name) noexcept nogil
    bint may_hide_by_style(const unsigned char *style) noexcept nogil
    bint may_hide_by_class(const unsigned char *classes) noexcept nogil
    bint is_tab_panel(const unsigned char *role) noexcept nogil
    bint is_ascii(const unsigned char *s) noexcept nogil
    bint may_be_ruled(const unsigned char *value, const unsigned char *bits) noexcept nogil
    Py_ssize_t joined_values(
        const unsigned char **values, unsigned char *out, int most
    ) noexcept nogil
    Py_ssize_t class_words(
        const unsigned char *s, Py_ssize_t length, unsigned char *out, int most
    ) noexcept nogil

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(PyObject *op)

cdef int _STYLE = 7  # a result of attribute_number
cdef tuple _HIDING = ("hidden", "aria-hidden", "style", "bgcolor", "color")  # 5 and more
cdef int _MAX_ANCESTORS = MAX_ANCESTORS, _LONG_XPATH = LONG_XPATH, _MANY_NAMES = MANY_NAMES
cdef int _BY_ARIA = BY_ARIA
cdef bytes _OPENS = OPENS.encode()
cdef int _ABSOLUTE_CHARS = len("(//*)[]"), _STEP_CHARS = len("/[]")
cdef int _MAX_ATTRIBUTE_CHARS = MAX_ATTRIBUTE_CHARS, _MAX_CLASS_WORDS = MAX_CLASS_WORDS


cdef class PathTable:
    """The open and closed elements of a page; those of one template share their path."""

    def __init__(self, seamless, skipped, rules):
        self.seamless, self.skipped, self.rules = seamless, skipped, rules
        self._rule_bits = b"" if rules is None else rules.bits
        self.tag_names, self._tag_numbers = [], {}
        self.root_steps, self._last_nodes = [], ()
        self._words, self._word_numbers, self._made_paths = [], {}, {0: ((), ())}
        self.path_count = 1
        self._grow_slots(256)
        self._grow_known(256)
        self._grow_siblings(1024)

    def __dealloc__(self):
        self.forget()
        free(self.frames)
        free(self._paths)

    cdef void forget(self) noexcept:
        """Free what is not needed after the walk. The elements may be gone from then on."""
        free(self.tag_flags)
        free(self._known)
        free(self._known_numbers)
        free(self._sibling_keys)
        free(self._sibling_counts)
        free(self._path_slots)
        self._path_slots, self._word_numbers = NULL, None
        self.tag_flags, self._known, self._known_numbers = NULL, NULL, NULL
        self._sibling_keys, self._sibling_counts = NULL, NULL

    cdef int tag_of(self, const_xmlChar *name) except -1:
        """Return the number of a tag; libxml2 keeps equal names at one place."""
        cdef size_t place = _hash(<unsigned long long>name) & (self._known_room - 1)
        cdef int tag
        while self._known[place] is not name:
            if self._known[place] is NULL:
                tag = self._new_tag((<const char *>name).decode("utf-8"))
                self._known[place], self._known_numbers[place] = name, tag
                self._known_count += 1
                if 2 * self._known_count > self._known_room:
                    self._grow_known(2 * self._known_room)
                return tag
            place = (place + 1) & (self._known_room - 1)
        return self._known_numbers[place]

    cdef int _new_tag(self, str name) except -1:
        cdef int flags
        if name in self._tag_numbers:
            return self._tag_numbers[name]
        if self.tag_count == self._tag_room:
            self._tag_room = 2 * self._tag_room + 128
            self.tag_flags = <int *>grown(self.tag_flags, self._tag_room * sizeof(int))
        known = _known_flags.get(name)
        flags = _flags_of(name) if known is None else known
        flags |= SEAMLESS if name in self.seamless else 0
        flags |= SKIPPED if name in self.skipped else 0
        self.tag_flags[self.tag_count] = flags
        self.tag_names.append(name)
        self._tag_numbers[name] = self.tag_count
        self.tag_count += 1
        return self.tag_count - 1

    cdef int _grow_known(self, size_t room) except -1:
        cdef const_xmlChar **known = self._known
        cdef int *numbers = self._known_numbers
        cdef size_t old, place, old_room = self._known_room
        self._known = <const_xmlChar **>_cleared(room, sizeof(void *))
        self._known_numbers = <int *>_cleared(room, sizeof(int))
        self._known_room = room
        for old in range(old_room):
            if known[old] is not NULL:
                place = _hash(<unsigned long long>known[old]) & (room - 1)
                while self._known[place] is not NULL:
                    place = (place + 1) & (room - 1)
                self._known[place], self._known_numbers[place] = known[old], numbers[old]
        free(known)
        free(numbers)
        return 0

    cdef int open(self, xmlNode *element, int tag, int node, int parent) except -1:
        """Return the frame of an element that begins."""
        cdef Frame *frame
        cdef Frame *above
        cdef int flags = self.tag_flags[tag], count = self.count_sibling(parent, tag)
        if self._frame_count == self._frame_room:
            self._frame_room = 2 * self._frame_room + 256
            self.frames = <Frame *>grown(self.frames, self._frame_room * sizeof(Frame))
        frame = &self.frames[self._frame_count]
        frame.element, frame.parent, frame.tag, frame.node = element, parent, tag, node
        frame.name = tag
        frame.step = count
        frame.link = frame.flags = frame.children = frame.names = frame.depth = 0
        frame.bare = frame.absolute = False
        frame.hidden = frame.path = frame.style = UNKNOWN
        if parent >= 0:
            above = &self.frames[parent]
            frame.link, frame.flags = above.link, above.flags
            if not flags & (PLAIN_NAME | NAMED):
                frame.step = -above.children if above.names <= _MANY_NAMES else 0
        if flags & LINK:
            frame.link = node
        frame.flags |= flags & INNER_FLAGS
        self._frame_count += 1
        return self._frame_count - 1

    cdef int count_sibling(self, int parent, int tag) except -1:
        """Return the number of an element among the siblings of its tag so far."""
        cdef unsigned long long key
        cdef size_t place
        if parent < 0:
            return 1
        self.frames[parent].children += 1
        key = ((<unsigned long long>parent << 32) | <unsigned int>tag) + 1
        place = _hash(key) & (self._sibling_room - 1)
        while self._sibling_keys[place] != key:
            if not self._sibling_keys[place]:
                self._sibling_count += 1
                self.frames[parent].names += 1
                self._sibling_keys[place], self._sibling_counts[place] = key, 1
                if 2 * self._sibling_count > self._sibling_room:
                    self._grow_siblings(2 * self._sibling_room)
                return 1
            place = (place + 1) & (self._sibling_room - 1)
        self._sibling_counts[place] += 1
        return self._sibling_counts[place]

    cdef int _grow_siblings(self, size_t room) except -1:
        cdef unsigned long long *keys = self._sibling_keys
        cdef int *counts = self._sibling_counts
        cdef size_t old, place, old_room = self._sibling_room
        self._sibling_keys = <unsigned long long *>_cleared(room, sizeof(unsigned long long))
        self._sibling_counts = <int *>_cleared(room, sizeof(int))
        self._sibling_room = room
        for old in range(old_room):
            if keys[old]:
                place = _hash(keys[old]) & (room - 1)
                while self._sibling_keys[place]:
                    place = (place + 1) & (room - 1)
                self._sibling_keys[place], self._sibling_counts[place] = keys[old], counts[old]
        free(keys)
        free(counts)
        return 0

    cdef int common_ancestor(self, int a, int b) noexcept:
        while a != b:
            if self.frames[a].node < self.frames[b].node:
                a, b = b, a
            if self.frames[a].parent < 0:
                break
            a = self.frames[a].parent
        return a

    cdef int hidden_by(self, int number) except -1:
        """Return why the frame's element, or one around it, hides itself; 0 if none does."""
        if self.frames[number].hidden != UNKNOWN:
            return self.frames[number].hidden
        cdef int around = self.frames[number].parent
        if around >= 0 and self.frames[around].hidden == UNKNOWN:
            self._set_hidden(around)
        self._hide(&self.frames[number])
        return self.frames[number].hidden

    cdef int _set_hidden(self, int number) except -1:
        """Set why the elements around a frame, and its own, are hidden, outermost first."""
        cdef list unknown = []
        while number >= 0 and self.frames[number].hidden == UNKNOWN:
            unknown.append(number)
            number = self.frames[number].parent
        for number in reversed(unknown):
            self._hide(&self.frames[number])
        return 0

    cdef int _hide(self, Frame *frame) except -1:
        """Set why a frame's element is hidden; that of the one around it is known."""
        cdef int own, hidden = self.frames[frame.parent].hidden if frame.parent >= 0 else 0
        if frame.element.properties is not NULL and (not hidden or hidden in UNDOABLE):
            self._read_attributes(frame, &own, False)
            hidden = self._inherited(hidden, own, frame.element)
        frame.hidden = hidden
        return 0

    cdef int _inherited(self, int above, int own, xmlNode *element) except -1:
        """Return why an element is hidden by itself or by the one around it."""
        if own == _BY_ARIA and (
            (element.parent is not NULL and element.parent.name is not NULL
             and strcmp(<const char *>element.parent.name, _OPENS) == 0)
            or (strcmp(<const char *>element.name, b"a") == 0 and self.shows_teaser(element))
        ):
            own = 0
        if not above:
            return own
        if above not in UNDOABLE:
            return above
        cdef xmlAttr *attribute = element.properties
        style = ""
        while attribute is not NULL:
            if attribute.ns is NULL and strcmp(<const char *>attribute.name, b"style") == 0:
                style = lxml_c.attributeValue(element, attribute)
            attribute = attribute.next
        return inherited_reason(above, own, style)

    cdef bint shows_teaser(self, xmlNode *link) except -1:
        """Return False; a subclass that has the document looks at the link."""
        return False

    def hides_itself(self, lxml_c._Element element):
        """Return whether the element hides itself."""
        cdef Frame frame
        cdef int reason
        if element._c_node.type != XML_ELEMENT_NODE:
            return False
        frame.element, frame.tag = element._c_node, self.tag_of(element._c_node.name)
        self._read_attributes(&frame, &reason, False)
        return reason > 0

    cdef str _read_attributes(self, Frame *frame, int *reason, bint wants_words):
        """Return the words of the element's class, id, role and itemprop, or "" if they are not
        wanted; set why it hides itself unless ``reason`` is NULL. Attributes with other characters
        than ASCII are read by the Python code.
        """
        cdef xmlAttr *attribute = frame.element.properties
        cdef Bytes values[4]
        cdef Bytes value
        cdef Bytes style = NULL
        cdef int which
        cdef bint others = False, may_hide = False
        cdef dict hiding = None
        memset(values, 0, sizeof(values))
        while attribute is not NULL:
            which = attribute_number(attribute.name) if attribute.ns is NULL else 0
            if which:
                value = _content(attribute)
                if value is NULL:
                    others = True
                elif which <= 4:
                    values[which - 1] = value
                elif reason is NULL:
                    pass
                elif which == _STYLE:
                    style = value
                else:
                    hiding = {} if hiding is None else hiding
                    hiding[_HIDING[which - 5]] = _text_of(value)
                    may_hide = may_hide or which < _STYLE
            attribute = attribute.next
        cdef unsigned char text[4 * 201 + 1]
        cdef unsigned char words[4 * 201 + 8]
        cdef Py_ssize_t length = 0
        if wants_words and not others:
            length = joined_values(values, text, _MAX_ATTRIBUTE_CHARS)
        if length < 0 or others:
            return self._attributes_in_python(frame, reason)
        if reason is not NULL:
            reason[0] = self._reason_of(frame.tag, values, style, hiding, may_hide)
        if not wants_words:
            return ""
        length = class_words(text, length, words, _MAX_CLASS_WORDS)
        return PyUnicode_DecodeASCII(<const char *>words, length, NULL) if length else ""

    cdef int _reason_of(
        self, int tag, Bytes *values, Bytes style, dict hiding, bint may_hide
    ) except -1:
        """Return why an element with these attributes hides itself; 0 if it does not.

        ``values``: its class, id, role and itemprop. ``hiding``: its other attributes that may hide
        it, beside ``style``, or None; ``may_hide``: whether one of them alone may do so.
        """
        cdef int reason = 0
        cdef bint by_rule = False
        cdef Bytes bits = self._rule_bits
        if style is not NULL and hiding is None and not may_hide_by_style(style):
            style = NULL
        if self.rules is not None:
            by_rule = values[0] is not NULL and may_be_ruled(values[0], bits)
            by_rule = by_rule or (values[1] is not NULL and may_be_ruled(values[1], bits))
        by_rule = by_rule or (values[2] is not NULL and is_tab_panel(values[2]))
        if by_rule or may_hide or (style is not NULL and hiding is not None):
            hiding = {} if hiding is None else hiding
            if style is not NULL:
                hiding["style"] = _text_of(style)
            return hiding_reason(
                hiding, self.tag_names[tag], _cut(values[1]), _cut(values[2]), _cut(values[0]),
                self.rules,
            )
        if style is not NULL:
            reason = hides_by_style(_text_of(style))
        if not reason and values[0] is not NULL and may_hide_by_class(values[0]):
            reason = CLASSES[_cut(values[0])]
        if reason and reason in COLLAPSING and (
            self.tag_names[tag] in SIDE_NOTES
            or (values[0] is not NULL and OPENED.search(_cut(values[0])))
        ):
            return 0
        if reason and self.tag_names[tag] == TABLE_HEAD and reason in HIDING_HEADS:
            return 0
        return reason

    cdef str _attributes_in_python(self, Frame *frame, int *reason):
        cdef xmlAttr *attribute = frame.element.properties
        items = []
        while attribute is not NULL:
            if attribute.ns is NULL and attribute_number(attribute.name):
                value = lxml_c.attributeValue(frame.element, attribute)
                items.append(((<const char *>attribute.name).decode("ascii"), value))
            attribute = attribute.next
        words, hides = read_attributes(items, self.tag_names[frame.tag], self.rules)
        if reason is not NULL:
            reason[0] = hides
        return words

    cdef int locate(self, int number) except -1:
        """Set the paths of the frame and of those around it, and what their XPaths need."""
        cdef list unlocated = []
        cdef int above = number
        while above >= 0 and self.frames[above].path == UNKNOWN:
            unlocated.append(above)
            above = self.frames[above].parent
        for above in reversed(unlocated):
            self._set_path(&self.frames[above])
        return 0

    cdef int _set_path(self, Frame *frame) except -1:
        cdef Frame *parent = &self.frames[frame.parent] if frame.parent >= 0 else NULL
        cdef int flags = self.tag_flags[frame.tag], path = 0, above = 0
        cdef int hides = 0, around = 0, own
        frame.depth = 0
        if parent is not NULL:
            frame.bare = flags & DIV and self.tag_flags[parent.tag] & BODY and (
                _is_bare(frame.element)
            )
            frame.depth = parent.depth + (not frame.bare)
            path, above = parent.path, parent.xpath_chars
            frame.absolute = frame.depth >= _MAX_ANCESTORS or above > _LONG_XPATH or not frame.step
            frame.xpath_chars = _ABSOLUTE_CHARS + _digits(frame.node)
            if not frame.absolute:
                frame.xpath_chars = above + _STEP_CHARS + _digits(abs(frame.step)) + (
                    len(<str>self.tag_names[frame.name]) if frame.step > 0 else 1
                )
        else:
            frame.step = len(self.root_steps) - 1
            frame.xpath_chars = len(<str>self.root_steps[frame.step])
        if frame.bare:
            frame.hidden, frame.path = parent.hidden, path
            return 0
        own = self._words_of(frame, &hides if frame.hidden == UNKNOWN else NULL)
        if frame.element.properties is not NULL:
            if self.ids is not None:
                self._note_id(frame)
        if frame.hidden == UNKNOWN:
            around = parent.hidden if parent is not NULL else 0
            frame.hidden = self._inherited(around, hides, frame.element)
        frame.path = self._path_number(path, frame.tag, own)
        return 0

    cdef int _note_id(self, Frame *frame) except -1:
        cdef xmlAttr *attribute = frame.element.properties
        while attribute is not NULL:
            if attribute.ns is NULL and strcmp(<const char *>attribute.name, "id") == 0:
                value = attribute_value(frame.element, attribute)
                if value:
                    self.ids.append((frame.node, value))
                return 0
            attribute = attribute.next
        return 0

    cdef int _words_of(self, Frame *frame, int *reason) except -1:
        """Return the number of the words of an element's class, id, role and itemprop; set why it
        hides itself unless ``reason`` is NULL.
        """
        cdef Bytes value = _only_class(frame.element)
        cdef Classed *known = NULL
        if value is not NULL:
            known = &self._classed[_slot_of(value)]
            if known.value is not NULL and (
                strcmp(<const char *>known.value, <const char *>value) == 0
            ):
                return known.words
        words = self._read_attributes(frame, reason, True)
        number = self._word_numbers.get(words)
        if number is None:
            number = self._word_numbers[words] = len(self._words)
            self._words.append(words)
        # In others than ASCII, rules find words that may_be_ruled does not see.
        if value is not NULL and not may_hide_by_class(value) and (
            self.rules is None
            or (is_ascii(value) and not may_be_ruled(value, self._rule_bits))
        ):
            known.value, known.words = value, number
        return number

    cdef int _path_number(self, int above, int tag, int own) except -1:
        """Return the number of an element's path; ``above`` is the path of the element around it,
        ``own`` the number of its words.
        """
        cdef int number
        cdef size_t place
        place = _path_hash(above, tag, own) & (self._slot_room - 1)
        while self._path_slots[place]:
            number = self._path_slots[place]
            if (
                self._paths[number].above == above and self._paths[number].tag == tag
                and self._paths[number].words == own
            ):
                return number
            place = (place + 1) & (self._slot_room - 1)
        number = self.path_count
        if number >= self._path_room:
            self._path_room = 2 * number + 128
            self._paths = <Path *>grown(self._paths, self._path_room * sizeof(Path))
        self._paths[number] = Path(above, tag, own)
        self._path_slots[place] = number
        self.path_count += 1
        if 2 * <size_t>self.path_count > self._slot_room:
            self._grow_slots(2 * self._slot_room)
        return number

    cdef int _grow_slots(self, size_t room) except -1:
        cdef int number
        cdef size_t place
        cdef Path *path
        cdef int *slots = <int *>_cleared(room, sizeof(int))
        free(self._path_slots)
        self._path_slots, self._slot_room = slots, room
        for number in range(1, self.path_count):
            path = &self._paths[number]
            place = _path_hash(path.above, path.tag, path.words) & (room - 1)
            while self._path_slots[place]:
                place = (place + 1) & (room - 1)
            self._path_slots[place] = number
        return 0

    cdef tuple path_of(self, int path):
        """Return the tags and the class words of a path, outermost first; both are made once."""
        cdef list tags, class_words
        cdef int number = path
        made = self._made_paths.get(path)
        if made is None:
            tags, class_words = [], []
            while number and len(tags) < _MAX_ANCESTORS:
                tags.append(self.tag_names[self._paths[number].tag])
                class_words.append(self._words[self._paths[number].words])
                number = self._paths[number].above
            tags.reverse()
            class_words.reverse()
            made = _plain((_plain(tuple(tags)), _plain(tuple(class_words))))
            self._made_paths[path] = made
        return made

    cdef tuple nodes_of(self, int number):
        """Return the numbers of a located frame and of those around it, outermost first."""
        cdef tuple made, before = self._last_nodes  # many of its numbers are the same
        cdef Py_ssize_t known = len(before), place = 0
        cdef int above = number
        cdef bint bare = False, is_same
        while above >= 0 and place < _MAX_ANCESTORS:
            place += not bare
            bare = self.frames[above].bare
            above = self.frames[above].parent
        is_same, made = place == known, PyTuple_New(place)
        bare = False
        while place > 0:
            if not bare:
                place -= 1
                node = before[place] if place < known else None
                if node is None or PyLong_AsLong(node) != self.frames[number].node:
                    node, is_same = self.frames[number].node, False
                Py_INCREF(node)
                PyTuple_SET_ITEM(made, place, node)
            bare = self.frames[number].bare
            number = self.frames[number].parent
        if not is_same:
            self._last_nodes = _plain(made)
        return self._last_nodes

    cdef str xpath_of(self, int number):
        """Return the XPath of a located frame."""
        cdef list steps = []
        cdef Frame *frame
        while True:
            frame = &self.frames[number]
            if frame.parent < 0:
                steps.append(self.root_steps[frame.step])
                break
            if frame.absolute:
                steps.append(f"(//*)[{frame.node}]")
                break
            if frame.step > 0:
                steps.append(f"/{<str>self.tag_names[frame.name]}[{frame.step}]")
            else:
                steps.append(f"/*[{-frame.step}]")
            number = frame.parent
        steps.reverse()
        return "".join(steps)


cdef dict _known_flags = {}
cdef int _MAX_KNOWN = 1 << 10


cdef int _flags_of(str name) except -1:
    """Return the flags of a tag that are the same in both units, and keep them for later pages."""
    cdef int flags = 0
    flags |= NOTED if name in NOTED_TAGS else 0
    flags |= RECORDED if name in RECORDED_TAGS else 0
    flags |= INLINE if name in INLINE_TAGS else 0
    flags |= HEADING if name in HEADING_TAGS else 0
    flags |= ENDING if name in ENDING_TAGS else 0
    flags |= CONTROL if name in CONTROLS else 0
    flags |= TYPED if name in TYPED_TAGS else 0
    flags |= METADATA if name in METADATA_TAGS else 0
    flags |= TAG_FLAGS.get(name, 0)
    flags |= PLAIN_NAME if name.isalnum() and name.isascii() else 0
    flags |= NAMED if XPATH_NAME.match(name) else 0
    flags |= {
        "a": LINK, "div": DIV, "body": BODY, "title": TITLE, "head": HEAD,
    }.get(name, 0)
    if len(_known_flags) < _MAX_KNOWN:
        _known_flags[name] = flags
    return flags


cdef tuple _plain(tuple values):
    """Take the tuple out of garbage collection and return it: plain values are in no cycle."""
    PyObject_GC_UnTrack(<PyObject *>values)
    return values


cdef void *grown(void *old, size_t size) except NULL:
    cdef void *new = realloc(old, size)
    if new is NULL:
        raise MemoryError
    return new


cdef void *_cleared(size_t number, size_t size) except NULL:
    cdef void *new = calloc(number, size)
    if new is NULL:
        raise MemoryError
    return new


cdef inline int _digits(int number) noexcept nogil:
    cdef int digits = 1
    while number >= 10:
        number //= 10
        digits += 1
    return digits


cdef unsigned long long _SEED = int.from_bytes(urandom(8), "little")
"""It is random, so that nobody can make a page whose tags, siblings or paths collide."""


cdef inline size_t _hash(unsigned long long key) noexcept nogil:
    """The finalizer of MurmurHash3, by which all bits of the key reach the lowest."""
    key ^= _SEED
    key ^= key >> 33
    key *= 0xFF51AFD7ED558CCDULL
    key ^= key >> 33
    key *= 0xC4CEB9FE1A85EC53ULL
    return <size_t>(key ^ key >> 33)


cdef inline size_t _path_hash(int above, int tag, int words) noexcept nogil:
    return _hash(
        (<unsigned long long>above << 40) ^ (<unsigned long long>tag << 20) ^ <unsigned int>words
    )


cdef Bytes _content(xmlAttr *attribute) noexcept:
    """Return the value of an attribute; NULL if it is not in one piece."""
    cdef xmlNode *text = attribute.children
    if text is NULL:
        return b""
    if text.next is NULL and text.type == XML_TEXT_NODE:
        return text.content
    return NULL


cdef Bytes _only_class(xmlNode *element) noexcept:
    """Return the class of an element without other attributes that are read, "" if it has none;
    NULL if it has others.
    """
    cdef xmlAttr *attribute = element.properties
    cdef Bytes value = b""
    cdef int which
    while attribute is not NULL and value is not NULL:
        which = attribute_number(attribute.name) if attribute.ns is NULL else 0
        if which:
            value = _content(attribute) if which == 1 else NULL
        attribute = attribute.next
    return value


cdef size_t _slot_of(Bytes value) noexcept nogil:
    """Return the place of a class among those that are known, by its length and its end."""
    cdef size_t length = strlen(<const char *>value), slot = length, place
    for place in range(length - min(length, <size_t>8), length):
        slot = 31 * slot + value[place]
    return slot % KNOWN_CLASSES


cdef str _text_of(Bytes value):
    return PyUnicode_DecodeUTF8(<const char *>value, strlen(<const char *>value), NULL)


cdef str attribute_value(xmlNode *element, xmlAttr *attribute):
    cdef Bytes value = _content(attribute)
    return lxml_c.attributeValue(element, attribute) if value is NULL else _text_of(value)


cdef str _cut(Bytes value):
    """Return the beginning of a value that is read; "" if there is none."""
    return "" if value is NULL else _text_of(value)[:_MAX_ATTRIBUTE_CHARS]


cdef bint _is_bare(xmlNode *element) noexcept:
    """Return whether the element has no attributes, and neither element nor text beside it."""
    cdef xmlNode *node = element.parent.children
    if element.properties is not NULL:
        return False
    while node is not NULL:
        if node is not element:
            if lxml_c._isElement(node):
                return False
            if (node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE) and (
                node.content is not NULL
                and not is_space(node.content, node.content + strlen(<const char *>node.content))
            ):
                return False
        node = node.next
    return True
