"""Structures beside kept texts, by their probability and where they stand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.decide.structures import complete_structures
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "The water has warmed since May, and the crabs came early this year."
LIST = "<ul><li>Crabs</li><li>Limpets, many of them</li><li>Anemones</li></ul>"
TERMS = "<dl><dt>Crab</dt><dd>It walks sideways.</dd><dt>Limpet</dt><dd>It stays.</dd></dl>"
QUOTE = "<blockquote><p>Nobody had seen them before.</p><p>Nobody at all.</p></blockquote>"
TABLE = (
    "<table><tr><th>Pool</th><th>Crabs</th></tr><tr><td>North</td><td>12</td></tr>"
    "<tr><td>South</td><td>31</td></tr></table>"
)
HEADING = "<h3>What the keeper saw</h3>"


def labels(html: str, probabilities: dict[str, float], threshold: float = 0.5) -> list[str]:
    """The texts that are content if blocks have the probability of the first key they begin with,
    and 0.01 else.
    """
    page = blockify(html)
    p = np.array(
        [
            next((p for begin, p in probabilities.items() if text.startswith(begin)), 0.01)
            for text in page.texts
        ],
        dtype=np.float32,
    )
    kept = (p >= threshold) & ~np.array(page.hidden, dtype=np.bool_)
    whole = complete_structures(page, kept, p, threshold)
    return [text for text, keep in zip(page.texts, whole, strict=True) if keep]


@pytest.mark.parametrize("structure", [LIST, TERMS, QUOTE, TABLE, HEADING])
@pytest.mark.parametrize("around", ["article", "div", "section", "td"])
def test_what_stands_between_kept_texts_is_kept(structure: str, around: str) -> None:
    html = f"<{around}><p>{TEXT}</p>{structure}<p>{TEXT}</p></{around}>"
    html = f"<table><tr>{html}</tr></table>" if around == "td" else html
    every = blockify(html).texts
    assert labels(html, {"The water": 0.9, "": 0.2}) == [*every]
    assert labels(html, {"The water": 0.9, "": 0.02}) == [TEXT, TEXT]


@pytest.mark.parametrize("structure", [LIST, TERMS, QUOTE, TABLE])
def test_what_follows_a_kept_text_needs_more(structure: str) -> None:
    html = f"<article><p>{TEXT}</p>{structure}</article><footer><p>About us</p></footer>"
    assert labels(html, {"The water": 0.9, "About": 0.01, "": 0.4}) == [*blockify(html).texts[:-1]]
    assert labels(html, {"The water": 0.9, "About": 0.01, "": 0.3}) == [TEXT]


def test_a_heading_needs_the_text_that_it_heads() -> None:
    before = f"<article><p>{TEXT}</p>{HEADING}</article>"
    after = f"<article>{HEADING}<p>{TEXT}</p></article>"
    assert labels(before, {"The": 0.9, "What": 0.4}) == [TEXT]
    assert labels(after, {"The": 0.9, "What": 0.4}) == ["What the keeper saw", TEXT]


def test_a_list_of_which_some_is_kept_is_kept() -> None:
    html = f"<article>{LIST}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "Crabs": 0.8, "": 0.4})[0] == "Crabs"
    assert len(labels(html, {"The water": 0.9, "Crabs": 0.8, "": 0.4})) == 4
    assert labels(html, {"The water": 0.9, "": 0.4}) == [TEXT]


def test_a_text_elsewhere_is_not_beside() -> None:
    html = f"<main><p>{TEXT}</p></main><nav>{LIST}</nav><main><p>{TEXT}</p></main>"
    assert labels(html, {"The water": 0.9, "": 0.4}) == [TEXT, TEXT]


def test_hidden_items_stay_out_and_hidden_texts_are_not_beside() -> None:
    html = (
        f"<div><p>{TEXT}</p><p hidden>About us</p>"
        f"{LIST.replace('<li>Anemones', '<li hidden>Anemones')}<p>{TEXT}</p></div>"
    )
    assert labels(html, {"The water": 0.9, "": 0.3}) == [
        TEXT,
        "Crabs",
        "Limpets, many of them",
        TEXT,
    ]


parts = st.lists(
    st.sampled_from(
        [f"<p>{TEXT}</p>", LIST, TERMS, QUOTE, TABLE, HEADING, "<p hidden>x</p>", "<hr>"]
    ),
    max_size=8,
)


@given(parts, st.data())
def test_nothing_kept_is_lost_and_no_other_text_is_added(
    found: list[str], data: st.DataObject
) -> None:
    page = blockify("<article>" + "".join(found) + "</article>")
    size = len(page.blocks)
    p = np.array(
        data.draw(st.lists(st.floats(0, 1, width=32), min_size=size, max_size=size)),
        dtype=np.float32,
    )
    kept = (p >= 0.5) & ~np.array(page.hidden, dtype=np.bool_)
    whole = complete_structures(page, kept, p, 0.5)
    assert (whole >= kept).all()
    added = np.flatnonzero(whole & ~kept).tolist()
    assert not any(page.hidden[i] or page.blocks[i].text == TEXT for i in added)
