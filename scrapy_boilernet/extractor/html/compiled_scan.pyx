# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled form of :mod:`scrapy_boilernet.extractor.html.scan`."""

from array import array

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    void *PyUnicode_DATA(object text)

cdef extern from *:
    """
    #include <string.h>
    #ifdef __GLIBC__
    extern void *memrchr(const void *s, int c, size_t n);
    #endif

    /* The offset of the last such byte in [from, to), or -1. */
    static Py_ssize_t last_of(const char *s, char byte, Py_ssize_t from, Py_ssize_t to) {
    #ifdef __GLIBC__
        const char *found = to > from ? memrchr(s + from, byte, to - from) : NULL;
        return found ? found - s : -1;
    #else
        while (to-- > from) if (s[to] == byte) return to;
        return -1;
    #endif
    }

    static int is_white(char c) {
        return c == ' ' || (c >= '\\t' && c <= '\\r');
    }

    /* Whether the quote may begin the value of an attribute. */
    static int begins_a_value(const char *s, Py_ssize_t quote, Py_ssize_t max_gap) {
        Py_ssize_t end = quote, from = quote > max_gap ? quote - max_gap : 0;
        if (quote <= 0) return 0;
        while (end > from && is_white(s[end - 1])) end--;
        return end == from || s[end - 1] == '=';
    }

    static int is_space(char c) {
        return c == ' ' || c == '\\t' || c == '\\n' || c == '\\r' || c == '\\f';
    }

    /* The number of attributes of the tag whose name begins at s, counted up to "most"; sets
       "after" to where the count stopped. */
    static Py_ssize_t attributes_of(
        const char *s, const char *end, Py_ssize_t most, const char **after
    ) {
        Py_ssize_t count = 0;
        while (s < end && !is_space(*s) && *s != '/' && *s != '>') s++;
        while (s < end && count < most) {
            while (s < end && (is_space(*s) || *s == '/')) s++;
            if (s == end || *s == '>') break;
            count++;
            s++;  /* a name may begin with "=" */
            while (s < end && !is_space(*s) && *s != '/' && *s != '>' && *s != '=') s++;
            const char *name_end = s;
            while (s < end && is_space(*s)) s++;
            if (s == end || *s != '=') {
                s = name_end;
                continue;
            }
            s++;
            while (s < end && is_space(*s)) s++;
            if (s < end && (*s == '"' || *s == '\\'')) {
                const char *quote = memchr(s + 1, *s, end - s - 1);
                s = quote ? quote + 1 : end;
            } else {
                while (s < end && !is_space(*s) && *s != '>') s++;
            }
        }
        *after = s;
        return count;
    }

    static int is_letter(char c) {
        c |= 0x20;
        return c >= 'a' && c <= 'z';
    }

    static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }

    static int is_same_name(const char *one, const char *other, Py_ssize_t size) {
        while (size--) if (lower(one[size]) != lower(other[size])) return 0;
        return 1;
    }

    /* Whether a "<" with a letter, anywhere in the page, may begin a tag of "most" attributes. Also
       1 if it would take long to find out. */
    static int may_have_attributes(const char *s, Py_ssize_t length, Py_ssize_t most) {
        const char *end = s + length, *after;
        Py_ssize_t left = 4 * length;
        while (s < end && (s = memchr(s, '<', end - s)) && ++s < end) {
            if (!is_letter(*s)) continue;
            if (attributes_of(s, end, most, &after) >= most) return 1;
            left -= after - s;
            if (left < 0) return 1;
        }
        return 0;
    }

    /* The number of nodes that a page has at most. */
    static Py_ssize_t nodes_of(const char *s, Py_ssize_t length) {
        const char *end = s + length;
        Py_ssize_t nodes = 0;
        while (s < end && (s = memchr(s, '<', end - s)) && ++s < end)
            nodes += is_letter(*s) || *s == '/' || *s == '!' || *s == '?';
        return nodes;
    }

    #define NAMES 512  /* a power of 2 */
    #define MAX_NAME 64

    /* The number of end tags beyond the start tags of their name; 0 if there are at most so many end
       tags, or -1 if it would take long to find out. A name ends as in tree.py; only its ASCII
       letters are read in lower case. */
    static Py_ssize_t unmatched_ends(const char *s, Py_ssize_t length, Py_ssize_t most) {
        const char *end = s + length, *names[NAMES];
        Py_ssize_t sizes[NAMES], beyond[NAMES], count = 0, sum = 0, i;
        memset(sizes, 0, sizeof(sizes));
        memset(beyond, 0, sizeof(beyond));
        while (s < end && (s = memchr(s, '<', end - s)) && ++s < end) sum += *s == '/';
        if (sum <= most) return 0;
        s = end - length;
        sum = 0;
        while (s < end && (s = memchr(s, '<', end - s)) && ++s < end) {
            int ends = *s == '/';
            const char *name = s + ends;
            unsigned int hash = 2166136261u;
            if (name >= end || !is_letter(*name)) continue;
            for (s = name; s < end && !is_space(*s) && *s != '\v' && *s != '/' && *s != '>'; s++) {
                if (s - name < MAX_NAME) hash = (hash ^ (unsigned char)lower(*s)) * 16777619u;
            }
            if (s - name > MAX_NAME) {  /* mostly a comparison in a script */
                if (ends) return -1;
                continue;
            }
            for (i = hash & (NAMES - 1);; i = (i + 1) & (NAMES - 1)) {
                if (!sizes[i]) {
                    if (++count > NAMES / 2) return -1;
                    names[i] = name;
                    sizes[i] = s - name;
                }
                if (sizes[i] == s - name && is_same_name(names[i], name, s - name)) break;
            }
            beyond[i] += ends ? 1 : -1;
        }
        for (i = 0; i < NAMES; i++) if (beyond[i] > 0) sum += beyond[i];
        return sum;
    }

    /* The number of continuation bytes of UTF-8; -1 if it is not valid, or has a U+FFFD. */
    static Py_ssize_t continuations(const char *body, Py_ssize_t length) {
        const unsigned char *s = (const unsigned char *)body, *end = s + length;
        Py_ssize_t count = 0;
        unsigned long long eight;
        while (s < end) {
            for (; end - s >= 8; s += 8) {
                memcpy(&eight, s, 8);
                if (eight & 0x8080808080808080u) break;
            }
            unsigned char c = *s++;
            if (c < 0x80) continue;
            int more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
            if (c < 0xc2 || c > 0xf4 || end - s < more) return -1;
            if ((c == 0xe0 && *s < 0xa0) || (c == 0xed && *s > 0x9f)) return -1;
            if ((c == 0xf0 && *s < 0x90) || (c == 0xf4 && *s > 0x8f)) return -1;
            if (c == 0xef && s[0] == 0xbf && s[1] == 0xbd) return -1;
            for (count += more; more; more--, s++) if ((*s & 0xc0) != 0x80) return -1;
        }
        return count;
    }

    /* Whether UTF-8 has a control character that XML 1.0 excludes, U+FFFE or U+FFFF. */
    static int has_excluded(const char *body, Py_ssize_t length) {
        const unsigned char *s = (const unsigned char *)body, *end = s + length, *stop;
        while (s < end) {
            unsigned char found = 0;  /* without a branch inside, compilers read 16 bytes at once */
            for (stop = end - s > 4096 ? s + 4096 : end; s < stop; s++)
                found |= (*s < 0x20) & (*s != 9) & (*s != 10) & (*s != 13);
            if (found) return 1;
        }
        s = (const unsigned char *)body;
        while (s < end && (s = memchr(s, 0xef, end - s))) {
            if (end - s > 2 && s[1] == 0xbf && s[2] >= 0xbe) return 1;
            s++;
        }
        return 0;
    }

    /* Whether a number is one of a character that XML 1.0 excludes, or one that no one sees. */
    static int is_excluded(unsigned int number) {
        return (number < 0x20 && number != 9 && number != 10 && number != 13)
            || number == 0xfffe || number == 0xffff || (number >= 0xe0000 && number < 0xe0400);
    }

    /* Whether a page may have a reference to such a character. */
    static int has_excluded_reference(const char *s, Py_ssize_t length) {
        const char *end = s + length;
        while (s < end && (s = memchr(s, '&', end - s)) && ++s < end) {
            unsigned int number = 0, digit, base = 10, digits = 0;
            if (*s != '#') continue;
            s++;
            if (s < end && (*s | 0x20) == 'x') {
                base = 16;
                s++;
            }
            for (; s < end; s++, digits++) {
                char c = *s | 0x20;
                digit = *s >= '0' && *s <= '9' ? *s - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
                if (digit >= base) break;
                number = number > 0xfffff ? 0x7ffffff : number * base + digit;
            }
            if (digits && is_excluded(number)) return 1;
        }
        return 0;
    }

    /* The place among the bits of four bytes, whose fifth bits do not count. */
    static unsigned int place_of(const unsigned char *s, int shift) {
        unsigned int four = s[0] | s[1] << 8 | s[2] << 16 | (unsigned int)s[3] << 24;
        return (four | 0x20202020u) * 0x9e3779b1u >> shift;
    }

    /* Set the bits of the four bytes by which a sign of at least three is found: those from its
       first byte on, and those from the second. Beside a short sign, any byte may stand. */
    static void add_sign(
        unsigned char *bits, int shift, const unsigned char *sign, Py_ssize_t size
    ) {
        int beside;
        for (beside = 0; beside < 256; beside++) {
            unsigned char c = beside;
            unsigned char first[4] = {sign[0], sign[1], sign[2], size > 3 ? sign[3] : c};
            unsigned char second[4] = {sign[1], sign[2], sign[3], size > 4 ? sign[4] : c};
            unsigned char before[4] = {c, sign[0], sign[1], sign[2]};
            unsigned int number = place_of(first, shift);
            bits[number >> 3] |= 1 << (number & 7);
            number = place_of(size > 3 ? second : before, shift);
            bits[number >> 3] |= 1 << (number & 7);
        }
    }

    /* Mark the states of the tree of signs that a text reaches at the end of a sign. It ends with a
       NUL. Only at even places a look at four bytes tells whether a sign may be there. */
    static int find_signs(
        const unsigned char *s, Py_ssize_t length, const unsigned char *bits, int shift,
        const unsigned char *classes, const unsigned int *following, unsigned int width,
        unsigned char *reached
    ) {
        Py_ssize_t place, start, end;
        int found = 0;
        for (place = 0; place + 3 <= length; place += 2) {
            unsigned int number = place_of(s + place, shift), state;
            if (!(bits[number >> 3] & (1 << (number & 7)))) continue;
            for (start = place ? place - 1 : 0; start < place + 2; start++) {
                for (state = 0, end = start; end < length; end++) {
                    state = following[(state >> 1) + classes[s[end]]];
                    if (!state) break;
                    if (state & 1) reached[(state >> 1) / width] = found = 1;
                }
            }
        }
        return found;
    }

    /* The first place of a text, from one on, whose two bytes begin a sign; -1 without one. It ends
       with a NUL. */
    static Py_ssize_t first_pair(
        const unsigned char *s, Py_ssize_t place, Py_ssize_t length, const unsigned char *pairs
    ) {
        for (; place < length; place++) {
            unsigned int pair = s[place] | s[place + 1] << 8;
            if (pairs[pair >> 3] & (1 << (pair & 7))) return place;
        }
        return -1;
    }

    /* Whether a text has a sign of one or two bytes, in lower case. */
    static int has_short(const char *s, Py_ssize_t length, const char *sign, Py_ssize_t size) {
        const char *end = s + length, *found;
        char last = sign[size - 1], forms[2] = {last, last >= 'a' && last <= 'z' ? last & ~0x20 : 0};
        int i;
        for (i = 0; i < 2 && (i == 0 || forms[i]); i++) {
            for (found = s + size - 1; found < end; found++) {
                found = memchr(found, forms[i], end - found);
                if (!found) break;
                if (size == 1 || lower(found[-1]) == *sign) return 1;
            }
        }
        return 0;
    }
    """
    void add_sign(
        uint8_t *bits, int shift, const uint8_t *sign, Py_ssize_t size
    ) noexcept nogil
    bint find_signs(
        const uint8_t *s, Py_ssize_t length, const uint8_t *bits, int shift,
        const uint8_t *classes, const uint32_t *following, uint32_t width, uint8_t *reached
    ) noexcept nogil
    Py_ssize_t first_pair(
        const uint8_t *s, Py_ssize_t place, Py_ssize_t length, const uint8_t *pairs
    ) noexcept nogil
    bint has_short(
        const char *s, Py_ssize_t length, const char *sign, Py_ssize_t size
    ) noexcept nogil
    Py_ssize_t continuations(const char *s, Py_ssize_t length) noexcept nogil
    bint has_excluded(const char *s, Py_ssize_t length) noexcept nogil
    bint has_excluded_reference(const char *s, Py_ssize_t length) noexcept nogil
    Py_ssize_t nodes_of(const char *s, Py_ssize_t length) noexcept nogil
    Py_ssize_t unmatched_ends(
        const char *s, Py_ssize_t length, Py_ssize_t most
    ) noexcept nogil
    bint may_have_attributes(const char *s, Py_ssize_t length, Py_ssize_t most) noexcept nogil
    Py_ssize_t last_of(
        const char *s, char byte, Py_ssize_t start, Py_ssize_t to
    ) noexcept nogil
    bint begins_a_value(const char *s, Py_ssize_t quote, Py_ssize_t max_gap) noexcept nogil


