"""Labelers that fail on a page as its URL says: ``?fault=NAME``."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from testing.plugged import ParagraphLabeler

from scrapy_boilernet.extractor.page import Page

FOLDER = Path(os.environ.get("FAULTS_FOLDER", "."))
"""The folder of the files that labelers write."""
RELEASE = threading.Event()
"""Set by the spider when a page that hangs in a thread may go on."""


class FaultError(RuntimeError):
    """Raised by a labeler on purpose."""


class RudeError(FaultError):
    """An exception that raises when it is shown."""

    def __str__(self) -> str:
        raise FaultError


def fault_of(page: Page) -> str:
    """Return the page's fault; "" for none."""
    return parse_qs(urlsplit(page.url or "").query).get("fault", [""])[0]


def _raise(error: BaseException) -> None:
    raise error


def _recurse() -> None:
    _recurse()


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _kill_once() -> None:
    try:
        (FOLDER / "killed-once").touch(exist_ok=False)
    except FileExistsError:
        return
    _kill()


def _crash() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.string_at(0)


def _spin() -> None:
    while True:
        pass


def _noting_pid(fault: str, act: Callable[[], Any]) -> Callable[[], Any]:
    def noting() -> None:
        (FOLDER / f"pid of {fault}").write_text(str(os.getpid()))
        act()

    return noting


RAISED: dict[str, Callable[[], Any]] = {
    "ZeroDivisionError": lambda: 1 // 0,
    "FaultError": lambda: _raise(FaultError("%s {0} \udcff \x00")),
    "RudeError": lambda: _raise(RudeError()),
    "MemoryError": lambda: bytearray(1 << 62),
    "RecursionError": _recurse,
    "StopIteration": lambda: next(iter(())),
    "CancelledError": lambda: _raise(CancelledError()),
}
"""Functions that raise an exception, by its name."""
ENDING: dict[str, Callable[[], Any]] = {
    "SystemExit": sys.exit,
    "KeyboardInterrupt": lambda: _raise(KeyboardInterrupt()),
    "GeneratorExit": lambda: _raise(GeneratorExit()),
}
"""Functions that raise an exception that is no ``Exception``, by its name."""
DEADLY: dict[str, Callable[[], Any]] = {
    "kill": _kill,
    "exit": lambda: os._exit(0),
    "segfault": _crash,
}
"""Functions that end the labeler's process."""
HANGING: dict[str, Callable[[], Any]] = {
    "spin": _spin,
    "gil": lambda: re.match(r"(a+)+$", "a" * 60 + "b"),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "sleep": threading.Event().wait,
    "wait": RELEASE.wait,
}
"""Functions that do not return; "gil" holds the GIL, so that no other thread runs."""
ACTS = {
    **RAISED, **ENDING, **DEADLY, "kill once": _kill_once,
    **{name: _noting_pid(name, act) for name, act in HANGING.items()},
}  # fmt: skip
WRONG: dict[str, Callable[[Any], Any]] = {
    "NaN": lambda scores: scores * np.nan,
    "too short": lambda scores: scores[1:],
    "two dimensions": lambda scores: scores[:, None],
    "list": lambda scores: scores.tolist(),
    "None": lambda scores: None,
    "words": lambda scores: np.array(["content"] * len(scores)),
}
"""Functions from a page's probabilities to what the labeler returns instead."""
WRONG_NUMBER = {"one array less": slice(None, -1), "no array": slice(0)}
"""The part of its arrays that a labeler returns if one of the pages has the fault."""
THRESHOLDS: dict[str, Any] = {"threshold NaN": float("nan"), "threshold float32": np.float32(0.5)}
CONFIDENCES: dict[str, Any] = {
    "confidence None": None,
    "confidence text": "high",
    "confidence float32": np.float32(0.5),
}


class FaultyLabeler(ParagraphLabeler):
    """Labels blocks in a ``<p>`` as content, unless a page has a fault."""

    def probabilities(self, pages: Sequence[Page]) -> list[Any]:
        faults = [fault_of(page) for page in pages]
        for fault in faults:
            ACTS.get(fault, lambda: None)()
        right = super().probabilities(pages)
        scores = [WRONG.get(f, lambda s: s)(s) for f, s in zip(faults, right, strict=True)]
        for fault in faults:
            if fault == "None for all":
                return None  # type: ignore[return-value]
            scores = scores[WRONG_NUMBER.get(fault, slice(None))]
        return scores

    def threshold_for(self, page: Page, *arguments: Any) -> Any:
        if fault_of(page) == "threshold raises":
            raise FaultError
        return THRESHOLDS.get(fault_of(page), super().threshold_for(page, *arguments))

    def confidence(self, page: Page, *arguments: Any) -> Any:
        if fault_of(page) == "confidence raises":
            raise FaultError
        return CONFIDENCES.get(fault_of(page), super().confidence(page, *arguments))


class OtherLabeler(FaultyLabeler):
    """Another model: labels headings as content."""

    def __init__(self, tag: str) -> None:
        super().__init__("h1")
        self.name = "other"


class WaitingLabeler(ParagraphLabeler):
    """Writes into the FIFO ``entered`` that it has the first page, and waits for a line from the
    FIFO ``release``; later pages do not wait.
    """

    waited = False

    def probabilities(self, pages: Sequence[Page]) -> list[Any]:
        if not self.waited:
            self.waited = True
            (FOLDER / "entered").write_text(f"{os.getpid()}\n")
            with (FOLDER / "release").open() as release:
                release.readline()
        return super().probabilities(pages)
