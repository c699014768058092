"""The paper's featurizer: counts of the top 1,000 words and top 50 tags, each with an unknown slot.

Leonhardt et al. 2020, section 3.1. It differs from the published code in one point: there, unknown
words overwrite each other's count. :class:`CountVocabulary` can do the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scrapy_boilernet.extractor.features.hashed import Bag, Features
from scrapy_boilernet.extractor.page import Block, Page

PAPER_FEATURIZER_VERSION = 1
PAPER_FEATURIZER = {"kind": "counts", "version": PAPER_FEATURIZER_VERSION}
"""What a model says that reads these arrays, besides its words and tags."""
UNKNOWN = 0
"""Index of the unknown slot in each of the two count vectors."""

_WORD = re.compile(
    r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+(?:-\w+)*?(?=n't\b)|[\w-]+|[^\w\s]", re.IGNORECASE
)
"""Close to the Penn Treebank rules that NLTK's word_tokenize follows, without its downloads."""


def paper_words(text: str) -> list[str]:
    """Return lower-case words and punctuation marks.

    >>> paper_words("Don't, it's 9!")
    ['do', "n't", ',', 'it', "'s", '9', '!']
    """
    return [word.lower() for word in _WORD.findall(text)]


@dataclass(frozen=True)
class CountVocabulary:
    """The words and tags that have a slot of their own, most frequent first."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    unknown_overwrites: bool = False
    """Whether to copy a fault of the published code: the unknown slot holds the count of the last
    unknown word instead of the sum over all."""
    unread: str = ""
    """``"words"`` or ``"tags"``: not counted, for the paper's ablation; "": both are counted."""

    @classmethod
    def of(
        cls,
        pages: Iterable[Page],
        words: int = 1000,
        tags: int = 50,
        unknown_overwrites: bool = False,
        unread: str = "",
    ) -> CountVocabulary:
        """Return the vocabulary of ``pages``: its most frequent words and ancestor tags."""
        word_counts: Counter[str] = Counter()
        tag_counts: Counter[str] = Counter()
        for page in pages:
            for block in page.blocks:
                word_counts.update(paper_words(block.text))
                tag_counts.update(block.tags)
        return cls(
            tuple(word for word, _ in word_counts.most_common(words)),
            tuple(tag for tag, _ in tag_counts.most_common(tags)),
            unknown_overwrites,
            unread,
        )

    @property
    def size(self) -> int:
        """Length of a block's count vector: 1,052 for the paper's 1,000 words and 50 tags."""
        return len(self.words) + len(self.tags) + 2

    @cached_property
    def _word_index(self) -> dict[str, int]:
        return {word: i + 1 for i, word in enumerate(self.words)}

    @cached_property
    def _tag_index(self) -> dict[str, int]:
        return {tag: i + 1 for i, tag in enumerate(self.tags)}

    def featurize(self, page: Page) -> Features:
        """Return the page's count vectors as one bag, in which an id is repeated by its count.

        ``numbers`` is empty, shape (n, 0): this featurizer has none.
        """
        ids: list[int] = []
        offsets = [0]
        for block in page.blocks:
            ids += self._ids(block)
            offsets.append(len(ids))
        bag = Bag(np.asarray(ids, dtype=np.int64), np.asarray(offsets, dtype=np.int64))
        return Features(np.zeros((len(page.blocks), 0), dtype=np.float32), {"counts": bag})

    def _ids(self, block: Block) -> list[int]:
        first_tag = len(self.words) + 1
        ids: list[int] = []
        if self.unread != "words":
            ids += self._indices(Counter(paper_words(block.text)), self._word_index)
        if self.unread != "tags":
            tags = self._indices(Counter(block.tags), self._tag_index)
            ids += [first_tag + index for index in tags]
        return ids

    def _indices(self, counts: Counter[str], index: dict[str, int]) -> list[int]:
        known = [index[key] for key, count in counts.items() if key in index for _ in range(count)]
        unknown = [count for key, count in counts.items() if key not in index]
        if unknown:
            known += [UNKNOWN] * (unknown[-1] if self.unknown_overwrites else sum(unknown))
        return known
