"""``scrapy boilernet adapt``: training data for a site from a few labeled blocks.

The labels spread over all pages of the site on a graph of blocks. Blocks with the same text and
path share a node; nodes on many pages are boilerplate, unless they have a given label. The result
is a data set that ``scrapy boilernet train`` reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.bulk.readers import page_body
from scrapy_boilernet.extractor.decide.threshold import expected_f1
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import unpack
from scrapy_boilernet.extractor.labeled import to_text
from scrapy_boilernet.extractor.labelers.grf.block_graph import (
    BlockGraph,
    GraphOptions,
    block_graph,
)
from scrapy_boilernet.extractor.labelers.grf.harmonic import spread
from scrapy_boilernet.extractor.labelers.grf.labeler import Seed, rule_seeds
from scrapy_boilernet.extractor.options import MAX_BYTES
from scrapy_boilernet.extractor.page import Block, Page
from scrapy_boilernet.lab.evaluation.datasets import WrittenPage, write_dataset
from scrapy_boilernet.lab.training.given_labels import (
    AdaptError,
    Place,
    SitePage,
    placed,
    read_labels,
)
from scrapy_boilernet.lab.training.gold import SPREAD
from scrapy_boilernet.workers.files import ENDINGS_TEXT, PACKED_ENDINGS, html_files, json_lines
from scrapy_boilernet.workers.progress import counted, progress, short, written

MIN_PAGES, MIN_SHARE = 3, 0.5
"""A block on at least so many pages, and at least such a share of the site's pages, is boilerplate.
On fewer pages it may be an article with several URLs."""
THRESHOLD = 0.5
DEV_ONE_IN = 10
_SHOWN = 5
Scores = NDArray[np.float32]
Template = tuple[tuple[str, ...], tuple[str, ...]]


def adapt(paths: Sequence[Path], labels: Path, out: Path, rules: bool = True) -> Iterator[str]:
    """Write a data set of the pages to ``out``; yield a message per page and a summary.

    Raises ``AdaptError`` for pages or labels that cannot be used, and ``OSError``.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise AdaptError(f"{out} is not empty: give --out a new or an empty folder")
    given_labels = read_labels(labels)
    site = read_site(paths)
    given = placed(given_labels, site)
    watch = partial(progress, label="compare")
    graph = block_graph([page.page for page in site], GraphOptions(), watch)
    scores = spread_labels([page.page for page in site], given, rules, graph)
    kept, skipped = [], []
    for page, p in zip(site, scores, strict=True):
        marks = p >= THRESHOLD
        if not marks.any():
            skipped.append(page.id)
            continue
        sure = expected_f1(p, page.page.words, THRESHOLD)
        kept.append((page, marks, sure))
        yield f"{page.id}: {marks.sum()} of {len(marks)} blocks are content, sure {sure:.2f}"
    if not kept:
        raise AdaptError(f"no block of {len(site)} pages is content; label more blocks as content")
    by_rules = ", others one by rules" if rules else ""
    gold = (
        f"{len(given)} blocks had a label given by hand{by_rules}; their labels spread over the "
        "pages by a Gaussian random field"
    )
    write_dataset(out, _written(kept), {"source": SPREAD, "gold": gold})
    for name in skipped:
        yield f"{name}: left out, since no block is content"
    expected = short(sum(sure for _, _, sure in kept) / len(kept))
    yield written(
        out,
        f"{counted(len(kept), 'page')}, {len(skipped)} left out, from "
        f"{counted(len(given), 'labeled block')}; expected word-F1 {expected}",
        f"train with scrapy boilernet train --from default --out my-model {out}",
    )


def read_site(paths: Sequence[Path]) -> list[SitePage]:
    """Return the pages of the files and folders, each file once.

    Raises ``AdaptError`` if a path is missing, a file is not HTML, or there is no page.
    """
    files: dict[Path, Path] = {}
    for path in paths:
        if not (path.is_file() or path.is_dir()):
            raise AdaptError(f"no file or folder {path}; give HTML files and folders of them")
        for file in html_files(path) if path.is_dir() else [path]:
            files.setdefault(file.resolve(), file)
    if not files:
        raise AdaptError(
            f"no page in {', '.join(map(str, paths))}; a folder is searched for {ENDINGS_TEXT}"
        )
    site: list[SitePage] = []
    ids: set[str] = set()
    urls: dict[Path, dict[str, str]] = {}
    for file in progress(files.values(), len(files), "read"):
        stem = _stem(file)
        folder = file.parent.parent
        folder_urls = urls.setdefault(folder, _urls(folder / "pages.jsonl"))
        url = folder_urls.get(stem) if file.parent.name == "html" else None
        site.append(SitePage(_unused(stem, ids), file, url, blockify(_body(file), url=url)))
    not_html = [page for page in site if page.page.not_html]
    if not_html:
        shown = ", ".join(f"{page.file} ({page.page.not_html})" for page in not_html[:_SHOWN])
        more = ", ..." if len(not_html) > _SHOWN else ""
        raise AdaptError(
            f"{len(not_html)} of {len(site)} files are not HTML: {shown}{more}; leave them out"
        )
    return site


