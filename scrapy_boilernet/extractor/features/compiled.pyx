# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The compiled inner loops of the featurizer: counts in texts, ids of paths, sums of subtrees; and of
the decision, which goes through all prefixes of a page's blocks.

Constants come from the Python modules by ``constants.pxi``, which ``compiled_constants.py`` writes;
the kinds of characters and the pattern of a date come as arguments. So all are defined once. Tests
check that each function gives the same as the one in Python, which runs if this module is not
compiled.
"""

from cpython.unicode cimport (
    PyUnicode_AsUTF8AndSize,
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.math cimport floor
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

from scrapy_boilernet.extractor.features.words import kinds_of, tokens

include "constants.pxi"

cdef extern from "Python.h":
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 ch) noexcept nogil
    bint Py_UNICODE_ISLOWER(Py_UCS4 ch) noexcept nogil

cdef enum:
    MOST_TOKENS = HEAD_TOKENS + TAIL_TOKENS

cdef uint8_t _ADDRESS_ENDS[128]
"""1 for the last character of one of ``ADDRESSES``."""
cdef Py_ssize_t _ADDRESS_CHARS[ADDRESSES_LENGTH]
for _address in range(ADDRESSES_LENGTH):
    _ADDRESS_CHARS[_address] = len(ADDRESSES[_address])
    _ADDRESS_ENDS[<uint8_t>ADDRESSES[_address][_ADDRESS_CHARS[_address] - 1]] = 1


cdef class _Hashes:
    """A set of hashes, none of which is 0."""

    cdef uint64_t *_slots
    cdef size_t _room
    cdef size_t count
    cdef uint64_t _bits  # one for the upper bits of each hash

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
        self._bits |= 1ULL << (key >> 58)
        self.count += 1

    cdef bint _finds(self, uint64_t key) noexcept nogil:
        cdef size_t place = key & (self._room - 1)
        while self._slots[place]:
            if self._slots[place] == key:
                return True
            place = (place + 1) & (self._room - 1)
        return False


cdef inline bint _has(_Hashes hashes, uint64_t key) noexcept:
    return hashes._bits >> (key >> 58) & 1 and hashes._finds(key)


cdef uint64_t _SEED = int.from_bytes(__import__("os").urandom(8), "little")
"""It is random, so that nobody can make a page whose tokens collide."""


cdef inline uint64_t _mixed(uint64_t h) noexcept nogil:
    h ^= h >> 33
    h *= 0xFF51AFD7ED558CCDULL
    h ^= h >> 33
    h *= 0xC4CEB9FE1A85EC53ULL
    h ^= h >> 33
    return h if h else 1


cdef inline uint32_t _lower(uint32_t code) noexcept nogil:
    if code < 128:
        return code + 32 if 65 <= code <= 90 else code  # A to Z
    return Py_UNICODE_TOLOWER(code)


cdef inline uint64_t _run(uint64_t *h) noexcept nogil:
    """Return the hash of a run of three tokens."""
    return _mixed(h[0] * 0x9E3779B97F4A7C15ULL + h[1] * 0xC2B2AE3D27D4EB4FULL + h[2])


cdef uint64_t _hash_of(str token) except 0:
    cdef Py_UCS4 code
    cdef uint64_t h = _SEED
    for code in token:
        h = (h ^ <uint32_t>code) * 0x100000001B3ULL
    return _mixed(h)


cdef _Hashes _set_of(words):
    cdef _Hashes found = _Hashes(len(words))
    for word in words:
        found.add(_hash_of(word))
    return found


cdef _Hashes _runs_of(words):
    """Return the hashes of all runs of three words."""
    cdef _Hashes found = _Hashes(len(words))
    cdef uint64_t[3] run = [0, 0, 0]
    cdef Py_ssize_t count = 0
    for word in words:
        run[0], run[1], run[2] = run[1], run[2], _hash_of(word)
        count += 1
        if count >= 3:
            found.add(_run(run))
    return found


cdef class _TextReader:
    """Reads texts with one table of the kinds of characters up to U+FFFF."""

    cdef object _table
    cdef const uint8_t *_kinds
    # The characters that were loaded, and their kinds.
    cdef uint32_t _codes[MAX_TEXT_CHARS]
    cdef uint8_t _own[MAX_TEXT_CHARS]
    # The first tokens of a text and its last ones.
    cdef uint64_t _hashes[MOST_TOKENS]
    cdef int _lengths[MOST_TOKENS]  # in characters
    cdef uint8_t _single[MOST_TOKENS]
    cdef int _count

    def __init__(self, const uint8_t[::1] kinds):
        self._table = kinds  # keeps it alive
        self._kinds = &kinds[0]

    cdef object count(self, texts, title, description, body, str closers, date):
        """Return the rows of :data:`~scrapy_boilernet.extractor.features.texts.COUNTS`: (rows, texts)."""
        cdef Py_ssize_t n = len(texts), i = 0
        rows = np.zeros((COUNTS, n))
        cdef double[:, ::1] out = rows
        cdef _Hashes in_title = _set_of(title)
        cdef _Hashes described = _set_of(tokens(description))
        cdef _Hashes claimed = _runs_of(tokens(body))
        cdef Py_ssize_t length, read
        cdef str text
        for text in texts:
            length = len(text)
            read = min(length, <Py_ssize_t>MAX_TEXT_CHARS)
            self._load(text, 0, read)
            self._count_kinds(text, read, &out[0, i], n, date)
            out[ENDS_ROW, i] = self._ends_sentence(read, closers)
            out[LOWER_ROW, i] = read > 0 and Py_UNICODE_ISLOWER(self._codes[0])
            self._tokenize(text, length)
            self._count_tokens(&out[0, i], n, out[HIGH_ROW, i] > 0 or length > read)
            if in_title.count:
                out[IN_TITLE_ROW, i] = self._shared(in_title)
            if self._count >= MIN_CLAIM_TOKENS and (described.count or claimed.count):
                self._claims(&out[0, i], n, described, claimed)
            i += 1
        rows[HAS_BODY_ROW] = claimed.count > 0
        return rows

    cdef int _load(self, str text, Py_ssize_t begin, Py_ssize_t end) except -1:
        """Load the characters between two places."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const uint8_t *data = <const uint8_t *>PyUnicode_DATA(text) + kind * begin
        cdef uint32_t code
        cdef Py_ssize_t i, length = end - begin
        if kind == 1:
            for i in range(length):
                self._codes[i] = data[i]
                self._own[i] = self._kinds[data[i]]
            return 0
        for i in range(length):
            code = (<const uint16_t *>data)[i] if kind == 2 else (<const uint32_t *>data)[i]
            self._codes[i] = code
            self._own[i] = self._kinds[code] if code < 0x10000 else kinds_of(chr(code))
        return 0

    cdef bint _ends_sentence(self, Py_ssize_t length, str closers) except -1:
        """Return whether the text, without ``closers`` at its end, ends in a full stop or the like.
        """
        while length and not self._own[length - 1] & WORD and (
            <Py_UCS4>self._codes[length - 1] in closers
        ):
            length -= 1
        return length > 0 and self._own[length - 1] & STOP

    cdef int _count_kinds(
        self, str text, Py_ssize_t length, double *out, Py_ssize_t stride, date
    ) except -1:
        """Write the counts of characters; ``stride``: the distance of two counts of one text.

        ``date``: the pattern's method ``match``. A date begins where a word begins.
        """
        cdef int of_char, before = 0
        cdef Py_ssize_t place
        cdef uint32_t code
        cdef bint dated = False, addressed = False
        cdef int punctuation = 0, stops = 0, digits = 0, capitalized = 0, symbols = 0, high = 0
        for place in range(length):
            code, of_char = self._codes[place], self._own[place]
            if of_char & ~WORD:
                if of_char & DIGIT and not dated and not before & WORD and (
                    self._may_be_date(place, length)
                ):
                    dated = date(text, place, length) is not None
                punctuation += (of_char & PUNCTUATION) != 0
                stops += (of_char & STOP) != 0
                digits += (of_char & DIGIT) != 0
                symbols += (of_char & SYMBOL) != 0
                high += (of_char & HIGH) != 0
                capitalized += (of_char & CAPITAL) != 0 and not before & WORD
            if code < 128 and _ADDRESS_ENDS[code] and not addressed:
                addressed = _ends_address(self._codes, place)
            before = of_char
        out[DATED_ROW * stride], out[ADDRESSED_ROW * stride] = dated, addressed
        out[PUNCTUATION_ROW * stride], out[STOPS_ROW * stride] = punctuation, stops
        out[DIGITS_ROW * stride], out[CAPITALIZED_ROW * stride] = digits, capitalized
        out[SYMBOLS_ROW * stride], out[HIGH_ROW * stride] = symbols, high
        return 0

    cdef bint _may_be_date(self, Py_ssize_t place, Py_ssize_t length) noexcept:
        """Return whether the digit at ``place`` may begin a date: a year, or one or two digits, a
        sign and a digit.
        """
        cdef Py_ssize_t end = place + 1
        while end < length and end < place + 5 and self._own[end] & DIGIT:
            end += 1
        return end == place + 4 or (
            end < place + 3 and end + 1 < length and not self._own[end] & WORD
            and self._own[end + 1] & DIGIT
        )

    cdef int _tokenize(self, str text, Py_ssize_t length) except -1:
        """Read the first and last tokens of the text's beginning and end; the text is loaded."""
        cdef Py_ssize_t part = MAX_TEXT_CHARS // 2
        self._count = 0
        if PyUnicode_KIND(text) > 1 and ("\u0130" in text or "\u03a3" in text):
            # In lower case these are two characters, or depend on the next ones.
            if length > MAX_TEXT_CHARS:
                text = text[:part] + " " + text[length - part :]
            found = tokens(text)
            if len(found) > MOST_TOKENS:
                found = found[:HEAD_TOKENS] + found[len(found) - TAIL_TOKENS :]
            for token in found:
                self._add_token(token)
        elif length > MAX_TEXT_CHARS:
            self._read_part(part)
            self._load(text, length - part, length)
            self._read_part(part)
        else:
            self._read_part(length)
        return 0

    cdef void _read_part(self, Py_ssize_t end) noexcept:
        """Read the tokens of the first characters that are loaded, behind those read before; if
        there are too many, the last ones take the place of those before them.
        """
        cdef Py_ssize_t place = self._read(0, end), start = end
        cdef int i, new = 0, before = 0, of_char
        if place == end:
            return
        while start > place and new < TAIL_TOKENS:
            start -= 1
            of_char, before = self._own[start], self._own[start - 1] if start > place else 0
            if of_char & UNSPACED or (of_char & WORD and before & (WORD | UNSPACED) != WORD):
                new += 1
        for i in range(HEAD_TOKENS, MOST_TOKENS - new):
            self._hashes[i], self._lengths[i] = self._hashes[i + new], self._lengths[i + new]
            self._single[i] = self._single[i + new]
        self._count -= new
        self._read(start, end)

    cdef Py_ssize_t _read(self, Py_ssize_t place, Py_ssize_t end) noexcept:
        """Add the tokens between two places, as far as there is room; return where they end."""
        cdef int of_char, length
        cdef uint64_t h
        cdef uint32_t code = 0
        while place < end and self._count < MOST_TOKENS:
            of_char = self._own[place]
            if not of_char & (WORD | UNSPACED):
                place += 1
                continue
            h, length = _SEED, 0
            while True:
                code = _lower(self._codes[place])
                h = (h ^ code) * 0x100000001B3ULL
                length += 1
                place += 1
                if of_char & UNSPACED or place >= end:
                    break
                of_char = self._own[place]
                if not of_char & WORD or of_char & UNSPACED:
                    break
            self._hashes[self._count] = _mixed(h)
            self._lengths[self._count] = length
            self._single[self._count] = length == 1 and code > SINGLES_ABOVE
            self._count += 1
        return place

    cdef int _add_token(self, str token) except -1:
        self._hashes[self._count] = _hash_of(token)
        self._lengths[self._count] = len(token)
        self._single[self._count] = len(token) == 1 and token[0] > SINGLES_ABOVE
        self._count += 1
        return 0

    cdef void _count_tokens(self, double *out, Py_ssize_t stride, bint unsure) noexcept:
        cdef int i, chars = 0, singles = 0
        for i in range(self._count):
            chars += self._lengths[i]
            singles += self._single[i]
        out[TOKENS_ROW * stride], out[TOKEN_CHARS_ROW * stride] = self._count, chars
        out[SINGLES_ROW * stride] = singles if unsure else 0

    cdef double _shared(self, _Hashes title) noexcept:
        """Return the share of the tokens of text and title that both have."""
        cdef int i, j, own = 0, common = 0
        cdef uint64_t bit, bits = 0
        for i in range(self._count):
            common += _has(title, self._hashes[i])
        if not common:
            return 0
        common = 0
        for i in range(self._count):
            bit = 1ULL << (self._hashes[i] >> 58)
            for j in range(i if bits & bit else 0):
                if self._hashes[j] == self._hashes[i]:
                    break
            else:
                own += 1
                common += _has(title, self._hashes[i])
            bits |= bit
        return <double>common / <double>(own + title.count - common)

    cdef void _claims(
        self, double *out, Py_ssize_t stride, _Hashes described, _Hashes claimed
    ) noexcept:
        cdef int i, hits = 0
        for i in range(self._count):
            hits += _has(described, self._hashes[i])
        out[IN_DESCRIPTION_ROW * stride] = <double>hits / self._count
        if claimed.count:
            hits = 0
            for i in range(self._count - 2):
                hits += _has(claimed, _run(&self._hashes[i]))
            out[IN_BODY_ROW * stride] = <double>hits / (self._count - 2)


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
        if inside and (not of_char & WORD or of_char & UNSPACED):
            out[count] = (h ^ h >> 32) * factors[0]
            count += 1
            inside = False
        if of_char & (WORD | UNSPACED):
            if not inside:
                inside, number, h = True, 0, 0
            h += (<uint64_t>code + 1) * factors[min(number, most)]
            number += 1
            if of_char & UNSPACED:
                out[count] = (h ^ h >> 32) * factors[0]
                count += 1
                inside = False
    if inside:
        out[count] = (h ^ h >> 32) * factors[0]
        count += 1
    return hashes[:count].copy()


