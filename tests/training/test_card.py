"""A model's card says what it was trained on and how it can be trained again."""

from __future__ import annotations

from math import prod

import pytest

from scrapy_boilernet.labelers.spec import ModelSpec, hashed_architecture
from scrapy_boilernet.training.card import model_card

DATASETS = {
    "news": {
        "digest_sha256": "0123456789abcdef" * 4, "licence": "CC BY 4.0", "source": "somewhere",
        "train_pages": 120, "validation_pages": 13,
    },
    "forums": {
        "digest_sha256": "fedcba9876543210" * 4, "licence": "not stated", "source": "elsewhere",
        "train_pages": 45, "validation_pages": 6,
    },
}  # fmt: skip
ARCHITECTURE = hashed_architecture({"tags": 2, "classes": 3, "words": 4}, 10, 7, 2)


@pytest.fixture
def card() -> str:
    spec = ModelSpec(
        name="small",
        architecture=ARCHITECTURE,
        featurizer={"kind": "hashed", "version": 1},
        units="block",
        threshold=0.42,
        training={
            "command": "scrapy boilernet train news forums --out small",
            "versions": {"python": "3.11.0", "torch": "2.6.0"},
            "options": {"seed": 5, "epochs": 14},
            "datasets": DATASETS,
            "validation": {"news": 0.91234, "forums": 0.8},
        },
    )
    return model_card(spec)


def test_the_card_names_the_model_its_threshold_and_featuriser(card: str) -> None:
    assert card.startswith("# Model card: small\n")
    assert "Threshold: 0.42" in card
    assert "hashed, version 1" in card


def test_the_card_holds_command_versions_and_seed(card: str) -> None:
    assert "`scrapy boilernet train news forums --out small`" in card
    assert "python 3.11.0, torch 2.6.0" in card
    assert "Seed 5, 14 epochs" in card


def test_the_card_holds_pages_licence_and_digest_of_every_set(card: str) -> None:
    assert "| news | 120 | 13 | CC BY 4.0 | `0123456789abcdef` |" in card
    assert "| forums | 45 | 6 | not stated | `fedcba9876543210` |" in card


def test_the_card_holds_the_validation_scores(card: str) -> None:
    assert "| news | 0.912 |" in card
    assert "| forums | 0.800 |" in card


def test_the_card_counts_the_weights(card: str) -> None:
    bags = 2 * 1024 + 3 * 8192 + 4 * 16384
    total = sum(prod(shape) for shape in ARCHITECTURE.shapes().values())
    assert f"{total - bags:,} weights beside {bags:,} in hashed embeddings" in card
    assert "2 bidirectional LSTM layers of 7" in card


def test_tables_of_the_card_are_well_formed(card: str) -> None:
    heads = [line for line in card.splitlines() if line.startswith("|---")]
    assert [head.count("|") for head in heads] == [6, 3]
    assert card.endswith("\n")
