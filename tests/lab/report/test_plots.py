"""Pictures are in the colours of a light and of a dark page, with labels that cover nothing."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from itertools import combinations
from math import nan
from typing import Any

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("rapidfuzz")

import matplotlib as mpl
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from testing.pictures import picture, texts

from scrapy_boilernet.lab.report.plots import (
    DARK,
    LIGHT,
    Dot,
    Picture,
    confidence_bins,
    distribution,
    dot_plot,
    lead_plot,
    place,
    precision_recall,
    reliability,
    speed,
)

HOSTILE = [
    "mine", '</svg><script>alert("1")</script>', "$\\frac{x}$ & 100%", "_hidden", "日本語 العربية",
    "lone\ud800 \x00control", 'x" onload="alert(1)', "w" * 300, "style=\"fill: #d55e00\"", "a\nb",
]  # fmt: skip
RNG = np.random.default_rng(0)
F1 = RNG.beta(5, 1, 200).tolist()

Plot = Callable[[list[str]], Picture]
PLOTS: dict[str, Plot] = {
    "scatter": lambda names: precision_recall(
        {name: (0.7 + 0.02 * i, 0.9 - 0.01 * i) for i, name in enumerate(names)}
    ),
    "dots": lambda names: dot_plot(
        "dots",
        {group: {name: Dot(0.8, 0.7, 0.9) for name in names} for group in ("a<b>", *HOSTILE)},
        (0.5, 1),
    ),
    "leads": lambda names: lead_plot({name: Dot(-0.01, -0.03, 0.01) for name in names}),
    "distribution": lambda names: distribution(dict.fromkeys(names, F1)),
    "reliability": lambda names: reliability(
        {i: [(f1, f1) for f1 in F1] for i, _ in enumerate(names)}
    ),
    "speed": lambda names: speed({name: 10.0 + i for i, name in enumerate(names)}),
}
each_plot = pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)


def styles(address: str) -> str:
    return " ".join(element.get("style", "") for element in picture(address).iter())


@each_plot
@pytest.mark.parametrize("number", [1, 3, 10])
def test_a_picture_holds_nothing_to_run_or_load(plot: Plot, number: int) -> None:
    title, light, dark = plot(HOSTILE[:number])
    assert title
    for address in (light, dark):
        assert picture(address).tag.endswith("svg")
    assert texts(picture(light)) == texts(picture(dark))


@each_plot
def test_colours_and_font_are_the_page_s_own(plot: Plot) -> None:
    drawn = plot(["mine", "other"])
    for address, colours, others in ((drawn.light, LIGHT, DARK), (drawn.dark, DARK, LIGHT)):
        used = set(re.findall("#[0-9a-f]+", styles(address)))
        assert colours["s0"] in used
        assert used <= set(colours.values())
        assert not used & set(others.values())
        assert set(re.findall(r"font-family: ([^,;]+)", styles(address))) == {"system-ui"}
        assert "DejaVu" not in styles(address)


@pytest.mark.parametrize("kind", ["scatter", "dots", "leads", "distribution", "speed"])
def test_every_name_is_there_as_written_shortened_and_cleaned(kind: str) -> None:
    found = texts(picture(PLOTS[kind](HOSTILE).light))
    for name in ("mine", "$\\frac{x}$ & 100%", "_hidden", "日本語 العربية", "a b", "w" * 27 + "…"):
        assert name in found, name
    assert "lone\ufffd \ufffdcontrol" in found


@each_plot
def test_a_plot_is_the_same_every_time_and_leaves_the_settings_alone(plot: Plot) -> None:
    before = dict(mpl.rcParams)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = plot(HOSTILE[:5])
    with mpl.rc_context({"axes.facecolor": "red", "font.size": 30, "svg.fonttype": "path"}):
        assert plot(HOSTILE[:5]) == first
    assert dict(mpl.rcParams) == before


def test_all_roles_have_a_colour_of_their_own_in_the_light_and_one_in_the_dark() -> None:
    assert len(set(LIGHT.values())) == len(LIGHT)
    assert LIGHT.keys() == DARK.keys()


def test_figures_that_are_missing_are_left_out_and_the_others_keep_their_colours() -> None:
    drawn = precision_recall({"none": (nan, nan), "mine": (0.8, 0.9)})
    assert "none" not in texts(picture(drawn.light))
    assert LIGHT["s1"] in styles(drawn.light)
    assert LIGHT["s0"] not in styles(drawn.light)
    missing = Dot(nan, nan, nan)
    for drawn in (
        dot_plot("x", {"a": {"b": missing, "c": Dot(0.5, 0.4, 0.6)}}, (0.4, 0.6)),
        speed({"a": nan, "b": 3.0}),
        distribution({"a": [], "b": [0.5]}),
    ):
        assert b"nan" not in etree.tostring(picture(drawn.light))


@pytest.mark.parametrize(
    ("pages", "points"), [(1, 1), (9, 1), (10, 1), (20, 2), (149, 14), (150, 15), (9000, 15)]
)
def test_few_pages_make_few_points(pages: int, points: int) -> None:
    assert confidence_bins(pages) == points
    root = picture(reliability({0: [(0.5, 0.5)] * pages}).light)
    drawn = [use for use in root.iter("{*}use") if LIGHT["s0"] in use.get("style", "")]
    assert len(drawn) == points


def apart(a: Any, b: Any) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


points = st.lists(
    st.tuples(st.floats(20, 240), st.floats(20, 240)), min_size=1, max_size=10, unique=True
)


@given(points)
def test_labels_cover_neither_each_other_nor_a_point(points: list[tuple[float, float]]) -> None:
    inside = (0.0, 0.0, 260.0, 260.0)
    boxes = place(points, [(60.0, 11.0)] * len(points), inside, radius=4)
    for box in boxes:
        assert inside[0] - 1e-6 <= box[0]
        assert box[2] <= inside[2] + 1e-6
    assert all(apart(a, b) for a, b in combinations(boxes, 2))
    for x, y in points:
        assert all(apart(box, (x - 3.9, y - 3.9, x + 3.9, y + 3.9)) for box in boxes)


def test_a_label_stands_right_of_its_point_where_there_is_room() -> None:
    (box,) = place([(50.0, 50.0)], [(40.0, 10.0)], (0.0, 0.0, 200.0, 100.0))
    assert box[0] > 50
    assert box[1] < 50 < box[3]


def test_a_label_keeps_away_from_other_points() -> None:
    (box, _) = place([(50.0, 50.0), (98.0, 62.0)], [(40.0, 10.0)] * 2, (0.0, 0.0, 200.0, 100.0))
    assert box[2] < 50


def test_without_any_room_the_least_bad_place_is_taken() -> None:
    (box,) = place([(5.0, 5.0)], [(400.0, 10.0)], (0.0, 0.0, 10.0, 10.0))
    assert box[2] - box[0] == pytest.approx(400)
