r"""How far a page's text depends on the way its source is written.

    python -m benchmarks.hostile.metamorphic SET... --pages 200 \
        --out-markdown docs/results/robustness/metamorphic.md

Each rewriting of :data:`REWRITINGS` changes nothing that a browser shows. The text of the blocks
must be the same, and the main text that the model makes of them is compared.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import draw_pages
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import decode
from scrapy_boilernet.extractor.html.walk import INLINE_TAGS
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import Units
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.metrics import word_score
from scrapy_boilernet.workers.progress import progress
from tests.testing.tokenized import Token, tokens_of, with_comments_between

SPLITTING = ("comments between tags", "comments within text")
"""Rewritings that split DOM text nodes; the leaves are compared by all their text together."""
_REFERENCE = re.compile(r"&[#\w]*;?")
_SPACES = re.compile(r"[ \t\r\n]+")
_KEPT = frozenset({"pre", "textarea", "listing", "plaintext"})
"""Elements that show white space as it is."""
_BESIDE_TEXT = INLINE_TAGS | frozenset(
    "img input button select textarea label svg math object embed iframe audio video canvas applet "
    "map area output meter progress script style template noscript slot picture".split()
)
"""Elements in a line of text; white space beside any other element is not shown."""


@dataclass
class Tally:
    """What one rewriting changed on the pages."""

    pages: int = 0
    """Pages whose source it changed."""
    other_blocks: list[str] = field(default_factory=list)
    """Pages whose blocks have other texts."""
    other_leaves: list[str] = field(default_factory=list)
    other_texts: list[str] = field(default_factory=list)
    """Pages with another main text, though their blocks are the same."""
    scores: list[float] = field(default_factory=list)
    """Word-F1 of the main text against the original page's; 1 if they are the same."""


def main() -> None:
    """Measure and write the report."""
    options = arguments()
    report = Report("The same page, written differently")
    sets = draw_pages(report, options.sets, {}, options.pages, options.cache)
    labeler = load_labeler(options.model, options.engine)
    pages = [page for drawn in sets.values() for page in drawn]
    tallies = {name: Tally() for name in REWRITINGS}
    for page in progress(pages, len(pages), "pages"):
        compare(page, labeler, tallies)
    counts = ", ".join(f"{len(pages)} of {name}" for name, pages in sets.items())
    write_table(report, tallies, f"the model `{options.model}` ({options.engine}) on {counts}")
    report.write(options, None)


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", type=int, default=200, help="of each set")
    parser.add_argument("--model", default="default", help="one that labels blocks")
    parser.add_argument("--engine", default="numpy")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    return parser.parse_args()


def compare(page: GoldPage, labeler: Labeler, tallies: dict[str, Tally]) -> None:
    """Add what each rewriting does to the page."""
    html = decode(page.html, page.encoding)
    before = blockify(html, page.url)
    leaves = texts_of(html, "leaf")
    main_text = label_page(before, labeler).text
    for name, rewrite in REWRITINGS.items():
        tally, written = tallies[name], rewrite(html)
        if written == html:
            continue
        after = blockify(written, page.url)
        text = label_page(after, labeler).text
        tally.pages += 1
        tally.scores.append(1.0 if text == main_text else word_score(text, main_text).f1)
        if _texts(after) != _texts(before):
            tally.other_blocks.append(f"{page.dataset}/{page.id}")
        elif text != main_text:
            tally.other_texts.append(f"{page.dataset}/{page.id}")
        own = texts_of(written, "leaf")
        if own != leaves and (name not in SPLITTING or _whole(own) != _whole(leaves)):
            tally.other_leaves.append(f"{page.dataset}/{page.id}")


def texts_of(html: str, units: Units) -> list[str]:
    """Return the texts of all of the page's units."""
    return _texts(blockify(html, units=units, max_blocks=len(html)))


def _texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def _whole(texts: Sequence[str]) -> str:
    return "".join("".join(texts).split())


def write_table(report: Report, tallies: dict[str, Tally], measured: str) -> None:
    """Add the table; ``measured``: the model and the pages."""
    report.text(
        "No rewriting changes what a browser shows. Other blocks, other leaves: pages whose "
        "blocks, or whose DOM text nodes, have other texts than before (where comments split text "
        "nodes, all their text together is compared). Other main text: the blocks are the same, "
        "but the model labels some differently. F1: the words of the main text against those "
        f"before, over all pages that were changed; {measured}."
    )
    header = ["rewriting", "pages", "other blocks", "other leaves", "other main text",
              "F1 below 1", "mean F1", "least F1"]  # fmt: skip
    report.table(header, [_row(name, tally) for name, tally in tallies.items()])
    report.figures = {name: vars(tally) for name, tally in tallies.items()}


