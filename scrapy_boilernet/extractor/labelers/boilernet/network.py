"""BoilerNet in torch (Leonhardt et al. 2020, section 3.2), for serving and for training.

counts or hashed ids and numbers -> dense ReLU -> BiLSTM layers -> one logit per block.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from scrapy_boilernet.extractor.features.hashed import Features
from scrapy_boilernet.extractor.labelers.spec import Architecture


class BoilerNetNetwork(nn.Module):
    """The network; parameters are named as in :meth:`Architecture.shapes`."""

    def __init__(self, architecture: Architecture, dropout: float = 0.0) -> None:
        super().__init__()
        self.bags = nn.ModuleDict(
            {
                name: nn.EmbeddingBag(rows, columns, mode=architecture.bag_mode)
                for name, (rows, columns) in architecture.bags.items()
            }
        )
        self.page_bag = None
        if architecture.page_bag:
            self.page_bag = nn.EmbeddingBag(*architecture.page_bag, mode=architecture.bag_mode)
        self.dense = _Dense(architecture.input_width, architecture.dense)
        self.bilstm = nn.ModuleList(
            _BiLSTM(layer.width, architecture.hidden) for layer in architecture.lstm_layers()
        )
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(architecture.output_width, 1)

    def forward(self, pages: Sequence[Features]) -> list[Tensor]:
        """Return one logit per block: per page a float tensor of shape (blocks,).

        Padding never affects the logits, whatever the lengths.
        """
        lengths = [len(page.numbers) for page in pages]
        inputs = torch.split(self.encode(pages), lengths)  # per page (blocks, dense)
        logits = [inputs[0].new_zeros(0)] * len(pages)
        for group in _groups(lengths):
            padded = pad_sequence([inputs[i] for i in group], batch_first=True)
            for i, row in zip(group, self._score(padded, [lengths[i] for i in group]), strict=True):
                logits[i] = row[: lengths[i]]
        return logits

    def encode(self, pages: Sequence[Features]) -> Tensor:
        """Return the dense layer's output for the blocks of all pages: (all blocks, dense)."""
        columns = [
            bag(*map(torch.from_numpy, _joined(pages, name))) for name, bag in self.bags.items()
        ]
        numbers = torch.from_numpy(np.concatenate([page.numbers for page in pages]))
        if self.page_bag is not None:
            columns.append(self._page_columns(self.page_bag, pages))
        encoded: Tensor = self.dense(torch.cat([*columns, numbers], dim=1))
        return encoded

    def _page_columns(self, bag: nn.EmbeddingBag, pages: Sequence[Features]) -> Tensor:
        """Return per block the embedding of its page's words: (all blocks, columns)."""
        ids = torch.from_numpy(np.concatenate([page.page for page in pages]))
        begins = np.cumsum([0, *(len(page.page) for page in pages[:-1])])
        lengths = torch.from_numpy(np.array([len(page.numbers) for page in pages]))
        columns: Tensor = bag(ids, torch.from_numpy(begins)).repeat_interleave(lengths, dim=0)
        return columns

    def _score(self, x: Tensor, lengths: Sequence[int]) -> Tensor:
        backwards = _reversal(x.shape[1], lengths)  # (pages, longest)
        for layer in self.bilstm:
            x = layer(x, backwards)  # (pages, longest, 2 hidden)
        logits: Tensor = self.out(self.dropout(x)).squeeze(-1)  # (pages, longest)
        return logits


class _BiLSTM(nn.Module):
    """One bidirectional layer as two plain LSTMs; the second reads each page from its end.

    torch's own bidirectional layer needs packed sequences to keep padding out, and on a CPU they do
    not use torch's fast path.
    """

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(width, hidden, batch_first=True)
        self.backwards = nn.LSTM(width, hidden, batch_first=True)

    def forward(self, x: Tensor, reversal: Tensor) -> Tensor:
        ahead = self.forwards(x)[0]  # (pages, longest, hidden)
        back = _take(self.backwards(_take(x, reversal))[0], reversal)
        return torch.cat([ahead, back], dim=2)


def _reversal(longest: int, lengths: Sequence[int]) -> Tensor:
    """Return per page the steps from its last to its first, then the padding: (pages, longest)."""
    steps = torch.arange(longest)
    ends = torch.tensor(lengths)[:, None]
    return torch.where(steps < ends, ends - 1 - steps, steps)


def _take(x: Tensor, steps: Tensor) -> Tensor:
    return x.gather(1, steps[:, :, None].expand(x.shape))


def _groups(lengths: Sequence[int]) -> list[list[int]]:
    """Return groups of pages of similar length, in which no page is padded by half.

    Pages without blocks are in no group.
    """
    groups: list[list[int]] = []
    filled = [i for i, length in enumerate(lengths) if length]
    for i in sorted(filled, key=lambda i: -lengths[i]):
        if groups and lengths[i] > lengths[groups[-1][0]] * 2 / 3:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


class _Dense(nn.Module):
    """A ReLU layer; with 0 units its input is already the weighted sum."""

    def __init__(self, width: int, units: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(units, width)) if units else None
        self.bias = nn.Parameter(torch.zeros(units or width))
        if self.weight is not None:
            nn.init.xavier_uniform_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu((x if self.weight is None else x @ self.weight.T) + self.bias)


def _joined(pages: Sequence[Features], name: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids of one bag over all pages, and where the ids of each block begin."""
    bags = [page.bags[name] for page in pages]
    ids = np.concatenate([bag.ids for bag in bags])
    starts, begin = [], 0
    for bag in bags:
        starts.append(bag.offsets[:-1] + begin)
        begin += len(bag.ids)
    return ids, np.concatenate(starts)
