"""Recognizing pages over which libxml2 takes long: none of them is overlooked."""

from __future__ import annotations

import base64
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.models import PAGES
from testing.synthetic import QUICK, article

from scrapy_boilernet.extractor.html.tokens import up_to_tag_of_more
from scrapy_boilernet.extractor.html.tree import has_many_attributes, has_many_end_tags

MANY = 6_000
"""Attributes, beyond the limit by far."""
FORMS = (
    "a{}", "data-{}=tide", "a{}=''", 'a{}="x"', "a{}='>'", 'a{}="x > y"', 'a{}="<b>tide</b>"',
    "a{}='<'", "a{} = x", "a{}\n=\n'>'", "a{}='\">\"'", "A{}=é", "a{}/",
)  # fmt: skip
WINDOW = 16_384


def attributes(form: str, number: int = MANY, first: int = 0) -> str:
    return " ".join(form.format(n) for n in range(first, first + number))


def tag(form: str, between: str = "") -> bytes:
    half = MANY // 2
    return f"<p {attributes(form, half)} {between} {attributes(form, half, half)}>tide".encode()


@pytest.mark.parametrize("form", FORMS)
def test_many_attributes_are_seen_however_they_are_written(form: str) -> None:
    assert has_many_attributes(tag(form))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("before", ["", "tide " * 9_000])
def test_many_attributes_are_seen_wherever_they_stand(form: str, before: str) -> None:
    body = before.encode() + tag(form)
    assert has_many_attributes(body)
    assert has_many_attributes(body + b"<p>pool</p>" * 5_000)
    assert has_many_attributes(body.replace(b">tide", b""))  # the page ends in the tag


@pytest.mark.parametrize("form", ["a{}='>'", 'a{}="x > y"', "a{}\n=\n'>'", "a{}='\">\"'"])
@pytest.mark.parametrize("before", ["<p>tide</p>" * 5_000, "<!-- > -->" * 4_000])
def test_many_attributes_of_signs_that_end_tags_are_seen_behind_a_tag(
    form: str, before: str
) -> None:
    assert has_many_attributes(before.encode() + tag(form))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", ['"{}"', "'{}'"])
@pytest.mark.parametrize("inside", ["x", "x>", "<b>", "tide pool > sea ", "a=b "])
def test_a_value_longer_than_a_window_between_them_hides_none(
    form: str, value: str, inside: str
) -> None:
    long = "c=" + value.format(inside * (3 * WINDOW // len(inside)))
    assert has_many_attributes(tag(form, long))


@pytest.mark.parametrize("shift", range(0, WINDOW, 1_111))
@pytest.mark.parametrize("form", ["a{}='>'", 'a{}="x > y"', "a{}"])
def test_where_the_windows_fall_makes_no_difference(form: str, shift: int) -> None:
    assert has_many_attributes(b" " * shift + tag(form))


@given(
    forms=st.lists(st.sampled_from(FORMS), min_size=1, max_size=4),
    before=st.sampled_from(("", "<p>", "<p title='x'>tide</p>", '<a href="">', "tide > sea ")),
    times=st.integers(0, 3_000),
)
@QUICK
def test_attributes_of_several_forms_are_seen_behind_anything(
    forms: list[str], before: str, times: int
) -> None:
    mixed = " ".join(forms[n % len(forms)].format(n) for n in range(MANY + 2_000))
    assert has_many_attributes(f"{before * times}<p {mixed}>tide".encode())


def test_ordinary_pages_do_not_trigger_a_rewrite() -> None:
    for path in PAGES.glob("*.html"):
        assert not has_many_attributes(path.read_bytes())
    assert not has_many_attributes(b"".join(article(seed)[0] for seed in range(40)))


def image(size: int) -> str:
    return base64.b64encode(random.Random(0).randbytes(size)).decode()


ROWS = [{"name": f"Pool {n}", "html": "<b>warm</b>"} for n in range(300)]
SCRIPT = "if (tide > 3) { pool = 'warm'; }\n"


@pytest.mark.parametrize(
    "inside",
    [
        f"<img src='data:image/png;base64,{image(60_000)}'>",
        f'<img src="data:image/png;base64,{image(60_000)}">',
        f"<div data-rows='{json.dumps(ROWS)}'>pool</div>",
        '<div data-rows="{}">pool</div>'.format(json.dumps(ROWS).replace('"', "&quot;")),
        f"<script>{SCRIPT * 9_000}</script>",
        f"<script>{'var tide = 1; pool(sea);' * 9_000}</script>",
        f"<style>{'p { margin: 0 } ' * 9_000}</style>",
        f"<svg><path d='{'M10 20 L30 40 ' * 120}'/></svg>" * 40,
        "tide pool " * 30_000,
        f"<!-- {'tide pool ' * 30_000} -->",
    ],
)  # fmt: skip
def test_images_data_and_scripts_do_not_trigger_a_rewrite(inside: str) -> None:
    page = f"<p>tide</p>{inside}<p>sea</p>".encode()
    assert not has_many_attributes(page)


@pytest.mark.parametrize("text", ["tide pool ", "tide = 'pool' ", "a > b ", '1 < 2 "x" ', "='> "])
def test_text_without_a_tag_never_triggers_a_rewrite(text: str) -> None:
    assert not has_many_attributes(text.encode() * 30_000)


def test_few_attributes_or_a_short_page_never_trigger_a_rewrite() -> None:
    assert not has_many_attributes(b"")
    assert not has_many_attributes(f"<p {attributes('a{}', 1_500)}>tide".encode())
    long = f"b='{'x' * 90_000}'"
    assert not has_many_attributes(f"<p {attributes('a{}', 400)} {long}>".encode())
    assert has_many_attributes(f"<p {attributes('a{}', 600)} {long}>".encode())


@pytest.mark.parametrize("size", [100_000, 300_000, 1_000_000, 4_000_000])
def test_many_tags_need_the_fewer_attributes_the_larger_the_page(size: int) -> None:
    many = max(700, 700_000_000 // size)
    tag = f"<p {attributes('{:x}', many)}>tide"
    body = (tag * (size // len(tag))).encode()
    assert has_many_attributes(body)
    assert not has_many_attributes(body[:20_000])


@pytest.mark.parametrize(
    "piece",
    [b"<a ", b"='", b'="', b"'", b">", b"<a", b"<a b='", b"<", b"a='>", b"\"'", b"<a '>", b" ",
     b"=" + b" " * 80 + b"'", b"</p>", b"\x00", b"<a b=\"'>"],
)  # fmt: skip
def test_hostile_pages_are_checked_at_once(piece: bytes) -> None:
    body = piece * (8_000_000 // len(piece))
    assert has_many_attributes(body) == (up_to_tag_of_more(500).fullmatch(body) is None)
    assert has_many_end_tags(body) == (piece == b"</p>")


@pytest.mark.parametrize("start", ["", "<p>", "<p>tide", "<b><i>"])
def test_many_end_tags_are_seen(start: str) -> None:
    body = (start + "</p></b></i>" * 2).encode() * 40_000
    assert has_many_end_tags(body)
    assert not has_many_end_tags(body[:200_000])  # soon done


def test_pages_whose_elements_are_closed_do_not_have_many_end_tags() -> None:
    assert not has_many_end_tags(b"<p>tide</p>" * 50_000)
    assert not has_many_end_tags(b"<p>tide" * 50_000)
    assert not has_many_end_tags(b"<p>tide</p>" * 50_000 + b"</p>" * 4_000)
    assert not has_many_end_tags(b"".join(article(seed)[0] for seed in range(200)))
