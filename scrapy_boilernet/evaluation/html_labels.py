"""Where to put the labels of points in a plot so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import cos, pi, sin

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

DIRECTIONS = 16
DISTANCES = (8.0, 12.0, 18.0, 27.0, 38.0, 52.0, 70.0, 92.0)


def place(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    inside: Box,
    taken: Sequence[Box] = (),
    radius: float = 5.0,
) -> list[Box]:
    """Return a box of each size near its point, clear of points, ``taken`` and other boxes.

    The nearest free place wins; if there is none, the one that overlaps least.
    """
    placed: list[Box] = []
    for point, size in zip(points, sizes, strict=True):
        best, least = (0.0, 0.0, 0.0, 0.0), float("inf")
        # Close to another point a label would be taken for that one's.
        obstacles = [_around(p, radius if p == point else 2 * radius) for p in points]
        obstacles += [*taken, *placed]
        for box in _candidates(point, size, radius):
            cost = sum(_overlap(box, other) for other in obstacles)
            cost += _area(box) - _overlap(box, inside)
            if cost < least - 1e-6:
                best, least = box, cost
            if least <= 0:
                break
        placed.append(best)
    return placed


def _candidates(point: tuple[float, float], size: tuple[float, float], radius: float) -> list[Box]:
    """Boxes around the point, near ones first, beginning at its right."""
    (x, y), (width, height) = point, size
    found = []
    for distance, step in product(DISTANCES, range(DIRECTIONS)):
        # Right, left, then ever steeper: names read best beside their points.
        turn = (step // 2 if step % 2 == 0 else DIRECTIONS // 2 + step // 2) * 2 * pi / DIRECTIONS
        dx, dy = cos(turn), sin(turn)
        middle = x + dx * (distance + width / 2)
        centre = y + dy * (distance + radius / 2 + height / 2)
        found.append(
            (middle - width / 2, centre - height / 2, middle + width / 2, centre + height / 2)
        )
    return found


def _around(point: tuple[float, float], radius: float) -> Box:
    x, y = point
    return x - radius, y - radius, x + radius, y + radius


def _overlap(a: Box, b: Box) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return width * height if width > 0 and height > 0 else 0.0


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
