"""Settings that are lists, from Python and from the shell."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_boilernet.settings.values import entries, http_statuses, mime_types


@pytest.mark.parametrize(
    "value",
    ["a,b", " a , b ", "['a', 'b']", '["a", "b"]', "a,,b,", ["a", "b"], ("a", " b "), iter("ab")],
)
def test_entries_of_a_list_or_of_a_string_with_commas(value: Any) -> None:
    assert entries(value) == ["a", "b"]


def test_entries_that_are_no_strings_become_such() -> None:
    assert entries([200, "404"]) == ["200", "404"]


@pytest.mark.parametrize("value", ["", " ", "[]", ",", "''", [], (), [""], None, 7, True])
def test_a_list_without_an_entry_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="at least one entry"):
        entries(value)


@pytest.mark.parametrize("value", ["200,404", [200, 404], {404, "200"}, "[200, 404]", ["200", 404]])
def test_statuses_are_numbers(value: Any) -> None:
    assert http_statuses(value) == frozenset({200, 404})


def test_one_status_is_a_list_of_one() -> None:
    assert http_statuses(404) == frozenset({404})
    assert http_statuses("404") == frozenset({404})


@pytest.mark.parametrize("value", [99, 600, "20x", "-200", [200, 1000], "2e2", 200.5, "²00"])
def test_what_is_no_status_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):
        http_statuses(value)


def test_content_types_are_in_lower_case() -> None:
    assert mime_types("Text/HTML, application/xhtml+xml") == frozenset(
        {"text/html", "application/xhtml+xml"}
    )
    assert mime_types(["text/html"]) == frozenset({"text/html"})


@pytest.mark.parametrize("value", ["html", "text/html; charset=utf-8", "text/html/x", ["a/b", "c"]])
def test_what_is_no_content_type_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="MIME types such as text/html"):
        mime_types(value)
