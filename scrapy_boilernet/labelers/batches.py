"""Which pages are scored together: few blocks at a time, and pages of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrapy_boilernet.page import Page

WINDOW_BLOCKS = 5000
"""Blocks of pages that are held as arrays at once: as many as the longest page has by default, so
that a batch takes about the memory of such a page."""
_LEAST_SHARE = 0.8
"""Of the longest page's blocks, for a page to stand beside it; shorter ones cost more in padding
than they save."""


def windows(pages: Sequence[Page], most: int = WINDOW_BLOCKS) -> Iterator[list[Page]]:
    """Yield all pages in their order, in runs of at most ``most`` blocks or one page."""
    window: list[Page] = []
    blocks = 0
    for page in pages:
        if window and blocks + len(page.blocks) > most:
            yield window
            window, blocks = [], 0
        window.append(page)
        blocks += len(page.blocks)
    if window:
        yield window


def like_lengths(lengths: Sequence[int]) -> list[list[int]]:
    """Return the indices of ``lengths``, longest first, in groups within which little is padded.

    >>> like_lengths([50, 99, 100, 20, 41])
    [[2, 1], [0, 4], [3]]
    """
    groups: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if groups and lengths[i] >= _LEAST_SHARE * lengths[groups[-1][0]]:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups
