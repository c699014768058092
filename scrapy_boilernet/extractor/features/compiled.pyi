from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.block_numbers import PageSums
from scrapy_boilernet.extractor.features.table import Columns

def count_rows(
    texts: Sequence[str],
    title: Collection[str],
    description: str,
    body: str,
    kinds: NDArray[np.uint8],
    closers: str,
    date: Callable[[str, int, int], object],
) -> NDArray[np.float64]: ...
def hash_tokens(
    text: str, kinds: NDArray[np.uint8], factors: NDArray[np.uint64]
) -> NDArray[np.uint64]: ...
def path_ids(
    paths: Sequence[tuple[str, ...]], begins: Sequence[int], rows: int, split: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def number_pairs(
    pairs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...], tag_steps: int, class_steps: int
) -> NDArray[np.int64]: ...
def subtree_sums(
    nodes: NDArray[np.int64],
    depths: NDArray[np.int64],
    words: NDArray[np.float64],
    link_words: NDArray[np.float64],
    levels: int,
) -> NDArray[np.float64]: ...
def row_sums(
    table: NDArray[np.float32], ids: NDArray[np.int64], offsets: NDArray[np.int64], is_mean: bool
) -> NDArray[np.float32] | None: ...
def word_columns(
    counts: NDArray[np.float64],
    chars: NDArray[np.int64],
    link_chars: NDArray[np.int64],
    singles_per_word: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def number_rows(
    columns: Columns,
    counts: NDArray[np.float64],
    words: NDArray[np.float64],
    link_words: NDArray[np.float64],
    sums: PageSums,
) -> NDArray[np.float64]: ...
def best_prefix(
    levels: NDArray[np.float64],
    weights: NDArray[np.float64],
    behind: NDArray[np.float64],
    moves: NDArray[np.float64],
    shares: NDArray[np.float64],
    normal: NDArray[np.float64],
    normal_cdf: NDArray[np.float64],
    slopes: NDArray[np.float64],
    least: float,
    beta_2: float,
    divisor: float,
) -> int: ...
