"""The labeler ``gbdt``: scores per block, reasons that add up to them, models that are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save
from testing.synthetic import QUICK, article, gold_page, page_of

pytest.importorskip("lightgbm")
pytest.importorskip("rapidfuzz")

import lightgbm

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Explaining, ModelError
from scrapy_boilernet.extractor.labelers.classical import (
    ClassicalSpec,
    load_classical,
    save_classical,
)
from scrapy_boilernet.extractor.labelers.gbdt import labeler as gbdt
from scrapy_boilernet.extractor.labelers.gbdt.labeler import GbdtLabeler
from scrapy_boilernet.extractor.labelers.gbdt.tree_features import feature_names, tree_features
from scrapy_boilernet.extractor.labelers.gbdt.trees import Trees
from scrapy_boilernet.extractor.labelers.model_folder import find_model
from scrapy_boilernet.lab.training.gbdt import fit
from scrapy_boilernet.lab.training.gold import gold_blocks

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


def test_the_article_gets_higher_scores_than_the_rest(labeler: GbdtLabeler) -> None:
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
    sums = np.array([sum(reason.weight for reason in block) for block in labeler.reasons(page)])
    rest = labeler.logits(page) - sums  # the expected score, the same for all blocks
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


def test_a_model_of_some_groups_reads_only_these() -> None:
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
def shipped() -> tuple[ClassicalSpec, bytes]:
    return load_classical(SHIPPED, GbdtLabeler)


def test_the_shipped_model_scores_and_explains_like_lightgbm_with_its_text(
    shipped: tuple[ClassicalSpec, bytes], read_page: Callable[[str], bytes]
) -> None:
    spec, payload = shipped
    text = Trees.from_bytes(payload, len(feature_names())).text()
    labeler, plain = GbdtLabeler(spec, payload), lightgbm.Booster(model_str=text)
    page = blockify(read_page("article.html"))
    features = tree_features(page)
    wanted = plain.predict(features.values, raw_score=True)
    assert np.array_equal(labeler.logits(page), wanted[features.leaf_of])
    shares = plain.predict(features.values, pred_contrib=True)[features.leaf_of]
    for reasons, weights in zip(labeler.reasons(page), shares, strict=True):
        for reason in reasons:
            assert reason.weight == weights[features.names.index(reason.feature)]


def test_leaves_between_the_same_thresholds_are_explained_once(
    labeler: GbdtLabeler, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[int] = []
    predict = labeler._booster.predict

    def counted(values: np.ndarray, **options: object) -> object:
        rows.append(len(values))
        return predict(values, **options)

    page = blockify("<p>hello world</p>" * 3000)
    features = tree_features(page)
    monkeypatch.setattr(labeler._booster, "predict", counted)
    found = labeler.reasons(page)
    assert rows[0] < 300
    shares = np.asarray(predict(features.values, pred_contrib=True))[features.leaf_of]
    for number in range(0, 3000, 97):
        for reason in found[number]:
            column = features.names.index(reason.feature)
            assert reason.weight == shares[number, column]
            value = features.values[features.leaf_of[number], column]
            assert reason.value == f"{value:.4g}"


Arrays = dict[str, np.ndarray]


def changed(name: str, value: float, place: int = 0) -> Callable[[Arrays], object]:
    """Return a function that sets a value at one place of an array."""

    def change(arrays: Arrays) -> None:
        arrays[name][place] = value

    return change


def without(name: str) -> Callable[[Arrays], object]:
    """Return a function that removes the last number of an array."""
    return lambda arrays: arrays.update({name: arrays[name][:-1]})


def other(name: str, kind: type) -> Callable[[Arrays], object]:
    """Return a function that converts an array to another type."""
    return lambda arrays: arrays.update({name: arrays[name].astype(kind)})


ATTACKS: dict[str, Callable[[Arrays], object]] = {
    "many features": changed("columns", 99_999_999),
    "one feature fewer": changed("columns", 154),
    "no features": without("columns"),
    "no trees": lambda arrays: arrays.update(leaves=arrays["leaves"][:0]),
    "huge trees": changed("leaves", 2**31 - 1),
    "one leaf": changed("leaves", 1),
    "no leaf": changed("leaves", 0),
    "a negative number of leaves": changed("leaves", -5),
    "sizes that cancel out": lambda arrays: arrays["leaves"].__setitem__([0, 1], [62, 0]),
    "a leaf moved to the next tree": lambda a: a["leaves"].__setitem__([0, 1], [30, 32]),
    "few leaf values": without("leaf_value"),
    "few counts": without("leaf_count"),
    "few thresholds": without("threshold"),
    "few children": without("right_child"),
    "few features": without("split_feature"),
    "a NaN": changed("leaf_value", np.nan),
    "a huge value": changed("leaf_value", 1e308),
    "a NaN as threshold": changed("threshold", np.nan),
    "an infinite threshold": changed("threshold", np.inf, -1),
    "a feature too many": changed("split_feature", 155),
    "a feature far too large": changed("split_feature", 2**31 - 1),
    "a feature below 0": changed("split_feature", -1),
    "a loop": changed("left_child", 0),
    "a node twice": lambda arrays: arrays.update(left_child=arrays["right_child"]),
    "a leaf too many": changed("left_child", -99),
    "a child beyond": changed("right_child", 2**31 - 1),
    "counts of 0": lambda arrays: arrays.update(leaf_count=np.zeros_like(arrays["leaf_count"])),
    "counts below 0": changed("leaf_count", -1),
    "counts that overflow": lambda a: a.update(leaf_count=np.full_like(a["leaf_count"], 2**31 - 1)),
    "features of 64 bits": other("split_feature", np.int64),
    "features as floats": other("split_feature", np.float64),
    "unsigned children": other("left_child", np.uint32),
    "values of 32 bits": other("leaf_value", np.float32),
    "categories": lambda arrays: arrays.update(cat_threshold=np.ones(4, dtype=np.int32)),
    "a missing tensor": lambda arrays: arrays.pop("leaf_count"),
    "columns of two": lambda a: a.update(threshold=a["threshold"].reshape(-1, 2)),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_arrays_that_would_crash_lightgbm_or_keep_it_busy_are_refused(
    name: str, shipped: tuple[ClassicalSpec, bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    spec, payload = shipped
    arrays = {key: array.copy() for key, array in load(payload).items()}
    ATTACKS[name](arrays)
    with pytest.raises(ValueError, match=r"^tensors? "):
        GbdtLabeler(spec, save(arrays))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("error", [lightgbm.basic.LightGBMError("bad"), OverflowError("big")])
def test_an_error_of_lightgbm_becomes_a_value_error(
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
    arrays = {key: array.copy() for key, array in load(payload).items()}
    name = data.draw(st.sampled_from(sorted(arrays)))
    place = data.draw(st.integers(0, len(arrays[name]) - 1))
    real = arrays[name].dtype == np.float64
    some = st.floats() if real else st.integers(-(2**31), 2**31 - 1) | st.integers(-40, 40)
    arrays[name][place] = data.draw(some | st.sampled_from(arrays[name].tolist()))
    try:
        labeler = GbdtLabeler(spec_of(), save(arrays))
    except ValueError:
        return
    page = blockify(article(3)[0])
    assert labeler.logits(page).shape == (len(page.blocks),)
    assert np.isfinite(labeler.logits(page)).all()
    weights = [reason.weight for block in labeler.reasons(page) for reason in block]
    assert np.isfinite(weights).all()


@pytest.mark.parametrize("groups", [5, "shallow", ["colour"], [["shallow"]], None, {"shallow": 1}])
def test_groups_that_are_no_list_of_known_groups_are_refused(
    payload: bytes, groups: object
) -> None:
    with pytest.raises(ValueError, match=r"option groups is .* must be a list of shallow"):
        GbdtLabeler(spec_of(options={"groups": groups}), payload)


def test_a_model_of_one_leaf_gives_all_blocks_the_same_score() -> None:
    pages = [found for i in range(6) if (found := gold_blocks(gold_page(i), "block"))]
    bare = fit(pages, {**OPTIONS, "min_leaf": 1_000_000}, 0, lambda _: None)
    labeler = GbdtLabeler(spec_of(), bare)
    assert {*load(bare)["leaves"].tolist()} == {1}
    assert len({*labeler.logits(pages[0].page).tolist()}) == 1
    assert not any(labeler.reasons(pages[0].page))


def broken(payload: bytes) -> dict[str, bytes]:
    return {
        "empty": b"",
        "another file": b"\x89PNG\r\n",
        "half": payload[: len(payload) // 2],
        "LightGBM's text": b"tree\nversion=v4\nnum_class=1\n\nend of trees\n",
        "other names": payload.replace(b"leaf_value", b"leaf_valve"),
        "no features": payload.replace(b'"split_feature"', b'"split_featune"'),
    }


def test_a_broken_model_is_refused(payload: bytes, tmp_path: Path) -> None:
    for name, bad in broken(payload).items():
        assert bad != payload
        with pytest.raises(ValueError):
            GbdtLabeler(spec_of(), bad)
        save_classical(tmp_path / name, spec_of(), bad, GbdtLabeler)
        with pytest.raises(ModelError, match=r"model\.safetensors"):
            GbdtLabeler.load(tmp_path / name)


def test_a_folder_of_format_1_is_refused_with_the_remedy(payload: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    save_classical(folder, spec_of(), payload, GbdtLabeler)
    (folder / "model.safetensors").rename(folder / "model.txt")
    document = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(document | {"format_version": 1}))
    with pytest.raises(ModelError, match=r"old has format version 1, .* 2; train it again"):
        GbdtLabeler.load(folder)
