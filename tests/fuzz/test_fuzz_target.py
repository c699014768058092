"""The fuzz target and its helpers, without atheris, on its seeds."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from fuzz import reader_target, run
from fuzz.mutations import mutated
from fuzz.reader_seeds import reader_seeds
from fuzz.seeds import seeds


@pytest.fixture
def target() -> Any:
    """The module of the target, which loads all labelers."""
    for library in ("onnxruntime", "lightgbm", "scipy"):
        pytest.importorskip(library)
    return import_module("fuzz.target")


def test_the_target_finds_nothing_in_its_seeds(target: Any) -> None:
    inputs = seeds()
    assert len(inputs) > 200
    for seed in inputs[::25]:
        assert target.findings(seed) == {}
    assert target.findings(b"") == {}


def test_the_target_of_readers_finds_nothing_in_its_seeds() -> None:
    inputs = reader_seeds()
    assert len({seed[0] for seed in inputs}) > 100
    for seed in inputs:
        assert reader_target.findings(seed) == {}
        assert reader_target.findings(seed[: len(seed) * 2 // 3]) == {}
    assert reader_target.findings(b"") == {}


def test_the_target_of_readers_reports_what_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_target, "decoded_body", lambda *_: {}["tide"])
    ((kind, trace),) = reader_target.findings(b"\x00\x00<p>tide").items()
    assert kind.startswith("crash-KeyError-")
    assert "Traceback" in trace


def test_the_target_reports_what_raises_and_what_is_slow(
    target: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, "limit_seconds", lambda _: -1.0)
    assert list(target.findings(b"\x00\x00<p>tide")) == ["slow-default"]
    monkeypatch.setattr(target, "check_text", lambda _: {}["tide"])
    ((kind, trace),) = target.findings(b"\x00\x00<p>tide").items()
    assert kind.startswith("crash-KeyError-")
    assert "Traceback" in trace


@given(data=st.binary(max_size=60), seed=st.integers(0, 2**32 - 1), most=st.integers(0, 99))
@QUICK
def test_mutations_are_bounded_and_repeatable(data: bytes, seed: int, most: int) -> None:
    for html in (data, b"<p><b class=a>tide</b>" + data):
        found = mutated(html, most, seed)
        assert len(found) <= most
        assert found == mutated(html, most, seed)


def test_every_kind_of_mutation_changes_a_page() -> None:
    page = b"<div><p>tide<b>pool</b></div>"
    found = {mutated(page, 10**6, seed) for seed in range(200)}
    assert len(found) > 100
    assert any(b"<b>" * 2100 in each for each in found)
    assert any(each.count(b"hidden") == 300 for each in found)


def test_the_dictionary_can_be_read_by_libfuzzer() -> None:
    lines = run.DICTIONARY.read_text(encoding="ascii").splitlines()
    words = [line for line in lines if line and not line.startswith("#")]
    assert len(words) == len(set(words)) > 200
    for word in words:
        assert re.fullmatch(r'"(?:[^"\\]|\\x[0-9a-f]{2})+"', word), word


def test_figures_of_several_starts_are_added() -> None:
    figures = run.Figures()
    log = (
        "#2\tINITED cov: 10 ft: 20 corp: 1/5b exec/s: 0 rss: 90Mb\n"
        "#{}\tDONE   cov: {} ft: 30 corp: 7/90b lim: 9 exec/s: 9 rss: 90Mb\n"
        "stat::slowest_unit_time_sec:    1\nstat::peak_rss_mb:              120\n"
    )
    run.add(figures, log.format(500, 15))
    run.add(figures, "#64\tpulse  cov: 16 ft: 30 corp: 8/99b\nALARM: working on the last Unit")
    assert (figures.executions, figures.edges, figures.inputs) == (564, 16, 8)
    assert (figures.peak_mb, figures.slowest_seconds) == (120, 1)
