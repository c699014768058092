"""Labels are corrected on a page in a real Chromium, and nothing of that is lost or forged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("selenium")

from testing.extension import Pages

if TYPE_CHECKING:
    from testing.chromium import Chromium

TEXTS = [
    f"In the year {1850 + 10 * n} the mill was sold to a family from {place}, who kept it going."
    for n, place in enumerate("Ald Brekk Corl Dunm Easth Farr Grim Holm Ives Jar".split())
]
ARTICLE = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>The old mill | Valley news</title></head><body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li>
<li><a href="/sport">Sport</a></li></ul></nav></header>
<main><h1>The old mill</h1>{"".join(f"<p>{text}</p>" for text in TEXTS)}</main>
<footer><p>Copyright Valley news</p></footer></body></html>"""


@pytest.fixture(autouse=True)
def left(chromium: Chromium) -> Iterator[None]:
    """Forget all annotations after a test."""
    chromium.forget()
    yield
    chromium.open("about:blank")
    chromium.forget()


def start(chromium: Chromium, url: str, annotator: str = "ann") -> Any:
    chromium.open(url)
    return chromium.annotate(do="start", annotator=annotator)


def kinds(chromium: Chromium) -> dict[str, tuple[str, str]]:
    return {row["text"]: (row["kind"], row["by"]) for row in chromium.annotate(do="rows")}


def click(chromium: Chromium, css: str) -> None:
    from selenium.webdriver import ActionChains

    target = chromium.find(css)
    chromium.run("arguments[0].scrollIntoView({block: 'center'})", target)
    ActionChains(chromium.driver).move_to_element(target).click().perform()


def hover(chromium: Chromium, css: str) -> None:
    from selenium.webdriver import ActionChains

    target = chromium.find(css)
    chromium.run("arguments[0].scrollIntoView({block: 'center'})", target)
    ActionChains(chromium.driver).move_to_element(target).perform()


@contextmanager
def panel(chromium: Chromium) -> Iterator[Any]:
    """Open the panel in another tab; yield the function that finds its elements."""
    tab = chromium.tab()
    chromium.driver.switch_to.new_window("tab")
    own = chromium.driver.current_window_handle

    def find(by: str, what: str) -> Any:
        chromium.driver.switch_to.window(own)
        return chromium.driver.find_element(by, what)

    try:
        chromium.driver.get(chromium.address(f"panel.html?tab={tab}"))
        yield find
    finally:
        chromium.driver.switch_to.window(own)
        chromium.driver.close()
        chromium.driver.switch_to.window(chromium.page_tab)


def press(chromium: Chromium, keys: str) -> None:
    from selenium.webdriver import ActionChains

    chromium.driver.switch_to.window(chromium.page_tab)
    ActionChains(chromium.driver).send_keys(keys).perform()


def test_the_model_labels_first_and_a_click_toggles_an_element_and_all_below(
    chromium: Chromium, pages: Pages
) -> None:
    url = pages.put("/a", ARTICLE)
    state = start(chromium, url)
    assert state["byHuman"] == 0
    assert state["counts"]["main"] > 3
    before = kinds(chromium)
    text = TEXTS[2]
    pick(chromium, text)
    click(chromium, "#picked")
    chromium.wait(lambda: kinds(chromium)[text] == ("boilerplate", "human"))
    assert {key: value for key, value in kinds(chromium).items() if key != text} == {
        key: value for key, value in before.items() if key != text
    }
    (sidecar,) = chromium.saved()
    assert sidecar["annotator"] == "ann"
    assert sidecar["url"] == url
    assert sidecar["page"]["from"] == "fetch"
    press(chromium, "u")
    chromium.wait(lambda: kinds(chromium) == before)
    press(chromium, "r")
    chromium.wait(lambda: kinds(chromium)[text][1] == "human")


def pick(chromium: Chromium, begins: str) -> str:
    """Set the id of the paragraph that begins with the text; return a selector for it."""
    chromium.run(
        "[...document.querySelectorAll('p')].find((p) => p.textContent.trim()"
        ".startsWith(arguments[0])).id = 'picked'",
        begins,
    )
    return "#picked"


