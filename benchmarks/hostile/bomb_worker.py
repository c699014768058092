r"""A fresh process of ``bombs.py``: extracts one hostile page and prints the costs as JSON.

    python -m benchmarks.hostile.bomb_worker SYSTEM PAGE WARM_UP_PAGE MEMORY_BYTES CPU_SECONDS \
        WORD...

It limits itself, since a hostile page may use up all memory and time.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.common.measuring import peak_kb, resident_kb

OURS, FORMATTED, BLOCKS, LEAVES = (
    "scrapy-boilernet", "with all formats", "blockify", "blockify, leaves",
)  # fmt: skip
_NO_LIMIT = 1_000_000_000
"""``max_blocks``, so that nothing is cut off."""
_CLEAR = Path("/proc/self/clear_refs")

Found = dict[str, Any]
"""``text``, the text that a system finds or HTML that holds it, and the system's other results."""
Run = Callable[[bytes], Found]


def _whole_way() -> Run:
    from scrapy_boilernet import extract

    def run(html: bytes) -> Found:
        result = extract(html)
        _ = result.labels, result.kinds, result.confidence
        return {"text": result.text, "cut": result.page.truncated, "source": result.source}

    return run


def _all_formats() -> Run:
    from scrapy_boilernet import extract
    from scrapy_boilernet.extractor.options import FORMATS

    def run(html: bytes) -> Found:
        result = extract(html, url="https://example.org/", formats=FORMATS)
        text = result.markdown or ""
        same = result.html is not None and result.metadata is not None
        written = max(len(text.encode()), len((result.html or "").encode()))
        cut, shortened = result.page.truncated, result.shortened
        whole = text if same else ""
        return {"text": whole, "cut": cut, "output_bytes": written, "shortened": shortened}

    return run


def _blocks(units: Any) -> Run:
    from scrapy_boilernet.extractor.html.blockify import blockify

    def run(html: bytes) -> Found:
        page = blockify(html, units=units, max_blocks=_NO_LIMIT, max_bytes=_NO_LIMIT)
        text = "\n".join(block.text for block in page.blocks)
        return {"text": text, "blocks": len(page.blocks)}

    return run


def _trafilatura() -> Run:
    extract = import_module("trafilatura").extract
    return lambda html: {"text": extract(html, include_comments=False) or ""}


def _readability() -> Run:
    document = import_module("readability").Document
    return lambda html: {"text": document(html).summary()}


def _resiliparse() -> Run:
    encoding = import_module("resiliparse.parse.encoding")
    extract = import_module("resiliparse.extract.html2text").extract_plain_text

    def run(html: bytes) -> Found:
        text = encoding.bytes_to_str(html, encoding.detect_encoding(html))
        return {"text": extract(text, main_content=True)}

    return run


SYSTEMS: dict[str, tuple[str, Callable[[], Run]]] = {
    OURS: ("scrapy-boilernet", _whole_way),
    FORMATTED: ("scrapy-boilernet", _all_formats),
    BLOCKS: ("scrapy-boilernet", lambda: _blocks("block")),
    LEAVES: ("scrapy-boilernet", lambda: _blocks("leaf")),
    "trafilatura": ("trafilatura", _trafilatura),
    "readability-lxml": ("readability-lxml", _readability),
    "resiliparse": ("Resiliparse", _resiliparse),
}
"""Per system its distribution and its loader. Each gets the bytes and finds out their encoding."""


def main() -> None:
    """Measure and print the costs, and the words that are in the text that the system finds."""
    system, page, warm_up, memory_bytes, cpu_seconds, *words = sys.argv[1:]
    run = SYSTEMS[system][1]()
    run(Path(warm_up).read_bytes())
    html = Path(page).read_bytes()
    _limit(int(memory_bytes), int(cpu_seconds))
    result = measured(run, html)
    text = result.pop("text")
    print(json.dumps(result | {"kept": [word for word in words if word in text]}))


def measured(run: Run, html: bytes) -> Found:
    """Return what the system finds, or ``error``, an exception's name; and the costs.

    Costs: ``seconds``, ``cpu_seconds``, and ``memory_bytes``, the peak of the resident memory above
    its level before.
    """
    gc.collect()
    with suppress(OSError):  # else the peak is at least that of the imports and the warm-up
        _CLEAR.write_text("5")  # the peak starts again from what is resident now
    before_kb = resident_kb()
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        result = run(html)
    except BaseException as error:  # a Rust panic is no Exception
        result = {"text": "", "error": type(error).__name__}
    return result | {
        "cpu_seconds": time.process_time() - cpu,
        "seconds": time.perf_counter() - wall,
        "memory_bytes": max(peak_kb() - before_kb, 0) * 1024,
    }


def _limit(memory_bytes: int, cpu_seconds: int) -> None:
    """Limit the address space, and the CPU seconds from now on: SIGXCPU ends this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    end = int(used.ru_utime + used.ru_stime) + 1 + cpu_seconds
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + 5))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


if __name__ == "__main__":
    main()
