"""The page that explains a page: whole, readable and safe."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from testing.explained import FOUND, LABELED, PAGE, REASONS
from testing.labeled import from_kept, from_probabilities
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.explain.explanation import NO_REASONS, Explanation
from scrapy_boilernet.extractor.explain.html import MOST_CHARS, MOST_FEATURES, html_page
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Reason

HOSTILE = "</style><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\x1b\u202e\ud800"
ELEMENTS = set(
    "html head meta title style body header p h1 h2 bdi dl div dt dd main svg rect line ul li span "
    "fieldset legend label input ol a b i code".split()
)


def parsed(found: Explanation = FOUND, top: int = 3, name: str = "page.html"):  # type: ignore[no-untyped-def]
    written = html_page(found, top, name)
    written.encode("utf-8")
    root = lxml_html.document_fromstring(written)
    assert {element.tag for element in root.iter()} <= ELEMENTS
    return root


def text_of(element) -> str:  # type: ignore[no-untyped-def]
    return " ".join(element.text_content().split())


def test_the_head_has_the_facts() -> None:
    root = parsed()
    assert root.findtext(".//title") == "Pools: labels explained"
    assert text_of(root.find(".//h1")) == "Pools"
    assert [text_of(each) for each in root.findall(".//dl/div")] == [
        "modeltiny (numpy)", "threshold0.50", "confidence0.90", "found bythe model",
        "content2 of 3 blocks: 1 title, 1 main",
    ]  # fmt: skip


def test_blocks_come_in_order_with_label_in_words_and_class() -> None:
    blocks = parsed().findall(".//ol/li")
    assert [block.get("class") for block in blocks] == [
        "block boilerplate", "block content", "block content",
    ]  # fmt: skip
    assert [block.get("id") for block in blocks] == ["b1", "b2", "b3"]
    assert [text_of(block.find("./p/b")) for block in blocks] == [
        "✕ boilerplate", "✓ content title", "✓ content main",
    ]  # fmt: skip
    assert [text_of(block.find("./p/span")) for block in blocks] == ["0.02", "0.60", "0.98"]
    assert [text_of(block.findall("./p")[1]) for block in blocks] == [
        "Home", "Pools", "They warm at night.",
    ]  # fmt: skip
    assert [block.findtext(".//code") for block in blocks] == [each.xpath for each in PAGE.blocks]


def test_reasons_are_signed_bars_with_names_and_values() -> None:
    first, second, third = parsed().findall(".//ol/li")
    assert [text_of(each) for each in first.findall(".//li")] == [
        "-2.00 tags: nav", "+0.25 place: first",
    ]  # fmt: skip
    bars = [each.find(".//rect") for each in first.findall(".//li")]
    assert [(bar.get("x"), bar.get("width")) for bar in bars] == [("0.0", "50.0"), ("50.0", "6.2")]
    assert [each.get("class") for each in first.findall(".//li")] == ["boilerplate", "content"]
    assert text_of(second.findall(".//li")[2]) == "+0.12 links"
    assert third.findall(".//ul") == []
    assert len(parsed(top=1).findall(".//ol//ul/li")) == 2


def test_the_chart_sums_both_sides_of_each_feature() -> None:
    rows = parsed().findall(".//ul[@class='chart']/li")
    assert [text_of(row) for row in rows] == ["tags 3.0", "place 0.8", "links 0.1"]
    content, boilerplate = rows[0].findall(".//rect")
    assert (content.get("width"), boilerplate.get("x")) == ("33.3", "33.3")
    assert rows[0].find(".//svg").get("aria-label") == "1.0 for content, 2.0 for boilerplate"


def test_a_chart_of_many_features_says_how_many_are_left_out() -> None:
    many = tuple(Reason(f"feature {i}", "", i + 1.0) for i in range(MOST_FEATURES + 5))
    root = parsed(Explanation(LABELED, (many, (), ())))
    assert len(root.findall(".//ul[@class='chart']/li")) == MOST_FEATURES
    assert "Not shown: 5 that weighed less." in root.text_content()


def test_a_labeler_without_reasons_is_said_to_give_none() -> None:
    root = parsed(Explanation(LABELED, None))
    assert NO_REASONS in root.text_content()
    assert root.findall(".//ul") == []
    assert len(root.findall(".//ol/li")) == 3


def test_the_map_has_a_column_per_block_and_the_threshold() -> None:
    drawn = parsed().find(".//svg[@class='map']")
    heights = [(each.get("class"), each.get("height")) for each in drawn.findall("rect")]
    assert heights == [("boilerplate", "2.0"), ("content", "60.0"), ("content", "98.0")]
    assert drawn.find("line").get("y1") == "50.0"


def test_the_filter_counts_and_has_a_name() -> None:
    root = parsed()
    buttons = root.findall(".//fieldset/label")
    assert [text_of(each) for each in buttons] == [
        "all 3", "✓ content 2", "✕ boilerplate 1", "reasons",
    ]  # fmt: skip
    ids = set(root.xpath("//input/@id"))
    sheet = root.findtext(".//style")
    assert ids == set(re.findall(r"#(only-\w+|with-\w+):", sheet))


def test_the_policy_allows_the_one_style_sheet_and_nothing_else() -> None:
    root = parsed()
    (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    digest = hashlib.sha256(root.findtext(".//style").encode()).digest()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{base64.b64encode(digest).decode()}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert not root.xpath("//*[@style or @src or @srcset or @onclick] | //link | //script | //img")
    assert all(href.startswith("#b") for href in root.xpath("//@href"))
    assert "url(" not in root.findtext(".//style")


def test_hostile_text_stays_text() -> None:
    block = PAGE.blocks[0]._replace(text=HOSTILE, xpath=HOSTILE)
    page = replace(PAGE, title=HOSTILE, blocks=(block,))
    labeled = from_probabilities(page, (0.9,), 0.5, 0.9, HOSTILE)
    found = Explanation(labeled, ((Reason(HOSTILE, HOSTILE, 1.0),),), HOSTILE)
    root = parsed(found, name=HOSTILE)
    assert root.text_content().count("<script>alert(1)</script>") >= 6
    assert not set(root.text_content()) & set("\x1b\u202e\ud800")


def test_labels_that_are_not_the_probabilitys_are_noted() -> None:
    labeled = from_kept(PAGE, [False, False, True], (0.1, 0.1, 0.1), 0.5, 0.9, "tiny", "json-ld")
    notes = parsed(Explanation(labeled, None)).findall(".//i")
    assert [text_of(note) for note in notes] == [
        "dropped by: model", "dropped by: model", "kept by: fallback: json-ld",
    ]  # fmt: skip


def test_an_empty_page_has_its_head() -> None:
    empty = from_probabilities(blockify(""), (), 0.5, 0.0, "tiny")
    root = parsed(Explanation(empty, ()), name="")
    assert text_of(root.find(".//h1")) == "(no title)"
    assert root.findall(".//ol/li") == []


def test_a_long_page_stays_readable_and_of_bounded_size() -> None:
    block = PAGE.blocks[2]._replace(text="night " * 10_000)
    page = replace(PAGE, blocks=(block,) * 5000)
    labeled = from_probabilities(page, (0.9,) * 5000, 0.5, 0.9, "tiny")
    written = html_page(Explanation(labeled, (REASONS[0],) * 5000), 3)
    assert len(written) < 5000 * (MOST_CHARS + 2500)


@QUICK
@given(st.text(min_size=1), st.text(), st.floats(-9, 9), st.floats(0, 1))
def test_any_text_and_weight_is_shown(text: str, value: str, weight: float, p: float) -> None:
    page = replace(PAGE, title=value, blocks=(PAGE.blocks[0]._replace(text=text),))
    labeled = from_probabilities(page, (p,), 0.5, 0.9, "tiny")
    root = parsed(Explanation(labeled, ((Reason(text, value, weight),),)))
    for bar in root.xpath("//ul//rect"):
        assert 0 <= float(bar.get("x") or 0) <= 100
        assert 0 <= float(bar.get("width")) <= 100.1
