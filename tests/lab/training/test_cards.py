"""The card's text where a record has more or less than those of the shipped models.

``tests/extractor/labelers/test_shipped_models.py`` compares the whole cards of these.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrapy_boilernet.extractor.labelers.spec import ModelSpec, hashed_architecture
from scrapy_boilernet.lab.training.cards import CALIBRATION_PLOT, card_of
from scrapy_boilernet.lab.training.gold import ALL_PAGES

NEWS = {
    "digest_sha256": "0123456789abcdef" * 4, "licence": "CC BY 4.0", "source": "somewhere",
    "train_pages": 120, "validation_pages": 13,
}  # fmt: skip
VOTED: dict[str, Any] = {
    "crawl": {
        "digest_sha256": "00112233445566778899" * 3, "voted_pages": 700, "beside_gold": 12,
        "votes": {"folder": "votes"},
    }
}  # fmt: skip
VOTES = {
    "folder": "votes",
    "voters": {
        "trafilatura": {"version": "2.3.1", "weight": 1.5},
        "resiliparse": {"version": "2.0.1", "weight": 0.8},
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
SPEC = ModelSpec(
    name="small",
    architecture=hashed_architecture({"tags": 2, "classes": 3, "words": 4, "page": 5}, 10, 7, 2),
    featurizer={"kind": "hashed", "version": 2},
    units="block",
    threshold=0.08,
    decision="expected-f",
    training={
        "command": "scrapy boilernet train news --out small",
        "versions": {"python": "3.11.0", "torch": "2.6.0"},
        "options": {"seed": 5, "epochs": 14},
        "best_epoch": 9,
        "calibration": {"temperature": 1.25, "bias": -0.5, "floor": 0.08},
        "datasets": {"news": NEWS},
        "overlap": {**OVERLAP, "sets": {}},
        "validation": {"news": 0.91234, "forums": 0.8},
    },
)


def card(**more: object) -> str:
    """Return the card of a record with ``more`` in it."""
    return card_of(replace(SPEC, training={**SPEC.training, **more}))


def test_validation_scores_are_there_if_there_are_no_others() -> None:
    assert "Calibrated on the validation pages: temperature 1.25, bias -0.50" in card()
    assert (
        "| data set | validation pages |\n|---|---|\n| forums | 0.800 |\n| news | 0.912 |\n"
        in card()
    )
    assert CALIBRATION_PLOT not in card()  # which is only drawn for cross-validated pages


def test_cross_validations_may_have_different_sets() -> None:
    crossed = {"folds": {"news": 0.9, "forums": 0.75}, "without": {"news": 0.85}}
    text = card(cross_validation=crossed)
    assert "| forums | 0.750 |  |\n| news | 0.900 | 0.850 |\n" in text
    assert "0.912" not in text
    assert f"({CALIBRATION_PLOT})" in text


@pytest.mark.parametrize(
    ("more", "columns"),
    [({}, [6, 3]), ({"voted": VOTED, "overlap": OVERLAP}, [6, 8, 3])],
)
def test_tables_have_as_many_columns_as_their_heads(
    more: dict[str, object], columns: list[int]
) -> None:
    lines = card(**more).splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("|---")]
    assert [lines[i].count("|") for i in heads] == columns
    assert [lines[i - 1].count("|") for i in heads] == columns
    assert [lines[i + 1].count("|") for i in heads] == columns


@pytest.mark.parametrize(
    ("overlap", "text"),
    [
        ({**OVERLAP, "sets": {}}, "None of these sets has a test part, and no other set was"),
        (OVERLAP, "184 pages by gold (3 without a known domain) and 700 pages by votes (12 with"),
        (OVERLAP, "| exam | 90 | 7 | 31 | 42 | 0 | 5 |"),
        ({**OVERLAP, "pages": {"gold": 184, "votes": 0}}, "| exam | 90 | 7 | 31 | 0 |"),
    ],
)
def test_close_test_pages_are_counted_as_far_as_known(overlap: object, text: str) -> None:
    found = card(overlap=overlap)
    assert text in found
    assert "computed after the training" not in found
    later = {**OVERLAP, "against": "the training parts"}
    assert "computed after the training, for all pages that the split lets train" in card(
        overlap=later
    )


def test_votes_whose_voters_are_unknown_say_so() -> None:
    text = card(voted={"crawl": {**VOTED["crawl"], "votes": VOTES}, "other": VOTED["crawl"]})
    assert "trafilatura 2.3.1 (1.5), resiliparse 2.0.1 (0.8). A page gets" in text
    assert "- other: the voters were not recorded.\n" in text
    assert "left out for this reason: 12 of crawl, 12 of other.\n" in text
    assert "## Votes" not in card()


def test_all_commands_are_listed_in_order() -> None:
    steps = [
        {
            "makes": "votes", "command": "scrapy boilernet vote --out votes crawl",
            "versions": {"python": "3.12.1"},
        },
        {"makes": "folds", "command": None, "versions": None},
        {
            "makes": "left-out", "command": "scrapy boilernet crossvalidate --out left-out news",
            "versions": None,
        },
    ]  # fmt: skip
    export = [{"command": "scrapy boilernet export small --int8", "versions": {"onnx": "1.20"}}]
    found = card(steps=steps, export=export).partition("## Commands\n")[2].splitlines()
    assert [line for line in found if line[:1].isdigit()] == [
        "1. `scrapy boilernet vote --out votes crawl`: python 3.12.1",
        "2. The command that made `folds` was not recorded.",
        "3. `scrapy boilernet crossvalidate --out left-out news`: versions not recorded",
        "4. `scrapy boilernet train news --out small`: python 3.11.0, torch 2.6.0",
        "5. `scrapy boilernet export small --int8`: onnx 1.20",
    ]


def test_the_options_that_chose_the_pages_are_there() -> None:
    given = {"split": "dev", "sample": 9, "without": ["crawl:lab", "news:a"]}
    text = card(chosen={**given, "without_licence": ["GPL-3.0", "AGPL-3.0"]})
    assert "only the pages of the split `dev`" in text
    assert "at most 9 pages" in text
    assert "SET:SRC: `crawl:lab`, `news:a`." in text
    assert "states the licence GPL-3.0 or AGPL-3.0." in text
    assert card(chosen=ALL_PAGES) == card()
