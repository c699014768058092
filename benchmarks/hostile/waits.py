"""Measure how long a page keeps the other threads of its process from running.

    python -m benchmarks.hostile.waits --out-markdown docs/results/robustness/waits.md

In the mode ``thread``, pages are labeled in a thread beside that of the reactor. Some of the work
holds Python's interpreter lock, so the reactor waits. A thread that sleeps for a millisecond again
and again notes the longest time between two wakes.
"""

from __future__ import annotations

import argparse
from threading import Event, Thread
from time import perf_counter

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.options import FORMATS
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.progress import progress

ABOUT = """One page after the other, each as long as stated, is labeled by a worker with all formats
in a thread. Longest wait: the longest time in which another thread of the process could not run."""
HEADER = ("page", "MB", "seconds", "longest wait, seconds")
PIECES = {
    "words": "word and word ",
    "references": "&amp;x &eacute; ",
    "signs of tags": "< ",
    "paragraphs": "<p>a",
    "nested elements": "<div>a",
    "end tags": "</p>",
    "comments": "<!-- a -->",
    "lines of code": "<pre>x = 1\n",
    "links": "<a href=/x>word</a> ",
    "emphasis": "<b>w</b> ",
    "cells": "<table><td>a b",
    "images": "<img src=/x.png alt=a>",
    "unclosed attributes": '<p a="',
    "Chinese": "中文字符 ",
}
"""Per kind of page what it repeats."""


def measured(worker: PageWorker, body: bytes) -> tuple[float, float]:
    """Return (the seconds that the page takes, the longest wait of another thread)."""
    done, waits = Event(), [0.0]

    def tick() -> None:
        before = perf_counter()
        while not done.wait(0.001):
            now = perf_counter()
            waits.append(now - before)
            before = now

    ticking = Thread(target=tick)
    ticking.start()
    begin = perf_counter()
    worker.label([PageJob(body, "https://example.org/", formats=FORMATS)])
    seconds = perf_counter() - begin
    done.set()
    ticking.join()
    return seconds, max(waits)


def main() -> None:
    """Measure all kinds of pages, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=9_000_000)
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    worker = PageWorker.of("default", "auto", 0, FORMATS)
    rows = []
    for kind in progress(PIECES, len(PIECES), "waits"):
        piece = PIECES[kind].encode()
        body = (b"<p>" + piece * (options.bytes // len(piece)))[: options.bytes]
        seconds, wait = measured(worker, body)
        rows.append((kind, f"{len(body) / 1e6:.1f}", f"{seconds:.2f}", f"{wait:.3f}"))
    report = Report("Waits of other threads")
    report.text(ABOUT)
    report.table(HEADER, rows)
    report.figures["longest"] = max(float(row[-1]) for row in rows)
    report.write(options, None)


if __name__ == "__main__":
    main()
