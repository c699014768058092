"""Read the same pages from every kind of input, and measure speed and memory of the reading.

    python -m benchmarks.bulk.inputs DATA/*.tar.xz --out-markdown docs/results/bulk/inputs.md

The first table compares what is read with the pages themselves. The second has large inputs that
are made on the fly, each read in a process of its own. Ends with status 1 if a page differs.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from benchmarks.bulk.archive import pages_of, record
from benchmarks.common.measuring import environment, module_command
from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import RawPage, Reading
from scrapy_boilernet.extractor.options import MAX_BYTES
from tests.testing.every_input import EVERY

ABOUT = """Pages of the labeled sets, written into each kind of input and read again. Equal: pages
with the same address and the same bytes as in the sets. Records, with `--records`: those of
`scrapy boilernet bulk` that are the same as those of WARC but for the name of the input and the
time. Pages in a folder have no address, which the labeler looks at: their records are compared with
those of JSON lines without addresses."""
ABOUT_LARGE = """Each input is read to its end by a process of its own, which labels nothing.
Memory: the most that the process had, in MB of 1,000,000 bytes, with Python and all packages."""
TEXT = "<p>The tide pools of the northern coast are warm. "
BODY = f"<html><body>{TEXT * 400}</body></html>"
"""20 kB."""
_OWN = ("source", "fetched", "status")
"""The fields of a record that some inputs do not have."""
READER = """
import json, re, sys, time
from pathlib import Path
from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Reading
begin, items = time.perf_counter(), 0
for source in inputs_of([sys.argv[1]]):
    for _ in OpenInput(source, Reading(10_000_000)).items():
        items += 1
seconds = time.perf_counter() - begin
memory = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
print(json.dumps({"items": items, "seconds": seconds, "mb": memory * 1_024 / 1e6}))
"""
"""Reads an input, and says how much memory its process had at most (Linux)."""


def main() -> None:
    """Run all, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", type=Path)
    parser.add_argument("--pages", type=int, default=2_000, help="pages, evenly from the sets")
    parser.add_argument("--records", action="store_true", help="compare records, too: slow")
    parser.add_argument("--scale", type=float, default=1.0, help="of the large inputs")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Inputs of stored crawls")
    with tempfile.TemporaryDirectory() as temporary:
        is_equal = _compare(options, report, Path(temporary))
        _measure(options, report, Path(temporary))
    report.write(options, None)
    sys.exit(0 if is_equal else 1)


def _compare(options: argparse.Namespace, report: Report, folder: Path) -> bool:
    each = options.pages // max(1, len(options.sets))
    bodies = [body for one in options.sets for body in islice(_texts_of(one), each)]
    pages = [(f"https://example.com/{n}", body) for n, body in enumerate(bodies)]
    wanted: list[dict[str, object]] = []
    rows, is_equal = [], True
    for kind, make in EVERY.items() if pages else ():
        (folder / "input").write_bytes(make(pages, folder))
        begin, found = time.perf_counter(), []
        for source in inputs_of([str(folder / "input")]):
            items = OpenInput(source, Reading(MAX_BYTES)).items()
            found += [(item.url, item.body) for item in items if isinstance(item, RawPage)]
        seconds = time.perf_counter() - begin
        equal = sum(one == other for one, other in zip(found, pages, strict=False))
        records = _records(folder / "input") if options.records else []
        wanted = wanted or records
        same = sum(one == other for one, other in zip(records, wanted, strict=False))
        is_equal &= equal == len(pages) == len(found) and same == len(wanted) == len(records)
        speed = f"{len(found) / seconds:,.0f}"
        shown = f"{same:,}" if options.records else ""
        rows.append((kind, f"{len(found):,}", f"{equal:,}", shown, speed))
    if options.records:
        rows.append(_folder_row(bodies, folder / "pages"))
        is_equal &= rows[-1][1] == rows[-1][3]
    report.text(ABOUT)
    report.table(("input", "pages", "equal", "records", "pages/s read"), rows)
    report.figures["equal"] = {row[0]: row[2] for row in rows}
    return is_equal


