"""The parts of the hostile pages: an ordinary article, its marker words, and filler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice

from benchmarks.common.words import WORDS

BEGIN, MIDDLE, END = "Quillbrook", "Fernhollow", "Larkspire"
"""Marker words: before the bomb, in its innermost place or its middle, and after it."""
ALL, AROUND, BEFORE = (BEGIN, MIDDLE, END), (BEGIN, END), (BEGIN,)

INNER = (
    f"Nobody expected that the old ferry at {MIDDLE} would sail again, but on Monday it crossed "
    "the river with forty passengers, two dogs and a piano that was meant for the school."
)
"""The sentence that stands inside the bomb."""
_OPENING = (
    f"<p>The tide pools below {BEGIN} are counted every spring by people of the village, who write "
    "down what they find in a thin blue book, as their parents did before them.</p>"
    "<p>This year the book went missing for a week, and with it went the list of the boats that "
    "were to be repaired before the summer, so that nothing moved in the harbour.</p>"
    "<p>It was found under a bench in the station, a little wet, with a note in it that asked "
    "whoever read it to come down to the river on the first Monday of the month.</p>"
)
_CLOSING = (
    "<p>The ferry will sail twice a day from now on, in the morning and in the late afternoon, and "
    "whoever brings a bicycle pays no more than whoever comes on foot.</p>"
    f"<p>The council of {END} has promised to mend the landing stage before the winter, and to "
    "paint the waiting room in the colour that the children have chosen.</p>"
)
UTF_8 = '<meta charset="utf-8">'


@dataclass(frozen=True)
class Bomb:
    """A hostile page; the same bytes at each call."""

    name: str
    size: int
    """How often the harmful piece is repeated, or how long it is."""
    small: int
    """A smaller size, for the tests."""
    body: Callable[[int], str]
    """Takes a size and returns what stands between the article's opening and its end."""
    shown: tuple[str, ...] = ALL
    """The marker words that a browser without scripts shows."""
    leaves: tuple[str, ...] | None = None
    """The marker words in leaves, which leave out buttons and noscript; None: as ``shown``."""
    head: Callable[[int], str] = lambda _: UTF_8
    """Takes a size and returns what stands in the head besides the title."""
    before: Callable[[int], str] = lambda _: "<!DOCTYPE html>"
    encode: Callable[[str], bytes] = lambda text: text.encode("utf-8", errors="surrogatepass")
    whole: Callable[[int], str] | None = None
    """Takes a size and returns the whole page, instead of the article."""

    def page(self, size: int | None = None) -> bytes:
        """Return the page, by default in full size."""
        n = self.size if size is None else size
        text = self.whole(n) if self.whole else self._article(n)
        return self.encode(text)

    def _article(self, n: int) -> str:
        return (
            f'{self.before(n)}<html lang="en"><head>{self.head(n)}<title>The ferry</title></head>'
            f"<body><article><h1>The ferry sails again</h1>{_OPENING}\n{self.body(n)}\n{_CLOSING}"
            "</article></body></html>"
        )


def around(opening: str, closing: str = "") -> Callable[[int], str]:
    """Return a body: the inner sentence in ``size`` nested elements."""
    return lambda n: opening * n + f"<p>{INNER}</p>" + closing * n


def halves(piece: str) -> Callable[[int], str]:
    """Return a body: the inner sentence between two rows of ``size / 2`` pieces."""
    return lambda n: piece * (n // 2) + f"<p>{INNER}</p>" + piece * (n - n // 2)


def numbered(piece: str) -> Callable[[int], str]:
    """Return a body: pieces with their number at ``{}``, around the inner sentence."""

    def body(n: int) -> str:
        pieces = [piece.replace("{}", str(i)) for i in range(n)]
        return "".join([*pieces[: n // 2], f"<p>{INNER}</p>", *pieces[n // 2 :]])

    return body


def words(chars: int) -> str:
    """Return that many characters of prose."""
    text = " ".join(islice(cycle(WORDS), chars // 6 + 2))
    return text[:chars]


def with_inner(text: str) -> str:
    """Return the text as a paragraph with the inner sentence in its middle."""
    half = len(text) // 2
    return f"<p>{text[:half]} {INNER} {text[half:]}</p>"
