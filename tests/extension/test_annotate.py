"""Labels are corrected on a page in a real Chromium, and nothing of that is lost or forged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("selenium")

from testing.extension import Pages

if TYPE_CHECKING:
    from testing.chromium import Chromium

SITE = Path(__file__).parents[2] / "example_project" / "site"
ARTICLE = (SITE / "news-bridge.html").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def left(chromium: Chromium) -> Any:
    yield
    chromium.open("about:blank")
    chromium.own(
        "(async () => { for (const { name } of await indexedDB.databases()) "
        "indexedDB.deleteDatabase(name); })()"
    )


def ask(chromium: Chromium, **request: Any) -> Any:
    """What the panel asks of the page; what it shows then."""
    message = json.dumps({"type": "annotate", "tab": chromium.tab(), "request": request})
    return chromium.own(f"chrome.runtime.sendMessage({message})")


def start(chromium: Chromium, url: str, annotator: str = "ann") -> Any:
    chromium.open(url)
    return ask(chromium, do="start", annotator=annotator)


def kinds(chromium: Chromium) -> dict[str, tuple[str, str]]:
    return {row["text"]: (row["kind"], row["by"]) for row in ask(chromium, do="rows")}


def saved(chromium: Chromium) -> list[Any]:
    """The annotations that are on the disk."""
    script = """new Promise((resolve) => {
      const request = indexedDB.open("boilernet");
      request.onsuccess = () => {
        const all = request.result.transaction("annotations").objectStore("annotations").getAll();
        all.onsuccess = () => { request.result.close(); resolve(all.result); };
      };
    })"""
    return list(chromium.own(script))


def element(chromium: Chromium, css: str) -> Any:
    chromium.driver.switch_to.window(chromium.page_tab)
    return chromium.driver.find_element("css selector", css)


def click(chromium: Chromium, css: str) -> None:
    from selenium.webdriver import ActionChains

    target = element(chromium, css)
    chromium.run("arguments[0].scrollIntoView({block: 'center'})", target)
    ActionChains(chromium.driver).move_to_element(target).click().perform()


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
    text = next(text for text, (kind, _) in before.items() if kind == "main" and len(text) > 60)
    chromium.run(
        "arguments[0].id = 'picked'",
        chromium.run(
            "return [...document.querySelectorAll('p')].find((p) => p.textContent.trim()."
            "startsWith(arguments[0]))",
            text[:40],
        ),
    )
    click(chromium, "#picked")
    chromium.wait(lambda: kinds(chromium)[text] == ("boilerplate", "human"))
    assert {key: value for key, value in kinds(chromium).items() if key != text} == {
        key: value for key, value in before.items() if key != text
    }
    (sidecar,) = saved(chromium)
    assert sidecar["annotator"] == "ann"
    assert sidecar["url"] == url
    assert sidecar["page"]["from"] == "fetch"
    press(chromium, "u")
    chromium.wait(lambda: kinds(chromium) == before)
    press(chromium, "r")
    chromium.wait(lambda: kinds(chromium)[text][1] == "human")
