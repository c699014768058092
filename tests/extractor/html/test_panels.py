"""Panels of tabs and accordions, which are closed until a control of the page opens them."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.tabs import controlled_ids
from scrapy_boilernet.extractor.html.tree import plain_tree

CLOSED = [
    "hidden", 'style="display:none"', 'aria-hidden=true class="content__panel"',
    'class="tab-pane d-none"', 'class="panel is-hidden"', "class=shut", 'hidden="" role=region',
    'style="height:0;overflow:hidden"', 'style="max-height:0px; overflow: hidden"',
    'style="visibility: hidden"', 'aria-hidden="true" style="display: none;" class="tabs__content"',
]  # fmt: skip
CONTROLS = [
    '<button aria-expanded=false aria-controls="{id}">{label}</button>',
    '<a role="tab" href="#{id}" aria-controls="{id}">{label}</a>',
    "<li role=tab aria-controls='{id}'>{label}</li>",
    "<h3><button type=button aria-controls={id}>{label}</button></h3>",
    '<summary aria-controls = "other {id}">{label}</summary>',
]
NO_CONTROLS = [
    '<button aria-haspopup="true" aria-controls="{id}">{label}</button>',
    '<button aria-controls="{id}-2">{label}</button>',
    '<a href="#{id}">{label}</a>',
    '<button aria-labelledby="{id}">{label}</button>',
    "",
]
TEXTS = [
    ("Details", "The kettle holds 1.7 litres and switches itself off when the water boils."),
    ("Versand", "Wir liefern innerhalb von drei Werktagen, auch an Packstationen."),
    ("Composition", "Toile de coton biologique, doublure en lin, boutons en nacre véritable."),
    ("仕様", "本体の重さは約二百グラムで、充電は一回で三十時間もつ。"),
]


def page_of(control: str, attributes: str, label: str, text: str) -> str:
    shown = control.format(id="panel-1", label=label)
    return (
        "<html><head><style>.shut{display:none}</style></head><body>"
        f'{shown}<div {attributes} id="panel-1"><p>{text}</p></div></body></html>'
    )


def is_hidden(html: str, text: str) -> bool:
    return any(block.hidden for block in blockify(html).blocks if block.text == text)


@pytest.mark.parametrize("attributes", CLOSED)
@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize(("label", "text"), TEXTS)
def test_a_panel_that_a_control_opens_is_shown(
    control: str, attributes: str, label: str, text: str
) -> None:
    assert not is_hidden(page_of(control, attributes, label, text), text)


@pytest.mark.parametrize("attributes", CLOSED)
@pytest.mark.parametrize("control", NO_CONTROLS)
def test_what_no_control_opens_stays_hidden(control: str, attributes: str) -> None:
    label, text = TEXTS[0]
    assert is_hidden(page_of(control, attributes, label, text), text)


@pytest.mark.parametrize(
    "attributes",
    [
        'style="position:absolute;left:-9999px"', 'style="font-size:0"', 'style="opacity:0"',
        'style="color:#fff;background:#fff"', 'style="clip-path:inset(50%)"',
    ],
)  # fmt: skip
def test_text_that_a_panel_would_not_hide_so_stays_hidden(attributes: str) -> None:
    label, text = TEXTS[0]
    assert is_hidden(page_of(CONTROLS[0], attributes, label, text), text)


@pytest.mark.parametrize("role", ["tabpanel", "TabPanel", " tabpanel "])
@pytest.mark.parametrize("attributes", CLOSED[:5])
def test_the_panel_of_a_tab_is_shown(role: str, attributes: str) -> None:
    label, text = TEXTS[0]
    tabs = f"<div role=tablist><button role=tab>{label}</button></div>"
    assert not is_hidden(f"{tabs}<div role='{role}' {attributes}><p>{text}</p></div>", text)


def test_a_panel_inside_something_hidden_stays_hidden() -> None:
    label, text = TEXTS[0]
    html = page_of(CONTROLS[0], "hidden", label, text).replace("<body>", "<body><div hidden>")
    assert is_hidden(html, text)


@pytest.mark.parametrize(
    ("html", "ids"),
    [
        ("<button aria-controls='a b'>x<a ARIA-CONTROLS=c>y", {"a", "b", "c"}),
        ("<button aria-controls=a aria-haspopup=true>x", set()),
        ("<p>aria-controls=a<script>'<a aria-controls=b>'</script>", set()),
        ("<button aria-controls=' '>x<button aria-controls>y", set()),
    ],
)
def test_the_ids_that_controls_open(html: str, ids: set[str]) -> None:
    for kind in (Elements, CompiledElements):
        assert controlled_ids(kind(plain_tree(html.encode()))) == ids


@pytest.mark.parametrize("attributes", ["hidden", 'style="display:none"', 'aria-hidden="true"'])
@pytest.mark.parametrize(
    "classes",
    [
        "accordion-body", "accordionBody enrollment-accordion__item", "Accordion_panel__x1Y2",
        "faq-answer", "faq__answer", "c-faq", "chakra-collapse", "MuiCollapse-root",
        "v-expansion-panel-content", "a-expander-extend-content", "collapsible-content",
    ],
)  # fmt: skip
def test_what_readers_open_by_its_class_is_shown(classes: str, attributes: str) -> None:
    answer = "You can send it back within thirty days."
    html = f'<h3>Returns</h3><div class="{classes}" {attributes}><p>{answer}</p></div>'
    assert [block.text for block in blockify(html).blocks if not block.hidden] == [
        "Returns",
        answer,
    ]


@pytest.mark.parametrize(
    "attributes",
    [
        'class="modal" hidden', 'class="faqtory" style="display:none"', "hidden id=S-1",
        'class="navbar-collapse" style="display:none"', 'hidden id="S:12 x"',
        'style="display:none" id="S:1"', 'class="accordion" style="font-size:0"',
        'class="accordion" style="position:absolute;left:-9999px"', 'aria-hidden="true" id="S:1"',
    ],
)  # fmt: skip
def test_what_readers_cannot_open_is_hidden(attributes: str) -> None:
    (block,) = blockify(f"<div {attributes}><p>Praise this page.</p></div>").blocks
    assert block.hidden


@pytest.mark.parametrize("part", ['hidden id="S:0"', 'hidden="" id="S:1f"', 'id="S:a" hidden'])
def test_what_react_streams_behind_the_page_is_shown(part: str) -> None:
    article = "The ferry has stopped for the winter, and the island waits."
    html = f'<main><template id="B:0"></template></main><div {part}><p>{article}</p></div>'
    assert [(block.text, block.hidden) for block in blockify(html).blocks] == [(article, False)]
