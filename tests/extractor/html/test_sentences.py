"""Controls, custom elements and elements that HTML does not know: in a sentence, and alone."""

from __future__ import annotations

from time import perf_counter

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.walk import Walk

LOOSE = (
    "relative-time", "x-term", "o:p", "st1:place", "glossary", "output", "meter", "progress",
    "mjx-thing", "fluent-badge", "custom-element-2", "slot", "rb2", "blink", "content",
)  # fmt: skip


def texts(html: str) -> list[str]:
    return [block.text for block in blockify(f"<!DOCTYPE html><body>{html}").blocks]


@pytest.mark.parametrize("tag", [*LOOSE, "button", "label"])
@pytest.mark.parametrize("around", ["p", "div", "li", "td", "h2"])
def test_an_element_between_texts_is_part_of_their_sentence(tag: str, around: str) -> None:
    page = f"<{around}>It runs <{tag} class=c>every day</{tag}>, and <b>all</b> year.</{around}>"
    page = f"<table><tr>{page}</table>" if around == "td" else page
    assert texts(page) == ["It runs every day, and all year."]


@pytest.mark.parametrize("metadata", ["<meta itemprop=a content=b>", "<link itemprop=a href=/b>"])
@pytest.mark.parametrize(
    "html",
    [
        "<p>It runs {}every day.</p>", "<p>{}It runs every day.{}</p>",
        "<p>It runs <a href=/d>{}every</a> day.</p>", "<p>It <b><i>runs {}{}every</i></b> day.</p>",
        "<div><p>It runs <span itemscope>{}<span>every</span></span> day.</p></div>",
    ],
)  # fmt: skip
def test_metadata_in_a_paragraph_are_part_of_a_sentence(html: str, metadata: str) -> None:
    html = html.replace("{}", metadata)
    assert texts(html) == ["It runs every day."]
    assert [block.text for block in blockify(html, markup=True).blocks] == ["It runs every day."]
    assert len(blockify(html, units="leaf").blocks) >= 1


@pytest.mark.parametrize("metadata", ["<meta itemprop=a content=b>", "<link itemprop=a href=/b>"])
@pytest.mark.parametrize("around", ["div", "li", "td", "section"])
def test_metadata_elsewhere_end_a_sentence(around: str, metadata: str) -> None:
    """Boxes of data of products are written so, and styles make their parts blocks."""
    page = f"<{around}><span>12 USD</span>{metadata}In stock</{around}>"
    page = f"<table><tr>{page}</table>" if around == "td" else page
    assert texts(page) == ["12 USD", "In stock"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Take <select><option>one<option selected>two</select> of them.", "Take two of them."),
        ("Take <select><option>one<option>two</select> of them.", "Take one of them."),
        ("In<select><option>cm<option>in</select>, it is long.", "In cm, it is long."),
        ("It is<select><option>cm</select>long.", "It is cm long."),
        ("It (<select><option>cm</select>) is.", "It (cm) is."),
        ("<b>Take</b> <i><select><option>一</select></i> <a href=/a>of</a> it", "Take 一 of it"),
        ("長さは<select><option>三</select>メートル", "長さは三メートル"),
        ("Wähle <select><optgroup label=x><option>die <option>b</select>!", "Wähle die!"),
        ("Pick a <label for=a>size</label> <select id=a><option>S</select>.", "Pick a size S."),
        ("Pick a <button>size</button><select><option>S</select> now.", "Pick a size S now."),
        ("From <select><option>1</select> to <select><option>9</select> pm", "From 1 to 9 pm"),
    ],
)
@pytest.mark.parametrize("around", ["p", "li", "div"])
def test_a_list_to_choose_from_is_part_of_its_sentence(html: str, text: str, around: str) -> None:
    html = f"<{around}>{html}</{around}>"
    assert texts(html) == [text]
    assert [block.text for block in blockify(html, markup=True).blocks] == [text]


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<p>Country: <select><option>NO</select> *</p>", ["Country:", "*"]),
        ("<p>Country <select><option>NO</select></p>", ["Country"]),
        ("<p><select><option>NO</select> is far.</p>", ["is far."]),
        ("<div><p>Country</p><select><option>NO</select> is far.</div>", ["Country", "is far."]),
        ("<p>Country<br><select><option>NO</select> is far.</p>", ["Country", "is far."]),
        ("<p>Take <select></select> of them</p>", ["Take", "of them"]),
        (f"<p>Take <select><option>{'a ' * 50}</select> of it</p>", ["Take", "of it"]),
        ("<p>A <label>Name</label> <select><option>x</select></p>", ["A", "Name"]),
    ],
)
def test_a_list_of_a_form_is_left_out(html: str, right: list[str]) -> None:
    assert texts(html) == right


@pytest.mark.parametrize("tag", LOOSE)
def test_an_element_beside_a_text_is_part_of_its_sentence(tag: str) -> None:
    one = f"<{tag}>Bergen</{tag}>"
    assert texts(f"<p>{one} is far.") == ["Bergen is far."]
    assert texts(f"<p>Far is {one}") == ["Far is Bergen"]
    assert texts(f"<p><b>{one}</b> <i>is</i> far.") == ["Bergen is far."]
    assert texts(f"<p><a href=/a>Far</a> is <em>{one}</em>.") == ["Far is Bergen."]
    assert texts(f"<p>Far <{tag}></{tag}>is it.") == ["Far is it."]
    assert texts(f"<p>Far is <{tag}><x-a><b>Bergen</b></x-a></{tag}>.") == ["Far is Bergen."]


