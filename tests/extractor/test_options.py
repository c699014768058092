"""The closed lists and label options: defined once, read by settings, commands and extension."""

from __future__ import annotations

import argparse
import inspect
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.commands.arguments import add_arguments
from scrapy_boilernet.extractor.options import (
    LABEL_WORDS,
    LabelOptions,
    Limits,
    is_threshold,
    words_of,
)
from scrapy_boilernet.settings.config import SETTINGS, Config

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "extension" / "src"
OPTIONS = [(kind, field.name) for kind in (LabelOptions, Limits) for field in fields(kind)]


@pytest.mark.parametrize(("kind", "name"), OPTIONS)
def test_a_setting_has_the_default_and_the_meaning_of_its_option(kind: Any, name: str) -> None:
    assert getattr(Config(), name) == getattr(kind(), name)
    assert SETTINGS[name].help == kind.__dataclass_fields__[name].metadata["meaning"]
    assert SETTINGS[name].per_request


def test_settings_give_the_options_of_a_page() -> None:
    assert Config().label_options(None) == LabelOptions()
    assert Config().limits == Limits()


@pytest.mark.parametrize(("kind", "name"), OPTIONS)
def test_extract_has_the_defaults_of_the_options(kind: Any, name: str) -> None:
    arguments = inspect.signature(extract).parameters
    if name.startswith("over_"):
        assert getattr(kind(), name) == "cut"  # as extract does, which has no such argument
    elif name == "fallback":
        assert arguments[name].default is kind.__dataclass_fields__[name].metadata["written"]
    else:
        assert arguments[name].default == getattr(kind(), name)


@pytest.mark.parametrize("kind", [LabelOptions, Limits])
def test_each_word_stands_in_the_meaning(kind: Any) -> None:
    found = words_of(kind)
    assert found
    for name, words in found.items():
        meaning = kind.__dataclass_fields__[name].metadata["meaning"]
        named = {*re.findall(r'`"([\w-]+)"`', meaning)}
        assert named <= {*words}
        assert len({*words} - named) <= 1  # the one that favors nothing needs no words


@pytest.mark.parametrize("action", ["extract", "bulk", "fill", "explain"])
@pytest.mark.parametrize("name", LABEL_WORDS)
def test_the_command_line_has_the_words_and_the_meaning(name: str, action: str) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser, action)
    found = next(one for one in parser._actions if one.dest == name)
    assert tuple(found.choices or ()) == LABEL_WORDS[name]
    assert f"(default: BOILERNET_{name.upper()})" in (found.help or "")
    assert len(found.help or "") > 60


@pytest.mark.skipif(not EXTENSION.is_dir(), reason="the extension is only in a checkout")
def test_the_extension_has_the_words_and_the_defaults() -> None:
    found = json.loads((EXTENSION / "tables.json").read_text("utf-8"))["options"]
    page = (EXTENSION / "browser" / "options.html").read_text("utf-8")
    for name, default in found["DEFAULTS"].items():
        assert default == getattr(LabelOptions(), name)
        offered = page.split(f'<select name="{name}">')[1].split("</select>")[0]
        assert {*re.findall(r'value="([\w-]+)"', offered)} == {*LABEL_WORDS[name]}


@pytest.mark.parametrize(("value", "right"), [
    (None, True), (0, True), (1, True), (0.5, True), (-0.1, False), (1.01, False),
    (float("nan"), False), (float("inf"), False),
])  # fmt: skip
def test_a_threshold_is_a_probability_or_none(value: float | None, right: bool) -> None:
    assert is_threshold(value) is right
    if not right:
        with pytest.raises(ValueError, match="outside"):
            LabelOptions(threshold=value)


@pytest.mark.parametrize("name", LABEL_WORDS)
def test_an_unknown_word_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} 'sometimes': must be one of") as caught:
        LabelOptions(**{name: "sometimes"})
    assert all(word in str(caught.value) for word in LABEL_WORDS[name])
