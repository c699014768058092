"""A labeler that waits for the test, so that a process can be killed in the middle of its work."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scrapy_boilernet.extractor.page import Page
from testing.plugged import ParagraphLabeler, install
from testing.warcs import warc_of

VARIABLE = "BOILERNET_TEST_GATE"
WAITS = "waits at the gate"
FILES, PAGES = 4, 30
GATED_URLS = sorted(
    f"https://example.com/{file}/{n}" for file in range(FILES) for n in range(PAGES)
)


class Gated(ParagraphLabeler):
    """Waits on a page that says so until the gate is open; notes the waiting process there."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        if any(WAITS in text for page in pages for text in page.texts):
            folder = Path(os.environ[VARIABLE])
            (folder / f"{os.getpid()}.waits").touch()
            while not (folder / "open").exists():
                time.sleep(0.01)
        return super().probabilities(pages)


class Gate:
    """The gate of the labeler ``"gated"``: a folder with files of the waiting processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self) -> None:
        (self._folder / "open").touch()

    def waiting(self) -> set[int]:
        """Return the ids of the processes that have waited at the gate so far."""
        return {int(path.stem) for path in self._folder.glob("*.waits")}


def gate_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Return a closed gate, and install the model ``"gated"``, also for child processes."""
    site, gate = folder / "site", folder / "gate"
    install(site, gated="testing.gates:Gated")
    gate.mkdir()
    paths = [str(site), str(Path(__file__).parents[1])]
    if inherited := os.environ.get("PYTHONPATH"):
        paths.append(inherited)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv(VARIABLE, str(gate))
    return Gate(gate)


def gated_pages(folder: Path) -> Path:
    """Write WARC files of the pages at ``GATED_URLS``; one in the middle of each file waits."""
    folder.mkdir()
    for file in range(FILES):
        texts = [f"Page {n} {WAITS if n == PAGES // 2 else 'does not'}." for n in range(PAGES)]
        pages = (
            (f"https://example.com/{file}/{n}", f"<nav>Menu</nav><p>{text}</p>".encode())
            for n, text in enumerate(texts)
        )
        (folder / f"{file}.warc.gz").write_bytes(warc_of(pages))
    return folder


def is_alive(process: Any) -> bool:
    """Whether a process of psutil has not ended."""
    psutil = pytest.importorskip("psutil")
    return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)


def wait_for(condition: Callable[[], bool], seconds: float = 90) -> None:
    """Return as soon as the condition holds; raise ``TimeoutError`` if it never does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)
