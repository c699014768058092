"""Fitting the labeler ``crf``, and gold with five labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pycrfsuite")
pytest.importorskip("rapidfuzz")

import pycrfsuite
from testing.synthetic import article, gold_page, page_of

from scrapy_boilernet.extractor.labelers.crf.labeler import Field
from scrapy_boilernet.extractor.labelers.crf.segments import LABELS, markup_labels, tagged_text
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.training.crf import fit, gold_labels, payload_of, tagged_labels
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks

QUICK_FIT = {"max_iterations": 10, "min_frequency": 0}


def learned(number: int, **fields: Any) -> GoldBlocks:
    found = gold_blocks(gold_page(number, **fields), "leaf")
    assert found is not None
    return found


def quiet(_: str) -> None:
    pass


def test_the_same_pages_give_the_same_bytes() -> None:
    pages = [learned(n) for n in range(3)]
    assert fit(pages, QUICK_FIT, 0, quiet) == fit(pages, QUICK_FIT, 1, quiet)


def test_a_group_that_is_left_out_has_no_weights() -> None:
    pages = [learned(n) for n in range(3)]
    payload = fit(pages, {**QUICK_FIT, "groups": ["content"]}, 0, quiet)
    assert b"content:" in payload
    assert b"markup:" not in payload


def test_progress_is_reported() -> None:
    messages: list[str] = []
    fit([learned(n) for n in range(3)], QUICK_FIT, 0, messages.append)
    assert "3 pages" in messages[0]
    assert "iteration 1," in messages[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": ["x"]}, r"groups \['x'\]: must be a list of some of .*markup"),
        ({"groups": 5}, "groups 5: must be a list of some of markup"),
        ({"groups": "markup"}, "groups 'markup': must be"),
        ({"c3": 1}, "option 'c3': the labeler crf has groups, c1"),
        ({"c1": "x"}, "c1 is 'x' and must be a number in 0 to"),
        ({"c1": float("nan")}, "c1 is nan and must be a number"),
        ({"c2": float("inf")}, "c2 is inf and must be a number"),
        ({"c2": 10**400}, "c2 is .* and must be a number in 0 to"),
        ({"c1": True}, "c1 is True"),
        ({"c1": -1}, "c1 is -1"),
        ({"max_iterations": 0}, "max_iterations is 0 and must be a whole number in 1 to"),
        ({"max_iterations": 1.5}, "max_iterations is 1.5 and must be a whole number"),
        ({"max_iterations": 2**31}, "max_iterations is .* in 1 to 2147483647"),
        ({"min_frequency": -1}, "min_frequency is -1 and must be a whole number in 0 to"),
        ({"min_frequency": None}, "min_frequency is None"),
        ({"min_frequency": 10**6}, "lower the options c1 or min_frequency"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit([learned(1)], options, 0, quiet)


def trained(labels: list[str], folder: Path) -> bytes:
    """Return crfsuite's model file of one sequence in which each label has its own attribute."""
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.append([[f"of={label}"] for label in labels], labels)
    trainer.train(str(folder / "model"))
    return (folder / "model").read_bytes()


def test_a_payload_has_crfsuites_weights(tmp_path: Path) -> None:
    model = trained(["other", "list", "header", "list", "other"], tmp_path)
    field = Field.from_bytes(payload_of(model))
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    info = tagger.info()
    assert field.attributes == ("of=header", "of=list", "of=other")
    assert field.known.tolist() == [1, 0, 1, 0, 1]
    for row, name in enumerate(field.attributes):
        for place, label in enumerate(LABELS):
            wanted = info.state_features.get((name, label), 0.0)
            assert field.state[row, place] == np.float32(wanted)
    for row, before in enumerate(LABELS):
        for place, after in enumerate(LABELS):
            wanted = info.transitions.get((before, after), 0.0)
            assert field.transitions[row, place] == np.float32(wanted)
    assert np.count_nonzero(field.state) == len(info.state_features)
    assert payload_of(model) == payload_of(model)


def test_a_model_of_other_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="labels no, yes; must be"):
        payload_of(trained(["yes", "no"], tmp_path))
    with pytest.raises(ValueError, match="known"):
        payload_of(trained(["list", "header"], tmp_path))


def test_pages_of_one_class_are_refused() -> None:
    with pytest.raises(DatasetError, match="training needs both classes"):
        fit([learned(1, gold="")], QUICK_FIT, 0, quiet)


def test_without_tagged_gold_labels_are_from_the_markup() -> None:
    page = learned(1)
    labels = gold_labels(page)
    assert labels == markup_labels(page.page, page.labels)
    assert labels.count("header") == 1
    assert labels.count("paragraph") == 4


def test_with_tagged_gold_labels_are_from_its_segments() -> None:
    title, *texts = article(1)[1].split("\n")
    rows = (("h", title), ("l", texts[0]), ("p", " ".join(texts[1:])))
    page = learned(1, tagged_gold=rows)
    kept = [label for label in gold_labels(page) if label != "other"]
    assert kept == ["header", "list", "paragraph", "continuation", "continuation"]
    lines = tagged_text(page.page, gold_labels(page)).split("\n")
    assert lines == [f"<{tag}>{text}" for tag, text in rows]


def test_a_block_belongs_to_the_segment_with_most_of_its_words() -> None:
    page = page_of(["a b c d", "e f", "!", "menu", "g h"], "leaf")
    kept = np.array([True, True, True, False, True])
    rows = [("h", "a"), ("p", "b c d"), ("l", "e f g h")]
    assert tagged_labels(page, kept, rows) == (
        "paragraph", "list", "continuation", "other", "continuation",
    )  # fmt: skip


def test_kept_blocks_without_gold_segments_still_have_a_label() -> None:
    page = page_of(["a b", "c"], "leaf")
    assert tagged_labels(page, np.array([True, True]), []) == ("paragraph", "continuation")
