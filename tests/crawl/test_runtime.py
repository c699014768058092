"""The runtime: starting, stopping at the start, and several crawls in one process."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy import signals
from scrapy.exceptions import NotConfigured
from testing.crawling import ADDONS, REACTOR, SPIDERS, Crawl, base_settings, crawl, run_python
from testing.loopback import Site
from testing.standins import new_crawler

from scrapy_boilernet.crawl.interpreter import SWITCH_SECONDS
from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.downloadermiddlewares import BoilerNetDownloaderMiddleware
from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.pipelines import BoilerNetPipeline
from scrapy_boilernet.settings.config import ConfigError
from scrapy_boilernet.spidermiddlewares import BoilerNetSpiderMiddleware

COMPONENTS = (BoilerNetDownloaderMiddleware, BoilerNetSpiderMiddleware, BoilerNetPipeline)


@pytest.fixture
def settings(tiny_model: Path) -> dict[str, Any]:
    return {
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
    }


@pytest.fixture(scope="module")
def other_model(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model under the name "other", with a threshold that every block passes."""
    folder = tmp_path_factory.mktemp("models") / "other"
    shutil.copytree(tiny_model, folder)
    document = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    document.update(name="other", threshold=0.0)
    (folder / "model.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def variants(tiny_model: Path, other_model: Path) -> Iterator[Crawl]:
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
    }
    with Site() as site:
        yield crawl("variants", site.url, settings, {"OTHER_MODEL": str(other_model)})


@pytest.mark.parametrize("component", COMPONENTS)
def test_components_are_not_configured_unless_enabled(component: Any) -> None:
    with pytest.raises(NotConfigured):
        component.from_crawler(new_crawler())


def test_one_component_says_that_all_are_switched_off() -> None:
    said = []
    for component in COMPONENTS:
        with pytest.raises(NotConfigured) as caught:
            component.from_crawler(new_crawler())
        said += caught.value.args
    assert said == ["BOILERNET_ENABLED is not true"]


def test_no_receiver_of_the_spiders_start_is_skipped(settings: dict[str, Any]) -> None:
    """A receiver that disconnects itself would make Scrapy skip the next one."""
    crawler = new_crawler(settings)
    plain, opened = type(crawler), []

    def before(sender: Any) -> None:
        opened.append("before")

    def after(sender: Any) -> None:
        opened.append("after")

    crawler.signals.connect(before, signals.spider_opened)
    crawler.crawling = True
    runtime = Runtime.of(crawler)
    crawler.signals.connect(after, signals.spider_opened)
    assert type(crawler) is not plain
    for _ in range(2):
        crawler.signals.send_catch_log(signals.spider_opened, spider=None)
        assert type(crawler) is plain
    assert opened == ["before", "after"] * 2
    runtime.close()


def test_components_of_a_crawler_share_one_runtime(settings: dict[str, Any]) -> None:
    crawler = new_crawler(settings)
    runtimes = {id(component.from_crawler(crawler).runtime) for component in COMPONENTS}
    assert len(runtimes) == 1
    assert Runtime.of(crawler) is not Runtime.of(new_crawler(settings))


def test_wrong_settings_and_models_stop_the_crawl_at_the_start(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="BOILERNET_THRESHOLD = 2"):
        Runtime.of(new_crawler({**settings, "BOILERNET_THRESHOLD": 2}))
    with pytest.raises(ModelError, match="set BOILERNET_MODEL"):
        Runtime.of(new_crawler({**settings, "BOILERNET_MODEL": "no-such-model"}))


def test_crawler_is_freed_after_its_crawl(settings: dict[str, Any]) -> None:
    crawler = new_crawler(settings)
    Runtime.of(crawler).close()
    reference = weakref.ref(crawler)
    del crawler
    gc.collect()
    assert reference() is None


