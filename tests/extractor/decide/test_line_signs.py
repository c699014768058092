"""Lines of a page that have a sign of what a rule looks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet import Block, Page
from scrapy_boilernet.extractor.decide.captions import _CREDIT, _credits
from scrapy_boilernet.extractor.decide.line_signs import MAX_LINE_CHARS, LineSigns

TEXTS = ("Tags: mills", "the weir", "TAGS：", "Öl und Mühlen", "a" * MAX_LINE_CHARS + " tags:", "x")


@pytest.fixture(autouse=True)
def no_lasting_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests do not look for the signs of these."""
    monkeypatch.setattr(LineSigns, "_finder", LineSigns._finder)


def page_of(*texts: str) -> Page:
    return Page(None, "", tuple(Block(text, ("p",), ("",), (1,), "", 0) for text in texts), "")


@pytest.mark.parametrize(
    ("signs", "found"),
    [
        (("tags",), [0, 2]),
        (("tags:", "weir"), [0, 1]),
        ((":", "："), [0, 2]),
        (("öl", "mühle"), [3]),
        (("absent",), []),
    ],
)
def test_short_lines_with_a_sign_are_found_in_any_case(
    signs: tuple[str, ...], found: list[int]
) -> None:
    assert [*LineSigns(signs).on(page_of(*TEXTS))] == found


def test_signs_are_found_on_a_page_that_others_were_found_on() -> None:
    page = page_of(*TEXTS)
    first = LineSigns(("weir",))
    assert [*first.on(page)] == [1]
    assert [*LineSigns(("tags",)).on(page)] == [0, 2]
    assert [*first.on(page)] == [1]


@given(st.lists(st.text(max_size=12), max_size=8), st.sets(st.text(min_size=1, max_size=3)))
def test_lines_are_those_that_have_one(texts: list[str], signs: set[str]) -> None:
    lower = [text.lower().replace("\n", " ") for text in texts]
    wanted = {sign.lower().replace("\n", "n") for sign in signs}
    found = [i for i, text in enumerate(lower) if any(sign in text for sign in wanted)]
    if any("\n" in text for text in texts):
        lines = [text.replace("\n", " ") for text in texts]
        assert [*LineSigns(wanted).on(page_of(*lines))] == found
    assert [*LineSigns(wanted).on(page_of(*texts))] == found


def test_a_page_without_lines_has_none() -> None:
    assert [*LineSigns(("tags",)).on(page_of())] == []


@given(st.from_regex(_CREDIT.pattern))
def test_every_photo_credit_has_a_sign(line: str) -> None:
    assert any(sign.decode() in line.lower() for sign in _credits.stems)