@pytest.mark.parametrize(
    ("key", "kind"),
    [("c", "main"), ("b", "boilerplate"), ("t", "title"), ("p", "caption"), ("m", "comment")],
)
def test_keys_label_what_the_pointer_is_on(
    chromium: Chromium, pages: Pages, key: str, kind: str
) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    text = TEXTS[3]
    hover(chromium, pick(chromium, text))
    press(chromium, key)
    chromium.wait(lambda: kinds(chromium)[text] == (kind, "human"))
    painted = {name for name, texts in chromium.painted().items() if text in "".join(texts)}
    assert painted == {"dropped"} if kind == "boilerplate" else painted == {kind, "human"}


def test_the_next_uncertain_block_is_the_one_nearest_to_the_threshold(
    chromium: Chromium, pages: Pages
) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    threshold = chromium.saved()[0]["threshold"]
    rows = chromium.annotate(do="rows")
    doubts = [abs(row["probability"] - threshold) for row in rows]
    chromium.run("window.focus()")
    press(chromium, "n")
    first = chromium.wait(lambda: chromium.annotate(do="state")["chosen"])
    assert doubts[first[0]] == min(doubts)
    press(chromium, "b")
    chromium.wait(lambda: chromium.annotate(do="state")["byHuman"] == 1)
    press(chromium, "n")
    second = chromium.wait(
        lambda: (own := chromium.annotate(do="state")["chosen"]) != first and own
    )
    assert doubts[second[0]] == sorted(doubts)[1]


def test_a_page_with_nothing_to_find_is_said_to_have_none(chromium: Chromium, pages: Pages) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    assert chromium.annotate(do="nothing")["nothing"]
    assert chromium.painted() == {}
    assert chromium.saved()[0]["nothing"]
    assert not chromium.annotate(do="undo")["nothing"]
    assert chromium.painted()["main"]


def test_labels_are_spread_over_the_rest_and_taken_back(chromium: Chromium, pages: Pages) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    refused = chromium.annotate(do="spread")
    assert refused["error"] == "label a block as content first; labels of both kinds are needed"
    before = kinds(chromium)
    kept = [i for i, (kind, _) in enumerate(before.values()) if kind == "main"]
    chromium.annotate(do="label", kind="main", blocks=kept[:3])
    chromium.annotate(do="label", kind="boilerplate", blocks=[0, 1, 2])
    labeled = kinds(chromium)
    state = chromium.annotate(do="spread")
    assert (state["error"], state["byHuman"]) == ("", 6)
    after = kinds(chromium)
    assert {by for _, by in after.values()} == {"human", "spread"}
    assert {text: own for text, own in after.items() if own[1] == "human"} == {
        text: own for text, own in labeled.items() if own[1] == "human"
    }
    chromium.annotate(do="undo")
    assert kinds(chromium) == labeled


def test_what_was_labeled_is_there_again_on_the_next_visit(
    chromium: Chromium, pages: Pages
) -> None:
    url = pages.put("/a", ARTICLE)
    start(chromium, url)
    text = TEXTS[3]
    place = list(kinds(chromium)).index(text)
    chromium.annotate(do="label", kind="comment", blocks=[place])
    chromium.open("about:blank")
    pages.put("/a", ARTICLE.replace("<main", "<p>This paragraph is new.</p><main", 1))
    state = start(chromium, url)
    assert (state["byHuman"], state["lost"]) == (1, 0)
    assert kinds(chromium)[text] == ("comment", "human")
    assert start(chromium, url, "another")["byHuman"] == 0
    pages.put("/a", ARTICLE.replace(text[:30], "Something else", 1))
    state = start(chromium, url)
    assert (state["byHuman"], state["lost"]) == (0, 1)


def test_a_page_that_changes_keeps_its_labels(chromium: Chromium, pages: Pages) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    text = TEXTS[3]
    chromium.annotate(do="label", kind="title", blocks=[list(kinds(chromium)).index(text)])
    chromium.run(
        "document.querySelector('main').prepend("
        "Object.assign(document.createElement('p'), {textContent: 'Come in.'}))"
    )
    chromium.wait(lambda: "Come in." in kinds(chromium))
    assert kinds(chromium)[text] == ("title", "human")
    assert "Come in." in [block["text"] for block in chromium.saved()[0]["blocks"]]


