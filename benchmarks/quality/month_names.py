"""Write the names of months that pages use: ``python -m benchmarks.quality.month_names``.

The names come from CLDR, by Babel (``pip install babel``). The result is
``scrapy_boilernet/extractor/output/months.json``, which is read at run time without Babel. Each
language is read in a process of its own, since Babel mixes up the names of languages that it reads
together.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).parents[2] / "scrapy_boilernet/extractor/output/months.json"
LOCALES = (
    "en de de_AT fr es it pt pl ru nl tr cs uk sv da nb nn fi hu ro bg el sk sl hr bs sr sr_Latn "
    "lt lv et eu ca gl id ms th ar ar_LB ar_DZ ar_MA fa bn hi mr ta te kn ml gu pa ur he is ga cy "
    "sq mk be kk hy ka az uz sw af mt fil km my lo ast"
).split()
"""Where two languages call different months by one name, the earlier one wins on pages of neither.
"""
SAME = {"nb": "no", "nn": "no", "fil": "tl"}
"""Codes of languages under which the names are kept, where these are not the locales' own."""
BY_HAND = {
    "en": ((9, "sept"),),
    "de": ((1, "jän"), (2, "feber"), (3, "mrz")),
    "es": ((9, "set"), (9, "setiembre")),
    "fr": ((2, "fev"), (7, "jul")),
    "nl": ((3, "mar"),),
    "id": ((8, "agt"), (11, "nop"), (11, "nopember"), (2, "pebruari")),
    "ru": ((5, "май"), (3, "мар"), (9, "сен"), (11, "ноя"), (9, "сентяб")),
    "uk": ((1, "січ"), (7, "лип")),
    "el": ((3, "μαρτ"), (9, "σεπτ"), (11, "νοε"), (6, "ιουν"), (7, "ιουλ")),
    "bn": ((1, "জানুয়ারি"), (2, "ফেব্রুয়ারি"), (6, "জুন"), (8, "অগস্ট")),
    "hi": ((1, "जन"), (4, "अप्रेल"), (9, "सितम्बर"), (10, "अक्तूबर"), (11, "नवम्बर"), (12, "दिसम्बर")),
    "ur": ((1, "جنوری"),),
    "fa": ((5, "می"), (7, "جولای"), (8, "آگوست")),
    "ar": ((4, "ابريل"), (8, "اغسطس"), (10, "اكتوبر"), (7, "يوليه"), (6, "يونيه")),
    "he": ((3, "מרס"),),
}  # fmt: skip
"""Spellings of newspapers that CLDR does not have."""
_LIST = """
import json, sys
from babel import Locale
months = Locale.parse(sys.argv[1]).months
print(json.dumps([
    [months[form][width][number] for form in ("format", "stand-alone")
     for width in ("wide", "abbreviated")]
    for number in range(1, 13)
]))
"""


def names_of(locale: str) -> list[list[str]]:
    """Return per month its names in the locale, without dots and digits, in lower case."""
    done = subprocess.run(
        [sys.executable, "-c", _LIST, locale], capture_output=True, check=True, text=True
    )
    return [[*inflected(locale, plain(names))] for names in json.loads(done.stdout)]


def plain(names: list[str]) -> list[str]:
    """Return the names without prepositions, dots and duplicates; words are joined by "_"."""
    found = (name.lower().removeprefix("de ").removeprefix("d’").strip(" .") for name in names)
    kept = (name for name in found if len(name) > 1 and not any(map(str.isdigit, name)))
    return [*dict.fromkeys(name.replace(" ", "_") for name in kept)]


def inflected(locale: str, names: list[str]) -> Iterator[str]:
    """Yield the names and the cases that stand in dates and that CLDR does not list."""
    for name in names:
        yield name
        if locale == "he":
            yield f"ב{name}"
        elif locale == "eu" and name.endswith("a") and len(name) > 3:
            yield from (f"{name}ren", f"{name}k", f"{name}n")
        elif locale == "lv" and name.endswith("s"):
            yield f"{name[:-2]}ī" if name.endswith("is") else f"{name[:-1]}ā"


def table() -> dict[str, list[list[str]]]:
    """Return per language and month its names."""
    found: dict[str, list[list[str]]] = {}
    for locale in LOCALES:
        base = locale.partition("_")[0]
        known = found.setdefault(SAME.get(base, base), [[] for _ in range(12)])
        for names, new in zip(known, names_of(locale), strict=True):
            names += [name for name in new if name not in names]
    for language, names_by_hand in BY_HAND.items():
        for number, name in names_by_hand:
            if name not in found[language][number - 1]:
                found[language][number - 1].append(name)
    return found


def text() -> str:
    """Return the content of the file."""
    joined = {language: [*map(" ".join, months)] for language, months in table().items()}
    rows = (f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in joined.items())
    head = '{\n "made_by": "benchmarks/quality/month_names.py, from CLDR",\n "months": {\n'
    return head + ",\n".join(rows) + "\n }\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
