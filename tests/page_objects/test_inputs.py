"""Inputs of page objects: saved and read without a loss, or refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("scrapy_poet")

from web_poet.serialization import SerializedDataFileStorage, deserialize_leaf, serialize

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.options import FORMATS
from scrapy_boilernet.page_objects import (
    LabeledPage,
    LabeledPageProvider,
    MainText,
    MainTextProvider,
)
from scrapy_boilernet.workers.columns import read, written

PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))
URL = "https://example.org/pools.html"


def labeled(path: Path, model: Path) -> LabeledPage:
    return extract(
        path.read_bytes(), url=URL, model=str(model), engine="numpy", threshold=0.0, formats=FORMATS
    )


def sent(page: LabeledPage) -> LabeledPage:
    """Return the page as a worker process sends it."""
    plain, columns = written(page)
    return read(json.loads(json.dumps(plain)), columns)


def provider_of(kind: type) -> MainTextProvider | LabeledPageProvider:
    made: MainTextProvider | LabeledPageProvider = kind.__new__(kind)  # without a crawl
    return made


@pytest.mark.parametrize("kind", [MainTextProvider, LabeledPageProvider])
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_is_saved_is_read_back_whole(
    kind: type, path: Path, tiny_model: Path, tmp_path: Path
) -> None:
    value = provider_of(kind).make(labeled(path, tiny_model))
    storage = SerializedDataFileStorage(tmp_path)
    storage.write(serialize([value]))
    ((_, leaf),) = storage.read().items()
    again = deserialize_leaf(type(value), leaf)
    assert type(again) is type(value)
    assert again == value


@pytest.mark.parametrize("kind", [MainTextProvider, LabeledPageProvider])
def test_page_of_a_worker_process_gives_the_same_input_of_the_same_class(
    kind: type, tiny_model: Path
) -> None:
    page, provider = labeled(PAGES[0], tiny_model), provider_of(kind)
    assert type(provider.make(sent(page))) is type(provider.make(page))
    assert provider.make(sent(page)) == provider.make(page)


def test_main_text_says_what_the_page_says(tiny_model: Path) -> None:
    page = labeled(PAGES[0], tiny_model)
    text = provider_of(MainTextProvider).make(page)
    assert isinstance(text, MainText)
    assert (text.url, text.text, text.markdown) == (URL, page.text, page.markdown)
    assert (text.confidence, text.source, text.model) == (page.confidence, page.source, "tiny")


@pytest.mark.parametrize("lost", ["json", "columns"])
def test_page_of_another_version_is_refused_with_the_remedy(lost: str, tiny_model: Path) -> None:
    ((_, leaf),) = serialize([labeled(PAGES[0], tiny_model)]).items()
    for damaged in ({**leaf, lost: b"{}"}, {key: leaf[key] for key in leaf if key != lost}):
        with pytest.raises(ValueError, match="another version of scrapy-boilernet"):
            deserialize_leaf(LabeledPage, damaged)
