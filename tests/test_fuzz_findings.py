"""What fuzzing and metamorphic tests have found, each made as small as it goes.

Inputs that only a page can have which libxml2 does not read whole, or not in time, stand behind
such a page's beginning.
"""

from __future__ import annotations

from typing import Any

import pytest
from parsel import Selector

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.page import Page

MANY_ATTRIBUTES = "<p " + " ".join(f"data-{n}={n:012}" for n in range(2100)) + ">crab</p>"
TOO_DEEP = "<div>" * 2100 + "crab" + "</div>" * 2100


def texts_of(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def test_these_beginnings_are_read_in_their_own_ways() -> None:
    assert not blockify(MANY_ATTRIBUTES).flat
    assert blockify(TOO_DEEP).flat


@pytest.mark.parametrize("units", ["block", "leaf"])
@pytest.mark.parametrize(
    "html",
    [
        "<a\x01b>tide</a\x01b>", "<a\uffff>tide", "<p class='a\x01b'>tide", "<p id=&#1;>tide",
        "<p class='\uffff'>tide", "<p title=\x01 \x01=\x01>tide", "<p style='\x1b'>tide",
    ],
)  # fmt: skip
def test_control_characters_in_names_and_values_beside_many_attributes(
    html: str, units: Any
) -> None:
    assert texts_of(blockify(MANY_ATTRIBUTES + html, units=units)) == ["crab", "tide"]


@pytest.mark.parametrize("beginning", ["<p>crab</p>", MANY_ATTRIBUTES, TOO_DEEP])
def test_a_form_feed_is_white_space(beginning: str) -> None:
    assert texts_of(blockify(f"{beginning}<p>tide\x0cpool")) == ["crab", "tide pool"]


@pytest.mark.parametrize("name", ["p'q", 'p"q', "p<q", "p&q", "p\x01q", "é", "p$q"])
def test_a_name_that_xpath_cannot_say_beside_many_attributes(name: str) -> None:
    html = f"{MANY_ATTRIBUTES}<div><{name}>tide</{name}><{name}>pool"
    selector = Selector(text=html, type="html")
    for block in blockify(html).blocks:
        assert len(selector.xpath(block.xpath)) == 1


@pytest.mark.parametrize("name", ["iframe", "textarea", "script", "style", "title", "xmp"])
@pytest.mark.parametrize("beginning", ["<p>crab</p>", TOO_DEEP])
def test_elements_of_raw_text_that_close_themselves_hide_nothing(beginning: str, name: str) -> None:
    html = f'{beginning}<p>tide</p><{name} class="a"/><p>pool</p><{name} /><p>warm</p>'
    assert texts_of(blockify(html)) == ["crab", "tide", "pool", "warm"]


def test_a_comment_within_a_text_changes_neither_spaces_nor_link_characters() -> None:
    for html in (
        "<a>About</a><a>B{}ag</a>", "<b>ab</b><i>P{}RO</i>", "<p>tide{} <a>p{}ool {}warm</a>",
        "<p><span>ab</span><span>c{}</span>", "<p><a>a{}b</a><a>c{}d</a>",
    ):  # fmt: skip
        before = blockify(html.replace("{}", ""))
        for between in ("<!-- c -->", "<?pi?>", "<script>x</script>", "<!---->" * 40):
            after = blockify(html.replace("{}", between))
            assert texts_of(after) == texts_of(before)
            assert [b.link_chars for b in after.blocks] == [b.link_chars for b in before.blocks]
