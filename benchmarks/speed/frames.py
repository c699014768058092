"""Bytes, CPU time and instructions per page of the frames that worker processes send.

    python -m benchmarks.speed.frames FOLDER... --pages 100

For crawls in the mode ``process``, a page's job and its result; for stored crawls, its job and its
record. Without folders of pages, those of ``cost.py`` count. Instructions are counted as in
``counting.py``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common.measuring import one_core, seconds_of
from benchmarks.speed.cost import fixed_pages
from benchmarks.speed.counting import instructions
from scrapy_boilernet.bulk.pages import RawPage
from scrapy_boilernet.bulk.records import (
    RecordOptions,
    StoredJob,
    read_records,
    work,
    write_stored_jobs,
)
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, read_pages
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import Labeling, PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.wire import (
    outcomes_frame,
    read_frame,
    read_outcomes,
    write_frame,
    write_jobs,
)

PROGRAM = "benchmarks.speed.frames"
STEPS = ("result written", "result read", "rows read", "record read")
_ROUNDS, _MOST_PASSES = 3, 2


class Frames(NamedTuple):
    """The frames of one page: its job and its result in a crawl, and in a stored crawl."""

    labeling: Labeling
    job: bytes
    result: bytes
    stored_job: bytes
    record: bytes


def frames_of(source: GoldPage, worker: PageWorker) -> Frames | None:
    """Return the frames of a page; None if it is not labeled."""
    job = PageJob(source.html, source.url, rows=True)
    (outcome,) = worker.label([job])
    if not isinstance(outcome, Labeling):
        return None
    raw = RawPage(source.id, source.html, 0, source.url)
    stored = _written(
        partial(write_stored_jobs, jobs=[StoredJob.of(raw, Config(), RecordOptions())])
    )
    record = work(worker, *read_frame(BytesIO(stored)))
    return Frames(
        outcome,
        _written(partial(write_jobs, jobs=[job])),
        _result(outcome),
        stored,
        _written(lambda stream: write_frame(stream, *record)),
    )


def _written(write: Callable[[Any], None]) -> bytes:
    stream = BytesIO()
    write(stream)
    return stream.getvalue()


def _result(labeling: Labeling) -> bytes:
    return _written(lambda stream: write_frame(stream, *outcomes_frame([labeling])))


def actions(frames: Frames) -> dict[str, Callable[[], object]]:
    """Return what is measured of a page by its name in ``STEPS``."""
    (read,) = read_outcomes(BytesIO(frames.result))
    keys = ("text", "label", "kind", "probability")

    def rows() -> object:
        (again,) = read_outcomes(BytesIO(frames.result))
        return again.result.block_labels(keys)  # type: ignore[union-attr]

    assert isinstance(read, Labeling)
    made: tuple[Callable[[], object], ...] = (
        partial(_result, frames.labeling),
        lambda: read_outcomes(BytesIO(frames.result)),
        rows,
        lambda: read_records(BytesIO(frames.record)),
    )
    return dict(zip(STEPS, made, strict=True))


def pages_of(folders: Sequence[Path], number: int) -> Iterator[GoldPage]:
    """Yield evenly drawn pages of each folder; without folders, the fixed ones."""
    if not folders:
        yield from fixed_pages()
    for folder in folders:
        pages = [*read_pages(folder)]
        yield from pages[:: max(1, len(pages) // number)][:number]


def main() -> None:
    """Measure and print; or, for the counter of instructions, run one step over a folder."""
    one_core()
    if sys.argv[2:3] and sys.argv[2] in STEPS:
        folder, name, passes = sys.argv[1:]
        sources = [*read_pages(Path(folder))]
        for number in range(_MOST_PASSES):  # both passes label
            for frames in all_frames(sources):
                action = actions(frames)[name]
                if number < int(passes):
                    action()
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path, help="folders of pages, html/<id>.html")
    parser.add_argument("--pages", type=int, default=100, help="pages of each folder")
    parser.add_argument("--no-instructions", action="store_true", help="count no instructions")
    options = parser.parse_args()
    pages = [*pages_of(options.folders, options.pages)]
    every = [*all_frames(pages)]
    print(f"{len(every)} pages, {mean(f.labeling.blocks for f in every):.0f} blocks each")
    for name in ("job", "result", "stored_job", "record"):
        print(f"{name:16} {mean(len(getattr(frames, name)) for frames in every):10,.0f} bytes")
    for name, seconds in times(pages).items():
        print(f"{name:16} {1000 * seconds:10.3f} ms")
    if not options.no_instructions:
        counter, counts = instructions(STEPS, pages, PROGRAM)
        for name, count in counts.items():
            shown = "no count" if count is None else f"{count / 1e6:10.3f} million instructions"
            print(f"{name:16} {shown} ({counter})")


def all_frames(sources: Sequence[GoldPage]) -> Iterator[Frames]:
    """Yield the frames of the pages that are labeled."""
    worker = PageWorker(load_labeler("default"), CachedBlockifier(0))
    for source in sources:
        if frames := frames_of(source, worker):
            yield frames


def times(sources: Sequence[GoldPage]) -> dict[str, float]:
    """Return the seconds per page of each step: per page the least of some rounds.

    Each round labels the page anew, since a result keeps what was computed of it.
    """
    seconds: dict[str, list[list[float]]] = {name: [] for name in STEPS}
    for _ in range(_ROUNDS):
        own = [actions(frames) for frames in all_frames(sources)]
        for name in STEPS:
            seconds[name].append([seconds_of(action[name]) for action in own])
    return {name: mean(map(min, *rounds)) for name, rounds in seconds.items()}


def mean(values: Iterable[float]) -> float:
    """Return the mean; 0 for no values."""
    numbers = [*values]
    return sum(numbers) / max(1, len(numbers))


if __name__ == "__main__":
    main()
