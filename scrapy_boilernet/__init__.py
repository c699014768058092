"""Main text and a label per text block for every crawled page."""

from scrapy_boilernet.addon import Addon
from scrapy_boilernet.extract import extract
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers import ModelError, load_labeler
from scrapy_boilernet.page import Block, Page

__all__ = ["Addon", "Block", "LabeledPage", "ModelError", "Page", "extract", "load_labeler"]
__version__ = "0.2.0"
