"""Signatures in several lines are one term."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

PAREN = "<span class=sig-paren>{}</span>"
OPEN, CLOSE = PAREN.format("("), PAREN.format(")")


def signature(name: str, end: str, *arguments: str) -> str:
    listed = "".join(f"<dd><em class=sig-param>{one}</em>,</dd>\n" for one in arguments)
    return (
        f"<dt class='sig py' id={name}><span class=sig-name>{name}</span>{OPEN}\n<dl>\n{listed}"
        f"</dl>\n\n{CLOSE}{end}</dt>"
    )


@pytest.mark.parametrize(
    ("end", "right"),
    [
        ("", ""),
        (" <span class=sig-return>→ <a href=/s>Series</a></span>", " → Series"),
        ("<a class=headerlink href='#read' title='Link'>¶</a>", ""),
    ],
)
def test_a_signature_in_several_lines_is_one_term(end: str, right: str) -> None:
    term = signature("read", end, "name", "unit='a, b'")
    html = f"<dl class=py>{term}<dd><p>Read it.</p></dd></dl><p>Two</p>"
    page = blockify(html, "https://e.example/a", markup=True)
    text = f"read(name, unit='a, b',){right}"
    assert [block.text for block in page.blocks] == [text, "Read it.", "Two"]
    assert (written(page).markdown or "").split("\n\n")[0].replace("\\", "") == f"**{text}**"
    assert blockify(html.replace("\n", "")).blocks[0].text == text
    two = blockify(f"<dl>{signature('a', end, 'b')}{signature('c', end, 'd')}<dd>e</dl>").blocks
    assert [block.text for block in two] == [f"a(b,){right}", f"c(d,){right}", "e"]


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        (f"<dl><dt>a{OPEN} b {CLOSE}</dt><dd>c</dl>", ["a( b )", "c"]),
        ("<dl><dt>a( <dl><dd>b</dl>)</dt><dd>c</dl>", ["a(", "b", ")", "c"]),
        (f"<p>a{OPEN}</p><dl><dt>b<dd>c</dl>", ["a(", "b", "c"]),
        (f"<dl><dt>a{OPEN}</dt><dd><dl><dt>b<dd>c</dl></dl>", ["a(", "b", "c"]),
    ],
)
def test_other_terms_stay(html: str, texts: list[str]) -> None:
    assert [block.text for block in blockify(html).blocks] == texts
