"""What Python's garbage collection visits while a crawl starts and runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the garbage collection. Loaded modules stay in memory, and searching them is slow."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def leave_out_loaded() -> None:
    """Let no collection visit the objects that there are now, until :func:`visit_all`.

    They are modules, settings, the model and Scrapy's components, some 110,000 objects, and stay
    until the end of the crawl. A collection that visits them stops the reactor for some 50 ms.
    """
    gc.freeze()


def visit_all() -> None:
    """Let the next collections visit all objects again."""
    gc.unfreeze()
