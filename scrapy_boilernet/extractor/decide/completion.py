"""What belongs to the texts that the model keeps, and what does not belong to an article."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.ad_labels import label_ads
from scrapy_boilernet.extractor.decide.apart import stands_apart
from scrapy_boilernet.extractor.decide.copies import copied
from scrapy_boilernet.extractor.decide.no_text import has_no_text
from scrapy_boilernet.extractor.decide.notes import (
    complete_formulas,
    complete_notes,
    complete_posts,
)
from scrapy_boilernet.extractor.decide.quotes import complete_quotes
from scrapy_boilernet.extractor.decide.read_also import lead_elsewhere
from scrapy_boilernet.extractor.decide.recipes import complete_recipes
from scrapy_boilernet.extractor.decide.references import complete_references
from scrapy_boilernet.extractor.decide.replies import complete_replies
from scrapy_boilernet.extractor.decide.sign_up import ask_to_sign_up
from scrapy_boilernet.extractor.decide.speakers import complete_speakers
from scrapy_boilernet.extractor.decide.structures import complete_structures
from scrapy_boilernet.extractor.decide.terms import complete_terms
from scrapy_boilernet.extractor.decide.wikis import complete_wikis
from scrapy_boilernet.extractor.options import Step
from scrapy_boilernet.extractor.page import Page

Places = NDArray[np.bool_]
_LEFT_OUT: Mapping[Step, Callable[[Page, Places], Places]] = {
    "read also": lead_elsewhere,
    "sign-up": ask_to_sign_up,
    "ad label": label_ads,
    "apart": stands_apart,
    "copy": copied,
}
"""The rules that find what does not belong to an article, in their order."""


def complete(
    page: Page, kept: Places, probabilities: NDArray[np.float32], threshold: float
) -> tuple[Places, Mapping[Step, Places]]:
    """Return ``kept`` with structures, quotes and notes that belong to it, and without copies, what
    stands apart, and lines that lead to other articles, ask readers to sign up or name
    advertisements; nothing of a page without a text; and by step the blocks that it decided.

    ``probabilities``: per block, those by which ``threshold`` decided.
    """
    formed = complete_structures(page, kept, probabilities, threshold)
    formed = complete_references(page, formed, probabilities, threshold)
    formed = complete_wikis(page, complete_recipes(page, formed, probabilities, threshold))
    replied = complete_replies(page, formed)
    whole = complete_quotes(page, complete_terms(page, complete_speakers(page, replied)))
    noted = complete_notes(page, complete_posts(page, complete_formulas(page, whole)))
    decided: dict[Step, Places] = {
        "structure": whole & ~kept, "reply": replied & ~formed, "note": noted & ~whole,
    }  # fmt: skip
    rest = noted
    for step, find in _LEFT_OUT.items():
        decided[step] = found = find(page, rest)
        rest = rest & ~found
    decided["no text"] = no_text = rest & has_no_text(page, rest)
    return rest & ~no_text, decided
