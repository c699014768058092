"""The main program of a worker of stored crawls, which bad pages harm as it reads them."""

from __future__ import annotations

import os
from typing import Any

from scrapy_boilernet.bulk import records
from scrapy_boilernet.workers import page_worker


def main() -> None:
    """Work as the real program. After a page that says "memory", the process has none left."""
    read_page, left = page_worker.read_page, True

    def read(job: Any, *others: Any) -> Any:
        nonlocal left
        if b"deadly" in job.body:
            os._exit(3)
        while b"hangs" in job.body:
            pass
        left = left and b"memory" not in job.body
        if not left:
            raise MemoryError
        return read_page(job, *others)

    page_worker.read_page = read
    records.main()
