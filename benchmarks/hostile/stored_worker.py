"""Reads the inputs in a folder, and prints what that cost as JSON.

python -m benchmarks.hostile.stored_worker FOLDER
"""

from __future__ import annotations

import json
import sys
from time import process_time

from benchmarks.common.measuring import peak_kb
from scrapy_boilernet.bulk.http_message import BrokenBodyError, decoded_body
from scrapy_boilernet.bulk.inputs import OpenInput, Reading, inputs_of
from scrapy_boilernet.bulk.pages import RawPage
from scrapy_boilernet.bulk.warc import Damage
from scrapy_boilernet.extractor.options import MAX_BYTES


def main() -> None:
    """Read the inputs, and unpack the bodies."""
    before_kb, begin, pages, failures = peak_kb(), process_time(), 0, 0
    for source in inputs_of(sys.argv[1:]):
        for item in OpenInput(source, Reading(MAX_BYTES)).items():
            failures += isinstance(item, Damage)
            if isinstance(item, RawPage):
                try:
                    decoded_body(item.body, item.codings, MAX_BYTES)
                    pages += 1
                except BrokenBodyError:
                    failures += 1
    figures = {
        "pages": pages,
        "failures": failures,
        "seconds": process_time() - begin,
        "memory_mb": (peak_kb() - before_kb) / 1e3,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
