"""What is fuzzed: any bytes, the whole way to the labeled page and to what is made of it.

The first byte of an input chooses the model and with it the units, and how the page is parsed; the
second the encoding that a server names and the options; the rest is the page. What must hold is in
``tests/testing/invariants.py``.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import scrapy_boilernet.html.tree
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers.registry import load_labeler
from scrapy_boilernet.options import (
    FALLBACK_STEPS,
    FAVORS,
    HIDDEN,
    KIND_OPTIONS,
    MAX_BLOCKS,
    LabelOptions,
)
from tests.testing.invariants import (
    check_labels,
    check_text,
    check_whole_way,
    labeled_in_a_crawl,
)

MODELS = (
    ("default", "onnx"), ("crf", "auto"), ("svm", "auto"), ("gbdt", "auto"), ("grf", "auto"),
    ("open", "numpy"),
)  # fmt: skip
"""Names and engines; ``crf`` labels leaves, the others blocks."""
LABELERS = [load_labeler(*model) for model in MODELS]
ENCODINGS = (
    None, "utf-8", "cp1252", "utf-16", "utf-16-le", "shift_jis", "gb18030", "euc-kr", "iso-2022-jp",
    "utf-7", "utf-32", "koi8-r", "big5", "hz", "x-no-such", "hex",
)  # fmt: skip
WAYS = ("as it is", "as it is", "written anew")
"""How a page is parsed: as any, or as those are that libxml2 would not read whole, or not in time,
which are larger than what is fuzzed."""
CHOOSING_BYTES = 2
TWICE, EXPLAINED = 128, 240
"""First bytes from which the page is labeled again, and from which it is explained, too."""
SLOW_SECONDS, SLOW_SECONDS_PER_BYTE = 0.5, 1e-5
"""What any page may take, and 1 s per 100 kB; of the processor, and instrumented."""


def findings(data: bytes) -> dict[str, str]:
    """Return what is wrong with what becomes of an input, if anything: its kind, what is told.

    Kinds are ``crash-<class>-<places in the code>`` and ``slow-<model>``.
    """
    if len(data) < CHOOSING_BYTES:
        return {}
    try:
        return _checked(data)
    except Exception as error:
        return {f"crash-{_where(error)}": traceback.format_exc()}


def _checked(data: bytes) -> dict[str, str]:
    labeler, way = LABELERS[data[0] % len(MODELS)], WAYS[data[0] // len(MODELS) % len(WAYS)]
    encoding, options, body = ENCODINGS[data[1] % 16], options_of(data[1] >> 4), data[2:]
    once = partial(labeled_in_a_crawl, body, labeler, encoding, options, MAX_BLOCKS)
    with parsed(way):
        seconds, result = timed(once)
        if seconds > (limit := limit_seconds(len(body))):
            seconds = min(seconds, timed(once)[0], timed(once)[0])
        check_labels(result)
        check_text(result)
        if data[0] >= TWICE:
            check_whole_way(body, labeler, encoding, options, explained=data[0] >= EXPLAINED)
    if seconds > limit:
        told = f"{seconds:.2f} s of the processor for {len(body)} bytes by {labeler.name}, {way}"
        return {f"slow-{labeler.name}": told}
    return {}


@contextmanager
def parsed(way: str) -> Iterator[None]:
    """Have pages parsed in one of :data:`WAYS`."""
    module = scrapy_boilernet.html.tree
    if way == "written anew":
        with patch.object(module, "has_many_end_tags", lambda _: True):
            yield
    else:
        yield


def limit_seconds(size_bytes: int) -> float:
    """Return the processor seconds that a page of this size may take."""
    return SLOW_SECONDS + SLOW_SECONDS_PER_BYTE * size_bytes


def timed(way: Callable[[], LabeledPage]) -> tuple[float, LabeledPage]:
    """Return the processor seconds that it took, and what it gave."""
    begin = time.process_time()
    result = way()
    return time.process_time() - begin, result


def options_of(number: int) -> LabelOptions:
    """Return one of sixteen sets of options."""
    return LabelOptions(
        favor=FAVORS[(number + 1) % len(FAVORS)],
        fallback=FALLBACK_STEPS if number < 8 else (),
        title=KIND_OPTIONS[number // 2 % len(KIND_OPTIONS)],
        comments=KIND_OPTIONS[number // 4 % len(KIND_OPTIONS)],
        captions=KIND_OPTIONS[number % len(KIND_OPTIONS)],
        hidden=HIDDEN[number // 2 % len(HIDDEN)],
    )


def _where(error: BaseException) -> str:
    """The class of the exception and the last places in the code that it went through."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    places = [f"{Path(frame.filename).stem}.{frame.name}" for frame in frames]
    return "-".join([type(error).__name__, *places])
