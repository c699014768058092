"""Code that stands in no ``<pre>`` is read with its lines and indents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.rendered import written as written_of

from scrapy_boilernet.extractor.html.blockify import blockify

LINES = ["def cross(wind):", "    minutes = 15", "    return minutes + wind // 10"]
CODE = "\n".join(LINES)
BLOCKS = "".join(f"<div class=ql-code-block>{line}</div>" for line in LINES)
ITEMS = "".join(f"<li class=li1><div class=de1>{line}</div></li>" for line in LINES)
FENCED = f"```\n{CODE}\n```"


def written(html: str) -> str:
    page = blockify(f"<article>{html}</article>".encode(), "", markup=True)
    return str(written_of(page).markdown)


def table(number: str, code: str, *, around: str = "", shown: bool = False) -> str:
    """Return a table of the lines; ``number``, ``code``: the attributes of the cells."""
    rows = (
        f"<tr><td {number}>{n if shown else ''}</td><td {code}>{line}</td></tr>"
        for n, line in enumerate(LINES, 1)
    )
    return f"<table {around}><tbody>{''.join(rows)}</tbody></table>"


@pytest.mark.parametrize(
    "html",
    [
        table("class=blob-num data-line-number=1", "class='blob-code js-file-line'"),
        table("class='blob-num js-line-number'", "class=blob-code", around="class=highlight"),
        table("data-line-number=1", "id=LC1"),
        table("class=lineno", "class=line", shown=True),
        table("class=gutter", "class=content", shown=True),
        table("class='line-number'", "class=line-code", shown=True),
        table("class=lineNumber", "", shown=True),
        f"<code class=block style='white-space: pre; display: block'>{CODE}</code>",
        f"<code style='display:block;white-space:pre-wrap'>{CODE}</code>",
        f"<code class='whitespace-pre bg-gray-100'>{CODE}</code>",
        f"<samp style='WHITE-SPACE: PRE'>{CODE}</samp>",
        f"<div class=code-block style='white-space: pre'>{CODE}</div>",
        f"<div class='hljs whitespace-pre-wrap'>{CODE}</div>",
        f"<div class=ql-code-block-container>{BLOCKS}</div>",
        f'<ol class="dp-plain" start=1>{ITEMS}</ol>',
        f"<ol class='hoverEnabled EnlighterJS'>{ITEMS}</ol>",
        f"<div class='geshifilter-text'><ol>{ITEMS}</ol></div>",
        f"<div class='w3-code notranslate'>{'<br>'.join(LINES)}</div>",
        f"<div class='source-code' style='font: x; white-space:break-spaces'>{CODE}</div>",
    ],
)
def test_lines_are_kept(html: str) -> None:
    assert written(f"<p>The script:</p>{html}<p>That is all.</p>") == (
        f"The script:\n\n{FENCED}\n\nThat is all."
    )


@pytest.mark.parametrize(
    "attribute", ["data-lang=python", "class='whitespace-pre language-python'"]
)
def test_its_language_is_named(attribute: str) -> None:
    html = f"<div style='white-space: pre' {attribute}>{CODE}</div>"
    assert written(html) == FENCED.replace("```\n", "```python\n", 1)


def test_an_empty_line_of_a_table_is_one() -> None:
    html = table("class=blob-num", "class=blob-code")
    for empty in ("", "\n", " "):
        row = f"<tr><td class=blob-num></td><td class=blob-code>{empty}</td></tr>"
        first, rest = html.split("</tr>", 1)
        written_with = written(f"{first}</tr>{row}{rest}")
        assert written_with == FENCED.replace(":\n", ":\n\n")


@pytest.mark.parametrize(
    "html",
    [
        "<div style='white-space: pre-wrap'>Two\n  lines</div>",  # what a person wrote
        "<div class=code style='white-space: nowrap'>Two\n  lines</div>",
        "<div class=code style='white-space: pre-line'>Two\n  lines</div>",
        "<div class='zip-code' style='white-space: normal'>Two\n  lines</div>",
        "<p>One <code style='white-space: pre'>word</code> of code</p>",
        "<code>Two\n  lines</code>",
        "<div class=code style='white-space: pre'><p>Two\n  lines</p></div>",
        "<table><tr><td>1</td><td>Two\n  lines</td></tr></table>",
        "<table><tr><td class=lineno>1</td><td>a</td></tr><tr><td>b</td><td>c</td></tr></table>",
        "<table><tr><td class=lineno>Line 1</td><td>Two lines</td></tr></table>",
        "<table><tr><td class=lineno>1</td><td><p>Two lines</p></td></tr></table>",
    ],
)
def test_other_elements_are_no_code(html: str) -> None:
    assert "```" not in written(html)


def test_a_listing_in_code_is_part_of_it() -> None:
    html = f"<pre>{table('class=lineno', 'class=line', shown=True)}</pre>"
    assert written(html) == FENCED
    around = f"<div class=code style='white-space: pre'>x = 1\n<code class=whitespace-pre>{CODE}"
    assert written(around).count("```") == 2


def test_few_elements_around_one_another_are_looked_at() -> None:
    style = "class=code style='white-space:pre'"
    for levels, is_code in ((2, True), (300, False)):
        html = f"<div {style}><p>Text</p>" * levels + f"<code {style}>{CODE}"
        assert (FENCED in written(html)) == is_code


@given(st.lists(st.sampled_from(["", "a", "  b", "1", "c d "]), min_size=1, max_size=6))
def test_a_table_of_lines_loses_none(lines: list[str]) -> None:
    rows = "".join(f"<tr><td class=lineno>7<td class=line>{line}" for line in lines)
    blocks = blockify(f"<table>{rows}</table>".encode(), "").blocks
    kept = "\n".join(block.preformatted for block in blocks)
    expected = "\n".join(line.rstrip() for line in lines)
    assert kept.strip("\n") == expected.strip("\n")
