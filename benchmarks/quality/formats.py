"""Markdown and HTML of real pages: lost words and kept structure, beside two libraries.

    python -m benchmarks.quality.formats wcxb-dev mercury by-hand --pages 100 --out-markdown FILE

The libraries get our clean fragment of HTML. markdown-it-py reads the Markdown of all; it, and the
libraries, are installed by ``pip install markdown-it-py markdownify html-to-markdown``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import compress
from time import process_time
from typing import Any, TypeVar

from parsel import Selector

from benchmarks.common.measuring import one_core
from benchmarks.common.reporting import Report
from benchmarks.common.subjects import page_options, requested_pages
from scrapy_boilernet.extractor.decide.tables import data_tables
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.markup import FORMULA, NOTE, SUBSCRIPT, SUPERSCRIPT
from scrapy_boilernet.extractor.options import CONTENT
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.extractor.page import HEADING_TAGS
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.workers.progress import progress
from tests.testing.rendered import CALLOUT, fragment_tree, kind_words, without_signs
from tests.testing.rendered import words as runs_of

T = TypeVar("T")
OURS = "ours"
STRUCTURE = (
    "headings", "links", "list items", "table cells", "code lines", "callouts", "rules", "terms",
    "formulas", "raised", "note marks", "notes", "tasks", "images",
)  # fmt: skip
_EXPLAINED = """\
Words are runs of letters and digits in lower case, counted in the rendered text; images'
alternative text is not shown. Structure is counted in the page's own tree, in what is kept:
heading and list item elements with kept text, links with kept text and an address (but signs such
as `¶` that link to their own heading), cells of data tables (`extractor/decide/tables.py`),
lines of `<pre>`, callouts (`extractor/html/callouts.py`), `<hr>` between two kept texts, terms and
summaries, which ours have in bold, formulas, superscripts and subscripts, marks of notes and the
notes that are kept, items with a box to tick, and images in kept text. A page counts at most as
many as its tree has. Markdown has the kinds of callouts instead of titles that name them. A
headline that is no content is left out. Superscripts are words as in the plain text; the label with
which a note begins is none, and neither is a line of `_`. The addresses of what a page embeds are
none. Links between marks and notes are footnotes in our formats, so they and the notes count as
lost links and list items. Time: CPU time of writing all pages, as a ratio to our Markdown; a
library begins with our HTML, ours with the labeled page."""
_ALERT, _NOTE = "markdown-alert ", "#fn-"
_EMBED = re.compile(r'<a href="[^"]*" class="embed">[^<]*</a>')
"""A video or the like in our HTML."""
_AUTOLINK = re.compile(r"^((?:[> ]|[-*] |\d+[.)] )*)<https?://[^\s<>]+>$", re.MULTILINE)
"""The same in Markdown."""
_RAISED = re.compile(r"<su[pb]>")
_NOTE_LINK = re.compile(r'<sup><a href="#fn-\w+">(\w+)</a></sup>')
_FORMULA = re.compile(r"(?<!\\)(\$\$?)(?!\s*\Z)(.+?)(?<!\\)\1", re.DOTALL)
_TASK = re.compile(r"^[ >]*(?:(?:[-*]|\d+[.)]|>) )+\[[x ]\] ", re.MULTILINE)
_NOTE_MARK = re.compile(r"(?<!\\)\[\^(\w+)\](: )?")
"""A note mark in Markdown, or the beginning of a note."""


def _as_in_text(mark: re.Match[str]) -> str:
    return "" if mark[2] else f" [{mark[1]}] "


@dataclass
class Kept:
    """What one writer keeps, over all pages."""

    lost: int = 0
    added: int = 0
    """Words."""
    pages: int = 0
    """Pages with other words than the plain text."""
    failed: int = 0
    seconds: float = 0.0
    """CPU time of writing."""
    structure: Counter[str] = field(default_factory=Counter)


def main() -> None:
    """Measure and write."""
    one_core()
    options = page_options(__doc__ or "")
    report = Report("Markdown and HTML")
    labeler = load_labeler(options.model)
    report.text(_EXPLAINED)
    pages = requested_pages(report, options)
    compare(pages, labeler, report)
    report.write(options, None)


def compare(pages: Sequence[GoldPage], labeler: Labeler, report: Report) -> None:
    """Add to the report what each writer keeps of the pages."""
    render = renderer(report)
    others = libraries(report) if render else {}
    found: dict[str, Kept] = {f"{OURS}, HTML": Kept()}
    found |= {name: Kept() for name in (f"{OURS}, Markdown", *others) if render}
    expected: Counter[str] = Counter()
    for source in progress(pages, len(pages), "formats"):
        page = blockify(source.html, source.url, markup=True)
        labeled = label_page(page, labeler)
        result = with_formats(labeled, ("markdown", "html"), beside=())
        for name, own in ((f"{OURS}, HTML", "html"), (f"{OURS}, Markdown", "markdown")):
            if name in found:
                timed(found[name], partial(with_formats, labeled, (own,), beside=()))
        words, structure = _words_in(labeled), structure_of(labeled, source)
        expected += structure + Counter({"words": words.total()})
        html = _EMBED.sub("", result.html or "")
        count(found[f"{OURS}, HTML"], html, words, structure)
        if render:
            markdown = _AUTOLINK.sub(r"\1", result.markdown or "")
            marked = without_signs(_NOTE_MARK.sub(_as_in_text, markdown))
            shown = words - kind_words(result.html or "")
            stated = _stated_in(result.markdown or "")
            count(found[f"{OURS}, Markdown"], render(marked), shown, structure, stated)
        for name, convert in others.items():
            try:
                made = timed(found[name], partial(convert, html))
                count(found[name], render(made), words, structure)  # type: ignore[misc]
            except Exception:  # a library's failure is one of its figures
                found[name].failed += 1
    write(found, expected, report)


def write(found: Mapping[str, Kept], expected: Counter[str], report: Report) -> None:
    """Add the table to the report; ``expected``: the words and structure that the pages have."""
    rows = []
    ours = found.get(f"{OURS}, Markdown", Kept()).seconds
    for name, kept in found.items():
        time = f"{kept.seconds / ours:.2f}" if ours else ""
        shares = [f"{kept.structure[each]} of {expected[each]}" for each in STRUCTURE]
        counts = map(str, (kept.lost, kept.added, kept.pages, kept.failed))
        rows.append([name, time, *counts, *shares])
        report.figures[name] = {**vars(kept), "structure": dict(kept.structure)}
    report.text(f"{expected['words']:,} words in all.")
    header = [
        "writer", "time", "words lost", "added", "pages with other words", "failed", *STRUCTURE,
    ]  # fmt: skip
    report.table(header, rows)
    report.figures["expected"] = dict(expected)


def timed(kept: Kept, write: Callable[[], T]) -> T:
    """Return what the writer makes, and add its CPU time to the counts."""
    begin = process_time()
    made = write()
    kept.seconds += process_time() - begin
    return made


def renderer(report: Report) -> Callable[[str], str] | None:
    """Return the function from Markdown to HTML; None if it is not installed."""
    try:
        parser = import_module("markdown_it").MarkdownIt("commonmark")
    except ModuleNotFoundError:
        report.lacks("markdown-it-py, so no Markdown is read: pip install markdown-it-py")
        return None
    render: Callable[[str], str] = parser.enable(["table", "strikethrough"]).render
    return render


def libraries(report: Report) -> Mapping[str, Callable[[str], str]]:
    """Return the libraries that are installed."""
    found: dict[str, Callable[[str], str]] = {}
    try:
        convert = import_module("markdownify").markdownify
        found["markdownify"] = lambda html: str(convert(html, heading_style="ATX"))
    except ModuleNotFoundError:
        report.lacks("markdownify: pip install markdownify")
    try:
        other = import_module("html_to_markdown").convert
        found["html-to-markdown"] = lambda html: _content(other(html))
    except ModuleNotFoundError:
        report.lacks("html-to-markdown: pip install html-to-markdown")
    return found


def _content(converted: Any) -> str:
    return converted if isinstance(converted, str) else str(converted.content)


def count(
    kept: Kept,
    html: str | None,
    words: Counter[str],
    structure: Counter[str],
    stated: Mapping[str, int] | None = None,
) -> None:
    """Add the words and the structure that a page's HTML keeps.

    ``stated``: how many there are of what the HTML does not tell.
    """
    tree = fragment_tree(html or "")
    found = words_of(_shown(html or "", tree))
    kept.lost += (words - found).total()
    kept.added += (found - words).total()
    kept.pages += found != words
    lines = [line for pre in tree.iter("pre") for line in pre.text_content().split("\n")]
    classes = [e.get("class") or "" for e in tree.iter("div", "span")]
    marks = [a for a in tree.iter("a") if (a.get("href") or "").startswith(_NOTE)]
    own = {
        "callouts": sum(name.startswith(_ALERT) for name in classes),
        "formulas": sum(name.startswith("math ") for name in classes),
        "raised": len([*tree.iter("sup", "sub")]) - len(marks),
        "note marks": len(marks),
        "notes": len([e for e in tree.iter("div") if (e.get("id") or "").startswith("fn-")]),
        "tasks": len([*tree.iter("input")]),
        "images": len([*tree.iter("img")]),
        "rules": len([*tree.iter("hr")]),
        "terms": len([p for p in tree.iter("p") if _is_bold(p)]),
        "headings": len([e for e in tree.iter(*HEADING_TAGS) if e.text_content().strip()]),
        "links": len([a for a in tree.iter("a") if a.get("href") and a.text_content().strip()]),
        "list items": len([e for e in tree.iter("li") if e.text_content().strip()]),
        "table cells": len([e for e in tree.iter("td", "th") if e.text_content().strip()]),
        "code lines": sum(bool(line.strip()) for line in lines),
        **(stated or {}),
    }
    kept.structure += Counter({name: min(own[name], structure[name]) for name in STRUCTURE})


def words_of(text: str) -> Counter[str]:
    """Return the words of a text; a line of ``_`` is a thematic break in our formats."""
    return Counter({word: n for word, n in runs_of(text).items() if word.strip("_")})


def _words_in(labeled: LabeledPage) -> Counter[str]:
    """Return the words of the plain text without the labels with which notes begin."""
    words = words_of(labeled.text)
    kept = [*compress(labeled.page.blocks, labeled.kept)]
    for node, label in labeled.page.markup.notes if labeled.page.markup else ():
        first = next((block.text for block in kept if node in block.nodes), "")
        if first.startswith(f"[{label}]"):
            words.subtract([label.lower()])
    return +words


def _stated_in(markdown: str) -> dict[str, int]:
    """Return how many there are in Markdown of what its HTML does not tell."""
    notes = [bool(mark[2]) for mark in _NOTE_MARK.finditer(markdown)]
    return {
        "callouts": len(CALLOUT.findall(markdown)),
        "formulas": len(_FORMULA.findall(markdown)),
        "note marks": notes.count(False),
        "notes": notes.count(True),
        "tasks": len(_TASK.findall(markdown)),
    }


def _is_bold(paragraph: Any) -> bool:
    first = next(iter(paragraph), None)
    return (
        first is not None
        and first.tag == "strong"
        and first.text_content().strip() == paragraph.text_content().strip()
    )


def _shown(html: str, tree: Any) -> str:
    """Return the text that HTML shows, with superscripts and note marks as in the plain text."""
    if not _RAISED.search(html):
        return str(tree.text_content())
    marked = _NOTE_LINK.sub(r" [\1] ", html)
    page = blockify(f"<div>{marked}</div>")
    return "\n".join(block.text for block in page.blocks)


def structure_of(labeled: LabeledPage, source: GoldPage) -> Counter[str]:
    """Return the structure of the kept blocks, counted in the page's own tree."""
    nodes: dict[str, set[int]] = {"headings": set(), "list items": set(), "table cells": set()}
    kept = {i for i, label in enumerate(labeled.labels) if label == CONTENT}
    in_tables = {i for rows in data_tables(labeled.page).values() for row in rows for i in row}
    lines = 0
    for i in kept:
        block = labeled.page.blocks[i]
        for tag, node in zip(block.tags, block.nodes, strict=True):
            if i in in_tables and tag in ("td", "th"):
                nodes["table cells"].add(node)
            elif tag in HEADING_TAGS and i not in in_tables:
                nodes["headings"].add(node)
            elif tag == "li" and i not in in_tables:
                nodes["list items"].add(node)
        lines += sum(bool(line.strip()) for line in block.preformatted.split("\n"))
    found = Counter({name: len(own) for name, own in nodes.items()})
    found["code lines"] = lines
    found.update(_roles_of(labeled, kept, in_tables))
    if not labeled.page.flat:
        body = to_utf8(source.html, None, None, source.url)
        selector = Selector(body=body, type="html")
        links = labeled.select_links(selector)
        scheme = re.compile(r"\s*(?:https?:|mailto:|tel:|(?![a-z][a-z0-9+.-]*:).)", re.IGNORECASE)
        found["links"] = sum(
            bool(scheme.match(link.attrib["href"])) and _is_shown(link) for link in links
        )
    return found


