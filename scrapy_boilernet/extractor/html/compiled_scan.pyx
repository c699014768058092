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

    /* Sets counts to the numbers of nodes and style tags that a page has at most. */
    static void tags_of(const char *s, Py_ssize_t length, Py_ssize_t *counts) {
        const char *end = s + length;
        Py_ssize_t nodes = 0, styles = 0;
        while (s < end && (s = memchr(s, '<', end - s)) && ++s < end) {
            char c = *s | 0x20;
            if (c >= 'a' && c <= 'z') {
                nodes++;
                styles += c == 's' && end - s >= 5 && (s[1] | 0x20) == 't' && (s[2] | 0x20) == 'y'
                    && (s[3] | 0x20) == 'l' && (s[4] | 0x20) == 'e';
            } else {
                nodes += *s == '/' || *s == '!' || *s == '?';
            }
        }
        counts[0] = nodes;
        counts[1] = styles;
    }

    #define NAMES 256  /* a power of 2 */

    /* The number of end tags beyond the start tags of their name, or -1 if it would take long to
       find out. A name ends as in tree.py; only its ASCII letters are read in lower case. */
    static Py_ssize_t unmatched_ends(const char *s, Py_ssize_t length) {
        const char *end = s + length, *names[NAMES];
        Py_ssize_t sizes[NAMES], beyond[NAMES], count = 0, sum = 0, i;
        memset(sizes, 0, sizeof(sizes));
        memset(beyond, 0, sizeof(beyond));
        while (s < end && (s = memchr(s, '<', end - s)) && ++s < end) {
            int ends = *s == '/';
            const char *name = s + ends;
            unsigned int hash = 2166136261u;
            if (name >= end || !is_letter(*name)) continue;
            for (s = name; s < end && !is_space(*s) && *s != '\v' && *s != '/' && *s != '>'; s++) {
                if (s - name > 64) return -1;
                hash = (hash ^ (unsigned char)lower(*s)) * 16777619u;
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

    #define BEGINS 32768  /* a power of 2 */

    /* The number of three bytes, the first in the lowest bits, whose fifth bits do not count. */
    static unsigned int begin_of(unsigned int three) {
        return ((three | 0x202020u) & 0xffffffu) * 0x9e3779b1u >> 17;
    }

    /* The next place from there on where one of the three bytes may be whose bits are set; also
       each of the last three places. */
    static Py_ssize_t next_begin(
        const unsigned char *s, Py_ssize_t length, Py_ssize_t from, const unsigned char *bits
    ) {
        for (; from < length - 3; from++) {
            const unsigned char *t = s + from;
            unsigned int four = t[0] | t[1] << 8 | t[2] << 16 | (unsigned int)t[3] << 24;
            unsigned int number = begin_of(four);
            if (bits[number >> 3] & (1 << (number & 7))) break;
        }
        return from;
    }
    """
    int BEGINS
    unsigned int begin_of(unsigned int three) noexcept nogil
    Py_ssize_t next_begin(
        const uint8_t *s, Py_ssize_t length, Py_ssize_t start, const uint8_t *bits
    ) noexcept nogil
    bint has_excluded(const char *s, Py_ssize_t length) noexcept nogil
    bint has_excluded_reference(const char *s, Py_ssize_t length) noexcept nogil
    void tags_of(const char *s, Py_ssize_t length, Py_ssize_t *counts) noexcept nogil
    Py_ssize_t unmatched_ends(const char *s, Py_ssize_t length) noexcept nogil
    bint may_have_attributes(const char *s, Py_ssize_t length, Py_ssize_t most) noexcept nogil
    Py_ssize_t last_of(
        const char *s, char byte, Py_ssize_t start, Py_ssize_t to
    ) noexcept nogil
    bint begins_a_value(const char *s, Py_ssize_t quote, Py_ssize_t max_gap) noexcept nogil


def may_have_many_attributes(
    bytes body, Py_ssize_t window, int signs, Py_ssize_t gap, Py_ssize_t most
):
    """Return whether a tag may have more than ``most`` attributes and be longer than a window."""
    return bool(_has_quoted_window(body, window, signs, gap)) and bool(
        may_have_attributes(body, len(body), most + 1)
    )


def count_tags(bytes body):
    """Return how many nodes and ``<style`` the page has at most."""
    cdef Py_ssize_t counts[2]
    cdef const char *s = body
    cdef Py_ssize_t length = len(body)
    with nogil:
        tags_of(s, length, counts)
    return counts[0], counts[1]


def count_unmatched_ends(bytes body):
    """Return how many end tags are beyond the start tags of their name; -1: it would take long."""
    cdef const char *s = body
    cdef Py_ssize_t length = len(body), count
    with nogil:
        count = unmatched_ends(s, length)
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
    bytes body, Py_ssize_t window, int signs, Py_ssize_t gap
) noexcept:
    """Return whether in some window of the page each of the first ``>`` may be in an attribute's
    value.
    """
    cdef const char *s = body
    cdef Py_ssize_t size = len(body), start = 0, sign, known = 0, single = -1, double = -1, last
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

    Most places are passed by a look at three bytes, which no sign begins with. At the others the
    letters are followed in a tree of all signs.
    """

    cdef bytes _classes, _next, _begins
    cdef list _ends  # where a sign ends in the tree, with the sign
    cdef frozenset _signs
    cdef int _width, _states

    def __init__(self, signs):
        """Take the signs, which are not empty; upper case is as lower case."""
        self._signs = frozenset(sign.lower() for sign in signs)
        letters = sorted({letter for sign in self._signs for letter in sign})
        places = {letter: place for place, letter in enumerate(letters, 1)}
        self._width = len(letters) + 1
        self._classes = bytes(places.get(bytes([letter]).lower()[0], 0) for letter in range(256))
        children, sign_of = [{}], [None]
        begins = bytearray(BEGINS >> 3)
        for sign in sorted(self._signs):
            state = 0
            for letter in sign:
                if letter not in children[state]:
                    children[state][letter] = len(children)
                    children.append({})
                    sign_of.append(None)
                state = children[state][letter]
            sign_of[state] = sign
            for first in _first_bytes(sign):
                number = begin_of(first)
                begins[number >> 3] |= 1 << (number & 7)
        self._begins = bytes(begins)
        self._ends = [(place, sign) for place, sign in enumerate(sign_of) if sign is not None]
        self._states = len(children)
        following = array("I", bytes(4 * self._width * self._states))
        for state, after_letters in enumerate(children):
            for letter, after in after_letters.items():
                ends = sign_of[after] is not None
                following[state * self._width + places[letter]] = after * self._width << 1 | ends
        self._next = following.tobytes()

    def __call__(self, bytes body):
        """Return the signs that the text has, in lower case."""
        cdef const uint8_t *s = <const uint8_t *><const char *>body
        cdef const uint8_t *classes = <const uint8_t *><const char *>self._classes
        cdef const uint8_t *begins = <const uint8_t *><const char *>self._begins
        cdef const uint32_t *following = <const uint32_t *><const char *>self._next
        cdef Py_ssize_t length = len(body), place = 0, end
        cdef uint32_t state, width = self._width
        cdef bytearray seen = bytearray(self._states)
        cdef uint8_t *reached = <uint8_t *><char *>seen
        cdef bint has = False
        with nogil:
            while True:
                place = next_begin(s, length, place, begins)
                if place >= length:
                    break
                state, end = 0, place
                while end < length:
                    state = following[(state >> 1) + classes[s[end]]]
                    if not state:
                        break
                    if state & 1:
                        reached[(state >> 1) / width] = has = True
                    end += 1
                place += 1
        if not has:
            return frozenset()
        return frozenset([sign for place, sign in self._ends if reached[<Py_ssize_t>place]])


def _first_bytes(sign):
    """Return the three bytes by which texts may begin that begin with the sign, as one number each.
    """
    first = sum(letter << 8 * place for place, letter in enumerate(sign[:3]))
    free = 8 * min(len(sign), 3)
    return [first | more << free for more in range(1 << 24 - free)]
