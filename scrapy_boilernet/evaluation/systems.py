"""What is measured: our models and other extractors behind one face.

Each is given a page's bytes and URL, and a peer the language too. ``GoldPage.encoding`` is what the
set's makers found out, which nobody has who extracts: no system is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time

from scrapy_boilernet.classical.segments import cleaned_text
from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.evaluation.floors import FoldModels, is_fold_folder, read_folds
from scrapy_boilernet.evaluation.peers import SafeExtractor, load_peer
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers.model_folder import find_model
from scrapy_boilernet.labelers.registry import Labeler, engine_of, load_labeler
from scrapy_boilernet.labeling import label_page
from scrapy_boilernet.options import Hidden, LabelOptions


@dataclass(frozen=True)
class Extraction:
    """What a system makes of a page."""

    text: str
    confidence: float | None = None
    """The system's own estimate of its word-F1, in [0, 1], if it gives one."""
    labeled: LabeledPage | None = None
    """The labeled blocks, if the system labels blocks."""
    cleaned: Callable[[], str] | None = None
    """Makes the text with CleanEval's tags of them."""


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
    clock: Callable[[], float] = process_time
    """CPU seconds so far; of a peer that works in a process of its own, with that one's."""
    folders: tuple[Path, ...] = ()
    """Where our model is on disk, one folder per cross-validated model; none for a peer and for a
    labeler that needs no model."""


def labeler_systems(
    models: Sequence[str], engine: str = "auto", hidden: Hidden = "drop"
) -> list[System]:
    """Return our models as systems; raises ``ModelError`` if one cannot be loaded.

    ``hidden``: what becomes of text that pages hide; see :class:`LabelOptions`.
    A model is a shipped model's name, a model folder, or a folder of cross-validated models.
    Models of the same name are told apart by what they were asked for by.
    """
    systems = [_system(model, engine, LabelOptions(hidden=hidden)) for model in models]
    names = [system.name for system in systems]
    return [
        replace(system, name=model) if names.count(system.name) > 1 else system
        for model, system in zip(models, systems, strict=True)
    ]


def _system(model: str, engine: str, options: LabelOptions) -> System:
    if is_fold_folder(Path(model)):
        folds = read_folds(Path(model), engine)
        folders = tuple(Path(model) / name for name in sorted(set(folds.model_of.values())))
        run = partial(_label_unseen, folds, options)
        return System(folds.name, "ours", run, folds, folds.engine, folders=folders)
    labeler, folder = load_labeler(model, engine), find_model(model)
    return System(
        labeler.name, "ours", partial(_label, labeler, options), engine=partial(engine_of, labeler),
        folders=(folder,) if folder else (),
    )  # fmt: skip


def _label_unseen(folds: FoldModels, options: LabelOptions, page: GoldPage) -> Extraction:
    return _label(folds.labeler_for(page), options, page)


def _label(labeler: Labeler, options: LabelOptions, page: GoldPage) -> Extraction:
    blocks = blockify(page.html, page.url, units=labeler.units)
    result = label_page(blocks, labeler, options)
    cleaned = partial(cleaned_text, result, labeler)
    return Extraction(result.text, result.confidence, result, cleaned)


def peer_system(name: str) -> System:
    """Return a peer as a system; raises ``PeerError`` if it is not installed."""
    extractor, version = load_peer(name)

    def run(page: GoldPage) -> Extraction:
        return Extraction(extractor(page.html, page.url, page.language))

    clock = extractor.clock if isinstance(extractor, SafeExtractor) else process_time
    return System(name, version, run, clock=clock)
