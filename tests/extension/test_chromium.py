"""The extension in a real Chromium: what it paints, on friendly pages and on hostile ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("selenium")

from testing.commanding import run
from testing.extension import Pages
from testing.golden import default_labeler, painted_texts
from testing.models import PAGES, SITE

from scrapy_boilernet.commands import export
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import BESIDE
from scrapy_boilernet.extractor.output.beside import beside_of
from scrapy_boilernet.extractor.output.document import document_of
from scrapy_boilernet.extractor.output.markdown import to_markdown
from scrapy_boilernet.lab.annotations.sidecar import AnnotationError

if TYPE_CHECKING:
    from testing.chromium import Chromium

STRICT = "default-src 'none'; script-src 'none'; style-src 'none'; sandbox"
ARTICLE = (SITE / "news-bridge.html").read_text(encoding="utf-8")
COLORS = """
    const sheets = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    return [document.documentElement.outerHTML, sheets.length];
"""


@pytest.fixture(autouse=True)
def left(chromium: Chromium) -> Iterator[None]:
    """Open an empty page at the end, so that nothing of a test stays."""
    yield
    chromium.open("about:blank")


def labeled(html: str | bytes, url: str) -> LabeledPage:
    return label_page(blockify(html, url, encoding="utf-8", markup=True), default_labeler())


def without_spaces(painted: dict[str, list[str]]) -> dict[str, str]:
    return {kind: "".join("".join(texts).split()) for kind, texts in painted.items()}


EVEN = {"recipe-soup": "Thispostmaycontainaffiliatelinks.Readmydisclosurepolicy."}
"""A text that two thresholds of equal worth tell apart, so that a browser's tree may keep it."""
# The thread of one page stands in <noscript>, which a browser with scripts does not show.
SHOWN = [file for file in sorted(SITE.glob("*.html")) if file.stem != "forum-noscript"]


@pytest.mark.parametrize("file", SHOWN, ids=lambda file: file.stem)
def test_the_pages_of_the_example_are_painted_as_the_package_labels_them(
    chromium: Chromium, pages: Pages, file: Path
) -> None:
    text = to_utf8(file.read_bytes(), None, None, None).decode()
    url = pages.put("/page.html", text)
    chromium.open(url)
    before = chromium.run(COLORS)
    summary = chromium.toggle()
    expected = labeled(text, url)
    assert summary["source"] == expected.source
    assert summary["confidence"] == pytest.approx(expected.confidence, abs=0.02)
    found, wanted = without_spaces(chromium.painted()), painted_texts(expected)
    even = EVEN.get(file.stem, "")
    assert found.pop("main", "").replace(even, "") == wanted.pop("main", "").replace(even, "")
    assert found == wanted
    assert chromium.run(COLORS) == before
    cleared = chromium.toggle()
    assert cleared == {"shown": False}
    assert chromium.painted() == {}
    assert chromium.run(COLORS) == before


def badge(chromium: Chromium) -> tuple[str, str]:
    tab = chromium.tab()
    text = chromium.own(f"chrome.action.getBadgeText({{tabId: {tab}}})")
    return text, chromium.own(f"chrome.action.getTitle({{tabId: {tab}}})")


def test_badge_and_title_say_how_much_is_kept(chromium: Chromium, pages: Pages) -> None:
    chromium.open(pages.put("/a", ARTICLE))
    summary = chromium.toggle()
    percent = round(100 * summary["confidence"])
    text, title = badge(chromium)
    assert text == f"{percent}%"
    assert f"{summary['keptWords']} of {summary['words']} words" in title
    chromium.toggle()
    assert badge(chromium)[0] == ""


def test_a_page_without_content_is_said_to_have_none(chromium: Chromium, pages: Pages) -> None:
    chromium.open(pages.put("/a", "<title>x</title><nav><a href=/><img src=/logo.png></a></nav>"))
    assert chromium.toggle()["source"] == "nothing"
    assert badge(chromium) == ("0", "BoilerNet finds no main text on this page.")


