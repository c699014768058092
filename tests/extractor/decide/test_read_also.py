"""Lines that lead to other articles are no content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import compress

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.decide.read_also import _LINE, lead_elsewhere
from scrapy_boilernet.extractor.html.blockify import blockify

TITLE = "The baker stops after forty years"
LINES = [
    "<p><strong>Read also:</strong> <a href=/a>{}</a></p>",
    "<p>&gt;&gt; <a href=/a>READ MORE: {}</a></p>",
    "<p><em><b>Lesen Sie auch</b> <a href=/a>{}</a></em></p>",
    "<div>Lire aussi&nbsp;: <a href=/a>{}</a></div>",
    "<blockquote><p>À lire : <a href=/a>{}</a></p></blockquote>",
    "<p><a href=/a><strong>Leggi anche</strong>: {}</a></p>",
    "<p>Lea también: <a href=/a>{}</a></p>",
    "<p>[Leia mais: <a href=/a>{}</a>]</p>",
    "<p>Lees ook – <a href=/a>{}</a></p>",
    "<p>Czytaj też: <a href=/a>{}</a></p>",
    "<p>Читайте также: <a href=/a>{}</a></p>",
    "<p>Читай также: <a href=/a>{}</a></p>",
    "<p>Смотри также: <a href=/a>{}</a></p>",
    "<p>Διάβασε επίσης: <a href=/a>{}</a></p>",
    "<p>Lisez aussi : <a href=/a>{}</a></p>",
    "<p>Čti také: <a href=/a>{}</a></p>",
    "<p>Διαβάστε επίσης: <a href=/a>{}</a></p>",
    "<p>延伸閱讀：<a href=/a>{}</a></p>",
    "<p>関連記事：<a href=/a>{}</a></p>",
    "<p>اقرأ أيضا: <a href=/a>{}</a></p>",
    "<p>Related: <a href=/a>{}</a></p>",
    "<p>Mehr zum Thema: <a href=/a>{}</a></p>",
    "<p>From our archives: <a href=/a>{}</a></p>",
    "<p>» Check out: <a href=/a>{}</a></p>",
    "<p>También te puede interesar: <a href=/a>{}</a></p>",
    "<p>Notas relacionadas » <a href=/a>{}</a></p>",
    "<p>Przeczytaj też: <a href=/a>{}</a></p>",
    "<p>Материалы по теме: <a href=/a>{}</a></p>",
    "<p>Kapcsolódó: <a href=/a>{}</a></p>",
    "<p>推荐阅读：<a href=/a>{}</a></p>",
    "<p>Voir également : <a href=/a>{}</a></p>",
    "<ul><li>Previous message: <a href=/a>{}</a></li></ul>",
    "<p>Next message (by thread): <a href=/a>{}</a></p>",
    "<p><b>In reply to:</b> <a href=/a>{}</a></p>",
    "<p>Maybe in reply to: <a href=/a>{}</a></p>",
    "<p>Nächste Nachricht: <a href=/a>{}</a></p>",
]
TEXTS = [
    "<p>Read also what the <a href=/a>baker</a> wrote about his forty years in the village.</p>",
    "<p>Related work has been <a href=/a>described by the baker and his two sons before</a>.</p>",
    "<p>Read more: he had forty years, and never missed one day of the week.</p>",
    "<p><a href=/a>The reader also stops after forty years</a></p>",
    "<p><a href=/a>More than forty bakers stop after forty years</a></p>",
    "<p><a href=/a>Recommended doses of flour for bread</a></p>",
    "<p>See also <a href=/a>open(2), close(2)</a></p>",
    "<p>Next message: the boat is late, and <a href=/a>nobody knows</a> why it is.</p>",
    "<p>Reply to the harbour: <a href=/a>by mail</a> or with a card to the office.</p>",
    "<p>Read: <a href=/a>the file</a> is opened, and its bytes are read one by one.</p>",
    "<p><a href=/a>Check out procedure for guests</a></p>",
    "<p><a href=/a>Relatedness of rye and wheat: a survey</a></p>",
    "<p><a href=/a>" + "Read also this long text " * 20 + "</a></p>",
]


def found(html: str, kept: bool = True) -> list[str]:
    page = blockify(f"<article><p>He was a baker.</p>{html}<p>He stops.</p></article>")
    places = lead_elsewhere(page, np.full(len(page.blocks), kept))
    return [text for text, leads in zip(page.texts, places, strict=True) if leads]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("title", [TITLE, "Der Bäcker hört nach vierzig Jahren auf"])
def test_a_line_that_leads_elsewhere_is_found(line: str, title: str) -> None:
    assert len(found(line.format(title))) == 1
    assert found(line.format(title), kept=False) == []


@pytest.mark.parametrize("begin", ["Read also", "A lire aussi", "Lue myös", "Ver también"])
@pytest.mark.parametrize("case", [str, str.upper, str.lower, str.swapcase])
def test_capitals_make_no_difference(begin: str, case: Callable[[str], str]) -> None:
    expected = [] if begin == "Ver también" else [case(begin) + ": " + TITLE]
    assert found(f"<p>{case(begin)}: <a href=/a>{TITLE}</a></p>") == expected


@given(st.from_regex(re.compile(_LINE.pattern, _LINE.flags), fullmatch=True))
def test_no_beginning_is_passed_over(line: str) -> None:
    text = " ".join(line.split())
    assume(text and len(text) <= 200 and _LINE.match(text))
    page = blockify(f"<p><a href=/a>{TITLE}</a>")
    block = page.blocks[0]._replace(text=text, link_chars=len(text))
    assert lead_elsewhere(replace(page, blocks=(block,)), np.array([True])).all()


LABELS = [
    "<p><strong>Related:</strong></p><p><a href=/a>{}</a></p>",
    "<aside><h4>Related Stories</h4><ul><li><a href=/a>{}</a><li><a href=/b>{}</a></ul></aside>",
    "<h2>À lire aussi :</h2><ul><li><a href=/a>{}</a><li><a href=/b>{}</a></ul>",
    "<div class=inset><span>Lesen Sie auch</span><a href=/a><h3>{}</h3></a></div>",
    "<div><p>あわせて読みたい</p><p><a href=/a>{}</a></p><p><a href=/b>{}</a></p></div>",
    "<div><div>Читайте также</div><div><a href=/a>{}</a></div></div>",
]
NO_LABELS = [
    "<h2>See also</h2><ul><li><a href=/a>{}</a></ul>",
    "<h2>Voir aussi</h2><p><a href=/a>{}</a></p>",
    "<h1 id=s><a href=#s>ZOBACZ TAKŻE</a></h1><p><a href=/a>{}</a></p>",
    "<p>Related:</p><p>He wrote about <a href=/a>{}</a> before.</p>",
    "<div><p>Related work</p></div><p><a href=/a>{}</a></p>",
    "<h2>Related articles</h2>" + "<p><a href=/a>{}</a></p>" * 11,
]
MORE = [
    "View this post on Instagram",
    "Voir cette publication sur Instagram",
    "Sieh dir diesen Beitrag auf Instagram an",
    "Read more",
    "[ Read More... ]",
    "Подробнее »",
    "Czytaj dalej",
    "Lire la suite →",
    "続きを読む",
]


@pytest.mark.parametrize("below", LABELS)
def test_a_label_leads_elsewhere_with_the_links_below_it(below: str) -> None:
    html = below.replace("{}", TITLE)
    assert found(html) == [*blockify(html).texts]
    assert found(html, kept=False) == []


@pytest.mark.parametrize("below", NO_LABELS)
def test_the_heading_of_a_section_is_no_label(below: str) -> None:
    assert found(below.replace("{}", TITLE)) == []


@pytest.mark.parametrize(
    "label", ["Table of Contents", "Contents:", "In this article", "Inhalt", "Sommaire", "目次"]
)
@pytest.mark.parametrize("tag", ["h2", "p", "div"])
def test_the_heading_of_links_that_are_not_kept_is_found(label: str, tag: str) -> None:
    links = "<nav><ul><li><a href=#a>Flour</a></li><li><a href=#b>Water</a></li></ul></nav>"
    page = blockify(
        f"<article><{tag}>{label}</{tag}>{links}<h2 id=a>Flour</h2><p>One.</p></article>"
    )
    for kept, found_there in (([1, 0, 0, 1, 1], [label]), ([1, 1, 1, 1, 1], [])):
        places = lead_elsewhere(page, np.array(kept, dtype=np.bool_))
        assert [*compress(page.texts, places)] == found_there
    section = blockify(f"<h2>{label}</h2><p>Flour and water.</p>")
    assert not lead_elsewhere(section, np.ones(2, dtype=np.bool_)).any()


@pytest.mark.parametrize("more", MORE)
def test_a_link_that_only_leads_on_is_found(more: str) -> None:
    assert found(f"<div><a href=/a class=more>{more}</a></div>") == [more]
    assert found(f"<div>{more}</div>") == []
    assert found(f"<p>He stops next year, after forty years. <a href=/a>{more}</a></p>") == []


@pytest.mark.parametrize("text", TEXTS)
def test_other_texts_are_not(text: str) -> None:
    assert found(text) == []


def test_blocks_of_both_builds_are_read_the_same_way() -> None:
    page = blockify("<p>a<p>" + LINES[0].format(TITLE))
    plain = replace(page, blocks=tuple(page.blocks))
    kept = np.ones(len(page.blocks), dtype=np.bool_)
    assert (lead_elsewhere(page, kept) == lead_elsewhere(plain, kept)).all()
