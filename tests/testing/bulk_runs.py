"""Whole runs over stored crawls in this process, which may end as if killed, and their entries."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Entry, Reading
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.run import carry_out
from scrapy_boilernet.bulk.run_files import Files
from scrapy_boilernet.bulk.task import Run
from scrapy_boilernet.settings.config import Config


class Stopped(Exception):
    """The run ended as if killed."""


def carried_out(
    run: Run,
    config: Config,
    pool: Pool,
    resume: Literal["no", "same", "anyway"] = "no",
    stop_after: int = 0,
) -> Files:
    """Run, or raise ``Stopped`` after so many items; 0: none. Return the closed files."""
    calls = 0

    def show(*_: int) -> None:
        nonlocal calls
        calls += 1
        if calls == stop_after:
            raise Stopped

    with Files(run, run.asked(config), resume) as files:
        if not files.summary.complete:
            carry_out(run, config, pool, files, show)
    return files


def items_of(path: Path) -> list[Entry]:
    """Return the entries of a stored crawl."""
    return [
        item for one in inputs_of([str(path)]) for item in OpenInput(one, Reading(10**6)).items()
    ]
