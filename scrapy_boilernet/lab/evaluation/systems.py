"""Our models and other extractors behind one interface, so that both can be measured.

Each system gets a page's bytes and URL; a peer also gets the language. No system gets
``GoldPage.encoding``, which users do not have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.crf.segments import cleaned_text
from scrapy_boilernet.extractor.labelers.model_folder import find_model
from scrapy_boilernet.extractor.labelers.registry import (
    Labeler,
    engine_of,
    load_labeler,
    which_labeler,
)
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.extractor.sites.rules import SiteRules
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.floors import FoldModels, is_fold_folder, read_folds
from scrapy_boilernet.lab.evaluation.peers import SafeExtractor, load_peer


@dataclass(frozen=True)
class Extraction:
    """The text that a system extracts from a page, with its labels if it labels blocks."""

    text: str
    confidence: float | None = None
    """The system's own estimate of its word-F1, in [0, 1], if it gives one."""
    labeled: LabeledPage | None = None
    """The labeled blocks, if the system labels blocks."""
    cleaned: Callable[[], str] | None = None
    """Returns the text of the labeled blocks with CleanEval's tags."""


@dataclass(frozen=True)
class System:
    """A labeler or a peer under test."""

    name: str
    version: str
    """The peer's version, or ``"ours"``."""
    extract: Callable[[GoldPage], Extraction]
    folds: FoldModels | None = None
    """The cross-validated models that it runs, if any; it can label only their pages."""
    engine: Callable[[], str] = lambda: ""
    """Returns the engine that runs our model, once it is loaded; "" for a peer."""
    clock: Callable[[], float] = process_time
    """Returns the CPU seconds so far, including those of a peer's own process."""
    folders: tuple[Path, ...] = ()
    """The model's folder, or one per cross-validated model; empty for a peer and for a labeler
    that needs no model."""


def labeler_systems(
    models: Sequence[str],
    engine: str = "auto",
    options: LabelOptions | None = None,
    sites: SiteRules | None = None,
) -> list[System]:
    """Return our models as systems. Raises ``ModelError`` if one cannot be loaded.

    ``models``: names of shipped models, model folders, or folders of cross-validated models. Models
    with equal names are named as given here. ``options``: the options by which probabilities become
    labels; None: the default ones. ``sites``: the rules of sites.
    """
    systems = [_system(model, engine, options or LabelOptions(), sites) for model in models]
    names = [system.name for system in systems]
    return [
        replace(system, name=model) if names.count(system.name) > 1 else system
        for model, system in zip(models, systems, strict=True)
    ]


def _system(model: str, engine: str, options: LabelOptions, sites: SiteRules | None) -> System:
    if is_fold_folder(Path(model)):
        folds = read_folds(Path(model), engine)
        folders = tuple(Path(model) / name for name in sorted(set(folds.model_of.values())))
        run = partial(_label_unseen, folds, options, sites)
        return System(folds.name, "ours", run, folds, folds.engine, folders=folders)
    which_labeler(model, "give --model")  # so that an unknown one is refused by this option
    labeler, folder = load_labeler(model, engine), find_model(model)
    return System(
        labeler.name, "ours", partial(_label, labeler, options, sites),
        engine=partial(engine_of, labeler),
        folders=(folder,) if folder else (),
    )  # fmt: skip


def _label_unseen(
    folds: FoldModels, options: LabelOptions, sites: SiteRules | None, page: GoldPage
) -> Extraction:
    return _label(folds.labeler_for(page), options, sites, page)


def _label(
    labeler: Labeler, options: LabelOptions, sites: SiteRules | None, page: GoldPage
) -> Extraction:
    rule = sites.rule_for(page.url) if sites else None
    blocks = blockify(page.html, page.url, units=labeler.units, rule=rule)
    result = label_page(blocks, labeler, options)
    cleaned = partial(cleaned_text, result, labeler)
    return Extraction(result.text, result.confidence, result, cleaned)


def peer_system(name: str) -> System:
    """Return a peer as a system. Raises ``PeerError`` if it is not installed."""
    extractor, version = load_peer(name)

    def run(page: GoldPage) -> Extraction:
        return Extraction(extractor(page.html, page.url, page.language))

    clock = extractor.clock if isinstance(extractor, SafeExtractor) else process_time
    return System(name, version, run, clock=clock)
