"""The engine for torch. Outside of training, only it and the network that it runs import torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.hashed import Features
from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.boilernet.scoring import ModelLabeler
from scrapy_boilernet.extractor.labelers.model_folder import Tensors, load_model
from scrapy_boilernet.extractor.labelers.spec import ModelSpec


class TorchLabeler(ModelLabeler):
    """A BoilerNet model run by torch."""

    def __init__(self, spec: ModelSpec, tensors: Tensors) -> None:
        super().__init__(spec)
        self._network = BoilerNetNetwork(spec.architecture)
        weights = {name: torch.from_numpy(tensor) for name, tensor in tensors.items()}
        self._network.load_state_dict(weights)
        self._network.eval()

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the labeler of the model in ``folder``; raises ``ModelError`` if it is broken."""
        return cls(*load_model(folder))

    def _score(self, features: Features) -> NDArray[np.float32]:
        return self._score_many([features])[0]

    def _score_many(self, pages: Sequence[Features]) -> list[NDArray[np.float32]]:
        with _one_thread(), torch.inference_mode():
            logits = self._network(pages)
            scores = [torch.sigmoid(page).numpy() for page in logits]
            return [np.asarray(page, dtype=np.float32) for page in scores]


@contextmanager
def _one_thread() -> Iterator[None]:
    """Run torch on one thread: on such small matrices two threads are many times slower."""
    before = torch.get_num_threads()
    if before == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
