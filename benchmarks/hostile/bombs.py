r"""Hostile pages: the time and memory that each takes, and the text that is kept, beside peers.

    python -m benchmarks.hostile.bombs --out-markdown docs/results/robustness/bombs.md \
        --json docs/results/robustness/bombs.json

Each page and system gets a fresh process, on one core and one thread, with at most ``--limit`` CPU
seconds and ``--memory-gb`` of memory. ``bomb_pages.py`` makes the pages, the same at every run.
Linux only.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.common.measuring import environment, module_command, one_core
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.hostile.bomb_pages import BOMBS, ORDINARY
from benchmarks.hostile.bomb_parts import BEGIN, END, MIDDLE, Bomb
from benchmarks.hostile.bomb_worker import BLOCKS, FORMATTED, LEAVES, OURS, SYSTEMS
from scrapy_boilernet.workers.progress import progress, say

WORKER = "benchmarks.hostile.bomb_worker"
_WALL_LIMITS = 4
"""How many times the limit of CPU seconds a process may take by the clock."""
_START_SECONDS = 120
"""Allowance for the imports and the warm-up, by the clock."""
SECONDS_PER_MB, TIMES_BYTES = 0.5, 30
"""The bounds: CPU seconds per 10^6 bytes, and bytes of memory per byte of the page."""
TIMES_BYTES_OUTPUT, FREE_BYTES_OUTPUT = 4, 1_000_000
"""The bound of Markdown and of HTML, in bytes: so many times the page's, and so many."""
_SHOWN_OUTPUTS = 20
LEAST_BYTES = 1_000_000
"""The size that a smaller page counts as, since a fixed cost is not the page's fault."""
_OWN = (OURS, FORMATTED, BLOCKS, LEAVES)
_TEXT_NOTE = (
    "Marker words kept, of those that a browser without scripts shows; bold where one is missing. "
    "Cut: the page has more blocks than `BOILERNET_MAX_BLOCKS`, or more tags than are read with "
    "that limit, and what follows is left out, which `Page.truncated` reports. In the extractors, "
    "a word may also be missing because its sentence was taken for boilerplate:"
)


@dataclass(frozen=True)
class Row:
    """The result of a system for a page."""

    bomb: str
    system: str
    page_bytes: int
    shown: tuple[str, ...]
    """The marker words that a browser shows."""
    result: dict[str, Any]
    """What the worker printed: ``kept``, and ``error`` or the costs."""

    @property
    def error(self) -> str:
        """How it failed: :func:`over`, or a signal's or exception's name; "" if it did not."""
        return str(self.result.get("error", ""))

    @property
    def over(self) -> bool:
        """Whether it took more than the limit of CPU seconds."""
        return self.error.startswith(">")

    @property
    def counted_bytes(self) -> int:
        """The page's bytes, but at least ``LEAST_BYTES``."""
        return max(self.page_bytes, LEAST_BYTES)

    @property
    def slow(self) -> bool:
        """Whether it is over the bound of time."""
        return self.over or self.seconds_per_mb > SECONDS_PER_MB

    @property
    def large(self) -> bool:
        """Whether it is over the bound of memory."""
        return self.error == "MemoryError" or self.times_bytes > TIMES_BYTES

    @property
    def seconds_per_mb(self) -> float:
        """CPU seconds per 10^6 counted bytes; 0 if not known."""
        return float(self.result.get("cpu_seconds", 0)) / self.counted_bytes * 1e6

    @property
    def times_bytes(self) -> float:
        """Bytes of memory per counted byte; 0 if not known."""
        return float(self.result.get("memory_bytes", 0)) / self.counted_bytes

    @property
    def over_output(self) -> bool:
        """Whether Markdown or HTML is over the bound of its size."""
        bound = TIMES_BYTES_OUTPUT * self.page_bytes + FREE_BYTES_OUTPUT
        return bool(self.result.get("output_bytes", 0) > bound)

    @property
    def whole(self) -> bool:
        """Whether all marker words that a browser shows are kept."""
        return set(self.shown) <= set(self.result["kept"])

    @property
    def cut(self) -> bool:
        """Whether words are missing and the system reports that it has cut the page."""
        return bool(self.result.get("cut")) and not self.whole

    def figures(self) -> dict[str, Any]:
        """Return the row for the report's JSON."""
        own = {"bomb": self.bomb, "system": self.system, "page_bytes": self.page_bytes}
        return own | {"shown": self.shown} | self.result


