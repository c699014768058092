"""Signs that open or sort something, and numbers that repeat an item's own, are no text."""

from __future__ import annotations

import re

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


def markdown(html: str) -> str:
    page = blockify(html, "https://e.example/a", markup=True)
    assert [block.text for block in blockify(html).blocks] == [block.text for block in page.blocks]
    return written(page).markdown or ""


@pytest.mark.parametrize("sign", ["+", "−", "›", "▾", "▼", "❯", "✕"])
@pytest.mark.parametrize(
    "opener",
    [
        "<button class=accordion-button>How deep?<span class=icon>{}</span></button>",
        "<button aria-expanded=false><i class='fa-chevron'>{}</i> How deep?</button>",
        "<h3><button aria-expanded=false>How deep?<span aria-hidden=true>{}</span></button></h3>",
        "<div class=faq role=button aria-expanded=true>How deep?<div class=toggle>{}</div></div>",
        "<details><summary>How deep? <span class=chevron>{}</span></summary></details>",
        "<h3 class=accordion-title>How deep?<span class=plus>{}</span></h3>",
    ],
)
def test_the_sign_that_opens_an_answer_is_not_read(opener: str, sign: str) -> None:
    assert markdown(opener.format(sign)).strip("#* ") == "How deep?"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<details><summary>What is C<span>+</span></summary>", "What is C+"),
        ("<h2>Bigs<span class=icon>+</span></h2>", "Bigs+"),
        ("<button class=accordion-button><span class=icon>+</span></button>", "+"),
        ("<button aria-expanded=true>How <span class=icon>A</span></button>", "How A"),
    ],
)
def test_other_signs_are_read(html: str, text: str) -> None:
    assert blockify(f"{html}<p>More").blocks[0].text == text


@pytest.mark.parametrize(
    "head",
    [
        "Name <button>▲▼</button>",
        "Name<button> ⇅ </button>",
        "<span>Name</span> <span class=sort-icon>▲</span>",
        "<button>Name <i class='icon-Sort'>↕</i></button>",
        "Name <a class=sorter href='?s'>↓</a>",
    ],
)
def test_the_signs_that_sort_a_table_are_not_read(head: str) -> None:
    table = f"<table><tr><th>{head}<th>Size</tr><tr><td>a<td>▲ 5</table>"
    assert markdown(table) == "| Name | Size |\n| --- | --- |\n| a | ▲ 5 |"


@pytest.mark.parametrize("head", ["Loss <span>↓</span>", "Loss ↓", "Loss <b class=better>↓</b>"])
def test_arrows_that_say_which_value_is_better_are_read(head: str) -> None:
    table = f"<table><tr><th>{head}<th><button>▲</button></tr><tr><td>a<td>b</table>"
    assert markdown(table).startswith("| Loss ")
    assert "↓" in markdown(table)
    assert "▲" in markdown(table)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("<span class=num>1</span><p>Open</p>", "<span class=num>2</span><p>Close</p>"),
        ("<span class=num>1</span><span>Open</span>", "<span class=num>2</span><span>Close</span>"),
        (
            "<div class=step><div class=step-number>01.</div><p>Open</p></div>",
            "<div class=step><div class=step-number>02.</div><p>Close</p></div>",
        ),
        ("<b class='badge counter'>1</b><div>Open</div>", "<b class=counter>2</b><div>Close</div>"),
    ],
)
def test_a_number_that_repeats_that_of_the_item_is_not_read(one: str, two: str) -> None:
    assert markdown(f"<ol><li>{one}</li><li>{two}</li></ol>") == "1. Open\n2. Close"
    assert markdown(f"<ol start=1>\n<li>{one}</ol>") == "1. Open"


