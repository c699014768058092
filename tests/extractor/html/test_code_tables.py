"""Tables that hold a piece of code with the numbers of its lines or the name of its file."""

from __future__ import annotations

import pytest
from testing.rendered import written as written_of

from scrapy_boilernet.extractor.html.blockify import blockify

CODE = "def run():\n    x = 1\n    return x"
FENCED = f"```\n{CODE}\n```"
CLASSED = (
    "<td class=linenos><div class=linenodiv><pre><span></span><span class=normal>1</span>\n<span>2"
    "</span>\n<span>3</span></pre></div></td>"
)


def written(html: str) -> str:
    return str(written_of(blockify(f"<p>Run:</p>{html}<p>Wait.</p>", markup=True)).markdown)


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><pre>1\n2\n3</pre></td><td><pre>{}</pre></td></tr></table>",
        "<div style='overflow: auto'><table><tr><td><pre style='margin: 0'>1\n2\n3</pre></td><td>"
        "<pre><b></b>{}\n</pre></td></tr></table></div>",
        "<table><tbody><tr><td><pre>\n 8\n 9\n10\n</pre></td><td><div><pre><code>{}</code></pre>"
        "</div></td></tr></tbody></table>",
        "<table><tr><th><pre><i>1</i>\n<i>2</i>\n<i>3</i></pre></th><td><pre>{}</pre></td></table>",
    ],
)
def test_numbers_in_a_cell_of_their_own_are_not_read(html: str) -> None:
    assert written(html.format(CODE)) == f"Run:\n\n{FENCED}\n\nWait."


@pytest.mark.parametrize(
    "html",
    [
        "<table class=highlighttable><tbody><tr><th colspan=2 class=filename><span class=filename>"
        "main.py</span></th></tr><tr>" + CLASSED + "<td class=code><div><pre><span></span><code>{}"
        "</code></pre></div></td></tr></tbody></table>",
        "<table><tr><td colspan=2>main.py</td></tr><tr>" + CLASSED + "<td><pre>{}</pre></td></tr>"
        "</table>",
        "<table><thead><tr><th colspan=2>main.py</th></tr></thead><tbody><tr>" + CLASSED
        + "<td><pre>{}</pre></td></tr></table>",
    ],
)  # fmt: skip
def test_the_name_of_a_file_is_a_text_above_its_code(html: str) -> None:
    assert written(html.format(CODE)) == f"Run:\n\nmain.py\n\n{FENCED}\n\nWait."


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("<table><tr><td><pre>1\n2</pre></td><td><pre>{}</pre></td></tr></table>", "1\n2"),
        ("<table><tr><td><pre>1\n2\n4</pre></td><td><pre>{}</pre></td></tr></table>", "1\n2\n4"),
        ("<table><tr><td><pre>3\n2\n1</pre></td><td><pre>{}</pre></td></tr></table>", "3\n2\n1"),
        ("<table><tr><td><pre>1</pre></td><td><pre>yes</pre></td></tr></table>", "1"),
        ("<table><tr><td>1 2 3</td><td><pre>{}</pre></td></tr></table>", "1 2 3"),
        ("<table><tr><td><pre>{}</pre></td><td><pre>1\n2\n3</pre></td></tr></table>", "1\n2\n3"),
        (
            "<table><tr><th>Input<th>Output<tr><td><pre>1\n2\n3</pre></td><td><pre>a\nb\nc</pre>"
            "</td></tr></table>",
            "`1`<br>`2`<br>`3`",
        ),
        (
            "<table><tr><th>Name<th>Code<tr><td class=lineno>1<td><pre>a = 1</pre><tr><td "
            "class=lineno>2<td><pre>b = 2</pre></table>",
            "| Name | Code |",
        ),
    ],
)
def test_other_tables_stay(html: str, kept: str) -> None:
    assert kept in written(html.format(CODE))
