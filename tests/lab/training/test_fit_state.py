"""Checkpoints: a stopped run that continues gives the same bits as an uninterrupted one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

import torch
from safetensors.torch import load_file, save_file
from testing.learned import SMALL, learned
from testing.synthetic import TINY, random_features

from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.model_folder import Tensors
from scrapy_boilernet.extractor.labelers.spec import ModelSpec
from scrapy_boilernet.lab.training.boilernet import train_default
from scrapy_boilernet.lab.training.fit import (
    STATE_FILE,
    TrainingState,
    remove_state,
    restore_state,
    run_digest,
    save_state,
)

OPTIONS = replace(SMALL, epochs=4, dense=6, hidden=4, dropout=0.3)


class Killed(Exception):
    """Stops a training after a checkpoint was written."""


def train(
    checkpoint: Path | None, report: Callable[[str], None] = lambda _: None, seed: int = 0
) -> tuple[ModelSpec, Tensors]:
    pages, validation = [learned(n) for n in range(4)], [learned(100), learned(101)]
    options = replace(OPTIONS, seed=seed)
    return train_default("mine", pages, validation, options, report, checkpoint)


@cache
def uninterrupted() -> tuple[ModelSpec, Tensors]:
    return train(None)


def train_until(checkpoint: Path, epoch: int, seed: int = 0) -> None:
    """Train up to the message on an epoch, which comes after its checkpoint."""

    def kill(line: str) -> None:
        if line.startswith(f"epoch {epoch}:"):
            raise Killed

    with pytest.raises(Killed):
        train(checkpoint, kill, seed)
    assert (checkpoint / STATE_FILE).is_file()


def check_equal(found: tuple[ModelSpec, Tensors]) -> None:
    spec, tensors = uninterrupted()
    assert found[0] == spec
    assert found[1].keys() == tensors.keys()
    assert all(found[1][name].tobytes() == tensors[name].tobytes() for name in tensors)


@pytest.mark.parametrize("epoch", range(1, OPTIONS.epochs + 1))
def test_a_run_stopped_after_an_epoch_ends_with_the_same_bits(tmp_path: Path, epoch: int) -> None:
    train_until(tmp_path, epoch)
    torch.manual_seed(99)
    lines: list[str] = []
    check_equal(train(tmp_path, lines.append))
    assert lines[0] == f"continuing after epoch {epoch} of {OPTIONS.epochs}"
    assert len(lines) == 1 + OPTIONS.epochs - epoch


def test_a_run_stopped_after_every_epoch_ends_with_the_same_bits(tmp_path: Path) -> None:
    for epoch in range(1, OPTIONS.epochs + 1):
        train_until(tmp_path, epoch)
    check_equal(train(tmp_path))


def test_the_checkpoint_of_another_run_is_ignored(tmp_path: Path) -> None:
    train_until(tmp_path, 2, seed=1)
    lines: list[str] = []
    check_equal(train(tmp_path, lines.append))
    assert len(lines) == OPTIONS.epochs


def state(seed: int = 0) -> TrainingState:
    torch.manual_seed(seed)
    network = BoilerNetNetwork(TINY)
    optimizer = torch.optim.AdamW(network.parameters())
    found = TrainingState(network, BoilerNetNetwork(TINY), optimizer, np.random.default_rng(seed))
    found.remember_if_best(0.5)
    return found


def garble_metadata(file: Path, facts: str) -> None:
    save_file(load_file(file), file, metadata={"facts": facts})


GARBLED: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "no header": lambda file: file.write_bytes(b"\xff" * 100),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-1000]),
    "no object": lambda file: file.write_bytes((2).to_bytes(8, "little") + b"[]"),
    "no facts": lambda file: save_file(load_file(file), file),
    "facts a list": lambda file: garble_metadata(file, "[]"),
    "facts no JSON": lambda file: garble_metadata(file, "{"),
    "other digest": lambda file: garble_metadata(file, json.dumps({"digest": "0"})),
}


@pytest.mark.parametrize("how", GARBLED)
def test_a_garbled_checkpoint_is_ignored(tmp_path: Path, how: str) -> None:
    save_state(state(), tmp_path, "this run")
    GARBLED[how](tmp_path / STATE_FILE)
    other = state(1)
    before = {name: tensor.clone() for name, tensor in other.network.state_dict().items()}
    assert not restore_state(other, tmp_path, "this run")
    assert all(torch.equal(other.network.state_dict()[name], t) for name, t in before.items())
    assert other.epoch == 0


def test_saving_and_restoring_gives_the_same_state(tmp_path: Path) -> None:
    kept = state()
    page = random_features(5, np.random.default_rng(0))
    kept.network([page])[0].sum().backward()
    kept.optimizer.step()
    kept.epoch, kept.step = 3, 70
    save_state(kept, tmp_path, "this run")
    expected_draws = (torch.rand(3), kept.rng.random(3))
    found = state(1)
    assert not restore_state(found, tmp_path, "another run")
    assert restore_state(found, tmp_path, "this run")
    assert (found.epoch, found.step, found.best_f1, found.best_epoch) == (3, 70, 0.5, 0)
    for mine, theirs in ((found.network, kept.network), (found.averaged, kept.averaged)):
        for name, tensor in theirs.state_dict().items():
            assert torch.equal(mine.state_dict()[name], tensor)
    assert torch.equal(torch.rand(3), expected_draws[0])
    assert np.array_equal(found.rng.random(3), expected_draws[1])
    assert len(found.optimizer.state) == len(kept.optimizer.state) > 0


def test_remove_state_removes_only_the_checkpoint(tmp_path: Path) -> None:
    save_state(state(), tmp_path, "this run")
    (tmp_path / "model.json").write_text("{}")
    assert sorted(file.name for file in tmp_path.iterdir()) == [STATE_FILE, "model.json"]
    remove_state(tmp_path)
    remove_state(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


def test_the_digest_depends_on_the_facts_but_not_their_order() -> None:
    facts = {"seed": 1, "ids": [("a", "b")]}
    assert run_digest(facts) == run_digest(dict(reversed(facts.items())))
    assert run_digest(facts) != run_digest(facts | {"seed": 2})
