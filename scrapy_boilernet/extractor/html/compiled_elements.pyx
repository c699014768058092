# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled form of ``Elements`` in :mod:`scrapy_boilernet.extractor.html.elements`.

It keeps libxml2's own nodes. An element of lxml is made only when it is asked for.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport memset, strcmp, strstr
from lxml.includes cimport etreepublic as lxml_c
from lxml.includes.tree cimport XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode

from scrapy_boilernet.extractor.html.compiled_paths cimport attribute_value, grown, next_node

lxml_c.import_lxml__etree()


cdef extern from *:
    """
    /* By their first two characters, in a table of 1,024, the number of one of the words, counted
       from 1, and behind it, per word, the number of the next one; 0: there is none. */
    static void begin_words(unsigned char *begins, const char **words, int count) {
        int i;
        memset(begins, 0, 1024);
        for (i = 0; i < count; i++) {
            unsigned char *first = &begins[(words[i][0] & 31) << 5 | (words[i][1] & 31)];
            begins[1024 + i] = *first;
            *first = i + 1;
        }
    }
    /* Whether one of the words is in the text; -1: before one, a character is not ASCII. */
    static int has_word(
        const unsigned char *text, int most, const unsigned char *begins, const char **words
    ) {
        const unsigned char *s = text;
        int i, n, left = most;
        for (; *s && left > 0; s++, left--) {
            if (*s >= 0x80) return -1;
            i = begins[(s[0] & 31) << 5 | (s[1] & 31)];
            for (; i; i = begins[1024 + i]) {
                i--;
                for (n = 0; words[i][n] && n < left; n++) {
                    unsigned char c = s[n];
                    if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != (unsigned char)words[i][n]) break;
                }
                if (!words[i][n]) return 1;
            }
        }
        return 0;
    }
    /* The place of a name among 4,096 bits. */
    static unsigned int place_of_name(const unsigned char *s) {
        unsigned int number = 2166136261u;
        for (; *s; s++) number = (number ^ *s) * 16777619u;
        return (number ^ number >> 16) & 4095;
    }
    /* The place among 32,768 bits of three characters, whose fifth bits do not count. */
    static unsigned int place_of(const unsigned char *s) {
        return (s[0] | s[1] << 8 | (unsigned int)s[2] << 16 | 0x202020u) * 0x9e3779b1u >> 17;
    }
    /* Set the bits of all three characters of a text; return whether it is ASCII. */
    static int add_parts(unsigned char *bits, const unsigned char *s) {
        unsigned char all = 0;
        unsigned int place;
        for (; *s; s++) {
            all |= *s;
            if (!s[1] || !s[2]) continue;
            place = place_of(s);
            bits[place >> 3] |= 1 << (place & 7);
        }
        return all < 0x80;
    }
    /* Whether a text with these bits may have a word. */
    static int may_have(const unsigned char *bits, const unsigned char *word) {
        unsigned int place;
        for (; word[1] && word[2]; word++) {
            place = place_of(word);
            if (!(bits[place >> 3] & (1 << (place & 7)))) return 0;
        }
        return 1;
    }
    /* Whether what stands behind the last slash, except one at the end, has a digit or a character
       that is not ASCII. */
    static int may_end_in_number(const unsigned char *text) {
        const unsigned char *s = text + strlen((const char *)text);
        while (s > text && s[-1] <= ' ') s--;
        if (s > text && s[-1] == '/') s--;
        for (; s > text && s[-1] != '/'; s--) {
            if ((s[-1] >= '0' && s[-1] <= '9') || s[-1] >= 0x80) return 1;
        }
        return 0;
    }
    """
    unsigned int place_of_name(const unsigned char *s) noexcept
    bint add_parts(unsigned char *bits, const unsigned char *s) noexcept
    bint may_have(const unsigned char *bits, const unsigned char *word) noexcept
    int may_end_in_number(const unsigned char *text) noexcept
    void begin_words(unsigned char *begins, const char **words, int count) noexcept
    int has_word(
        const unsigned char *text, int most, const unsigned char *begins, const char **words
    ) noexcept


cdef enum:
    KNOWN = 13
    NAME_BYTES = 512  # of 4,096 bits
    PART_BYTES = 4096  # of 32,768 bits

cdef list _KNOWN = [
    b"class", b"href", b"id", b"itemprop", b"name", b"property", b"rel", b"role", b"src", b"style",
    b"aria-controls", b"aria-expanded", b"aria-haspopup",
]
"""The attributes that are asked for most often."""


cdef struct Compared:
    const unsigned char *names[512]  # by its address, a name that was compared last
    int numbers[512]