def _folder_row(bodies: list[bytes], folder: Path) -> tuple[str, str, str, str, str]:
    """Return the row of a folder with each page in a file."""
    folder.mkdir()
    for number, body in enumerate(bodies):
        (folder / f"{number:06}.html").write_bytes(body)
    lines = folder.with_suffix(".jsonl")
    lines.write_text("".join(json.dumps({"html": body.decode()}) + "\n" for body in bodies))
    found = _records(folder)
    same = sum(one == other for one, other in zip(found, _records(lines), strict=True))
    return ("folder of files", f"{len(found):,}", "", f"{same:,}", "")


def _texts_of(labeled: Path) -> Iterator[bytes]:
    """Yield the pages of a set that can be in a column of texts."""
    for _, body in pages_of([labeled]):
        try:
            text = body.decode()
        except UnicodeDecodeError:
            continue
        if "\r" not in text and "\0" not in text:
            yield body


def _records(source: Path) -> list[dict[str, object]]:
    """Return the records of an input, without what differs between inputs."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.jsonl"
        command = module_command(
            "scrapy", "boilernet", "bulk", str(source), "-o", str(out), "--workers", "1",
            "--encoding", "utf-8", "--progress", "none",
        )  # fmt: skip
        subprocess.run(command, env=environment(), cwd=folder, check=True, capture_output=True)
        rows = [json.loads(line) for line in out.read_text().splitlines()]
    return [{key: row[key] for key in row if key not in _OWN} for row in rows]


def _measure(options: argparse.Namespace, report: Report, folder: Path) -> None:
    rows = []
    for name, make in LARGE.items():
        path, what = make(folder, options.scale)
        command = [sys.executable, "-c", READER, path]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        facts = json.loads(out)
        rows.append((name, what, f"{facts['items']:,}", f"{facts['mb']:.0f}",
                     f"{facts['items'] / facts['seconds']:,.0f}"))  # fmt: skip
    report.text(ABOUT_LARGE)
    report.table(("input", "what", "items", "memory", "items/s"), rows)
    report.figures["large"] = rows


def _rows(number: int) -> Iterator[tuple[str, bytes]]:
    for n in range(number):
        yield f"https://example.com/{n}", BODY.encode() + str(n).encode() * 20


def _parquet(folder: Path, scale: float) -> tuple[str, str]:
    import pyarrow as pa
    from pyarrow import parquet

    path, number = folder / "large.parquet", int(100_000 * scale)
    schema = pa.schema([("url", pa.string()), ("html", pa.string())])
    with parquet.ParquetWriter(path, schema, compression="none", use_dictionary=False) as out:
        pages = _rows(number)
        while batch := [*islice(pages, 5_000)]:
            rows = [{"url": url, "html": body.decode()} for url, body in batch]
            out.write_table(pa.Table.from_pylist(rows, schema=schema))
    return str(path), _size(path)


def _wacz(folder: Path, scale: float) -> tuple[str, str]:
    path = folder / "large.wacz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        with archive.open("archive/data.warc.gz", "w", force_zip64=True) as out:
            for url, body in _rows(int(50_000 * scale)):
                out.write(gzip.compress(record(url, body), 0))
        archive.writestr("datapackage.json", "{}")
    return str(path), _size(path)


def _lines(folder: Path, scale: float) -> tuple[str, str]:
    path = folder / "large.json"
    with path.open("w") as out:
        out.write("[")
        for n, (url, body) in enumerate(_rows(int(50_000 * scale))):
            out.write("," * bool(n) + json.dumps({"url": url, "html": body.decode()}))
        out.write("]")
    return str(path), _size(path)


def _folder(folder: Path, scale: float) -> tuple[str, str]:
    path, number = folder / "large", int(1_000_000 * scale)
    path.mkdir()
    for n in range(number):
        with io.FileIO(path / f"page-{n:07}.html", "w") as out:
            out.write(b"<p>Text")
    return str(path), f"{number:,} files"


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:,.0f} MB"


LARGE: dict[str, Callable[[Path, float], tuple[str, str]]] = {
    "Parquet": _parquet, "WACZ": _wacz, "JSON array": _lines, "folder": _folder,
}  # fmt: skip


if __name__ == "__main__":
    main()
