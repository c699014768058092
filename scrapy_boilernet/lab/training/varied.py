"""Training pages with more on them: what is no content, put where it is taken for content.

Each kind is drawn with a probability of its own, by the seed and the page, so that the same seed
gives the same pages, whatever else trains. A varied page trains beside the page it was made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from zlib import crc32

import numpy as np
from numpy.random import Generator

from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.training.boxes import (
    DEFAULT_LANGUAGE,
    Forms,
    consent_dialog,
    read_also_line,
    read_forms,
    sign_up_box,
)
from scrapy_boilernet.lab.training.further import (
    Donor,
    add_articles,
    add_threads,
    cut_short,
    places_among_paragraphs,
    take_out,
)
from scrapy_boilernet.lab.training.gold import GoldBlocks, Measured
from scrapy_boilernet.lab.training.page_tree import (
    Changed,
    Element,
    PageTree,
    close_page,
    insert_after,
    insert_first,
    open_page,
)

_MIN_DONOR_WORDS, _MIN_DONOR_PARAGRAPHS = 80, 3
_MAX_PARAGRAPHS = 60
_MAX_BLOCKS = 1_500
"""Pages with more blocks stay as they are."""
FORUMS = frozenset({"harvest-forums"})
"""Sets of threads, beside the pages of the type ``forum``."""
Key = tuple[str, str]


@dataclass(frozen=True)
class Variations:
    """The probability that a page gets each kind of addition; 0: never."""

    consent: float = 0.0
    """A consent dialog, first or last in the body."""
    sign_up: float = 0.0
    """A sign-up box among the paragraphs."""
    read_also: float = 0.0
    """One to three lines among the paragraphs that send readers to other articles."""
    further: float = 0.0
    """Further articles, or their full-length beginnings, behind the article."""
    short: float = 0.0
    """The article is cut to 60 to 250 words."""
    threads: float = 0.0
    """Related threads behind a thread."""

    missing: float = 0.0
    """The content is taken out, and a message such as "page not found" stands in its place."""

    def drawn(self, rng: Generator) -> frozenset[str]:
        """Return the kinds that a page gets, drawn by their shares."""
        return frozenset(kind for kind, share in asdict(self).items() if rng.random() < share)


class Varier:
    """Makes varied pages of some training pages, with texts of these pages only."""

    def __init__(
        self,
        variations: Variations,
        pages: Iterable[Measured],
        seed: int,
        forms: Forms | None = None,
    ) -> None:
        self.variations, self._seed = variations, seed
        self._forms = forms or read_forms()
        self._donors: dict[tuple[bool, str], list[tuple[Key, Donor]]] = {}
        for page in pages:
            if donor := donor_of(page):
                self._donors.setdefault(_shelf(page.source), []).append((_key(page.source), donor))

    def varied(self, source: GoldPage, gold: GoldBlocks) -> Changed | None:
        """Return the page with what was drawn for it; None if that is nothing or cannot be done.

        ``source``: the page with its bytes.
        """
        name = f"{source.dataset}/{source.id}".encode()
        rng = np.random.default_rng([self._seed, crc32(name)])
        kinds = self.variations.drawn(rng)
        if not kinds or len(gold.page.blocks) > _MAX_BLOCKS or not gold.labels.any():
            return None
        tree = open_page(source, gold)
        if tree is None or not self._change(tree, kinds, rng):
            return None
        return close_page(tree)

    def _change(self, tree: PageTree, kinds: frozenset[str], rng: Generator) -> bool:
        """Make the drawn changes; return whether there was one, and the page can be used."""
        changed, language = False, tree.gold.source.language
        is_thread = _is_thread(tree.gold.source)
        if "missing" in kinds:
            messages = self._forms.of_language(language)["missing"]
            return take_out(tree, messages[int(rng.integers(len(messages)))].split("|"))
        if "short" in kinds and not is_thread:
            if not cut_short(tree, rng):
                return False
            changed = True
        if "further" in kinds and not is_thread:
            donors = self._draw_donors(tree, int(rng.integers(2, 6)), rng)
            changed |= bool(donors) and add_articles(tree, donors, self._forms, rng)
        if "threads" in kinds and is_thread:
            donors = self._draw_donors(tree, int(rng.integers(3, 9)), rng)
            changed |= bool(donors) and add_threads(tree, donors, self._forms, rng)
        if "sign_up" in kinds:
            changed |= _put(tree, [sign_up_box(self._forms, language, rng)], rng)
        if "read_also" in kinds:
            lines = [self._line(tree, rng) for _ in range(int(rng.integers(1, 4)))]
            changed |= _put(tree, lines, rng)
        if "consent" in kinds:
            dialog = consent_dialog(self._forms, language, rng)
            if rng.random() < 0.5:
                insert_first(tree.body, dialog)
            else:
                tree.body.append(dialog)
            changed = True
        return changed

    def _line(self, tree: PageTree, rng: Generator) -> Element:
        donors = self._draw_donors(tree, int(rng.choice((1, 1, 1, 2))), rng)
        titles = [donor.title for donor in donors] or [tree.gold.page.title or "1"]
        return read_also_line(self._forms, tree.gold.source.language, titles, rng)

    def _draw_donors(self, tree: PageTree, number: int, rng: Generator) -> list[Donor]:
        own = _key(tree.gold.source)
        found = [d for key, d in self._donors.get(_shelf(tree.gold.source), []) if key != own]
        picks = rng.permutation(len(found))[:number]
        return [found[i] for i in picks]


def donor_of(page: Measured) -> Donor | None:
    """Return the texts of a page's content; None if it has too little."""
    texts = [t for t, share in zip(page.page.texts, page.targets, strict=True) if share > 0.5]
    words = float((page.tokens * (page.targets > 0.5)).sum())
    if len(texts) < _MIN_DONOR_PARAGRAPHS or words < _MIN_DONOR_WORDS or not page.page.title:
        return None
    return Donor(page.page.title[:120], tuple(texts[:_MAX_PARAGRAPHS]))


def _put(tree: PageTree, new: Sequence[Element], rng: Generator) -> bool:
    """Insert each new element at a drawn place among the paragraphs; return whether it could."""
    places = places_among_paragraphs(tree)
    picks = rng.permutation(len(places))[: len(new)]
    for element, pick in zip(new, picks, strict=False):
        insert_after(places[pick], [element])
    return bool(len(picks))


def _is_thread(source: GoldPage) -> bool:
    return source.page_type == "forum" or source.dataset in FORUMS


def _shelf(source: GoldPage) -> tuple[bool, str]:
    """Return what donor and page must have in common: whether they are threads, the language."""
    language = (source.language or DEFAULT_LANGUAGE).lower().replace("_", "-").partition("-")[0]
    return _is_thread(source), language


def _key(source: GoldPage) -> Key:
    return source.dataset, source.id
