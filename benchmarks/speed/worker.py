"""A fresh process of ``footprint.py``: extracts a folder's pages, prints times and memory as JSON.

    python benchmarks/footprint_worker.py FOLDER ENGINE

It imports nothing but the standard library before it looks at its memory for the first time.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from statistics import median

_STATUS = Path("/proc/self/status")


def resident_kb(name: str = "VmRSS") -> int:
    """Return this process's resident memory, or its peak ``VmHWM``, in kB; 0 where not told."""
    if not _STATUS.is_file():
        return 0
    lines = _STATUS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def main() -> None:
    """Measure and print."""
    folder, engine = sys.argv[1:]
    found = {"bare_kb": resident_kb()}
    from scrapy_boilernet import extract

    found["imported_kb"] = resident_kb()
    seconds = []
    for file in sorted((Path(folder) / "html").iterdir()):
        html = file.read_bytes()
        begin = time.perf_counter()
        result = extract(html, engine=engine)
        _ = result.text, result.labels, result.confidence
        seconds.append(time.perf_counter() - begin)
        found.setdefault("first_kb", resident_kb())
    found |= {"end_kb": resident_kb(), "peak_kb": resident_kb("VmHWM")}
    times = {"first_seconds": seconds[0], "median_seconds": median(seconds[1:] or seconds)}
    print(json.dumps({**found, **times}))


if __name__ == "__main__":
    main()
