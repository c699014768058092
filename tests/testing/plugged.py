"""Labelers of another distribution than the package."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import Decider
from scrapy_boilernet.extractor.page import Page

METADATA = "Metadata-Version: 2.1\nName: outside-labeler\nVersion: 1.0\n"


class ParagraphLabeler(Decider):
    """Labels blocks in a ``<p>`` as content; the folder's model.json may name another tag."""

    def __init__(self, tag: str) -> None:
        super().__init__("outside", "block", 0.5)
        self.tag = tag

    @classmethod
    def load(cls, folder: Path | None) -> ParagraphLabeler:
        if folder is None:
            return cls("p")
        import json

        return cls(json.loads((folder / "model.json").read_text())["tag"])

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [
            np.array([0.9 if self.tag in block.tags else 0.1 for block in page.blocks], np.float32)
            for page in pages
        ]


class NotANumber(ParagraphLabeler):
    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [scores * np.nan for scores in super().probabilities(pages)]


class OneTooFew(ParagraphLabeler):
    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [scores[1:] for scores in super().probabilities(pages)]


class Dividing(ParagraphLabeler):
    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        raise ZeroDivisionError(len(pages))


class Deadly(ParagraphLabeler):
    """Ends its process on a page that says "deadly", and never returns from one that "hangs"."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        text = " ".join(text for page in pages for text in page.texts)
        if "deadly" in text:
            os._exit(3)
        while "hangs" in text:
            pass
        return super().probabilities(pages)


class Raising:
    @classmethod
    def load(cls, folder: Any) -> Any:
        raise RuntimeError("no licence")


class Lacking:
    @classmethod
    def load(cls, folder: Any) -> Any:
        return cls()


def install(site: Path, **entries: str) -> Path:
    """Write a distribution with these entry points into a folder that goes on the path."""
    info = site / "outside_labeler-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(METADATA)
    lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (info / "entry_points.txt").write_text(f"[scrapy_boilernet.labelers]\n{lines}")
    return site
