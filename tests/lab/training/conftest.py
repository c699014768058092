"""Limit torch to one thread here: two are many times slower on such small matrices."""

from __future__ import annotations

from contextlib import suppress

with suppress(ImportError):
    import torch

    torch.set_num_threads(1)
