"""The fuzz target: all steps from an input to a labeled page, its text and its explanation.

The first byte of an input chooses the model, with its units, and how the page is parsed. The second
chooses the encoding and the options. The rest is the page. ``tests/testing/invariants.py`` has the
checks.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

import scrapy_boilernet.extractor.html.tree
from fuzz.common import CHOOSING_BYTES, limit_seconds, where
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.options import (
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
PARSINGS = ("as it is", "as it is", "rewritten")
"""How a page is parsed: as it is, or rewritten like a page that libxml2 would not read whole, or
not in time. Such pages are larger than the inputs of the fuzzer."""
TWICE, EXPLAINED = 128, 240
"""The least first byte for which the page is labeled twice, and for which it is also explained."""


def findings(data: bytes) -> dict[str, str]:
    """Return the problem of an input, if there is one: a message by its kind.

    Kinds are ``crash-<class>-<places in the code>`` and ``slow-<model>``.
    """
    if len(data) < CHOOSING_BYTES:
        return {}
    try:
        return _checked(data)
    except Exception as error:
        return {f"crash-{where(error)}": traceback.format_exc()}


def _checked(data: bytes) -> dict[str, str]:
    labeler = LABELERS[data[0] % len(MODELS)]
    parsing = PARSINGS[data[0] // len(MODELS) % len(PARSINGS)]
    encoding, options = ENCODINGS[data[1] % len(ENCODINGS)], options_of(data[1] >> 4)
    body = data[CHOOSING_BYTES:]
    once = partial(labeled_in_a_crawl, body, labeler, encoding, options, MAX_BLOCKS)
    with parsed(parsing):
        seconds, result = timed(once)
        if seconds > (limit := limit_seconds(len(body))):
            seconds = min(seconds, timed(once)[0], timed(once)[0])
        check_labels(result)
        check_text(result)
        if data[0] >= TWICE:
            check_whole_way(body, labeler, encoding, options, explained=data[0] >= EXPLAINED)
    if seconds > limit:
        message = (
            f"{seconds:.2f} s of processor time for {len(body)} bytes, {labeler.name}, {parsing}"
        )
        return {f"slow-{labeler.name}": message}
    return {}


@contextmanager
def parsed(parsing: str) -> Iterator[None]:
    """Parse pages in one of :data:`PARSINGS` within the ``with`` statement."""
    module = scrapy_boilernet.extractor.html.tree
    if parsing == "rewritten":
        with patch.object(module, "has_many_end_tags", lambda _: True):
            yield
    else:
        yield


def timed(label: Callable[[], LabeledPage]) -> tuple[float, LabeledPage]:
    """Return the processor seconds that the function took, and its result."""
    begin = time.process_time()
    result = label()
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
