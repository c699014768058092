"""The soak's labeler: the default model, except that the titles of some pages make it fail.

It is a plug-in, so it runs in the worker processes, too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.page import Page

NAME = "soak"
TROUBLE = {"raises": "soak raises", "crashes": "soak crashes", "hangs": "soak hangs"}
"""Per kind of page the title that causes the failure."""
HANG_VARIABLE, ENGINE_VARIABLE, MODE_VARIABLE = "SOAK_HANG_SECONDS", "SOAK_ENGINE", "SOAK_MODE"
"""Environment variables, since a labeler gets no settings."""


class SoakError(Exception):
    """Raised by the labeler on some pages."""


class SoakLabeler:
    """Labels like the default model, but raises, ends its process or hangs on some pages."""

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
    """Write a distribution with the labeler's entry point into a folder that goes on the path.

    The distribution is named after the labeler's package, since the plugin reports its version.
    """
    info = site / "benchmarks-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: benchmarks\nVersion: 1.0\n")
    entry = f"[scrapy_boilernet.labelers]\n{NAME} = benchmarks.soak.labeler:SoakLabeler\n"
    (info / "entry_points.txt").write_text(entry)
