"""Pages with gold text: their blocks with soft labels, and the data sets of a training command."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.options import Units
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.align import soft_labels
from scrapy_boilernet.lab.evaluation.datasets import (
    DatasetError,
    GoldPage,
    dataset_digest,
    gold_without_page,
    open_dataset,
    read_pages,
    rows_without_page,
)
from scrapy_boilernet.lab.evaluation.provenance import (
    need_licences,
    need_sets,
    origin_counts,
    parsed_without,
    without_licences,
    without_origins,
)
from scrapy_boilernet.lab.evaluation.same_pages import keys_of
from scrapy_boilernet.lab.evaluation.splits import BROKEN_PAGES, TEST_ONLY, Part, domain, drawn
from scrapy_boilernet.workers.progress import counted, progress, short

MIN_GOLD_RECALL = 0.5
"""Pages whose blocks have less than this share of their gold tokens do not train."""
WHOLE_GOLD = 0.9
"""Pages whose blocks have less than this share of their gold tokens are named."""
MAX_NAMED = 5
"""So many pages that were left out are named per reason."""
SPREAD = "scrapy boilernet adapt"
"""The source in ``meta.json`` of a set whose gold was spread from a few labels."""
ALL_PAGES: Mapping[str, Any] = {"split": None, "sample": None, "without": [], "without_licence": []}
"""The options that choose among the pages of the sets, with values that choose all pages."""
_LICENCES = {
    "gnu affero general public license version 3": "AGPL-3.0",
    "gnu general public license version 3": "GPL-3.0",
    "attribution-sharealike 4.0": "CC-BY-SA-4.0",
    "attribution 4.0": "CC-BY-4.0",
    "apache license": "Apache-2.0",
    "mit license": "MIT",
}


class Sourced(Protocol):
    """An object that is made of a page of a data set."""

    @property
    def source(self) -> GoldPage:
        """The page in the data set."""
        ...


class Measured(Protocol):
    """A page whose blocks have soft labels, such as :class:`GoldBlocks`."""

    @property
    def source(self) -> GoldPage:
        """The page in the data set, without its bytes."""
        ...

    @property
    def page(self) -> Page:
        """The page's blocks."""
        ...

    @property
    def targets(self) -> NDArray[np.float32]:
        """Per block the share of its tokens that the gold keeps, in [0, 1]: (blocks,)."""
        ...

    @property
    def tokens(self) -> NDArray[np.float32]:
        """Tokens per block: (blocks,)."""
        ...

    @property
    def gold_tokens(self) -> int:
        """Tokens of the gold text."""
        ...


ALL_PARTS: dict[Part, str] = {"train": "train", "validation": "validate", "test": "test"}
"""What the pages of each part do."""


@dataclass(frozen=True)
class GoldBlocks:
    """A page with the share of each block that its gold text keeps."""

    source: GoldPage
    """The page in the data set, without its bytes."""
    page: Page
    targets: NDArray[np.float32]
    """Per block the share of its tokens that the gold keeps, in [0, 1]: (blocks,)."""
    tokens: NDArray[np.float32]
    """Tokens per block: (blocks,)."""
    gold_tokens: int

    @property
    def labels(self) -> NDArray[np.bool_]:
        """Per block whether it is content, of which the gold keeps more than half: (blocks,)."""
        return self.targets > 0.5


@dataclass(frozen=True)
class Sets:
    """The data sets of a training command, and the pages that it chose."""

    folders: list[Path]
    pages: list[GoldPage]
    gold_keys: frozenset[str]
    """Keys of all pages with gold in the sets, also of pages that were not chosen or that test.
    With them :func:`~scrapy_boilernet.lab.evaluation.same_pages.has_page` finds these pages in sets
    that train by votes."""


def read_sets(options: Namespace) -> Sets:
    """Return the command's sets, unpacked if needed, and the pages that its options choose.

    ``options``: has ``datasets``, ``voted``, ``cache`` and the options of :data:`ALL_PAGES`. Raises
    ``DatasetError`` if a set cannot be read, or has no page of the chosen split.
    """
    folders = open_all(options.datasets, options.cache)
    voted = open_all(options.voted, options.cache)
    need_sets(parsed_without(options.without), [folder.name for folder in (*folders, *voted)])
    given = (page for folder in (*folders, *voted) for page in read_pages(folder))
    need_licences(options.without_licence, given)
    pages: list[GoldPage] = []
    gold_keys: frozenset[str] = frozenset()
    for folder in folders:
        set_pages = list(read_pages(folder))
        gold_keys |= keys_of(page for page in set_pages if page.gold is not None)
        set_pages = _without(set_pages, options)
        if options.split is not None:
            splits = sorted({str(page.split) for page in set_pages})
            set_pages = [page for page in set_pages if page.split == options.split]
            if not set_pages:
                raise DatasetError(
                    f"--split {options.split}: no page of {folder} has this split; its pages have "
                    f"{', '.join(splits)}"
                )
        if options.sample is not None:
            set_pages = drawn([page for page in set_pages if page.gold is not None], options.sample)
        pages += set_pages
    return Sets(folders, pages, gold_keys)


