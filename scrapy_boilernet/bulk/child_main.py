"""The main program of a worker process that makes the records of stored pages."""

from __future__ import annotations

from scrapy_boilernet.bulk.records import work
from scrapy_boilernet.workers import child_main


def main() -> None:
    """Work until the parent closes the pipe or ends, then end the process."""
    child_main.main(work)
