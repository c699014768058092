# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled form of ``Elements`` in :mod:`scrapy_boilernet.extractor.html.elements`.

It keeps libxml2's own nodes. An element of lxml is made only when it is asked for.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport free
from libc.string cimport memset, strcmp
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
    int may_end_in_number(const unsigned char *text) noexcept
    void begin_words(unsigned char *begins, const char **words, int count) noexcept
    int has_word(
        const unsigned char *text, int most, const unsigned char *begins, const char **words
    ) noexcept


cdef enum:
    KNOWN = 9

cdef list _KNOWN = [
    b"class", b"href", b"id", b"itemprop", b"name", b"property", b"rel", b"role", b"style",
]
"""The attributes that are asked for most often."""


cdef struct Compared:
    const unsigned char *names[256]  # by its address, a name that was compared last
    int numbers[256]


cdef inline int _number_of(
    Compared *compared, const unsigned char *name, list wanted
) except -2:
    """Return the place of a tree's name of a tag or attribute in ``wanted``; -1 for others."""
    cdef Py_ssize_t slot = <uintptr_t>name >> 3 & 255  # libxml2 keeps a name at one address
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

    def __init__(self, roots):
        self._roots = roots
        self._count = -1
        memset(self._attributes, 0, sizeof(self._attributes))

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
                    attribute = node.properties
                    while attribute is not NULL:
                        number = _number_of(&compared, attribute.name, _KNOWN)
                        if number >= 0 and attribute.ns is NULL:
                            _add(&self._attributes[number], self._count, attribute)
                        attribute = attribute.next
                    self._count += 1
                node = next_node(node, top)
        return 0

    cdef Attributes _named(self, str name):
        """Return the attributes of a name; they are valid up to the next call."""
        cdef list wanted = [name.encode()]
        cdef int number = _number(<const char *><bytes>wanted[0], _KNOWN)
        cdef Compared compared
        cdef xmlAttr *attribute
        cdef Py_ssize_t i
        self._find()
        if number >= 0:
            return self._attributes[number]
        self._attributes[KNOWN].count = 0
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

    def values(self, str name):
        """Return the values of an attribute, by the places of the elements that have it."""
        cdef Attributes own = self._named(name)
        cdef Py_ssize_t i
        return {
            own.places[i]: attribute_value(self._nodes[own.places[i]], own.found[i])
            for i in range(own.count)
        }

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
        cdef int has, number = len(kept)
        cdef list found = []
        if number > 64 or any([len(word) < 2 for word in words]):
            raise ValueError("more than 64 words, or one of less than two characters")
        for i in range(number):
            known[i] = kept[i]
        begin_words(begins, known, number)
        for i in range(own.count):
            text, has = own.found[i].children, -1
            if text is NULL:
                has = 0
            elif text.next is NULL and text.type == XML_TEXT_NODE and text.content is not NULL:
                has = has_word(text.content, most_chars, begins, known)
            if has < 0:
                value = attribute_value(self._nodes[own.places[i]], own.found[i])
                value = value[:most_chars].lower()
                has = any([word in value for word in words])
            if has:
                found.append(own.places[i])
        return found

    def having(self, names):
        """Return the places of the elements that have one of these attributes."""
        cdef list wanted = [one.encode() for one in names], found = []
        cdef Compared compared
        cdef xmlAttr *attribute
        cdef Py_ssize_t i
        memset(compared.names, 0, sizeof(compared.names))
        self._find()
        for i in range(self._count):
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
        cdef xmlNode *node
        cdef Py_ssize_t place, last = -1
        cdef list found = []
        for place in sorted(self.places(elements)):
            if place <= last:
                continue
            last = place
            node = next_node(self._nodes[place], self._nodes[place])
            while node is not NULL:
                last += node.type == XML_ELEMENT_NODE
                node = next_node(node, self._nodes[place])
            found.append((place, last))
        return found

    def inside(self, tags):
        """Return the places of the elements in elements of these tags, in document order."""
        cdef xmlNode *top = NULL
        cdef xmlNode *above
        cdef Py_ssize_t i, number = 0
        cdef list outer = self.of_tags(tags), found = []
        cdef Py_ssize_t following = outer[0] if outer else self._count
        for i in range(following, self._count):
            if top is not NULL:
                above = self._nodes[i].parent
                while above is not NULL and above is not top:
                    above = above.parent
                if above is not NULL:
                    found.append(i)
                else:
                    top = NULL
            if i == following:
                number += 1
                following = outer[number] if number < len(outer) else self._count
                top = self._nodes[i] if top is NULL else top
        return found

    def of_tags(self, tags):
        """Return the places of the elements of these tags, in document order."""
        cdef list wanted = [tag.encode() for tag in tags], found = []
        cdef Compared compared
        cdef Py_ssize_t i
        memset(compared.names, 0, sizeof(compared.names))
        self._find()
        for i in range(self._count):
            if _number_of(&compared, self._tags[i], wanted) >= 0:
                found.append(i)
        return found
