"""Main texts of whole pages by the shipped default model: ``pages/NAME.html`` and ``NAME.txt``.

To add a case, add these two files. The text is the main text for a careful reader, one
paragraph, heading, list item or table row per line; it is empty for a page without main text.
``NAME.md`` has the Markdown of a page, to the character.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from testing.models import PAGES

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.features.words import tokens

MIN_F1 = 0.9
"""Word-F1 of both texts: the model may keep a caption too many, and drop a headline."""
MIN_PARAGRAPHS = 0.8
"""Share of the expected lines of so many characters that are lines of the text."""
PARAGRAPH_CHARS = 40
MAX_STRAY_WORDS = 10
"""Words that a page without main text may give."""

LOWER_F1 = {
    "captions": 0.84,  # drops the captions of figures, keeps who took them
    "event": 0.85,  # drops where and when it is
}
FAILS = {"json_ld_only": "text that stands in JSON-LD alone is in no block, and blocks are labeled"}
NAMES = sorted(path.stem for path in PAGES.glob("*.txt"))


def page_param(name: str) -> object:
    reason = FAILS.get(name)
    marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
    return pytest.param(name, marks=marks)


def word_f1(text: str, expected: str) -> float:
    """Return the harmonic mean of precision and recall of the words, with repetitions."""
    found, wanted = Counter(tokens(text)), Counter(tokens(expected))
    return 2 * (found & wanted).total() / (found.total() + wanted.total())


@pytest.mark.parametrize("name", [page_param(name) for name in NAMES])
def test_main_text_is_the_expected_one(name: str) -> None:
    expected = (PAGES / f"{name}.txt").read_text(encoding="utf-8")
    text = extract((PAGES / f"{name}.html").read_bytes()).text
    if not expected:
        assert len(tokens(text)) <= MAX_STRAY_WORDS, text
        return
    assert word_f1(text, expected) >= LOWER_F1.get(name, MIN_F1), text
    paragraphs = {line for line in expected.splitlines() if len(line) >= PARAGRAPH_CHARS}
    kept = paragraphs & {*text.splitlines()}
    if name not in LOWER_F1:
        assert len(kept) >= MIN_PARAGRAPHS * len(paragraphs), paragraphs - kept


@pytest.mark.parametrize("file", sorted(PAGES.glob("*.md")), ids=lambda file: file.stem)
def test_markdown_is_the_expected_one(file: Path) -> None:
    html = file.with_suffix(".html").read_bytes()
    assert extract(html, formats=["markdown"]).markdown == file.read_text(encoding="utf-8").rstrip()


def test_there_are_pages_of_many_kinds_and_each_text_has_its_page() -> None:
    assert len(NAMES) >= 30
    assert {f"{name}.html" for name in NAMES} <= {path.name for path in PAGES.iterdir()}
    assert {*LOWER_F1, *FAILS} <= {*NAMES}