def test_labels_of_a_text_that_vanishes_are_kept_until_it_is_back(
    chromium: Chromium, pages: Pages
) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    text = TEXTS[3]
    chromium.annotate(do="label", kind="caption", blocks=[list(kinds(chromium)).index(text)])
    pick(chromium, text)
    chromium.run("window.taken = document.getElementById('picked'); taken.remove()")
    chromium.wait(lambda: text not in kinds(chromium))
    state = chromium.annotate(do="state")
    assert (state["byHuman"], state["lost"]) == (0, 1)
    chromium.wait(lambda: chromium.saved()[0]["shown"] == state["blocks"])
    *shown, last = chromium.saved()[0]["blocks"]
    assert len(shown) == state["blocks"]
    assert text not in [block["text"] for block in shown]
    assert (last["text"], last["kind"], last["by"]) == (text, "caption", "human")
    chromium.run("document.querySelector('footer').append(window.taken)")
    chromium.wait(lambda: text in kinds(chromium))
    assert kinds(chromium)[text] == ("caption", "human")
    state = chromium.annotate(do="state")
    assert (state["byHuman"], state["lost"]) == (1, 0)
    chromium.wait(lambda: chromium.saved()[0]["shown"] == state["blocks"])
    assert len(chromium.saved()[0]["blocks"]) == state["blocks"]


def test_what_was_done_can_be_undone_after_a_change_of_the_page_that_leaves_its_texts(
    chromium: Chromium, pages: Pages
) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    before = kinds(chromium)
    chromium.annotate(do="label", kind="title", blocks=[list(before).index(TEXTS[3])])
    saved = chromium.saved()[0]["saved"]
    chromium.run("document.querySelector('main').append(document.createElement('hr'))")
    chromium.wait(lambda: chromium.saved()[0]["saved"] > saved)
    assert kinds(chromium)[TEXTS[3]] == ("title", "human")
    chromium.annotate(do="undo")
    assert kinds(chromium) == before
    chromium.annotate(do="redo")
    assert kinds(chromium)[TEXTS[3]] == ("title", "human")


SCRIPTED = """<title>Made by a script</title><main id=main></main><script>
for (let n = 0; n < 12; n++) main.append(Object.assign(document.createElement("p"),
  {textContent: `Paragraph ${n} that only a script writes, as many pages do these days.`}));
</script>"""


def test_the_dom_of_a_page_that_a_script_made_is_kept(chromium: Chromium, pages: Pages) -> None:
    state = start(chromium, pages.put("/a", SCRIPTED))
    assert (state["page"]["from"], state["page"]["charset"]) == ("dom", "utf-8")
    (sidecar,) = chromium.saved()
    assert sidecar["page"]["sha256"] == state["page"]["sha256"]
    assert sidecar["blocks"][0]["xpath"] == "/html/body/main/p[1]"


FORGING = """<script>
for (const type of ["pointermove", "click", "keydown"]) document.addEventListener(type, () => {});
const target = document.querySelector("main p");
const forge = () => {
  const pointer = {bubbles: true, composed: true, screenX: 5};
  target.dispatchEvent(new PointerEvent("pointermove", pointer));
  target.dispatchEvent(new MouseEvent("click", {bubbles: true, composed: true}));
  target.click();
  for (const key of ["n", "b", "c", "0", "s"]) {
    target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, composed: true}));
  }
  window.postMessage({type: "annotate", request: {do: "nothing"}}, "*");
  window.postMessage({type: "save", sidecar: {}}, "*");
  window.forged = (window.forged ?? 0) + 1;
};
setInterval(forge, 20);
</script></body>"""


def test_a_page_cannot_forge_a_label(chromium: Chromium, pages: Pages) -> None:
    start(chromium, pages.put("/a", ARTICLE.replace("</body>", FORGING)))
    before = kinds(chromium)
    forged = chromium.run("return window.forged")
    chromium.wait(lambda: chromium.run("return window.forged") > forged + 10)
    assert kinds(chromium) == before
    assert not chromium.saved()[0]["nothing"]
    assert all(block["by"] == "model" for block in chromium.saved()[0]["blocks"])


