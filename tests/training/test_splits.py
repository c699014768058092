"""Which page trains, validates and tests: what a split must never do, on made-up sets."""

from __future__ import annotations

from collections import defaultdict

import pytest

from scrapy_boilernet.training.datasets import GoldPage
from scrapy_boilernet.training.groups import held_out
from scrapy_boilernet.training.splits import assign

from .synthetic import gold_page

HOSTS = [f"paper{n}.com" for n in range(60)]
TESTING = [host for host in HOSTS if held_out(host, 5)]
LEARNING = [host for host in HOSTS if not held_out(host, 5)]


def site_pages(dataset: str = "set", first: int = 0) -> list[GoldPage]:
    """Two pages of each host, the second on a subdomain."""
    return [
        gold_page(first + 2 * n + second, dataset, ("www." if second else "") + host)
        for n, host in enumerate(HOSTS)
        for second in (0, 1)
    ]


def test_no_domain_is_in_two_parts() -> None:
    pages = site_pages()
    parts_of = defaultdict(set)
    for page, part in zip(pages, assign(pages), strict=True):
        parts_of[(page.url or "").split("/")[2].removeprefix("www.")].add(part)
    assert all(len(parts) == 1 for parts in parts_of.values())
    assert set.union(*parts_of.values()) == {"train", "validation", "test"}


def test_near_duplicates_within_a_set_go_to_one_side() -> None:
    pages = [gold_page(1, host=LEARNING[0]), gold_page(1, host=TESTING[0])]
    assert len(set(assign(pages))) == 1


def test_about_a_fifth_tests_and_a_tenth_of_the_rest_validates() -> None:
    parts = assign([gold_page(n, host=f"page{n}.org") for n in range(300)])
    assert 40 <= parts.count("test") <= 80
    assert 10 <= parts.count("validation") <= 40
    assert "excluded" not in parts


def test_a_split_is_the_same_every_time_and_in_any_order() -> None:
    pages = site_pages()
    parts = assign(pages)
    assert assign(pages) == parts
    assert assign(pages[::-1]) == parts[::-1]


def test_the_own_split_of_a_set_stands() -> None:
    pages = [
        gold_page(n, host=host, split="test" if host in LEARNING else "train")
        for n, host in enumerate(HOSTS)
    ]
    for page, part in zip(pages, assign(pages), strict=True):
        assert (part == "test") == (page.split == "test")


def test_one_domain_may_stand_on_both_sides_of_an_own_split() -> None:
    pages = [
        gold_page(1, host="one.com", split="train"), gold_page(2, host="one.com", split="test")
    ]  # fmt: skip
    assert assign(pages)[0] in ("train", "validation")
    assert assign(pages)[1] == "test"


def test_the_dev_part_of_a_set_that_has_one_learns() -> None:
    pages = [gold_page(n, "cleaneval-leaves", host, split="dev") for n, host in enumerate(TESTING)]
    assert set(assign(pages)) <= {"train", "validation"}


def test_a_near_duplicate_of_a_test_page_of_another_set_does_not_train() -> None:
    test = gold_page(1, "one", "one.com", split="test")
    twin = gold_page(1, "two", "two.com", split="train")
    other = gold_page(2, "two", "three.com", split="train")
    parts = assign([test, twin, other])
    assert parts[:2] == ["test", "excluded"]
    assert parts[2] in ("train", "validation")


def test_a_near_duplicate_within_an_own_split_does_not_train() -> None:
    pages = [gold_page(1, host="a.com", split="train"), gold_page(1, host="b.com", split="test")]
    assert assign(pages) == ["excluded", "test"]


def test_a_page_from_a_test_domain_of_another_set_does_not_train() -> None:
    pages = [
        gold_page(1, "one", TESTING[0]),
        gold_page(2, "two", "m." + TESTING[0], split="train"),
        gold_page(3, "two", LEARNING[0], split="train"),
    ]
    assert assign(pages)[:2] == ["test", "excluded"]
    assert assign(pages)[2] != "excluded"


def test_the_test_part_of_a_set_does_not_depend_on_the_other_sets() -> None:
    mine = site_pages("mine")
    same_texts = site_pages("other")
    alone, together = assign(mine), assign([*same_texts, *mine])[len(same_texts) :]
    tested = [part == "test" for part in alone]
    assert any(tested)
    assert [part == "test" for part in together] == tested


@pytest.mark.parametrize("dataset", ["canola", "fundus", "harvest-forums"])
def test_small_sets_only_train(dataset: str) -> None:
    assert "test" not in assign(site_pages(dataset))


def test_a_page_without_gold_or_with_a_broken_file_is_left_out() -> None:
    pages = [gold_page(1, gold=None, split="train"), gold_page(2, id="wcxb_dev_4145")]
    assert assign(pages) == ["excluded", "excluded"]


def test_no_pages_have_no_parts() -> None:
    assert assign([]) == []


def daniel_pages() -> list[GoldPage]:
    """Per language 20 hosts with two pages each; the hosts stand in the ids."""
    return [
        gold_page(
            1000 * number + 2 * n + second, "daniel-waddle", language=language,
            id=f"20120{second}10_www.{language}{n}.com_{n:06x}",
        )
        for number, language in enumerate(("el", "pl", "ru"))
        for n in range(20)
        for second in (1, 2)
    ]  # fmt: skip


def test_half_of_the_sites_of_each_language_test_where_the_set_asks_for_it() -> None:
    pages = daniel_pages()
    parts = assign(pages)
    for language in ("el", "pl", "ru"):
        mine = [part for page, part in zip(pages, parts, strict=True) if page.language == language]
        assert mine.count("test") == 20
        assert "excluded" not in mine


def test_a_halved_set_keeps_each_site_on_one_side() -> None:
    pages = daniel_pages()
    parts_of = defaultdict(set)
    for page, part in zip(pages, assign(pages), strict=True):
        parts_of[page.id.split("_")[1]].add(part)
    assert all(len(parts) == 1 for parts in parts_of.values())
