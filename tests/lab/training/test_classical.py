"""Classical labelers trained by the commands: models, calibration, refusals."""

from __future__ import annotations

import json
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from testing.commanding import refusal, run
from testing.synthetic import LONG_MENU, article, write_set

from scrapy_boilernet import ModelError, extract
from scrapy_boilernet.commands import crossvalidate, train
from scrapy_boilernet.extractor.labelers.classical import ClassicalLabeler
from scrapy_boilernet.extractor.labelers.contract import check_labeler
from scrapy_boilernet.extractor.labelers.registry import load_labeler

LIBRARIES = {"crf": "pycrfsuite", "svm": "sklearn", "gbdt": "lightgbm"}
WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with "made", 40 articles of 40 sites, and "whole", all of it content."""
    folder = tmp_path_factory.mktemp("sets")
    write_set(folder / "made", {f"p{n}": article(n, 4, LONG_MENU) for n in range(40)})
    whole = (b"<p>All of this page is content.", "All of this page is content.")
    rows = [{"id": f"w{n}", "split": "train" if n % 5 else "dev"} for n in range(40)]
    write_set(folder / "whole", {row["id"]: whole for row in rows}, rows)
    return folder


@pytest.fixture(scope="module", params=LIBRARIES)
def trained(request: pytest.FixtureRequest, sets: Path) -> tuple[Path, list[str]]:
    """Return a model of each labeler, trained by the command, and the command's messages."""
    pytest.importorskip(LIBRARIES[request.param])
    out = sets / f"my-{request.param}"
    with redirect_stderr(StringIO()) as messages:
        assert run(train, "--recipe", request.param, "--out", out, sets / "made") == 0
    return out, messages.getvalue().splitlines()


@pytest.fixture(scope="module")
def model(trained: tuple[Path, list[str]]) -> Path:
    return trained[0]


def test_the_last_line_has_the_quality_and_there_is_no_warning_of_few_pages(
    trained: tuple[Path, list[str]],
) -> None:
    model, messages = trained
    training = json.loads((model / "model.json").read_text())["training"]
    (record,) = training["datasets"].values()
    mean = f"{training['validation']['made']:.3f}".removeprefix("0")
    assert messages[-1].startswith(
        f"wrote {model}: word-F1 {mean} on {record['validation_pages']} validation page"
    )
    assert messages[-1].endswith(f"; use it with BOILERNET_MODEL = '{model}'")
    assert not any("warning" in line for line in messages)


def test_a_trained_model_keeps_the_contract(model: Path) -> None:
    check_labeler(load_labeler(str(model)))


def test_a_trained_model_finds_the_article_of_a_new_page(model: Path) -> None:
    html, gold = article(99, 4, LONG_MENU)
    result = extract(html, model=str(model))
    assert result.model == model.name
    lines = set(result.text.splitlines())
    assert lines & set(gold.splitlines())
    assert not lines & set(LONG_MENU)


def test_the_same_seed_trains_the_same_model(model: Path, sets: Path, tmp_path: Path) -> None:
    labeler = load_labeler(str(model))
    assert isinstance(labeler, ClassicalLabeler)
    kind = labeler.labeler
    assert run(train, "--recipe", kind, "--out", tmp_path / "again", sets / "made") == 0
    one, other = ((f / WEIGHTS).read_bytes() for f in (model, tmp_path / "again"))
    assert one == other


def test_the_reasons_of_a_block_name_features_and_weights(model: Path) -> None:
    labeler = load_labeler(str(model))
    assert isinstance(labeler, ClassicalLabeler)
    page = extract(article(99, 4, LONG_MENU)[0], model=str(model)).page
    reasons = labeler.reasons(page)
    assert len(reasons) == len(page.blocks)
    assert any(reasons)
    for found in reasons:
        assert [abs(r.weight) for r in found] == sorted(abs(r.weight) for r in found)[::-1]
        assert all(r.feature and np.isfinite(r.weight) for r in found)


def test_the_card_names_the_set_and_the_command(model: Path) -> None:
    card = (model / "README.md").read_text(encoding="utf-8")
    assert f"# Model card: {model.name}" in card
    assert "| made |" in card
    assert "1. `scrapy boilernet train" in card
    assert "without a domain | on a domain of pages by gold | near" in card
    assert "bytes of weights" in card


def spoiled(model: Path, folder: Path, **fields: object) -> str:
    """Copy the model with other values in its model.json; return the new folder."""
    folder.mkdir()
    for file in model.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    document = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps({**document, **fields}))
    return str(folder)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"featurizer": {"kind": "victor", "version": 99}}, "featurizer .*99.*train it again"),
        ({"format_version": 99}, "format version 99"),
        ({"weights_sha256": "0"}, "SHA-256 differs"),
        ({"threshold": 2}, "threshold 2"),
        ({"temperature": 0}, "temperature 0"),
        ({"temperature": "warm"}, "lacks a value or has a wrong one"),
        ({"units": "word"}, "units 'word'"),
        ({"decision": "dice"}, "decision 'dice'"),
        ({"confidence": []}, "confidence"),
        ({"confidence": [[0, 9]]}, "no points in"),
        ({"confidence": [[0, 0.5], [1, 0.2]]}, "do not rise"),
        ({"options": 3}, "options"),
        ({"name": 5}, "name 5"),
        ({"threshold": True}, "threshold True"),
    ],
)
def test_the_error_for_a_wrong_model_names_its_folder(
    model: Path, tmp_path: Path, fields: dict[str, object], message: str
) -> None:
    folder = spoiled(model, tmp_path / "other", **fields)
    with pytest.raises(ModelError, match=message) as caught:
        load_labeler(folder)
    assert folder in str(caught.value)


