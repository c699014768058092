"""The documents name every setting and stat that the code has."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from scrapy_boilernet.config import OVERRIDES, PREFIX, Config
from scrapy_boilernet.items import State
from scrapy_boilernet.options import Source
from scrapy_boilernet.workers.jobs import SKIPPED
from scrapy_boilernet.workers.queue import PageQueue

ROOT = Path(__file__).parent.parent
SETTINGS = [PREFIX + entry.name.upper() for entry in fields(Config)]


@pytest.mark.parametrize("document", ["README.md", "docs/settings.md"])
def test_every_setting_has_a_row(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(BOILERNET_\w+)`", text, re.MULTILINE)
    assert rows == SETTINGS


def test_every_override_is_documented() -> None:
    text = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    keys = text.split("Keys are")[1].split(". A request")[0]
    assert set(re.findall(r"`(\w+)`", keys)) == OVERRIDES


@pytest.mark.parametrize("document", ["README.md", "docs/stats.md"])
def test_every_stat_is_documented(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    code = "".join(
        (ROOT / "scrapy_boilernet" / name).read_text(encoding="utf-8")
        for name in ("runtime.py", "downloadermiddlewares.py", "pipelines.py", "items.py")
    )
    counted = {name for name in re.findall(r'count\(\s*"([\w/]+)"', code) if "{" not in name}
    middleware = (ROOT / "scrapy_boilernet/downloadermiddlewares.py").read_text(encoding="utf-8")
    said = re.findall(r'return "(\w+)"$', middleware, re.MULTILINE)
    reasons = {f"skipped/{reason}" for reason in said}
    counted |= {f"source/{source}" for source in get_args(Source)}
    counted |= {f"items/{state}" for state in get_args(State)}
    counted |= {f"skipped/{reason}" for reason in SKIPPED.values()}
    counted |= {*PageQueue(1).counts(), "workers/restarted", "errors/timeout", "errors/WorkerDied"}
    assert counted
    assert reasons
    for stat in counted | reasons:
        assert f"`boilernet/{stat}`" in text, stat
