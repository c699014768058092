"""The benchmark of hidden text counts words that are lost and gained, by reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from testing.benchmark_runs import needs_shipped_model, run
from testing.standins import Says
from testing.synthetic import write_set

from benchmarks.quality.hidden_text import SHEET, counted, drawn_pages, reasons_of
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.lab.evaluation.datasets import GoldPage

SEEN = "Pools that the tide leaves behind warm up by several degrees before it comes back."
SHEETS = "<style>.away{display:none}</style>"
FORMS = {
    "<p hidden>{}": "hidden",
    "<p style='display:none'>{}": "display:none",
    "<p style='visibility: hidden'>{}": "visibility:hidden",
    "<p>Seen <span style='opacity:0'>{}</span></p>": "opacity:0",
    "<p style='font-size:0'>{}": "font-size:0",
    "<p style='position:absolute;left:-9999px'>{}": "off-screen",
    "<p style='clip-path:inset(50%)'>{}": "clipped",
    "<p style='height:0;overflow:hidden'>{}": "zero-size",
    "<p style='color:#fff;background:white'>{}": "colour",
    "<p class=sr-only>{}": "class",
    "<p aria-hidden=true>{}": "aria-hidden",
    SHEETS + "<p class=away>{}": SHEET,
    SHEETS + "<p>Seen <b class=away>{}</b></p>": SHEET,
    SHEETS + "<p hidden class=away>{}": "hidden",
}


def measured(html: str, gold: str) -> dict[str, Counter[str]]:
    page = blockify(html)
    labeler = Says(1.0)
    drop = label_page(page, labeler)
    off = label_page(page, labeler, LabelOptions(hidden="model"))
    return counted(drop, off, gold, reasons_of(GoldPage("set", "id", html.encode(), gold), page))[0]


@pytest.mark.parametrize(("form", "reason"), FORMS.items())
def test_words_are_lost_if_the_gold_has_them_and_gained_if_not(form: str, reason: str) -> None:
    shown = f"<p>{SEEN}</p>"
    (lost,) = measured(
        shown + form.replace("{}", "crabs at night"), f"{SEEN} crabs at night"
    ).values()
    assert (lost["out lost"], lost["out gained"], lost["out in the gold and missing"]) == (3, 0, 3)
    found = measured(shown + form.replace("{}", "casino bonus pools"), SEEN)
    assert [*found] == [reason]
    assert (found[reason]["out lost"], found[reason]["out gained"]) == (0, 3)
    assert (found[reason]["out texts"], found[reason]["out words"]) == (1, 3)


def test_a_word_is_lost_as_often_as_the_gold_has_it_more() -> None:
    html = f"<p>{SEEN}</p><p hidden>crabs crabs</p><p style='display:none'>crabs</p>"
    found = measured(html, f"{SEEN} crabs crabs")
    assert (found["hidden"]["out lost"], found["display:none"]["out lost"]) == (2, 0)


def test_texts_of_the_step_are_given_out_and_not_lost() -> None:
    html = f"<p>Menu</p><main hidden><p>{SEEN}</p></main>"
    (numbers,) = measured(html, SEEN).values()
    words = len(SEEN.split())
    assert (numbers["in words"], numbers["in in the gold"]) == (words, words)
    assert not numbers["out texts"]


def test_invisible_characters_are_counted() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "buy beans")
    found = measured(f"<p>{SEEN}{tags}</p>", SEEN)
    assert found["invisible-characters"] == Counter(
        {"out texts": 1, "out words": 2, "out in the gold and missing": 0}
    )


def test_pages_are_drawn_over_the_sets_and_small_sets_give_all(tmp_path: Path) -> None:
    sizes = {"small": 2, "large": 9, "larger": 12}
    folders = [
        write_set(tmp_path / name, {f"{name}{i}": (b"<p>Pools", "Pools") for i in range(size)})
        for name, size in sizes.items()
    ]
    drawn = drawn_pages(folders, 12, 1)
    assert Counter(page.dataset for page in drawn) == {"small": 2, "large": 5, "larger": 5}
    assert drawn == drawn_pages(folders, 12, 1) != drawn_pages(folders, 12, 2)
    assert len(drawn_pages(folders, 99, 1)) == sum(sizes.values())


@needs_shipped_model
def test_the_report_has_a_row_per_reason_and_per_set(tmp_path: Path) -> None:
    html = f"<title>Pools</title><h1>Pools</h1><p>{SEEN}</p><p hidden>{SEEN}</p>".encode()
    folder = write_set(tmp_path / "pools", {"a": (html, SEEN), "b": (html, SEEN)})
    text, document = run(tmp_path, "benchmarks.quality.hidden_text", folder, plot=False)
    assert "2 pages, of which 2 hide text." in text
    assert "| pools | 2 |" in text
    assert document["reasons"]["hidden"]["out texts"] == 2
