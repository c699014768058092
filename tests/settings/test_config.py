"""Settings to one typed Config: read from Python and from the shell; wrong ones raise."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest
import scrapy
from scrapy.settings import Settings

from scrapy_boilernet.extractor.options import FALLBACK_STEPS, LabelOptions, Limits
from scrapy_boilernet.extractor.sites.rules import SiteRules
from scrapy_boilernet.settings.config import OVERRIDES, SETTINGS, Config, ConfigError, meant_by

READ: list[tuple[str, Any, str, Any]] = [
    ("enabled", True, "True", True),
    ("enabled", 1, "1", True),
    ("enabled", False, "false", False),
    ("enabled", 0, "0", False),
    ("model", "paper", "paper", "paper"),
    ("model", Path("models/own"), "models/own", str(Path("models/own"))),
    ("engine", "numpy", "numpy", "numpy"),
    ("mode", "inline", "inline", "inline"),
    ("workers", 1, "1", 1),
    ("batch_pages", 3, "3", 3),
    ("queue_pages", 10, "10", 10),
    ("timeout", 5, "5", 5.0),
    ("timeout", None, "none", None),
    ("timeout", 0, "0", None),
    ("deferred_folder", Path("pages"), "pages", "pages"),
    ("deferred_folder", None, "", None),
    ("threshold", 0.7, "0.7", 0.7),
    ("threshold", 0, "0", 0.0),
    ("threshold", 1, "1", 1.0),
    ("threshold", None, "", None),
    ("domain_thresholds", {"A.example": 1, ".b.example": 0.25},
     '{"a.EXAMPLE": 1, "b.example": 0.25}', {"a.example": 1.0, "b.example": 0.25}),
    ("domain_thresholds", {}, "{}", {}),
    ("favor", "recall", "recall", "recall"),
    ("fallback", True, "True", FALLBACK_STEPS),
    ("fallback", False, "0", ()),
    ("fallback", ["main-element", "json-ld"], "main-element, json-ld", ("json-ld", "main-element")),
    ("title", "keep", "keep", "keep"),
    ("comments", "drop", "drop", "drop"),
    ("captions", "keep", "keep", "keep"),
    ("hidden", "model", "model", "model"),
    ("label", "requested", "requested", "requested"),
    ("label_urls", [r"/story/\d+,"], r"/story/\d+,", (re.compile(r"/story/\d+,"),)),
    ("label_urls", [], "none", ()),
    ("label_urls", ["a", "b"], '["a", "b"]', (re.compile("a"), re.compile("b"))),
    ("sites", None, "none", None),
    ("item_classes", [dict, "scrapy.Item"], "dict, scrapy.Item", (dict, scrapy.Item)),
    ("item_classes", (), "", ()),
    ("overwrite", True, "1", True),
    ("text_field", "body", "body", "body"),
    ("text_field", None, "", None),
    ("labels_field", "labels", "labels", "labels"),
    ("labels_field", None, "", None),
    ("confidence_field", "sure", "sure", "sure"),
    ("confidence_field", None, "", None),
    ("source_field", "found_by", "found_by", "found_by"),
    ("source_field", None, "", None),
    ("markdown_field", "main_text_markdown", "main_text_markdown", "main_text_markdown"),
    ("html_field", "main_text_html", "main_text_html", "main_text_html"),
    ("metadata_field", "metadata", "metadata", "metadata"),
    ("posts_field", "posts", "posts", "posts"),
    ("chunks_field", "chunks", "chunks", "chunks"),
    ("chunk_tokens", 200, "200", 200),
    ("detect_language", False, "0", False),
    ("labels_keys", ["xpath", "label"], "xpath, label", ("label", "xpath")),
    ("model_field", "model", "model", "model"),
    ("model_field", None, "", None),
    ("page_field", "stored", "stored", "stored"),
    ("cache_blocks", 0, "0", 0),
    ("health_file", Path("health.json"), "health.json", "health.json"),
    ("health_file", None, "", None),
    ("max_bytes", 1, "1", 1),
    ("over_max_bytes", "cut", "cut", "cut"),
    ("max_blocks", 200, "200", 200),
    ("over_max_blocks", "skip", "skip", "skip"),
    ("statuses", [200, 404], "200, 404", frozenset({200, 404})),
    ("statuses", 200, "200", frozenset({200})),
    ("content_types", ["Text/HTML"], "text/html", frozenset({"text/html"})),
    ("content_types", ("a/b", "c/d"), "a/b,C/D", frozenset({"a/b", "c/d"})),
]  # fmt: skip

WRONG: list[tuple[str, Any]] = [
    ("enabled", "yes"), ("enabled", None), ("enabled", 2), ("enabled", []),
    ("model", ""), ("model", None),
    ("engine", "abacus"), ("engine", None), ("engine", ["torch"]),
    ("mode", "processes"), ("mode", ""),
    ("workers", 0), ("workers", "two"), ("batch_pages", 0), ("queue_pages", 0),
    ("timeout", -1), ("timeout", float("inf")), ("timeout", float("nan")), ("timeout", "soon"),
    ("threshold", 1.01), ("threshold", -0.1), ("threshold", "high"), ("threshold", float("nan")),
    ("threshold", [0.5]), ("threshold", True),
    ("domain_thresholds", "example.com=0.5"), ("domain_thresholds", "[1]"),
    ("domain_thresholds", None), ("domain_thresholds", 0.5), ("domain_thresholds", {1: 0.5}),
    ("domain_thresholds", {"a.example": 2}), ("domain_thresholds", {"a.example": None}),
    ("domain_thresholds", {"https://a.example": 0.5}), ("domain_thresholds", {"a.example:80": 0}),
    ("favor", "both"), ("favor", None), ("favor", 2),
    ("fallback", "maybe"), ("fallback", None), ("fallback", 5), ("fallback", ["json-ld", "luck"]),
    ("title", True), ("title", "Keep"), ("comments", None), ("comments", "hide"), ("captions", 1),
    ("hidden", "keep"), ("hidden", None), ("over_max_bytes", "drop"), ("over_max_blocks", True),
    ("health_file", 5), ("chunks_field", 1), ("chunk_tokens", 0), ("chunk_tokens", "many"),
    ("text_field", 5), ("labels_field", ["labels"]), ("confidence_field", True),
    ("source_field", 1), ("markdown_field", 1), ("html_field", 1), ("metadata_field", 1),
    ("posts_field", 1),
    ("detect_language", "often"), ("page_field", 5), ("deferred_folder", 5),
    ("deferred_folder", True),
    ("cache_blocks", -1), ("cache_blocks", "many"), ("cache_blocks", None),
    ("max_bytes", 0), ("max_bytes", "10 MB"), ("max_bytes", float("inf")), ("max_bytes", 0.5),
    ("max_blocks", 0), ("max_blocks", 2.7), ("max_blocks", []),
    ("statuses", "2xx"), ("statuses", None), ("statuses", [200, "ok"]), ("statuses", True),
    ("content_types", None), ("content_types", 5),
    ("label", "some"), ("label", True), ("label_urls", "(story"), ("label_urls", 5),
    ("label_urls", [5]), ("label_urls", [rb"/story"]), ("label_urls", ["a{99999999999999999999}"]),
    ("content_types", [b"text/html"]), ("timeout", 1e12),
    ("item_classes", "no.such.Class"), ("item_classes", "os.path"),
    ("sites", 5), ("sites", True), ("sites", ["a.example"]),
    ("item_classes", 5), ("item_classes", ["item"]), ("overwrite", "yes"), ("model_field", 1),
    ("labels_keys", []), ("labels_keys", ["text", "tag"]), ("labels_keys", None),
]  # fmt: skip


def settings_of(name: str, value: Any, shell: bool = False) -> Settings:
    settings = Settings()
    settings.set(f"BOILERNET_{name.upper()}", value, priority="cmdline" if shell else "project")
    return settings


def test_without_settings_everything_is_at_its_default() -> None:
    assert Config.from_settings(Settings()) == Config.from_settings({}) == Config()
    assert Config().enabled is False


def test_the_table_below_reads_every_setting() -> None:
    assert {name for name, *_ in READ} == set(SETTINGS)
    assert {name for name, _ in WRONG} == set(SETTINGS)


@pytest.mark.parametrize(("name", "value", "text", "expected"), READ)
def test_a_setting_reads_alike_from_python_and_from_the_shell(
    name: str, value: Any, text: str, expected: Any
) -> None:
    for settings in (settings_of(name, value), settings_of(name, text, shell=True)):
        found = getattr(Config.from_settings(settings), name)
        assert found == expected
        assert type(found) is type(expected)


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_refused_naming_setting_value_and_remedy(name: str, value: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_settings(settings_of(name, value))
    message = str(caught.value)
    assert message.startswith(f"BOILERNET_{name.upper()} = {value!r}: ")
    assert "must be" in message or "write it as" in message


def test_a_wrong_threshold_of_a_domain_names_the_domain() -> None:
    table = {"a.example": 0.5, "b.example": 2}
    message = r": the threshold of 'b\.example' must be a number"
    with pytest.raises(ConfigError, match=message) as caught:
        Config.from_settings({"BOILERNET_DOMAIN_THRESHOLDS": table})
    assert caught.value.__suppress_context__  # one error, no chain of two


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("BOILERNET_TRESHOLD", "BOILERNET_THRESHOLD"), ("BOILERNET_FIELD_TEXT", "BOILERNET_"),
     ("BOILERNET_ENABLE", "BOILERNET_ENABLED"), ("BOILERNET_threshold", "BOILERNET_")],
)  # fmt: skip
def test_an_unknown_setting_is_refused_with_a_suggestion(wrong: str, right: str) -> None:
    with pytest.raises(ConfigError, match=f"{wrong}; did you mean {right}"):
        Config.from_settings({wrong: 1})


@pytest.mark.parametrize("value", ["results", None, 5])
@pytest.mark.parametrize("name", ["BOILERNET_CACHE_FOLDER", "BOILERNET_CACHE_BYTES"])
def test_a_removed_setting_is_refused_with_its_remedy(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"{name} was removed: .* Leave it out; .*HTTPCACHE_EN"):
        Config.from_settings({name: value})


def test_label_options_are_settings_that_a_request_may_override() -> None:
    names = {field.name for field in fields(LabelOptions)}
    assert names <= OVERRIDES
    assert Config().label_options("https://example.com/") == LabelOptions()
    changed = {"threshold": 0.3, "favor": "recall", "fallback": (), "title": "keep",
               "comments": "drop", "captions": "drop", "hidden": "model"}  # fmt: skip
    assert set(changed) == names
    config = Config().with_overrides(changed)
    assert config.label_options("https://example.com/") == LabelOptions(**changed)


def test_limits_are_settings_that_a_request_may_override() -> None:
    changed = {"max_bytes": 1, "over_max_bytes": "cut", "max_blocks": 2, "over_max_blocks": "skip"}
    assert set(changed) == {field.name for field in fields(Limits)} <= OVERRIDES
    assert Config().with_overrides(changed).limits == Limits(**changed)


def test_other_settings_are_not_looked_at() -> None:
    assert Config.from_settings({"BOT_NAME": "x", "MY_BOILERNET_MODE": "y"}) == Config()


def test_two_values_for_one_item_field_are_refused() -> None:
    for name in ("LABELS_FIELD", "SOURCE_FIELD"):
        with pytest.raises(ConfigError, match=r"main_text.*give each a field of its own"):
            Config.from_settings({f"BOILERNET_{name}": "main_text"})
    Config.from_settings({"BOILERNET_LABELS_FIELD": None, "BOILERNET_CONFIDENCE_FIELD": ""})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"WORKERS": 2}, "set the mode, or leave out BOILERNET_WORKERS"),
        ({"WORKERS": 2, "MODE": "inline"}, "BOILERNET_MODE = 'process'"),
        ({"MODE": "deferred"}, "set BOILERNET_DEFERRED_FOLDER"),
        (
            {"MODE": "deferred", "DEFERRED_FOLDER": "pages", "PAGE_FIELD": None},
            "BOILERNET_PAGE_FIELD to an item field",
        ),
        ({"PAGE_FIELD": "main_text"}, "give each a field of its own"),
    ],
)
def test_contradictions_are_refused_with_the_remedy(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Config.from_settings({f"BOILERNET_{name}": value for name, value in settings.items()})


def test_an_override_changes_a_copy() -> None:
    config = Config(threshold=0.4)
    changed = config.with_overrides({"threshold": 0.7, "text_field": "", "statuses": "404"})
    assert (changed.threshold, changed.text_field, changed.statuses) == (0.7, None, {404})
    assert config == Config(threshold=0.4)
    assert config.with_overrides({}) == config


def test_a_request_can_take_back_a_threshold_so_that_its_favor_counts() -> None:
    config = Config(threshold=0.4, domain_thresholds={"example.com": 0.3})
    changed = config.with_overrides({"threshold": None, "favor": "recall"})
    assert changed.threshold_for("https://example.com/") is None
    assert changed.favor == "recall"


@pytest.mark.parametrize("key", sorted(set(SETTINGS) - OVERRIDES))
def test_what_belongs_to_the_crawl_cannot_be_overridden(key: str) -> None:
    with pytest.raises(ConfigError, match=f"unknown key '{key}'") as caught:
        Config().with_overrides({key: 1})
    assert all(known in str(caught.value) for known in OVERRIDES)
    assert f"BOILERNET_{key.upper()} cannot be set per request: set it in" in str(caught.value)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("key", ["sites", "BOILERNET_SITES", "Boilernet-sites"])
def test_a_rule_per_request_is_refused_with_the_way_to_limit_it(key: str) -> None:
    with pytest.raises(ConfigError, match=r"BOILERNET_SITES cannot .* regular expression as its"):
        Config().with_overrides({key: {}})
    if key != "sites":
        assert "BOILERNET_SITES cannot be set per request" in meant_by(key)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, v in WRONG if n in OVERRIDES])
def test_a_wrong_override_is_refused_naming_the_key(name: str, value: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        Config().with_overrides({name: value})
    assert f"['boilernet']['{name}'] = {value!r}: " in str(caught.value)


def test_an_override_that_gives_two_values_one_item_field_is_refused() -> None:
    with pytest.raises(ConfigError, match="block_labels"):
        Config().with_overrides({"text_field": "block_labels"})


@pytest.mark.parametrize(
    ("url", "threshold"),
    [
        ("https://example.com/a", 0.3), ("https://www.example.com/", 0.3),
        ("http://NEWS.Example.com:8080/x", 0.2), ("https://a.news.example.com/", 0.2),
        ("https://zero.example.com/", 0.0), ("https://badexample.com/", 0.9),
        ("https://example.com.evil.org/", 0.9), ("https://com/", 0.9), ("", 0.9), (None, 0.9),
        ("no url", 0.9), ("http://[::1", 0.9), ("http://[::1]/", 0.9), ("data:,a", 0.9),
    ],
)  # fmt: skip
def test_the_longest_listed_domain_gives_the_threshold(url: str | None, threshold: float) -> None:
    table = {"example.com": 0.3, "news.example.com": 0.2, "zero.example.com": 0.0}
    config = Config.from_settings(
        {"BOILERNET_THRESHOLD": 0.9, "BOILERNET_DOMAIN_THRESHOLDS": table}
    )
    assert config.threshold_for(url) == threshold


def test_without_a_threshold_the_model_has_its_own() -> None:
    assert Config().threshold_for("https://example.com/") is None


def test_a_requests_threshold_goes_before_its_domains() -> None:
    config = Config(domain_thresholds={"example.com": 0.3}).with_overrides({"threshold": 0.8})
    assert config.threshold_for("https://example.com/") == 0.8


def test_a_config_cannot_be_changed() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Config().enabled = True  # type: ignore[misc]


@pytest.mark.parametrize("name", ["LABELS_FIELD", "TEXT_FIELD", "THRESHOLD"])
@pytest.mark.parametrize("said", ["None", "none", "", " "])
def test_the_shell_can_say_none(name: str, said: str) -> None:
    config = Config.from_settings(settings_of(name, said, shell=True))
    assert getattr(config, name.lower()) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONTENT_TYPES", "html"),
        ("CONTENT_TYPES", ["text/html; charset=utf-8"]),
        ("STATUSES", 999),
        ("CACHE_BLOCKS", True),
        ("DOMAIN_THRESHOLDS", {"*.example.com": 0.2}),
    ],
)
def test_a_value_that_would_silently_match_nothing_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"BOILERNET_{name}"):
        Config.from_settings({f"BOILERNET_{name}": value})


def test_detecting_languages_needs_its_package() -> None:
    if find_spec("py3langid"):
        assert Config.from_settings(settings_of("detect_language", True)).detect_language
    else:
        with pytest.raises(ConfigError, match=r"DETECT_LANGUAGE needs the package py3langid: pip"):
            Config.from_settings(settings_of("detect_language", True))


def test_formats_are_those_that_have_a_field() -> None:
    assert Config().formats == ()
    config = Config.from_settings(settings_of("metadata_field", "meta"))
    assert config.with_overrides({"markdown_field": "md"}).formats == ("markdown", "metadata")
    with pytest.raises(
        ConfigError, match="HTML_FIELD and BOILERNET_METADATA_FIELD name the same item field 'meta'"
    ):
        config.with_overrides({"html_field": "meta"})


def test_rules_of_sites_are_read_from_a_dict_and_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sites.toml"
    file.write_text('["a.example"]\ndrop = "nav"\n', encoding="utf-8")
    table = {"www.A.example": {"drop": ["nav"]}}
    for value in (table, file, str(file)):
        sites = Config.from_settings(settings_of("sites", value)).sites
        assert sites == SiteRules.of(table)


def test_a_wrong_rule_of_a_site_names_setting_file_line_and_remedy(tmp_path: Path) -> None:
    file = tmp_path / "sites.toml"
    file.write_text('["a.example"]\ndrop = "nav"\nkep = "p"', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"^BOILERNET_SITES = .*sites\.toml, line 3: .*known are"):
        Config.from_settings(settings_of("sites", file))
    table = {f"{i}.example": {"drop": "nav"} for i in range(10_000)} | {"b.example": {}}
    with pytest.raises(ConfigError, match=r"'b\.example': the rule is empty") as caught:
        Config.from_settings(settings_of("sites", table))
    assert len(str(caught.value)) < 1_000
