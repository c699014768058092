"""Which labeler a model belongs to; plug-ins from outside; identities of labelers."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from testing.commanding import run
from testing.crawling import crawl, python_path
from testing.loopback import Site
from testing.plugged import install

from scrapy_boilernet import ModelError, Page, extract
from scrapy_boilernet.commands import extract as extract_action
from scrapy_boilernet.extractor.labelers import Decider, Reason
from scrapy_boilernet.extractor.labelers.contract import ContractError, check_labeler
from scrapy_boilernet.extractor.labelers.registry import _labeler, load_labeler, which_labeler

HTML = "<div>Menu</div><p>The mill on the river grinds again.</p>"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    _labeler.cache_clear()


@pytest.fixture
def plug_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution with a good labeler and bad ones, on the path."""
    site = install(
        tmp_path / "site",
        paragraphs="testing.plugged:ParagraphLabeler",
        raising="testing.plugged:Raising",
        lacking="testing.plugged:Lacking",
        gone="testing.plugged:NoSuchClass",
        nan="testing.plugged:NotANumber",
        short="testing.plugged:OneTooFew",
        dividing="testing.plugged:Dividing",
    )
    monkeypatch.syspath_prepend(str(site))
    return site


def model_of(folder: Path, labeler: str, **fields: str) -> str:
    folder.mkdir()
    (folder / "model.json").write_text(json.dumps({"labeler": labeler, **fields}))
    return str(folder)


def test_a_model_says_which_labeler_it_is_of(tiny_model: Path, tmp_path: Path) -> None:
    assert which_labeler(str(tiny_model)) == ("boilernet", tiny_model)
    other = model_of(tmp_path / "other", "crf")
    assert which_labeler(other) == ("crf", Path(other))
    assert which_labeler("grf") == ("grf", None)


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_is_loaded_by_its_name_and_keeps_the_contract() -> None:
    labeler = load_labeler("paragraphs")
    check_labeler(labeler)
    assert extract(HTML, model="paragraphs").text == "The mill on the river grinds again."


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_is_given_the_folder_of_a_model_of_its_name(tmp_path: Path) -> None:
    folder = model_of(tmp_path / "model", "paragraphs", tag="div")
    assert extract(HTML, model=folder).text == "Menu"


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_that_is_no_labeler_is_named_with_what_it_lacks() -> None:
    with pytest.raises(ModelError, match=r"'raising' of 'testing.plugged:Raising'.*no licence"):
        load_labeler("raising")
    with pytest.raises(ModelError, match=r"'lacking'.*lacks name, units, probabilities"):
        load_labeler("lacking")
    with pytest.raises(ModelError, match=r"'gone'.*NoSuchClass"):
        load_labeler("gone")


@pytest.mark.usefixtures("plug_ins")
@pytest.mark.parametrize("name", ["nan", "short", "dividing"])
def test_a_plug_in_that_fails_on_a_page_fails_no_other_page(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ContractError):
        check_labeler(load_labeler(name))
    for page in "ab":
        (tmp_path / f"{page}.html").write_text(HTML)
    assert run(extract_action, "--model", name, tmp_path / "a.html", tmp_path / "b.html") == 1
    errors = capsys.readouterr().err
    assert errors.count("cannot extract") == 2
    assert "a.html" in errors


class Explained(Decider):
    """A labeler whose reasons are made by a function of the page."""

    def __init__(self, made: Callable[[Page], Any]) -> None:
        super().__init__(name="explained", units="block", threshold=0.5)
        self._made = made

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [np.full(len(page.blocks), 0.7, dtype=np.float32) for page in pages]

    def reasons(self, page: Page) -> Any:
        return self._made(page)


def test_reasons_are_checked() -> None:
    reason = Reason("length", "12", 0.5)
    check_labeler(Explained(lambda page: [[reason] for _ in page.blocks]))
    check_labeler(Explained(lambda page: [[] for _ in page.blocks]))
    for wrong, why in (
        (lambda page: [[reason] for _ in page.blocks[1:]], r"blocks and \d+ of reasons"),
        (lambda page: [[reason] for _ in page.blocks] + [[]], r"blocks and \d+ of reasons"),
        (lambda page: [[reason._replace(weight=math.nan)] for _ in page.blocks], "not finite"),
        (lambda page: [["length"] for _ in page.blocks], r"reasons\(\) of .* raises"),
        (lambda page: [[reason] for _ in page.blocks] if page.blocks else [reason], "raises|and 1"),
    ):
        with pytest.raises(ContractError, match=why):
            check_labeler(Explained(wrong))


@pytest.mark.usefixtures("plug_ins")
def test_an_unknown_name_is_reported_with_the_known_ones() -> None:
    with pytest.raises(ModelError, match=r"'nothing'.*gone, grf, lacking, nan, .*BOILERNET_MODEL"):
        load_labeler("nothing")


def test_a_model_of_an_unknown_labeler_names_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"labeler 'mlp'.*entry point of 'scrapy_boilernet"):
        load_labeler(model_of(tmp_path / "other", "mlp"))


def test_engines_are_for_boilernet_only() -> None:
    with pytest.raises(ModelError, match=r"labeler 'grf'.*BOILERNET_ENGINE = 'auto'"):
        load_labeler("grf", "torch")


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_a_plug_in_labels_a_crawl(plug_ins: Path, mode: str) -> None:
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_MODEL": "paragraphs",
        "BOILERNET_MODE": mode,
        "BOILERNET_THRESHOLD": 0.5,
    }
    with Site() as site:
        result = crawl("every_page", site.url, settings, python_path(plug_ins))
    (fields,) = result.fields(name="article")
    assert "Its wheel turned until 1911." in fields["main_text"]
    assert {row["probability"] for row in fields["block_labels"]} <= {0.9, 0.1}


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_model, tmp_path / "tiny"))


def test_a_loaded_engine_sends_no_telemetry(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    load_labeler(str(folder), "numpy")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"


def test_who_has_chosen_otherwise_is_not_overruled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    load_labeler(str(folder), "numpy")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "0"
