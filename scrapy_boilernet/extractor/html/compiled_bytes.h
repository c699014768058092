/* Functions of the compiled walk that read UTF-8 text and the values of attributes. */

#include <string.h>

/* The length of the white space, as str.isspace() knows it, at the beginning of UTF-8 text. */
static inline int space_bytes(const unsigned char *s, const unsigned char *end) {
    unsigned char c = *s;
    if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f);
    if (c == 0xc2) return end - s > 1 && (s[1] == 0x85 || s[1] == 0xa0) ? 2 : 0;
    if (c < 0xe1 || c > 0xe3 || end - s < 3) return 0;
    if (c == 0xe1) return s[1] == 0x9a && s[2] == 0x80 ? 3 : 0;
    if (c == 0xe3) return s[1] == 0x80 && s[2] == 0x80 ? 3 : 0;
    if (s[1] == 0x81) return s[2] == 0x9f ? 3 : 0;
    return s[1] == 0x80 && (s[2] <= 0x8a || s[2] == 0xa8 || s[2] == 0xa9 || s[2] == 0xaf)
        ? 3 : 0;
}

/* 1 to 4: class, id, role, itemprop; 5: hidden; 6: aria-hidden; 7: style; 8: bgcolor; 9: color;
   0: others. */
static inline int attribute_number(const unsigned char *name) {
    const char *s = (const char *)name;
    switch (s[0]) {
        case 'b': return strcmp(s, "bgcolor") == 0 ? 8 : 0;
        case 'c': return strcmp(s, "class") == 0 ? 1 : strcmp(s, "color") == 0 ? 9 : 0;
        case 'i': return strcmp(s, "id") == 0 ? 2 : strcmp(s, "itemprop") == 0 ? 4 : 0;
        case 'r': return strcmp(s, "role") == 0 ? 3 : 0;
        case 'h': return strcmp(s, "hidden") == 0 ? 5 : 0;
        case 'a': return strcmp(s, "aria-hidden") == 0 ? 6 : 0;
        case 's': return strcmp(s, "style") == 0 ? 7 : 0;
    }
    return 0;
}

/* Whether a value begins with 0 or a point, behind the end of its property's name. */
static inline int may_be_zero(const unsigned char *s) {
    while (*s && *s != ':' && *s != ';') s++;
    if (*s == ':') s++;
    while (*s == ' ' || (*s >= 9 && *s <= 13) || *s == '+' || *s == '-') s++;
    return *s == '0' || *s == '.';
}

/* Whether a style may hide its element: only then is it read. Each way to hide has these letters, or
   an escape or a comment. */
static inline int may_hide_by_style(const unsigned char *style) {
    int none = 0, display = 0, color = 0, ground = 0;
    for (; *style; style++) {
        unsigned char next = style[1] | 0x20;
        switch (*style | 0x20) {
            case 'n': none |= next == 'o' && (style[2] | 0x20) == 'n'; break;
            case 'd': display |= next == 'i' && (style[2] | 0x20) == 's'; break;
            case 'h': if (next == 'i' && (style[2] | 0x20) == 'd') return 1; break;  /* hidden */
            case 'c':
                if (next == 'l' && (style[2] | 0x20) == 'i') return 1;  /* clip */
                if (next == 'o' && (style[2] | 0x20) == 'l') {
                    if ((style[3] | 0x20) == 'l') return 1;  /* collapse */
                    color = 1;
                }
                break;
            case 'p': if (next == 'a' && (style[2] | 0x20) == 'c' && may_be_zero(style)) return 1; break;
            case 't': if (next == '-' && (style[2] | 0x20) == 's' && may_be_zero(style)) return 1; break;
            case 's': if (next == 'c' && (style[2] | 0x20) == 'a') return 1; break;  /* scale */
            case 'b': ground |= next == 'a' && (style[2] | 0x20) == 'c'; break;
            case 'r':  /* transparent, rgba */
                ground |= (next == 'a' && (style[2] | 0x20) == 'n') || (next == 'g' && (style[2] | 0x20) == 'b');
                break;
            case '-':  /* a length of at least two digits below zero */
                if (style[1] >= '0' && style[1] <= '9' && style[2] >= '0' && style[2] <= '9') return 1;
                break;
            case '/': if (next == '*') return 1; break;
            case '\\' | 0x20: return 1;
        }
        if ((none && display) || (color && ground)) return 1;
    }
    return 0;
}

