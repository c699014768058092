"""The network compared with torch's bidirectional LSTM over packed sequences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from testing.synthetic import TINY, random_features
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence

from scrapy_boilernet.extractor.features.hashed import Features
from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.spec import Architecture, hashed_architecture


def torch_lstm(network: BoilerNetNetwork, width: int, hidden: int) -> torch.nn.LSTM:
    """Return torch's two-layer bidirectional LSTM with the network's weights."""
    lstm = torch.nn.LSTM(width, hidden, num_layers=2, bidirectional=True)
    state = {}
    for layer, pair in enumerate(network.bilstm):
        for module, suffix in ((pair.forwards, ""), (pair.backwards, "_reverse")):
            for name, tensor in module.state_dict().items():
                state[name.replace("_l0", f"_l{layer}") + suffix] = tensor
    lstm.load_state_dict(state)
    return lstm.eval()


def logits_by_torch(network: BoilerNetNetwork, pages: list[Features]) -> list[torch.Tensor]:
    inputs = [network.encode([page]) for page in pages]
    lstm = torch_lstm(network, TINY.dense, TINY.hidden)
    packed = pack_sequence(inputs, enforce_sorted=False)
    outputs, lengths = pad_packed_sequence(lstm(packed)[0], batch_first=True)
    return [
        network.out(row[:length]).squeeze(-1) for row, length in zip(outputs, lengths, strict=True)
    ]


@pytest.mark.parametrize("lengths", [[1], [5, 5], [3, 120, 1, 60, 61], [200, 2, 130]])
def test_logits_equal_those_of_torchs_bidirectional_lstm(lengths: list[int]) -> None:
    torch.manual_seed(1)
    network = BoilerNetNetwork(TINY).eval()
    rng = np.random.default_rng(sum(lengths))
    pages = [random_features(length, rng) for length in lengths]
    with torch.inference_mode():
        found, expected = network(pages), logits_by_torch(network, pages)
    for mine, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-5)


def test_the_dense_layer_reads_bags_means_and_numbers() -> None:
    torch.manual_seed(1)
    network = BoilerNetNetwork(TINY).eval()
    page = random_features(6, np.random.default_rng(0))
    rows = []
    for i in range(6):
        parts = []
        for name, (_, columns) in TINY.bags.items():
            bag = page.bags[name]
            ids = bag.ids[bag.offsets[i] : bag.offsets[i + 1]]
            table = network.bags[name].weight.detach().numpy()
            parts.append(table[ids].mean(axis=0) if len(ids) else np.zeros(columns))
        rows.append(np.concatenate([*parts, page.numbers[i]]))
    x = np.array(rows) @ network.dense.weight.detach().numpy().T
    expected = np.maximum(x + network.dense.bias.detach().numpy(), 0)
    assert network.encode([page]).detach().numpy() == pytest.approx(expected, abs=1e-5)


def test_counts_are_summed_without_another_weight_matrix() -> None:
    torch.manual_seed(1)
    counts = Architecture({"words": (50, 4)}, "sum", 0, 0, 3, 1)
    network = BoilerNetNetwork(counts).eval()
    features = random_features(5, np.random.default_rng(0))
    page = Features(np.zeros((5, 0), dtype=np.float32), {"words": features.bags["words"]})
    bag, table = page.bags["words"], network.bags["words"].weight.detach().numpy()
    sums = [table[bag.ids[a:b]].sum(axis=0) for a, b in pairwise(bag.offsets)]
    assert network.dense.weight is None
    assert network.encode([page]).detach().numpy() == pytest.approx(np.maximum(sums, 0), abs=1e-5)


@pytest.mark.parametrize(
    "architecture",
    [
        TINY,
        Architecture({"counts": (30, 8)}, "sum", 0, 0, 4, 2),
        hashed_architecture({"tags": 2, "classes": 2, "words": 2, "page": 3}, 6, 4, 3),
    ],
    ids=["tiny", "counts", "hashed"],
)
def test_parameters_have_names_and_shapes_of_the_architecture(architecture: Architecture) -> None:
    state = BoilerNetNetwork(architecture).state_dict()
    assert {name: tuple(t.shape) for name, t in state.items()} == architecture.shapes()


def test_a_reversed_page_gives_the_same_with_swapped_directions() -> None:
    torch.manual_seed(1)
    network = BoilerNetNetwork(Architecture(TINY.bags, "mean", TINY.numbers, 8, 6, 1)).eval()
    x = torch.randn(1, 9, 8)
    with torch.inference_mode():
        pair = network.bilstm[0]
        steps = torch.arange(8, -1, -1)[None]
        ahead = pair(x, steps)
        pair.forwards, pair.backwards = pair.backwards, pair.forwards
        back = pair(x.flip(1), steps).flip(1)
    torch.testing.assert_close(ahead, torch.cat([back[..., 6:], back[..., :6]], dim=2))
