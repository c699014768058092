"""The label of a tab stands before the panel that it opens."""

from __future__ import annotations

import re
from time import perf_counter

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

PANELS = {
    "MkDocs": "<div class=tabbed-set><input checked id=__tabbed_1_1 name=__tabbed_1 "
    "type=radio><input id=__tabbed_1_2 name=__tabbed_1 type=radio><div class=tabbed-labels><label "
    "for=__tabbed_1_1>{0}</label><label for=__tabbed_1_2>{1}</label></div><div "
    "class=tabbed-content><div class=tabbed-block>{2}</div><div class=tabbed-block>{3}</div></div>"
    "</div>",
    "Docusaurus": "<div class=tabs-container><ul role=tablist class=tabs><li role=tab "
    "aria-selected=true class=tabs__item>{0}</li><li role=tab class=tabs__item>{1}</li></ul><div "
    "class=margin-top--md><div role=tabpanel class=tabItem_Y>{2}</div><div role=tabpanel hidden>"
    "{3}</div></div></div>",
    "Starlight": "<div class=tablist-wrapper><ul role=tablist><li role=presentation><a role=tab "
    "href='#tab-panel-1' id=tab-1>{0}</a></li><li role=presentation><a role=tab "
    "href='#tab-panel-2' id=tab-2>{1}</a></li></ul></div><div id=tab-panel-1 role=tabpanel "
    "aria-labelledby=tab-1>{2}</div><div id=tab-panel-2 role=tabpanel hidden>{3}</div>",
    "sphinx-tabs": "<div class='sphinx-tabs docutils'><div role=tablist><button role=tab "
    "aria-controls=panel-0 class=sphinx-tabs-tab>{0}</button><button role=tab "
    "aria-controls=panel-1>{1}</button></div><div id=panel-0 role=tabpanel>{2}</div><div "
    "id=panel-1 role=tabpanel hidden=true>{3}</div></div>",
    "Bootstrap": "<ul class='nav nav-tabs'><li class=active><a data-toggle=tab "
    "href='#one'>{0}</a></li><li><a data-toggle=tab href='#two'>{1}</a></li></ul><div "
    "class=tab-content><div id=one class='tab-pane active'>{2}</div><div id=two class=tab-pane>{3}"
    "</div></div>",
    "Bootstrap 5": "<nav><div class='nav nav-tabs' role=tablist><button data-bs-toggle=tab "
    "data-bs-target='#one' role=tab>{0}</button><button data-bs-toggle=tab data-bs-target='#two' "
    "role=tab>{1}</button></div></nav><div class=tab-content><section id=one role=tabpanel>{2}"
    "</section><section id=two role=tabpanel>{3}</section></div>",
    "by style": '<div class=tabs><input type="radio" id=t1 name=t checked><label for=t1>{0}</label>'
    "<input type=radio id=t2 name=t><label for=t2>{1}</label><div class=panel>{2}</div><div "
    "class=panel>{3}</div></div>",
    "sphinx-design": "<div class='sd-tab-set docutils'><input checked id=i0 type=radio><label "
    "class=sd-tab-label for=i0>{0}</label><div class=sd-tab-content>{2}</div><input id=i1 "
    "type=radio><label class=sd-tab-label for=i1>{1}</label><div class=sd-tab-content>{3}</div>"
    "</div>",
    "older MkDocs": "<div class=tabbed-set><input id=i0 type=radio><label for=i0>{0}</label><div "
    "class=tabbed-content>{2}</div><input id=i1 type=radio><label for=i1>{1}</label><div "
    "class=tabbed-content>{3}</div></div><div><div>End.</div><div>End.</div></div>",
}
WORDS = [("Linux", "macOS"), ("Mit Klappe", "Ohne"), ("Установка", "Сборка"), ("設定", "例")]
TEXTS = [
    ("<p>Use the gate.</p>", "Use the gate."),
    ("Use the <b>gate</b>.", "Use the **gate**."),
    ("<pre><code>open gate</code></pre>", "```\nopen gate\n```"),
    ("<h3>Gate</h3><ul><li>Oil</ul>", "### Gate\n\n- Oil"),
]


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize(("text", "made"), TEXTS)
@pytest.mark.parametrize("tool", PANELS)
def test_each_label_stands_before_its_panel(
    tool: str, text: str, made: str, words: tuple[str, str]
) -> None:
    html = PANELS[tool].format(*words, text, "<p>Or a ladder.</p>")
    page = blockify(f"<p>Before.</p>{html}<p>After.</p>", "https://e.example/", markup=True)
    one, two = words
    end = "After." if tool != "older MkDocs" else "End.\n\nEnd.\n\nAfter."
    result = written(page)
    right = f"Before.\n\n{one}\n\n{made}\n\n{two}\n\nOr a ladder.\n\n{end}"
    assert result.markdown == right
    plain = re.sub(r"\n+", "\n", re.sub(r"```|\*\*|(?m:^(?:### |- ))", "", right))
    assert result.text == re.sub(r"\n+", "\n", plain)
    assert not any(block.hidden for block in page.blocks)
    unmarked = blockify(f"<p>Before.</p>{html}<p>After.</p>", "https://e.example/")
    assert [block.text for block in unmarked.blocks] == [block.text for block in page.blocks]