@pytest.mark.parametrize(
    "items",
    [
        "<li><span class=num>1</span> cup<li><span class=num>2</span> eggs",
        "<li><span class=num>1</span><p>cup<li><span class=num>3</span><p>eggs",
        "<li><span class=qty>1</span><p>cup<li><span class=qty>2</span><p>eggs",
        "<li>About <span class=num>1</span><p>cup<li><span class=num>2</span><p>eggs",
        "<li value=1><span class=num>1</span><p>cup",
        "<li><span class=num>1</span>",
    ],
)
@pytest.mark.parametrize("tag", ["ol", "ul", "ol reversed", "ol start=x"])
def test_other_numbers_in_items_are_read(items: str, tag: str) -> None:
    texts = [block.text for block in blockify(f"<{tag}>{items}</{tag[:2]}>").blocks]
    assert any("1" in text for text in texts)


def test_numbers_of_a_list_without_an_order_are_read() -> None:
    page = blockify("<ul><li><span class=num>1</span><p>Open</ul>")
    assert [block.text for block in page.blocks] == ["1", "Open"]


@pytest.mark.parametrize(
    "control",
    [
        "<b class=toggle-caption>toggle caption</b>",
        "<b class='x toggle-caption'><b>toggle caption</b></b>",
        "<button class=Hide-Caption> Hide caption </button>",
        "<a href='#' class='button enlarge-image'>Enlarge image</a>",
    ],
)
def test_words_that_show_a_caption_are_not_read(control: str) -> None:
    figure = f"<figure><img src=/a.jpg>{control}<figcaption>The gauge</figcaption></figure>"
    assert [one.text for one in blockify(f"<p>One</p>{figure}").blocks] == ["One", "The gauge"]
    inside = f"<p class=caption>The gauge {control}</p>"
    assert [one.text for one in blockify(inside).blocks] == ["The gauge"]


@pytest.mark.parametrize(
    "text",
    [
        "<b class=toggle-caption>The gauge</b>",
        "<b class=x>toggle caption</b>",
        "<b class='toggle-caption-x'>toggle caption</b>",
        "<h2 class=show-notes>Show notes</h2>",
        "<div class=toggle-caption>toggle caption <p>The gauge</p></div>",
    ],
)
def test_words_that_are_no_control_are_read(text: str) -> None:
    right = re.sub("<.*?>", "", text)
    assert " ".join(one.text for one in blockify(text).blocks) == right


@pytest.mark.parametrize("words", ["Copy code", "Copy", "Code kopieren", "Copier", "复制代码"])
@pytest.mark.parametrize(
    "header",
    [
        "<div class=code-header><span>app.py</span><span>{}</span></div>{}",
        "<div class='code-block__header'><em></em>app.py <a href=#>{}</a></div>{}",
        "<div class=box><div class=bar><span>app.py</span><button>{}</button></div>{}</div>",
        "<div class=highlight-toolbar>app.py <button type=button><i></i>{}</button></div>{}",
    ],
)
def test_a_button_beside_the_name_of_a_file_is_not_read(header: str, words: str) -> None:
    html = header.format(words, "<pre><code>x = 1\ny = 2</code></pre>")
    assert markdown(html) == "app.py\n\n```\nx = 1\ny = 2\n```"


@pytest.mark.parametrize(
    "before",
    ["<p>Type <b>copy</b>, then</p>", "<p>Choose <span>Copy code</span></p>", "<p>A copy</p>"],
)
def test_words_before_code_are_read(before: str) -> None:
    for html in (f"{before}<pre>x = 1</pre>", f"<div>{before}<pre>x = 1</pre></div>"):
        assert "copy" in blockify(html).blocks[0].text.lower()


@pytest.mark.parametrize(
    ("piece", "around"),
    [
        ("<span class=icon>+</span>", "<summary>{}</summary>"),
        ("<li><span class=num>1</span><p>a", "<ol>{}</ol>"),
        ("<th><button>▲</button>", "<table><tr>{}</table>"),
        ("<summary aria-expanded=true>a", "{}"),
        ("<ol><li><b class=num>1</b>", "{}"),
    ],
)
def test_many_of_them_take_linear_time(piece: str, around: str) -> None:
    assert blockify(around.format(piece * 20_000)).blocks
