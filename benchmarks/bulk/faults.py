"""Process stored crawls while something fails, and count what was lost or doubled.

    python -m benchmarks.bulk.faults --out-markdown docs/results/robustness/bulk.md
    python -m benchmarks.bulk.faults --only whole

Each row is a run of the command in separate processes. Ends with status 1 if a page was lost or
doubled, or an item is unaccounted for.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.common.measuring import crawl_with_this_checkout
from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.workers.progress import progress
from tests.testing import buckets, bulk_faults
from tests.testing.bulk_faults import Outcome, crawl_of

ABOUT = """`scrapy boilernet bulk --resume --workers 2` over a `.warc.gz` file. Items: what the
file holds; each became a record, became a failure in the second file, or was left out by a filter.
Lost: good pages without a record. Doubled: records beyond the pages that the file has. Processes
were killed by SIGKILL at random moments; each time the whole run ended, the same command was called
again. A full disk is simulated by a limit of the files' size, which is raised each time."""
HEADER = ("fault", "times", "items", "records", "failures", "left out", "lost", "doubled")
SHARDS = ("--format", "jsonl", "--shard-pages", "500")
BY_HOST = ("--partition-by", "host")
Case = Callable[[Path], Outcome]


def killed_with_a_bucket(folder: Path, pages: int, kills: int) -> Outcome:
    """Return the outcome of a run that writes to S3, served by moto on this machine."""
    with (
        pytest.MonkeyPatch.context() as environment,
        contextmanager(buckets.bucket)(environment) as address,
    ):
        return bulk_faults.killed(crawl_of(folder, None, pages, SHARDS, f"{address}/shards"), kills)


def cases(pages: int, kills: int) -> dict[str, Case]:
    """Return the runs by the names of their faults."""
    found: dict[str, Case] = {
        "the whole run is killed": lambda folder: bulk_faults.killed(
            crawl_of(folder, None, pages), kills
        ),
        "the whole run is killed, with `--dedupe`": lambda folder: bulk_faults.killed(
            bulk_faults.crawl_with_copies(folder, None, pages // 2), kills
        ),
        "the whole run is killed, with `--join`": lambda folder: bulk_faults.killed(
            bulk_faults.crawl_of_articles(folder, None, pages // 2), kills
        ),
        "the whole run is killed, with `--shard-pages 500`": lambda folder: bulk_faults.killed(
            crawl_of(folder, None, pages // 2, SHARDS, "shards"), kills
        ),
        "the whole run is killed, Parquet by host": lambda folder: bulk_faults.killed(
            crawl_of(folder, None, pages // 2, (*SHARDS[2:], *BY_HOST), "out.parquet"), kills
        ),
        "the whole run is killed, shards in a bucket": lambda folder: killed_with_a_bucket(
            folder, pages // 2, kills
        ),
        "a worker is killed": lambda folder: bulk_faults.workers_killed(
            crawl_of(folder, None, pages), kills
        ),
        "the disk is full": lambda folder: bulk_faults.disk_full(
            crawl_of(folder, None, pages // 10), 5
        ),
    }
    for kind in bulk_faults.DAMAGE:
        found[kind] = lambda folder, kind=kind: bulk_faults.damaged(  # type: ignore[misc]
            folder, None, pages // 10, kind
        )
    return found


def main() -> None:
    """Run all cases, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--only", default="", help="faults whose names have this text")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    crawl_with_this_checkout()
    report = Report("Stored crawls with faults")
    outcomes: dict[str, Outcome] = {}
    found = cases(options.pages, options.kills)
    every = {name: case for name, case in found.items() if options.only in name}
    with tempfile.TemporaryDirectory() as temporary:
        for number, name in enumerate(progress(every, len(every), "faults")):
            folder = Path(temporary) / str(number)
            folder.mkdir()
            outcomes[name] = every[name](folder)
    report.text(ABOUT)
    report.table(
        HEADER,
        [
            (
                name, f"{one.faults:,}", f"{one.items:,}", f"{one.records:,}",
                f"{one.failures:,}", f"{one.left_out:,}", str(one.lost), str(one.doubled),
            )
            for name, one in outcomes.items()
        ],
    )  # fmt: skip
    report.figures["outcomes"] = {name: vars(one) for name, one in outcomes.items()}
    report.write(options, None)
    good = all(
        one.lost == one.doubled == 0 and one.items == one.records + one.failures + one.left_out
        for one in outcomes.values()
    )
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
