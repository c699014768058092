"""The whole loop on one site: correct pages in a browser, teach the model, look again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("selenium")
pytest.importorskip("torch")

from testing.commanding import run, scrapy
from testing.extension import DIST, Pages
from testing.museum import APPEALS, STORIES, museum_page

from scrapy_boilernet.commands import export

if TYPE_CHECKING:
    from testing.chromium import Chromium

TAUGHT, OTHERS = range(6), range(20, 24)


def correct(chromium: Chromium, url: str) -> None:
    """Label like a person: the stories are content, the appeals are not."""
    from selenium.webdriver import ActionChains, Keys

    chromium.open(url)
    chromium.annotate(do="start", annotator="ann")
    story = chromium.find(f"{STORIES} li:nth-child(2)")
    chromium.run("arguments[0].scrollIntoView({block: 'center'})", story)
    ActionChains(chromium.driver).move_to_element(story).send_keys(Keys.ARROW_UP).perform()
    chromium.wait(lambda: len(chromium.annotate(do="state")["chosen"]) == 4)
    ActionChains(chromium.driver).send_keys(Keys.ARROW_UP, "c").perform()
    chromium.wait(lambda: chromium.annotate(do="state")["byHuman"] == 5)
    for number, appeal in enumerate(chromium.driver.find_elements("css selector", f"{APPEALS} p")):
        chromium.run("arguments[0].scrollIntoView({block: 'center'})", appeal)
        ActionChains(chromium.driver).move_to_element(appeal).send_keys("b").perform()
        chromium.wait(lambda n=number: chromium.annotate(do="state")["byHuman"] == 6 + n)
    state = chromium.annotate(do="finish")
    assert state["finished"]
    assert state["page"]["from"] == "fetch"


def downloaded(chromium: Chromium, folder: Path) -> Path:
    """Press the button in the panel that writes the annotations."""
    chromium.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    tab = chromium.tab()
    chromium.driver.switch_to.new_window("tab")
    try:
        chromium.driver.get(chromium.address(f"panel.html?tab={tab}"))
        find: Any = chromium.driver.find_element
        chromium.wait(lambda: find("id", "download").is_enabled())
        find("id", "download").click()
        file = folder / "annotations.zip"
        chromium.wait(file.is_file)
    finally:
        chromium.driver.close()
        chromium.driver.switch_to.window(chromium.page_tab)
    return file


@pytest.fixture(scope="module")
def site() -> Iterator[Pages]:
    with Pages() as own:
        for number in (*TAUGHT, *OTHERS):
            own.put(f"/object/{number}", museum_page(number))
        yield own


def annotated(chromium: Chromium, site: Pages, numbers: range, folder: Path) -> Path:
    folder.mkdir()
    chromium.forget()
    for number in numbers:
        correct(chromium, f"{site.url}/object/{number}")
    return downloaded(chromium, folder)


def figures(output: str) -> dict[str, dict[str, float]]:
    """Return per system the means that the test bed prints."""
    rows = [
        [cell.strip() for cell in row.split("|")]
        for row in output.splitlines()
        if row.startswith("| mean of ")
    ]
    names = ("precision", "recall", "f1", "accuracy")
    return {
        row[2]: {name: float(own.split()[0]) for name, own in zip(names, row[4:8], strict=True)}
        for row in rows
    }


def test_six_corrected_pages_teach_the_site(
    chromium: Chromium, site: Pages, tmp_path: Path
) -> None:
    taught = annotated(chromium, site, TAUGHT, tmp_path / "taught")
    others = annotated(chromium, site, OTHERS, tmp_path / "others")
    chromium.open(f"{site.url}/object/20")
    chromium.toggle()
    before = chromium.painted()

    done = scrapy(tmp_path, "annotations", str(taught), "--out", "museum")
    assert done.returncode == 0, done.stderr
    assert "6 pages with 42 labels by people" in done.stdout
    done = scrapy(tmp_path, "train", "--from", "default", "--out", "my-model", "museum")
    assert done.returncode == 0, done.stdout + done.stderr

    test = ["testbed", str(others), "--extension", str(DIST / "test-chromium")]
    first = scrapy(tmp_path, *test, "--labeler", "default", "--share", "0.2", "--html", "a.html")
    assert first.returncode == 0, first.stderr
    second = scrapy(tmp_path, *test, "--model", "my-model", "--labeler", "my-model")
    assert second.returncode == 0, second.stderr
    print(first.stdout, second.stdout)
    old, new = figures(first.stdout), figures(second.stdout)
    assert old["extension"] == old["default"]
    assert new["extension"] == new["my-model"]
    assert old["extension"]["f1"] < 0.7
    assert new["extension"]["f1"] > 0.95
    assert (tmp_path / "a.html").read_text(encoding="utf-8").count("<img") == 4

    assert run(export, tmp_path / "my-model", "--extension", "--out", tmp_path) == 0
    chromium.use_model(tmp_path / "my-model.safetensors")
    try:
        chromium.open(f"{site.url}/object/20")
        summary = chromium.toggle()
        assert (
            summary["model"]
            == json.loads((tmp_path / "my-model" / "model.json").read_text(encoding="utf-8"))[
                "name"
            ]
        )
        after = chromium.painted()
    finally:
        chromium.own("document.getElementById('default').click()")
    stories = chromium.run(
        "return [...document.querySelectorAll(arguments[0])].map((li) => li.textContent)",
        f"{STORIES} li",
    )
    assert not set(stories) & set(before["main"])
    assert set(stories) <= set(after["main"])