def test_broken_or_missing_weights_are_refused(model: Path, tmp_path: Path) -> None:
    import hashlib

    folder = spoiled(model, tmp_path / "b", weights_sha256=hashlib.sha256(b"junk").hexdigest())
    (Path(folder) / WEIGHTS).write_bytes(b"junk")
    with pytest.raises(
        ModelError,
        match=f"{WEIGHTS} (in .*is not a model of the labeler|of the model in .*safetensors)",
    ):
        load_labeler(folder)
    (Path(folder) / WEIGHTS).unlink()
    with pytest.raises(ModelError, match=f"cannot read {WEIGHTS}"):
        load_labeler(folder)


def test_the_error_for_pages_of_one_class_names_the_set(sets: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    message = refusal(train, "--recipe", "svm", "--out", tmp_path, sets / "whole")
    assert "training pages of whole are content" in message


def test_errors_name_sets_without_gold_or_with_gold_of_other_pages(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    bare = write_set(tmp_path / "bare", {f"p{n}": (article(n)[0], None) for n in range(20)})
    message = refusal(train, "--recipe", "svm", "--out", tmp_path / "m", bare)
    assert "bare" in message
    assert "no page with gold text" in message
    other = {f"p{n}": (article(n)[0], article(n + 100)[1]) for n in range(40)}
    mixed = write_set(tmp_path / "mixed", other)
    message = refusal(train, "--recipe", "svm", "--out", tmp_path / "m", mixed)
    assert "mixed: less than half of their gold text" in message


def test_wrong_options_and_options_of_other_recipes_are_refused(sets: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    given = ("--recipe", "svm", "--out", tmp_path / "m", sets / "made")
    assert "--voted is for BoilerNet's recipes" in refusal(train, *given, "--voted", sets / "made")
    assert "'much' is not JSON" in refusal(train, *given, "--option", "C=much")
    assert "no recipe 'mlp'" in refusal(train, *given, "--recipe", "mlp")
    assert "recipe 'svm' cannot train" in refusal(train, *given, "--option", "kernel=3")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('decision = "Fixed"', "decision 'Fixed' must be one of"),
        ('decision = "fixed", threshold = 2', "threshold 2 must be a number"),
        ('decision = "fixed", threshold = "x"', "threshold 'x' must be a number"),
        ("threshold = 0.4", "a threshold needs decision"),
        ('gamma = "x"', "cannot train"),
    ],
)
def test_a_recipe_with_wrong_values_is_refused(
    sets: Path, tmp_path: Path, line: str, message: str
) -> None:
    pytest.importorskip("sklearn")
    (tmp_path / "mine.toml").write_text(f'mine = {{ like = "svm", {line} }}')
    recipe = f"{tmp_path / 'mine.toml'}:mine"
    given = ("--recipe", recipe, "--out", tmp_path / "m", sets / "made")
    assert message in refusal(train, *given)


def test_models_of_other_folds_or_another_recipe_are_refused(sets: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    given = ("--with-test-parts", "--out", tmp_path / "folds", sets / "made")
    assert run(crossvalidate, "--recipe", "svm", "--folds", "2", *given) == 0
    for changed in (("svm", "--folds", "3"), ("svm-text", "--folds", "2")):
        message = refusal(crossvalidate, "--recipe", *changed, *given)
        assert "holds a model of another recipe, seed or choice of pages" in message
    seeded = refusal(crossvalidate, "--recipe", "svm", "--folds", "2", "--seed", "1", *given)
    assert "give a new --out" in seeded


def test_a_fixed_decision_trains_on_all_pages_and_keeps_its_threshold(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    line = 'fixed = { like = "svm", decision = "fixed", threshold = 0.3 }'
    (tmp_path / "mine.toml").write_text(line)
    out = tmp_path / "m"
    assert (
        run(train, "--recipe", f"{tmp_path / 'mine.toml'}:fixed", "--out", out, sets / "made") == 0
    )
    spec = json.loads((out / "model.json").read_text())
    assert (spec["decision"], spec["threshold"]) == ("fixed", 0.3)
    assert "decision" not in spec["options"]
    assert f"wrote {out}: not measured" in capsys.readouterr().err.splitlines()[-1]


def test_cross_validation_labels_each_page_by_a_model_that_did_not_see_it(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    given = ("--recipe", "svm", "--folds", "2", "--with-test-parts")
    for _ in range(2):
        assert run(crossvalidate, *given, "--out", tmp_path / "folds", sets / "made") == 0
    folds = json.loads((tmp_path / "folds" / "folds.json").read_text())["models"]
    assert sum(map(len, folds.values())) == 40
    for name in folds:
        training = json.loads((tmp_path / "folds" / name / "model.json").read_text())["training"]
        assert training["datasets"]["made"]["train_pages"] > 0
    messages = capsys.readouterr().err.splitlines()
    assert "fold-0: exists already" in messages
    folds_file = tmp_path / "folds" / "folds.json"
    assert messages[-1].startswith(f"wrote {folds_file}: 2 models, which existed already; measure ")
    first = next(line for line in messages if line.startswith("wrote "))
    assert first.startswith(f"wrote {folds_file.parent}: 2 of 2 models now, word-F1 ")
