"""The add-on: puts the components in their places and never overrides the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object
from testing.crawling import ADDONS, crawl
from testing.loopback import Site

from scrapy_boilernet import Addon
from scrapy_boilernet.addon import COMPONENTS
from scrapy_boilernet.downloadermiddlewares import BoilerNetDownloaderMiddleware
from scrapy_boilernet.pipelines import BoilerNetPipeline
from scrapy_boilernet.spidermiddlewares import BoilerNetSpiderMiddleware

CLASSES: dict[str, type] = {
    "DOWNLOADER_MIDDLEWARES": BoilerNetDownloaderMiddleware,
    "SPIDER_MIDDLEWARES": BoilerNetSpiderMiddleware,
    "ITEM_PIPELINES": BoilerNetPipeline,
}
every_setting = pytest.mark.parametrize("name", list(COMPONENTS))


def updated(values: dict[str, Any] | None = None, custom: dict[str, Any] | None = None) -> Settings:
    """Return project settings, with a spider's on top, after the add-on has seen them."""
    settings = Settings()
    settings.setdict(values or {}, priority="project")
    settings.setdict(custom or {}, priority="spider")
    Addon().update_settings(settings)
    return settings


@every_setting
def test_component_is_added_in_its_place(name: str) -> None:
    path, order = COMPONENTS[name]
    assert dict(updated()[name]) == {path: order}
    assert load_object(path) is CLASSES[name]


@every_setting
def test_components_of_the_user_stay(name: str) -> None:
    path, order = COMPONENTS[name]
    assert dict(updated({name: {"mine.Thing": 7}})[name]) == {"mine.Thing": 7, path: order}


@every_setting
@pytest.mark.parametrize("order", [1, 999, None])
@pytest.mark.parametrize("level", ["project", "spider"])
def test_order_of_the_user_wins(name: str, order: int | None, level: str) -> None:
    for listed in (COMPONENTS[name][0], CLASSES[name]):
        values = {name: {listed: order}}
        settings = updated(values) if level == "project" else updated(custom=values)
        assert dict(settings[name]) == {listed: order}
        assert len(build_component_list(settings[name])) == (order is not None)


@every_setting
def test_settings_of_a_spider_keep_their_rank_and_gain_the_component(name: str) -> None:
    path, order = COMPONENTS[name]
    settings = updated({name: {"project.Thing": 1}}, {name: {"spider.Thing": 2}})
    assert dict(settings[name]) == {"spider.Thing": 2, path: order}


@every_setting
def test_component_is_added_to_a_list_given_as_json_on_the_command_line(name: str) -> None:
    path, order = COMPONENTS[name]
    settings = Settings()
    settings.set(name, '{"mine.Thing": 7}', priority="cmdline")
    Addon().update_settings(settings)
    assert dict(settings[name]) == {"mine.Thing": 7, path: order}


def test_nothing_but_the_three_lists_is_changed() -> None:
    before, after = Settings(), updated()
    assert {name for name in after if after[name] != before[name]} == set(COMPONENTS)


def test_adding_twice_changes_nothing() -> None:
    settings = updated()
    once = {name: dict(settings[name]) for name in COMPONENTS}
    Addon().update_settings(settings)
    assert {name: dict(settings[name]) for name in COMPONENTS} == once


def test_scrapy_loads_the_add_on_by_its_public_path() -> None:
    crawler = Crawler(Spider, Settings({"ADDONS": ADDONS}))
    crawler.addons.load_settings(crawler.settings)
    for name, (path, order) in COMPONENTS.items():
        assert crawler.settings[name][path] == order


def test_middlewares_see_the_final_body_before_user_pipelines_see_the_item() -> None:
    settings = updated({"ITEM_PIPELINES": {"mine.Pipeline": 100}})
    base = settings["DOWNLOADER_MIDDLEWARES_BASE"]
    order = COMPONENTS["DOWNLOADER_MIDDLEWARES"][1]
    for name in ("RetryMiddleware", "RedirectMiddleware", "HttpCompressionMiddleware"):
        (other,) = [base[key] for key in base if str(key).endswith(f".{name}")]
        assert order < other  # responses pass from high to low
    pipelines = build_component_list(settings["ITEM_PIPELINES"])
    assert pipelines == [COMPONENTS["ITEM_PIPELINES"][0], "mine.Pipeline"]


def test_components_listed_by_hand_work_without_the_add_on(tiny_model: Path) -> None:
    settings = {
        "ADDONS": {},
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
        "BOILERNET_THRESHOLD": 0,
        **{name: {path: order} for name, (path, order) in COMPONENTS.items()},
    }
    with Site() as site:
        result = crawl("one_page", site.url, settings)
    (fields,) = result.fields(url=f"{site.url}/article")
    assert fields["main_text"].startswith("Home\nThe mill on the river\n")
    assert result.counts("one_page")["items/labeled"] == 1
    assert result.deprecations == []


@pytest.mark.parametrize("off", [{"BOILERNET_ENABLED": False}, {}], ids=["false", "not set"])
def test_an_add_on_that_is_switched_off_says_so_in_one_line(off: dict[str, Any]) -> None:
    with Site() as site:
        result = crawl("one_page", site.url, off)
    said = [line for line in result.log if "oilernet" in line and "Disabled" in line]
    assert said == [
        "scrapy.middleware WARNING: Disabled scrapy_boilernet.downloadermiddlewares."
        "BoilerNetDownloaderMiddleware: BOILERNET_ENABLED is not true"
    ]
    assert result.fields() == [{"url": f"{site.url}/article"}]
