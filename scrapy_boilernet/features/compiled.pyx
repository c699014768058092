# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The compiled inner loops of the featurizer: counts in texts, ids of paths, sums of subtrees.

The kinds of characters come as a table from :mod:`scrapy_boilernet.features.words`, so that they
are defined once. Tests check that each function gives the same as the one in Python, which runs if
this module is not compiled.
"""

from cpython.unicode cimport (
    PyUnicode_AsUTF8AndSize,
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

from scrapy_boilernet.features.words import (
    CAPITAL,
    DIGIT,
    HIGH,
    PUNCTUATION,
    STOP,
    SYMBOL,
    UNSPACED,
    WORD,
    kinds_of,
    tokens,
)

cdef extern from "Python.h":
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 ch) noexcept nogil
    bint Py_UNICODE_ISLOWER(Py_UCS4 ch) noexcept nogil

cdef enum:
    HEAD = 32  # tokens kept of a text's beginning
    TAIL = 8  # tokens kept of its end
    ROOM = 4096  # the most tokens that a text can have after it is cut off

cdef int C_CAPITAL = CAPITAL, C_DIGIT = DIGIT, C_HIGH = HIGH, C_PUNCTUATION = PUNCTUATION
cdef int C_STOP = STOP, C_SYMBOL = SYMBOL, C_UNSPACED = UNSPACED, C_WORD = WORD
cdef Py_UCS4 _SINGLE = 0x0E00
"""A token of one character above this one belongs to a script without spaces."""


cdef class _Hashes:
    """A set of hashes, none of which is 0."""

    cdef uint64_t *_slots
    cdef size_t _room
    cdef size_t count

    def __cinit__(self, size_t most):
        self._room = 16
        while self._room < 2 * most:
            self._room *= 2
        self._slots = <uint64_t *>calloc(self._room, sizeof(uint64_t))
        if self._slots is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self._slots)

    cdef void add(self, uint64_t key) noexcept nogil:
        cdef size_t place = key & (self._room - 1)
        while self._slots[place]:
            if self._slots[place] == key:
                return
            place = (place + 1) & (self._room - 1)
        self._slots[place] = key
        self.count += 1

    cdef bint has(self, uint64_t key) noexcept nogil:
        cdef size_t place = key & (self._room - 1)
        while self._slots[place]:
            if self._slots[place] == key:
                return True
            place = (place + 1) & (self._room - 1)
        return False


cdef uint64_t _SEED = int.from_bytes(__import__("os").urandom(8), "little")
"""It is random, so that nobody can make a page whose tokens collide."""


cdef inline uint64_t _mixed(uint64_t h) noexcept nogil:
    h ^= h >> 33
    h *= 0xFF51AFD7ED558CCDULL
    h ^= h >> 33
    h *= 0xC4CEB9FE1A85EC53ULL
    h ^= h >> 33
    return h if h else 1


cdef inline uint64_t _run(uint64_t *h) noexcept nogil:
    """Return the hash of a run of three tokens."""
    return _mixed(h[0] * 0x9E3779B97F4A7C15ULL + h[1] * 0xC2B2AE3D27D4EB4FULL + h[2])


cdef class _TextReader:
    """Reads texts with one table of the kinds of characters up to U+FFFF."""

    cdef object _table
    cdef const uint8_t *_kinds
    cdef uint64_t _hashes[ROOM]
    cdef int _lengths[ROOM]  # of each token in characters
    cdef uint8_t _single[ROOM]
    cdef int _count

    def __init__(self, const uint8_t[::1] kinds):
        self._table = kinds  # keeps it alive
        self._kinds = &kinds[0]

    cdef int _kind(self, Py_UCS4 code) except -1:
        return self._kinds[code] if code < 0x10000 else kinds_of(chr(code))

    cdef object count(self, texts, Py_ssize_t most, title, description, body, str closers):
        """Return the rows of :data:`~scrapy_boilernet.features.texts.COUNTS`: (rows, texts)."""
        cdef Py_ssize_t n = len(texts), i = 0
        rows = np.zeros((17, n))
        cdef double[:, ::1] out = rows
        cdef _Hashes in_title = self._set_of(title)
        cdef _Hashes described = self._set_of(tokens(description))
        cdef _Hashes claimed = self._runs_of(tokens(body))
        cdef Py_ssize_t length
        cdef str text
        for text in texts:
            length = len(text)
            self._count_kinds(text, min(length, most), &out[0, i], n)
            out[9, i] = self._ends_sentence(text, min(length, most), closers)
            out[10, i] = Py_UNICODE_ISLOWER(text[0])
            self._tokenize(text, length, most)
            self._count_tokens(&out[0, i], n, out[8, i] > 0 or length > most)
            if in_title.count:
                out[11, i] = self._shared(in_title)
            if self._count >= 3 and (described.count or claimed.count):
                self._claims(&out[0, i], n, described, claimed)
            i += 1
        rows[14] = claimed.count > 0
        return rows

    cdef bint _ends_sentence(self, str text, Py_ssize_t length, str closers) except -1:
        """Return whether the text, without ``closers`` at its end, ends in a full stop or the like.
        """
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        while length and PyUnicode_READ(kind, data, length - 1) in closers:
            length -= 1
        return length > 0 and self._kind(PyUnicode_READ(kind, data, length - 1)) & C_STOP

    cdef int _count_kinds(
        self, str text, Py_ssize_t length, double *out, Py_ssize_t stride
    ) except -1:
        """Write the counts of characters; ``stride``: the distance of two counts of one text."""
        cdef int kind = PyUnicode_KIND(text), of_char, before = 0
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t place
        cdef Py_UCS4 code
        cdef bint dated = False, addressed = False
        cdef int punctuation = 0, stops = 0, digits = 0, capitalized = 0, symbols = 0, high = 0
        for place in range(length):
            code = PyUnicode_READ(kind, data, place)
            of_char = self._kind(code)
            if of_char & ~C_WORD:
                if of_char & C_DIGIT and not dated and not before & C_WORD:
                    dated = self._begins_date(text, place, length)
                punctuation += (of_char & C_PUNCTUATION) != 0
                stops += (of_char & C_STOP) != 0
                digits += (of_char & C_DIGIT) != 0
                symbols += (of_char & C_SYMBOL) != 0
                high += (of_char & C_HIGH) != 0
                capitalized += (of_char & C_CAPITAL) != 0 and not before & C_WORD
            if not addressed and (code == u"@" or code == u":" or code == u"."):
                addressed = code == u"@" or _ends_address(kind, data, place)
            before = of_char
        out[15 * stride], out[16 * stride] = dated, addressed
        out[3 * stride], out[4 * stride], out[5 * stride] = punctuation, stops, digits
        out[6 * stride], out[7 * stride], out[8 * stride] = capitalized, symbols, high
        return 0

    cdef bint _begins_date(self, str text, Py_ssize_t place, Py_ssize_t length) except -1:
        """Return whether a year, a date or a time begins at ``place``, where a word begins."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void *data = PyUnicode_DATA(text)
        cdef Py_ssize_t first = self._digits(kind, data, place, length), second
        cdef Py_UCS4 code = PyUnicode_READ(kind, data, place)
        cdef Py_UCS4 other
        if first == 4 and self._ends_word(kind, data, place + 4, length):
            other = PyUnicode_READ(kind, data, place + 1)
            if (code == u"1" and other == u"9") or (code == u"2" and other == u"0"):
                return True
        place += first
        if first > 2 or place >= length:
            return False
        code = PyUnicode_READ(kind, data, place)
        if code != u":" and code != u"." and code != u"/" and code != u"-":
            return False
        second = self._digits(kind, data, place + 1, length)
        return 1 <= second <= 2 and self._ends_word(kind, data, place + 1 + second, length)

    cdef Py_ssize_t _digits(
        self, int kind, void *data, Py_ssize_t place, Py_ssize_t length
    ) except -1:
        """Return how many digits follow."""
        cdef Py_ssize_t begin = place
        while place < length and self._kind(PyUnicode_READ(kind, data, place)) & C_DIGIT:
            place += 1
        return place - begin

    cdef bint _ends_word(
        self, int kind, void *data, Py_ssize_t place, Py_ssize_t length
    ) except -1:
        return place >= length or not self._kind(PyUnicode_READ(kind, data, place)) & C_WORD

    cdef int _tokenize(self, str text, Py_ssize_t length, Py_ssize_t most) except -1:
        """Read the first and last tokens of the text's beginning and end."""
        self._count = 0
        if not text.isascii() and ("\u0130" in text or "\u03a3" in text):
            # In lower case these are two characters, or depend on the next ones.
            if length > most:
                text = text[: most // 2] + " " + text[length - most // 2 :]
            for token in tokens(text):
                self._add_token(token)
        elif length > most:
            self._read(text, 0, most // 2)
            self._read(text, length - most // 2, length)
        else:
            self._read(text, 0, length)
        cdef int i, from_
        if self._count > HEAD + TAIL:
            for i in range(TAIL):
                from_ = self._count - TAIL + i
                self._hashes[HEAD + i] = self._hashes[from_]
                self._lengths[HEAD + i] = self._lengths[from_]
                self._single[HEAD + i] = self._single[from_]
            self._count = HEAD + TAIL
        return 0

    cdef int _read(self, str text, Py_ssize_t place, Py_ssize_t end) except -1:
        """Add the tokens between two places."""
        cdef int kind = PyUnicode_KIND(text), of_char, length
        cdef void *data = PyUnicode_DATA(text)
        cdef uint64_t h
        cdef Py_UCS4 code = 0
        while place < end:
            of_char = self._kind(PyUnicode_READ(kind, data, place))
            if not of_char & (C_WORD | C_UNSPACED):
                place += 1
                continue
            h, length = _SEED, 0
            while True:
                code = Py_UNICODE_TOLOWER(PyUnicode_READ(kind, data, place))
                h = (h ^ <uint32_t>code) * 0x100000001B3ULL
                length += 1
                place += 1
                if of_char & C_UNSPACED or place >= end:
                    break
                of_char = self._kind(PyUnicode_READ(kind, data, place))
                if not of_char & C_WORD or of_char & C_UNSPACED:
                    break
            self._hashes[self._count] = _mixed(h)
            self._lengths[self._count] = length
            self._single[self._count] = length == 1 and code > _SINGLE
            self._count += 1
        return 0

    cdef int _add_token(self, str token) except -1:
        cdef Py_UCS4 code
        cdef uint64_t h = _SEED
        for code in token:
            h = (h ^ <uint32_t>code) * 0x100000001B3ULL
        self._hashes[self._count] = _mixed(h)
        self._lengths[self._count] = len(token)
        self._single[self._count] = len(token) == 1 and token[0] > _SINGLE
        self._count += 1
        return 0

    cdef _Hashes _set_of(self, words):
        cdef _Hashes found = _Hashes(len(words))
        for word in words:
            self._count = 0
            self._add_token(word)
            found.add(self._hashes[0])
        return found

    cdef _Hashes _runs_of(self, words):
        """Return the hashes of all runs of three words."""
        cdef _Hashes found = _Hashes(len(words))
        cdef int place = 0
        self._count = 0
        for word in words:
            if self._count == ROOM:
                self._hashes[0], self._hashes[1] = self._hashes[ROOM - 2], self._hashes[ROOM - 1]
                self._count = 2
            self._add_token(word)
            if self._count >= 3:
                found.add(_run(&self._hashes[self._count - 3]))
        return found

    cdef void _count_tokens(self, double *out, Py_ssize_t stride, bint unsure) noexcept:
        cdef int i, chars = 0, singles = 0
        for i in range(self._count):
            chars += self._lengths[i]
            singles += self._single[i]
        out[0], out[stride] = self._count, chars
        out[2 * stride] = singles if unsure else 0

    cdef double _shared(self, _Hashes title) noexcept:
        """Return the share of the tokens of text and title that both have."""
        cdef int i, j, own = 0, common = 0
        for i in range(self._count):
            common += title.has(self._hashes[i])
        if not common:
            return 0
        common = 0
        for i in range(self._count):
            for j in range(i):
                if self._hashes[j] == self._hashes[i]:
                    break
            else:
                own += 1
                common += title.has(self._hashes[i])
        return <double>common / <double>(own + title.count - common)

    cdef void _claims(
        self, double *out, Py_ssize_t stride, _Hashes described, _Hashes claimed
    ) noexcept:
        cdef int i, hits = 0
        for i in range(self._count):
            hits += described.has(self._hashes[i])
        out[12 * stride] = <double>hits / self._count
        if claimed.count:
            hits = 0
            for i in range(self._count - 2):
                hits += claimed.has(_run(&self._hashes[i]))
            out[13 * stride] = <double>hits / (self._count - 2)


def hash_tokens(str text, const uint8_t[::1] kinds, const uint64_t[::1] factors):
    """Return the hash of each token of text in lower case: (tokens,), uint64.

    ``factors``: by the place of a character in its token; the last one is for all later places.
    """
    cdef int kind = PyUnicode_KIND(text), of_char, most = len(factors) - 1, number = 0
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, count = 0, length = len(text)
    cdef uint64_t h = 0
    cdef uint32_t code
    cdef bint inside = False
    hashes = np.empty(length, dtype=np.uint64)
    cdef uint64_t[::1] out = hashes
    for place in range(length):
        code = PyUnicode_READ(kind, data, place)
        of_char = kinds[code] if code < 0x10000 else kinds_of(chr(code))
        if inside and (not of_char & C_WORD or of_char & C_UNSPACED):
            out[count] = (h ^ h >> 32) * factors[0]
            count += 1
            inside = False
        if of_char & (C_WORD | C_UNSPACED):
            if not inside:
                inside, number, h = True, 0, 0
            h += (<uint64_t>code + 1) * factors[min(number, most)]
            number += 1
            if of_char & C_UNSPACED:
                out[count] = (h ^ h >> 32) * factors[0]
                count += 1
                inside = False
    if inside:
        out[count] = (h ^ h >> 32) * factors[0]
        count += 1
    return hashes[:count].copy()


def count_rows(
    texts, Py_ssize_t most_chars, title, description, body, const uint8_t[::1] kinds, str closers
):
    """Return the rows of :data:`~scrapy_boilernet.features.texts.COUNTS`: (rows, texts), float64.

    ``kinds``: the kinds of the characters up to U+FFFF. ``closers``: what may follow the end of a
    sentence.
    """
    cdef _TextReader reader = _TextReader(kinds)
    return reader.count(texts, most_chars, title, description, body, closers)


cdef bint _ends_address(int kind, void *data, Py_ssize_t place) noexcept:
    """Return whether the sign ends ``http:``, ``https:`` or ``www.``."""
    return (
        _stands_before(kind, data, place, b"www.", 4)
        or _stands_before(kind, data, place, b"http:", 5)
        or _stands_before(kind, data, place, b"https:", 6)
    )


cdef bint _stands_before(
    int kind, void *data, Py_ssize_t place, const char *sign, int length
) noexcept:
    cdef int i
    if place + 1 < length:
        return False
    for i in range(length):
        if PyUnicode_READ(kind, data, place + 1 - length + i) != <Py_UCS4>sign[i]:
            return False
    return True


cdef extern from *:
    """
    static unsigned int crc_table[256];
    static void make_crc_table(void) {
        unsigned int n, k, c;
        for (n = 0; n < 256; n++) {
            for (c = n, k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
            crc_table[n] = c;
        }
    }
    /* zlib's crc32(s, begin) */
    static unsigned int crc32_of(unsigned int begin, const char *s, const char *end) {
        unsigned int c = ~begin;
        while (s < end) c = crc_table[(c ^ (unsigned char)*s++) & 0xff] ^ (c >> 8);
        return ~c;
    }
    """
    void make_crc_table() noexcept nogil
    uint32_t crc32_of(uint32_t begin, const char *s, const char *end) noexcept nogil


cdef inline bint is_ascii_space(char c) noexcept nogil:
    return c == c" " or c"\t" <= c <= c"\r"


make_crc_table()


def path_ids(paths, begins, Py_ssize_t rows, bint split):
    """Return the ids of the steps of each path, innermost first, and where the ids of each path
    begin: (ids,) and (paths + 1,), both int64.

    ``begins``: per step, innermost first, the checksum that its ids continue; other steps are not
    read. ``split``: each word of a step has an id.
    """
    cdef list ids = []
    cdef Py_ssize_t n = len(paths), i = 0, length, step
    offsets = np.zeros(n + 1, dtype=np.int64)
    cdef int64_t[::1] ends = offsets
    cdef uint32_t first[64]
    cdef int steps = min(64, len(begins))
    for step in range(steps):
        first[step] = begins[step]
    cdef Py_ssize_t room = 1024, count = 0
    out = np.empty(room, dtype=np.int64)
    cdef int64_t[::1] written = out
    cdef const char *word
    cdef const char *place
    cdef const char *end
    cdef tuple path
    for path in paths:
        length = len(path)
        for step in range(min(<Py_ssize_t>steps, length)):
            text = path[length - 1 - step]
            data = text.encode("utf-8", "surrogatepass") if not text.isascii() else text
            if data is text:
                place = PyUnicode_AsUTF8AndSize(text, &room)
            else:
                place, room = <const char *><bytes>data, len(data)
            end = place + room
            while True:
                word = place
                while place < end and not (split and is_ascii_space(place[0])):
                    place += 1
                if place > word or not split:
                    if count == len(out):
                        out = np.concatenate([out, np.empty_like(out)])
                        written = out
                    written[count] = crc32_of(first[step], word, place) % rows
                    count += 1
                if place >= end:
                    break
                place += 1
        i += 1
        ends[i] = count
    return out[:count].copy(), offsets


def number_paths(paths):
    """Return the different paths in the order of their first places, and the number of each path:
    (paths,), int64.
    """
    cdef Py_ssize_t n = len(paths), i = 0
    cdef size_t room = 64, place
    places = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] out = places
    cdef dict numbers = {}
    while room < 2 * <size_t>n:
        room *= 2
    # Most equal paths are one object, and identities are quicker to compare.
    cdef PyObject **known = <PyObject **>calloc(room, sizeof(PyObject *))
    cdef int64_t *known_numbers = <int64_t *>calloc(room, sizeof(int64_t))
    try:
        if known is NULL or known_numbers is NULL:
            raise MemoryError
        for path in paths:
            place = _mixed(<uint64_t><PyObject *>path) & (room - 1)
            while known[place] is not <PyObject *>path:
                if known[place] is NULL:
                    known[place] = <PyObject *>path
                    known_numbers[place] = numbers.setdefault(path, len(numbers))
                    break
                place = (place + 1) & (room - 1)
            out[i] = known_numbers[place]
            i += 1
    finally:
        free(known)
        free(known_numbers)
    return tuple(numbers), places


cdef struct Subtree:
    int64_t node  # 0: none
    double blocks
    double words
    double link_words


def subtree_sums(
    const int64_t[::1] nodes, const int64_t[::1] depths, const double[::1] words,
    const double[::1] link_words, int levels,
):
    """Return the blocks, words and words in links of each block's nearest distinct subtrees:
    (3, levels, blocks).

    ``nodes``: the numbers of the ancestors, outermost first, block after block; ``depths``: how
    many each block has. An ancestor that adds no block to the subtree below it is passed over. If
    there are fewer subtrees than ``levels``, the last is repeated. A block without ancestors has
    zeros.
    """
    cdef Py_ssize_t n = len(depths), i, step, total = len(nodes), count = 0
    cdef size_t room = 64, place
    cdef int level
    cdef int64_t node
    sums = np.zeros((3, levels, n))
    cdef double[:, :, ::1] out = sums
    while room < 2 * <size_t>total:
        room *= 2
    cdef Subtree *table = <Subtree *>calloc(room, sizeof(Subtree))
    cdef uint32_t *places = <uint32_t *>calloc(total + 1, sizeof(uint32_t))
    cdef Subtree *subtree
    cdef double blocks
    try:
        if table is NULL or places is NULL:
            raise MemoryError
        for i in range(n):
            for step in range(depths[i]):
                node = nodes[count]
                place = _mixed(<uint64_t>node) & (room - 1)
                while table[place].node != node + 1:
                    if not table[place].node:
                        table[place].node = node + 1
                        break
                    place = (place + 1) & (room - 1)
                subtree = &table[place]
                subtree.blocks += 1
                subtree.words += words[i]
                subtree.link_words += link_words[i]
                places[count] = place
                count += 1
        count = 0
        for i in range(n):
            level = 0
            blocks = 0
            for step in range(depths[i] - 1, -1, -1):
                subtree = &table[places[count + step]]
                if subtree.blocks == blocks:
                    continue
                blocks = subtree.blocks
                out[0, level, i], out[1, level, i] = blocks, subtree.words
                out[2, level, i] = subtree.link_words
                level += 1
                if level == levels:
                    break
            while 0 < level < levels:
                out[0, level, i] = out[0, level - 1, i]
                out[1, level, i], out[2, level, i] = out[1, level - 1, i], out[2, level - 1, i]
                level += 1
            count += depths[i]
    finally:
        free(table)
        free(places)
    return sums

