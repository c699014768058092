"""The templates of a domain that the model keeps, and whether it now drops one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

WINDOW_PAGES = 20
"""How many of the last pages with a template are compared with those before them."""
MIN_PAGES_BEFORE = 40
MIN_KEPT_SHARE = 0.95
"""A template was kept if it was on so many of the pages before the window."""
MIN_DROPPED = 16
"""Pages of the window on which it must be dropped."""
MAX_TEMPLATES = 16
"""Templates of a domain that are followed."""
_FROM_PAGE = 5
"""A template is followed once it is one of so many that hold most of the kept text of a page."""
_FULL = 1 << WINDOW_PAGES
_MAX_PAGES = 2**53


class Seen(NamedTuple):
    """What became of a template on the pages that have it."""

    pages: int = 0
    """Pages before the window."""
    kept: int = 0
    """Those of them on which it was kept."""
    window: int = 1
    """A bit per page of the window, 1 if it was kept, after a first bit that is always 1."""

    def and_then(self, kept: bool) -> Seen:
        """Return the same with one more page."""
        pages, before, window = self
        if window >= _FULL:
            pages, before = pages + 1, before + (window >> (WINDOW_PAGES - 1) & 1)
            window = window & (_FULL >> 1) - 1 | _FULL >> 1
        return Seen(pages, before, window << 1 | kept)

    @property
    def dropped(self) -> int:
        """The pages of the window on which it was dropped."""
        return self.window.bit_length() - self.window.bit_count()

    @property
    def is_lost(self) -> bool:
        """Whether it was kept before the window, and is dropped now."""
        if self.dropped < MIN_DROPPED or self.pages < MIN_PAGES_BEFORE:
            return False
        return self.kept >= MIN_KEPT_SHARE * self.pages


class LostTemplate(NamedTuple):
    """A template that the model kept and now drops."""

    number: int
    comparison: str
    """How often it is dropped, and how often it was kept before."""


class Templates:
    """Follows the templates of a domain, those that were on its pages last."""

    def __init__(self, known: Mapping[int, Seen] | None = None) -> None:
        """Begin with these."""
        self._known: dict[int, Seen] = dict(known or {})

    def add(self, judged: Sequence[int]) -> LostTemplate | None:
        """Count a page with content; return the template that is lost with it, or None.

        ``judged``: as :func:`~scrapy_boilernet.workers.templates.judged_templates` returns it.
        """
        lost: dict[int, Seen] = {}
        for each in judged:
            seen = self._known.pop(abs(each), None)
            if seen is not None:  # those that were seen last stand at the end
                seen = self._known[abs(each)] = seen.and_then(each > 0)
                if each < 0 and seen.is_lost:
                    lost[-each] = seen
        for each in takewhile(lambda number: number > 0, islice(judged, _FROM_PAGE)):
            self._known.setdefault(each, Seen(window=0b11))
        while len(self._known) > MAX_TEMPLATES:
            del self._known[next(iter(self._known))]
        if not lost:
            return None
        number = max(lost, key=lambda number: lost[number].pages)
        dropped, (pages, kept, _) = lost[number].dropped, lost[number]
        self._known.clear()  # later pages are compared with those that come from here on
        return LostTemplate(
            number,
            f"dropped on {dropped} of the last {WINDOW_PAGES} pages with it; before: kept on "
            f"{kept} of {pages} pages",
        )

    def document(self) -> dict[str, list[int]]:
        """Return the templates as plain JSON."""
        return {str(number): [*seen] for number, seen in self._known.items()}

    @classmethod
    def of(cls, document: object) -> Templates:
        """Return the templates of a document.

        Raises ``ValueError`` or ``TypeError`` for another.
        """
        if not isinstance(document, dict) or len(document) > MAX_TEMPLATES:
            raise ValueError("no templates")
        known = {int(number): Seen._make(seen) for number, seen in document.items()}
        for pages, kept, window in known.values():
            if not all(type(value) is int for value in (pages, kept, window)):
                raise ValueError("a template without counts")
            if not (0 <= kept <= pages <= _MAX_PAGES and 1 <= window < 2 * _FULL):
                raise ValueError("a template with wrong counts")
        return cls(known)