def main() -> None:
    """Measure and write the report."""
    one_core()
    options = arguments()
    report = Report("Hostile pages")
    systems = installed(report, options.systems)
    chosen = {n: b for n, b in BOMBS.items() if any(part in n for part in options.bombs)}
    total = len(chosen) * len(systems)
    rows = list(progress(measure(chosen, list(systems), options), total, "bombs"))
    report.figures = {"limit_s": options.limit, "memory_gb": options.memory_gb}
    report.figures |= {"systems": systems, "rows": [row.figures() for row in rows]}
    write_tables(report, rows, systems, options)
    report.write(options, None)


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bombs", nargs="+", default=[""], metavar="WORDS", help="in their names")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS))
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds per page")
    parser.add_argument("--memory-gb", type=float, default=8, help="of address space per process")
    parser.add_argument("--small", action="store_true", help="the sizes of the tests")
    add_outputs(parser, plot=False)
    return parser.parse_args()


def installed(report: Report, names: Sequence[str]) -> dict[str, str]:
    """Return the version of each of the systems that is installed."""
    installed_versions = {}
    for name in names:
        try:
            installed_versions[name] = metadata.version(SYSTEMS[name][0])
        except metadata.PackageNotFoundError:
            report.lacks(f"{name}, which is not installed: pip install '.[voters]'")
    return installed_versions


def measure(
    bombs: dict[str, Bomb], systems: Sequence[str], options: argparse.Namespace
) -> Iterator[Row]:
    """Yield a row for each page and system."""
    with tempfile.TemporaryDirectory() as folder:
        page, warm_up = Path(folder) / "page", Path(folder) / "warm-up"
        warm_up.write_bytes(BOMBS[ORDINARY].page())
        for name, bomb in bombs.items():
            html = bomb.page(bomb.small if options.small else None)
            page.write_bytes(html)
            for system in systems:
                shown = bomb.leaves if system == LEAVES and bomb.leaves is not None else bomb.shown
                result = run(system, page, warm_up, shown, options)
                yield Row(name, system, len(html), shown, result)


def run(
    system: str, page: Path, warm_up: Path, words: Sequence[str], options: argparse.Namespace
) -> dict[str, Any]:
    """Return what the process prints, or, as ``error``, how it ended."""
    limits = [str(int(options.memory_gb * 2**30)), str(options.limit)]
    command = module_command(WORKER, system, str(page), str(warm_up), *limits, *words)
    seconds = options.limit * _WALL_LIMITS + _START_SECONDS
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, timeout=seconds, env=environment()
        )
    except subprocess.TimeoutExpired:
        return {"error": over(options), "kept": []}
    if done.returncode == 0:
        printed: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return printed
    if done.returncode == -signal.SIGXCPU:
        return {"error": over(options), "kept": []}
    if done.returncode < 0:
        return {"error": signal.Signals(-done.returncode).name, "kept": []}
    say(done.stderr.decode(errors="replace"), f"{system}, outside of its call: ")
    return {"error": f"exit {done.returncode}", "kept": []}


def over(options: argparse.Namespace) -> str:
    """Return the report's text for a process that was over the limit of CPU seconds."""
    return f"> {options.limit} s"


def write_tables(
    report: Report,
    rows: Sequence[Row],
    systems: Mapping[str, str],
    options: argparse.Namespace,
) -> None:
    """Add the introduction, a table of counts, and one each of text, time and memory."""
    report.text(_introduction(systems, options))
    by_system = {name: [row for row in rows if row.system == name] for name in systems}
    report.table(
        ["", "pages", "all words kept", "cut", "ended or raised",
         f"over {SECONDS_PER_MB:g} s per MB", f"over {TIMES_BYTES} × the bytes",
         "slowest, s per MB", "largest, × the bytes"],
        [_counts(name, own) for name, own in by_system.items()],
    )  # fmt: skip
    by_bomb: dict[str, list[Row]] = {}
    for row in rows:
        by_bomb.setdefault(row.bomb, []).append(row)
    tables: tuple[tuple[str, str, Callable[[Row], str]], ...] = (
        ("Text", _TEXT_NOTE, _kept),
        ("Time", f"CPU seconds; bold is over {SECONDS_PER_MB:g} s per MB:", _time),
        ("Memory", f"10^6 bytes; bold is over {TIMES_BYTES} × the page's bytes:", _memory),
    )
    for title, note, cell in tables:
        report.text(f"## {title}")
        report.text(note)
        cells = [[_plain(bomb), _size(own[0]), *map(cell, own)] for bomb, own in by_bomb.items()]
        report.table(["page", "MB", *systems], cells)
    _output_table(report, by_system.get(FORMATTED, []))


