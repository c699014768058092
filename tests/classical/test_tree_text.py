"""The text of trees: only sound ones are read, and written again in one way."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.classical import lightgbm_text
from scrapy_boilernet.classical.lightgbm_text import TreeModel

HEADER = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=cross_entropy
feature_names=Column_0 Column_1
feature_infos=none none

"""
SPLIT = """Tree=0
num_leaves=3
num_cat=0
is_linear=0
split_feature=1 0
threshold=0.5 -1e-35
decision_type=2 0
left_child=1 -1
right_child=-2 -3
internal_count=9 6
leaf_value=-0.25 1 0.125
leaf_count=4 3 2

"""
BARE = """Tree=1
num_leaves=1
num_cat=0
is_linear=0
split_feature=
threshold=
decision_type=
left_child=
right_child=
internal_count=
leaf_value=0.5
leaf_count=0

"""
END = "end of trees\n"
TEXT = HEADER + SPLIT + BARE + END


def read(text: str, columns: int = 2) -> TreeModel:
    return TreeModel.of(text.encode(), columns)


def chain(splits: int) -> str:
    """Return a tree that goes on to the left."""
    lines = {
        "num_leaves": [splits + 1],
        "num_cat": [0],
        "is_linear": [0],
        "split_feature": [0] * splits,
        "threshold": [1] * splits,
        "decision_type": [2] * splits,
        "left_child": [*range(1, splits), -splits - 1],
        "right_child": [-1 - split for split in range(splits)],
        "internal_count": [*range(splits + 1, 1, -1)],
        "leaf_value": [1] * (splits + 1),
        "leaf_count": [1] * (splits + 1),
    }
    told = "".join(f"{key}={' '.join(map(str, found))}\n" for key, found in lines.items())
    return f"{HEADER}Tree=0\n{told}\n{END}"


def test_a_sound_text_is_read_and_written_as_it_was() -> None:
    model = read(TEXT)
    assert model.text() == TEXT
    assert [len(tree.leaf_value) for tree in model.trees] == [3, 1]
    assert model.trees[0].threshold.tolist() == [0.5, -1e-35]


def test_what_is_not_read_again_is_checked_and_left_out() -> None:
    more = "split_gain=5 4\nleaf_weight=1 2 3\ninternal_value=0 1e-5\nshrinkage=0.05\n\n\n"
    text = TEXT.replace("leaf_count=4 3 2\n", "leaf_count=4 3 2\n" + more)
    assert read(text).text() == TEXT
    for line in more.split("\n")[:4]:
        with pytest.raises(ValueError, match=f"tree 0: {line.partition('=')[0]} is '.* finite"):
            read(text.replace(line, f"{line}e999"))


def test_numbers_stay_the_same() -> None:
    numbers = [0.1 + 0.2, -1.0000000180025095e-35]
    text = TEXT.replace("threshold=0.5 -1e-35", f"threshold={numbers[0]!r} {numbers[1]:.25e}")
    again = read(read(text).text())
    assert again.trees[0].threshold.tolist() == numbers


def test_thresholds_are_those_of_each_feature() -> None:
    found = read(TEXT).thresholds()
    assert [thresholds.tolist() for thresholds in found] == [[-1e-35], [0.5]]
    assert [len(found) for found in read(HEADER + BARE.replace("=1", "=0", 1) + END).thresholds()]


