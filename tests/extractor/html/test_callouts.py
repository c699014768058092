"""Callouts: elements whose classes are of any form."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.html.blockify import blockify

WORDS = st.text("-_ inotewarning", max_size=24)


@given(WORDS, WORDS, st.sampled_from(["div", "aside", "dl", "details", "p", "blockquote"]))
@example("- note", "", "div")
@example("__", "--", "aside")
def test_no_class_and_no_attribute_raises(classes: str, data: str, tag: str) -> None:
    html = f"<{tag} class='{classes}' data-callout='{data}' role='{data}'><b>Note</b> Text.</{tag}>"
    page = blockify(html, markup=True)
    assert [block.text for block in page.blocks][-1].endswith("Text.")
