"""A model's card says what it was trained on and how it can be trained again."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pytest

from scrapy_boilernet.labelers.spec import ModelSpec, hashed_architecture
from scrapy_boilernet.training.card import CALIBRATION_PLOT, model_card

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
VOTED = {"crawl": {"digest_sha256": "00112233445566778899" * 3, "voted_pages": 700}}
ARCHITECTURE = hashed_architecture({"tags": 2, "classes": 3, "words": 4, "page": 5}, 10, 7, 2)
SPEC = ModelSpec(
    name="small",
    architecture=ARCHITECTURE,
    featurizer={"kind": "hashed", "version": 2},
    units="block",
    threshold=0.08,
    decision="expected-f",
    training={
        "command": "scrapy boilernet train news forums --out small",
        "versions": {"python": "3.11.0", "torch": "2.6.0"},
        "options": {"seed": 5, "epochs": 14},
        "best_epoch": 9,
        "calibration": {"temperature": 1.25, "bias": -0.5, "floor": 0.08},
        "datasets": DATASETS,
        "validation": {"news": 0.91234, "forums": 0.8},
    },
)
CROSSED = {"folds": {"news": 0.9, "forums": 0.75}, "without": {"news": 0.85}}


@pytest.fixture
def card() -> str:
    return model_card(SPEC)


@pytest.fixture
def crossed_card() -> str:
    more = {"cross_validation": CROSSED, "calibrated_on": "178 pages of folds", "voted": VOTED}
    return model_card(replace(SPEC, training={**SPEC.training, **more}))


def test_the_card_names_the_model_its_decision_and_featuriser(card: str) -> None:
    assert card.startswith("# Model card: small\n")
    assert "no block below 0.08" in card
    assert "hashed, version 2" in card


def test_the_card_says_what_it_was_calibrated_on(card: str, crossed_card: str) -> None:
    assert "Calibrated on the validation pages: temperature 1.25, bias -0.50" in card
    assert "Calibrated on 178 pages of folds: temperature 1.25" in crossed_card


def test_the_card_holds_command_versions_and_seed(card: str) -> None:
    assert "`scrapy boilernet train news forums --out small`" in card
    assert "python 3.11.0, torch 2.6.0" in card
    assert "Seed 5, 14 epochs, the best on the validation pages was number 9" in card


def test_the_card_holds_pages_licence_and_digest_of_every_set(crossed_card: str) -> None:
    assert "| news | 120 | 13 | CC BY 4.0 | `0123456789abcdef` |" in crossed_card
    assert "| forums | 45 | 6 | not stated | `fedcba9876543210` |" in crossed_card
    assert "| crawl | 700 | 0 | no gold: votes of open extractors | `001122" in crossed_card


def test_the_card_holds_the_validation_scores_if_there_are_no_others(card: str) -> None:
    assert "| news | 0.912 |" in card
    assert "| forums | 0.800 |" in card
    assert CALIBRATION_PLOT not in card  # it is drawn from cross-validated pages only


def test_the_card_holds_a_column_per_cross_validation(crossed_card: str) -> None:
    assert "| data set | folds | without |" in crossed_card
    assert "| news | 0.900 | 0.850 |" in crossed_card
    assert "| forums | 0.750 |  |" in crossed_card
    assert "0.912" not in crossed_card
    assert f"({CALIBRATION_PLOT})" in crossed_card


def test_the_card_counts_the_weights(card: str) -> None:
    bags = 2 * 1024 + 3 * 8192 + 4 * 16384 + 5 * 2048
    total = sum(prod(shape) for shape in ARCHITECTURE.shapes().values())
    assert f"{total - bags:,} weights beside {bags:,} in hashed embeddings" in card
    assert "2 bidirectional LSTM layers of 7" in card


def test_tables_of_the_card_are_well_formed(card: str, crossed_card: str) -> None:
    for found, columns in ((card, [6, 3]), (crossed_card, [6, 4])):
        heads = [line for line in found.splitlines() if line.startswith("|---")]
        assert [head.count("|") for head in heads] == columns
        assert found.endswith("\n")
