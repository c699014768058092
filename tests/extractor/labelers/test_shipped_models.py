"""Every model that ships, and the labeler that needs none: contract, size, a page, a crawl."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from testing.commanding import run
from testing.crawling import crawl
from testing.loopback import Site

from scrapy_boilernet import extract
from scrapy_boilernet.commands import card
from scrapy_boilernet.extractor.labelers.contract import check_labeler
from scrapy_boilernet.extractor.labelers.model_folder import find_model, read_json, shipped_names
from scrapy_boilernet.extractor.labelers.registry import load_labeler

LIBRARIES = {"gbdt": "lightgbm", "grf": "scipy"}
"""What serving needs beyond the default install."""
CLASSICAL = ("crf", "gbdt", "grf", "svm")
MAX_BYTES = 2_000_000
MAX_BYTES_OF = {"paper": 6_000_000}
"""More for the network of the paper, which has six times the weights of the default one."""


@pytest.fixture(params=sorted({*shipped_names(), *CLASSICAL}))
def model(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    pytest.importorskip(LIBRARIES.get(name, "numpy"))
    return name


def test_all_that_are_promised_ship() -> None:
    assert {"default", "open", "paper", "crf", "svm", "gbdt"} <= set(shipped_names())


def test_it_keeps_the_contract(model: str) -> None:
    check_labeler(load_labeler(model))


def test_it_is_small(model: str) -> None:
    folder = find_model(model)
    if folder is not None:
        size = sum(file.stat().st_size for file in folder.glob("model.*"))
        assert size < MAX_BYTES_OF.get(model, MAX_BYTES)


def test_it_has_a_card_that_names_what_it_was_trained_on(model: str) -> None:
    folder = find_model(model)
    if folder is not None:
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert f"# Model card: {model}" in text
        assert "licence of the gold" in text
        training = read_json(folder)["training"]
        for never in ("cleaneval", "l3s-gn1", "msvcode"):  # research-only gold
            assert not any(name.startswith(never) for name in training["datasets"])
            assert not any(name.startswith(never) for name in training.get("voted", {}))


def test_its_card_counts_test_pages_close_to_those_that_trained(model: str) -> None:
    folder = find_model(model)
    if folder is not None:
        training = read_json(folder)["training"]
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert "not computed" not in text
        assert {"cleaneval", "l3s-gn1", "cleanportaleval"} <= training["overlap"]["sets"].keys()
        for name, row in training["overlap"]["sets"].items():
            assert f"| {name} | {row['test_pages']} |" in text
        assert str(training["command"]) in text


def test_its_card_is_what_its_record_says(model: str, tmp_path: Path) -> None:
    folder = find_model(model)
    if folder is not None:
        pytest.importorskip("rapidfuzz")
        copy = Path(shutil.copytree(folder, tmp_path / model))
        assert run(card, copy) == 0
        written, shipped = ((f / "README.md").read_text(encoding="utf-8") for f in (copy, folder))
        assert written == shipped


def test_it_finds_the_article(model: str, read_page: Callable[[str], bytes]) -> None:
    result = extract(read_page("article.html"), model=model)
    assert result.model == model
    kept = {block.text for block in result.content}
    prose = [b.text for b in result.page.blocks if "p" in b.tags and len(b.text) > 80]
    assert prose
    assert len(kept & set(prose)) >= len(prose) / 2
    assert len(kept) < len(result.page.blocks)


@pytest.mark.parametrize("mode", ["thread", "process"])
def test_it_labels_a_crawl(model: str, mode: str, site: Site) -> None:
    if mode == "process" and model not in ("crf", "grf"):
        pytest.skip("one with a model and one without say it all")
    settings = {"BOILERNET_ENABLED": True, "BOILERNET_MODEL": model, "BOILERNET_MODE": mode}
    result = crawl("every_page", site.url, settings)
    (fields,) = result.fields(name="article")
    assert fields["block_labels"]
    assert all(0 <= row["probability"] <= 1 for row in fields["block_labels"])
    assert result.deprecations == []