def may_have_many_attributes(
    bytes body, Py_ssize_t window, int signs, Py_ssize_t gap, Py_ssize_t most
):
    """Return whether a tag may have more than ``most`` attributes and be longer than a window."""
    cdef const char *s = body
    cdef Py_ssize_t length = len(body)
    cdef bint found
    with nogil:
        found = _has_quoted_window(s, length, window, signs, gap) and may_have_attributes(
            s, length, most + 1
        )
    return found


def count_nodes(bytes body):
    """Return how many tags, comments and declarations the page has at most."""
    cdef const char *s = body
    cdef Py_ssize_t length = len(body), count
    with nogil:
        count = nodes_of(s, length)
    return count


def count_unmatched_ends(bytes body, Py_ssize_t most):
    """Return how many end tags are beyond the start tags of their name; 0 if the page has at most
    so many end tags; -1: it would take long.
    """
    cdef const char *s = body
    cdef Py_ssize_t length = len(body), count
    with nogil:
        count = unmatched_ends(s, length, most)
    return count


def count_continuations(bytes body):
    """Return how many continuation bytes UTF-8 has; -1 if it is not valid, or has a U+FFFD."""
    cdef const char *s = body
    cdef Py_ssize_t length = len(body), count
    with nogil:
        count = continuations(s, length)
    return count


