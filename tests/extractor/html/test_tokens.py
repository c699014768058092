"""The tokens are the same as libxml2's on any page: their beginnings, ends and contents."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import starmap

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.tokens import (
    ATTRIBUTE,
    MARKUP,
    RAW_TAGS,
    end_of_raw_text,
    up_to_node,
    up_to_tag_of_more,
)

PIECES = (
    "<tide", "<TIDE-pool", "<tide>", "<p'q>", "</tide", "</", "<", ">", "/>", "/", "=", " ", "\n",
    "\t", "\f", "\r", "\x0b", "\x1c", '"', "'", "-", "--", "a", "b=", "c", "é", "a=b", 'a="x > y"',
    "b='<tide>'", "c=d'e", 'c=d"e>f"', "==", "a\n=\n'", "<!--", "-->", "--!>", "<!-->", "<!--->",
    "<!---", "<!", "<!doctype html>", '<!DOCTYPE html SYSTEM "a>b">', "<![CDATA[", "]]>", "<?",
    "?>", "</3", "< p", "<x/y/z>", "<x a/>", "<x a=b/>", "<x 'a'b c>", "</x a='>", "</x a='<y>'>",
    "<script>", "<script", "<script/>", "<script a/>", "<script a=/>", "<script a='b'/>",
    "<scripts>", "</script>", "</script", "</SCRIPT\n", "</scripts>", "<!--<script>",
    "<script><!--<script>", *(f"<{name.decode()}>" for name in RAW_TAGS),
    *(f"</{name.decode()} >" for name in RAW_TAGS),
    "<noscript>", "<svg>", "<math>", "<select>", "<table>", "<template>", "<frameset>", "<body b>",
)  # fmt: skip
pages = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
END = "<sea a b='c' d e=f>"
"""What is seen behind a page only if nothing before it was taken for more than it is."""
IMPLIED = frozenset(("html", "head", "body", "p"))
"""What libxml2 adds and leaves out as it sees fit."""
Tags = list[tuple[str, dict[str, str]]]


class _Starts:
    """A target that keeps the start tags."""

    def __init__(self) -> None:
        self.tags: Tags = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag not in IMPLIED:
            self.tags.append((tag, dict(attributes)))

    def end(self, _: str) -> None:
        pass

    def close(self) -> Tags:
        return self.tags


def by_libxml2(page: str) -> Tags:
    parser = etree.HTMLParser(encoding="utf-8", recover=True, huge_tree=True, target=_Starts())
    tags: Tags = etree.fromstring(page.encode(), parser)
    return tags


def by_tokens(page: str) -> Tags:
    body, place, tags = page.encode(), 0, []
    while match := MARKUP.search(body, place):
        place = match.end()
        ends, name, attributes, closes_itself, closed = match.groups()
        if name is None or ends or not closed:
            continue
        name = name.lower()
        if name in RAW_TAGS and not closes_itself:
            place = end_of_raw_text(name, body, place)
        if (tag := name.decode()) not in IMPLIED:
            found: dict[str, str] = {}
            for key, value in ATTRIBUTE.findall(attributes):
                found.setdefault(key.decode().lower(), unquoted(value.decode()))
            tags.append((tag, found))
    return tags


def unquoted(value: str) -> str:
    return value[1:-1] if value[:1] in ('"', "'") else value


def as_libxml2_says(tags: Tags) -> Tags:
    """A line's end is one sign."""

    def plain(name: str, attributes: dict[str, str]) -> tuple[str, dict[str, str]]:
        values = {key: value.replace("\r\n", "\n").replace("\r", "\n") for key, value in
                  attributes.items()}  # fmt: skip
        return name, values

    return list(starmap(plain, tags))


@given(page=pages)
@example("<script><!--<script></script>x</script><tide>")
@example("</x a='<tide>'>")
@settings(QUICK, max_examples=500)
def test_start_tags_and_their_attributes_are_those_of_libxml2(page: str) -> None:
    assert as_libxml2_says(by_tokens(page + END)) == as_libxml2_says(by_libxml2(page + END))


@given(page=pages, most=st.integers(0, 4))
@settings(QUICK, max_examples=500)
def test_no_tag_of_more_attributes_is_overlooked(page: str, most: int) -> None:
    body = (page + END).encode()
    if max((len(attributes) for _, attributes in by_libxml2(page + END)), default=0) > most:
        assert up_to_tag_of_more(most).fullmatch(body) is None


@pytest.mark.parametrize("page", ["", "tide", "<p>", "<p a b>", "<p a b><q c d", "</p a b c>", "<"])
def test_pages_without_such_a_tag_are_matched_whole(page: str) -> None:
    assert up_to_tag_of_more(2).fullmatch(page.encode())


def test_what_is_matched_ends_where_the_tag_begins() -> None:
    match = up_to_tag_of_more(2).match(b"<p a b>tide<!-- <p a b c> --><p a b c>")
    assert match
    assert match.group().endswith(b"-->")


def _node_places(body: bytes) -> list[int]:
    """Where what becomes an element or a comment begins."""
    place, places = 0, []
    while match := MARKUP.search(body, place):
        begin, place = match.span()
        ends, name, _, closes_itself, _ = match.groups()
        if name is None:
            is_node = not match.group().startswith(b"</")
        else:
            is_node = not ends or name.lower() == b"p"
            if not ends and name.lower() in RAW_TAGS and not closes_itself:
                place = end_of_raw_text(name.lower(), body, place)
        if is_node:
            places.append(begin)
    return places


@given(page=pages)
@settings(QUICK, max_examples=1_000)
def test_nodes_are_counted_as_they_are(page: str) -> None:
    body = page.encode()
    for number, place in enumerate([*_node_places(body), len(body)]):
        match = up_to_node(number).match(body)
        assert match
        assert match.end() == place


@pytest.mark.parametrize(
    "piece", [*PIECES, "<p a b c", "<script><!--<script>", "a='", "<a ", "</a b='"]
)
def test_hostile_pages_are_matched_at_once(piece: str) -> None:
    body = (piece * (1_000_000 // len(piece))).encode()
    assert up_to_tag_of_more(len(body)).fullmatch(body)
    assert up_to_node(len(body)).fullmatch(body)
    assert all(match.end() > match.start() for match in MARKUP.finditer(body))
