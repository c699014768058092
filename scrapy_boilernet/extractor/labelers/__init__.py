"""Computes the probability of each block to be content.

Another package that has a labeler imports from here what it needs.
"""

from scrapy_boilernet.extractor.decide.threshold import Decider
from scrapy_boilernet.extractor.labelers.base import Explaining, Labeler, ModelError, Reason
from scrapy_boilernet.extractor.labelers.contract import ContractError, check_labeler

__all__ = [
    "ContractError", "Decider", "Explaining", "Labeler", "ModelError", "Reason", "check_labeler",
]  # fmt: skip