def may_be_malformed(bytes body):
    """Return whether UTF-8 may hold a character that XML 1.0 excludes, or a reference to one."""
    cdef const char *s = body
    cdef Py_ssize_t length = len(body)
    cdef bint found
    with nogil:
        found = has_excluded(s, length) or has_excluded_reference(s, length)
    return found


def places_of_digits(texts, Py_ssize_t most_chars, search):
    """Return the places of the short texts that may have a date."""
    cdef const uint8_t *s
    cdef Py_ssize_t length, i, place = -1
    cdef bint has
    cdef list found = []
    for text in texts:
        place += 1
        length = len(<str>text)
        if length > most_chars:
            continue
        has = False
        if PyUnicode_IS_ASCII(text):
            s = <const uint8_t *>PyUnicode_DATA(text)
            for i in range(1, length):
                if c"0" <= s[i] <= c"9" and c"0" <= s[i - 1] <= c"9":
                    has = True
                    break
        else:
            has = search(text) is not None
        if has:
            found.append(place)
    return found


cdef bint _has_quoted_window(
    const char *s, Py_ssize_t size, Py_ssize_t window, int signs, Py_ssize_t gap
) noexcept nogil:
    """Return whether in some window of the page each of the first ``>`` may be in an attribute's
    value.
    """
    cdef Py_ssize_t start = 0, sign, known = 0, single = -1, double = -1, last
    cdef const char *found
    cdef int number
    cdef bint quoted
    while start < size - window:
        quoted = True
        sign = start - 1
        for number in range(signs):
            found = <const char *>memchr(s + sign + 1, c">", start + window - sign - 1)
            if found is NULL:
                break
            sign = found - s
            last = last_of(s, c"'", known, sign)
            single = last if last > single else single
            last = last_of(s, c'"', known, sign)
            double = last if last > double else double
            known = sign
            if not begins_a_value(s, single, gap) and not begins_a_value(s, double, gap):
                quoted = False
                break
        if quoted:
            return True
        start += window
    return False


