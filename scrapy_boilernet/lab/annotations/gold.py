"""``scrapy boilernet annotations``: makes a data set of annotations, to train on."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from scrapy_boilernet.extractor.labeled import to_text
from scrapy_boilernet.extractor.options import BOILERPLATE, CONTENT
from scrapy_boilernet.lab.annotations.agreement import Agreements
from scrapy_boilernet.lab.annotations.placing import Placed, place
from scrapy_boilernet.lab.annotations.sidecar import AnnotationError, ReadSidecar, open_sidecars
from scrapy_boilernet.lab.evaluation.datasets import WrittenPage, write_dataset
from scrapy_boilernet.workers.progress import counted, progress, written

SOURCE = "scrapy boilernet annotations"
LABELS_FILE = "labels.jsonl"
LEAST_SHARE = 0.8
"""An annotation is left out if the page's bytes have a smaller share of its blocks."""
_SHOWN_LOST, _SHOWN_CHARS = 3, 40


class Usable(NamedTuple):
    """An annotation that can be used; it is read again when its page is written."""

    read: ReadSidecar
    annotator: str
    saved: str
    by_human: int
    """The number of the page's blocks that the person labeled."""


def write_gold(paths: Sequence[Path], out: Path, kinds: frozenset[str]) -> Iterator[str]:
    """Write a data set of the annotated pages to ``out``; yield messages and a summary.

    ``kinds``: the kinds of blocks that are content, ``"main"`` and perhaps others. If a page has
    several annotations, the one that was saved last is used. The folder has ``html/``, ``gold/``
    and ``pages.jsonl``, and ``labels.jsonl`` with the labels by people, for ``scrapy boilernet
    adapt``. Raises ``AnnotationError`` if a file cannot be used or no annotation can, and
    ``OSError``.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise AnnotationError(f"{out} is not empty: give --out a new or an empty folder")
    with open_sidecars(paths) as found:
        by_url: defaultdict[str, list[Usable]] = defaultdict(list)
        yield from sort_usable(found, by_url)
        agreements = Agreements()
        pages = [sorted(by_url[url], key=lambda usable: usable.saved) for url in sorted(by_url)]
        _write(out, pages, kinds, agreements)
    yield from (
        f"{pair.one} and {pair.other} agree on {counted(pair.pages, 'page')} with "
        f"{counted(pair.blocks, 'block')}: Cohen's kappa {pair.content:.2f} of content or not, "
        f"{pair.kinds:.2f} of the kinds"
        for pair in agreements
    )
    yield written(
        out,
        f"{counted(len(pages), 'page')} with "
        f"{counted(sum(of_page[-1].by_human for of_page in pages), 'label')} by people",
        f"train with scrapy boilernet train --from default --out my-model {out}",
    )


def sort_usable(
    found: Sequence[ReadSidecar], by_url: defaultdict[str, list[Usable]]
) -> Iterator[str]:
    """Put the usable annotations into ``by_url``; yield the problems of the others.

    Raises ``AnnotationError`` at the end if there is none.
    """
    for read in progress(found, len(found), "read"):
        sidecar = read()
        unjudged = "" if sidecar.is_judged else "nobody labeled a block or said that it is done"
        if problem := sidecar.problem or unjudged:
            yield f"{sidecar.where}: left out, {problem}"
            continue
        placed = place(sidecar)
        yield from _messages(placed)
        if placed.share >= LEAST_SHARE:
            usable = Usable(read, sidecar.annotator, sidecar.saved, placed.by_human)
            by_url[sidecar.url].append(usable)
    if not by_url:
        raise AnnotationError(
            f"none of {counted(len(found), 'annotation')} can be used; see above why"
        )


def _messages(placed: Placed) -> Iterator[str]:
    where, lost = placed.sidecar.where, placed.lost
    if placed.share < LEAST_SHARE:
        yield (
            f"{where}: left out, only {placed.share:.0%} of the blocks that were shown are in the "
            "page's HTML; scripts made most of the page, or it has changed since"
        )
    elif lost:
        texts = ", ".join(repr(block.text[:_SHOWN_CHARS]) for block in lost[:_SHOWN_LOST])
        more = ", ..." if len(lost) > _SHOWN_LOST else ""
        yield (
            f"{where}: {counted(len(lost), 'label')} not used, their blocks are not in the "
            f"page's HTML: {texts}{more}"
        )


def _write(
    out: Path,
    pages: Sequence[Sequence[Usable]],
    kinds: frozenset[str],
    agreements: Agreements,
) -> None:
    """Write the last annotation of each page; add all annotations to ``agreements``."""
    people = ", ".join(sorted({of_page[-1].annotator for of_page in pages}))
    gold = f"labeled in a browser by {people}; content is {', '.join(sorted(kinds))}"
    out.mkdir(parents=True, exist_ok=True)
    with (out / LABELS_FILE).open("w", encoding="utf-8") as labels:
        chosen = _written(pages, kinds, agreements, labels)
        write_dataset(out, chosen, {"source": SOURCE, "gold": gold})


def _written(
    pages: Sequence[Sequence[Usable]],
    kinds: frozenset[str],
    agreements: Agreements,
    labels: TextIO,
) -> Iterator[WrittenPage]:
    for number, of_page in enumerate(progress(pages, len(pages), "write"), 1):
        name = f"page-{number:04d}"
        placed = [place(usable.read()) for usable in of_page]
        agreements.add(placed)
        page = placed[-1]
        sidecar = page.sidecar
        marks = page.marks(kinds)
        gold = to_text([block for block, mark in zip(page.page.blocks, marks, strict=True) if mark])
        row = {
            "url": sidecar.url, "annotator": sidecar.annotator, "by_human": page.by_human,
            **({"enc": "utf-8"} if sidecar.from_dom else {}),
        }  # fmt: skip
        labels.writelines(json.dumps(each) + "\n" for each in _labels(page, name, marks))
        yield WrittenPage(name, sidecar.body, gold, row)


def _labels(page: Placed, name: str, marks: Sequence[bool]) -> Iterator[dict[str, Any]]:
    for block, given, mark in zip(page.page.blocks, page.given, marks, strict=True):
        if given and given.by == "human":
            label = CONTENT if mark else BOILERPLATE
            yield {"page": name, "xpath": block.xpath, "text": block.text, "label": label}
