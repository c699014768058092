"""Class words that name what a rule looks for."""

from __future__ import annotations

import re

import pytest

from scrapy_boilernet import Block, Page
from scrapy_boilernet.extractor.decide.class_names import ClassNames


def page_of(*class_words: str) -> Page:
    return Page(None, "", (Block("x", ("p",) * len(class_words), class_words, (1,), "", 0),), "")


PAGE = page_of("page", "post body", "no posture", "post")


@pytest.mark.parametrize(
    ("finds", "found"),
    [
        (bool, {"post body", "no posture", "post"}),
        (re.compile(r"\bpost\b"), {"post body", "post"}),
        (lambda words: words == "post", {"post"}),
        (re.compile("page"), set()),
    ],
)
def test_those_with_a_stem_in_which_something_is_found_are_named(
    finds: object, found: object
) -> None:
    assert ClassNames(("post", "absent"), finds).on(PAGE) == found


def test_names_are_found_on_a_page_that_others_were_found_on() -> None:
    first = ClassNames(("post",))
    assert len(first.on(PAGE)) == 3
    assert ClassNames(("page", "body")).on(PAGE) == {"page", "post body"}
    assert len(first.on(PAGE)) == 3


def test_many_names_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_boilernet.extractor.decide.class_names._MAX_KNOWN", 2)
    names = ClassNames(("post",), re.compile(r"\bpost\b"))
    for page in (PAGE, page_of("post a", "post b"), page_of("post c"), PAGE):
        assert names.on(page) == {words for words in page.names[1] if "post" in words.split()}
    assert len(names._known) <= 2


def test_class_words_with_lines_raise_nothing() -> None:
    assert ClassNames(("post",)).on(page_of("a\n\nb", "c\nd", "post")) == {"post"}
    assert ClassNames(("post",)).on(page_of()) == frozenset()