cdef inline int _number_of(
    Compared *compared, const unsigned char *name, list wanted
) except -2:
    """Return the place of a tree's name of a tag or attribute in ``wanted``; -1 for others."""
    cdef Py_ssize_t slot = <uintptr_t>name & 511  # libxml2 keeps a name at one address
    if compared.names[slot] is not name:
        compared.names[slot] = name
        compared.numbers[slot] = _number(<const char *>name, wanted)
    return compared.numbers[slot]


cdef int _number(const char *name, list wanted) except -2:
    """Return the place of a name in ``wanted``; -1 for others."""
    cdef bytes one
    cdef int number = 0
    for one in wanted:
        if strcmp(name, <const char *>one) == 0:
            return number
        number += 1
    return -1


cdef struct Attributes:
    Py_ssize_t count, room
    Py_ssize_t *places  # of the elements that have it
    xmlAttr **found
    # Once words are asked for:
    unsigned char *bits  # of the parts of all values
    bint is_plain  # whether all values are ASCII
    Py_ssize_t *same  # per value the first one of the same text, or itself
    signed char *has  # per value whether it has one of the words that were asked for last


cdef xmlNode *only_text(xmlAttr *attribute) noexcept:
    """Return the text of an attribute if it is all in one node; NULL without one."""
    cdef xmlNode *text = attribute.children
    if text is NULL or text.next is not NULL or text.type != XML_TEXT_NODE:
        return NULL
    return text if text.content is not NULL else NULL


cdef bint is_same(xmlNode *one, xmlNode *other) noexcept:
    return strcmp(<const char *>one.content, <const char *>other.content) == 0


cdef int _add(Attributes *kept, Py_ssize_t place, xmlAttr *attribute) except -1:
    if kept.count == kept.room:
        kept.room = 2 * kept.room + 64
        kept.places = <Py_ssize_t *>grown(kept.places, kept.room * sizeof(Py_ssize_t))
        kept.found = <xmlAttr **>grown(kept.found, kept.room * sizeof(xmlAttr *))
    kept.places[kept.count], kept.found[kept.count] = place, attribute
    kept.count += 1
    return 0


