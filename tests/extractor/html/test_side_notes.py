"""Notes that a script shows beside their mark."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

PLUGIN = (
    "<p>Built in 1964<span class=footnote_referrer><a role=button tabindex=0><sup "
    "id=footnote_plugin_tooltip_1_1 class=footnote_plugin_tooltip_text>[1]</sup></a><span {} "
    "class=footnote_tooltip>{}</span></span> here.</p>"
)
LIST = (
    "<div class=footnotes_reference_container><table class=footnotes_table><tr><th><a "
    "id=footnote_plugin_reference_1_1 class=footnote_backlink>1</a></th><td>{}</td></table></div>"
)


@pytest.mark.parametrize("hides", ["", "style='display: none;'", "id=footnote_tooltip_text_1"])
@pytest.mark.parametrize(
    "note", ["The yard burned.", "Die Werft ist abgebrannt.", "この造船所は後に焼けてしまった。"]
)
@pytest.mark.parametrize("notes", ["", LIST])
def test_a_tooltip_is_the_note_unless_there_is_a_list(hides: str, note: str, notes: str) -> None:
    page = blockify(PLUGIN.format(hides, note) + notes.format(note), markup=True)
    made = written(page)
    assert made.markdown == f"Built in 1964[^1] here.\n\n[^1]: {note}"
    assert made.text.split("\n")[0] == "Built in 1964 [1] here."
    assert made.text.count(note) == 1


def test_a_raised_mark_alone_leads_to_no_other_note() -> None:
    html = (
        "<p>Built in 1964<sup style='vertical-align:super'>1</sup><span class=sidenote>The yard "
        "burned.</span> here.</p>"
    )
    made = written(blockify(html, markup=True))
    assert made.markdown == "Built in 1964[^1] here.\n\n[^1]: The yard burned."