def count_rows(
    texts, title, description, body, const uint8_t[::1] kinds, str closers, date
):
    """Return the rows of :data:`~scrapy_boilernet.extractor.features.texts.COUNTS`: (rows, texts), float64.

    ``kinds``: the kinds of the characters up to U+FFFF. ``closers``: what may follow the end of a
    sentence. ``date``: the method ``match`` of the pattern of a date.
    """
    cdef _TextReader reader = _TextReader(kinds)
    return reader.count(texts, title, description, body, closers, date)


cdef bint _ends_address(const uint32_t *codes, Py_ssize_t place) noexcept:
    """Return whether one of ``ADDRESSES`` ends at ``place``."""
    cdef int i
    cdef Py_ssize_t length, number
    for i in range(ADDRESSES_LENGTH):
        length, number = _ADDRESS_CHARS[i], 0
        if length <= place + 1:
            while number < length and codes[place - number] == <uint8_t>ADDRESSES[i][length - 1 - number]:
                number += 1
            if number == length:
                return True
    return False


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


cdef struct KnownStep:
    PyObject *text
    uint32_t begin
    Py_ssize_t start
    Py_ssize_t end


cdef enum:
    SEEN_STEPS = 256  # of which the ids are copied; a later step may take the place of another


def path_ids(paths, begins, Py_ssize_t rows, bint split):
    """Return the ids of the steps of each path, innermost first, and where the ids of each path
    begin: (ids,) and (paths + 1,), both int64.

    ``begins``: per step, innermost first, the checksum that its ids continue; other steps are not
    read. ``split``: each word of a step has an id.
    """
    cdef Py_ssize_t n = len(paths), i = 0, length, step, again
    offsets = np.zeros(n + 1, dtype=np.int64)
    cdef int64_t[::1] ends = offsets
    cdef uint32_t first[64]
    cdef int steps = min(64, len(begins))
    for step in range(steps):
        first[step] = begins[step]
    cdef Py_ssize_t most = 1024, count = 0, size = 0
    out = np.empty(most, dtype=np.int64)
    cdef int64_t[::1] written = out
    cdef KnownStep seen[SEEN_STEPS]
    cdef KnownStep *known
    cdef const char *place
    cdef tuple path
    memset(seen, 0, sizeof(seen))
    for path in paths:
        length = len(path)
        for step in range(min(<Py_ssize_t>steps, length)):
            text = path[length - 1 - step]
            known = &seen[(<size_t><PyObject *>text // 16 ^ first[step]) % SEEN_STEPS]
            if known.text is <PyObject *>text and known.begin == first[step]:
                size, place = known.end - known.start, NULL
            else:
                data = text.encode("utf-8", "surrogatepass") if not text.isascii() else text
                if data is text:
                    place = PyUnicode_AsUTF8AndSize(text, &size)
                else:
                    place, size = <const char *><bytes>data, len(data)
            while count + size + 1 > most:
                out, most = np.concatenate([out, np.empty_like(out)]), 2 * most
                written = out
            if place is NULL:
                for again in range(known.start, known.end):
                    written[count] = written[again]
                    count += 1
                continue
            known.text, known.begin, known.start = <PyObject *>text, first[step], count
            count = _write_ids(&written[0], count, first[step], place, size, rows, split)
            known.end = count
        i += 1
        ends[i] = count
    return out[:count].copy(), offsets


cdef Py_ssize_t _write_ids(
    int64_t *out, Py_ssize_t count, uint32_t first, const char *place, Py_ssize_t size,
    Py_ssize_t rows, bint split,
) noexcept:
    """Write the ids of a step's words, or of all of it, behind the first ones; return how many there
    are then.
    """
    cdef const char *word
    cdef const char *end = place + size
    while True:
        word = place
        while place < end and not (split and is_ascii_space(place[0])):
            place += 1
        if place > word or not split:
            out[count] = crc32_of(first, word, place) % rows
            count += 1
        if place >= end:
            return count
        place += 1


def number_pairs(tuple pairs, Py_ssize_t tag_steps, Py_ssize_t class_steps):
    """Return the number of each pair of tags and class words by their innermost steps, in the order
    of the first such pairs: (pairs,), int64.
    """
    cdef Py_ssize_t n = len(pairs), i
    cdef int64_t count = 0
    cdef size_t room = 64, place
    cdef tuple tags, words, known
    numbers = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] out = numbers
    while room < 2 * <size_t>n:
        room *= 2
    cdef Py_ssize_t *first = <Py_ssize_t *>calloc(room, sizeof(Py_ssize_t))  # counted from 1
    if first is NULL:
        raise MemoryError
    try:
        for i in range(n):
            tags, words = pairs[i]
            place = _mixed(_steps_hash(_steps_hash(_SEED, tags, tag_steps), words, class_steps))
            place &= room - 1
            while first[place]:
                known = pairs[first[place] - 1]
                if _same_steps(tags, known[0], tag_steps) and (
                    _same_steps(words, known[1], class_steps)
                ):
                    break
                place = (place + 1) & (room - 1)
            if first[place]:
                out[i] = out[first[place] - 1]
            else:
                first[place] = i + 1
                out[i] = count
                count += 1
    finally:
        free(first)
    return numbers


cdef uint64_t _steps_hash(uint64_t h, tuple path, Py_ssize_t steps) except? 0:
    """Return a hash of the innermost steps of a path that continues ``h``."""
    cdef Py_ssize_t i, length = len(path)
    h = (h ^ <uint64_t>min(steps, length)) * 0x100000001B3ULL
    for i in range(max(length - steps, 0), length):
        h = (h ^ <uint64_t>hash(path[i])) * 0x9E3779B97F4A7C15ULL
        h ^= h >> 32
    return h


cdef bint _same_steps(tuple one, tuple other, Py_ssize_t steps) except -1:
    cdef Py_ssize_t i, own = len(one), others = len(other)
    if min(own, steps) != min(others, steps):
        return False
    for i in range(1, min(own, steps) + 1):
        if one[own - i] is not other[others - i] and one[own - i] != other[others - i]:
            return False
    return True


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



def word_columns(
    const double[:, ::1] counts, const int64_t[::1] chars, const int64_t[::1] link_chars,
    double singles_per_word,
):
    """Return the words of each block and those in links: (blocks,) both; and the words of the blocks
    of prose alone.

    ``counts``: what :func:`count_rows` returns. ``singles_per_word``: characters of CJK that count
    as a word.
    """
    cdef Py_ssize_t n = len(chars), i, count = 0
    cdef double own, singles, linked
    columns = np.empty((3, n))
    cdef double[:, ::1] out = columns
    for i in range(n):
        singles = counts[SINGLES_ROW, i]
        own = counts[TOKENS_ROW, i] - singles + singles / singles_per_word
        if counts[TOKENS_ROW, i] >= MOST_TOKENS:
            linked = counts[TOKEN_CHARS_ROW, i] + counts[TOKENS_ROW, i] - singles
            own = max(own, own * <double>chars[i] / linked)
        linked = own * <double>link_chars[i] / <double>max(chars[i], <int64_t>1)
        out[0, i], out[1, i] = own, linked
        if linked < own / 3 and own >= PROSE_WORDS:
            out[2, count] = own
            count += 1
    return columns[0], columns[1], columns[2, :count]


def number_rows(
    columns, const double[:, ::1] counts, const double[::1] words, const double[::1] link_words,
    sums,
):
    """Return the numbers of every block before they are scaled: (ROWS, blocks), float64.

    ``columns``: those of a :class:`~scrapy_boilernet.extractor.features.table.Columns`. ``counts``:
    what :func:`count_rows` returns. ``sums``: the words of the page, at least 1, and those of them
    in links and in prose.
    """
    rows = np.empty((ROWS, len(words)))
    cdef double[:, ::1] out = rows
    cdef const int64_t[::1] tags = columns.tags.places, kinds = columns.kinds
    cdef const int64_t[::1] depths = columns.depths
    cdef double most_words, links, prose
    most_words, links, prose = sums
    _write_texts(out, counts, words, link_words, columns.chars)
    _write_marks(out, columns.texts, columns.hidden, columns.noscript)
    _write_places(out, words, depths, most_words, links, prose)
    subtrees = subtree_sums(columns.nodes, depths, words, link_words, SUBTREES)
    _write_subtrees(out, subtrees, most_words)
    _write_groups(out, tags, words, link_words, most_words, False)
    _write_groups(out, kinds, words, link_words, most_words, True)
    _write_headings(out, tags, columns.tags.values)
    return rows


cdef void _write_texts(
    double[:, ::1] out, const double[:, ::1] counts, const double[::1] words,
    const double[::1] link_words, const int64_t[::1] chars,
) noexcept:
    cdef Py_ssize_t i
    cdef double own, seen, seen_chars
    for i in range(len(words)):
        seen_chars = min(chars[i], <int64_t>MAX_TEXT_CHARS)
        own = max(words[i], 1.0)
        seen = max(1.0, min(own, own * seen_chars / <double>max(chars[i], <int64_t>1)))
        out[WORDS_ROW, i] = words[i]
        out[CHARACTERS_ROW, i] = <double>chars[i]
        out[LINK_DENSITY_ROW, i] = link_words[i] / own
        out[PUNCTUATION_PER_WORD_ROW, i] = counts[PUNCTUATION_ROW, i] / seen
        out[SENTENCE_ENDS_PER_WORD_ROW, i] = counts[STOPS_ROW, i] / seen
        out[ENDS_AS_A_SENTENCE_ROW, i] = counts[ENDS_ROW, i]
        out[SHARE_OF_DIGITS_ROW, i] = counts[DIGITS_ROW, i] / max(seen_chars, 1.0)
        out[CAPITALIZED_WORDS_ROW, i] = counts[CAPITALIZED_ROW, i] / seen
        out[CHARACTERS_PER_WORD_ROW, i] = seen_chars / seen
        out[BEGINS_IN_LOWER_CASE_ROW, i] = counts[LOWER_ROW, i]
        out[HAS_A_DATE_OR_TIME_ROW, i] = counts[DATED_ROW, i]
        out[HAS_A_LAYOUT_SYMBOL_ROW, i] = counts[SYMBOLS_ROW, i] > 0
        out[HAS_AN_ADDRESS_ROW, i] = counts[ADDRESSED_ROW, i]
        out[WORDS_SHARED_WITH_THE_TITLE_ROW, i] = counts[IN_TITLE_ROW, i]
        out[WORDS_IN_THE_DESCRIPTION_ROW, i] = counts[IN_DESCRIPTION_ROW, i]
        out[TEXT_IN_THE_JSON_LD_BODY_ROW, i] = counts[IN_BODY_ROW, i]
        out[PAGE_HAS_A_JSON_LD_BODY_ROW, i] = counts[HAS_BODY_ROW, i]


cdef int _write_marks(double[:, ::1] out, texts, hidden, noscript) except -1:
    cdef const uint8_t[::1] is_hidden = hidden.view(np.uint8), is_noscript = noscript.view(np.uint8)
    cdef Py_ssize_t i = 0
    cdef dict first = {}
    for text in texts:
        out[HIDDEN_ROW, i], out[IN_NOSCRIPT_ROW, i] = is_hidden[i], is_noscript[i]
        before = first.setdefault(text, i)
        out[TEXT_IS_REPEATED_ROW, i] = before != i
        if before != i:
            out[TEXT_IS_REPEATED_ROW, <Py_ssize_t>before] = 1
        i += 1
    return 0


cdef void _write_places(
    double[:, ::1] out, const double[::1] words, const int64_t[::1] depths, double most_words,
    double links, double prose,
) noexcept:
    cdef Py_ssize_t i, n = len(words)
    cdef double before = 0
    for i in range(n):
        before += words[i]
        out[PLACE_IN_THE_PAGE_ROW, i] = <double>i / <double>n
        out[BLOCKS_FROM_THE_START_ROW, i], out[BLOCKS_TO_THE_END_ROW, i] = i, n - 1 - i
        out[WORDS_OF_THE_PAGE_BEFORE_ROW, i] = (before - words[i]) / most_words
        out[DEPTH_IN_ELEMENTS_ROW, i] = <double>depths[i]
        out[LINK_DENSITY_OF_THE_PAGE_ROW, i] = links / most_words
        out[PROSE_OF_THE_PAGE_ROW, i] = prose / most_words
        out[WORDS_OF_THE_PAGE_ROW, i] = most_words


cdef void _write_subtrees(
    double[:, ::1] out, const double[:, :, ::1] sums, double most_words
) noexcept:
    cdef Py_ssize_t i, level, row
    cdef Py_ssize_t step = SHARE_OF_THE_PAGE_S_WORDS_SUBTREE_2_ROW - (
        SHARE_OF_THE_PAGE_S_WORDS_SUBTREE_1_ROW
    )
    for level in range(SUBTREES):
        row = level * step
        for i in range(out.shape[1]):
            out[SHARE_OF_THE_PAGE_S_WORDS_SUBTREE_1_ROW + row, i] = sums[1, level, i] / most_words
            out[LINK_DENSITY_SUBTREE_1_ROW + row, i] = sums[2, level, i] / max(sums[1, level, i], 1.0)
            out[WORDS_PER_BLOCK_SUBTREE_1_ROW + row, i] = (
                sums[1, level, i] / max(sums[0, level, i], 1.0)
            )
            out[BLOCKS_SUBTREE_1_ROW + row, i] = sums[0, level, i]


cdef int _write_groups(
    double[:, ::1] out, const int64_t[::1] groups, const double[::1] words,
    const double[::1] link_words, double most_words, bint are_kinds,
) except -1:
    """Write the numbers of the blocks of each group: of a kind, or under the same tags."""
    cdef Py_ssize_t i, n = len(words), count = 0
    cdef int64_t group
    cdef double blocks, total, linked
    for i in range(n):
        count = max(count, <Py_ssize_t>groups[i] + 1)
    cdef double *sums = <double *>calloc(3 * count + 1, sizeof(double))
    if sums is NULL:
        raise MemoryError
    for i in range(n):
        group = 3 * groups[i]
        sums[group] += 1
        sums[group + 1] += words[i]
        sums[group + 2] += link_words[i]
    for i in range(n):
        group = 3 * groups[i]
        blocks, total, linked = sums[group], sums[group + 1], sums[group + 2]
        linked /= max(total, 1.0)
        if are_kinds:
            out[PAGE_S_WORDS_IN_ITS_KIND_ROW, i] = total / most_words
            out[LINK_DENSITY_OF_ITS_KIND_ROW, i] = linked
            out[BLOCKS_OF_ITS_KIND_ROW, i] = blocks
            out[PAGE_S_BLOCKS_IN_ITS_KIND_ROW, i] = blocks / <double>n
            out[WORDS_PER_BLOCK_OF_ITS_KIND_ROW, i] = total / blocks
        else:
            out[PAGE_S_WORDS_UNDER_THE_SAME_TAGS_ROW, i] = total / most_words
            out[LINK_DENSITY_UNDER_THE_SAME_TAGS_ROW, i] = linked
            out[WORDS_PER_BLOCK_UNDER_THE_SAME_TAGS_ROW, i] = total / blocks
    free(sums)
    return 0


cdef int _write_headings(double[:, ::1] out, const int64_t[::1] tags, tuple paths) except -1:
    cdef Py_ssize_t i, last = -1, first_h1 = -1, n = len(tags)
    cdef int level = 0
    cdef list levels = [_heading_level(path) for path in paths]
    for i in range(n):
        if <int>levels[tags[i]] & IN_H1:
            first_h1 = i
            break
    for i in range(n):
        if <int>levels[tags[i]]:
            last, level = i, <int>levels[tags[i]] % IN_H1
        out[BLOCKS_SINCE_A_HEADING_ROW, i] = i - last if last >= 0 else FAR_BLOCKS
        out[LEVEL_OF_THE_HEADING_ABOVE_ROW, i] = <double>level
        out[AFTER_THE_FIRST_H1_ROW, i] = 0 if first_h1 < 0 else (-1 if i < first_h1 else 1)
        out[DISTANCE_TO_THE_FIRST_H1_ROW, i] = 0 if first_h1 < 0 else i - first_h1
    return 0


cdef enum:
    IN_H1 = 8


cdef int _heading_level(tuple path) except -1:
    """Return the level of the innermost heading near the end of a path of tags, 0 without one, and
    ``IN_H1`` if one is ``<h1>``.
    """
    cdef Py_ssize_t i, length = len(path)
    cdef int level = 0, in_h1 = 0, own
    cdef str tag
    for i in range(length - 1, max(length - HEADING_ANCESTORS, 0) - 1, -1):
        tag = path[i]
        if len(tag) == 2 and tag[0] == c"h" and c"1" <= tag[1] <= c"6":
            own = <int>tag[1] - c"0"
            level = level if level else own
            in_h1 = IN_H1 if own == 1 else in_h1
    return level | in_h1


cdef enum:
    LANES = 8
    MOST_ROWS = 129  # NumPy adds more in another order


def row_sums(
    const float[:, ::1] table, const int64_t[::1] ids, const int64_t[::1] offsets, bint is_mean
):
    """Return the sum, or the mean, of the rows ``ids[offsets[i]:offsets[i + 1]]`` of the table for
    each i, zeros for none: (offsets - 1, columns), float32. They are added in the order of
    ``np.add.reduceat``.

    None if one sum has more than 129 rows.
    """
    cdef Py_ssize_t n = len(offsets) - 1, width = table.shape[1], i, row, lane, column, count, whole
    sums = np.zeros((n, width), dtype=np.float32)
    cdef float[:, ::1] out = sums
    cdef float[:, ::1] lanes = np.empty((LANES, width), dtype=np.float32)
    cdef const float *own
    cdef float *added
    for i in range(len(ids)):
        if not 0 <= ids[i] < table.shape[0]:
            raise IndexError(ids[i])
    for i in range(n):
        if offsets[i + 1] - offsets[i] > MOST_ROWS:
            return None
    for i in range(n):
        count = offsets[i + 1] - offsets[i] - 1
        if count < 0 or not width:
            continue
        added = &out[i, 0]
        own = &table[ids[offsets[i]], 0]
        for column in range(width):
            added[column] = own[column]
        if not count:
            continue
        whole = count - count % LANES
        if whole:
            for row in range(whole):
                lane = row % LANES
                own = &table[ids[offsets[i] + 1 + row], 0]
                if row < LANES:
                    for column in range(width):
                        lanes[lane, column] = own[column]
                else:
                    for column in range(width):
                        lanes[lane, column] += own[column]
            for column in range(width):
                lanes[0, column] = (
                    (lanes[0, column] + lanes[1, column]) + (lanes[2, column] + lanes[3, column])
                ) + ((lanes[4, column] + lanes[5, column]) + (lanes[6, column] + lanes[7, column]))
        else:
            for column in range(width):
                lanes[0, column] = -0.0
        for row in range(whole, count):
            own = &table[ids[offsets[i] + 1 + row], 0]
            for column in range(width):
                lanes[0, column] += own[column]
        for column in range(width):
            added[column] += lanes[0, column]
        if is_mean:
            for column in range(width):
                added[column] /= <float>(count + 1)
    return sums


def best_prefix(
    const double[::1] levels, const double[::1] weights, const double[::1] behind,
    const double[::1] moves, const double[::1] shares, const double[::1] normal,
    const double[::1] normal_cdf, const double[::1] slopes, double least, double beta_2,
    double divisor,
):
    """Return what ``_best_prefix`` of :mod:`scrapy_boilernet.extractor.decide.threshold` returns."""
    cdef Py_ssize_t n = len(levels), many = len(moves), last = len(normal) - 1, i, k, place, best = 0
    cdef double chance, within, sum_, size = 0, expected, most = -1
    cdef double *hits = <double *>calloc(n * many + 1, sizeof(double))
    if hits is NULL:
        raise MemoryError
    for k in range(many):
        sum_ = 0
        for i in range(n):
            within = min(max((behind[i] + moves[k]) / divisor, normal[0]), normal[last])
            place = <Py_ssize_t>floor(within * NORMAL_STEPS) + last // 2
            chance = slopes[place] * (within - normal[place])
            chance += normal_cdf[place]
            sum_ += weights[i] * chance
            hits[i * many + k] = sum_
    for i in range(n):
        if levels[i] < least:
            break
        size += weights[i]
        expected = 0
        for k in range(many):
            chance = (1 + beta_2) * hits[i * many + k] / (beta_2 * hits[(n - 1) * many + k] + size)
            expected += chance * shares[k]
        if expected > most:
            best, most = i, expected
    free(hits)
    return best
