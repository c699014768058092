"""The figures of ``soak.py``: what must hold, what came and went, and what grew."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from soak_growth import Crawl, growth_percent, quarters, slope
from soak_pages import SOUND

Cell = Callable[[Crawl], str]
FLAT_PERCENT = 2.0
"""What "flat" means: the median memory of the last quarter is at most so much above the third's."""
INJECTED = {"SoakError", "MemoryError", "WorkerDied", "timeout", "refused_field"}
"""Errors in the plugin's stats that the soak brings about; any other is the plugin's own."""
_LEVELS = ("INFO", "WARNING", "ERROR", "CRITICAL")


def _count(name: str) -> Cell:
    return lambda crawl: f"{crawl['counts'].get(name, 0):,}"


def _stat(name: str) -> Cell:
    return lambda crawl: f"{crawl['stats'].get(name, 0):,}"


def _must(found: int, detail: str = "") -> str:
    return f"**NO**: {found:,}{detail}" if found else f"yes{detail}"


def _items(crawl: Crawl) -> str:
    came, went = (crawl["counts"].get(name, 0) for name in ("items_in", "items_out"))
    return _must(came - went, f" ({came:,} in, {went:,} out)")


def _again(crawl: Crawl) -> str:
    counts = crawl["counts"]
    compared = counts.get("compared", 0)
    return _must(counts.get("came_otherwise", 0), f" ({compared:,} compared)") if compared else ""


def _left(name: str) -> Cell:
    def cell(crawl: Crawl) -> str:
        before, after = crawl["before"][name], crawl["after"][name]
        return _must(max(0, after - before), f" ({before} before, {after} after)")

    return cell


def _flat(crawl: Crawl) -> str:
    percent = growth_percent(crawl)
    return ("yes" if percent <= FLAT_PERCENT else "**NO**") + f" ({percent:+.2f} %)"


def _labels(crawl: Crawl) -> bool:
    """Whether the plugin was on, also if it labeled nothing."""
    return any(name.startswith("boilernet/") for name in crawl["stats"])


def _broken(crawl: Crawl) -> str:
    return _count("promise_broken")(crawl) if _labels(crawl) else ""


def unexpected_errors(crawl: Crawl) -> dict[str, int]:
    """Return the plugin's errors that the soak has not brought about itself, by their stats."""
    begin = "boilernet/errors/"
    found = {k.removeprefix(begin): v for k, v in crawl["stats"].items() if k.startswith(begin)}
    return {name: number for name, number in found.items() if name not in INJECTED}


def _no_others(crawl: Crawl) -> str:
    if not _labels(crawl):
        return ""
    others = unexpected_errors(crawl)
    shown = ", ".join(f"{name} {number:,}" for name, number in sorted(others.items()))
    return _must(sum(others.values()), f" ({shown})" if shown else "")


def _quarter(number: int) -> Cell:
    def cell(crawl: Crawl) -> str:
        part = quarters(crawl)[number]
        return f"{median(s['main_kb'] for s in part) / 1000:.1f}" if part else ""

    return cell


def _slope(crawl: Crawl) -> str:
    inclination, error = slope(crawl)
    return f"{inclination:+.2f} ± {error:.2f}"


def _most(which: str, divisor: int = 1) -> Cell:
    return lambda crawl: f"{max(s[which] for s in crawl['samples']) / divisor:.0f}"


def _workers(crawl: Crawl) -> str:
    each = [kb / 1000 for s in crawl["samples"] for kb in s["workers"].values()]
    return f"{median(each):.0f}, {max(each):.0f}" if each else ""


def _objects(crawl: Crawl) -> str:
    seen = [f"{s['objects']:,}" for s in crawl["samples"] if s["objects"]]
    return ", ".join(dict.fromkeys((seen[0], seen[len(seen) // 2], seen[-1]))) if seen else ""


def _own_lines(crawl: Crawl) -> str:
    own = {k: v for k, v in crawl["log"].items() if k.startswith("scrapy_boilernet")}
    levels = {level: sum(v for k, v in own.items() if k.endswith(level)) for level in _LEVELS}
    return ", ".join(f"{number} {level}" for level, number in levels.items() if number) or "0"


def _others_lines(crawl: Crawl) -> str:
    own = sum(v for k, v in crawl["log"].items() if k.startswith("scrapy_boilernet"))
    return f"{sum(crawl['log'].values()) - own:,}"


def _stat_names(crawl: Crawl) -> str:
    return f"{crawl['samples'][len(crawl['samples']) // 2]['stats']}, {len(crawl['stats'])}"


MUST: list[tuple[str, Cell]] = [
    ("items out = items in", _items),
    ("no item dropped, no pipeline failed", lambda c: _must(c["counts"].get("items_lost", 0))),
    ("every request reached a callback or errback", lambda c: _must(c["unanswered"])),
    ("no item has another page's text", lambda c: _must(c["counts"].get("another_page", 0))),
    ("a page that came again has the same text", _again),
    ("no error but those injected", _no_others),
    ("memory is flat", _flat),
    ("no thread left over", _left("threads")),
    ("no process left over", lambda c: _must(c["left_processes"])),
    ("no open file left over", _left("files")),
    ("no asyncio task left over", _left("tasks")),
    ("no request left over", _left("requests")),
    ("no response left over", _left("held")),
    ("no labeled page left over", _left("labeled_pages")),
    ("no tie left over", lambda c: _must(c["samples"][-1]["ties"])),
]
"""What the plugin promises, per row its name and whether a crawl kept it."""
COUNTS: list[tuple[str, Cell]] = [
    ("responses that reached the spider", _count("responses")),
    ("responses of the server, retries and redirects included", _stat("downloader/response_count")),
    ("seconds", lambda c: f"{c['seconds']:,.0f}"),
    ("responses per second", lambda c: f"{c['counts'].get('responses', 0) / c['seconds']:.1f}"),
    ("calls of callbacks", _count("callbacks")),
    ("of these raised after their items", _stat("spider_exceptions/CallbackError")),
    ("calls of errbacks", _count("errbacks")),
    ("items in", _count("items_in")),
    ("items out", _count("items_out")),
    (f"items of sound pages ({', '.join(SOUND)}) that must carry text", _count("promised")),
    ("of these without text", _broken),
]
MEMORY: list[tuple[str, Cell]] = [
    *((f"crawl's process, quarter {i + 1}, median (MB)", _quarter(i)) for i in range(4)),
    ("fourth against third quarter", lambda c: f"{growth_percent(c):+.2f} %"),
    ("slope over the second half (MB per 10,000 responses)", _slope),
    ("crawl's process, most (MB)", _most("main_kb", 1000)),
    ("a worker, median and most (MB)", _workers),
    ("objects that the garbage collector knows: first, middle, last look", _objects),
    ("threads, most", _most("threads")),
    ("processes below, most", _most("processes")),
    ("open files, most", _most("files")),
    ("asyncio tasks, most", _most("tasks")),
    ("requests, most", _most("requests")),
    ("responses, most", _most("held")),
    ("ties, most", _most("ties")),
]
LOG: list[tuple[str, Cell]] = [
    ("workers killed", lambda c: str(c["signals"].get("killed", 0))),
    ("workers stopped", lambda c: str(c["signals"].get("stopped", 0))),
    ("workers replaced", _stat("boilernet/workers/restarted")),
    ("lines of the plugin in the log", _own_lines),
    ("lines of all others", _others_lines),
    ("names of stats at half-time and at the end", _stat_names),
]
