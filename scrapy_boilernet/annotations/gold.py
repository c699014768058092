"""``scrapy boilernet annotations``: what people said in the browser, as a data set that trains."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.annotations.agreement import agreements
from scrapy_boilernet.annotations.placing import Placed, place
from scrapy_boilernet.annotations.sidecar import AnnotationError, read_sidecars
from scrapy_boilernet.evaluation.datasets import WrittenPage, write_dataset
from scrapy_boilernet.labeled import BOILERPLATE, CONTENT, to_text
from scrapy_boilernet.progress import counted, progress, written

SOURCE = "scrapy boilernet annotations"
LABELS_FILE = "labels.jsonl"
LEAST_SHARE = 0.8
"""A page of whose annotated blocks its bytes have less than this is another page by now."""
_SHOWN_LOST, _SHOWN_CHARS = 3, 40


def write_gold(paths: Sequence[Path], out: Path, kinds: frozenset[str]) -> Iterator[str]:
    """Write a data set of the annotated pages to ``out``; yield messages and a summary.

    ``kinds``: of the blocks that are content, ``"main"`` and perhaps others. Of several
    annotations of a page the one that was saved last is taken. The folder has ``html/``, ``gold/``
    and ``pages.jsonl``, and for ``scrapy boilernet adapt`` the labels that people gave in
    ``labels.jsonl``. Raises ``AnnotationError`` for what cannot be used, and ``OSError``.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise AnnotationError(f"{out} is not empty: give --out a new or an empty folder")
    placed: list[Placed] = []
    sidecars = read_sidecars(paths)
    for sidecar in progress(sidecars, len(sidecars), "read"):
        nobody = "" if sidecar.is_judged else "nobody labeled a block or said that it is done"
        if problem := sidecar.problem or nobody:
            yield f"{sidecar.where}: left out, {problem}"
            continue
        own = place(sidecar)
        yield from _messages(own)
        if own.share >= LEAST_SHARE:
            placed.append(own)
    if not placed:
        raise AnnotationError(
            f"none of {counted(len(sidecars), 'annotation')} can be used; see above why"
        )
    yield from (
        f"{pair.one} and {pair.other} agree on {counted(pair.pages, 'page')} with "
        f"{counted(pair.blocks, 'block')}: Cohen's kappa {pair.content:.2f} of content or not, "
        f"{pair.kinds:.2f} of the kinds"
        for pair in agreements(placed)
    )
    chosen = _latest(placed)
    _write(out, chosen, kinds)
    human = sum(page.by_human for page in chosen)
    yield written(
        out,
        f"{counted(len(chosen), 'page')} with {counted(human, 'label')} by people",
        f"train with scrapy boilernet train --from default --out my-model {out}",
    )


def _messages(own: Placed) -> Iterator[str]:
    where = own.sidecar.where
    if own.share < LEAST_SHARE:
        yield (
            f"{where}: left out, only {own.share:.0%} of the blocks that were shown are in the "
            "page's HTML, so scripts made most of what was seen, or the page is another one by now"
        )
    elif own.lost:
        texts = ", ".join(repr(block.text[:_SHOWN_CHARS]) for block in own.lost[:_SHOWN_LOST])
        more = ", ..." if len(own.lost) > _SHOWN_LOST else ""
        yield (
            f"{where}: {counted(len(own.lost), 'label')} not used, their blocks are not in the "
            f"page's HTML: {texts}{more}"
        )


def _latest(placed: Sequence[Placed]) -> list[Placed]:
    """Of each page the annotation that was saved last."""
    by_url: dict[str, Placed] = {}
    for page in sorted(placed, key=lambda own: own.sidecar.saved):
        by_url[page.sidecar.url] = page
    return sorted(by_url.values(), key=lambda own: own.sidecar.url)


def _write(out: Path, chosen: Sequence[Placed], kinds: frozenset[str]) -> None:
    pages: list[WrittenPage] = []
    labels: list[dict[str, Any]] = []
    for number, page in enumerate(chosen):
        name = f"page-{number + 1:04d}"
        sidecar = page.sidecar
        marks = page.marks(kinds)
        gold = to_text([block for block, mark in zip(page.page.blocks, marks, strict=True) if mark])
        row = {
            "url": sidecar.url, "annotator": sidecar.annotator, "by_human": page.by_human,
            **({"enc": "utf-8"} if sidecar.from_dom else {}),
        }  # fmt: skip
        pages.append(WrittenPage(name, sidecar.body, gold, row))
        labels += _labels(page, name, marks)
    people = ", ".join(sorted({page.sidecar.annotator for page in chosen}))
    gold = f"labeled in a browser by {people}; content is {', '.join(sorted(kinds))}"
    write_dataset(out, pages, {"source": SOURCE, "gold": gold})
    lines = "".join(json.dumps(row) + "\n" for row in labels)
    (out / LABELS_FILE).write_text(lines, encoding="utf-8")


def _labels(page: Placed, name: str, marks: Sequence[bool]) -> Iterator[dict[str, Any]]:
    for block, own, mark in zip(page.page.blocks, page.given, marks, strict=True):
        if own and own.by == "human":
            label = CONTENT if mark else BOILERPLATE
            yield {"page": name, "xpath": block.xpath, "text": block.text, "label": label}
