"""Mutations of a page's tags. Random changes of bytes would break most tags."""

from __future__ import annotations

import random
import re

_TOKEN = re.compile(rb"<[^<>]*>|[^<]+|<")
_REPEATS = (2, 3, 10, 70, 260, 2100)
"""How often a token is repeated; lxml loses text below 255 and below 2,048 elements."""
_ATTRIBUTES = (
    b" class=a", b" id=b", b" hidden", b' style="display:none"', b" =", b" class", b' x="', b" /",
)  # fmt: skip


def mutated(data: bytes, max_size: int, seed: int) -> bytes:
    """Return the page with one mutation of its tags, cut to ``max_size`` bytes.

    The same seed gives the same mutation.
    """
    draw = random.Random(seed)
    parts = _TOKEN.findall(data)
    if not parts:
        return data[:max_size]
    mutation = draw.choice((_repeated, _moved, _copied, _dropped, _nested, _capitals, _attributed))
    return b"".join(mutation(parts, draw))[:max_size]


def _slice(parts: list[bytes], draw: random.Random, most: int = 6) -> slice:
    begin = draw.randrange(len(parts))
    return slice(begin, begin + draw.randint(1, most))


def _repeated(parts: list[bytes], draw: random.Random) -> list[bytes]:
    where = _slice(parts, draw, 3)
    return parts[: where.start] + parts[where] * draw.choice(_REPEATS) + parts[where.stop :]


def _moved(parts: list[bytes], draw: random.Random) -> list[bytes]:
    where = _slice(parts, draw)
    rest = parts[: where.start] + parts[where.stop :]
    target = draw.randint(0, len(rest))
    return rest[:target] + parts[where] + rest[target:]


def _copied(parts: list[bytes], draw: random.Random) -> list[bytes]:
    target = draw.randint(0, len(parts))
    return parts[:target] + parts[_slice(parts, draw)] + parts[target:]


def _dropped(parts: list[bytes], draw: random.Random) -> list[bytes]:
    where = _slice(parts, draw)
    return parts[: where.start] + parts[where.stop :]


def _nested(parts: list[bytes], draw: random.Random) -> list[bytes]:
    """Return the parts with a tag opened many times around some, and perhaps closed as often."""
    tags = [part for part in parts if part[:1] == b"<" and part[1:2].isalpha()]
    if not tags:
        return parts
    tag, times, where = draw.choice(tags), draw.choice(_REPEATS), _slice(parts, draw)
    name = re.split(rb"[\s/>]", tag[1:], maxsplit=1)[0]
    ends = [b"</" + name + b">"] * draw.choice((0, 1, times))
    return parts[: where.start] + [tag] * times + parts[where] + ends + parts[where.stop :]


def _capitals(parts: list[bytes], draw: random.Random) -> list[bytes]:
    where = _slice(parts, draw)
    return parts[: where.start] + [part.swapcase() for part in parts[where]] + parts[where.stop :]


def _attributed(parts: list[bytes], draw: random.Random) -> list[bytes]:
    places = [i for i, part in enumerate(parts) if part[:1] == b"<" and part[-1:] == b">"]
    if not places:
        return parts
    place, more = draw.choice(places), draw.choice(_ATTRIBUTES) * draw.choice((1, 1, 1, 300))
    return [*parts[:place], parts[place][:-1] + more + b">", *parts[place + 1 :]]
