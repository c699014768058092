"""A broken model stops its crawl before the first request, in every mode, and no other crawl."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from testing.crawling import Crawl, crawl
from testing.faulty import MODES, FaultySite, environment, settings, what_is_left

WEIGHTS = "model.safetensors"


def cut(folder: Path) -> None:
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[: len(whole) // 2])


def reshape(folder: Path) -> None:
    document = json.loads((folder / "model.json").read_text())
    document["architecture"]["hidden"] += 1
    (folder / "model.json").write_text(json.dumps(document))


def change(folder: Path) -> None:
    whole = bytearray((folder / WEIGHTS).read_bytes())
    whole[-1] ^= 1
    (folder / WEIGHTS).write_bytes(whole)


def cut_json(folder: Path) -> None:
    (folder / "model.json").write_text('{"name": "tiny", ')


BROKEN: dict[str, tuple[Callable[[Path], Any], str]] = {
    "truncated": (cut, WEIGHTS),
    "reshaped": (reshape, "shape"),
    "changed": (change, "SHA-256"),
    "half-json": (cut_json, "model.json"),
    "no-weights": (lambda folder: (folder / WEIGHTS).unlink(), WEIGHTS),
}
"""By the folder's name, how it is broken and a word of what is said."""


@pytest.fixture(scope="module")
def result(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawl, set[str]]:
    """All crawls, in one process, and what was asked for."""
    folder = tmp_path_factory.mktemp("broken")
    for name in ("whole", *BROKEN):
        shutil.copytree(tiny_model, folder / name)
    for name, (harm, _) in BROKEN.items():
        harm(folder / name)
    left = folder / "left.json"
    given = settings(
        "thread", BOILERNET_ENGINE="numpy", FAULTS_LEFT=str(left), FAULTS_PLAN={"pages": []}
    )
    with FaultySite() as site:
        crawled = crawl("faults_models", site.url, given, environment(folder))
    assert what_is_left(left) == {"threads": [], "children": []}
    return crawled, set(site.requests)


def test_only_the_crawls_of_the_whole_model_ask_for_pages(result: tuple[Crawl, set[str]]) -> None:
    crawled, requests = result
    assert requests == {f"/page?n={mode}-whole" for mode in MODES}
    assert [item["fields"]["labeled"] for item in crawled.items] == [True, True]


@pytest.mark.parametrize("name", BROKEN)
def test_message_names_the_folder_and_what_is_wrong(
    result: tuple[Crawl, set[str]], name: str
) -> None:
    crawled, _ = result
    lines = [line for line in "\n".join(crawled.log).splitlines() if f"/{name}" in line]
    assert [line for line in lines if "ModelError" in line and BROKEN[name][1] in line]