def _roles_of(labeled: LabeledPage, kept: set[int], in_tables: set[int]) -> Counter[str]:
    """Return how many structures that markup tells have, or separate, kept text."""
    page, markup = labeled.page, labeled.page.markup
    if markup is None:
        return Counter()
    outside = [page.blocks[i] for i in kept - in_tables]
    nodes = {node for block in outside for node in block.nodes}
    callouts = {node for node, role in markup.roles if role.startswith("callout ")}
    titles = {node for node, role in markup.roles if role == "title"}
    terms = {
        node
        for block in outside
        if titles.isdisjoint(block.nodes)
        for tag, node in zip(block.tags, block.nodes, strict=True)
        if tag in ("dt", "summary") and HEADING_TAGS.isdisjoint(block.tags)
    }
    gaps = {
        sum(i < rule.before for i in kept)
        for rule in markup.rules
        if {rule.before - 1, rule.before} & kept
    }
    rules = gaps - {0, len(kept)}
    marks = [span.marks for i in kept for span in markup.spans[i]]
    found = Counter(callouts=len(callouts & nodes), rules=len(rules), terms=len(terms))
    found["formulas"] = sum(bool(mark & FORMULA) for mark in marks)
    labels = {label for node, label in markup.notes if node in nodes}
    found["note marks"] = sum(
        bool(span.marks & NOTE) and span.text.strip(" []") in labels
        for i in kept
        for span in markup.spans[i]
    )
    found["raised"] = sum(
        bool(mark & (SUPERSCRIPT | SUBSCRIPT) and not mark & NOTE) for mark in marks
    )
    found["notes"] = len(nodes & {node for node, _ in markup.notes})
    found["tasks"] = len(nodes & {node for node, role in markup.roles if role.startswith("task")})
    found["images"] = sum(bool(span.src) for i in kept for span in markup.spans[i])
    return found


def _is_shown(link: Selector) -> bool:
    """Whether the link has text, and is not a sign that links to its own heading."""
    text = "".join(link.css("::text").getall())
    return bool(text.strip()) and (link.attrib["href"][:1] != "#" or bool(re.search(r"\w", text)))


if __name__ == "__main__":
    main()
