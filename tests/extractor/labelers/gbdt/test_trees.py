"""The arrays of trees: only valid ones are read, and they are written as LightGBM's text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load, save
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.labelers.gbdt import trees
from scrapy_boilernet.extractor.labelers.gbdt.trees import Trees

TEXT = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=cross_entropy
feature_names=Column_0 Column_1
feature_infos=none none

Tree=0
num_leaves=3
num_cat=0
is_linear=0
split_feature=1 0
threshold=0.5 -1e-35
decision_type=2 2
left_child=1 -1
right_child=-2 -3
internal_count=9 6
leaf_value=-0.25 1 0.125
leaf_count=4 3 2

Tree=1
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

end of trees
"""
VALID: dict[str, list[Any]] = {
    "columns": [2],
    "leaves": [3, 1],
    "split_feature": [1, 0],
    "threshold": [0.5, -1e-35],
    "left_child": [1, -1],
    "right_child": [-2, -3],
    "leaf_value": [-0.25, 1, 0.125, 0.5],
    "leaf_count": [4, 3, 2, 0],
}
Tensors = dict[str, NDArray[Any]]


def tensors(**changes: list[Any]) -> Tensors:
    reals = ("threshold", "leaf_value")
    return {
        name: np.array(values, dtype=np.float64 if name in reals else np.int32)
        for name, values in (VALID | changes).items()
    }


def read(arrays: Tensors, columns: int = 2) -> Trees:
    return Trees.from_bytes(save(arrays), columns)


def chain(splits: int) -> Tensors:
    """Return a tree in which each split's left child is the next split."""
    return tensors(
        leaves=[splits + 1],
        split_feature=[0] * splits,
        threshold=[1] * splits,
        left_child=[*range(1, splits), -splits - 1],
        right_child=[-1 - split for split in range(splits)],
        leaf_value=[1] * (splits + 1),
        leaf_count=[1] * (splits + 1),
    )


def test_valid_arrays_are_read_and_written_without_loss_and_as_text() -> None:
    found = read(tensors())
    assert found.text() == TEXT
    assert {name: array.tolist() for name, array in load(found.to_bytes()).items()} == VALID
    assert Trees.from_bytes(found.to_bytes(), 2).text() == TEXT


def test_the_text_keeps_numbers_exactly() -> None:
    numbers = [0.1 + 0.2, -1.0000000180025095e-35]
    text = read(tensors(threshold=numbers)).text()
    line = re.search("(?m)^threshold=(.*)$", text)
    assert line
    assert [*map(float, line[1].split())] == numbers


def test_thresholds_are_those_of_each_feature() -> None:
    found = read(tensors()).thresholds()
    assert [thresholds.tolist() for thresholds in found] == [[-1e-35], [0.5]]
    bare = tensors(leaves=[1], leaf_value=[1], leaf_count=[0], split_feature=[], threshold=[],
                   left_child=[], right_child=[])  # fmt: skip
    assert [len(found) for found in read(bare).thresholds()] == [0, 0]


