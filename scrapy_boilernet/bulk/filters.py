"""Which labeled pages of a stored crawl get no record: short ones, those in other languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module

from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.joined import JoinedPages
from scrapy_boilernet.extractor.output.language import text_language

LOW_CONFIDENCE = "confidence"
"""The reason if a page is left out because of its confidence."""
FEW_WORDS = "words"
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages of a list such as ``en,de``; raises ``ValueError`` for another text."""
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    wrong = [name for name in names if not _LANGUAGE.fullmatch(name)]
    if wrong or not names:
        raise ValueError(f"{text!r} has no ISO 639-1 codes of languages: give such as en,de")
    return tuple(dict.fromkeys(names))


def check_languages(names: Sequence[str]) -> None:
    """Raise ``ValueError`` for a language that is never detected, so that all pages would be left
    out; ``ImportError`` without the extra ``language``.
    """
    known = {code for code, _ in import_module("py3langid").rank("")}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(
            f"no text is detected as {' or '.join(map(repr, unknown))}: give ISO 639-1 codes of "
            "languages, such as en, de, el (Greek), ja (Japanese), zh (Chinese)"
        )


def reason_against(
    result: LabeledPage | JoinedPages,
    min_confidence: float,
    min_words: int,
    languages: Sequence[str],
) -> str:
    """Return why the page gets no record; "" if it gets one.

    ``languages``: those of the main text that are wanted; () for all. A text that is too short to
    tell its language is left out. Needs the extra ``language``; raises ``ImportError`` without it.
    """
    if result.confidence < min_confidence:
        return LOW_CONFIDENCE
    if min_words and len(token_hashes(result.text)) < min_words:
        return FEW_WORDS
    if languages:
        found = text_language(result.text) or "not known"
        return "" if found in languages else f"language: {found}"
    return ""
