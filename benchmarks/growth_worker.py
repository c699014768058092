"""The process that times one subject of ``growth.py``; its caller ends it if it takes too long."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time
from typing import Any

from growth_pages import page_of
from reporting import Report
from subjects import BASELINE, OURS, PEER_NAMES, Subject, baseline, peer_subjects

from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labelers.registry import load_labeler
from scrapy_boilernet.labeling import label_page

BLOCKIFY, FEATURIZE, NETWORK = "blockify", "featurize", "network, "
STAGES = (BLOCKIFY, FEATURIZE, NETWORK)
_NO_LIMIT = 10_000_000
"""``max_blocks``, so that nothing is cut off."""
_RUNS, _ENOUGH_SECONDS = 5, 1.0
"""Runs of a size; fewer once they have taken so long together."""

Preparation = Callable[[bytes], Callable[[], Any]]
"""From a page to what is timed on it."""


class Worker:
    """A process that has loaded one subject and times it on one page after another."""

    def __init__(self, name: str, start_limit_s: float) -> None:
        context = get_context("spawn")  # a process without what this one has loaded
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, name), daemon=True)
        self._process.start()
        theirs.close()
        self.failure = ""
        """``"over"`` the limit or ``"died"``: the process is gone; "" while it lives."""
        self._answer(start_limit_s)

    def seconds(self, shape: str, blocks: int, limit_s: float) -> list[float] | None:
        """Return the CPU seconds of each run; None if there is a :attr:`failure`."""
        if self.failure:
            return None
        self._pipe.send((shape, blocks))
        found: list[float] | None = self._answer(limit_s)
        return found

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()

    def _answer(self, limit_s: float) -> Any:
        self.failure = "over"
        try:
            if self._pipe.poll(limit_s):
                answer = self._pipe.recv()
                self.failure = ""
                return answer
        except (EOFError, OSError):  # out of memory, or a crash in a library
            self.failure = "died"
        self.close()
        return None


def count_blocks(shape: str, blocks: int) -> int:
    """Return how many blocks the page really has."""
    return len(blockify(page_of(shape, blocks), max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT).blocks)


def _serve(pipe: Connection, name: str) -> None:
    prepare = _preparation(name)
    prepare(page_of("paragraphs", 20))()
    pipe.send("ready")
    while True:
        shape, blocks = pipe.recv()
        timed = prepare(page_of(shape, blocks))
        runs: list[float] = []
        while len(runs) < _RUNS and (not runs or sum(runs) < _ENOUGH_SECONDS):
            begin = process_time()
            timed()
            runs.append(process_time() - begin)
        pipe.send(runs)


def _preparation(name: str) -> Preparation:
    if name == BLOCKIFY:
        return lambda html: lambda: blockify(html, max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT)
    if name == FEATURIZE or name.startswith(NETWORK):
        return _inside(name)
    if name.startswith(OURS):
        return _whole(name.removeprefix(OURS))
    return _other(name)


def _inside(name: str) -> Preparation:
    """The featuriser or the network of the default model, given what it is given in a crawl."""
    labeler: Any = load_labeler("default", name.removeprefix(NETWORK) if "," in name else "numpy")

    def prepare(html: bytes) -> Callable[[], Any]:
        page = blockify(html, max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT)
        if name == FEATURIZE:
            return lambda: labeler._featurize(page)
        features = labeler._featurize(page)
        return lambda: labeler._score(features)

    return prepare


def _whole(engine: str) -> Preparation:
    labeler = load_labeler("default", engine)

    def run(html: bytes) -> str:
        return label_page(
            blockify(html, units=labeler.units, max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT), labeler
        ).text

    return lambda html: lambda: run(html)


def _other(name: str) -> Preparation:
    found: list[Subject] = [baseline()] if name == BASELINE else []
    if name in PEER_NAMES:
        found = peer_subjects(Report(""), [name])
    subject = found[0]
    return lambda html: lambda: subject.run(GoldPage("", "", html, None))
