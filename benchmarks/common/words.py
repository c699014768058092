"""Words of which the benchmarks make pages."""

from __future__ import annotations

WORDS = (
    "water tower bridge market winter letter garden window morning silver engine harbour station "
    "village copper meadow lantern orchard river stone"
).split()
