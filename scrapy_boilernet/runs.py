"""Runs of text: the pieces between two ends of a block, and how they become one text."""

from __future__ import annotations

from itertools import groupby, islice, pairwise
from operator import is_, itemgetter

from scrapy_boilernet.places import Frame

Piece = tuple[str, Frame]
"""A text of the DOM and the element that it stands in."""
Run = list[Piece]


def whole(run: Run) -> Run:
    """Return the run, with what only a comment or a skipped element parts in one piece."""
    frames = [frame for _, frame in run]
    if not any(map(is_, frames, islice(frames, 1, None))):
        return run
    pieces = groupby(run, itemgetter(1))
    return [("".join(text for text, _ in each), frame) for frame, each in pieces]


def joined(run: Run) -> str:
    """Return the run's text; elements side by side are words of their own, as margins show them."""
    parts = [run[0][0]]
    for (text_before, before), (text, frame) in pairwise(run):
        solid = frame is not before and len(text_before) > 1 and len(text) > 1
        if solid and _is_apart(before, frame):
            parts.append(" ")
        parts.append(text)
    return "".join(parts)


def _is_apart(before: Frame, frame: Frame) -> bool:
    """Whether nothing but markup parts two links, or two siblings outside of code."""
    if before.link and frame.link and before.link != frame.link:
        return True
    return frame.parent is before.parent and not frame.code