def test_a_page_that_swallows_events_can_be_labeled_from_the_panel(
    chromium: Chromium, pages: Pages
) -> None:
    swallow = """<script>for (const type of ["click", "keydown", "pointermove", "mousedown"])
      window.addEventListener(type, (event) => event.stopImmediatePropagation(), true);</script>"""
    start(chromium, pages.put("/a", ARTICLE.replace("<head>", f"<head>{swallow}", 1)))
    text = TEXTS[3]
    click(chromium, pick(chromium, text))
    assert kinds(chromium)[text][1] == "model"
    with panel(chromium) as find:
        find("css selector", "details summary").click()
        row = chromium.wait(lambda: find("xpath", f"//li[button='{text}']"))
        row.find_element("css selector", "option[value=caption]").click()
        chromium.wait(lambda: "you labeled 1" in find("id", "progress").text)
        find("tag name", "body").send_keys("u")
        chromium.wait(lambda: "you labeled 0" in find("id", "progress").text)
        find("tag name", "body").send_keys("r")
        chromium.wait(lambda: "you labeled 1" in find("id", "progress").text)
    assert kinds(chromium)[text] == ("caption", "human")


@pytest.mark.parametrize(
    "message",
    [
        "{type: 'keep', sidecar: {url: location.href}}",
        "{type: 'keep', sidecar: {url: 'https://another.example/'}}",
        "{type: 'kept', url: 'https://another.example/', annotator: 'ann'}",
        "{type: 'annotate', tab: 1, request: {do: 'nothing'}}",
        "{type: 'spread', page: {}, given: []}",
    ],
)
def test_what_is_no_annotation_of_this_site_is_refused(
    chromium: Chromium, pages: Pages, message: str
) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    before = chromium.saved()
    target = f"{{tabId: {chromium.tab()}}}"
    sender = f"async () => chrome.runtime.sendMessage({message})"
    found = chromium.own(f"chrome.scripting.executeScript({{target: {target}, func: {sender}}})")
    assert found[0]["result"]["error"]
    assert chromium.saved() == before


def test_shadow_trees_can_be_labeled(chromium: Chromium, pages: Pages) -> None:
    text = "The wheel of the mill turned until the flood of that spring took the weir away."
    html = f"""<title>Mill</title><main><h1>Mill</h1><x-box id=box></x-box></main><script>
    box.attachShadow({{mode: "open"}}).innerHTML = "<p>{text}</p>";</script>"""
    start(chromium, pages.put("/a", html))
    click(chromium, "#box")
    chromium.wait(lambda: kinds(chromium)[text][1] == "human")
    assert [block["xpath"] for block in chromium.saved()[0]["blocks"] if block["text"] == text] == [
        ""
    ]


KEEP_TWO = """async (older, newer) => {
  const bytes = {base64: btoa("x".repeat(9_000_000)), charset: "", from: "fetch", agreement: 1};
  return Promise.all([
    chrome.runtime.sendMessage({type: "save", sidecar: older, bytes}),
    chrome.runtime.sendMessage({type: "save", sidecar: newer, bytes: null}),
  ]);
}"""


def test_the_annotation_that_was_sent_last_is_kept(chromium: Chromium, pages: Pages) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    (sidecar,) = chromium.saved()
    two = json.dumps([{**sidecar, "title": "older"}, {**sidecar, "title": "newer"}])
    target = f"{{tabId: {chromium.tab()}}}"
    call = f"{{target: {target}, func: {KEEP_TWO}, args: {two}}}"
    chromium.own(f"chrome.scripting.executeScript({call})")
    (kept,) = chromium.saved()
    assert kept["title"] == "newer"
    assert kept["page"]["bytes"] == 9_000_000


@contextmanager
def interrupted(built: Path, profile: Path, url: str) -> Iterator[Chromium]:
    """A browser in which a block was just labeled; what happens inside the block ends it."""
    from testing.chromium import Chromium as Browser

    with Browser(built, profile=profile) as browser:
        start(browser, url)
        place = list(kinds(browser)).index(TEXTS[3])
        browser.annotate(do="label", kind="comment", blocks=[place])
        yield browser


