"""How long it takes to find copies among many texts, and how much memory.

    python -m benchmarks.bulk.dedupe --out-markdown docs/results/bulk/dedupe.md

Looks up drawn fingerprints as ``scrapy boilernet bulk --dedupe`` does, writes them to its file, and
reads them again as ``--resume`` does. Ends with status 1 if a copy is not found.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.bulk.copies import COPY, MAX_TEXTS, NEAR_COPY, TextPrint
from scrapy_boilernet.bulk.run_files import TextsFile
from scrapy_boilernet.extractor.output.fingerprint import NEAR_BITS
from scrapy_boilernet.workers.progress import progress

ABOUT = f"""Drawn fingerprints of 64 bits, one after the other. Of each hundred, one is an exact
copy of an earlier one, and one a near copy, in which 1 to {NEAR_BITS} bits are changed. Each is
looked up among all that were kept before, and kept if it is new. At most {MAX_TEXTS:,} are held in
memory. By chance: different texts that are taken for near copies. Memory is the most that the
process had in use, with Python and NumPy. Read again: the time in which a resumed run reads the
file."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=int, default=1_000_000)
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Finding copies")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.bin"
        texts, counts = TextsFile(path, 0), Counter[tuple[str, str]]()
        begin = perf_counter()
        for expected, text in progress(drawn(options.texts), options.texts, "texts"):
            counts[expected, texts.reason_against(text)] += 1
        size, seconds = texts.mark(), perf_counter() - begin
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
        texts.close()
        del texts
        begin = perf_counter()
        TextsFile(path, size).close()
        again = perf_counter() - begin
    found = {reason: counts[reason, reason] for reason in (COPY, NEAR_COPY)}
    made = {reason: sum(n for (each, _), n in counts.items() if each == reason) for reason in found}
    report.text(ABOUT)
    report.table(
        ("texts", "seconds", "memory", "copies found", "near copies found", "by chance", "file",
         "read again"),
        [(
            f"{options.texts:,}", f"{seconds:,.0f}", f"{memory:,.0f} MB",
            *(f"{found[reason]:,} of {made[reason]:,}" for reason in found),
            f"{counts['', NEAR_COPY] + counts['', COPY]:,}", f"{size / 1e6:,.0f} MB",
            f"{again:,.0f} s",
        )],
    )  # fmt: skip
    report.figures |= {"seconds": seconds, "memory_mb": memory, "read_again": again}
    report.write(options, None)
    sys.exit(0 if found == made else 1)


def drawn(number: int) -> Iterator[tuple[str, TextPrint]]:
    """Yield so many prints of texts, each with the reason for which it is to be left out."""
    draw, some = random.Random(0), list[TextPrint]()
    for place in range(number):
        if place % 100 == 98:
            yield COPY, draw.choice(some)
        elif place % 100 == 99:
            known = draw.choice(some)
            bits = draw.sample(range(64), draw.randint(1, NEAR_BITS))
            changed = known.fingerprint ^ sum(1 << bit for bit in bits)
            yield NEAR_COPY, TextPrint(changed, known.digest ^ 1)
        else:
            text = TextPrint(draw.getrandbits(64), draw.getrandbits(64))
            if place % 100 == 0:
                some.append(text)
            yield "", text


if __name__ == "__main__":
    main()
