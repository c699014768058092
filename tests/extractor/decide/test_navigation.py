"""Lines of links to the pages before and behind are no content."""

from __future__ import annotations

from itertools import compress

import numpy as np
import pytest
from testing.navigation_lines import CELLS, LINES, TEXTS

from scrapy_boilernet.extractor.decide.navigation import lead_to_pages_beside
from scrapy_boilernet.extractor.html.blockify import blockify


def found(html: str, kept: bool = True) -> list[str]:
    page = blockify(f"<body><h1>Bells</h1><p>A bell is cast.</p>{html}</table><p>It is tuned.</p>")
    places = lead_to_pages_beside(page, np.full(len(page.blocks), kept))
    return [*compress(page.texts, places)]


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_links_to_the_pages_beside_is_found(line: str) -> None:
    assert found(line) == [*blockify(line).texts]
    assert found(line, kept=False) == []


@pytest.mark.parametrize("text", TEXTS)
def test_other_texts_are_not(text: str) -> None:
    assert found(text) == []


def test_numbers_of_a_table_above_are_none_of_the_line() -> None:
    line = "<p><a href=a>Previous</a> | <a href=b>Next</a></p>"
    assert found(f"<table><tr><td>12<td>14</table>{line}") == ["Previous | Next"]


def test_only_kept_blocks_of_a_row_are_found() -> None:
    page = blockify(f"<table><tr>{CELLS}</tr></table>")
    kept = np.array([1, 0, 1, 0, 1], dtype=np.bool_)
    assert lead_to_pages_beside(page, kept).tolist() == kept.tolist()