def test_a_strict_policy_of_the_page_changes_nothing(chromium: Chromium, pages: Pages) -> None:
    chromium.open(pages.put("/a", ARTICLE))
    free = chromium.toggle()
    painted = chromium.painted()
    chromium.open(pages.put("/a", ARTICLE, Content_Security_Policy=STRICT))
    strict = chromium.toggle()
    assert (strict["keptWords"], strict["confidence"]) == (free["keptWords"], free["confidence"])
    chromium.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    assert chromium.painted() == painted


SHADOW = """<title>The old mill</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>
<main><h1>The old mill</h1><p>%s</p><x-box id=box><p slot=s>%s</p></x-box></main>
<script>
  const root = document.getElementById("box").attachShadow({mode: "open"});
  root.innerHTML = "<section><p>%s</p><slot name=s></slot></section>";
</script>"""


def sentences(start: int) -> str:
    return " ".join(
        f"The wheel of mill number {n} turned until the spring flood of that year, when the river "
        "took the weir away and nobody built it again." for n in range(start, start + 3)
    )  # fmt: skip


def test_text_of_open_shadow_trees_is_read_in_its_place(chromium: Chromium, pages: Pages) -> None:
    chromium.open(pages.put("/a", SHADOW % (sentences(0), sentences(6), sentences(3))))
    assert chromium.toggle()["shown"]
    painted = chromium.painted()["main"]
    assert [text for text in painted if text in (sentences(0), sentences(3), sentences(6))] == [
        sentences(0), sentences(3), sentences(6),
    ]  # fmt: skip


def test_frames_are_other_documents(chromium: Chromium, pages: Pages) -> None:
    inner = pages.put("/inner", f"<p>{sentences(9)}</p>")
    frame = f'<iframe src="{inner}"></iframe></main>'
    chromium.open(pages.put("/a", ARTICLE.replace("</main>", frame, 1)))
    assert chromium.toggle()["shown"]
    assert sentences(9) not in chromium.ask_page("content")["text"]


def test_a_page_of_ten_thousand_blocks_is_cut_off(chromium: Chromium, pages: Pages) -> None:
    long = "".join(
        f"<p>Paragraph {n} of a page that is longer than anybody reads.</p>" for n in range(10_000)
    )
    chromium.open(pages.put("/a", f"<title>Long</title><main>{long}</main>"))
    summary = chromium.toggle()
    assert (summary["blocks"], summary["overMaxBlocks"]) == (5000, True)


def test_hidden_text_is_not_painted(chromium: Chromium, pages: Pages) -> None:
    spam = f"<div style='display: none'><p>{sentences(20)}</p></div></main>"
    chromium.open(pages.put("/a", ARTICLE.replace("</main>", spam, 1)))
    chromium.toggle()
    assert sentences(20) not in " ".join(chromium.painted()["main"])


def test_a_page_that_changes_is_read_again(chromium: Chromium, pages: Pages) -> None:
    chromium.open(pages.put("/a", ARTICLE))
    before = chromium.toggle()["keptWords"]
    chromium.run(
        """
        const article = document.querySelector("main p").parentElement;
        for (const text of arguments[0]) {
          article.append(Object.assign(document.createElement("p"), {textContent: text}));
        }
        """,
        [sentences(n) for n in range(0, 30, 3)],
    )
    chromium.wait(lambda: chromium.ask_page("summary")["keptWords"] > before)
    assert sentences(0) in chromium.painted()["main"]


def test_a_page_that_never_rests_can_be_cleared(chromium: Chromium, pages: Pages) -> None:
    restless = (
        "<p id=x></p><script>setInterval(() => x.textContent = Math.random(), 5)</script></main>"
    )
    chromium.open(pages.put("/a", ARTICLE.replace("</main>", restless, 1)))
    assert chromium.toggle()["shown"]
    assert chromium.toggle() == {"shown": False}
    assert chromium.painted() == {}


