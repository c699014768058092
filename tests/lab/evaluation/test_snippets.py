"""Snippets: where they are read from, and both benchmarks' ways to count them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from testing.synthetic import write_set

from scrapy_boilernet.lab.evaluation.datasets import DatasetError, Snippets, read_pages
from scrapy_boilernet.lab.evaluation.metrics import snippet_counts, snippet_rates

BOTH = Snippets(("Two mills", "A river"), ("Home", "Sign in", "News"))


def test_wcxb_takes_shares_in_lower_case() -> None:
    rates = snippet_rates("two MILLS stand here. HOME", BOTH)
    assert rates == {"with_rate": 1 / 2, "without_rate": 1 / 3}


def test_a_kind_without_snippets_has_no_rate() -> None:
    assert snippet_rates("text", Snippets(("text",), ())) == {"with_rate": 1}
    assert snippet_rates("text", Snippets((), ("text",))) == {"without_rate": 1}


def test_trafilatura_counts_with_white_space_collapsed_and_letter_case() -> None:
    assert snippet_counts("Two\n mills. home Sign\tin", BOTH) == (1, 1, 1, 2)
    assert snippet_counts("", BOTH) == (0, 0, 2, 3)


def test_snippets_are_read_from_the_row_of_a_page(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "snippets": {"with": ["Text"], "without": []}},
        {"id": "b", "snippets": {"with": [], "without": []}},
    ]
    folder = write_set(tmp_path / "set", dict.fromkeys("abc", (b"<p>Text", None)), rows)
    found = {page.id: page for page in read_pages(folder)}
    assert found["a"].snippets == Snippets(("Text",), ())
    assert found["a"].measurable
    assert found["b"].snippets is None
    assert not found["b"].measurable
    assert not found["c"].measurable


def test_wcxb_keeps_them_in_a_file_per_page(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "wcxb", {"wcxb_dev_0007": (b"<p>Text", "Text")})
    truth = folder / "extra" / "ground-truth" / "dev"
    truth.mkdir(parents=True)
    document = {"ground_truth": {"main_content": "Text", "with": ["Text"], "without": ["Home"]}}
    (truth / "0007.json").write_text(json.dumps(document))
    assert next(read_pages(folder)).snippets == Snippets(("Text",), ("Home",))


def test_garbled_snippets_are_an_error_that_names_the_page(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", {"a": (b"", "")}, [{"id": "a", "snippets": 3}])
    with pytest.raises(DatasetError, match=r"page a in .*set.*\"with\""):
        list(read_pages(folder))
