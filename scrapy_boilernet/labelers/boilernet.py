"""The torch engine: the one door through which the plugin loads torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.labelers.model_folder import Tensors
from scrapy_boilernet.labelers.network import BoilerNetNetwork
from scrapy_boilernet.labelers.scoring import featurizer_of, page_confidence
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.page import Page, Units


class TorchLabeler:
    """A BoilerNet model run by torch, a page at a time.

    A page at a time, so that its scores cannot depend on its neighbours.
    """

    def __init__(self, spec: ModelSpec, tensors: Tensors) -> None:
        self.spec = spec
        self.name = spec.name
        self.units: Units = spec.units
        self.threshold = spec.threshold
        self._featurize = featurizer_of(spec)
        self._network = BoilerNetNetwork(spec.architecture)
        weights = {name: torch.from_numpy(tensor) for name, tensor in tensors.items()}
        self._network.load_state_dict(weights)
        self._network.eval()

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        with _one_thread(), torch.inference_mode():
            return [self._score(page) for page in pages]

    def confidence(self, page: Page, probabilities: NDArray[np.float32], threshold: float) -> float:
        """Return the expected word-F1 of the page's main text, in [0, 1]."""
        return page_confidence(self.spec, page, probabilities, threshold)

    def _score(self, page: Page) -> NDArray[np.float32]:
        if not page.blocks:
            return np.zeros(0, dtype=np.float32)
        logits = self._network([self._featurize(page)])[0]
        return np.asarray(torch.sigmoid(logits).numpy(), dtype=np.float32)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Run torch on one thread: on such small matrices two are many times slower."""
    before = torch.get_num_threads()
    if before == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