/* Whether a class may be one that hides, by a part that each of those has. */
static inline int may_hide_by_class(const unsigned char *s) {
    for (; *s; s++) {
        switch (*s) {
            case 'h': if (s[1] == 'i' && s[2] == 'd') return 1; break;  /* hidden */
            case 's':
                if (s[1] == 'r') return 1;  /* sr-only, for-sr */
                if (s[1] == 'c' && s[2] == 'r') return 1;  /* screen-reader */
                break;
            case 'n': if (s[1] == 'v' && s[2] == 'i') return 1; break;  /* invisible */
            case 'd': if (s[1] == '-' && s[2] == 'n') return 1; break;  /* d-none */
            case 'o': if (s[1] == 'l' && s[2] == 't' && s[3] == 'i') return 1; break;  /* tooltip */
        }
    }
    return 0;
}

/* Whether a role may be that of a tab's panel. */
static inline int is_tab_panel(const unsigned char *role) {
    while (*role == ' ' || (*role >= 9 && *role <= 13)) role++;
    return (*role | 0x20) == 't' && (role[1] | 0x20) == 'a' && (role[2] | 0x20) == 'b';
}

/* Whether a text has only ASCII. */
static inline int is_ascii(const unsigned char *s) {
    while (*s && *s < 0x80) s++;
    return !*s;
}

/* Whether a word of a value may be a name that rules have, by the bits of style_sheets.py. */
static inline int may_be_ruled(const unsigned char *s, const unsigned char *bits) {
    while (*s) {
        unsigned int number = 2166136261u;
        while (*s == ' ' || (*s >= 9 && *s <= 13)) s++;
        if (!*s) return 0;
        for (; *s && *s != ' ' && !(*s >= 9 && *s <= 13); s++) number = (number ^ *s) * 16777619u;
        number = (number ^ (number >> 16)) & 4095;
        if (bits[number >> 3] & (1 << (number & 7))) return 1;
    }
    return 0;
}

/* Write the first value, or all four with spaces between if another one is not empty, each cut off
   at "most"; return the length, or -1 if a character is not ASCII. */
static inline Py_ssize_t joined_values(const unsigned char **values, unsigned char *out, int most) {
    Py_ssize_t length = 0;
    int several = 0, i, n;
    for (i = 1; i < 4; i++) several |= values[i] && values[i][0];
    for (i = 0; i < (several ? 4 : 1); i++) {
        if (i) out[length++] = ' ';
        for (n = 0; values[i] && values[i][n] && n < most; n++) {
            if (values[i][n] >= 0x80) return -1;
            out[length++] = values[i][n];
        }
    }
    return length;
}

static inline int is_lower(unsigned char c) { return c >= 'a' && c <= 'z'; }
static inline int is_upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }

/* Write the first distinct words of ASCII text, as paths.py finds them, with spaces between; return
   the length. */
static inline Py_ssize_t class_words(
    const unsigned char *s, Py_ssize_t length, unsigned char *out, int most
) {
    const unsigned char *end = s + length;
    unsigned char *starts[16];
    Py_ssize_t lengths[16], n;
    unsigned char *place = out;
    int found = 0, i;
    while (s < end && found < most) {
        const unsigned char *word = s;
        if (is_lower(*s)) {
            while (s < end && is_lower(*s)) s++;
        } else if (is_upper(*s)) {
            while (s < end && is_upper(*s)) s++;
            if (s < end && is_lower(*s)) {
                if (s - word > 1) s--;
                else while (s < end && is_lower(*s)) s++;
            }
        } else {
            s++;
            continue;
        }
        n = s - word;
        if (n < 2) continue;
        if (found) *place++ = ' ';
        starts[found] = place;
        while (word < s) *place++ = *word++ | 0x20;
        for (i = 0; i < found; i++)
            if (lengths[i] == n && memcmp(starts[i], place - n, n) == 0) break;
        if (i < found) place -= n + 1;
        else lengths[found++] = n;
    }
    return place - out;
}
