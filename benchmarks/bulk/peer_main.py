"""A worker process of the same pipeline, with another extractor instead of the labeler."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from benchmarks.common.peer_options import load
from scrapy_boilernet.bulk.records import line_of
from scrapy_boilernet.workers import child_main
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.wire import error_head

PEER_VARIABLE = "BENCHMARK_PEER"
_extractor = cache(load)


def work(
    _: PageWorker, head: dict[str, Any], bodies: list[bytes]
) -> tuple[dict[str, Any], list[bytes]]:
    """Process the pages of a frame, as :func:`scrapy_boilernet.bulk.records.work` does.

    Each record is of one page, whose body is not packed.
    """
    extract, _version = _extractor(os.environ[PEER_VARIABLE])
    heads, lines = [], []
    for record, body in zip(head["records"], bodies, strict=True):
        names = record["names"]
        try:
            text = extract(body, names["url"], None)
        except Exception as error:
            heads.append(error_head(error))
        else:
            counts = {"blocks": 0, "content": 0, "seconds": 0.0}
            heads.append({**counts, "truncated": False, "text_print": None})
            line = line_of({**names, "main_text": text})
            lines.append(line.encode("utf-8", "replace"))
    return {"outcomes": heads}, lines


def main() -> None:
    """Work until the parent closes the pipe or ends, then end the process."""
    child_main.main(work)