def test_a_panel_that_begins_with_its_label_has_it_once() -> None:
    html = PANELS["Docusaurus"].format("Details", "Reviews", "<h2> Details </h2>A", "<p>B</p>")
    assert written(blockify(html, markup=True)).markdown == "## Details\n\nA\n\nReviews\n\nB"


def test_the_block_of_a_label_is_in_the_panel() -> None:
    html = PANELS["MkDocs"].format("One", "Two", "<p>A</p>", "<p>B</p>")
    blocks = blockify(html).blocks
    assert [block.text for block in blocks] == ["One", "A", "Two", "B"]
    panel = "/html/body[1]/div[1]/div[2]/div[2]"
    assert [block.xpath for block in blocks[2:]] == [panel, f"{panel}/p[1]"]
    assert [len(blockify(html, max_blocks=most).blocks) for most in range(5)] == [*range(5)]


@pytest.mark.parametrize(
    "html",
    [
        "<ul role=tablist><li role=tab>A</li><li role=tab>B</li></ul><div role=tabpanel>1</div>",
        "<ul role=tablist><li role=tab>A</li></ul><div role=tabpanel>1</div>",
        "<ul role=tablist><li role=tab>A</li><li role=tab><img></li></ul><div role=tabpanel>1</div>"
        "<div role=tabpanel>2</div>",
        f"<ul role=tablist><li role=tab>A</li><li role=tab>{'B' * 99}</li></ul><div role=tabpanel>1"
        "</div><div role=tabpanel>2</div>",
        "<div role=tabpanel>1</div><div role=tabpanel>2</div><ul role=tablist><li role=tab>A</li>"
        "<li role=tab>B</li></ul>",
        "<p class=tabs>x</p><form class=rate><input type=radio id=a><label for=a>A</label>"
        "<input type=radio id=b><label for=b>B</label><div>1</div><div>2</div></form>",
        "<p class=tabs><label for=a>A</label><label for=b>B</label><div>1</div><div>2</div>",
    ],
)
def test_other_labels_stay_where_they_are(html: str) -> None:
    texts = [block.text[:1] for block in blockify(html).blocks]
    assert "A" in texts
    assert texts.index("A") + 1 == len(texts) or texts[texts.index("A") + 1] in "B1"
    assert "".join(texts) in ("AB1", "A1", "AB12", "12AB", "xAB12", "A12")


@pytest.mark.parametrize("tool", ["Docusaurus", "MkDocs", "Bootstrap"])
def test_many_tabs_take_no_time(tool: str) -> None:
    html = PANELS[tool].format("A", "B", "<p>1</p>", "<p>2</p>")
    begin = perf_counter()
    blockify(html * 3_000)
    blockify("<ul role=tablist><li role=tab>A</li></ul>" * 9_000 + "<i role=tabpanel></i>" * 9_000)
    assert perf_counter() - begin < 60