def open_all(paths: Iterable[str], cache: Path) -> list[Path]:
    """Return the folders of the sets, unpacked if needed."""
    return [open_dataset(Path(path), cache) for path in paths]


def pages_without(folder: Path, options: Namespace) -> list[GoldPage]:
    """Return the set's pages that ``--without`` and ``--without-licence`` do not leave out."""
    return _without(list(read_pages(folder)), options)


def chosen_pages(options: Namespace) -> dict[str, Any]:
    """Return the options that chose among the pages, for the model's record."""
    return {name: getattr(options, name) for name in ALL_PAGES}


def need_parts(
    pages: Sequence[GoldPage],
    parts: Sequence[Part],
    folders: Sequence[Path],
    needed: Sequence[Part] = ("train", "validation"),
) -> None:
    """Raise ``DatasetError`` with the remedy if a needed part has no page."""
    usable = [page for page in pages if page.gold is not None and page.dataset not in TEST_ONLY]
    for part in needed:
        if part in parts:
            continue
        start = f"no page left for {part} in {_listed(folders)}: "
        if not usable:
            raise DatasetError(
                f"{start}no page with gold text may train; add pages with html/<id>.html and "
                "gold/<id>.txt"
            )
        raise DatasetError(
            f"{start}{few_domains(usable)}, or give every page a split, such as train or dev, in "
            "pages.jsonl"
        )


def few_domains(pages: Sequence[GoldPage]) -> str:
    """Return the part of a message that counts registered domains and names the remedy."""
    return (
        f"pages with gold text: {len(pages)}, registered domains: {len(set(map(domain, pages)))}, "
        "and all pages of a domain go to one part (a page without url in pages.jsonl counts as its "
        "own domain); add pages of other domains"
    )


def all_gold_blocks(pages: Sequence[GoldPage], units: Units) -> list[GoldBlocks | None]:
    """Return :func:`gold_blocks` of each page."""
    return [gold_blocks(page, units) for page in progress(pages, len(pages), "align")]


def gold_blocks(source: GoldPage, units: Units) -> GoldBlocks | None:
    """Return the page with soft labels; None if it has no blocks or too little gold text."""
    page = blockify(source.html, url=source.url, encoding=source.encoding, units=units)
    shares, counts = soft_labels(page, source.gold or "")
    gold_tokens = len(tokens(source.gold or ""))
    kept_tokens = float((shares * counts).sum())
    if not page.blocks or (gold_tokens and kept_tokens < MIN_GOLD_RECALL * gold_tokens):
        return None
    return GoldBlocks(replace(source, html=b""), page, shares, counts, gold_tokens)


def used_and_left_out(
    sets: tuple[Sequence[Path], Sequence[GoldPage]],
    parts: Sequence[Part],
    found: Sequence[Measured | None],
    verbs: Mapping[Part, str],
) -> list[str]:
    """Return the number of pages of each part with the first pages that are left out, as a line,
    and perhaps a line with the first pages that show only a part of their gold text.

    ``sets``: the folders and their chosen pages; ``parts``: the part of each page; ``found``: the
    result for each page that trains or validates, None if less than half of its gold is on the
    page; ``verbs``: the parts to count, with what their pages do.
    """
    folders, pages = sets
    aligned = [
        (page, part)
        for page, part in zip(pages, parts, strict=True)
        if part in ("train", "validation")
    ]
    both = [*zip(aligned, found, strict=True)]
    counts: Counter[Part] = Counter(part for (_, part), result in both if result is not None)
    counts["test"] = parts.count("test")
    numbers: Counter[str] = Counter()
    for part, verb in verbs.items():
        numbers[verb] += counts[part]
    divided = ", ".join(f"{number:,} {verb}" for verb, number in numbers.items())
    total = counted(numbers.total(), "page") + f": {divided}" * (len(numbers) > 1)
    reasons = {
        "no gold text": [page.id for page in pages if page.gold is None],
        "no page": [page_id for folder in folders for page_id in gold_without_page(folder)],
        "in pages.jsonl, but no page": [
            page_id for folder in folders for page_id in rows_without_page(folder)
        ],
        "its gold text is not on the page": [page.id for (page, _), one in both if one is None],
        "too close to a test page": [
            page.id for page, part in zip(pages, parts, strict=True) if _leaks(page, part)
        ],
    }
    listed = [_some(names, reason) for reason, names in reasons.items() if names]
    line = total + "; left out: " * bool(listed) + ", ".join(listed)
    return [line, *_found_in_part([page for page in found if page is not None])]


