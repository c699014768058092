"""The compiled layers give what NumPy gives, on every instruction set, and refuse wrong arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.labelers.boilernet import numpy_engine
from scrapy_boilernet.extractor.labelers.boilernet.numpy_engine import NumpyLabeler
from scrapy_boilernet.extractor.labelers.registry import load_labeler

compiled = pytest.importorskip("scrapy_boilernet.extractor.labelers.boilernet.compiled_network")

Floats = NDArray[np.float32]
INSTRUCTIONS = range(compiled.BEST_INSTRUCTIONS + 1)
sizes = st.integers(1, 40)
scales = st.sampled_from([0.01, 1.0, 30.0])


def drawn(seed: int, *shape: int, scale: float = 1.0) -> Floats:
    return np.random.default_rng(seed).normal(0, scale, size=shape).astype(np.float32)


def lstm_of(run: Callable[..., None], parts: tuple[Floats, ...], *more: int) -> Floats:
    x, _, _, recurrent = parts
    out = np.full((len(x), 2 * len(recurrent)), np.nan, dtype=np.float32)
    for is_backward in (False, True):
        run(*parts, out, is_backward, *more)
    return out


def lstm_parts(blocks: int, width: int, hidden: int, scale: float) -> tuple[Floats, ...]:
    return (
        drawn(1, blocks, width),
        drawn(2, width, 4 * hidden, scale=scale),
        drawn(3, 4 * hidden),
        drawn(4, hidden, 4 * hidden, scale=scale),
    )


@QUICK
@given(st.integers(0, 70), sizes, sizes, scales)
def test_an_lstm_has_the_states_of_numpys(
    blocks: int, width: int, hidden: int, scale: float
) -> None:
    parts = lstm_parts(blocks, width, hidden, scale)
    doubles: Any = tuple(part.astype(np.float64) for part in parts)  # what NumPy rounds to
    expected = lstm_of(numpy_engine._run_lstm, doubles)
    found = [lstm_of(compiled.run_lstm, parts, which) for which in INSTRUCTIONS]
    for other in found:
        assert np.array_equal(other, found[0])
    if scale < 30:  # a saturated gate may turn on the last digit of a sum
        np.testing.assert_allclose(found[0], expected, rtol=0, atol=2e-5)
    assert np.abs(found[0]).max(initial=0) <= 1


@QUICK
@given(st.integers(0, 40), st.integers(1, 200), st.integers(1, 200))
def test_a_product_is_numpys(blocks: int, width: int, columns: int) -> None:
    x, weights, bias = drawn(1, blocks, width), drawn(2, width, columns), drawn(3, columns)
    found = [np.full((blocks, columns), np.nan, dtype=np.float32) for _ in INSTRUCTIONS]
    for which, out in zip(INSTRUCTIONS, found, strict=True):
        compiled.multiply(x, weights, bias, out, which)
        assert np.array_equal(out, found[0])
    expected = x.astype(np.float64) @ weights + bias
    np.testing.assert_allclose(found[0], expected, rtol=0, atol=1e-4)


def test_a_block_has_the_same_states_whatever_stands_after_it() -> None:
    parts = lstm_parts(65, 12, 48, 1.0)
    whole = lstm_of(compiled.run_lstm, parts)[:, :48]
    for blocks in (1, 2, 31, 32, 33, 64):
        alone = lstm_of(compiled.run_lstm, (parts[0][:blocks].copy(), *parts[1:]))
        assert np.array_equal(alone[:, :48], whole[:blocks])


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, 3e38])
def test_numbers_beyond_all_bounds_end_no_process(number: float) -> None:
    parts = lstm_parts(5, 3, 4, 1.0)
    parts[0][2] = number
    assert lstm_of(compiled.run_lstm, parts).shape == (5, 8)


def changed(place: int, array: Any) -> list[Any]:
    parts: list[Any] = [*lstm_parts(5, 3, 4, 1.0), np.zeros((5, 8), dtype=np.float32)]
    parts[place] = array
    return parts


@pytest.mark.parametrize(
    ("place", "array"),
    [
        (0, drawn(1, 5, 4)),
        (0, drawn(1, 4, 3)),
        (0, drawn(1, 5, 3).astype(np.float64)),
        (0, drawn(1, 1, 5, 3)),
        (1, drawn(1, 3, 15)),
        (2, drawn(1, 15)),
        (2, drawn(1, 2, 16)),
        (3, drawn(1, 5, 16)),
        (3, drawn(1, 4, 17)),
        (4, np.zeros((5, 4), dtype=np.float32)),
        (4, np.zeros((4, 8), dtype=np.float32)),
        (4, np.zeros(40, dtype=np.float32)),
    ],
)
def test_arrays_of_another_shape_or_type_are_refused(place: int, array: Any) -> None:
    with pytest.raises(ValueError, match="is not a float32 array of the shape that is needed"):
        compiled.run_lstm(*changed(place, array), False)


def test_arrays_that_are_not_contiguous_or_cannot_be_written_are_refused() -> None:
    fixed = np.zeros((5, 8), dtype=np.float32)
    fixed.setflags(write=False)
    for place, array in ((4, fixed), (1, drawn(1, 16, 3).T), (0, None), (0, b"abc")):
        with pytest.raises((ValueError, TypeError)):
            compiled.run_lstm(*changed(place, array), False)


def test_auto_takes_it_where_it_is_compiled() -> None:
    assert isinstance(load_labeler("open", "auto"), NumpyLabeler)


def test_instructions_that_the_processor_lacks_are_not_run() -> None:
    parts = lstm_parts(9, 5, 8, 1.0)
    wanted = lstm_of(compiled.run_lstm, parts)
    for which in (-5, 3, 99):
        assert np.array_equal(lstm_of(compiled.run_lstm, parts, which), wanted)