cdef class CompiledElements:
    """The elements of a page, which are found when one is asked for."""

    cdef object _roots
    cdef xmlNode **_nodes
    cdef const unsigned char **_tags
    cdef Py_ssize_t _count, _room
    cdef Attributes _attributes[KNOWN + 1]  # the last one has the name that was asked for last
    cdef unsigned char _names[NAME_BYTES]  # a bit for each tag and name of an attribute

    def __init__(self, roots):
        self._roots = roots
        self._count = -1
        memset(self._attributes, 0, sizeof(self._attributes))
        memset(self._names, 0, sizeof(self._names))

    cdef int _find(self) except -1:
        """Find the elements and their attributes of ``_KNOWN`` in one pass over the page, once."""
        cdef lxml_c._Element root
        cdef Compared compared
        cdef xmlNode *node
        cdef xmlNode *top
        cdef xmlAttr *attribute
        cdef int number
        if self._count >= 0:
            return 0
        self._count = 0
        memset(compared.names, 0, sizeof(compared.names))
        for root in self._roots:
            top = node = root._c_node
            while node is not NULL:
                if node.type == XML_ELEMENT_NODE:
                    if self._count == self._room:
                        self._room = 2 * self._room + 1024
                        self._nodes = <xmlNode **>grown(
                            self._nodes, self._room * sizeof(xmlNode *)
                        )
                        self._tags = <const unsigned char **>grown(
                            self._tags, self._room * sizeof(unsigned char *)
                        )
                    self._nodes[self._count], self._tags[self._count] = node, node.name
                    self._note(&compared, node.name)
                    attribute = node.properties
                    while attribute is not NULL:
                        number = self._note(&compared, attribute.name)
                        if number >= 0 and attribute.ns is NULL:
                            _add(&self._attributes[number], self._count, attribute)
                        attribute = attribute.next
                    self._count += 1
                node = next_node(node, top)
        return 0

    cdef inline int _note(self, Compared *compared, const unsigned char *name) except -2:
        """Set the bit of a name; return its place in ``_KNOWN``, -1 for others."""
        cdef Py_ssize_t slot = <uintptr_t>name & 511
        cdef unsigned int place
        if compared.names[slot] is not name:
            place = place_of_name(name)
            self._names[place >> 3] |= 1 << (place & 7)
        return _number_of(compared, name, _KNOWN)

    cdef list _among(self, names):
        """Return those of the names that a tag or an attribute of the page may have."""
        cdef list found = []
        cdef bytes one
        cdef unsigned int place
        self._find()
        for name in names:
            one = name.encode()
            place = place_of_name(one)
            if self._names[place >> 3] & (1 << (place & 7)):
                found.append(one)
        return found

    cdef int _compare(self, Attributes *own) except -1:
        """Find which values of a known attribute are the same, and the bits of their parts, once.

        Most values stand on several elements, so each is read once.
        """
        cdef Py_ssize_t known[512]  # by a number of their texts, the values that were read last
        cdef xmlNode *text
        cdef Py_ssize_t i, slot
        if own.bits is not NULL:
            return 0
        own.bits = <unsigned char *>grown(NULL, PART_BYTES)
        own.same = <Py_ssize_t *>grown(NULL, own.count * sizeof(Py_ssize_t))
        own.has = <signed char *>grown(NULL, own.count)
        own.is_plain = True
        memset(own.bits, 0, PART_BYTES)
        memset(known, 0, sizeof(known))
        for i in range(own.count):
            text, own.same[i] = only_text(own.found[i]), i
            if text is NULL:
                own.is_plain &= own.found[i].children is NULL
                continue
            slot = place_of_name(text.content) & 511
            if known[slot] and is_same(only_text(own.found[known[slot] - 1]), text):
                own.same[i] = known[slot] - 1
            else:
                known[slot] = i + 1
                own.is_plain &= add_parts(own.bits, text.content)
        return 0

    cdef Attributes _named(self, str name):
        """Return the attributes of a name; they are valid up to the next call."""
        cdef list wanted = self._among((name,))
        cdef int number
        cdef Compared compared
        cdef xmlAttr *attribute
        cdef Py_ssize_t i
        self._attributes[KNOWN].count = 0
        if not wanted:
            return self._attributes[KNOWN]
        number = _number(<const char *><bytes>wanted[0], _KNOWN)
        if number >= 0:
            return self._attributes[number]
        memset(compared.names, 0, sizeof(compared.names))
        for i in range(self._count):
            attribute = self._nodes[i].properties
            while attribute is not NULL:
                if attribute.ns is NULL and _number_of(&compared, attribute.name, wanted) == 0:
                    _add(&self._attributes[KNOWN], i, attribute)
                    break
                attribute = attribute.next
        return self._attributes[KNOWN]

    def __dealloc__(self):
        cdef int number
        free(self._nodes)
        free(self._tags)
        for number in range(KNOWN + 1):
            free(self._attributes[number].places)
            free(self._attributes[number].found)
            free(self._attributes[number].bits)
            free(self._attributes[number].same)
            free(self._attributes[number].has)

    def __len__(self):
        self._find()
        return self._count

    def __getitem__(self, Py_ssize_t i):
        cdef lxml_c._Element root
        self._find()
        if not 0 <= i < self._count:
            raise IndexError(i)
        root = self._roots[0]
        return lxml_c.elementFactory(root._doc, self._nodes[i])

    def values(self, str name, str part=""):
        """Return the values of an attribute, by the places of the elements that have it: those that
        contain a part, which is ASCII.
        """
        cdef Attributes own = self._named(name)
        cdef bytes wanted = part.encode("ascii")
        cdef xmlNode *text
        cdef Py_ssize_t i
        cdef dict found = {}
        for i in range(own.count):
            text = only_text(own.found[i]) if part else NULL
            if text is not NULL:
                if strstr(<const char *>text.content, <const char *>wanted) is NULL:
                    continue
            value = attribute_value(self._nodes[own.places[i]], own.found[i])
            if part in value:
                found[own.places[i]] = value
        return found

    def numbered_links(self):
        """Return the values of ``href`` that may end in a number, by the places of the elements.

        What stands behind the last slash, except one at the end, has a digit or a character that is
        not ASCII.
        """
        cdef Attributes own = self._named("href")
        cdef xmlNode *text
        cdef Py_ssize_t i
        cdef dict found = {}
        for i in range(own.count):
            text, value = own.found[i].children, None
            if text is NULL:
                continue
            if text.next is not NULL or text.type != XML_TEXT_NODE or text.content is NULL:
                value = attribute_value(self._nodes[own.places[i]], own.found[i])
                if not may_end_in_number(<bytes>value.encode()):
                    continue
            elif not may_end_in_number(text.content):
                continue
            found[own.places[i]] = value or attribute_value(
                self._nodes[own.places[i]], own.found[i]
            )
        return found

    def naming(self, str name, words, int most_chars):
        """Return the places of the elements whose attribute ``name`` contains one of ``words``.

        A word has two or more characters: lower-case ASCII letters and signs. Capitals count as
        lower case, and only the first ``most_chars`` characters of a value are read.
        """
        cdef list kept = [word.encode("ascii") for word in words]
        cdef const char *known[64]
        cdef unsigned char begins[1024 + 64]
        cdef Attributes own = self._named(name)
        cdef xmlNode *text
        cdef Py_ssize_t i
        cdef bytes key = name.encode()
        cdef int has, number = _number(key, _KNOWN)
        cdef list found = []
        if len(kept) > 64 or any([len(word) < 2 for word in words]):
            raise ValueError("more than 64 words, or one of less than two characters")
        if number >= 0 and own.count:
            self._compare(&self._attributes[number])
            own = self._attributes[number]
            if own.is_plain:
                kept = [key for key in kept if may_have(own.bits, key)]
        number = len(kept)
        if not number:
            return found
        for i in range(number):
            known[i] = kept[i]
        begin_words(begins, known, number)
        for i in range(own.count):
            text, has = only_text(own.found[i]), -1
            if own.same is not NULL and own.same[i] < i:
                has = own.has[own.same[i]]
            elif text is not NULL:
                has = has_word(text.content, most_chars, begins, known)
            if has < 0:
                value = attribute_value(self._nodes[own.places[i]], own.found[i])
                value = value[:most_chars].lower()
                has = any([word in value for word in words])
            if own.has is not NULL:
                own.has[i] = has
            if has:
                found.append(own.places[i])
        return found

    def having(self, names):
        """Return the places of the elements that have one of these attributes."""
        cdef list wanted = self._among(names), found = []
        cdef Compared compared
        cdef xmlAttr *attribute
        cdef Py_ssize_t i
        cdef Attributes own
        if len(wanted) == 1:
            own = self._named(wanted[0].decode())
            return [own.places[i] for i in range(own.count)]
        memset(compared.names, 0, sizeof(compared.names))
        for i in range(self._count if wanted else 0):
            attribute = self._nodes[i].properties
            while attribute is not NULL:
                if attribute.ns is NULL and _number_of(&compared, attribute.name, wanted) >= 0:
                    found.append(i)
                    break
                attribute = attribute.next
        return found

    def places(self, elements):
        """Return the places of elements of the page, in the given order."""
        cdef lxml_c._Element element
        cdef dict known = {}
        cdef Py_ssize_t i, left
        for element in elements:
            known[<uintptr_t>element._c_node] = -1
        left = len(known)
        self._find()
        for i in range(self._count):
            if left == 0:
                break
            # Only nodes of which lxml has made an element point to one.
            if self._nodes[i]._private is not NULL and <uintptr_t>self._nodes[i] in known:
                known[<uintptr_t>self._nodes[i]] = i
                left -= 1
        if left:
            raise KeyError("an element of another page")
        return [known[<uintptr_t>element._c_node] for element in elements]

    def ranges(self, elements):
        """Return the place of each element, and that of the last one inside of it, in order.

        Elements inside of others are left out.
        """
        cdef Py_ssize_t place, last = -1
        cdef list found = []
        for place in sorted(self.places(elements)):
            if place > last:
                last = self._last_inside(place)
                found.append((place, last))
        return found

    cdef Py_ssize_t _last_inside(self, Py_ssize_t place):
        """Return the place of the last element inside of one; its own without any."""
        cdef xmlNode *node = next_node(self._nodes[place], self._nodes[place])
        cdef Py_ssize_t last = place
        while node is not NULL:
            last += node.type == XML_ELEMENT_NODE
            node = next_node(node, self._nodes[place])
        return last

    def inside(self, tags, wanted=None):
        """Return the places of the elements in elements of these tags, in document order.

        ``wanted``: the tags of these elements; without them, all are returned.
        """
        cdef list names = None if wanted is None else self._among(wanted), found = []
        cdef Compared compared
        cdef Py_ssize_t place, i, last = -1
        if wanted is not None and not names:
            return found
        memset(compared.names, 0, sizeof(compared.names))
        for place in self.of_tags(tags):
            if place <= last:
                continue
            last = self._last_inside(place)
            for i in range(place + 1, last + 1):
                if wanted is None or _number_of(&compared, self._tags[i], names) >= 0:
                    found.append(i)
        return found

    def of_tags(self, tags):
        """Return the places of the elements of these tags, in document order."""
        cdef list wanted = self._among(tags), found = []
        cdef Compared compared
        cdef Py_ssize_t i
        memset(compared.names, 0, sizeof(compared.names))
        for i in range(self._count if wanted else 0):
            if _number_of(&compared, self._tags[i], wanted) >= 0:
                found.append(i)
        return found