WRONG = {
    "version": ["v3", ""],
    "num_class": ["5", "0"],
    "num_tree_per_iteration": ["7", "0"],
    "label_index": ["99999"],
    "max_feature_idx": ["2", "99999999", "-1"],
    "objective": ["multiclass num_class:1000000000", "binary sigmoid:-1", "none", ""],
    "feature_names": ["a", "Column_1 Column_0"],
    "feature_infos": ["x", ""],
    "num_leaves": ["0", "1", "2", "-3", "99999999999999999999999", "", "three", "3 3"],
    "num_cat": ["1", ""],
    "is_linear": ["1", ""],
    "split_feature": ["2 0", "-1 0", "4294967296 0", "1.5 0", "1", "1 0 0", "1  0", "1_0 0"],
    "threshold": ["nan 1", "inf 1", "1", "1 x", "", "1e999 1", "1_0 1"],
    "decision_type": ["1 2", "3 2", "4 2", "2", "258 2"],
    "left_child": ["0 -1", "1 1", "1 -2", "-1 -1", "1 -4", "1 2", "4294967297 -1", "one -1"],
    "right_child": ["-2 -2", "1 -3", "0 -3", ""],
    "internal_count": ["0 0", "9", "9 5", "10 6", "-9 6", "2147483648 6"],
    "leaf_value": ["nan 1 1", "1e308 1 1", "1 1", "1", "-inf 1 1"],
    "leaf_count": ["0 3 2", "4", "4 3 3", "0 0 0", "99999999999999999999 3 2"],
}


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_or_missing_line_is_named(key: str) -> None:
    where = "its header" if f"\n{key}=" in HEADER else "tree 0"
    for value in WRONG[key]:
        with pytest.raises(ValueError, match=f"{where}: "):
            read(re.sub(f"(?m)^{key}=.*$", f"{key}={value}", TEXT, count=1))
    with pytest.raises(ValueError, match=f"{where}: {key} is missing"):
        read(re.sub(f"(?m)^{key}=.*\n", "", TEXT, count=1))
    with pytest.raises(ValueError, match=f"{where}: the line '{key}=.*twice"):
        read(re.sub(f"(?m)^({key}=.*)$", r"\1\n\1", TEXT, count=1))


@pytest.mark.parametrize(
    "line",
    [
        "tree_sizes=99999999 -9999999",
        "average_output",
        "monotone_constraints=1 2",
        "cat_boundaries=0 99999999",
        " left_child=0 0",
        " Tree=1",
        "Tree=7",
        "Tree=",
        "left_child =0 0",
        "zz=1\rleft_child=0 0",
        "num_cat=0\0",
        "num_cat\u00a0=0",
        "end of trees",
        "\t",
        "=",
    ],
)
def test_what_lightgbm_may_read_otherwise_is_refused(line: str) -> None:
    for after in (HEADER.rstrip("\n"), SPLIT.rstrip("\n"), BARE.rstrip("\n"), END.rstrip("\n")):
        with pytest.raises(ValueError):
            read(TEXT.replace(after, f"{after}\n{line}"))


def test_what_is_not_whole_is_refused() -> None:
    for text in ("", "tree\n", HEADER, HEADER + END, HEADER + SPLIT, HEADER + BARE + END):
        with pytest.raises(ValueError):
            read(text)
    for size in range(len(TEXT)):
        with pytest.raises(ValueError):
            read(TEXT[:size])
    with pytest.raises(ValueError):
        TreeModel.of(b"tree\n\xff" + TEXT.encode(), 2)
    with pytest.raises(ValueError, match=r"max_feature_idx is '1' and must be 2: .* 3 features"):
        read(TEXT, columns=3)


def test_there_is_a_most_of_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(read(chain(lightgbm_text.MOST_DEPTH)).trees[0].threshold) == lightgbm_text.MOST_DEPTH
    with pytest.raises(ValueError, match=f"at most {lightgbm_text.MOST_DEPTH} splits in a row"):
        read(chain(lightgbm_text.MOST_DEPTH + 1))
    monkeypatch.setattr(lightgbm_text, "MOST_NODES", 3)
    with pytest.raises(ValueError, match="tree 1: num_leaves"):
        read(TEXT)
    monkeypatch.setattr(lightgbm_text, "MOST_TREES", 1)
    with pytest.raises(ValueError, match="2 trees"):
        read(TEXT)


@QUICK
@given(st.data())
def test_any_change_is_refused_or_read_as_a_sound_model(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(TEXT)))
    stop = data.draw(st.integers(start, min(start + 8, len(TEXT))))
    written = data.draw(st.text(alphabet="0123456789-.e \n=\r_nai\0é", max_size=6))
    try:
        model = read(TEXT[:start] + written + TEXT[stop:])
    except ValueError:
        return
    assert read(model.text()).text() == model.text()
    for tree in model.trees:
        assert np.isfinite(tree.leaf_value).all()
        assert np.isfinite(tree.threshold).all()
