"""Origins of a set's pages: counted per source and licence, and left out by their beginning."""

from __future__ import annotations

import pytest
from testing.synthetic import gold_page

from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.provenance import (
    need_licences,
    need_sets,
    origin_counts,
    parsed_without,
    stated_licence,
    without_licences,
    without_origins,
)

SOURCES = (
    "ourlab/reader:tests/one.html (GPL-3.0)",
    "ourlab/reader:tests/two.html (GPL-3.0)",
    "ourlab/reader-web:fixtures/three.html (MIT)",
    "contest input without gold",
    None,
)
PAGES = [gold_page(n, "crawl", origin=origin) for n, origin in enumerate(SOURCES)]


def test_pages_and_licence_are_counted_per_origin() -> None:
    assert origin_counts(PAGES) == {
        "contest input without gold": {"pages": 1, "licence": "not stated"},
        "ourlab/reader": {"pages": 2, "licence": "GPL-3.0"},
        "ourlab/reader-web": {"pages": 1, "licence": "MIT"},
    }


def test_names_of_files_are_no_origins() -> None:
    assert origin_counts([gold_page(n, origin=f"00{n}.html") for n in range(3)]) == {}
    assert origin_counts([gold_page(1)]) == {}


def test_pages_are_left_out_by_how_their_source_begins() -> None:
    def kept(*starts: str) -> list[str]:
        return [page.id for page in without_origins(PAGES, starts)]

    assert kept() == [page.id for page in PAGES]
    assert kept("ourlab/reader:", "contest") == ["page2", "page4"]
    assert kept("ourlab/") == ["page3", "page4"]


def test_a_beginning_that_no_page_has_is_named_with_those_that_there_are() -> None:
    with pytest.raises(DatasetError, match=r"--without crawl:ourlabs.*contest.*ourlab/reader, "):
        without_origins(PAGES, ["ourlabs"])
    with pytest.raises(DatasetError, match=r"pages.jsonl has no src"):
        without_origins([gold_page(1)], ["ourlab"])


def test_options_are_read_per_set_and_refused_when_written_otherwise() -> None:
    given = ["crawl:ourlab/reader:tests", "crawl:contest", "other:x"]
    assert parsed_without(given) == {"crawl": ("ourlab/reader:tests", "contest"), "other": ("x",)}
    for wrong in ("crawl", "crawl:", ":contest"):
        with pytest.raises(DatasetError, match="write it as SET:SRC"):
            parsed_without([wrong])


def test_a_set_that_is_not_read_is_named() -> None:
    need_sets({"crawl": ("x",)}, ["crawl", "mine"])
    with pytest.raises(DatasetError, match="no set 'crowl' among crawl, mine"):
        need_sets({"crowl": ("x",)}, ["mine", "crawl"])


def test_the_licence_is_what_the_last_brackets_hold() -> None:
    stated = [stated_licence(origin) for origin in SOURCES]
    assert stated == ["GPL-3.0", "GPL-3.0", "MIT", None, None]
    assert stated_licence("ourlab/reader:page (2).html") is None
    assert stated_licence("ourlab/reader:page (2).html (Apache/MIT) ") == "Apache/MIT"


def test_pages_are_left_out_by_the_whole_name_of_a_licence() -> None:
    def kept(*licences: str) -> list[str]:
        return [page.id for page in without_licences(PAGES, licences)]

    assert kept() == kept("AGPL-3.0", "GPL", "GPL-3") == [page.id for page in PAGES]
    assert kept("GPL-3.0") == ["page2", "page3", "page4"]
    assert kept("MIT", "GPL-3.0") == ["page3", "page4"]


def test_a_licence_that_no_page_states_is_named_with_those_that_there_are() -> None:
    need_licences(["MIT", "GPL-3.0"], PAGES)
    need_licences([], [])
    with pytest.raises(DatasetError, match=r"--without-licence AGPL-3.0: .* are GPL-3.0, MIT"):
        need_licences(["MIT", "AGPL-3.0"], PAGES)
    with pytest.raises(DatasetError, match="stated are none"):
        need_licences(["MIT"], [gold_page(1)])
