"""How well pages in other encodings than UTF-8 are read, and what decides it.

    python -m benchmarks.hostile.charsets daniel-waddle by-hand mercury fundus --out-markdown FILE

Real pages in UTF-8 are rewritten in nine encodings, each declared in five ways, and extracted from
their bytes and URL; the text is compared with the original page's. The report also has the
measurements behind the decoder's constants: detectors, how much of a page a detector needs, and how
often text in another encoding is valid UTF-8 by accident.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from statistics import mean
from time import perf_counter

from w3lib.encoding import resolve_encoding

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.encoding import (
    DETECTED_BYTES,
    MIN_UTF8_CONTINUATION_BYTES,
    top_level_domain,
)
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.metrics import word_score

LANGUAGES = {
    "gb18030": "zh",
    "big5": "zh",
    "shift_jis": "ja",
    "euc-jp": "ja",
    "euc-kr": "ko",
    "windows-1251": "ru",
    "koi8-r": "ru",
    "windows-1252": "de fr es it",
    "iso-8859-2": "pl cs hu",
}
"""Per encoding the languages of the pages that are written in it."""
MIN_BEYOND_ASCII = 20
"""Least characters outside ASCII of a drawn page: fewer do not show an encoding."""
MAX_LOST = 0.1
"""Largest share of these characters that the encoding may lack; they are written as references
(``&#9731;``), as authors do."""
TARGET, LEAST = 0.97, 0.70
_DECLARATION = re.compile(r"<meta[^>]*charset[^>]*>|<\?xml[^>]*\?>", re.IGNORECASE)
_TEXT = re.compile(r"(?is)<(script|style)\b.*?</\1>|<[^>]*>")
_HEAD = re.compile(r"(?i)<head[^>]*>|<html[^>]*>|\A")
SAMPLES = (100, 1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Drawn:
    """A page that was drawn."""

    html: str
    """Its source, without any declaration of an encoding."""
    url: str | None


def main() -> None:
    """Measure and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("datasets", nargs="+", type=Path, metavar="DATASET")
    parser.add_argument("--pages", type=int, default=50, help="per encoding, at most (default: 50)")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Encodings")
    by_language = pages_by_language(options.datasets, options.cache)
    drawn = {encoding: list(draw(encoding, by_language, options.pages)) for encoding in LANGUAGES}
    write_table(report, drawn, options.engine)
    write_detectors(report, drawn)
    write_samples(report, drawn)
    write_accidents(report, drawn)
    report.write(options, None)


def pages_by_language(sets: Sequence[Path], cache: Path) -> dict[str, list[GoldPage]]:
    """Return the sets' pages that are valid UTF-8, by the first two letters of their language."""
    by_language: dict[str, list[GoldPage]] = {}
    for path in sets:
        for page in read_pages(open_dataset(path, cache)):
            try:
                page.html.decode("utf-8")
            except UnicodeDecodeError:
                continue
            by_language.setdefault((page.language or "")[:2], []).append(page)
    return by_language


def draw(encoding: str, pages: dict[str, list[GoldPage]], number: int) -> Iterator[Drawn]:
    """Yield pages that the encoding can write, drawn with a fixed seed."""
    wanted = [page for name in LANGUAGES[encoding].split() for page in pages.get(name, ())]
    random.Random(0).shuffle(wanted)
    for page in wanted:
        html = _DECLARATION.sub("", page.html.decode("utf-8").removeprefix("\ufeff"))
        beyond = [character for character in html if character > "\x7f"]
        lost = {each for each in set(beyond) if not each.encode(encoding, errors="ignore")}
        few = len(beyond) < MIN_BEYOND_ASCII
        if number and not few and sum(map(lost.__contains__, beyond)) <= MAX_LOST * len(beyond):
            number -= 1
            yield Drawn(html, page.url)


Declaring = Callable[[str, str], tuple[bytes, str | None]]
"""Takes a page's source and an encoding; returns the bytes and the header's charset."""


def written(html: str, encoding: str) -> bytes:
    """Return the page in the encoding; characters that it lacks become references."""
    return html.encode(encoding, errors="xmlcharrefreplace")


def declared(html: str, name: str, before: str = "") -> str:
    """Return the page with a declaration at the beginning of its head, after ``before``."""
    tag = f'{before}<meta http-equiv="Content-Type" content="text/html; charset={name}">'
    return _HEAD.sub(lambda match: match[0] + tag, html, count=1)


DECLARATIONS: dict[str, Declaring] = {
    "declared": lambda html, name: (written(declared(html, name), name), None),
    "not declared": lambda html, name: (written(html, name), None),
    "stale over UTF-8": lambda html, name: (declared(html, name).encode(), None),
    "header right, page wrong": lambda html, name: (written(declared(html, "utf-8"), name), name),
    "declared after 3,000 bytes": lambda html, name: (
        written(declared(html, name, f"<!--{'tide pools '.ljust(3_000, '.')}-->"), name),
        None,
    ),
}


def write_table(report: Report, drawn: dict[str, list[Drawn]], engine: str) -> None:
    """Add the table of encodings and declarations."""
    report.text(
        "Real pages in UTF-8, rewritten in another encoding and extracted from bytes and URL. A "
        "cell is the mean word-F1 against the text of the original page; in brackets is the lowest "
        "of a page. *No URL*: not declared, and no top-level domain to help the detector, against "
        "the original page without its URL."
    )
    columns = [*DECLARATIONS, "no URL"]
    rows, cells = [], []
    for encoding, pages in drawn.items():
        scores = scores_of(pages, encoding, engine)
        means = [mean(scores[name]) for name in columns] if pages else []
        cells += means[: len(DECLARATIONS)]
        shown = [
            f"{score:.3f} [{min(scores[name]):.3f}]"
            for name, score in zip(columns, means, strict=False)
        ]
        rows.append([encoding, str(len(pages)), *shown])
    report.table(["encoding", "pages", *columns], rows)
    reached = "reached" if mean(cells) >= TARGET and min(cells) >= LEAST else "missed"
    report.text(
        f"Mean of the {len(cells)} cells (*no URL* left out): {mean(cells):.3f}, the lowest "
        f"{min(cells):.3f}. Wanted: {TARGET} and {LEAST:.2f}; {reached}."
    )
    report.figures["cells"] = {"mean": mean(cells), "lowest": min(cells)}


def scores_of(pages: Sequence[Drawn], encoding: str, engine: str) -> dict[str, list[float]]:
    """Return the pages' word-F1 per declaration of the encoding."""
    scores: dict[str, list[float]] = {name: [] for name in [*DECLARATIONS, "no URL"]}
    for page in pages:
        plain = declared(page.html, "utf-8").encode()
        truth = extracted(plain, page.url, None, engine)
        for name, declare in DECLARATIONS.items():
            body, charset = declare(page.html, encoding)
            scores[name].append(f1(extracted(body, page.url, charset, engine), truth))
        text = extracted(written(page.html, encoding), None, None, engine)
        scores["no URL"].append(f1(text, extracted(plain, None, None, engine)))
    return scores


def extracted(body: bytes, url: str | None, charset: str | None, engine: str) -> str:
    """Return the main text that ``extract`` finds."""
    return extract(body, url=url, charset=charset, engine=engine).text


def f1(text: str, truth: str) -> float:
    """Return the word-F1; 1.0 if there is no text and none is expected."""
    return 1.0 if text == truth else word_score(text, truth).f1


def chardetng(body: bytes, domain: str | None) -> str | None:
    """Return the guess of Firefox's detector."""
    detector = import_module("chardetng_py").EncodingDetector()
    detector.feed(body, last=False)
    guess: str = detector.guess(tld=domain.encode() if domain else None, allow_utf8=False)
    return guess


def cchardet(body: bytes, _domain: str | None) -> str | None:
    """Return the guess of uchardet, Firefox's former detector."""
    guess: str | None = import_module("cchardet").detect(body)["encoding"]
    return guess


def charset_normalizer(body: bytes, _domain: str | None) -> str | None:
    """Return the guess of the detector that Scrapy brings from 2.19 on."""
    best = import_module("charset_normalizer").from_bytes(body).best()
    return best.encoding if best else None


DETECTORS = {
    "chardetng-py": chardetng,
    "faust-cchardet": cchardet,
    "charset-normalizer": charset_normalizer,
}


def write_detectors(report: Report, drawn: dict[str, list[Drawn]]) -> None:
    """Add how often each detector is right on the undeclared pages, and its time on 1 MB."""
    report.text(
        "Detectors on the same pages, not declared: pages that are read right, with less than 1 % "
        "of the characters outside ASCII wrong, and the time for a page of 1 MB, joined from these "
        "pages."
    )
    rows = []
    for name, guess in DETECTORS.items():
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            report.lacks(f"the detector {name}: pip install {name}")
            continue
        right = dict.fromkeys(drawn, 0)
        for encoding, pages in drawn.items():
            for page in pages:
                body = written(page.html, encoding)
                right[encoding] += is_right(body, encoding, guess(body, top_level_domain(page.url)))
        times = [
            1000 * seconds(guess, encoding, pages) for encoding, pages in drawn.items() if pages
        ]
        shown = [f"{right[encoding]} of {len(pages)}" for encoding, pages in drawn.items()]
        rows.append([f"{name} {version}", *shown, f"{mean(times):.0f} ms"])
    report.table(["detector", *drawn, "1 MB"], rows)


def is_right(body: bytes, encoding: str, guess: str | None) -> bool:
    """Whether the guess reads the page as its encoding does."""
    codec = (resolve_encoding(guess) if guess else None) or "cp1252"
    truth = body.decode(resolve_encoding(encoding) or encoding, errors="replace")
    text = body.decode(codec, errors="replace")
    beyond = sum(character > "\x7f" for character in truth)
    return len(text) == len(truth) and (
        sum(a != b for a, b in zip(text, truth, strict=True)) < 0.01 * beyond
    )


def seconds(
    guess: Callable[[bytes, str | None], str | None], encoding: str, pages: Sequence[Drawn]
) -> float:
    """Return the time for 1 MB of pages in the encoding."""
    body = b""
    while len(body) < 1_000_000:
        body += b"".join(written(page.html, encoding) for page in pages)
    begin = perf_counter()
    guess(body[:1_000_000], None)
    return perf_counter() - begin


def write_samples(report: Report, drawn: dict[str, list[Drawn]]) -> None:
    """Add how often chardetng is right if it sees only the beginning of the pages."""
    report.text(
        f"chardetng-py with only so many bytes outside ASCII of each page, and the domain; the "
        f"decoder gives it {DETECTED_BYTES:,}."
    )
    rows = []
    for size in SAMPLES:
        shown = []
        for encoding, pages in drawn.items():
            bodies = [written(page.html, encoding) for page in pages]
            right = sum(
                is_right(body, encoding, chardetng(prefix(body, size), top_level_domain(page.url)))
                for body, page in zip(bodies, pages, strict=True)
            )
            shown.append(f"{right} of {len(pages)}")
        rows.append([f"{size:,}", *shown])
    report.table(["bytes", *drawn], rows)


def prefix(body: bytes, size: int) -> bytes:
    """Return the page up to so many bytes outside ASCII."""
    places = [place for place, byte in enumerate(body) if byte > 0x7F]
    return body[: places[size]] if size < len(places) else body


def write_accidents(report: Report, drawn: dict[str, list[Drawn]]) -> None:
    """Add how many lines of text are valid UTF-8 though they are in another encoding."""
    shares = {
        encoding: min(
            (undecodable(written(page.html, encoding)) for page in pages), default=float("nan")
        )
        for encoding, pages in drawn.items()
    }
    report.text(
        "The same pages read as UTF-8: the least share of undecodable among the characters "
        "outside ASCII of any page."
    )
    report.table([*shares], [[f"{share:.2f}" for share in shares.values()]])
    report.text(
        "Lines of these pages with characters outside ASCII that are valid UTF-8 by accident in "
        "each encoding, by their number of continuation bytes. The decoder takes "
        f"{MIN_UTF8_CONTINUATION_BYTES} as proof."
    )
    rows = []
    for encoding, pages in drawn.items():
        lines = {line for page in pages for line in lines_of(page)}
        counts: Counter[int] = Counter()
        for line in lines:
            body = line.encode(encoding, errors="ignore")
            try:
                counts[len(body) - len(body.decode("utf-8"))] += not body.isascii()
            except UnicodeDecodeError:
                continue
        counted = ", ".join(f"{counts[n]} with {n}" for n in sorted(counts) if counts[n])
        rows.append([encoding, f"{len(lines):,}", counted or "none"])
    report.table(["encoding", "lines", "valid UTF-8"], rows)


def undecodable(body: bytes) -> float:
    """Return the share of undecodable among the characters outside ASCII, read as UTF-8."""
    text = body.decode("utf-8", errors="replace")
    return text.count("\ufffd") / sum(character > "\x7f" for character in text)


def lines_of(page: Drawn) -> Iterator[str]:
    """Yield the lines of the page's text that are not ASCII."""
    for line in _TEXT.sub("\n", page.html).split("\n"):
        if line.strip() and not line.isascii():
            yield line.strip()


if __name__ == "__main__":
    main()
