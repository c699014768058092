"""Which page trains, validates and tests, on made-up sets; groups of pages that stay together."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from testing.synthetic import gold_page, sentence

from scrapy_boilernet.lab.evaluation.datasets import GoldPage, Snippets
from scrapy_boilernet.lab.evaluation.splits import (
    TEST_ONLY,
    assign,
    domain,
    folds,
    groups,
    held_out,
    near_duplicates,
    without_leaks,
)

HOSTS = [f"paper{n}.com" for n in range(60)]
TESTING = [host for host in HOSTS if held_out(host, 5)]
LEARNING = [host for host in HOSTS if not held_out(host, 5)]


def site_pages(dataset: str = "set") -> list[GoldPage]:
    """Two pages of each host, the second on a subdomain."""
    return [
        gold_page(2 * n + second, dataset, ("www." if second else "") + host)
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
    pages = [gold_page(n, "googletrends2017", host, split="dev") for n, host in enumerate(TESTING)]
    assert set(assign(pages)) <= {"train", "validation"}


@pytest.mark.parametrize("other", ["train", "test", None])
def test_dev_validates_and_nothing_else_does(other: str | None) -> None:
    pages = [gold_page(n, host=host, split="dev") for n, host in enumerate(HOSTS[:30])]
    pages += [gold_page(100 + n, host=host, split=other) for n, host in enumerate(HOSTS[30:])]
    for page, part in zip(pages, assign(pages), strict=True):
        assert (part == "validation") == (page.split == "dev")


def test_one_domain_can_be_split_by_hand() -> None:
    splits = ("train", "dev", "test")
    pages = [gold_page(n, host="one.com", split=split) for n, split in enumerate(splits)]
    assert assign(pages) == ["train", "validation", "test"]


def test_a_set_that_is_dev_as_a_whole_is_split_by_domain() -> None:
    pages = [gold_page(n, host=host, split="dev") for n, host in enumerate(HOSTS)]
    assert assign(pages) == assign([replace(page, split=None) for page in pages])


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


@pytest.mark.parametrize(
    "dataset",
    ["by-hand", "canola", "docs", "fundus", "harvest-forums", "mercury", "site-rules", "wcxb-dev"],
)
def test_some_sets_only_train(dataset: str) -> None:
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


@pytest.mark.parametrize("dataset", sorted(TEST_ONLY))
@pytest.mark.parametrize("split", [None, "train", "dev", "test"])
def test_sets_that_never_train_test_whatever_their_own_split(
    dataset: str, split: str | None
) -> None:
    pages = [gold_page(n, dataset, host, split=split) for n, host in enumerate(HOSTS)]
    assert set(assign(pages)) == {"test"}


def test_a_page_with_snippets_alone_tests_where_the_set_never_trains() -> None:
    snippets = Snippets(("a",), ("b",))
    page = gold_page(1, "trafilatura-eval", gold=None, snippets=snippets)
    assert assign([page, gold_page(2, "trafilatura-eval", gold=None)]) == ["test", "excluded"]
    assert assign([gold_page(1, "mine", gold=None, snippets=snippets)]) == ["excluded"]


def test_a_twin_or_a_site_of_a_set_that_only_tests_does_not_train() -> None:
    tested = gold_page(1, "l3s-gn1", LEARNING[0], split="train")
    twin = gold_page(1, "mine", LEARNING[1], split="train")
    same_site = gold_page(2, "mine", LEARNING[0], split="train")
    assert assign([tested, twin, same_site]) == ["test", "excluded", "excluded"]
    assert "excluded" not in assign([twin, same_site])


def typed_pages(dataset: str = "set") -> list[GoldPage]:
    """90 pages of two types on 60 hosts, half of which have two."""
    return [
        gold_page(
            2 * n + second, dataset, ("www." if second else "") + host,
            page_type="forum" if n % 3 == 0 else "article",
        )
        for n, host in enumerate(HOSTS)
        for second in range(1 + n % 2)
    ]  # fmt: skip


def test_no_domain_is_in_two_folds() -> None:
    folds_of = defaultdict(set)
    pages = typed_pages()
    for page, fold in zip(pages, folds(pages, 5), strict=True):
        folds_of[(page.url or "").split("/")[2].removeprefix("www.")].add(fold)
    assert all(len(found) == 1 for found in folds_of.values())
    assert set.union(*folds_of.values()) == set(range(5))


def test_near_duplicates_are_in_one_fold() -> None:
    pages = [*typed_pages(), gold_page(0, host="elsewhere.org")]
    found = folds(pages, 5)
    assert found[-1] == found[0]


def test_folds_have_about_as_many_pages_of_each_type() -> None:
    pages = typed_pages()
    found = folds(pages, 5)
    for kind in ("forum", "article"):
        mine = [fold for page, fold in zip(pages, found, strict=True) if page.page_type == kind]
        sizes = [mine.count(fold) for fold in range(5)]
        assert max(sizes) - min(sizes) <= 2
    assert max(map(found.count, range(5))) - min(map(found.count, range(5))) <= 2


def test_folds_depend_neither_on_the_order_nor_on_other_sets() -> None:
    pages, others = typed_pages(), typed_pages("other")
    found = folds(pages, 4)
    assert folds(pages[::-1], 4) == found[::-1]
    assert folds([*others, *pages], 4)[len(others) :] == found


def test_pages_without_gold_and_broken_ones_are_in_no_fold() -> None:
    pages = [gold_page(1, gold=None), gold_page(2, id="wcxb_dev_4145"), gold_page(3)]
    assert folds(pages, 2)[:2] == [-1, -1]
    assert folds(pages, 2)[2] >= 0
    assert folds([], 3) == []


def test_what_a_fold_measures_on_trains_in_no_other_set() -> None:
    held, twin = gold_page(1, "one", "one.com"), gold_page(1, "two", "two.com")
    same_site, other = gold_page(2, "two", "m.one.com"), gold_page(3, "two", "three.com")
    found = without_leaks([held, twin, same_site, other], ["test", "train", "validation", "train"])
    assert found == ["test", "excluded", "excluded", "train"]


def page(name: str, url: str | None = None, gold: str | None = None) -> GoldPage:
    return GoldPage("set", name, b"", gold, url=url)


def long_text(seed: int, words: int = 200) -> str:
    return sentence(np.random.default_rng(seed), words)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.example.com/a?b=1", "example.com"),
        ("http://News.BBC.co.uk:8080/story", "bbc.co.uk"),
        ("https://a.b.example.com.au/", "example.com.au"),
        ("http://192.168.0.1/x", "192.168.0.1"),
        ("http://localhost/x", "localhost"),
    ],
)
def test_the_domain_is_the_registered_one(url: str, expected: str) -> None:
    assert domain(page("p", url)) == expected


def test_a_page_without_url_is_a_domain_of_its_own() -> None:
    assert domain(page("p1")) == "set/p1"
    assert domain(page("p1")) != domain(page("p2"))


def test_a_host_kept_in_the_id_counts_where_there_is_no_url() -> None:
    assert domain(page("20120110_www.example.co.uk_ab12cd")) == "example.co.uk"


@pytest.mark.parametrize("url", ["http://[::1/broken", "http://[bad]/"])
def test_a_url_that_cannot_be_read_counts_as_none(url: str) -> None:
    assert domain(page("p1", url)) == "set/p1"


def test_texts_that_share_most_shingles_are_near_duplicates() -> None:
    text = long_text(1)
    edited = text + " And a new ending that the other one lacks."
    assert near_duplicates([text, long_text(2), edited]) == [(0, 2)]


def test_a_text_inside_a_longer_one_is_a_near_duplicate() -> None:
    assert near_duplicates([long_text(1, 100), long_text(1, 100) + long_text(2, 400)]) == [(0, 1)]


def test_different_empty_and_tiny_texts_are_not_near_duplicates() -> None:
    assert near_duplicates([long_text(1), long_text(2), "", "", "a b", "a b"]) == []


def test_text_without_spaces_is_compared_too() -> None:
    rng = np.random.default_rng(0)
    text = "".join(chr(code) for code in rng.integers(0x4E00, 0x9F00, size=200))
    other = "".join(chr(code) for code in rng.integers(0x4E00, 0x9F00, size=200))
    assert near_duplicates([text, other, text[:150]]) == [(0, 2)]


def test_many_copies_of_one_text_are_still_near_duplicates() -> None:
    assert near_duplicates([long_text(1)] * 25)


def test_pages_of_one_domain_share_a_group() -> None:
    found = groups(
        [page("a", "https://x.example.org/1"), page("b", "https://other.net/"),
         page("c", "https://y.example.org/2")]
    )  # fmt: skip
    assert found[0] == found[2] != found[1]


def test_groups_are_joined_through_domains_and_near_duplicates_alike() -> None:
    text = long_text(1)
    found = groups(
        [
            page("a", "https://one.com/1", long_text(3)),
            page("b", "https://one.com/2", text),
            page("c", "https://two.com/1", text + " More."),
            page("d", "https://two.com/2", long_text(4)),
            page("e", "https://three.com/", long_text(5)),
        ]
    )
    assert len(set(found[:4])) == 1
    assert found[4] not in found[:4]


def test_held_out_is_a_fixed_draw_of_about_one_in_so_many() -> None:
    names = [f"site{n}.com" for n in range(1000)]
    drawn = [held_out(name, 5) for name in names]
    assert drawn == [held_out(name, 5) for name in names]
    assert 150 < sum(drawn) < 250


def test_a_salt_makes_an_independent_draw() -> None:
    names = [f"site{n}.com" for n in range(1000)]
    both = sum(held_out(name, 5) and held_out(name, 5, "salt:") for name in names)
    assert 10 < both < 80
