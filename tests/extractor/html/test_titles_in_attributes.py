"""The title of details may stand in an attribute."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


@pytest.mark.parametrize(
    "html",
    [
        "<sl-details summary='{}'>{}</sl-details>",
        "<wa-details open summary=' {} '><p>{}</p></wa-details>",
        "<calcite-accordion><calcite-accordion-item heading='{}'>{}</calcite-accordion-item>"
        "</calcite-accordion>",
        "<calcite-block heading='{}'><div><p>{}</p></div></calcite-block>",
    ],
)
@pytest.mark.parametrize(
    ("title", "text"), [("Sails", "Two."), ("Die  Boote", "Zwei"), ("帆", "二")]
)
def test_a_title_is_read_before_its_text(html: str, title: str, text: str) -> None:
    page = blockify(f"<p>One.</p>{html.format(title, text)}<p>Three.</p>", markup=True)
    shown = " ".join(title.split())
    assert page.texts == ("One.", shown, text, "Three.")
    assert written(page).markdown == f"One.\n\n{shown}\n\n{text}\n\nThree."
    plain = blockify(f"<p>One.</p>{html.format(title, text)}<p>Three.</p>")
    assert [*plain.blocks] == [*page.blocks]


@pytest.mark.parametrize(
    "html",
    [
        "<sl-details summary='A'><b slot=summary>Sails</b><p>Two.</p></sl-details>",
        "<sl-details><p>Sails</p><p>Two.</p></sl-details>",
        "<sl-details summary=' '><p>Sails</p><p>Two.</p></sl-details>",
        "<div summary=A heading=A><p>Sails</p><p>Two.</p></div>",
        "<sl-details heading=A><p>Sails</p><p>Two.</p></sl-details>",
    ],
)
def test_other_attributes_are_no_titles(html: str) -> None:
    assert blockify(html).texts == ("Sails", "Two.")
