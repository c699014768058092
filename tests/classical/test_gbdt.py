"""The labeler gbdt: scores per block, reasons that add up, models that are refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from testing.synthetic import QUICK, article, gold_page, page_of

pytest.importorskip("lightgbm")
pytest.importorskip("rapidfuzz")

import lightgbm

from scrapy_boilernet.classical import gbdt
from scrapy_boilernet.classical.base import ClassicalSpec, load_classical, save_classical
from scrapy_boilernet.classical.gbdt import GbdtLabeler
from scrapy_boilernet.classical.lightgbm_text import TreeModel
from scrapy_boilernet.classical.tree_features import feature_names, tree_features
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labelers.base import Explaining, ModelError
from scrapy_boilernet.labelers.model_folder import find_model
from scrapy_boilernet.training.gbdt import fit
from scrapy_boilernet.training.gold import gold_blocks

OPTIONS = {"trees": 30, "leaves": 8, "min_leaf": 3}


def spec_of(**changes: object) -> ClassicalSpec:
    fields = {"name": "trees", "units": "block", "threshold": 0.5, **changes}
    return ClassicalSpec("gbdt", featurizer=GbdtLabeler.featurizer, **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def payload() -> bytes:
    pages = [found for i in range(12) if (found := gold_blocks(gold_page(i), "block"))]
    return fit(pages, OPTIONS, 0, lambda _: None)


@pytest.fixture
def labeler(payload: bytes) -> GbdtLabeler:
    return GbdtLabeler(spec_of(), payload)


def test_the_article_is_told_from_what_is_around_it(labeler: GbdtLabeler) -> None:
    html, gold = article(99)
    page = blockify(html)
    content = np.array([block.text in gold for block in page.blocks])
    scores = labeler.logits(page)
    assert scores.dtype == np.float64
    assert scores[content].min() > scores[~content].max()


def test_blocks_of_a_leaf_share_their_score(labeler: GbdtLabeler) -> None:
    page = blockify("<div>One line<br>and another</div><p>Something else")
    scores = labeler.logits(page)
    assert len(scores) == 3
    assert scores[0] == scores[1]


def test_scores_are_the_same_each_time_and_after_saving(
    labeler: GbdtLabeler, payload: bytes, read_page: Callable[[str], bytes], tmp_path: Path
) -> None:
    save_classical(tmp_path / "trees", labeler.spec, payload, GbdtLabeler)
    again = GbdtLabeler.load(tmp_path / "trees")
    page = blockify(read_page("article.html"))
    assert np.array_equal(labeler.logits(page), again.logits(page))
    assert np.array_equal(labeler.probabilities([page])[0], again.probabilities([page])[0])


def test_reasons_add_up_to_the_score(
    labeler: GbdtLabeler, read_page: Callable[[str], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(labeler, Explaining)
    monkeypatch.setattr(gbdt, "MOST_REASONS", len(feature_names()))
    page = blockify(read_page("article.html"))
    told = np.array([sum(reason.weight for reason in block) for block in labeler.reasons(page)])
    rest = labeler.logits(page) - told  # what the trees say of any block
    np.testing.assert_allclose(rest, rest[0], atol=1e-6)


def test_reasons_name_features_with_their_values_the_weightiest_first(
    labeler: GbdtLabeler, read_page: Callable[[str], bytes]
) -> None:
    page = blockify(read_page("article.html"))
    found = labeler.reasons(page)
    assert len(found) == len(page.blocks)
    for reasons in found:
        assert 0 < len(reasons) <= gbdt.MOST_REASONS
        weights = [abs(reason.weight) for reason in reasons]
        assert weights == sorted(weights, reverse=True)
        assert {reason.feature for reason in reasons} <= {*feature_names()}
        assert all(float(reason.value) > -100 for reason in reasons)


@pytest.mark.parametrize("html", ["", "x", "<p>!!!", "<a href=/>x</a>", "潮", "<p>---<p>***"])
def test_any_page_is_scored(labeler: GbdtLabeler, html: str) -> None:
    page = blockify(html)
    assert np.isfinite(labeler.logits(page)).all()
    assert labeler.logits(page).shape == labeler.probabilities([page])[0].shape
    assert len(labeler.reasons(page)) == len(page.blocks)


def test_lone_surrogates_are_scored(labeler: GbdtLabeler) -> None:
    assert len(labeler.logits(page_of(["\ud800", "a \udfff b"]))) == 2


def test_a_model_of_some_groups_reads_these_only() -> None:
    pages = [found for i in range(6) if (found := gold_blocks(gold_page(i), "block"))]
    options = {**OPTIONS, "groups": ["shallow", "neighbours"]}
    payload = fit(pages, options, 0, lambda _: None)
    labeler = GbdtLabeler(spec_of(options=options), payload)
    names = {reason.feature for block in labeler.reasons(pages[0].page) for reason in block}
    assert names <= {*feature_names(("shallow", "neighbours"))}
    with pytest.raises(ValueError, match="features"):
        GbdtLabeler(spec_of(), payload)
    with pytest.raises(ValueError, match="'colour'"):
        GbdtLabeler(spec_of(options={"groups": ["colour"]}), payload)


SHIPPED = find_model("gbdt")
"""A real model: 400 trees of 31 leaves."""


@pytest.fixture(scope="module")
def shipped() -> tuple[ClassicalSpec, str]:
    spec, payload = load_classical(SHIPPED, GbdtLabeler)
    return spec, payload.decode()


def test_the_shipped_model_scores_and_explains_as_lightgbm_does_its_text(
    shipped: tuple[ClassicalSpec, str], read_page: Callable[[str], bytes]
) -> None:
    spec, text = shipped
    labeler, plain = GbdtLabeler(spec, text.encode()), lightgbm.Booster(model_str=text)
    page = blockify(read_page("article.html"))
    features = tree_features(page)
    wanted = plain.predict(features.values, raw_score=True)
    assert np.array_equal(labeler.logits(page), wanted[features.leaf_of])
    shares = plain.predict(features.values, pred_contrib=True)[features.leaf_of]
    for reasons, weights in zip(labeler.reasons(page), shares, strict=True):
        for reason in reasons:
            assert reason.weight == weights[features.names.index(reason.feature)]
    rng = np.random.default_rng(0)
    values = np.exp(4 * rng.normal(size=(200, len(features.names)))).astype(np.float32)
    again = lightgbm.Booster(model_str=TreeModel.of(text.encode(), len(features.names)).text())
    for how in ({"raw_score": True}, {"pred_contrib": True}):
        assert np.array_equal(again.predict(values[:50], **how), plain.predict(values[:50], **how))


def test_leaves_that_go_the_same_ways_are_explained_once(
    labeler: GbdtLabeler, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    predict = labeler._booster.predict

    def counted(values: np.ndarray, **how: object) -> object:
        asked.append(len(values))
        return predict(values, **how)

    page = blockify("<p>hello world</p>" * 3000)
    features = tree_features(page)
    monkeypatch.setattr(labeler._booster, "predict", counted)
    found = labeler.reasons(page)
    assert asked[0] < 300
    shares = np.asarray(predict(features.values, pred_contrib=True))[features.leaf_of]
    for number in range(0, 3000, 97):
        for reason in found[number]:
            column = features.names.index(reason.feature)
            assert reason.weight == shares[number, column]
            value = features.values[features.leaf_of[number], column]
            assert reason.value == f"{value:.4g}"


def every(key: str, value: str) -> Callable[[str], str]:
    """Return what puts a value in the place of each number of a tree's line."""
    return lambda text: re.sub(
        f"(?m)^{key}=(.*)$", lambda line: f"{key}={' '.join([value] * len(line[1].split()))}", text
    )


