"""Any sequence of stops, changes and resumed runs: no record is doubled or lost in silence."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from testing.bulk_runs import Stopped, carried_out

from scrapy_boilernet.bulk.output import LinesFile
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.task import Run, RunError
from scrapy_boilernet.settings.config import Config

STEPS = st.one_of(
    st.tuples(st.just("limit"), st.integers(1, 12)),
    st.tuples(st.just("kill"), st.integers(1, 12)),
    st.tuples(st.just("add"), st.integers(0, 99)),
    st.tuples(st.just("remove"), st.integers(0, 9)),
    st.tuples(st.just("change"), st.integers(0, 9)),
    st.tuples(st.just("rename"), st.integers(0, 9)),
)


@pytest.fixture(scope="module")
def config(tiny_model: Path) -> Config:
    return Config(model=str(tiny_model), engine="numpy", mode="process", workers=1, cache_blocks=0)


def resumed(run: Run, config: Config, pool: Pool, kill_after: int = 0) -> bool:
    """Resume; return whether the run says that it has read everything."""
    return carried_out(run, config, pool, "same", kill_after).summary.complete


def take(folder: Path, step: str, number: int, times: int) -> None:
    """Change the inputs; nothing is done if there is no such page."""
    pages = sorted(folder.glob("*.html"))
    page = pages[number % len(pages)] if pages else None
    if step == "add":
        (folder / f"{number:02}-{times}.html").write_text(f"<p>Page {number} of {times}.</p>")
    elif page and step == "remove" and len(pages) > 1:
        page.unlink()
    elif page and step == "change":
        page.write_text(f"<p>This is another text, {'x' * times}.</p>")
    elif page and step == "rename":
        page.rename(folder / f"{number:02}-{times}r.html")


@settings(deadline=None, max_examples=60, suppress_health_check=[*HealthCheck])
@given(steps=st.lists(STEPS, max_size=10))
def test_no_sequence_doubles_or_loses_a_record(
    config: Config, shared_pool: Pool, steps: list[tuple[str, int]]
) -> None:
    with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(LinesFile, "rows_per_mark", 2)
        folder, out = Path(place) / "pages", Path(place) / "out.jsonl"
        folder.mkdir()
        for number in range(10):
            (folder / f"{number:02}.html").write_text(f"<p>Page {number} is here.</p>")
        refused = False
        for times, (step, number) in enumerate([*steps, ("limit", 10_000)], 1):
            if step not in ("limit", "kill"):
                take(folder, step, number, times)
                continue
            limit = number if step == "limit" else None
            run = Run(inputs=(str(folder),), output=out, format="jsonl", limit=limit)
            try:
                resumed(run, config, shared_pool, number if step == "kill" else 0)
            except Stopped:
                continue
            except RunError:
                refused = True
        sources = Counter(json.loads(line)["source"] for line in out.read_bytes().splitlines())
        assert max(sources.values(), default=0) <= 1
        if not refused:
            assert {*sources} == {*map(str, folder.glob("*.html"))}


@pytest.fixture(scope="module")
def shared_pool(config: Config) -> object:
    with Pool(config) as pool:
        yield pool
