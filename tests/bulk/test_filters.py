"""Pages of a stored crawl that get no record, by reason."""

from __future__ import annotations

import json

import pytest
from testing.labeled import from_kept

from scrapy_boilernet.bulk.filters import check_languages, languages_of, reason_against
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage

TEXTS = {
    "en": "The water of the tide pools has warmed since May, and limpets cling to the rocks.",
    "de": "Das Wasser der Gezeitentümpel ist seit Mai wärmer, und Napfschnecken halten sich fest.",
    "fr": "L'eau des cuvettes de marée est plus chaude depuis mai, et les patelles tiennent bon.",
    "ru": "Вода в приливных лужах стала теплее с мая, и моллюски держатся за скалы.",
    "zh": "自五月以来，潮池里的水变暖了，帽贝紧紧地贴在岩石上，等待潮水回来。",
}  # fmt: skip


def page(text: str, confidence: float = 0.9) -> LabeledPage:
    return from_kept(blockify(f"<p>{text}"), [True], [0.9], 0.5, confidence, "tiny", "model")


@pytest.mark.parametrize("language", TEXTS)
def test_pages_in_other_languages_are_left_out(language: str) -> None:
    pytest.importorskip("py3langid")
    result = page(TEXTS[language])
    assert reason_against(result, 0, 0, [language]) == ""
    assert reason_against(result, 0, 0, ["pl", "it"]) == f"language: {language}"
    assert reason_against(result, 0, 0, []) == ""


@pytest.mark.parametrize(("text", "words"), [("One two three.", 3), ("潮池", 2), ("Раз два", 2)])
def test_short_pages_are_left_out(text: str, words: int) -> None:
    assert reason_against(page(text), 0, words, []) == ""
    assert reason_against(page(text), 0, words + 1, []) == "words"


def test_a_text_without_a_known_language_is_left_out() -> None:
    pytest.importorskip("py3langid")
    assert reason_against(page("Short."), 0, 0, ["en"]) == "language: not known"


def test_a_low_confidence_is_the_first_reason() -> None:
    assert reason_against(page("One", 0.2), 0.5, 9, ["en"]) == "confidence"


@pytest.mark.parametrize("given", ["en", " en, DE ", "en,,de,en"])
def test_languages_are_read(given: str) -> None:
    assert languages_of(given) == tuple(name for name in ("en", "de") if name in given.lower())


@pytest.mark.parametrize("given", ["", ",", "english", "en;de", "e", "pt-br", json.dumps(["en"])])
def test_wrong_languages_have_a_clear_error(given: str) -> None:
    with pytest.raises(ValueError, match="give such as en,de"):
        languages_of(given)


def test_languages_that_are_never_detected_are_refused() -> None:
    pytest.importorskip("py3langid")
    check_languages([*TEXTS])
    with pytest.raises(ValueError, match=r"no text is detected as 'xx' or 'jp': give ISO 639-1"):
        check_languages(["en", "xx", "jp"])
