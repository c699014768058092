"""Writes the seed corpus: the cases of ``tests/pages/soup.dat`` and the small pages of the tests.

python -m fuzz.seeds CORPUS [MODULE OF THE TARGET]
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from fuzz.reader_seeds import reader_seeds
from tests.testing.soup_cases import encoded, soup_cases

PAGES = sorted((Path(__file__).parents[1] / "tests" / "pages").glob("*.html"))
ODD_CODECS = {3: "utf-16", 4: "utf-16-le", 5: "shift_jis", 6: "gb18030", 9: "utf-7", 11: "koi8-r"}
"""Codecs by their index in ``target.ENCODINGS``."""


def main() -> None:
    """Write the files, each named by its digest."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in reader_seeds() if sys.argv[2:] == ["fuzz.reader_target"] else seeds():
        (folder / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)


def seeds() -> list[bytes]:
    """Return the inputs: the two bytes that ``target.py`` describes, and a page."""
    texts = list(soup_cases().values())
    inputs = [bytes([i % 6 + 6 * (i % 41), 0]) + encoded(text) for i, text in enumerate(texts)]
    for number, codec in ODD_CODECS.items():
        inputs += [bytes([number % 6, number]) + encoded(t, codec) for t in texts[number::12]]
    inputs += [
        bytes([number % 6 + 240, number % 16 * 16]) + page.read_bytes()
        for number, page in enumerate(PAGES)
    ]
    return inputs


if __name__ == "__main__":
    main()
