"""What attributes tell, and that what is kept of it stays bounded."""

from __future__ import annotations

import pytest

from scrapy_boilernet.html import paths
from scrapy_boilernet.html.paths import read_attributes


@pytest.mark.parametrize(
    ("items", "words", "hides"),
    [
        ([], "", False),
        ([("class", "mainText nav-2")], "main text nav", False),
        ([("class", "")], "", False),
        ([("href", "/hidden/class")], "", False),
        ([("itemprop", "name"), ("role", "main"), ("id", "top"), ("class", "a1 story")],
         "story top main name", False),
        ([("hidden", "")], "", True),
        ([("aria-hidden", "true"), ("class", "ad")], "ad", True),
        ([("aria-hidden", "false")], "", False),
        ([("style", "color: red; Display : none")], "", True),
        ([("style", "display: block")], "", False),
        ([("style", "visibility:hidden"), ("aria-hidden", "false")], "", True),
    ],
)  # fmt: skip
def test_words_and_hiding(items: list[tuple[str, str]], words: str, hides: bool) -> None:
    assert read_attributes(items) == read_attributes(items) == (words, hides)


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_MAX_CACHED", 3)
    monkeypatch.setattr(paths, "_WORDS", paths._Words())
    for number in range(20):
        name = "ab" + chr(ord("a") + number)
        assert read_attributes([("class", name)]) == (name, False)
        assert len(paths._WORDS) <= 3
