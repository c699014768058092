"""The text of a model's card, for records with and without each part."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pytest

from scrapy_boilernet.labelers.spec import ModelSpec, hashed_architecture
from scrapy_boilernet.training.cards import CALIBRATION_PLOT, model_card
from scrapy_boilernet.training.gold import ALL_PAGES

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
VOTES = {
    "folder": "votes",
    "voters": {
        "trafilatura": {"version": "2.3.1", "weight": 1.5},
        "resiliparse": {"version": None, "weight": 0.8},
    },
    "rule": {"min_voters": 3, "min_vote_tokens": 5, "trust_per_deviation": 1.2, "min_trust": 0.2},
}
OVERLAP = {
    "against": "those that trained",
    "pages": {"gold": 184, "votes": 700},
    "without_domain": {"gold": 3, "votes": 12},
    "sets": {
        "exam": {
            "test_pages": 90, "without_domain": 7, "on_domain": {"gold": 31, "votes": 42},
            "near_duplicates": {"gold": 0, "votes": 5},
        }
    },
}  # fmt: skip
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


def test_the_card_names_the_model_its_decision_and_featurizer(card: str) -> None:
    assert card.startswith("# Model card: small\n")
    assert "no block below 0.08" in card
    assert "hashed, version 2" in card


def test_the_card_has_the_calibration_and_its_pages(card: str, crossed_card: str) -> None:
    assert "Calibrated on the validation pages: temperature 1.25, bias -0.50" in card
    assert "Calibrated on 178 pages of folds: temperature 1.25" in crossed_card


def with_record(**more: object) -> str:
    return model_card(replace(SPEC, training={**SPEC.training, **more}))


def test_the_card_has_command_versions_and_seed(card: str) -> None:
    assert "1. `scrapy boilernet train news forums --out small`: python 3.11.0, torch 2.6.0" in card
    assert "Seed 5, 14 epochs; the best on the validation pages was number 9" in card


def test_the_card_has_pages_licence_and_digest_of_every_set(crossed_card: str) -> None:
    assert "| news | 120 | 13 | CC BY 4.0 | `0123456789abcdef` |" in crossed_card
    assert "| forums | 45 | 6 | not stated | `fedcba9876543210` |" in crossed_card
    assert "| crawl | 700 | 0 | no gold: votes of open extractors | `001122" in crossed_card


def test_the_card_has_the_validation_scores_if_there_are_no_others(card: str) -> None:
    assert "| news | 0.912 |" in card
    assert "| forums | 0.800 |" in card
    assert CALIBRATION_PLOT not in card  # which is only drawn for cross-validated pages


def test_the_card_has_a_column_per_cross_validation(crossed_card: str) -> None:
    assert "| data set | folds | without |" in crossed_card
    assert "| news | 0.900 | 0.850 |" in crossed_card
    assert "| forums | 0.750 |  |" in crossed_card
    assert "0.912" not in crossed_card
    assert f"({CALIBRATION_PLOT})" in crossed_card


def test_the_card_has_the_number_of_weights(card: str) -> None:
    bags = 2 * 1024 + 3 * 8192 + 4 * 16384 + 5 * 2048
    total = sum(prod(shape) for shape in ARCHITECTURE.shapes().values())
    assert f"{total - bags:,} weights beside {bags:,} in hashed embeddings" in card
    assert "2 bidirectional LSTM layers of 7" in card


def test_tables_of_the_card_are_well_formed(card: str, crossed_card: str) -> None:
    whole = with_record(voted=VOTED, overlap=OVERLAP)
    for found, columns in ((card, [6, 3]), (crossed_card, [6, 4]), (whole, [6, 8, 3])):
        heads = [line for line in found.splitlines() if line.startswith("|---")]
        assert [head.count("|") for head in heads] == columns
        assert found.endswith("\n")


def test_the_card_states_if_close_test_pages_were_not_computed(card: str) -> None:
    assert "close to pages that trained was not computed" in card
    assert "No test page" not in card


def test_the_card_counts_close_test_pages_by_gold_and_by_votes() -> None:
    card = with_record(voted=VOTED, overlap=OVERLAP)
    assert "184 pages by gold (3 without a known domain) and 700 pages by votes (12 with" in card
    assert "| exam | 90 | 7 | 31 | 42 | 0 | 5 |" in card
    assert "not computed" not in card
    assert "computed after the training" not in card
    later = with_record(overlap={**OVERLAP, "against": "the training parts"})
    assert "computed after the training, for all pages that the split lets train" in later


def test_a_card_without_votes_has_no_columns_for_them() -> None:
    row = {
        "test_pages": 90, "without_domain": 7, "on_domain": {"gold": 31, "votes": 0},
        "near_duplicates": {"gold": 2, "votes": 0},
    }  # fmt: skip
    pages = {"gold": 184, "votes": 0}
    card = with_record(overlap={**OVERLAP, "pages": pages, "sets": {"exam": row}})
    assert "| exam | 90 | 7 | 31 | 2 |" in card
    assert "## Votes" not in card


def test_the_card_states_if_there_are_no_test_parts() -> None:
    assert "None of these sets has a test part" in with_record(overlap={**OVERLAP, "sets": {}})


def test_the_card_names_voters_their_versions_weights_and_rule() -> None:
    card = with_record(voted={"crawl": {**VOTED["crawl"], "votes": VOTES}})
    assert "- crawl: voters" in card
    assert "trafilatura 2.3.1 (1.5), resiliparse, version not recorded (0.8)." in card
    assert "if at least 3 voters find a text of at least 5 tokens" in card
    assert "1 minus 1.2 times the standard deviation over the voters, and at least 0.2" in card
    assert "all pages weigh the same, by votes or by gold" in card
    assert "- crawl: the voters were not recorded." in with_record(voted=VOTED)


def test_the_card_names_origins_of_pages_and_their_licences() -> None:
    origins = {"lab/reader": {"pages": 66, "licence": "GPL-3.0"}}
    card = with_record(voted={"crawl": {**VOTED["crawl"], "origins": origins}})
    assert "| crawl | lab/reader | 66 | GPL-3.0 |" in card
    assert "several origins" not in with_record(voted=VOTED)


def test_the_card_lists_all_commands_in_order() -> None:
    steps = [
        {
            "makes": "votes", "command": "scrapy boilernet vote --out votes crawl",
            "versions": {"python": "3.12.1"},
        },
        {"makes": "folds", "command": None, "versions": None},
        {
            "makes": "left-out", "command": "scrapy boilernet crossvalidate --out left-out news",
            "versions": None, "established": "from a report",
        },
    ]  # fmt: skip
    export = [{"command": "scrapy boilernet export small --int8", "versions": {"onnx": "1.20"}}]
    found = with_record(steps=steps, export=export).partition("## Commands\n")[2].splitlines()
    assert [line for line in found if line[:1].isdigit()] == [
        "1. `scrapy boilernet vote --out votes crawl`: python 3.12.1",
        "2. The command that made `folds` was not recorded.",
        "3. `scrapy boilernet crossvalidate --out left-out news` (from a report): versions not "
        "recorded",
        "4. `scrapy boilernet train news forums --out small`: python 3.11.0, torch 2.6.0",
        "5. `scrapy boilernet export small --int8`: onnx 1.20",
    ]


def test_the_card_states_if_commands_before_train_were_not_recorded(card: str) -> None:
    line = "The commands that made the folders for `train` were not recorded."
    assert line in with_record(command="scrapy boilernet train news --voted crawl --votes votes")
    assert line not in card


def test_the_card_has_the_notes_of_the_record() -> None:
    assert "## Notes\n\n- One thing.\n- Another.\n" in with_record(notes=["One thing.", "Another."])


def test_the_card_has_the_number_of_pages_with_votes_and_gold() -> None:
    voted = {"crawl": {**VOTED["crawl"], "beside_gold": 12}, "old": VOTED["crawl"]}
    assert "that were left out for this reason: 12 of crawl.\n" in with_record(voted=voted)
    assert "left out for this reason" not in with_record(voted=VOTED)


def test_the_card_has_the_options_that_chose_the_pages() -> None:
    given = {"split": "dev", "sample": 9, "without": ["crawl:lab", "news:a"]}
    card = with_record(chosen={**given, "without_licence": ["GPL-3.0", "AGPL-3.0"]})
    assert "only the pages of the split `dev`" in card
    assert "at most 9 pages" in card
    assert "SET:SRC: `crawl:lab`, `news:a`." in card
    assert "states the licence GPL-3.0 or AGPL-3.0." in card
    assert with_record(chosen=ALL_PAGES) == with_record()
