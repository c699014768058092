"""Places of elements: paths, what they inherit, steps of XPath, and what attributes mean."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_boilernet.extractor.html import paths
from scrapy_boilernet.extractor.html.hiding import REASONS
from scrapy_boilernet.extractor.html.paths import (
    MAX_ANCESTORS,
    Frame,
    PathBuilder,
    common_ancestor,
    read_attributes,
)


def chain(*tags: str, attributes: dict[str, str] | None = None) -> list[Frame]:
    """Frames inside each other, all with the same attributes."""
    frames: list[Frame] = []
    for number, tag in enumerate(tags, 1):
        element = etree.Element(tag, attributes or {})
        above = frames[-1] if frames else None
        frames.append(Frame(element, tag, above, number, 1 if above else 0))
    return frames


def test_locating_a_frame_locates_those_around_it_and_no_other() -> None:
    html, body, div, inner = chain("html", "body", "div", "p", attributes={"lang": "en"})
    frame = PathBuilder().locate(div)
    assert frame is div
    assert (frame.path[0], frame.nodes) == (("html", "body", "div"), (1, 2, 3))
    assert frame.xpath == "/html/body[1]/div[1]"
    assert (html.xpath, body.xpath, inner.xpath) == ("/html", "/html/body[1]", "")


def test_links_code_noscript_and_hiding_are_inherited() -> None:
    frames = chain("html", "a", "noscript", "pre", "b")
    frame = PathBuilder().locate(frames[-1])
    assert (frame.link, frame.noscript, frame.code, frame.hidden) == (2, True, True, False)
    hidden = chain("html", "b", attributes={"hidden": ""})
    assert PathBuilder().locate(hidden[-1]).hidden


def test_hiding_is_known_without_a_path() -> None:
    outer, inner = chain("html", "b", attributes={"style": "display: none"})
    assert PathBuilder().hidden_by(inner)
    assert (outer.hidden, outer.xpath) == (REASONS.index("display:none"), "")
    assert not PathBuilder().hidden_by(chain("html", "b")[-1])


def test_class_words_stand_beside_their_tags() -> None:
    frames = chain("html", "p", attributes={"class": "mainText nav-2", "id": "nav"})
    assert PathBuilder().locate(frames[-1]).path[1] == ("main text nav", "main text nav")


def test_elements_of_one_template_have_the_very_same_path() -> None:
    builder, (html, ul) = PathBuilder(), chain("html", "ul")
    items = [Frame(etree.Element("li", {"class": name}), "li", ul, 9, 1) for name in "xx y".split()]
    again = Frame(etree.Element("li", {"class": "xx"}), "li", ul, 10, 2)
    first, other, same = (builder.locate(frame).path for frame in (*items, again))
    assert first is same
    assert (first[0], other[1]) == (("html", "ul", "li"), ("", "", ""))
    assert builder.locate(html).path == (("html",), ("",))


def test_paths_of_deep_elements_are_cut_and_found_by_number() -> None:
    frames = chain("html", *["div"] * (MAX_ANCESTORS + 5))
    frame = PathBuilder().locate(frames[-1])
    tags, class_words = frame.path
    assert len(tags) == len(frame.nodes) == len(class_words) == MAX_ANCESTORS
    assert frame.nodes[-1] == MAX_ANCESTORS + 6
    assert frame.xpath == f"(//*)[{MAX_ANCESTORS + 6}]"


def test_a_name_that_xpath_cannot_express_is_found_by_its_number() -> None:
    builder = PathBuilder()
    assert builder.step("my-tag", {"my-tag": 2, "b": 1}) == 2
    assert builder.step("fb:like", {"fb:like": 2, "b": 1}) == -3
    frames = chain("html")
    odd = Frame(etree.Element("b"), "fb:like", frames[0], 2, -3)
    assert builder.locate(odd).xpath == "/html/*[3]"


def test_an_element_among_siblings_of_very_many_names_is_found_by_its_number() -> None:
    builder = PathBuilder()
    counts = {f"fb:{number}": 1 for number in range(500)}
    assert builder.step("fb:7", counts) == 0
    (root,) = chain("html")
    uncounted = Frame(etree.Element("b"), "fb:7", root, 8, 0)
    assert builder.locate(uncounted).xpath == "(//*)[8]"


def test_xpaths_stay_short_whatever_the_names() -> None:
    frames = chain("html", *["x" * 90] * 60)
    xpaths = [PathBuilder().locate(frame).xpath for frame in frames]
    assert max(map(len, xpaths)) < 700
    assert xpaths[60] == "(//*)[57]" + 4 * f"/{'x' * 90}[1]"


def test_an_element_with_very_many_attributes_is_read_like_others() -> None:
    attributes = {f"data-{number}": "" for number in range(500)} | {"id": "main", "hidden": ""}
    frames = chain("html", "div", attributes=attributes)
    frame = PathBuilder().locate(frames[-1])
    assert (frame.path[1][-1], frame.hidden) == ("main", True)


def test_a_plain_div_around_all_of_the_body_counts_as_the_body() -> None:
    root = etree.fromstring("<html><body> <div><p>T</p></div> </body></html>")
    frames: list[Frame] = []
    for number, element in enumerate(root.iter(), 1):
        frames.append(Frame(element, element.tag, frames[-1] if frames else None, number, 1))
    builder = PathBuilder()
    div, p = builder.locate(frames[2]), builder.locate(frames[3])
    assert (div.path[0], div.nodes, div.depth) == (("html", "body"), (1, 3), 1)
    assert (p.path[0], p.nodes, p.depth) == (("html", "body", "p"), (1, 3, 4), 2)
    assert p.xpath == "/html/body[1]/div[1]/p[1]"


@pytest.mark.parametrize(
    "body",
    [
        "<div class='a'>T</div>", "<div>T</div>U", "T<div>U</div>", "<div>T</div><p>U</p>",
        "<p>T</p><div>U</div>", "<section>T</section>",
    ],
)  # fmt: skip
def test_no_other_element_counts_as_the_body(body: str) -> None:
    element = etree.fromstring(f"<body>{body}</body>")[-1 if "</p><div" in body else 0]
    (above,) = chain("body")
    frame = PathBuilder().locate(Frame(element, element.tag, above, 2, 1))
    assert frame.path[0] == ("body", element.tag)


def test_the_common_ancestor_is_the_innermost_around_both() -> None:
    frames = chain("html", "body", "div", "p", "b")
    aside = Frame(etree.Element("i"), "i", frames[2], 9, 1)
    assert common_ancestor([frames[-1], aside]) is frames[2]
    assert common_ancestor([aside, aside]) is aside
    assert common_ancestor([frames[2], frames[4], frames[3]]) is frames[2]


@pytest.mark.parametrize(
    ("items", "words", "reason"),
    [
        ([], "", ""),
        ([("class", "mainText nav-2")], "main text nav", ""),
        ([("class", "")], "", ""),
        ([("href", "/hidden/class")], "", ""),
        ([("itemprop", "name"), ("role", "main"), ("id", "top"), ("class", "a1 story")],
         "story top main name", ""),
        ([("hidden", "")], "", "hidden"),
        ([("aria-hidden", "true"), ("class", "ad")], "ad", "aria-hidden"),
        ([("aria-hidden", "false")], "", ""),
        ([("style", "color: red; Display : none")], "", "display:none"),
        ([("style", "display: block")], "", ""),
        ([("style", "visibility:hidden"), ("aria-hidden", "false")], "", "visibility:hidden"),
    ],
)  # fmt: skip
def test_words_and_hiding(items: list[tuple[str, str]], words: str, reason: str) -> None:
    found = (words, REASONS.index(reason))
    assert read_attributes(items) == read_attributes(items) == found


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_MAX_CACHED", 3)
    monkeypatch.setattr(paths, "_WORDS", paths._Words())
    for number in range(20):
        name = "ab" + chr(ord("a") + number)
        assert read_attributes([("class", name)]) == (name, 0)
        assert len(paths._WORDS) <= 3
