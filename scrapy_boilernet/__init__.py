"""The main text of every crawled page, and a label for each of its text blocks."""

from importlib import import_module
from typing import TYPE_CHECKING

from scrapy_boilernet.version import __version__ as __version__

__all__ = [
    "Addon", "Block", "JoinedPages", "LabeledPage", "ModelError", "Page", "extract", "fill_item",
    "join_pages", "load_labeler",
]  # fmt: skip

if TYPE_CHECKING:
    from scrapy_boilernet.addon import Addon
    from scrapy_boilernet.extractor.labeled import LabeledPage
    from scrapy_boilernet.extractor.labelers.registry import ModelError, load_labeler
    from scrapy_boilernet.extractor.labeling import extract
    from scrapy_boilernet.extractor.output.joined import JoinedPages, join_pages
    from scrapy_boilernet.extractor.page import Block, Page
    from scrapy_boilernet.pipelines import fill_item
else:
    _MODULES = {
        "Addon": "addon",
        "Block": "extractor.page",
        "JoinedPages": "extractor.output.joined",
        "LabeledPage": "extractor.labeled",
        "ModelError": "extractor.labelers.registry",
        "Page": "extractor.page",
        "extract": "extractor.labeling",
        "fill_item": "pipelines",
        "join_pages": "extractor.output.joined",
        "load_labeler": "extractor.labelers.registry",
    }
    """The module of each public name; it is loaded when the name is first used."""

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