def first(old: str, new: str) -> Callable[[str], str]:
    """Return what replaces the first line, or part of one, that matches."""
    return lambda text: re.sub(f"(?m){old}", new, text, count=1)


def crlf_loop(text: str) -> str:
    """Return a loop behind what is a line's end for LightGBM."""
    zeros = " ".join(["0"] * 30)
    return first("^(left_child=.*)$", rf"\1\nzz=1\rleft_child={zeros}")(text)


CATEGORIES = "num_cat=1\ncat_boundaries=0 99999999\ncat_threshold=1"
ATTACKS: dict[str, Callable[[str], str]] = {
    "huge tree sizes": first("\n\nTree=0", "\ntree_sizes=" + "99999999 " * 400 + "\n\nTree=0"),
    "negative tree sizes": first("\n\nTree=0", "\ntree_sizes=" + "-9999999 " * 400 + "\n\nTree=0"),
    "no trees per iteration": first("^num_tree_per_iteration=1", "num_tree_per_iteration=0"),
    "seven trees per iteration": first("^num_tree_per_iteration=1", "num_tree_per_iteration=7"),
    "five classes": first("^num_class=1", "num_class=5"),
    "three of both": lambda text: first("^num_class=1", "num_class=3")(
        first("^num_tree_per_iteration=1", "num_tree_per_iteration=3")(text)
    ),
    "no equals sign": first("num_cat=0", "num_cat0"),
    "categories": first("^num_cat=0$", "num_cat=5"),
    "categories' bits": first("^num_cat=0$", CATEGORIES),
    "decisions by category": every("decision_type", "1"),
    "both": lambda text: every("decision_type", "1")(text.replace("num_cat=0", CATEGORIES)),
    "few leaf values": first(r"^leaf_value=(\S+) .*$", r"leaf_value=\1"),
    "few thresholds": first(r"^threshold=(\S+) .*$", r"threshold=\1"),
    "no thresholds": first("^threshold=.*\n", ""),
    "linear": first("^is_linear=0", "is_linear=1"),
    "a vast objective": first("^objective=.*$", "objective=multiclass num_class:1000000000"),
    "another objective": first("^objective=.*$", "objective=lambdarank"),
    "no such objective": first("^objective=.*$", "objective=nonsense"),
    "a negative sigmoid": first("^objective=.*$", "objective=binary sigmoid:-1"),
    "a NaN": first(r"^leaf_value=(\S+) ", "leaf_value=nan "),
    "a huge value": first(r"^leaf_value=(\S+) ", "leaf_value=1e308 "),
    "huge num_leaves": first(r"^num_leaves=\d+", "num_leaves=99999999999999999999999"),
    "one leaf": first(r"^num_leaves=\d+", "num_leaves=1"),
    "no leaf": first(r"^num_leaves=\d+", "num_leaves=0"),
    "a carriage return": first("^left_child", "zz=1\rleft_child"),
    "a loop after one": crlf_loop,
    "a loop after a space": first("^(left_child=)(.*)$", r"\1\2\n \g<1>0"),
    "a line twice": first("^(left_child=.*)$", r"\1\n\1"),
    "many features": first("^max_feature_idx=.*$", "max_feature_idx=99999999"),
    "half of it": lambda text: text[: len(text) // 2] + "\nend of trees\n",
    "a hidden tree": first("^Tree=1$", " Tree=1"),
    "trees after the end": lambda text: text + text.partition("\n\n")[2],
    "few counts": first(r"^leaf_count=(\S+) .*$", r"leaf_count=\1"),
    "no counts of splits": lambda text: re.sub("(?m)^internal_count=.*\n", "", text),
    "no counts of leaves": lambda text: re.sub("(?m)^leaf_count=.*\n", "", text),
    "counts of 0": lambda text: every("leaf_count", "0")(every("internal_count", "0")(text)),
    "a feature past 32 bits": first(r"^split_feature=\S+", "split_feature=4294967296"),
    "a child past 32 bits": first(r"^left_child=\S+", "left_child=4294967297"),
    "half a feature": first(r"^split_feature=\S+", "split_feature=1.5"),
    "feature infos": first("^feature_infos=.*$", "feature_infos=x"),
    "feature names": first("^feature_names=.*$", "feature_names=a"),
    "constraints": first("^num_class=1", "num_class=1\nmonotone_constraints=1 2"),
    "an average": first("^num_class=1", "num_class=1\naverage_output"),
    "a NaN of no use": first("^is_linear=0$", "is_linear=0\nshrinkage=nan"),
    "NUL": first("num_cat=0", "num_cat=0\0"),
    "another label": first("^label_index=.*$", "label_index=99999"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_crashes_lightgbm_or_keeps_it_busy_is_refused(
    name: str, shipped: tuple[ClassicalSpec, str], capfd: pytest.CaptureFixture[str]
) -> None:
    spec, text = shipped
    bad = ATTACKS[name](text)
    assert bad != text
    with pytest.raises(ValueError):
        GbdtLabeler(spec, bad.encode())
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("error", [lightgbm.basic.LightGBMError("bad"), OverflowError("big")])
def test_what_lightgbm_refuses_all_the_same_is_a_value_error(
    error: Exception, payload: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise error

    monkeypatch.setattr(lightgbm, "Booster", refuse)
    with pytest.raises(ValueError, match=f"LightGBM cannot read it: {error}"):
        GbdtLabeler(spec_of(), payload)


@settings(QUICK, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_model_is_refused_or_gives_finite_numbers(
    payload: bytes, data: st.DataObject
) -> None:
    lines = payload.decode().split("\n")
    number = data.draw(st.integers(0, len(lines) - 1))
    key, _, value = lines[number].partition("=")
    words = value.split(" ")
    place = data.draw(st.integers(0, len(words) - 1))
    words[place] = data.draw(
        st.one_of(
            st.integers(-10, 2**33).map(str),
            st.floats().map(repr),
            st.text("0123456789-.e \n\r", max_size=5),
            st.sampled_from(words),
        )
    )
    lines[number] = f"{key}={' '.join(words)}"
    try:
        labeler = GbdtLabeler(spec_of(), "\n".join(lines).encode())
    except ValueError:
        return
    page = blockify(article(3)[0])
    assert labeler.logits(page).shape == (len(page.blocks),)
    assert np.isfinite(labeler.logits(page)).all()
    told = [reason.weight for block in labeler.reasons(page) for reason in block]
    assert np.isfinite(told).all()


@pytest.mark.parametrize("groups", [5, "shallow", ["colour"], [["shallow"]], None, {"shallow": 1}])
def test_groups_that_are_no_list_of_such_are_refused(payload: bytes, groups: object) -> None:
    with pytest.raises(ValueError, match=r"option groups is .* must be a list of shallow"):
        GbdtLabeler(spec_of(options={"groups": groups}), payload)


def test_a_model_of_one_leaf_says_the_same_of_all_blocks() -> None:
    pages = [found for i in range(6) if (found := gold_blocks(gold_page(i), "block"))]
    bare = fit(pages, {**OPTIONS, "min_leaf": 1_000_000}, 0, lambda _: None)
    labeler = GbdtLabeler(spec_of(), bare)
    assert b"num_leaves=1\n" in bare
    assert len({*labeler.logits(pages[0].page).tolist()}) == 1
    assert not any(labeler.reasons(pages[0].page))


def broken(payload: bytes) -> dict[str, bytes]:
    half = payload[: len(payload) // 2]
    child = next(line for line in payload.split(b"\n") if line.startswith(b"left_child=")).split()
    asked = next(line for line in payload.split(b"\n") if line.startswith(b"split_feature="))
    return {
        "empty": b"",
        "another file": b"\x89PNG\r\n",
        "not UTF-8": b"tree\n\xff",
        "half": half,
        "half with an end": half + b"\n\nend of trees\n",
        "no values": payload.replace(b"leaf_value=", b"leaf_valve="),
        "no trees' sizes": payload.replace(b"num_leaves=", b"many_leaves="),
        "a loop": payload.replace(child[0], b"left_child=0", 1),
        "a leaf too many": payload.replace(child[0], b"left_child=-99", 1),
        "a feature too many": payload.replace(asked, asked.replace(b"=", b"=9999", 1), 1),
        "letters": payload.replace(child[0], b"left_child=one", 1),
    }


def test_a_broken_model_is_refused(payload: bytes, tmp_path: Path) -> None:
    for name, bad in broken(payload).items():
        assert bad != payload
        with pytest.raises(ValueError):
            GbdtLabeler(spec_of(), bad)
        save_classical(tmp_path / name, spec_of(), bad, GbdtLabeler)
        with pytest.raises(ModelError, match=r"model\.txt"):
            GbdtLabeler.load(tmp_path / name)
