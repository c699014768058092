"""The links below a kept heading such as "See also"."""

from __future__ import annotations

from itertools import compress

import numpy as np
import pytest
from testing.reference_sections import NAMES, OTHERS, SECTIONS, TEXT

from scrapy_boilernet.extractor.decide.references import complete_references
from scrapy_boilernet.extractor.html.blockify import blockify


def added(section: str, likely: float, kept: tuple[str, ...] = NAMES) -> list[str]:
    """Return the texts that are added if the others of the section have this probability."""
    page = blockify(f"<article><p>{TEXT}</p>{section}</article><footer>About us</footer>")
    probabilities = np.array(
        [
            0.9 if text.startswith(kept) else 0.2 if text == "About us" else likely
            for text in page.texts
        ],
        np.float32,
    )
    is_kept = probabilities >= 0.5
    return [
        *compress(page.texts, complete_references(page, is_kept, probabilities, 0.5) & ~is_kept)
    ]


@pytest.mark.parametrize("section", SECTIONS)
def test_the_links_below_are_content_if_the_heading_is(section: str) -> None:
    assert added(section, 0.15) == [*blockify(section).texts[1:]]
    assert added(section, 0.03) == []
    assert added(section, 0.15, (TEXT,)) == []


@pytest.mark.parametrize("section", OTHERS)
def test_what_is_below_other_headings_or_no_list_of_links_is_not_added(section: str) -> None:
    assert added(section, 0.15) == []


def test_a_list_of_which_the_model_keeps_some_is_left_as_it_is() -> None:
    assert added(SECTIONS[2], 0.15, (*NAMES, "Clay")) == []
