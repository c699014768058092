"""Compares the results of the extension's code with those of the package, for the same page."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from scrapy_boilernet.extractor.features.hashed import BAG_ROWS, Bag, featurize
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.base import Labeler, judges_comments
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.labeling import label_pages
from scrapy_boilernet.extractor.options import FALLBACK_STEPS, LabelOptions
from scrapy_boilernet.extractor.output.beside import Beside, beside_of
from scrapy_boilernet.extractor.output.document import document_of
from scrapy_boilernet.extractor.output.markdown import to_markdown
from scrapy_boilernet.extractor.page import Page

from .extension import Node, markup_json, page_json

ARRAYS_WITHIN, PROBABILITIES_WITHIN, CONFIDENCE_WITHIN = 1e-6, 1e-4, 1e-6
_DEFAULTS = LabelOptions()


class Given(NamedTuple):
    """A labeler with probabilities of a page that are already known."""

    labeler: Labeler
    page: Page
    known: Any

    @property
    def name(self) -> str:
        return self.labeler.name

    @property
    def units(self) -> Any:
        return self.labeler.units

    @property
    def judges_comments(self) -> bool:
        return judges_comments(self.labeler)

    def probabilities(self, pages: Any) -> Any:
        one = self.labeler.probabilities
        return [self.known if page is self.page else one([page])[0] for page in pages]

    def threshold_for(self, *arguments: Any) -> float:
        return self.labeler.threshold_for(*arguments)

    def confidence(self, *arguments: Any) -> float:
        return self.labeler.confidence(*arguments)


class Golden(NamedTuple):
    """The differences for one page; all should be 0 or True."""

    ids: bool
    numbers: float
    """The largest difference of a number."""
    probabilities: float
    labels: bool
    """Whether labels and source are the same, for the same probabilities."""
    own_labels: bool
    """Whether labels are the same, each with its own probabilities."""
    kinds: bool
    steps: bool
    beside: bool
    """Whether the same kinds are written although they are no content."""
    confidence: float
    text: bool
    markdown: bool

    def is_same(self) -> bool:
        """Return whether no difference is above its bound."""
        return (
            self.ids and self.labels and self.kinds and self.steps and self.beside and self.text
            and self.markdown
            and self.numbers <= ARRAYS_WITHIN
            and self.probabilities <= PROBABILITIES_WITHIN
            and self.confidence <= CONFIDENCE_WITHIN
        )  # fmt: skip


def default_labeler() -> Labeler:
    """Return the default model's labeler of full precision."""
    return load_labeler("default", "numpy")


def _lists(bag: Bag) -> list[list[int]]:
    ends = bag.offsets.tolist()
    ids = bag.ids.tolist()
    return [ids[a:b] for a, b in pairwise(ends)]


def decide_alike(node: Node, page: Page, labeler: Labeler, probabilities: Any) -> bool:
    """Return whether labels, kinds and steps are the same for these probabilities."""
    labeled = _labeled(page, Given(labeler, page, probabilities), _DEFAULTS)
    decided = node.ask(
        "decide", page=page_json(page), probabilities=probabilities.tolist(), options={}
    )
    return [*labeled.labels, *labeled.kinds, *labeled.steps] == [
        *decided["labels"], *decided["kinds"], *decided["steps"],
    ]  # fmt: skip


def compare(node: Node, page: Page, labeler: Labeler, options: LabelOptions = _DEFAULTS) -> Golden:
    """Return the differences; ``node`` must have the labeler's model loaded."""
    sent = page_json(page)
    features = featurize(page)
    answer = node.ask("features", page=sent, bags=list(BAG_ROWS))
    numbers = np.array(answer["numbers"]).reshape(features.numbers.shape)
    ids = answer["page"] == features.page.tolist() and all(
        answer["bags"][name] == _lists(bag) for name, bag in features.bags.items()
    )
    probabilities = labeler.probabilities([page])[0]
    own = np.array(node.ask("probabilities", page=sent), dtype=np.float32)
    labeled = _labeled(page, Given(labeler, page, probabilities), options)
    chosen = {
        "favor": options.favor, "title": options.title,
        "comments": options.comments, "captions": options.captions,
    }  # fmt: skip
    decided = node.ask("decide", page=sent, probabilities=probabilities.tolist(), options=chosen)
    decided_own = node.ask("decide", page=sent, probabilities=own.tolist(), options=chosen)
    kept = [*labeled.kept]
    return Golden(
        ids=ids,
        numbers=_largest(numbers - features.numbers),
        probabilities=_largest(own - probabilities),
        labels=(decided["labels"], decided["source"]) == ([*labeled.labels], labeled.source),
        own_labels=decided_own["labels"] == [*labeled.labels],
        kinds=decided["kinds"] == [*labeled.kinds],
        steps=decided["steps"] == [*labeled.steps],
        beside=decided["beside"] == [*options.beside],
        confidence=abs(decided["confidence"] - labeled.confidence),
        text=node.ask("text", page=sent, kept=kept) == labeled.text,
        markdown=page.markup is None
        or (
            same_markdown(node, page, kept)
            and same_markdown(node, page, kept, beside_of(labeled, options.beside))
        ),
    )


def same_markdown(node: Node, page: Page, kept: list[bool], beside: Beside | None = None) -> bool:
    """Return whether the Markdown of the kept blocks is the same; the page must have markup."""
    assert page.markup is not None
    markdown = node.ask(
        "markdown", page=page_json(page), markup=markup_json(page.markup), kept=kept,
        pageBytes=page.markup.page_bytes, beside=(beside or Beside())._asdict(),
    )  # fmt: skip
    return bool(markdown == to_markdown(document_of(page, kept, beside).parts))


def _labeled(page: Page, labeler: Any, options: LabelOptions) -> LabeledPage:
    assert options.fallback == FALLBACK_STEPS
    labeled = label_pages([page], labeler, [options])[0]
    assert isinstance(labeled, LabeledPage), labeled
    return labeled


def _largest(differences: Any) -> float:
    return float(np.abs(differences).max(initial=0))


def painted_texts(page: LabeledPage) -> dict[str, str]:
    """Return by the name of its paint the text that is painted, without any white space."""
    found: dict[str, str] = {}
    for block, kind, keep in zip(page.page.blocks, page.kinds, page.kept, strict=True):
        if kind not in ("boilerplate", "hidden"):
            name = kind if keep else f"left-out-{kind}"
            found[name] = found.get(name, "") + "".join(block.text.split())
    return found
