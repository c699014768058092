"""The engine for torch. Outside of training, only it and the network that it runs import torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.features.hashed import Features
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.labelers.model_folder import Tensors, load_model
from scrapy_boilernet.labelers.network import BoilerNetNetwork
from scrapy_boilernet.labelers.scoring import WINDOW_BLOCKS, ModelLabeler
from scrapy_boilernet.labelers.spec import ModelSpec

_GPU_WINDOW_BLOCKS = 20 * WINDOW_BLOCKS
"""A GPU is quicker with more blocks at once; the arrays of so many take some hundred MB."""


class TorchLabeler(ModelLabeler):
    """A BoilerNet model run by torch."""

    def __init__(self, spec: ModelSpec, tensors: Tensors, device: str = "cpu") -> None:
        super().__init__(spec)
        self.window_blocks = WINDOW_BLOCKS if device == "cpu" else _GPU_WINDOW_BLOCKS
        self._network = BoilerNetNetwork(spec.architecture)
        weights = {name: torch.from_numpy(tensor) for name, tensor in tensors.items()}
        self._network.load_state_dict(weights)
        self._network.eval().to(device)

    @classmethod
    def load(cls, folder: Path, device: str = "cpu") -> Self:
        """Return the labeler of the model in ``folder``, on the device with torch's name.

        Raises ``ModelError`` if the model is broken or there is no such device.
        """
        _check_device(device)
        return cls(*load_model(folder), device)

    def _score(self, features: Features) -> NDArray[np.float32]:
        return self._score_many([features])[0]

    def _score_many(self, pages: Sequence[Features]) -> list[NDArray[np.float32]]:
        with _one_thread(), torch.inference_mode():
            logits = self._network(pages)
            scores = [torch.sigmoid(page).cpu().numpy() for page in logits]
            return [np.asarray(page, dtype=np.float32) for page in scores]


def _check_device(device: str) -> None:
    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    number = device.partition(":")[2]
    if device != "cpu" and int(number or 0) >= gpus:
        raise ModelError(
            f"BOILERNET_DEVICE = {device!r}: torch {torch.__version__} finds {gpus} GPUs; set it "
            "to 'cpu', or install torch for your GPU (https://pytorch.org/get-started)"
        )


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