cdef class SignFinder:
    """Finds which of some signs a text of bytes has, all at once.

    Most places are passed by a look at four bytes, which no sign has. At the others the letters are
    followed in a tree of all signs.
    """

    cdef bytes _classes, _next, _bits, _pairs
    cdef dict _ends  # where a sign ends in the tree, with the sign
    cdef list _short
    cdef int _width, _states, _shift

    def __init__(self, signs):
        """Take the signs, which are not empty; upper case is as lower case."""
        every = sorted({sign.lower() for sign in signs})
        self._short = [sign for sign in every if len(sign) < 3]
        longer = [sign for sign in every if len(sign) >= 3]
        letters = sorted({letter for sign in every for letter in sign})
        places = {letter: place for place, letter in enumerate(letters, 1)}
        self._width = len(letters) + 1
        self._classes = bytes(places.get(bytes([letter]).lower()[0], 0) for letter in range(256))
        self._set_bits(longer)
        self._set_pairs(every)
        children, sign_of = [{}], [None]
        for sign in every:
            state = 0
            for letter in sign:
                if letter not in children[state]:
                    children[state][letter] = len(children)
                    children.append({})
                    sign_of.append(None)
                state = children[state][letter]
            sign_of[state] = sign
        self._ends = {place: sign for place, sign in enumerate(sign_of) if sign is not None}
        self._states = len(children)
        following = array("I", bytes(4 * self._width * self._states))
        for state, after_letters in enumerate(children):
            for letter, after in after_letters.items():
                ends = sign_of[after] is not None
                following[state * self._width + places[letter]] = after * self._width << 1 | ends
        self._next = following.tobytes()

    cdef int _set_bits(self, list signs) except -1:
        """Set the bits by which signs are found: some 32 or more for each that is set."""
        cdef Py_ssize_t most = sum([2 if len(sign) > 4 else 256 for sign in signs])
        cdef int digits = max(8, (32 * most).bit_length())
        cdef bytearray bits = bytearray(1 << digits - 3)
        cdef bytes sign
        self._shift = 32 - digits
        for sign in signs:
            add_sign(
                <uint8_t *><char *>bits, self._shift, <const uint8_t *><const char *>sign, len(sign)
            )
        self._bits = bytes(bits)
        return 0

    cdef int _set_pairs(self, list signs) except -1:
        """Set the bits of the two bytes by which signs begin in a line; beside a sign of one byte,
        any may stand.
        """
        cdef bytearray pairs = bytearray(1 << 13)
        for sign in signs:
            for first in {*sign[:1], *sign[:1].upper()}:
                for second in {*sign[1:2], *sign[1:2].upper()} or range(256):
                    pairs[(first | second << 8) >> 3] |= 1 << (first & 7)
        self._pairs = bytes(pairs)
        return 0

    def __call__(self, bytes body):
        """Return the signs that the text has, in lower case."""
        cdef const uint8_t *s = <const uint8_t *><const char *>body
        cdef const uint8_t *bits = <const uint8_t *><const char *>self._bits
        cdef const uint8_t *classes = <const uint8_t *><const char *>self._classes
        cdef const uint32_t *following = <const uint32_t *><const char *>self._next
        cdef Py_ssize_t length = len(body)
        cdef uint32_t width = self._width
        cdef int shift = self._shift
        cdef bytearray seen = bytearray(self._states)
        cdef uint8_t *reached = <uint8_t *><char *>seen
        cdef bytes sign
        cdef bint any_sign
        with nogil:
            any_sign = find_signs(
                s, length, bits, shift, classes, following, width, reached
            )
        found = []
        if any_sign:
            found = [sign for place, sign in self._ends.items() if reached[<Py_ssize_t>place]]
        for sign in self._short:
            if has_short(<const char *>s, length, <const char *>sign, len(sign)):
                found.append(sign)
        return frozenset(found)

    def lines(self, texts, Py_ssize_t most_chars):
        """Return by sign, in lower case, the numbers of the short texts that have it, from 0."""
        cdef const uint8_t *s
        cdef const uint8_t *pairs = <const uint8_t *><const char *>self._pairs
        cdef const uint8_t *classes = <const uint8_t *><const char *>self._classes
        cdef const uint32_t *following = <const uint32_t *><const char *>self._next
        cdef Py_ssize_t length, place, end, number = -1
        cdef uint32_t state, width = self._width
        cdef bytes lower
        cdef dict found = {}
        for text in texts:
            number += 1
            length = len(<str>text)
            if length > most_chars:
                continue
            if PyUnicode_IS_ASCII(text):
                s = <const uint8_t *>PyUnicode_DATA(text)
            else:
                lower = (<str>text).lower().encode("utf-8", "surrogatepass")
                s, length = <const uint8_t *><const char *>lower, len(lower)
            place = first_pair(s, 0, length, pairs)
            while place >= 0:
                state, end = 0, place
                while end < length:
                    state = following[(state >> 1) + classes[s[end]]]
                    end += 1
                    if not state:
                        break
                    if state & 1:
                        add_line(found, self._ends[(state >> 1) / width], number)
                place = first_pair(s, place + 1, length, pairs)
        return found


cdef int add_line(dict found, bytes sign, Py_ssize_t line) except -1:
    """Add the number of a line to those of a sign, once."""
    cdef list numbers = found.setdefault(sign, [])
    if not numbers or numbers[len(numbers) - 1] != line:
        numbers.append(line)
    return 0