HOSTILE = """<script>
for (const name of ["map", "filter", "flatMap", "push", "some", "every", "slice", "join"]) {
  Array.prototype[name] = () => { throw new Error("mine") };
}
Element.prototype.getAttribute = () => "forged";
Object.defineProperty(Element.prototype, "childNodes", {get: () => []});
Document.prototype.querySelectorAll = () => { throw new Error("mine") };
Object.prototype.type = "label"; Object.prototype.tab = 1; Object.prototype.error = "forged";
window.chrome = {runtime: {id: "x", sendMessage: () => { window.caught = 1 }}};
window.browser = window.chrome;
window.fetch = () => { window.caught = 2 };
window.StaticRange = window.Highlight = class { constructor() { window.caught = 3 } };
window.addEventListener("message", () => { window.caught = 4 });
window.postMessage({type: "toggle"}, "*"); window.postMessage({type: "label", page: {}}, "*");
document.dispatchEvent(new CustomEvent("boilernet", {detail: {type: "toggle"}}));
</script></body>"""


def test_a_page_can_neither_forge_nor_break_nor_see_anything(
    chromium: Chromium, pages: Pages
) -> None:
    chromium.open(pages.put("/a", ARTICLE))
    free = chromium.toggle()
    names = chromium.run("return Object.getOwnPropertyNames(window)")
    chromium.open(pages.put("/a", ARTICLE))
    assert chromium.run("return Object.getOwnPropertyNames(window)") == names
    chromium.open(pages.put("/a", ARTICLE.replace("</body>", HOSTILE)))
    attacked = chromium.toggle()
    same = ("keptWords", "words", "confidence", "kinds", "shown", "source")
    assert {name: attacked[name] for name in same} == {name: free[name] for name in same}
    assert chromium.run("return window.caught") in (None, 4)  # its own message


def in_page(chromium: Chromium, function: str) -> str:
    """Return the call that runs a function in the extension's world of the page."""
    target = f"{{target: {{tabId: {chromium.tab()}}}, func: {function}}}"
    return f"chrome.scripting.executeScript({target})"


@pytest.mark.parametrize(
    "message",
    [
        "{type: 'label', page: null}", "{type: 'label', page: {}}", "{type: 'steal'}", "null",
        "{type: 'label', page: {url: '', title: '', overMaxBlocks: false, head: {words: [], "
        "description: '', articleBody: ''}, blocks: [{text: 'x'}]}}",
    ],
)  # fmt: skip
def test_what_is_no_page_is_refused(chromium: Chromium, pages: Pages, message: str) -> None:
    chromium.open(pages.put("/a", ARTICLE))
    chromium.toggle()
    sender = f"async () => chrome.runtime.sendMessage({message})"
    result = chromium.own(in_page(chromium, sender))[0]["result"]
    assert "invalid page" in result["error"] or "no such message" in result["error"]


EVIL = """<!doctype html><html><head><title>The old mill</title></head><body><main>
<h1>The <b>old</b> mill</h1><p>%s <a href="javascript:alert(1)">one</a> <a href="/two">two</a>
&lt;img src=x onerror=alert(1)></p><ul><li>first &lt;script>alert(1)&lt;/script> of some words that
stand in a list of things</li><li>second</li></ul>
<table><tr><th>year<th>sacks<tr><td>1910<td>40<tr><td>1911<td>30</table>
<pre><code>def wheel():
    turn()
</code></pre><blockquote><p>%s</p></blockquote></main></body></html>"""