def test_crawls_leave_the_interpreter_as_it_was(settings: dict[str, Any]) -> None:
    crawlers = [new_crawler(settings) for _ in range(3)]
    first, second, not_begun = [Runtime.of(crawler) for crawler in crawlers]
    before = sys.getswitchinterval()
    for crawler in crawlers[:2]:
        crawler.signals.send_catch_log(signals.spider_opened, spider=None)
    for runtime in (not_begun, first):
        assert gc.get_freeze_count() > 0
        assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
        runtime.close()
    assert gc.get_freeze_count() > 0
    second.close()
    assert gc.get_freeze_count() == 0
    assert sys.getswitchinterval() == before


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"BOILERNET_MODEL": "no-such-model"},
            ["ModelError", "no model 'no-such-model'", "set BOILERNET_MODEL to one of them"],
        ),
        (
            {"BOILERNET_MODEL": "no-such-model", "BOILERNET_MODE": "process"},
            ["ModelError", "no model 'no-such-model'", "set BOILERNET_MODEL to one of them"],
        ),
        (
            {"BOILERNET_MODE": "deferred", "BOILERNET_DEFERRED_FOLDER": os.devnull},
            ["ConfigError", "BOILERNET_DEFERRED_FOLDER", "name a folder that can be written"],
        ),
        (
            {"BOILERNET_HEALTH_FILE": __file__},
            ["ConfigError", "BOILERNET_HEALTH_FILE", "delete it, or name another one"],
        ),
        (
            {"BOILERNET_TRESHOLD": "0.5"},
            ["ConfigError", "unknown setting BOILERNET_TRESHOLD", "BOILERNET_THRESHOLD"],
        ),
    ],
    ids=["model", "model of a process", "folder", "health file", "setting"],
)
def test_crawl_stops_before_its_first_request_and_says_what_to_change(
    wrong: dict[str, str], said: list[str]
) -> None:
    given = {"ADDONS": json.dumps(ADDONS), "BOILERNET_ENABLED": "1", **base_settings(), **wrong}
    given["LOG_LEVEL"] = "ERROR"
    options = [word for name, value in given.items() for word in ("-s", f"{name}={value}")]
    spider = str(SPIDERS / "one_page.py")
    with Site() as site:
        completed = run_python(
            "-m", "scrapy", "runspider", spider, "-a", f"site={site.url}", *options
        )
    assert site.requests == []
    assert completed.returncode == 1 or scrapy.version_info < (2, 15)  # where it was 0
    for words in said:
        assert words in completed.stderr.decode()


def test_log_keeps_the_first_message_of_a_key(
    settings: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    runtime = Runtime.of(new_crawler(settings))
    for number in range(3):
        runtime.log_once("key", "message %s", number)
    assert [record.getMessage() for record in caplog.records] == ["message 0"]


def test_crawls_with_different_models_in_one_process_keep_apart(variants: Crawl) -> None:
    models = {item["model"] for item in variants.fields(spider="project")}
    assert models == {"tiny", None}  # None: the 404 page
    assert {item["model"] for item in variants.fields(spider="other")} == {"other"}


def test_settings_of_a_spider_override_those_of_the_project(variants: Crawl) -> None:
    article, missing = sorted(variants.fields(spider="other"), key=lambda item: item["path"])
    assert set(article) == {"spider", "path", "model", "body", "main_text_confidence"}
    assert article["body"].startswith("Home\nThe mill on the river\n")
    assert missing["body"] == "Home\nMissing\nThere is no such page."  # BOILERNET_STATUSES
    counts = variants.counts("other")
    assert (counts["pages"], counts["blocks/content"], counts["items/labeled"]) == (2, 7, 2)


def test_project_settings_hold_for_the_other_spiders(variants: Crawl) -> None:
    by_path = {item["path"]: item for item in variants.fields(spider="project")}
    assert "main_text" in by_path["/article"]
    assert "main_text" not in by_path["/missing"]
    assert variants.counts("project")["skipped/status"] == 1


def test_spider_can_switch_the_plugin_off(variants: Crawl) -> None:
    items = variants.fields(spider="off")
    assert [set(item) for item in items] == [{"spider", "path", "model"}] * 2
    assert variants.counts("off") == {}


def test_components_listed_as_classes_run_once_beside_the_add_on(variants: Crawl) -> None:
    counts = variants.counts("by_hand")
    assert (counts["pages"], counts["items/labeled"]) == (1, 1)


def test_inline_mode_labels_in_the_thread_of_the_reactor(variants: Crawl) -> None:
    stats = variants.stats["other"]
    assert stats["threads/labeling"] == stats["threads/reactor"]


def test_several_crawls_log_no_error_and_no_deprecation(variants: Crawl) -> None:
    assert [line for line in variants.log if " ERROR: " in line] == []
    assert variants.deprecations == []
    assert (variants.reactor == "none") == (REACTOR == "none")


def test_wrong_settings_do_not_matter_while_the_plugin_is_off() -> None:
    with pytest.raises(NotConfigured):
        Runtime.of(new_crawler({"BOILERNET_ENABLED": False, "BOILERNET_THRESHOLD": "x"}))


@pytest.mark.parametrize("collects", [True, False])
@pytest.mark.parametrize("model", ["", "/no/such/model"])
def test_the_start_leaves_the_garbage_collection_as_it_was(
    settings: dict[str, Any], collects: bool, model: str
) -> None:
    before = gc.isenabled()
    crawler = new_crawler({**settings, **({"BOILERNET_MODEL": model} if model else {})})
    try:
        (gc.enable if collects else gc.disable)()
        if model:
            with pytest.raises(ModelError):
                Runtime.of(crawler)
        else:
            runtime = Runtime.of(crawler)
            assert runtime.filler
            runtime.close()
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()