def spread_labels(
    pages: Sequence[Page], given: Mapping[Place, bool], rules: bool, graph: BlockGraph
) -> list[Scores]:
    """Return P(content) per block: per page float32 of shape (blocks,), in [0, 1].

    ``given``: labels of blocks, which do not change. ``rules``: whether to use the labels of
    :func:`~scrapy_boilernet.extractor.labelers.grf.labeler.rule_seeds` too, and to label blocks on
    many pages as boilerplate. ``graph``: the block graph of the pages. Raises ``AdaptError`` if a
    class has no labeled block.
    """
    count = len(graph.pages)
    sums, sizes = np.zeros(count), np.zeros(count)
    if rules:
        often = graph.pages >= max(MIN_PAGES, MIN_SHARE * len(pages))
        for seeds, nodes in zip(trusted_seeds(pages, given), graph.nodes, strict=True):
            for seed, node in zip(seeds, nodes.tolist(), strict=True):
                sizes[node] += seed is not None
                sums[node] += seed is not None and seed.content
        sums[often], sizes[often] = 0, 1
    node_of = {(number, i): int(graph.nodes[number][i]) for number, i in given}
    labeled_nodes = np.array(list(node_of.values()), dtype=np.int64)
    sums[labeled_nodes] = sizes[labeled_nodes] = 0
    for place, content in given.items():
        sums[node_of[place]] += content
        sizes[node_of[place]] += 1
    labels, is_labeled = sums / np.maximum(sizes, 1), sizes > 0
    _need_both(labels[is_labeled], rules)
    node_scores = spread(graph.weights, labels, is_labeled, float(labels[is_labeled].mean()))
    scores = [node_scores[nodes].astype(np.float32) for nodes in graph.nodes]
    for (number, i), content in given.items():
        scores[number][i] = content
    return scores


def trusted_seeds(pages: Sequence[Page], given: Mapping[Place, bool]) -> list[list[Seed | None]]:
    """Return per page and block the label by a rule, or None.

    A rule is left out if the given labels contradict it more often than they confirm it. Single
    labels are left out for blocks with the same path and classes as a block with the other given
    label.
    """
    seeds_of_pages = [rule_seeds(page) for page in pages]
    right: Counter[tuple[bool, str]] = Counter()
    wrong: set[tuple[bool, Template]] = set()
    for (number, i), content in given.items():
        if seed := seeds_of_pages[number][i]:
            right[seed] += 1 if seed.content == content else -1
        wrong.add((not content, _template(pages[number].blocks[i])))
    return [
        [
            None
            if seed and (right[seed] < 0 or (seed.content, _template(block)) in wrong)
            else seed
            for seed, block in zip(seeds, page.blocks, strict=True)
        ]
        for seeds, page in zip(seeds_of_pages, pages, strict=True)
    ]


def _stem(file: Path) -> str:
    """Return the file's name without its ending, such as ``.html.gz``."""
    name = Path(file.stem) if file.suffix.lower() in PACKED_ENDINGS else file
    return name.stem


def _body(file: Path) -> bytes:
    """Return the page's bytes, unpacked, up to ``MAX_BYTES``."""
    with file.open("rb") as stream:
        return unpack(page_body(stream, MAX_BYTES), MAX_BYTES)[0]


def _unused(name: str, ids: set[str]) -> str:
    unused, number = name, 1
    while unused in ids:
        number += 1
        unused = f"{name}-{number}"
    ids.add(unused)
    return unused


def _urls(file: Path) -> dict[str, str]:
    """Return the URLs in ``pages.jsonl`` by page id."""
    if not file.is_file():
        return {}
    try:
        rows = [row for _, row in json_lines(file)]
        return {str(row["id"]): str(row["url"]) for row in rows if row.get("url")}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AdaptError(
            f"{file} cannot be read: {error!r}; each line is an object with an id"
        ) from error


def _template(block: Block) -> Template:
    return block.tags, block.class_words


def _need_both(labels: NDArray[np.float64], rules: bool) -> None:
    for name, has in (("content", labels.any()), ("boilerplate", not labels.all())):
        if not has:
            also = "" if rules else ", or leave out --no-rules"
            raise AdaptError(f"no block is labeled {name}; label some of each class{also}")


def _written(
    kept: Sequence[tuple[SitePage, NDArray[np.bool_], float]],
) -> Iterator[WrittenPage]:
    """Yield the pages of the data set; each is read from its file again."""
    dev = min(DEV_ONE_IN, len(kept)) - 1
    for number, (page, marks, sure) in enumerate(kept):
        blocks = [
            block for block, mark in zip(page.page.blocks, marks.tolist(), strict=True) if mark
        ]
        part = "dev" if number % DEV_ONE_IN == dev and len(kept) > 1 else "train"
        row = {
            **({"url": page.url} if page.url else {}), "split": part, "sure": round(sure, 4),
        }  # fmt: skip
        yield WrittenPage(page.id, _body(page.file), to_text(blocks), row)
