"""Explanations on terminals of every kind."""

from __future__ import annotations

import io
import re
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.explained import FOUND, LABELED, PAGE
from testing.labeled import from_kept, from_probabilities
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.explain.explanation import NO_REASONS, Explanation
from scrapy_boilernet.extractor.explain.text import Look, text_lines
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Reason

PLAIN = Look()


def lines(
    found: Explanation = FOUND, top: int = 3, look: Look = PLAIN, **options: str
) -> list[str]:
    return [*text_lines(found, found.places(**options), top, look, "page.html")]


def test_head_blocks_and_sums_come_in_this_order() -> None:
    assert lines() == [
        "Pools",
        "page:       page.html",
        "model:      tiny (numpy)",
        "threshold:  0.50",
        "confidence: 0.90",
        "found by:   the model",
        "content:    2 of 3 blocks: 1 title, 1 main",
        "",
        "   1 boilerplate         0.02 [dropped by: model] Home",
        "       -2.00 ######## tags: nav",
        "       +0.25 #        place: first",
        "",
        "   2 content title       0.60 Pools",
        "       +1.00 ####     tags: h1",
        "       -0.50 ##       place: second",
        "       +0.12 #        links",
        "",
        "   3 content main        0.98 They warm at night.",
        "",
        "What weighed most over the page, for content (+) and boilerplate (-)",
        "         +1.00     -2.00 ######## tags",
        "         +0.25     -0.50 ##       place",
        "         +0.12     -0.00 #        links",
    ]


def test_fewer_reasons_are_the_weightiest() -> None:
    found = lines(top=1)
    assert "       -2.00 ######## tags: nav" in found
    assert not any("place" in line for line in found)


def test_no_reasons_are_shown_if_none_are_asked_for() -> None:
    assert not any("tags" in line or "weighed" in line for line in lines(top=0))


def test_a_labeler_without_reasons_is_shown_with_a_line_that_says_so() -> None:
    found = lines(Explanation(LABELED, None))
    assert found[7] == NO_REASONS
    assert "   1 boilerplate         0.02 [dropped by: model] Home" in found
    assert not any("weighed" in line for line in found)


def test_blocks_that_are_left_out_are_counted() -> None:
    found = lines(only="content", holding="night")
    assert [line[:4] for line in found if line[:4].strip().isdigit()] == ["   3"]
    assert "1 of 3 blocks shown" in found
    assert "0 of 3 blocks shown" in lines(holding="nowhere")


def test_a_page_without_blocks_and_title_has_its_head() -> None:
    empty = from_probabilities(blockify(""), (), 0.5, 0.0, "tiny")
    found = [*text_lines(Explanation(empty, ()), [], 3, PLAIN)]
    assert found == [
        "(no title)",
        "model:      tiny",
        "threshold:  0.50",
        "confidence: 0.00",
        "found by:   nothing: no block is content",
        "content:    0 of 0 blocks",
    ]


def test_a_label_that_is_not_the_probabilitys_is_marked() -> None:
    labeled = from_kept(PAGE, [False, True, True], (0.1, 0.1, 0.1), 0.5, 0.9, "tiny", "json-ld")
    line = "   3 content main        0.10 [kept by: fallback: json-ld] They warm at night."
    assert line in lines(Explanation(labeled, None))


class Terminal(io.StringIO):
    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "72")
    assert Look.of(Terminal()) == Look(True, 72, "█", "…")
    assert Look.of(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) == Look(False, 100, "█", "…")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Look.of(Terminal()).colour
    monkeypatch.setenv("NO_COLOR", "")  # set, but to nothing: no-color.org
    assert Look.of(Terminal()).colour
    monkeypatch.setenv("TERM", "dumb")
    assert not Look.of(Terminal()).colour


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "no-such-codec"])
def test_bars_are_of_signs_that_the_stream_has(encoding: str) -> None:
    look = Look.of(Terminal(encoding))
    assert (look.bar, look.cut) == ("#", "...")


def test_colours_change_nothing_but_the_colours() -> None:
    coloured = lines(look=replace(PLAIN, colour=True))
    assert "\x1b[1;32mcontent title      \x1b[0m" in "\n".join(coloured)
    assert [re.sub(r"\x1b\[[\d;]*m", "", line) for line in coloured] == lines()


def columns(line: str) -> int:
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in line)
    return len(line) + wide - sum(unicodedata.combining(each) > 0 for each in line)


@QUICK
@given(st.text(min_size=1), st.text(), st.integers(50, 120), st.booleans())
def test_no_line_is_too_long_or_commands_the_terminal(
    text: str, value: str, width: int, ascii_only: bool
) -> None:
    block = PAGE.blocks[0]._replace(text=text * 9)
    page = replace(PAGE, title=text, blocks=(block,))
    labeled = from_probabilities(page, (0.9,), 0.5, 0.9, text)
    found = Explanation(labeled, ((Reason(value, text, 1.0),),))
    look = Look(False, width, *(("#", "...") if ascii_only else ("█", "…")))
    for line in text_lines(found, [0], 3, look, value):
        assert columns(line) <= width or line.startswith("What weighed")
        assert not [each for each in line if unicodedata.category(each) in ("Cc", "Cs")]


def test_wide_characters_take_two_columns() -> None:
    assert PLAIN.fitted("潮だまり", 8) == "潮だまり"
    assert PLAIN.fitted("潮だまりの夜", 8) == "潮だ..."
    assert replace(PLAIN, cut="…").fitted("e\u0301" * 4, 4) == "e\u0301" * 4
    assert PLAIN.fitted("a \x1b[31mb\u202ec", 20) == "a \ufffd[31mb\ufffdc"
