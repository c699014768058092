"""Templates that the model kept on a domain's pages and now drops."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.crawl.templates import (
    MAX_TEMPLATES,
    MIN_DROPPED,
    MIN_KEPT_SHARE,
    MIN_PAGES_BEFORE,
    WINDOW_PAGES,
    Seen,
    Templates,
)

LEAD, TEXT = 7, 9


def lost_at(templates: Templates, pages: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the numbers of the pages, from 1, with which a template is lost."""
    return [n for n, page in enumerate(pages, 1) if templates.add(page)]


@given(st.lists(st.booleans(), max_size=100))
def test_pages_are_counted_as_a_list_of_them_would_be(kept: list[bool]) -> None:
    seen = Seen()
    for one in kept:
        seen = seen.and_then(one)
    before, window = kept[:-WINDOW_PAGES], kept[-WINDOW_PAGES:]
    assert (seen.pages, seen.kept, seen.dropped) == (
        len(before), before.count(True), window.count(False),
    )  # fmt: skip
    assert seen.is_lost == (
        len(before) >= MIN_PAGES_BEFORE
        and window.count(False) >= MIN_DROPPED
        and before.count(True) >= MIN_KEPT_SHARE * len(before)
    )


def test_a_template_is_lost_once_it_is_dropped_on_most_of_the_last_pages() -> None:
    pages = [(TEXT, LEAD)] * 100 + [(TEXT, -LEAD)] * 100
    templates = Templates()
    assert lost_at(templates, pages[:115]) == []
    lost = templates.add((TEXT, -LEAD))
    assert lost is not None
    assert lost.number == LEAD
    assert lost.comparison == (
        "dropped on 16 of the last 20 pages with it; before: kept on 96 of 96 pages"
    )
    assert lost_at(templates, pages[116:]) == []


@pytest.mark.parametrize(
    "pages",
    [
        [(TEXT, LEAD)] * 300,
        [(TEXT, -LEAD)] * 300,  # it was never kept
        [(TEXT, LEAD)] * 100 + [(TEXT,)] * 100,  # the pages do not have it any more
        [(TEXT, LEAD)] * 100 + [(TEXT, -LEAD), (TEXT, LEAD)] * 100,
        [(TEXT, LEAD)] * (MIN_PAGES_BEFORE - 1) + [(TEXT, -LEAD)] * WINDOW_PAGES,
        [*[(TEXT, LEAD)] * 9, (TEXT, -LEAD)] * 20 + [(TEXT, -LEAD)] * 50,  # kept on nine in ten
        [(1, 2, 3, 4, 5, LEAD)] * 100 + [(1, 2, 3, 4, 5, -LEAD)] * 100,  # little of the text
    ],
)
def test_other_templates_are_not_lost(pages: list[tuple[int, ...]]) -> None:
    assert lost_at(Templates(), pages) == []


def test_pages_without_the_template_do_not_count() -> None:
    other = [(TEXT,)] * 3
    shown, dropped = [(TEXT, LEAD), *other], [(TEXT, -LEAD), *other]
    assert len(lost_at(Templates(), [*shown * 60, *dropped * 60])) == 1


def test_the_template_that_was_kept_on_most_pages_is_named() -> None:
    templates = Templates()
    pages = [(TEXT,)] * 20 + [(LEAD, TEXT)] * 60 + [(-LEAD, -TEXT, 3)] * 20
    named = [lost.number for page in pages if (lost := templates.add(page))]
    assert named == [TEXT]


def test_few_templates_are_followed_those_that_were_seen_last() -> None:
    templates, random = Templates(), Random(1)
    pages = [(TEXT, LEAD, *random.sample(range(100, 10**9), 3)) for _ in range(200)]
    assert lost_at(templates, pages) == []
    assert len(templates.document()) == MAX_TEMPLATES
    assert {str(TEXT), str(LEAD)} <= templates.document().keys()
    assert lost_at(templates, [(-TEXT, 1)] * 20) == [MIN_DROPPED]


def test_a_second_crawl_continues_with_the_document() -> None:
    first = Templates()
    lost_at(first, [(TEXT, LEAD)] * 80)
    later = Templates.of(json.loads(json.dumps(first.document())))
    assert later.document() == first.document()
    assert lost_at(later, [(TEXT, -LEAD)] * 30) == [MIN_DROPPED]


@pytest.mark.parametrize(
    "document",
    [
        None, 5, [], "7", {"a": [1, 1, 1]}, {"7": 5}, {"7": [1, 1]}, {"7": [1, 1, 1, 1]},
        {"7": [1, 2, 1]}, {"7": [-1, -1, 1]}, {"7": [1, 1, 0]}, {"7": [1, 1, 1 << 21]},
        {"7": [1.0, 1, 1]}, {"7": [True, 1, 1]}, {"7": ["1", 1, 1]}, {"7": [10**400, 1, 1]},
        {str(n): [1, 1, 1] for n in range(MAX_TEMPLATES + 1)},
    ],
)  # fmt: skip
def test_another_document_is_refused(document: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        Templates.of(document)
