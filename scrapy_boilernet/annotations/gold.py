"""``scrapy boilernet annotations``: what people said in the browser, as a data set that trains."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from scrapy_boilernet.annotations.agreement import Agreements
from scrapy_boilernet.annotations.placing import Placed, place
from scrapy_boilernet.annotations.sidecar import AnnotationError, ReadSidecar, open_sidecars
from scrapy_boilernet.evaluation.datasets import WrittenPage, write_dataset
from scrapy_boilernet.labeled import BOILERPLATE, CONTENT, to_text
from scrapy_boilernet.progress import counted, progress, written

SOURCE = "scrapy boilernet annotations"
LABELS_FILE = "labels.jsonl"
LEAST_SHARE = 0.8
"""A page of whose annotated blocks its bytes have less than this is another page by now."""
_SHOWN_LOST, _SHOWN_CHARS = 3, 40


class Usable(NamedTuple):
    """An annotation that can be used; it is read again when its page is written."""

    read: ReadSidecar
    annotator: str
    saved: str
    by_human: int
    """How many blocks of the page the person labeled."""


def write_gold(paths: Sequence[Path], out: Path, kinds: frozenset[str]) -> Iterator[str]:
    """Write a data set of the annotated pages to ``out``; yield messages and a summary.

    ``kinds``: of the blocks that are content, ``"main"`` and perhaps others. Of several
    annotations of a page the one that was saved last is taken. The folder has ``html/``, ``gold/``
    and ``pages.jsonl``, and for ``scrapy boilernet adapt`` the labels that people gave in
    ``labels.jsonl``. Raises ``AnnotationError`` for what cannot be used, and ``OSError``.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise AnnotationError(f"{out} is not empty: give --out a new or an empty folder")
    with open_sidecars(paths) as found:
        by_url: defaultdict[str, list[Usable]] = defaultdict(list)
        yield from _sort(found, by_url)
        if not by_url:
            raise AnnotationError(
                f"none of {counted(len(found), 'annotation')} can be used; see above why"
            )
        agreements = Agreements()
        pages = [sorted(by_url[url], key=lambda own: own.saved) for url in sorted(by_url)]
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
        f"{counted(sum(own[-1].by_human for own in pages), 'label')} by people",
        f"train with scrapy boilernet train --from default --out my-model {out}",
    )


def _sort(found: Sequence[ReadSidecar], by_url: defaultdict[str, list[Usable]]) -> Iterator[str]:
    """Put those that can be used into ``by_url``; yield what is wrong with the others."""
    for read in progress(found, len(found), "read"):
        sidecar = read()
        nobody = "" if sidecar.is_judged else "nobody labeled a block or said that it is done"
        if problem := sidecar.problem or nobody:
            yield f"{sidecar.where}: left out, {problem}"
            continue
        own = place(sidecar)
        yield from _messages(own)
        if own.share >= LEAST_SHARE:
            usable = Usable(read, sidecar.annotator, sidecar.saved, own.by_human)
            by_url[sidecar.url].append(usable)


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


def _write(
    out: Path,
    pages: Sequence[Sequence[Usable]],
    kinds: frozenset[str],
    agreements: Agreements,
) -> None:
    """Write the last annotation of each page; count in ``agreements`` what others say of it."""
    people = ", ".join(sorted({own[-1].annotator for own in pages}))
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
    for number, own in enumerate(progress(pages, len(pages), "write"), 1):
        name = f"page-{number:04d}"
        placed = [place(usable.read()) for usable in own]
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
    for block, own, mark in zip(page.page.blocks, page.given, marks, strict=True):
        if own and own.by == "human":
            label = CONTENT if mark else BOILERPLATE
            yield {"page": name, "xpath": block.xpath, "text": block.text, "label": label}
