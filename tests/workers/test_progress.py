"""The progress bar, on a terminal and in a log file, and the last line of a command."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.workers.progress import (
    Meter,
    counted,
    progress,
    short,
    use_it,
    word_f1,
    written,
)


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
@pytest.mark.parametrize("number", [0, 1, 9, 10, 250])
def test_every_item_comes_out_once_and_in_order(stream: type[io.StringIO], number: int) -> None:
    assert list(progress(range(number), number, "pages", stream())) == list(range(number))


def test_items_are_taken_one_at_a_time() -> None:
    taken = []

    def source() -> Iterator[int]:
        for i in range(5):
            taken.append(i)
            yield i

    bar = progress(source(), 5, "pages", io.StringIO())
    assert taken == []
    assert next(bar) == 0
    assert taken == [0]


def test_a_log_file_gets_one_line_per_tenth_of_the_work() -> None:
    out = io.StringIO()
    list(progress(range(250), 250, "pages", out))
    lines = out.getvalue().splitlines()
    assert [re.findall(r"(\d+)/250", line) for line in lines] == [
        [str(i)] for i in range(25, 251, 25)
    ]
    assert "\r" not in out.getvalue()


def test_a_log_file_gets_no_line_for_a_few_items() -> None:
    out = io.StringIO()
    list(progress(range(9), 9, "pages", out))
    assert out.getvalue() == ""


def test_a_terminal_ends_with_a_full_bar_on_a_line_of_its_own() -> None:
    out = Terminal()
    list(progress(range(40), 40, "pages", out))
    assert out.getvalue().startswith("\rpages:   0%|")
    assert out.getvalue().endswith("\n")
    last = out.getvalue().rstrip("\n").split("\r")[-1]
    assert re.fullmatch(r"pages: 100%\|[█#]+\| 40/40 \[00:00<00:00, .*it/s\]", last)


def test_half_the_work_is_half_a_bar() -> None:
    out = io.StringIO()
    bar = progress(range(10), 10, "pages", out)
    for _ in range(6):
        next(bar)
    (shown,) = re.findall(r"50%\|(.*)\| 5/10 ", out.getvalue())
    assert set(shown) == {"#", " "}
    assert abs(shown.count("#") - shown.count(" ")) <= 1


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
@pytest.mark.parametrize("total", [0, 3, 12])
def test_a_wrong_total_does_no_harm(stream: type[io.StringIO], total: int) -> None:
    assert len(list(progress(range(12), total, "pages", stream()))) == 12


def test_it_writes_to_standard_error_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    list(progress(range(10), 10, "pages"))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 10


def test_an_error_in_the_work_is_raised() -> None:
    def source() -> Iterator[int]:
        yield 1
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        list(progress(source(), 2, "pages", Terminal()))


def test_the_last_line_says_what_was_written_how_good_it_is_and_what_to_do_next() -> None:
    model = Path("models/my-model")
    assert written(model, word_f1([0.75] * 24, "validation page"), use_it(model)) == (
        f"wrote {model}: word-F1 .750 on 24 validation pages; use it with BOILERNET_MODEL = "
        f"{str(model.absolute())!r}"
    )


@QUICK
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_mean_over_pages_is_given_with_their_number(scores: list[float]) -> None:
    _, mean, _, number, *rest = word_f1(scores, "page").split()
    assert min(scores) - 0.0006 <= float(mean) <= max(scores) + 0.0006
    assert (int(number), rest) == (len(scores), ["page" if len(scores) == 1 else "pages"])


def test_what_was_not_measured_has_no_figure() -> None:
    assert word_f1([], "page") == "not measured, since no page was kept to validate"


def test_numbers_and_scores_are_short() -> None:
    assert [short(score) for score in (0, 0.8726, 1)] == [".000", ".873", "1.000"]
    assert [counted(n, "page") for n in (0, 1, 1200)] == ["0 pages", "1 page", "1,200 pages"]


def test_a_meter_shows_bytes_pages_and_failures() -> None:
    out = Terminal()
    with Meter(1000, "extract", out) as meter:
        meter.show(100, 10, 0)
        meter.show(1000, 1_234, 5)
    assert "extract: 100%|" in out.getvalue()
    assert "1,234 pages, " in out.getvalue()
    assert ", 5 failed [" in out.getvalue()


def test_a_meter_writes_a_line_per_tenth_into_a_file() -> None:
    out = io.StringIO()
    with Meter(1000, "extract", out) as meter:
        for done in range(0, 1001, 7):
            meter.show(done, done // 7, 0)
    lines = out.getvalue().splitlines()
    assert [line.partition("%")[0] for line in lines] == [str(n) for n in range(10, 100, 10)]
    assert lines[0].startswith("10% 15 pages, ")


def test_a_meter_whose_total_is_not_known_shows_pages() -> None:
    terminal, file = Terminal(), io.StringIO()
    for out in (terminal, file):
        with Meter(0, "extract", out) as meter:
            meter.show(0, 1, 0)
    assert "extract, 1 page, " in terminal.getvalue()
    assert file.getvalue() == ""
