"""Crawls in separate processes, because a process has one reactor; and the program that they run.

``BOILERNET_TEST_REACTOR``: ``default`` (Scrapy's own), ``asyncio``, ``select`` or ``none``.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import scrapy
from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import ScrapyDeprecationWarning
from scrapy.utils.spider import iter_spider_classes

TESTS = Path(__file__).parents[1]
SPIDERS = TESTS / "testing" / "spiders"
ADDONS = {"scrapy_boilernet.Addon": 500}
REACTOR = os.environ.get("BOILERNET_TEST_REACTOR", "default")
REACTOR_SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "asyncio": {"TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor"},
    "select": {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"},
    "none": {"TWISTED_REACTOR_ENABLED": False},
}
TIMEOUT_SECONDS = 300
"""After this time a hanging process is ended and its test fails."""


def base_settings() -> dict[str, Any]:
    """Return the settings of every crawl: reactor, no console, no warning of an old Scrapy."""
    settings = {
        "LOG_LEVEL": "INFO",
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
        **REACTOR_SETTINGS[REACTOR],
    }
    if scrapy.version_info < (2, 12):
        settings["REQUEST_FINGERPRINTER_IMPLEMENTATION"] = "2.7"
    return settings


@dataclass(frozen=True)
class Crawl:
    """The results of the crawls of one process."""

    items: list[dict[str, Any]]
    """Per item its ``fields``, and the names of its ``class`` and its ``spider``."""
    stats: dict[str, dict[str, Any]]
    """Per spider."""
    log: list[str]
    """``"<logger> <LEVEL>: <message>"``, from INFO on, tracebacks included."""
    reactor: str
    """Name of the reactor's class; "none" without one."""

    @property
    def deprecations(self) -> list[str]:
        """Scrapy's deprecation warnings."""
        return [line for line in self.log if "ScrapyDeprecationWarning" in line]

    def fields(self, **wanted: Any) -> list[dict[str, Any]]:
        """Return the fields of the items that have all of ``wanted``."""
        found = [item["fields"] for item in self.items]
        return [f for f in found if all(f.get(key) == value for key, value in wanted.items())]

    def counts(self, spider: str) -> dict[str, Any]:
        """Return the spider's ``boilernet/`` stats without the prefix, and without times."""
        names = {key.removeprefix("boilernet/"): key for key in self.stats[spider]}
        return {
            name: self.stats[spider][key]
            for name, key in names.items()
            if name != key and not name.startswith(("seconds/", "batch", "queue/"))
        }


def crawl(
    spiders: str, site: str, settings: dict[str, Any], environment: dict[str, str] | None = None
) -> Crawl:
    """Run every spider of ``testing/spiders/<spiders>.py`` in one new process."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        job = {"site": site, "settings": {"ADDONS": ADDONS, **base_settings(), **settings}}
        completed = run_python(
            str(Path(__file__)), str(SPIDERS / f"{spiders}.py"), str(result),
            input=json.dumps(job).encode(), environment=environment,
        )  # fmt: skip
        assert completed.returncode == 0, completed.stderr.decode()
        return Crawl(**json.loads(result.read_text(encoding="utf-8")))


def python_path(*before: Path | str) -> dict[str, str]:
    """Return the environment of a process whose path has ``before`` and then the tests' folder."""
    paths = (*map(str, before), os.environ.get("PYTHONPATH", ""), str(TESTS))
    return {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run_python(
    *arguments: str,
    input: bytes = b"",
    environment: dict[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run Python with the arguments and return the completed process."""
    return subprocess.run(
        [sys.executable, "-P", *arguments],  # the installed package, not the working tree
        input=input,
        env={**os.environ, **python_path(), "PYTHONIOENCODING": "utf-8", **(environment or {})},
        cwd=folder,
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


class _Log(logging.Handler):
    """Keeps the lines."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(name)s %(levelname)s: %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class _Items:
    """Keeps the items."""

    def __init__(self) -> None:
        self.items: list[dict[str, Any]] = []

    def scraped(self, item: Any, spider: Any) -> None:
        fields = ItemAdapter(item).asdict()
        self.items.append({"spider": spider.name, "class": type(item).__name__, "fields": fields})


def module_of(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _process(settings: dict[str, Any]) -> Any:
    if settings.get("TWISTED_REACTOR_ENABLED") is False:
        from scrapy.crawler import AsyncCrawlerProcess  # not in an old Scrapy

        return AsyncCrawlerProcess(settings)
    from scrapy.crawler import CrawlerProcess

    return CrawlerProcess(settings)


def main(spiders: Path, result: Path) -> None:
    """Crawl and write the result; the job is read from standard input."""
    job = json.load(sys.stdin)
    log, items = _Log(), _Items()
    logging.root.addHandler(log)
    logging.captureWarnings(True)  # as Scrapy does: warnings go to the logger py.warnings
    warnings.simplefilter("always", ScrapyDeprecationWarning)
    process = _process(job["settings"])
    crawlers = {}
    for spider in iter_spider_classes(module_of(spiders)):
        crawler = crawlers[spider.name] = process.create_crawler(spider)
        crawler.signals.connect(items.scraped, signals.item_scraped)
        process.crawl(crawler, site=job["site"])
    process.start()
    stats = {name: crawler.stats.get_stats() for name, crawler in crawlers.items()}
    reactor = sys.modules.get("twisted.internet.reactor")
    document = {
        "items": items.items,
        "stats": stats,
        "log": log.lines,
        "reactor": type(reactor).__name__ if reactor else "none",
    }
    result.write_text(json.dumps(document, default=str), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
