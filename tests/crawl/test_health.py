"""Health by domain: counts are right for any pages, what is kept is bounded, nothing raises."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.responses import process, response_of
from testing.standins import Says, counts, new_crawler, new_runtime
from testing.synthetic import QUICK

from scrapy_boilernet.crawl import health as health_module
from scrapy_boilernet.crawl.health import OTHER, WINDOW_PAGES, Confidence, Domain, Health, Tally
from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.settings.config import ConfigError

URL = "https://www.harbour-news.example/tide-pools"
HOST = "harbour-news.example"
CONFIDENCES = st.none() | st.floats(0, 1)
URLS = st.sampled_from([URL, "http://blog.example:8080/", "a.html", "http://[", ""])


def warnings_in(health: Health, confidences: Sequence[Confidence]) -> list[str]:
    return [said for confidence in confidences if (said := health.add(URL, confidence))]


def good_pages(number: int) -> list[Confidence]:
    random = Random(number)
    return [random.uniform(0.9, 1.0) for _ in range(number)]


@QUICK
@given(st.lists(st.tuples(URLS | st.text(), CONFIDENCES), max_size=200))
def test_counts_are_right_for_any_pages(pages: list[tuple[str, Confidence]]) -> None:
    health = Health()
    for url, confidence in pages:
        assert isinstance(health.add(url, confidence), str)
    stats = health.stats()
    numbers = [value for name, value in stats.items() if name.endswith("/pages")]
    assert sum(numbers) == len(pages)
    mine = [confidence for url, confidence in pages if url == URL]
    of_others = [confidence for confidence in mine if confidence is not None]
    assert stats.get(f"domain/{HOST}/pages", 0) == len(mine)
    if mine:
        share = mine.count(None) / len(mine)
        assert stats[f"domain/{HOST}/empty_share"] == pytest.approx(share, abs=1e-3)
    mean = stats.get(f"domain/{HOST}/mean_confidence")
    assert (mean is None) == (not of_others)
    if mean is not None:
        assert mean == pytest.approx(sum(of_others) / len(of_others), abs=1e-3)


@QUICK
@given(st.lists(CONFIDENCES, max_size=100), st.lists(CONFIDENCES, max_size=100))
def test_two_crawls_with_a_file_are_judged_like_one(
    first: list[Confidence], second: list[Confidence]
) -> None:
    one = Domain()
    warned = [bool(one.add(confidence)) for confidence in (*first, *second)]
    if any(warned[: len(first)]):  # a second crawl may warn again
        return
    health = Health()
    assert warnings_in(health, first) == []
    document = json.loads(json.dumps(health.document()))
    later = Health()
    later.know(document)
    again = [bool(later.add(URL, confidence)) for confidence in second]
    assert again == warned[len(first) :]


@given(st.lists(CONFIDENCES, min_size=1, max_size=100))
def test_a_tally_has_mean_and_variance_of_the_scores(confidences: list[Confidence]) -> None:
    tally = Tally.of(confidences)
    scores = [confidence or 0.0 for confidence in confidences]
    mean = sum(scores) / len(scores)
    assert tally.score == pytest.approx(mean)
    variance = sum((score - mean) ** 2 for score in scores) / len(scores)
    assert tally.variance == pytest.approx(variance, abs=1e-9)


@pytest.mark.parametrize("bad", [None, 0.4])
def test_a_good_domain_that_turns_bad_is_logged_once(bad: Confidence) -> None:
    health = Health()
    assert warnings_in(health, good_pages(100)) == []
    (warning,) = warnings_in(health, [bad] * 300)
    assert warning.startswith(f"{HOST} turned bad: its last 20 pages, ")
    assert "before: 9" in warning
    assert warning.endswith(f"look at {URL}")


@pytest.mark.parametrize(
    "pages",
    [
        [0.95] * 500,
        [None] * 500,
        [0.95, 0.95, 0.95, None] * 125,
        [None] * 100 + [0.95] * 100 + [None] * 100,  # it was never good
        [0.95] * 39,
        [0.95] * (WINDOW_PAGES - 1) + [None] * WINDOW_PAGES,  # too few pages before
        [0.95] * 100 + [0.8] * 100,
    ],
)
def test_other_domains_are_not_logged(pages: list[Confidence]) -> None:
    assert warnings_in(Health(), pages) == []


def test_www_and_the_port_make_no_other_domain_but_a_subdomain_does() -> None:
    health = Health()
    for url in ("http://a.example/", "https://www.A.example:8080/x", "http://shop.a.example/"):
        health.add(url, 0.9)
    pages = {name: n for name, n in health.stats().items() if name.endswith("/pages")}
    assert pages == {"domain/a.example/pages": 2, "domain/shop.a.example/pages": 1}


def test_a_broad_crawl_keeps_and_shows_few_domains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "MAX_DOMAINS", 300)
    health = Health()
    for number in range(1000):
        health.add(f"http://site{number}.example/", None if number % 2 else 0.8)
    health.add(URL, 0.8)
    for _ in range(2):
        health.add("http://site7.example/", None)
    stats = health.stats()
    assert len(health.domains) == 300
    assert len(stats) <= 3 * (health_module.MAX_DOMAINS_IN_STATS + 1)
    assert stats["domain/site7.example/pages"] == 3
    assert stats[f"domain/{OTHER}/pages"] == 1003 - 3 - 99
    assert stats[f"domain/{OTHER}/mean_confidence"] == 0.8


def test_domains_that_a_crawl_does_not_meet_stay_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "health.json"
    for urls in (["http://a.example/", "http://b.example/"], ["http://b.example/"]):
        health = Health(str(file))
        for url in urls:
            health.add(url, 0.5)
        health.save()
    domains = json.loads(file.read_text(encoding="utf-8"))["domains"]
    assert {name: len(domain["last"]) for name, domain in domains.items()} == {
        "b.example": 2,
        "a.example": 1,
    }


def test_domains_that_the_crawl_did_not_meet_are_dropped_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_module, "MAX_DOMAINS", 2)
    file = tmp_path / "health.json"
    for names in ("ab", "c"):
        health = Health(str(file))
        for name in names:
            health.add(f"http://{name}.example/", 0.5)
        health.save()
    domains = json.loads(file.read_text(encoding="utf-8"))["domains"]
    assert [*domains] == ["c.example", "a.example"]


KNOWN = {"pages": 3, "empty": 1, "confidence": 1.5, "squares": 1.2, "last": [0.5, None]}


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "no JSON", "\x00", '{"domains": 5}', '{"domains": {"a.example": 5}}',
        '{"domains": ["a"]}', "[" * 100_000,
        json.dumps({"domains": {"a.example": KNOWN}}).replace("1.5", "1e999"),
        json.dumps({"domains": {"a.example": KNOWN}}).replace("3", "9" * 5_000),
        *(
            json.dumps({"domains": {"a.example": {**KNOWN, name: value}}})
            for name, value in (
                ("pages", 0), ("pages", 2.5), ("pages", None), ("empty", -1), ("empty", 4),
                ("confidence", 2.5), ("confidence", float("nan")), ("confidence", "1"),
                ("squares", -1), ("squares", 1.6), ("last", None), ("last", "0.5"), ("last", [2]),
                ("last", ["a"]), ("last", [0.5] * 21), ("last", {}), ("last", [float("nan")]),
                ("pages", 10**400), ("confidence", 10**400), ("squares", 10**400),
                ("last", [10**400]), ("templates", 5), ("templates", {"7": [1, 2, 1]}),
            )
        ),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_with_the_remedy(tmp_path: Path, text: str) -> None:
    file = tmp_path / "health.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"BOILERNET_HEALTH_FILE = .*health\.json.*delete it"):
        Health(str(file))
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_cannot_be_written_is_refused_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for file in (tmp_path, tmp_path / "file" / "health.json"):
        with pytest.raises(ConfigError, match="name a file in a folder that can be written"):
            Health(str(file))


def test_a_disk_that_fails_at_the_end_is_logged_and_leaves_the_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "health.json"
    runtime = new_runtime()
    runtime.health = Health(str(file))
    before = file.read_bytes()
    process(runtime)

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    runtime.close()
    assert "BOILERNET_HEALTH_FILE" in caplog.text
    assert "No space left" in caplog.text
    assert file.read_bytes() == before
    assert [*tmp_path.iterdir()] == [file]
    assert counts(runtime)["domain/example.com/pages"] == 1


def test_a_broken_file_is_found_before_the_model_is_loaded(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_MODEL": "no-such-model",
        "BOILERNET_HEALTH_FILE": str(tmp_path),
    }
    with pytest.raises(ConfigError, match="BOILERNET_HEALTH_FILE"):
        Runtime.of(new_crawler(settings))


def test_a_crawl_that_labels_no_page_warns_of_a_file_without_effect(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_MODE": "deferred",
        "BOILERNET_DEFERRED_FOLDER": str(tmp_path / "pages"),
        "BOILERNET_HEALTH_FILE": str(tmp_path / "health.json"),
    }
    Runtime.of(new_crawler(settings)).close()
    assert "BOILERNET_HEALTH_FILE = " in caplog.text
    assert "has no effect with BOILERNET_MODE = 'deferred'" in caplog.text


def test_a_labeled_page_counts_for_its_domain_and_why_it_needs_a_browser() -> None:
    runtime = new_runtime(Says(0.1), fallback=(), metadata_field="metadata")
    process(runtime)
    shell = b'<title>Tides</title><script src=a.js></script><div id="root"></div>'
    process(runtime, response_of(shell, url="http://www.example.com/app"))
    runtime.close()
    found = counts(runtime)
    assert found["needs_rendering/script"] == 1
    assert found["domain/example.com/pages"] == 2
    assert found["domain/example.com/empty_share"] == 1
    assert "domain/example.com/mean_confidence" not in found


def test_hidden_text_is_counted_by_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "MAX_DOMAINS", 1)
    health = Health()
    for number in range(3):
        health.add("http://a.example/", 0.9, number)
    health.add("http://b.example/", 0.9, 7)
    stats = health.stats()
    assert stats["domain/a.example/hidden_chars"] == 3
    assert stats[f"domain/{OTHER}/hidden_chars"] == 7


def test_a_domain_is_reported_once_if_keep_of_its_rule_finds_nothing() -> None:
    health = Health()
    url = "https://www.a.example/1"
    found = [True] * 30 + [False] * 40
    warnings = [health.add_match(url, one) for one in found]
    assert [i for i, warning in enumerate(warnings) if warning] == [39]
    assert "a.example: keep of its rule in BOILERNET_SITES found nothing" in warnings[39]
    assert "on 10 of its last 20 pages with this rule" in warnings[39]
    assert health.document().keys() == {"a.example"}
    new = [health.add_match("https://b.example/", found=False) for _ in range(9)]
    assert [i for i, warning in enumerate(new) if warning] == [4]
    rare = [health.add_match("https://c.example/", i % 3 > 0) for i in range(90)]
    assert not any(rare)
    without = {"a.example": 40, "b.example": 9, "c.example": 30}
    assert health.stats() == {f"sites/no_match/{name}": n for name, n in without.items()}


def test_pages_of_a_rule_of_too_many_domains_are_counted_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health_module, "MAX_DOMAINS", 2)
    health = Health()
    for i in range(20):
        assert health.add_match(f"https://{i}.example/", found=False) == ""
    assert health.stats()[f"sites/no_match/{OTHER}"] == 18


def test_a_template_that_is_dropped_now_is_reported_once_per_domain(tmp_path: Path) -> None:
    file = tmp_path / "health.json"
    health = Health(str(file))
    assert not any(health.add_templates(URL, (7, 9)) for _ in range(80))
    assert not any(health.add_templates("https://b.example/", (-7, 9)) for _ in range(80))
    health.save()
    later = Health(str(file))
    pages = [(-7, 9)] * 100 + [(7, 9)] * 100 + [(-7, 9)] * 100
    lost = [found for page in pages if (found := later.add_templates(URL, page))]
    assert [one.number for one in lost] == [7]
    assert later.stats() == {}


def test_a_file_without_templates_is_read(tmp_path: Path) -> None:
    file = tmp_path / "health.json"
    file.write_text(json.dumps({"domains": {"a.example": KNOWN}}), encoding="utf-8")
    assert Health(str(file)).document() == {"a.example": {**KNOWN, "templates": {}}}


def test_templates_of_too_many_domains_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "MAX_DOMAINS", 1)
    health = Health()
    health.add_templates("https://a.example/", (7, 9))
    for page in [(7, 9)] * 80 + [(-7, 9)] * 80:
        assert health.add_templates("https://b.example/", page) is None
    assert health.document().keys() == {"a.example"}