def test_nothing_is_lost_when_the_tab_crashes(built: Path, pages: Pages, tmp_path: Path) -> None:
    from selenium.common.exceptions import WebDriverException

    url = pages.put("/a", ARTICLE)
    with interrupted(built, tmp_path, url) as browser:
        with pytest.raises(WebDriverException):
            browser.command("Page.crash")
        browser.driver.switch_to.window(browser.own_tab)
        browser.driver.switch_to.new_window("tab")
        browser.page_tab = browser.driver.current_window_handle
        browser.own(f"chrome.tabs.remove({browser.tab()})")
        start(browser, url)
        assert kinds(browser)[TEXTS[3]] == ("comment", "human")


def test_nothing_is_lost_when_the_browser_is_killed(
    built: Path, pages: Pages, tmp_path: Path
) -> None:
    import psutil
    from testing.chromium import Chromium as Browser

    url = pages.put("/a", ARTICLE)
    with interrupted(built, tmp_path, url) as browser:
        driver = psutil.Process(browser.driver.service.process.pid)
        for process in driver.children(recursive=True):
            process.kill()
    with Browser(built, profile=tmp_path) as again:
        assert start(again, url)["byHuman"] == 1
        assert kinds(again)[TEXTS[3]] == ("comment", "human")


def test_a_list_of_pages_is_worked_through(chromium: Chromium, pages: Pages) -> None:
    first, second = pages.put("/a", ARTICLE), pages.put("/b", ARTICLE)
    chromium.open("about:blank")
    chromium.open(first)
    with panel(chromium) as find:
        find("id", "annotator").send_keys("ann")
        find("id", "urls").send_keys("no address")
        find("id", "queue").click()
        chromium.wait(lambda: "no address is not the address" in find("id", "message").text)
        find("id", "urls").clear()
        find("id", "urls").send_keys(f"{first}\n{second}\n")
        find("id", "queue").click()
        chromium.wait(lambda: "1 of 2 pages opened" in find("id", "queued").text)
        chromium.wait(lambda: [own["url"] for own in chromium.saved()] == [first])
        find("id", "following").click()
        chromium.wait(lambda: "2 of 2 pages opened" in find("id", "queued").text)
        chromium.wait(lambda: sorted(own["url"] for own in chromium.saved()) == [first, second])
        chromium.wait(lambda: not find("id", "following").is_displayed())


def is_annotating(chromium: Chromium) -> bool:
    """Whether the page's content script may send annotations."""
    tabs = "(await chrome.storage.session.get('annotating')).annotating"
    return chromium.tab() in chromium.own(tabs)


def test_what_a_crawl_labeled_is_shown_on_the_page(
    chromium: Chromium, pages: Pages, tmp_path: Path
) -> None:
    url = pages.put("/a", ARTICLE)
    start(chromium, url)
    text = TEXTS[3]
    chromium.annotate(do="stop")
    chromium.wait(lambda: not is_annotating(chromium))
    rows = [
        {"text": text, "label": "content", "kind": "main"}, {"text": "gone", "label": "content"},
        {"text": "Something", "label": "boilerplate"},
    ]  # fmt: skip
    items = [{"url": url, "block_labels": rows}, {"url": "no labels"}]
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in items) + "broken\n")
    with panel(chromium) as find:
        find("id", "crawl").send_keys(str(file))
        chromium.wait(lambda: find("css selector", "#crawled button")).click()
        chromium.wait(lambda: find("id", "message").text.startswith("1 blocks are shown"))
    assert chromium.painted() == {"main": [text]}
    assert not is_annotating(chromium)


def test_a_rule_for_the_site_is_copied_from_the_panel(chromium: Chromium, pages: Pages) -> None:
    start(chromium, pages.put("/a", ARTICLE))
    hover(chromium, "h1")
    press(chromium, "b")
    with_drop = '["127.0.0.1"]\nkeep = ["main"]\ndrop = ["h1"]\n'
    assert chromium.annotate(do="rule") == {"rule": with_drop}
    press(chromium, "t")
    assert chromium.annotate(do="rule") == {"rule": with_drop.replace('drop = ["h1"]\n', "")}
    with panel(chromium) as find:
        find("id", "rule").click()
        message = find("id", "message")
        for _ in range(50):
            if message.text:
                break
            sleep(0.1)
        assert message.text.startswith('Copied: ["127.0.0.1"]')