def _output_table(report: Report, rows: Sequence[Row]) -> None:
    """Add the sizes of Markdown and HTML, if there are any, the largest first."""
    known = [row for row in rows if "output_bytes" in row.result]
    if not known:
        return
    report.text("## Size of Markdown and HTML")
    report.text(
        f"10^6 bytes of the larger of the two, for the {_SHOWN_OUTPUTS} pages where it is largest. "
        f"Bold is over {TIMES_BYTES_OUTPUT} × the page's bytes and {FREE_BYTES_OUTPUT:,}. "
        f"{sum(row.over_output for row in known)} of {len(known)} pages are over it."
    )
    known.sort(key=lambda row: row.result["output_bytes"], reverse=True)
    report.table(
        ["page", "MB", "Markdown or HTML", "shortened"],
        [
            [_plain(row.bomb), _size(row), _output(row), "yes" if row.result["shortened"] else "no"]
            for row in known[:_SHOWN_OUTPUTS]
        ],
    )


def _introduction(systems: Mapping[str, str], options: argparse.Namespace) -> str:
    peers = [f"{name} {version}" for name, version in systems.items() if name not in _OWN]
    return (
        "Each page is an ordinary article with the bomb in its middle, and three marker words in "
        f"sentences of their own: {BEGIN} before the bomb, {MIDDLE} in its innermost place or its "
        f"middle, {END} after it. A fresh process for each page and system, one thread, after the "
        "imports and one ordinary page. Time is the CPU time of the call; memory is the peak of "
        "the resident memory above what it was before the call. For the bounds per MB and per "
        "byte, a page below 1 MB counts as 1 MB; the figures are as measured. "
        f"More than {options.limit} CPU seconds (`{over(options)}`) or {options.memory_gb:g} "
        "GiB of address space end a process. "
        f"`{OURS}` is `extract` with its defaults, to text, labels and confidence; "
        f"`{FORMATTED}` is the same to Markdown, HTML and metadata, too, and the words are looked "
        f"for in the Markdown; `{BLOCKS}` and `{LEAVES}` are the blockifier in its two units, "
        "without a limit of blocks. The others "
        f"({', '.join(peers) or 'none here'}) get the bytes, and return the main text without "
        "comments; if it is HTML, the words are looked for in that."
        + (" The pages are of the sizes that the tests use." if options.small else "")
    )


def _counts(name: str, rows: Sequence[Row]) -> list[str]:
    counted = (
        len(rows),
        sum(row.whole for row in rows),
        sum(row.cut for row in rows),
        sum(bool(row.error) for row in rows),
        sum(row.slow for row in rows),
        sum(row.large for row in rows),
    )
    slowest = max((row.seconds_per_mb for row in rows), default=0)
    any_over = any(row.over for row in rows)
    largest = max((row.times_bytes for row in rows), default=0)
    return [name, *map(str, counted), "over" if any_over else f"{slowest:.2f}", f"{largest:.0f}"]


def _plain(name: str) -> str:
    """Return the name with its markup escaped for Markdown."""
    return name.replace("&", "&amp;").replace("<", "&lt;")


def _size(row: Row) -> str:
    return f"{row.page_bytes / 1e6:.2f}"


def _kept(row: Row) -> str:
    if row.error:
        return f"**{row.error}**"
    if not row.shown:
        return "none"
    kept = f"{len(row.result['kept'])} of {len(row.shown)}"
    if row.whole:
        return kept
    return f"{kept}, cut" if row.cut else f"**{kept}**"


def _time(row: Row) -> str:
    if "cpu_seconds" not in row.result:
        return f"**{row.error}**"
    return _bold(f"{row.result['cpu_seconds']:.2f}", row.slow)


def _memory(row: Row) -> str:
    if "memory_bytes" not in row.result:
        return f"**{row.error}**"
    taken = row.result["memory_bytes"]
    return _bold(f"{taken / 1e6:.1f} ({taken / row.page_bytes:.0f} ×)", row.large)


def _output(row: Row) -> str:
    return _bold(f"{row.result['output_bytes'] / 1e6:.2f}", row.over_output)


def _bold(text: str, bold: bool) -> str:
    return f"**{text}**" if bold else text


if __name__ == "__main__":
    main()
