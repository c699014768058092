"""Changed code has the signs of its lines that a style sheet writes."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

NEW, OLD = "x = 2", "x = 1"


def row(marker: str, code: str, kind: str) -> str:
    return (
        f"<tr><td class='blob-num blob-num-{kind}' data-line-number=1></td><td class='blob-num empty'>"
        f"</td><td class='blob-code blob-code-{kind}'><span class='blob-code-inner blob-code-marker' "
        f'data-code-marker="{marker}">{code}</span></td></tr>'
    )


def suggested(kind: str, code: str) -> str:
    return (
        f"<tr><td class='blob-num blob-num-{kind}' data-line-number=3></td><td class='blob-code "
        f"blob-code-{kind} blob-code-marker-{kind}'><span class=blob-code-inner>{code}</span></td></tr>"
    )


def markdown(html: str) -> str:
    return str(written(blockify(f"<p>Run:</p>{html}", markup=True)).markdown).removeprefix(
        "Run:\n\n"
    )


def test_a_difference_on_github_has_its_signs() -> None:
    rows = (
        row(" ", "import ferry", "context")
        + row("-", f"{OLD[:4]}<span class=x>1</span>", "deletion")
        + row("+", NEW, "addition")
        + row("+", "<br>", "addition")
        + row(" ", "  end", "context")
    )
    html = f"<table class='diff-table js-diff-table'><tbody>{rows}</tbody></table>"
    assert markdown(html) == "```diff\n import ferry\n-x = 1\n+x = 2\n+\n   end\n```"


def test_a_suggestion_on_github_has_its_signs() -> None:
    html = f"<table class=d-table>{suggested('deletion', OLD)}{suggested('addition', NEW)}</table>"
    assert markdown(html) == "```\n-x = 1\n+x = 2\n```"


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ("shiki has-diff vp-code", "```diff\n a: 1\n-b: 1\n+b: 2\n```"),
        ("shiki vp-code", "```js\na: 1\nb: 1\nb: 2\n```"),
    ],
)
def test_changes_of_shiki_have_their_signs(classes: str, expected: str) -> None:
    html = (
        f"<div class=language-js><pre class='{classes}'><code><span class=line><b>a: 1</b></span>\n"
        '<span class="line diff remove"><i>b: 1</i></span>\n<span class="line diff add"><i>b: 2</i>'
        "</span></code></pre></div>"
    )
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre><span data-code-marker='+'>a</span></pre>", "```\na\n```"),
        ("<p>A <span data-code-marker='+'>text</span> of two</p>", "A text of two"),
        (
            "<table><tr><td class=lineno>1<td class='line'>a<tr><td class=lineno>2<td class=line>b"
            "</table>",
            "```\na\nb\n```",
        ),
    ],
)
def test_other_lines_have_no_signs(html: str, expected: str) -> None:
    assert markdown(html) == expected
