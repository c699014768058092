"""What is measured: our models and other extractors behind one face."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.decode import decode
from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.evaluation.fold_models import FoldModels, is_fold_folder, read_folds
from scrapy_boilernet.evaluation.peers import load_peer
from scrapy_boilernet.extract import label_page
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers import Labeler, engine_of, load_labeler


@dataclass(frozen=True)
class Extraction:
    """What a system makes of a page."""

    text: str
    confidence: float | None = None
    """The system's own estimate of its word-F1, in [0, 1], if it gives one."""
    labeled: LabeledPage | None = None
    """The labeled blocks, if the system labels blocks."""


@dataclass(frozen=True)
class System:
    """A labeler or a peer under test."""

    name: str
    version: str
    """The peer's version, or ``"ours"``."""
    extract: Callable[[GoldPage], Extraction]
    folds: FoldModels | None = None
    """The cross-validated models behind it: it can label their pages only."""
    engine: Callable[[], str] = lambda: ""
    """What runs our model, known when it is loaded; "" for a peer."""


def labeler_systems(models: Sequence[str], engine: str = "auto") -> list[System]:
    """Return our models as systems; raises ``ModelError`` if one cannot be loaded.

    A model is a shipped model's name, a model folder, or a folder of cross-validated models.
    Models of the same name are told apart by what they were asked for by.
    """
    found = [_system(model, engine) for model in models]
    names = [system.name for system in found]
    return [
        replace(system, name=model) if names.count(system.name) > 1 else system
        for model, system in zip(models, found, strict=True)
    ]


def _system(model: str, engine: str) -> System:
    if is_fold_folder(Path(model)):
        folds = read_folds(Path(model), engine)
        return System(folds.name, "ours", partial(_label_unseen, folds), folds, folds.engine)
    labeler = load_labeler(model, engine)
    return System(
        labeler.name, "ours", partial(_label, labeler), engine=partial(engine_of, labeler)
    )


def _label_unseen(folds: FoldModels, page: GoldPage) -> Extraction:
    return _label(folds.labeler_for(page), page)


def _label(labeler: Labeler, page: GoldPage) -> Extraction:
    blocks = blockify(page.html, page.url, page.encoding, labeler.units)
    result = label_page(blocks, labeler)
    return Extraction(result.text, result.confidence, result)


def peer_system(name: str) -> System:
    """Return a peer as a system; raises ``PeerError`` if it is not installed."""
    extractor, version = load_peer(name)

    def run(page: GoldPage) -> Extraction:
        return Extraction(extractor(decode(page.html, page.encoding), page.url, page.language))

    return System(name, version, run)
