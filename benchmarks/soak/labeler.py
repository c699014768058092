"""The soak's labeler: a shipped model, but for pages whose titles ask for trouble.

A plug-in like any other, so that it runs in the worker processes, too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.labelers.registry import load_labeler
from scrapy_boilernet.page import Page

NAME = "soak"
TROUBLE = {"raises": "soak raises", "crashes": "soak crashes", "hangs": "soak hangs"}
"""Per kind of page the title at which the labeler does what it says."""
HANG_VARIABLE, ENGINE_VARIABLE, MODE_VARIABLE = "SOAK_HANG_SECONDS", "SOAK_ENGINE", "SOAK_MODE"
"""Environment variables, since a labeler has no other way to be told."""


class SoakError(Exception):
    """What the labeler raises at some pages."""


class SoakLabeler:
    """Does as the default model does; raises, ends its process or hangs at some pages."""

    def __init__(self, inner: Any) -> None:
        self.name = NAME
        self.units = inner.units
        self.threshold_for = inner.threshold_for
        self.confidence = inner.confidence
        self._inner = inner

    @classmethod
    def load(cls, folder: Path | None) -> SoakLabeler:  # noqa: ARG003 - what plug-ins take
        return cls(load_labeler("default", os.environ[ENGINE_VARIABLE]))

    def probabilities(self, pages: Sequence[Page]) -> Any:
        for page in pages:
            if page.title == TROUBLE["raises"]:
                raise SoakError(page.url)
            if page.title == TROUBLE["crashes"]:
                if os.environ[MODE_VARIABLE] == "process":
                    os._exit(3)
                raise MemoryError
            if page.title == TROUBLE["hangs"]:
                time.sleep(float(os.environ[HANG_VARIABLE]))
        return self._inner.probabilities(pages)


def install(site: Path) -> None:
    """Write a distribution that brings the labeler into a folder that is to be on the path.

    It is named after the package, of which the plugin reports the version.
    """
    info = site / "benchmarks-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: benchmarks\nVersion: 1.0\n")
    entry = f"[scrapy_boilernet.labelers]\n{NAME} = benchmarks.soak.labeler:SoakLabeler\n"
    (info / "entry_points.txt").write_text(entry)
