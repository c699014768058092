"""Numbers as words: a CRF reads attributes that are there or not, so numbers become intervals."""

from __future__ import annotations

from bisect import bisect_right

_SHARES = (0.001, 0.03, 0.08, 0.15, 0.25, 0.4, 0.6, 0.75, 0.85, 0.92, 0.97, 0.999)
_SHARE_NAMES = ("0", *(f"from {edge:g}" for edge in _SHARES[:-1]), "1")
_COUNTS = (1, 2, 3, 4, 5, 7, 10, 15, 25, 40, 80, 160)
_COUNT_NAMES = ("0", "1", "2", "3", "4", "5-6", "7-9", "10-14", "15-24", "25-39", "40-79",
                "80-159", "160+")  # fmt: skip
_SIZES = (10, 30, 60, 120, 250, 500, 1000, 2000, 4000)
_SIZE_NAMES = ("0-9", *(f"{edge}+" for edge in _SIZES))
_FEW = (1, 3, 7, 15, 40)
_FEW_NAMES = ("0", "1-2", "3-6", "7-14", "15-39", "40+")


def share(part: float, whole: float) -> str:
    """Return the interval of ``part / whole``, where nothing of nothing is 0.

    >>> share(1, 3), share(0, 0), share(2, 2)
    ('from 0.25', '0', '1')
    """
    return _SHARE_NAMES[bisect_right(_SHARES, part / whole if whole else 0.0)]


def count(number: float) -> str:
    """Return the interval of a number of things in a block.

    >>> count(0), count(6), count(1000)
    ('0', '5-6', '160+')
    """
    return _COUNT_NAMES[bisect_right(_COUNTS, number)]


def size(number: float) -> str:
    """Return the interval of a number of things on a page.

    >>> size(9), size(59), size(10**6)
    ('0-9', '30+', '4000+')
    """
    return _SIZE_NAMES[bisect_right(_SIZES, number)]


def few(number: float) -> str:
    """Return the interval of a number of words, coarsely.

    >>> few(5), few(100)
    ('3-6', '40+')
    """
    return _FEW_NAMES[bisect_right(_FEW, number)]
