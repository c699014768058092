"""Superscripts, subscripts, the readings of ruby and short quotations, as plain text.

``10<sup>6</sup>`` becomes ``10⁶``, ``x<sub>max</sub>`` becomes ``x_max``,
``word<sup><a href="#1">1</a></sup>`` becomes ``word [1]``, and ``<q>word</q>`` becomes ``“word”``.
``docs/content.md`` has the rules.
"""

from __future__ import annotations

import re

from scrapy_boilernet.extractor.patterns import lazy_pattern

_RUBY_TAGS = frozenset(("rt", "rtc"))
MARK_TAGS = _RUBY_TAGS | {"sup", "sub", "ruby", "rb", "q"}
"""Elements whose text may change, and that no margin separates from the element before them."""
_MAX_LEVELS = 3
"""Such elements in each other; what is nested deeper counts as the third one's text."""
_MAX_CHARS = 60
"""A longer text is no superscript but a small text."""
_MAX_BASE = 16
"""Characters that are looked at before a superscript."""
_OPENING = "(（[［【〔「『《〈"
_QUOTES = ("“”", "‘’")
"""The signs around a quotation, and around one in it."""
_QUOTE_SIGNS = "\"'“”„‟‘’‚‛«»‹›「」『』《》〈〉"
_UNSPACED_FROM = 0x2E80
"""From this code point on, letters of scripts that are written without spaces."""

SUPERSCRIPTS = dict(
    zip(
        "0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ",
        strict=True,
    )
)
SUBSCRIPTS = dict(
    zip(
        "0123456789+-−–=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
_WRITTEN = frozenset((*SUPERSCRIPTS.values(), *SUBSCRIPTS.values()))

_WORD = re.compile(r"[^\W_]")
_LETTERS = re.compile(r"\A[^\W\d_]+\Z")
_DIGIT_END = re.compile(r"\d\Z")
_WORD_END = re.compile(r"[^\W\d_]{3}\Z")
_VARIABLE_END = re.compile(r"(?:\A|[^\w.])[^\W\d_]\Z|\)\Z")
_NUMBER_STOP_END = re.compile(r"\d[.,]\Z")
_SENTENCE_END = lazy_pattern(r"(?:[^\W\d_]{3}['’)]?[.,;:!?…]|[”»。，、；：！？」』])\Z")
_BRACKETED = re.compile(r"\A(?:\[[^\[\]]+\][\s,;–—‑-]*)+\Z")
_BETWEEN_MARKS = re.compile(r"\A(?:[–—‑-]\Z|:\s)")
"""What stands behind a mark in brackets: a dash before another one, or a colon and pages."""
_MARK_END = re.compile(r"\[\d{1,4}\]\Z")
_RANGE_END = re.compile(r"\[\d{1,4}\][–—‑-]\Z")
_SIGNS = re.compile(r"\A[*†‡§¶#※⁂]{1,4}\Z")
_NUMBERS = re.compile(r"\A\d{1,4}(?:\s?[,;–—‑-]\s?\d{1,4})*\Z")
_SEVERAL = re.compile(r"\A\d{1,4}\s?[,;–—‑-]\s?\d")
_NOTE_LETTERS = re.compile(r"\A(?:[a-zA-Z]{1,2}|[ivx]{1,5})\Z")
_IN_PARENTHESES = re.compile(r"\A\(?[0-9a-zA-Z]{1,4}\)\Z")
_NOTE_WORDS = re.compile(
    r"\b(?:references?|refs?|fnrefs?|footnotes?|endnotes?|notes?|noterefs?|footnoterefs?|fn|cites?|"
    r"citations?|fussnoten?|fußnoten?|voetnoot|fotnot|notas?|renvoi|appel|сноска|biblioref)\b"
)
"""Class words, ids and roles of a superscript that is a note mark."""
_ONE_WORD = re.compile(r"\A(?:tm|sm|mc|md|\((?:tm|r|c)\))\Z", re.IGNORECASE)
"""Trade marks."""
_NO_FORMULA = lazy_pattern(r"[ªº\u00c0-\u024f\u0400-\u1cff\u2e80-\uffdc]")
"""Small letters, letters with accents, and scripts that formulas have no superscripts in, from
Cyrillic on."""
_ORDINAL = lazy_pattern(
    r"\b(?:\d+[.]?\^[.-]?(?:st|nd|rd|th|[eèoa]|[eoa]s|ers?|n?de|[eè]?res?|i?[eè]mes?|i[eè]res?|"
    r"iers?|ste|ten?|d[ao]|r[ao]|t[ao]|v[ao]|m[aeo]|n[ao]|[ap]m)"
    r"|(?:[IVX]|[IVXLCDM]{2,}|[ivxlcdm]{2,})\^(?:e|ers?|[eè]?res?|i?[eè]mes?)"
    r"|(?:[IVXLCDM]{2,}|[ivxlcdm]{2,})\^(?:[oa]|th|st|nd|rd)"
    r"|[nN]\^os?|M\^(?:mes?|lles?|gre?s?|rs?|es?)|D\^(?:rs?|re|ra|ña)|P\^r|S\^(?:te|ra)|V\^ve|C\^ie|"
    r"E\^ts)\Z"
)
"""The end of a base, ``^`` and its superscript in small letters: numerals and abbreviations that
are one word."""
_NAME_PREFIX = re.compile(r"\bMa?\^c\Z")
"""In ``M<sup>c</sup>Donald``."""
_STOPS = ".,;:)"
_STARTS_WITH_DIGIT = re.compile(r"\A\d")
_CENTS = re.compile(r"\A[.,]\d")
_LONG_WORD = re.compile(r"[^\W\d_]{4}|[^\W\d_]{2}\S*\s+\S")
_LETTERS_IN_A_ROW = re.compile(r"[^\W\d_]{3}|[A-Z]{2}")
_LONE = re.compile(r"\A(?:\d{1,3}|[a-z])\Z")
"""What is raised or lowered even if no text stands directly beside it."""
_ONE_NAME = re.compile(r"\A[^\W_]+(?:[.][^\W_]+)?\Z")
_DECIMAL = re.compile(r"\A\d+[.]\d+\Z")
_ENCLOSED = re.compile(r"\A\([^()]*\)\Z")

Form = tuple[str, str, bool]
"""What is written before and after a text, and whether its characters are raised or lowered."""


def form_of(text: str, base: str, following: str, is_super: bool, is_note: bool) -> Form:
    """Return how a superscript or subscript is written.

    ``base``: the text before it, at most 16 characters. ``following``: the character after it.
    ``is_note``: whether a link or its class shows that it is a note mark.
    """
    joins = _WORD.search(following) is not None
    before, after = " " if base[-1:].strip() else "", " " if joins else ""
    if _BRACKETED.search(text):
        return "" if _RANGE_END.search(base) else before, after, False
    if is_super:
        if _MARK_END.search(base) and _BETWEEN_MARKS.search(text):
            return "", "", False
        if _is_one_word(text, base, joins):
            return "", "", False
        if _SIGNS.search(text):
            is_formula = _VARIABLE_END.search(base) and not is_note
            return ("", "", False) if is_formula else (before, after, False)
        if is_note or _is_note_by_place(text, base):
            if _IN_PARENTHESES.search(text):
                return before, after, False
            if _NUMBERS.search(text) or _NOTE_LETTERS.search(text):
                return before + "[", "]" + after, False
    is_spaced = len(text.split()) > 1
    if _LONG_WORD.search(text) and (is_spaced or not before or _WORD_END.search(base)):
        return before, after, False
    return _formula(text, base, joins, is_super)


def _is_one_word(text: str, base: str, joins: bool) -> bool:
    """Return whether a superscript and the text before it are one word or one price."""
    if _DIGIT_END.search(base) and _CENTS.search(text):
        return True
    if _NUMBER_STOP_END.search(base) and _STARTS_WITH_DIGIT.search(text):
        return True
    if _NO_FORMULA.search(text) or _NAME_PREFIX.search(f"{base}^{text}"):
        return True
    if _ONE_WORD.search(text) and not _VARIABLE_END.search(base):
        return True
    ending = text.rstrip(_STOPS).lower()
    return not joins and _ORDINAL.search(f"{base}^{ending}") is not None


def _is_note_by_place(text: str, base: str) -> bool:
    """Return whether numbers stand where only a note mark does."""
    is_several = _SEVERAL.search(text) or _IN_PARENTHESES.search(text)
    if _WORD_END.search(base) and is_several:
        return True
    return bool(_SENTENCE_END.search(base) and (is_several or _NUMBERS.search(text)))


def _formula(text: str, base: str, joins: bool, is_super: bool) -> Form:
    """Return how a superscript or subscript of a formula is written."""
    forms = SUPERSCRIPTS if is_super else SUBSCRIPTS
    attached = base[-1:].strip() != ""
    if attached or joins or _LONE.search(text):
        if all(map(forms.__contains__, text)) and not _LETTERS_IN_A_ROW.search(text):
            return "", "", True
        if not is_super and _DECIMAL.search(text):
            return "", "", True
    if not attached or not _WORD.search(text):
        return "", "", False
    if is_super and _LETTERS.search(text):
        if _DIGIT_END.search(base):  # a unit
            return "", "", False
        if _WORD_END.search(base):  # a small word
            return " ", " " if joins else "", False
    sign = "^" if is_super else "_"
    is_simple = _ONE_NAME.search(text) and not joins and _WRITTEN.isdisjoint(text)
    if is_simple or _ENCLOSED.search(text):
        return sign, "", False
    return f"{sign}(", ")", False


class Mark:
    """A superscript, a subscript, a ruby or a part of one that is around a text."""

    __slots__ = ("around", "class_words", "tag")

    def __init__(self, tag: str, above: tuple[Mark, ...], class_words: str) -> None:
        self.tag = tag
        self.around: tuple[Mark, ...] = (*above, self)
        """Those around it, outermost first, and itself."""
        self.class_words = class_words


Part = tuple[str, Mark | None, int]
"""A text, the innermost mark around it, and the number of its link; 0: none."""


def mark_inside(above: Mark | None, tag: str, class_words: str) -> Mark:
    """Return the mark of the texts of an element of :data:`MARK_TAGS` in the mark ``above``."""
    if above is not None and len(above.around) >= _MAX_LEVELS:
        return above
    return Mark(tag, above.around if above is not None else (), class_words)


def as_plain_text(parts: list[Part], scripts: bool = True) -> list[str]:
    """Return the text of each part of a block as plain text.

    The parts may be split anywhere: together they give the same text. Without ``scripts`` only the
    readings of ruby are written, and superscripts in superscripts, as for formats that have marks
    for the others.

    >>> as_plain_text([("10", None, 0), ("6", mark_inside(None, "sup", ""), 0)])
    ['10', '⁶']
    """
    return _Texts(parts, scripts).written()


class _Texts:
    """The texts of a block; they change where a mark ends, inner ones first."""

    def __init__(self, parts: list[Part], scripts: bool) -> None:
        self._parts, self._scripts = parts, scripts
        self._texts = [text for text, _, _ in parts]
        self._first, self._last = self._solid(0, len(parts) - 1)
        self._reading = -1
        """The last part of the last reading of a ruby."""

    def written(self) -> list[str]:
        opened: list[tuple[Mark, int]] = []
        for i, (_, mark, _) in enumerate(self._parts):
            around = mark.around if mark is not None else ()
            while opened and around[len(opened) - 1 : len(opened)] != (opened[-1][0],):
                self._end(*opened.pop(), i - 1)
            opened += [(inner, i) for inner in around[len(opened) :]]
        while opened:
            self._end(*opened.pop(), len(self._parts) - 1)
        return self._texts

    def _end(self, mark: Mark, begin: int, end: int) -> None:
        text = "".join(self._texts[begin : end + 1]).strip()
        if not text or mark.tag in ("ruby", "rb"):
            return
        if mark.tag == "q":
            self._end_quotation(mark, begin, end)
            return
        if mark.tag in _RUBY_TAGS:
            outside = {outer.tag for outer in mark.around[:-1]}
            if "ruby" in outside and outside.isdisjoint(_RUBY_TAGS):
                self._end_reading(begin, end)
            return
        if not self._scripts and not self._is_in_its_like(mark, begin, end):
            return
        is_all = begin <= self._first and end >= self._last
        if len(text) <= _MAX_CHARS and not is_all and not _WRITTEN.issuperset(text):
            self._end_script(mark, text, begin, end)

    def _end_quotation(self, mark: Mark, begin: int, end: int) -> None:
        """Put a quotation in quotation marks, unless the page wrote some."""
        own = "".join([text for text, _, _ in self._parts[begin : end + 1]]).strip()
        if own[0] not in _QUOTE_SIGNS or own[-1] not in _QUOTE_SIGNS:
            level = sum(outer.tag == "q" for outer in mark.around)
            self._wrap(begin, end, *_QUOTES[(level - 1) % 2])

    def _end_reading(self, begin: int, end: int) -> None:
        """Put the reading in parentheses, unless it is, and join it to a reading before it."""
        before = self._before(begin)
        last = self._solid(0, begin - 1)[1]
        if last >= 0 and last == self._reading:
            self._texts[last] = self._texts[last].rstrip()[:-1]
            spaced = not before[-1:].isspace() and ord(before[-2:][0]) < _UNSPACED_FROM
            self._wrap(begin, end, " " if spaced else "", ")")
        elif before.rstrip()[-1:] not in (*_OPENING, ""):
            self._wrap(begin, end, "(", ")")
        else:
            return
        self._reading = self._solid(begin, end)[1]

    def _end_script(self, mark: Mark, text: str, begin: int, end: int) -> None:
        is_super = mark.tag == "sup"
        following = self._texts[end + 1][:1] if end + 1 < len(self._texts) else ""
        following = " " if self._texts[end][-1:].isspace() else following
        base = self._before(begin) + (" " if self._texts[begin][:1].isspace() else "")
        is_note = is_super and (
            self._is_link_of_its_own(begin, end) or bool(_NOTE_WORDS.search(mark.class_words))
        )
        opening, closing, is_written = form_of(text, base, following, is_super, is_note)
        if is_written:
            forms = SUPERSCRIPTS if is_super else SUBSCRIPTS
            for i in range(begin, end + 1):
                self._texts[i] = "".join([forms.get(char, char) for char in self._texts[i]])
        if opening or closing:
            self._wrap(begin, end, opening, closing)

    def _is_in_its_like(self, mark: Mark, begin: int, end: int) -> bool:
        """Return whether a superscript stands beside a text of a superscript around it, or a
        subscript of a subscript: no mark of the text tells the two apart.
        """
        like = {outer for outer in mark.around[:-1] if outer.tag == mark.tag}
        if not like:
            return False
        beside = (self._parts[i] for i in (begin - 1, end + 1) if 0 <= i < len(self._parts))
        return any(one and not like.isdisjoint(one.around) for _, one, _ in beside)

    def _is_link_of_its_own(self, begin: int, end: int) -> bool:
        """Return whether links are around all words of some parts, and end with them."""
        own = self._parts[begin : end + 1]
        links = {link for text, _, link in own if link or _WORD.search(text)}
        beside = self._parts[max(0, begin - 1) : begin] + self._parts[end + 1 : end + 2]
        return bool(links) and 0 not in links and links.isdisjoint(link for _, _, link in beside)

    def _before(self, begin: int) -> str:
        """Return the last characters before a part."""
        before = ""
        while begin and len(before) < _MAX_BASE:
            begin -= 1
            before = self._texts[begin][-_MAX_BASE:] + before
        return before[-_MAX_BASE:]

    def _wrap(self, begin: int, end: int, opening: str, closing: str) -> None:
        """Write ``opening`` before the first character of some parts that is no white space, and
        ``closing`` after the last one.
        """
        first, last = self._solid(begin, end)
        text = self._texts[first]
        inside = text.lstrip()
        self._texts[first] = text[: len(text) - len(inside)] + opening + inside
        text = self._texts[last]
        inside = text.rstrip()
        self._texts[last] = inside + closing + text[len(inside) :]

    def _solid(self, begin: int, end: int) -> tuple[int, int]:
        """Return the first and the last of some parts that have more than white space."""
        while begin < end and self._texts[begin].isspace():
            begin += 1
        while begin < end and self._texts[end].isspace():
            end -= 1
        return begin, end