def _leaks(page: GoldPage, part: Part) -> bool:
    """Return whether a page is excluded although it has gold text that could train."""
    return part == "excluded" and page.gold is not None and page.id not in BROKEN_PAGES


def _found_in_part(pages: Sequence[Measured]) -> list[str]:
    """Return a line with the first pages that show only a part of their gold text, if any."""
    shares = {
        page.source.id: float((page.targets * page.tokens).sum()) / page.gold_tokens
        for page in pages
        if page.gold_tokens
    }
    lowest = sorted(shares.items(), key=lambda item: item[1])
    names = [f"{page_id} {short(share)}" for page_id, share in lowest if share < WHOLE_GOLD]
    if not names:
        return []
    return [f"pages that show only this share of their gold text: {_first(names)}"]


def _first(names: Sequence[str]) -> str:
    """Return the first names for a message, and how many there are besides."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + f" and {more:,} more" * (more > 0)


def _some(names: Sequence[str], reason: str) -> str:
    """Return the first names for a message, how many there are besides, and the reason."""
    return f"{_first(names)} ({reason})"


def need_learned(kept: Mapping[str, Sequence[object]], folders: Sequence[Path]) -> None:
    """Raise ``DatasetError`` if a part has no page that can train."""
    for part, pages in kept.items():
        if not pages:
            raise DatasetError(
                f"no page left for {part} in {_listed(folders)}: less than half of their gold text "
                "is in the blocks of the pages; check that gold/<id>.txt has the text of "
                "html/<id>.html, or add pages"
            )


def need_both_classes(pages: Sequence[Measured]) -> None:
    """Raise ``DatasetError``, naming the sets, if all blocks are of one class."""
    kept = sum(int((page.targets > 0.5).sum()) for page in pages)
    blocks = sum(len(page.targets) for page in pages)
    if 0 < kept < blocks:
        return
    sets = ", ".join(sorted({page.source.dataset for page in pages})) or "no set"
    one = "content" if kept else "boilerplate"
    raise DatasetError(
        f"all {blocks} blocks of the training pages of {sets} are {one}, and training needs both "
        "classes; add pages of which gold/<id>.txt keeps only a part"
    )


def dataset_record(folder: Path, **parts: Sequence[Sourced]) -> dict[str, Any]:
    """Return a set's record: number of pages per part, licence of the gold, source, digest.

    If the set names several origins of its pages, the record also has the number of pages of each.
    """
    meta_file = folder / "meta.json"
    meta = json.loads(meta_file.read_text(encoding="utf-8")) if meta_file.is_file() else {}
    sources_of_part = {
        part: [page.source for page in sources if page.source.dataset == folder.name]
        for part, sources in parts.items()
    }
    origins = origin_counts([page for sources in sources_of_part.values() for page in sources])
    return {
        "digest_sha256": dataset_digest(folder),
        "licence": licence_of(folder) or meta.get("licence", "not stated"),
        "source": meta.get("source", "not stated"),
        **{f"{part}_pages": len(sources) for part, sources in sources_of_part.items()},
        **({"origins": origins} if origins else {}),
    }


def licence_of(folder: Path) -> str | None:
    """Return the SPDX name of the set's licence file; None if it is missing or unknown."""
    for file in sorted((folder / "extra").glob("LICENSE*")):
        text = " ".join(file.read_text(encoding="utf-8", errors="replace").split())[:2000].lower()
        for heading, name in _LICENCES.items():
            if heading in text:
                return name
    return None


def _without(pages: Sequence[GoldPage], options: Namespace) -> list[GoldPage]:
    """Return the pages of one set that the options do not leave out."""
    starts = parsed_without(options.without).get(pages[0].dataset, ())
    return without_licences(without_origins(pages, starts), options.without_licence)


def _listed(folders: Sequence[Path]) -> str:
    return ", ".join(map(str, folders))