WRONG: dict[str, list[list[Any]]] = {
    "columns": [[3], [0], [-1], [2, 2], []],
    "leaves": [[], [4, 1], [2, 1], [3], [3, 0], [3, 1, 1], [5, -1], [2**31 - 1, 1], [0, 4]],
    "split_feature": [[2, 0], [-1, 0], [1], [1, 0, 0], []],
    "threshold": [[np.nan, 1], [np.inf, 1], [1e301, 1], [1], [1, 2, 3]],
    "left_child": [[0, -1], [1, 1], [1, -2], [-1, -1], [1, -4], [1, 2], [2**31 - 1, -1], [1]],
    "right_child": [[-2, -2], [1, -3], [0, -3], [-2, -(2**31)], []],
    "leaf_value": [[np.nan, 1, 1, 1], [1e308, 1, 1, 1], [-1e7, 1, 1, 1], [1], [-np.inf, 1, 1, 1]],
    "leaf_count": [[0, 3, 2, 0], [-1, 3, 2, 0], [4, 3, 2, -1], [4, 3], [2**31 - 1, 3, 2, 0]],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_number_or_size_is_named(name: str) -> None:
    for values in WRONG[name]:
        with pytest.raises(ValueError, match=r"^tensors? "):
            read(tensors(**{name: values}))
    values = VALID[name]
    named = {"leaves": "leaf_value"}.get(name, name)
    with pytest.raises(ValueError, match=f"^tensors? .*{named}"):
        read(tensors(**{name: [*values, values[-1]]}))


@pytest.mark.parametrize("name", VALID)
def test_another_type_or_shape_or_a_missing_tensor_is_named(name: str) -> None:
    arrays = tensors()
    for kind in (np.int8, np.uint32, np.int64, np.float16, np.float32, np.float64, np.bool_):
        changed = arrays[name].astype(kind)
        if changed.dtype != arrays[name].dtype:
            with pytest.raises(ValueError, match=f"tensor {name}: "):
                read(arrays | {name: changed})
    for shape in ((1, -1), (-1, 1)):
        with pytest.raises(ValueError, match=f"tensor {name}: "):
            read(arrays | {name: arrays[name].reshape(shape)})
    del arrays[name]
    with pytest.raises(ValueError, match=f"^tensors .*: must be .*{name}"):
        read(arrays)


def test_an_additional_tensor_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^tensors .*decision_type.*: must be columns, "):
        read(tensors() | {"decision_type": np.array([1, 1], dtype=np.int32)})


def test_a_truncated_payload_or_another_number_of_features_is_refused() -> None:
    payload = save(tensors())
    for size in range(len(payload)):
        with pytest.raises(ValueError):
            Trees.from_bytes(payload[:size], 2)
    with pytest.raises(ValueError, match="tensor columns: 2 features, must be 3"):
        Trees.from_bytes(payload, 3)


def test_sizes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(chain(trees.MOST_DEPTH)).leaves.tolist() == [trees.MOST_DEPTH + 1]
    with pytest.raises(ValueError, match=f"tree 0 has more than {trees.MOST_DEPTH} splits in a"):
        read(chain(trees.MOST_DEPTH + 1))
    monkeypatch.setattr(trees, "MOST_NODES", 3)
    with pytest.raises(ValueError, match="tensor leaves: 4 in all"):
        read(tensors())
    monkeypatch.setattr(trees, "MOST_TREES", 1)
    with pytest.raises(ValueError, match="2 trees"):
        read(tensors())


@QUICK
@given(st.data())
def test_any_change_of_bytes_is_refused_or_read_as_valid_trees(data: st.DataObject) -> None:
    payload = bytearray(save(tensors()))
    start = data.draw(st.integers(0, len(payload) - 1))
    inserted = data.draw(st.binary(min_size=1, max_size=8))
    payload[start : start + len(inserted)] = inserted
    try:
        found = Trees.from_bytes(bytes(payload), 2)
    except ValueError:
        return
    assert Trees.from_bytes(found.to_bytes(), 2).text() == found.text()
    assert found.text().isascii()
    assert np.isfinite(found.leaf_value).all()
    assert np.isfinite(found.threshold).all()


@QUICK
@given(st.sampled_from([name for name in VALID if name != "columns"]), st.data())
def test_any_number_is_refused_or_read_as_valid_trees(name: str, data: st.DataObject) -> None:
    arrays = tensors()
    real = arrays[name].dtype == np.float64
    numbers = st.floats() if real else st.integers(-(2**31), 2**31 - 1) | st.integers(-5, 5)
    place = data.draw(st.integers(0, len(arrays[name]) - 1))
    arrays[name][place] = data.draw(numbers)
    try:
        found = read(arrays)
    except ValueError:
        return
    for number, tree in enumerate(found.each()):
        assert len(tree.threshold) == len(tree.leaf_value) - 1 == found.leaves[number] - 1
        assert sorted([*tree.left_child, *tree.right_child]) == [
            child for child in range(-len(tree.leaf_value), len(tree.threshold)) if child
        ] * (len(tree.threshold) > 0)
