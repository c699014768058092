"""Where a system is behind the best peer: said in words beside any mean, which hides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def against_best_peers(first: str, gaps: Mapping[str, Mapping[str, Any]], unit: str = "set") -> str:
    """Return a sentence: on how many sets ``first`` is behind the best peer of the set, and where.

    ``gaps``: per set the best peer's ``name``, the ``lead`` of ``first`` over it there, and the
    ``interval`` of the lead, paired by page; not empty. ``unit``: what there is one gap for each
    of. A lead of exactly zero is not behind.
    """
    behind = {where: gap for where, gap in gaps.items() if gap["lead"] < 0}
    every = f"all {len(gaps)} {unit}s" if len(gaps) > 1 else f"the one {unit}"
    if all(gap["lead"] > 0 for gap in gaps.values()):
        return f"{first} is ahead of the best peer on {every}."
    if not behind:
        return f"{first} is level with the best peer or ahead of it on {every}."
    of = f"{len(behind)} of {len(gaps)} {unit}s" if len(gaps) > 1 else every
    listed = ", ".join(
        f"{where} {_signed(gap['lead'])} "
        f"[{_signed(gap['interval'][0])}, {_signed(gap['interval'][1])}] ({gap['name']})"
        for where, gap in behind.items()
    )
    return f"{first} is behind the best peer on {of}: {listed}."


def _signed(figure: float) -> str:
    return f"{figure:+.3f}"