def test_the_reader_view_shows_the_content_and_nothing_that_runs(
    chromium: Chromium, pages: Pages
) -> None:
    html = EVIL % (sentences(0), sentences(3))
    url = pages.put("/a", html)
    chromium.open(url)
    chromium.toggle()
    expected = labeled(html, url)
    content = chromium.ask_page("content")
    flags = [label == "content" for label in expected.labels]
    assert content["text"] == expected.text
    assert content["markdown"] == to_markdown(
        document_of(expected.page, flags, beside_of(expected, BESIDE)).parts
    )
    tab = chromium.tab()
    chromium.driver.switch_to.new_window("tab")
    try:
        chromium.driver.get(chromium.address(f"reader.html?tab={tab}"))
        find: Any = chromium.driver.execute_script
        chromium.wait(lambda: find("return document.querySelector('#content > *')"))
        article = find("return document.getElementById('content').innerText")
        links = find("return [...document.querySelectorAll('#content a')].map((a) => a.href)")
        tags = find("return [...document.querySelectorAll('#content *')].map((e) => e.localName)")
    finally:
        chromium.driver.close()
        chromium.driver.switch_to.window(chromium.page_tab)
    assert links == [url.replace("/a", "/two")]
    assert "<script>alert(1)</script>" in article
    assert not {"script", "img", "iframe"} & set(tags)
    assert {"p", "ul", "li", "blockquote", "pre", "table"} <= set(tags)


def test_without_the_highlight_api_boxes_are_laid_over_the_text(
    chromium: Chromium, pages: Pages
) -> None:
    chromium.open(pages.put("/a", ARTICLE))
    before = chromium.run("return document.documentElement.outerHTML")
    removal = "() => Object.defineProperty(CSS, 'highlights', {value: undefined})"
    chromium.own(in_page(chromium, removal))
    assert chromium.toggle()["shown"]
    host = chromium.run("return document.documentElement.lastElementChild.outerHTML")
    assert host.startswith("<div style=")
    assert chromium.run("return document.documentElement.lastElementChild.shadowRoot") is None
    chromium.toggle()
    assert chromium.run("return document.documentElement.outerHTML") == before


@pytest.mark.parametrize("name", ["arabic", "hebrew"])
def test_the_reader_view_of_right_to_left_pages_is_right_to_left(
    chromium: Chromium, pages: Pages, name: str
) -> None:
    chromium.open(pages.put("/a", (PAGES / f"{name}.html").read_bytes()))
    chromium.toggle()
    assert chromium.ask_page("content")["dir"] == "rtl"


def test_another_model_can_be_chosen_and_files_that_are_none_are_refused(
    chromium: Chromium, pages: Pages, tmp_path: Path
) -> None:
    assert run(export, "open", "--extension", "--out", tmp_path) == 0
    chromium.use_model(tmp_path / "open.safetensors")
    chromium.open(pages.put("/a", ARTICLE))
    assert chromium.toggle()["model"] == "open"
    cut_off = tmp_path / "cut.safetensors"
    cut_off.write_bytes((tmp_path / "open.safetensors").read_bytes()[:500_000])
    with pytest.raises(AnnotationError, match=r"cut\.safetensors cannot be used: tensor "):
        chromium.use_model(cut_off)
    wrong = tmp_path / "wrong.safetensors"
    wrong.write_bytes(b"PK\x03\x04" + b"x" * 100)
    with pytest.raises(AnnotationError, match="it is not a safetensors file"):
        chromium.use_model(wrong)
    chromium.driver.switch_to.window(chromium.own_tab)
    chromium.driver.find_element("id", "default").click()
    chromium.wait(
        lambda: chromium.driver.execute_script(
            "return document.getElementById('model').textContent === 'default'"
        )
    )
    chromium.driver.switch_to.window(chromium.page_tab)


def test_options_hold_from_the_next_page_on(chromium: Chromium, pages: Pages) -> None:
    url = pages.put("/a", ARTICLE)
    chromium.open(url)
    usual = chromium.toggle()["keptWords"]
    try:
        chromium.own("chrome.storage.local.set({options: {favor: 'precision', title: 'drop'}})")
        chromium.open(url)
        fewer = chromium.toggle()
        assert fewer["keptWords"] <= usual
        assert "title" not in fewer["kinds"]
        chromium.own("chrome.storage.local.set({options: {favor: 'nonsense', title: 7}})")
        chromium.open(url)
        assert chromium.toggle()["keptWords"] == usual
    finally:
        chromium.own("chrome.storage.local.clear()")
