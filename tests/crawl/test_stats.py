"""The stats that the code counts are those that ``STATS`` lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import get_args

from testing.imports import ROOT, TREES

from scrapy_boilernet.crawl.health import Health
from scrapy_boilernet.crawl.items import State
from scrapy_boilernet.crawl.runtime import STATS
from scrapy_boilernet.extractor.metadata import Rendering
from scrapy_boilernet.extractor.options import Source
from scrapy_boilernet.workers.child import WorkerDied
from scrapy_boilernet.workers.jobs import SKIPPED
from scrapy_boilernet.workers.queue import EngineClosedError, PageQueue

FILES = ("crawl/runtime.py", "crawl/items.py", "downloadermiddlewares.py", "pipelines.py")
MIDDLEWARE = (ROOT / "downloadermiddlewares.py").read_text(encoding="utf-8")
ENDINGS: dict[str, set[str]] = {
    "source/": {*get_args(Source)},
    "items/": {*get_args(State)},
    "skipped/": {*re.findall(r'return "(\w+)"$', MIDDLEWARE, re.MULTILINE), *SKIPPED.values()},
    "needs_rendering/": {*get_args(Rendering)},
    "errors/": {"<type>", "timeout", WorkerDied.__name__, EngineClosedError.__name__},
}
"""The ends of names that are put together when they are counted."""


def counted_names(argument: ast.expr) -> Iterator[str]:
    """The stats that a call of ``count`` with this argument can mean."""
    if isinstance(argument, ast.IfExp):
        yield from counted_names(argument.body)
        yield from counted_names(argument.orelse)
    elif isinstance(argument, ast.JoinedStr):
        beginning = ast.literal_eval(argument.values[0])
        yield from (beginning + ending for ending in ENDINGS[beginning])
    elif isinstance(argument, ast.Constant):
        yield argument.value


def test_what_is_counted_is_listed_and_what_is_listed_is_counted() -> None:
    health = Health()
    health.add("https://<host>/", 0.9, 5)
    health.add_match("https://<host>/", found=False)
    counted = {"model", "workers/restarted", *PageQueue(1).counts(), *health.stats()}
    for file in FILES:
        for node in ast.walk(TREES[file]):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("count", "_count")):
                for argument in node.args[:1]:
                    counted |= {name for name in counted_names(argument) if isinstance(name, str)}
    assert counted == set(STATS)


def test_only_the_runtime_writes_stats() -> None:
    writing = re.compile(r"\.(set|inc|max|min)_value\(")
    package = [file for file in TREES if writing.search((ROOT / file).read_text(encoding="utf-8"))]
    assert package == ["crawl/runtime.py"]