def _row(name: str, tally: Tally) -> list[str]:
    scores: Sequence[float] = tally.scores or [1.0]
    below = sum(score < 1 for score in scores)
    counts = (tally.pages, *map(len, (tally.other_blocks, tally.other_leaves, tally.other_texts)))
    mean = sum(scores) / len(scores)
    return [name, *map(str, (*counts, below)), f"{mean:.5f}", f"{min(scores):.3f}"]


def with_comments_within(html: str) -> str:
    """Return the page with a comment in the middle of each text, perhaps within a word."""
    return "".join(
        with_comment(token.source, len(token.source) // 2) if token.kind == "text" else token.source
        for token in tokens_of(html)
    )


def with_comment(text: str, place: int, comment: str = "<!-- a comment -->") -> str:
    """Return a text of a page's source with a comment before the character at ``place``.

    The text is unchanged if the comment would split a reference, or if it is white space only.
    """
    inside = any(
        reference.start() < place <= reference.end() for reference in _REFERENCE.finditer(text)
    )
    return text if inside or text.isspace() else f"{text[:place]}{comment}{text[place:]}"


def with_longer_spaces(html: str) -> str:
    """Return the page with more white space wherever white space collapses."""
    return "".join(
        token.source if kept or token.kind != "text" else _SPACES.sub("\n \t\\g<0>", token.source)
        for token, kept in _with_kept(html)
    )


def with_spaces_between(html: str) -> str:
    """Return the page with white space between tags, unless both are of inline elements."""
    pairs = [*_with_kept(html), (Token("", "other"), True)]
    parts = []
    for (token, kept), (following, _) in pairwise(pairs):
        parts.append(token.source)
        if (
            not kept
            and {token.kind, following.kind} <= {"start", "end"}
            and _shows_none(token, following)
        ):
            parts.append("\n\t  ")
    return "".join(parts)


def _shows_none(*tags: Token) -> bool:
    return any(tag.name not in _BESIDE_TEXT for tag in tags)


def _with_kept(html: str) -> Iterator[tuple[Token, bool]]:
    """Yield each token, and whether white space in it and after it is shown as it is."""
    depth = 0
    for token in tokens_of(html):
        if token.name in _KEPT and token.kind in ("start", "end"):
            depth = depth + 1 if token.kind == "start" else max(0, depth - 1)
        yield token, depth > 0


def with_attributes_reversed(html: str) -> str:
    """Return the page with the attributes of each element in reverse."""

    def reverse(token: Token) -> Token:
        names = [name.lower() for name, _ in token.attributes]
        if len(set(names)) < max(2, len(names)):
            return token
        return replace(token, attributes=token.attributes[::-1])

    return _rewritten(html, reverse)


def with_capitals(html: str) -> str:
    """Return the page with the names of elements and attributes in capitals."""
    return _rewritten(
        html,
        lambda token: replace(
            token,
            name=_upper(token.name),
            attributes=tuple((_upper(name), value) for name, value in token.attributes),
        ),
    )


def _upper(name: str) -> str:
    return name.upper() if name.isascii() else name


def _rewritten(html: str, rewrite: Callable[[Token], Token]) -> str:
    return "".join(_source(token, rewrite(token)) for token in tokens_of(html))


def _source(before: Token, after: Token) -> str:
    if before == after:
        return before.source
    if after.kind == "end":
        return f"</{after.name}>"
    if after.kind != "start":
        return before.source
    attributes = "".join(f" {name}{value}" for name, value in after.attributes)
    return f"<{after.name}{attributes}{after.rest}>"


def with_body_in_div(html: str) -> str:
    """Return the page with its body's content in a ``<div>``; unchanged without ``<body>``."""
    parts = tokens_of(html)
    begin = next((i for i, t in enumerate(parts) if (t.kind, t.name) == ("start", "body")), None)
    if begin is None:
        return html
    ends = [i for i, t in enumerate(parts) if t.kind == "end" and t.name in ("body", "html")]
    end = next((i for i in ends if i > begin), len(parts))
    sources = [token.source for token in parts]
    return "".join(
        (*sources[: begin + 1], "<div>", *sources[begin + 1 : end], "</div>", *sources[end:])
    )


REWRITINGS: dict[str, Callable[[str], str]] = {
    "comments between tags": with_comments_between,
    "comments within text": with_comments_within,
    "longer white space": with_longer_spaces,
    "white space between tags": with_spaces_between,
    "attributes in reverse": with_attributes_reversed,
    "names in capitals": with_capitals,
    "the body in a div": with_body_in_div,
}


if __name__ == "__main__":
    main()
