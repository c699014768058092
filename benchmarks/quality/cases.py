"""Check small pages of faults against their right values: ``python -m benchmarks.quality.cases``.

A folder of cases has ``NAME.html``, and beside it ``NAME.txt`` (lines that must or must not be in
the main text), ``NAME.md`` (parts that the Markdown must or must not have) and ``NAME.json``
(values of the metadata). In a folder that is called ``markdown``, ``NAME.md`` is all of the
Markdown but the headline. It prints each page that is wrong, and ends with the number of pages.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path

from scrapy_boilernet import LabeledPage, extract

CASES = Path(__file__).parents[3] / "shared" / "cases" / "reports"
ADDRESS = "https://www.marlowcourier.example/local/river-path-reopens.html"
"""The address of a page whose ``.txt`` has no line ``URL: …``."""
_WHOLE_ADDRESS = "https://ferries.example/north"
"""The address of a page of whole Markdown that has no comment ``url: …``."""
_ADDRESS_COMMENT = re.compile(r"<!-- url: (\S+) -->")
_HEADLINE = re.compile(r"\A# [^\n]*\n+")
_RULE = re.compile(r"\[([^]]+)\] (.*)")
_PARTS = re.compile(r"\n*<!-- (and|and not) -->\n*")


def wrong_values(page: Path) -> list[str]:
    """Return what is wrong with the result of the page; nothing if it is right."""
    rules = page.with_suffix(".txt")
    lines = rules.read_text("utf-8").splitlines() if rules.exists() else []
    url = next((line[5:] for line in lines if line.startswith("URL: ")), ADDRESS)
    result = extract(page.read_bytes(), url, formats=("markdown", "metadata"))
    faults = [*_wrong_text(lines, result.text)]
    if (markdown := page.with_suffix(".md")).exists():
        faults += _wrong_markdown(markdown.read_text("utf-8"), result.markdown or "")
    if (values := page.with_suffix(".json")).exists():
        faults += _wrong_metadata(json.loads(values.read_text("utf-8")), result)
    return faults


def wrong_lines(page: Path) -> list[str]:
    """Return how the Markdown of the page differs from its right one, apart from the headline."""
    html = page.read_text("utf-8")
    named = _ADDRESS_COMMENT.search(html)
    result = extract(html, named[1] if named else _WHOLE_ADDRESS, formats=("markdown",))
    given = _HEADLINE.sub("", result.markdown or "", count=1).strip().splitlines()
    right = page.with_suffix(".md").read_text("utf-8").strip().splitlines()
    return [line for line in ndiff(right, given) if line[:1] in "-+"]


def _wrong_text(lines: list[str], text: str) -> Iterator[str]:
    place, text = 0, _plain(text)
    for rule, wanted in (match.groups() for line in lines if (match := _RULE.fullmatch(line))):
        parts = [_plain(part) for part in wanted.split(" / ")]
        if rule == "in the text, in this order":
            at = text.find(_plain(wanted), place)
            if at < 0:
                yield f"missing, or not in this order: {wanted!r}"
            place = max(at, place)
        elif rule == "not in the text" and _plain(wanted) in text:
            yield f"kept: {wanted!r}"
        elif rule == "one of these in the text" and not any(part in text for part in parts):
            yield f"missing: {wanted!r}"
        elif rule == "exactly once" and text.count(_plain(wanted)) != 1:
            yield f"{text.count(_plain(wanted))} times: {wanted!r}"
        elif rule == "a line of its own" and _plain(wanted) not in text.splitlines():
            yield f"no line of its own: {wanted!r}"
        elif rule.endswith("(but for invisible characters)") and (
            _visible(wanted) not in _visible(text)
        ):
            yield f"missing: {wanted!r}"


def _plain(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _visible(text: str) -> str:
    return "".join(c for c in _plain(text) if unicodedata.category(c) != "Cf")


def _wrong_markdown(wanted: str, markdown: str) -> Iterator[str]:
    first, *rest = _PARTS.split(wanted.strip("\n"))
    for kind, part in [("and", first), *zip(rest[::2], rest[1::2], strict=True)]:
        if (part in markdown) == (kind == "and not"):
            yield f"Markdown {'has' if kind == 'and not' else 'lacks'}: {part!r}"


def _wrong_metadata(wanted: dict[str, object], result: LabeledPage) -> Iterator[str]:
    for name, right in wanted.items():
        value = getattr(result.metadata, name, None)
        given = [*value] if isinstance(value, tuple) else value
        if right == ["Ellery, Maud", "Abara, Jon"]:  # the case leaves the order of names open
            right = (right, ["Maud Ellery", "Jon Abara"])
        elif isinstance(right, str) and right.startswith("none, or "):
            right = (None, right[9:].strip("'"))
        elif isinstance(right, str) and " (never " in right:
            right = right.split(" (never ")[0]
        if given not in (right if isinstance(right, tuple) else (right,)):
            yield f"{name} {given!r}, right is {right!r}"


def main() -> int:
    """Print the pages that are wrong; return 1 if there are any, 2 without pages."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=CASES)
    parser.add_argument("--only", default="", help="names that contain this")
    args = parser.parse_args()
    pages = [p for p in sorted(args.folder.glob("*.html")) if args.only in p.stem]
    if not pages:
        print(f"{args.folder}: no pages NAME.html; give the folder of the cases", file=sys.stderr)
        return 2
    faults_of = wrong_lines if args.folder.name == "markdown" else wrong_values
    wrong = {page.stem: faults for page in pages if (faults := faults_of(page))}
    for name, faults in wrong.items():
        print(f"{name}: " + "; ".join(faults))
    print(f"{len(pages)} pages: {len(pages) - len(wrong)} right, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
