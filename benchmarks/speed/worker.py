"""A fresh process that extracts pages, and prints the costs as JSON.

    python -m benchmarks.speed.worker memory FOLDER ENGINE
    python -m benchmarks.speed.worker time FILE ENGINE [FORMAT ...]

The package is the first one on the path: ``versions.py`` puts another one there. Before memory is
first measured, only the standard library is imported, so memory is read from /proc.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

_STATUS = Path("/proc/self/status")


def main() -> None:
    """Measure and print."""
    what, pages, engine, *formats = sys.argv[1:]
    figures = (
        memory(Path(pages), engine)
        if what == "memory"
        else cpu_time(Path(pages), engine, tuple(formats))
    )
    print(json.dumps(figures))


def memory(folder: Path, engine: str) -> dict[str, float]:
    """Return the memory in kB and the seconds of extracting a folder's pages, for footprint.py."""
    figures: dict[str, float] = {"bare_kb": resident_kb()}
    from scrapy_boilernet import extract

    figures["imported_kb"] = resident_kb()
    seconds = []
    for file in sorted((folder / "html").iterdir()):
        html = file.read_bytes()
        begin = time.perf_counter()
        result = extract(html, engine=engine)
        _ = result.text, result.labels, result.confidence
        seconds.append(time.perf_counter() - begin)
        figures.setdefault("first_kb", resident_kb())
    figures |= {"end_kb": resident_kb(), "peak_kb": resident_kb("VmHWM")}
    times = {"first_seconds": seconds[0], "median_seconds": median(seconds[1:] or seconds)}
    return {**figures, **times}


def cpu_time(file: Path, engine: str, formats: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Return the CPU seconds of extracting a file's pages three times, for versions.py, and digests
    of the labels, probabilities, text and formats of each page.

    They are extracted once before, unmeasured. The file has the pages' HTML and URLs.
    """
    from scrapy_boilernet import extract

    pages = [(html.encode(), url) for html, url in json.loads(file.read_text("utf-8"))]
    digests = []
    for html, url in pages:
        result = extract(html, url=url, engine=engine, formats=formats)
        made = (result.labels, result.probabilities, result.text, result.confidence)
        shown = repr((*made, *(getattr(result, name) for name in formats)))
        digests.append(hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest())
    begin = time.process_time()
    for _ in range(3):
        for html, url in pages:
            _ = extract(html, url=url, engine=engine, formats=formats).text
    return {"cpu_seconds": time.process_time() - begin, "digests": digests}


def resident_kb(name: str = "VmRSS") -> int:
    """Return this process's resident memory, or its peak ``VmHWM``, in kB; 0 where not known."""
    if not _STATUS.is_file():
        return 0
    lines = _STATUS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


if __name__ == "__main__":
    main()