@pytest.mark.parametrize("tag", ["button", "label"])
def test_a_control_at_the_end_of_a_text_is_a_block(tag: str) -> None:
    assert texts(f"<p>A teaser <{tag}>Read more</{tag}></p>") == ["A teaser", "Read more"]
    assert texts(f"<p><{tag}>Name</{tag}> is asked.</p>") == ["Name", "is asked."]
    two = f"<{tag}>Like</{tag}> <{tag}>Share</{tag}>"
    assert texts(f"<div>{two}</div>") == ["Like", "Share"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("press<button>Send</button>now", "press Send now"),
        ("press<button type=button><svg></svg>Send </button>now", "press Send now"),
        ("press <button>Send</button>now", "press Send now"),
        ("drücke<button>Öffnen</button>, dann", "drücke Öffnen, dann"),
        ("(<button>Send</button>) now", "(Send) now"),
        ("次に<button>送信</button>を押す", "次に送信を押す"),
        ("the <button><b>knot</b></button>, a speed", "the knot, a speed"),
        ("set <label>level <input type=number></label> now", "set level now"),
        ("tick <label><input type=checkbox> all</label>, then", "tick all, then"),
        ("from <input name=a> to <input name=b>.", "from to ."),
    ],
)
@pytest.mark.parametrize("around", ["p", "li", "td"])
def test_buttons_and_fields_are_words_of_their_sentence(html: str, text: str, around: str) -> None:
    html = f"<table><tr><{around}>{html}</{around}>" if around == "td" else f"<{around}>{html}"
    assert texts(html) == [text]
    assert [block.text for block in blockify(html, markup=True).blocks] == [text]


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<p>Name: <input> *</p>", ["Name:", "*"]),
        ("<p>Name <input></p>", ["Name"]),
        ("<p>Yes <input type=Radio> no</p>", ["Yes", "no"]),
        ("<p><label>Name <input></label> <label>Mail <input></label></p>", ["Name", "Mail"]),
        ("<p>A teaser<button>More</button></p>", ["A teaser", "More"]),
        ("<p><button>Like</button>it</p>", ["Like", "it"]),
        ("<p>It is<br><input> far</p>", ["It is", "far"]),
    ],
)
def test_buttons_and_fields_of_a_form_are_no_words(html: str, right: list[str]) -> None:
    assert texts(html) == right


@pytest.mark.parametrize("inner", ["p", "div", "h3", "li", "table", "section", "blockquote"])
def test_an_element_that_holds_a_block_is_a_block(inner: str) -> None:
    html = f"<div>Before <x-card><b>x</b><{inner}>In it</{inner}></x-card> after</div>"
    assert texts(html) == ["Before", "x", "In it", "after"]


def test_elements_side_by_side_are_blocks() -> None:
    assert texts("<x-a>One</x-a><x-a>Two</x-a> <x-b>Three</x-b>") == ["One", "Two", "Three"]
    assert texts("<x-a>One<br>two</x-a>") == ["One", "two"]
    assert texts("<p>One <x-a>two<br>three</x-a> four") == ["One", "two", "three", "four"]


def test_code_keeps_its_lines() -> None:
    (block,) = blockify("<pre>a\n  <b>b</b></pre>").blocks
    assert block.preformatted == "a\n  b"
    assert [b.preformatted for b in blockify("<pre>a\n <x-a>b\n c</x-a></pre>").blocks] == [
        "a", "b\n c",
    ]  # fmt: skip


def test_a_link_around_blocks_holds_all_of_them() -> None:
    page = blockify("<a href=/a><div><h3>The mill</h3><p>It <x-a>turns</x-a> again</p></div></a>")
    assert [(b.text, b.link_chars) for b in page.blocks] == [
        ("The mill", 8),
        ("It turns again", 12),
    ]


def test_a_sentence_has_its_xpath_and_counts_as_the_element_around_it() -> None:
    block = blockify("<p>A <x-term class=t>log</x-term> here</p>").blocks[0]
    assert (block.xpath, block.tags[-1]) == ("/html/body[1]/p[1]", "p")
    (_, hidden) = blockify("<p>A <x-term class=t hidden>log</x-term> here</p>").blocks
    assert (hidden.xpath, hidden.tags[-1]) == ("/html/body[1]/p[1]/x-term[1]", "span")


def test_leaves_are_as_before() -> None:
    leaves = blockify("<p>A <x-term>log</x-term> here</p>", units="leaf").blocks
    assert [leaf.text for leaf in leaves] == ["A", "log", "here"]


@pytest.mark.parametrize(
    "html",
    [
        "a " + "<x-a>" * 20_000 + "b",
        "<x-a> " * 20_000 + "b",
        "a" + "<x-a></x-a>" * 50_000,
        "<button>a</button>" * 50_000,
        "a" + "<button></button>" * 50_000,
        "<x-a>a</x-a><b></b>" * 20_000,
        "<p>" + "<b>" * 5_000 + "<x-a>a</x-a>" * 5_000,
        "<p>a <x-a>" + "<b>" * 50_000,
        "a <select><option>b</select> c" * 20_000,
        "<p>a" + "<b><select><option>b</select></b>" * 20_000 + "c",
    ],
)
@pytest.mark.parametrize("compiled", [True, False])
def test_many_elements_take_no_time(
    html: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setattr("scrapy_boilernet.extractor.html.blockify.CompiledWalk", Walk)
    begin = perf_counter()
    blockify(html)
    assert perf_counter() - begin < 60  # quadratic would take minutes
