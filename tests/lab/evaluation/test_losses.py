"""The sentence about the sets on which a system is behind the best peer."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_boilernet.lab.report.markdown import against_best_peers


def gap(lead: float, name: str = "peer") -> dict[str, Any]:
    return {"name": name, "lead": lead, "interval": (lead - 0.006, lead + 0.006)}


@pytest.mark.parametrize(
    ("leads", "sentence"),
    [
        ((0.1, 0.2), "mine is ahead of the best peer on all 2 sets."),
        ((0.1,), "mine is ahead of the best peer on the one set."),
        ((0.1, 0.0), "mine is level with the best peer or ahead of it on all 2 sets."),
        (
            (0.1, -0.002, 0.3),
            "mine is behind the best peer on 1 of 3 sets: set1 -0.002 [-0.008, +0.004] (peer).",
        ),
        (
            (-0.25,),
            "mine is behind the best peer on the one set: set0 -0.250 [-0.256, -0.244] (peer).",
        ),
    ],
)
def test_sets_are_counted_and_losses_listed(leads: tuple[float, ...], sentence: str) -> None:
    gaps = {f"set{n}": gap(lead) for n, lead in enumerate(leads)}
    assert against_best_peers("mine", gaps) == sentence


def test_each_loss_names_its_own_peer() -> None:
    sentence = against_best_peers("mine", {"a": gap(-0.1, "x"), "b": gap(-0.2, "y")}, "column")
    assert "on 2 of 2 columns: a -0.100 [-0.106, -0.094] (x), b -0.200" in sentence
    assert sentence.endswith("(y).")


def test_an_unknown_lead_is_not_called_a_lead() -> None:
    sentence = against_best_peers("mine", {"a": gap(float("nan")), "b": gap(0.1)})
    assert "ahead of the best peer on all" not in sentence
