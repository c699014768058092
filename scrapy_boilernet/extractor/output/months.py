"""The names of months in some seventy languages, and the digits of their scripts.

``months.json`` beside this module has the names, from CLDR;
``benchmarks/quality/month_names.py`` writes it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_LEFT_OUT = re.compile("[\u0300-\u036f\u0653-\u0655\u093c\u09bc\u0a3c.'’׳׳`,]")
"""Accents, Arabic hamza, nuktas and signs of abbreviation, after decomposition."""
_ALIKE = str.maketrans({"ı": "i", "ي": "ی", "ى": "ی", "ك": "ک", "ە": "ه"})
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2069\ufeff"))
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_FULL_WIDTH = str.maketrans("：／．，－", ":/.,-")


def month_of(name: str, language: str) -> int:
    """Return the number of the month with this name; 0 if there is none.

    ``language``: the page's, as in ``lang``; it decides where languages call different months by
    one name, such as Polish and Croatian ``listopad``.
    """
    own, common = _tables()
    key = _folded(name)
    return own.get(language[:2].lower(), {}).get(key) or common.get(key, 0)


def with_plain_digits(text: str) -> str:
    """Return the text with digits of all scripts in ASCII, and with names of months as one word."""
    if text.isascii():
        return text
    text = text.translate(_INVISIBLE).translate(_FULL_WIDTH)
    text = _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)
    return text.replace("كانون ال", "كانون_ال").replace("تشرين ال", "تشرين_ال")


@cache
def _tables() -> tuple[Mapping[str, Mapping[str, int]], Mapping[str, int]]:
    """Return the month of each folded name, per language and for all languages."""
    text = (
        files("scrapy_boilernet.extractor.output")
        .joinpath("months.json")
        .read_text(encoding="utf-8")
    )
    own: dict[str, dict[str, int]] = {}
    common: dict[str, int] = {}
    for language, months in json.loads(text)["months"].items():
        own[language] = {
            _folded(name): number
            for number, names in enumerate(months, 1)
            for name in names.split()
        }
        common = {**own[language], **common}
    return own, common


def _folded(name: str) -> str:
    """Return the name in lower case without accents and dots."""
    plain = _LEFT_OUT.sub("", unicodedata.normalize("NFD", name))
    return plain.casefold().translate(_ALIKE)
