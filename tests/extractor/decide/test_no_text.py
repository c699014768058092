"""Pages without a text of their own: forms of accounts, and indexes of manuals."""

from __future__ import annotations

import numpy as np
import pytest
from testing.food_pages import PARAGRAPHS
from testing.textless_pages import (
    ACCOUNT_PAGES,
    FIELDS_PAGES,
    INDEXES,
    TERMS,
    account_page,
    fields_page,
    index_page,
)

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.no_text import has_no_text
from scrapy_boilernet.extractor.html.blockify import blockify

URL = "https://seeds.example/register"
TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)


def has_none(html: str, url: str = "", keep: bool = True) -> bool:
    """Whether the page has no text, if all of it is kept, or nothing."""
    page = blockify(html, url)
    return has_no_text(page, np.full(len(page.blocks), keep, np.bool_))


@pytest.mark.parametrize("name", ACCOUNT_PAGES)
def test_a_form_of_an_account_is_no_text(name: str) -> None:
    url, title, password = ACCOUNT_PAGES[name]
    assert has_none(account_page(title, password), url)


@pytest.mark.parametrize("name", FIELDS_PAGES)
def test_a_form_of_many_fields_is_no_text(name: str) -> None:
    url, title = FIELDS_PAGES[name]
    assert has_none(fields_page(title), url)
    assert not has_none(fields_page(title, text=TEXT), url)
    assert not has_none(fields_page(title, fields=4), url)


def test_a_form_of_many_fields_may_be_a_text_where_nothing_names_it() -> None:
    assert not has_none(fields_page("Seeds of the year"), "https://seeds.example/order")
    assert not has_none(fields_page("Searching for seeds"), "https://seeds.example/research")


@pytest.mark.parametrize("name", INDEXES)
def test_an_index_is_no_text(name: str) -> None:
    assert has_none(index_page(INDEXES[name]))


@pytest.mark.parametrize(
    ("html", "url"),
    [
        (account_page("Seeds", "Member number"), URL),
        (account_page("Seeds", f"Password. {TERMS[0]}"), URL),
        (account_page("Seeds", "Password", beside=TEXT * 3), URL),
        (account_page("Seeds", "Password"), "https://www.register.example/seeds/12"),
        (account_page("Seeds", "Password"), "https://seeds.example/the-register/12"),
        (account_page("Seeds", "Password"), "https://seeds.example/12?ref=login"),
        (account_page("Why we stopped to register seeds", "Password"), ""),
        (account_page("Login loops and how to end them", "Password"), ""),
        (account_page("Sign up for the harvest of pears", "Password"), ""),
    ],
)
def test_other_pages_with_such_a_form_have_a_text(html: str, url: str) -> None:
    assert not has_none(html, url)


def test_a_form_around_the_whole_page_does_not_hide_its_text() -> None:
    fields = "<label>E-mail</label><label>Password</label><button>OK</button>"
    page = "<title>Registration</title><body><form><div>{}<p>{}</p></div></form>"
    assert has_none(page.format("<p>Seeds.</p>", fields))
    assert not has_none(page.format(TEXT * 3, fields))


@pytest.mark.parametrize(
    "table",
    [
        INDEXES["Sphinx"].replace("genindextable", "modindextable"),
        INDEXES["Sphinx"].replace("indextable genindextable", "docutils"),
        INDEXES["Sphinx"] + TEXT,
        INDEXES["Texinfo"].replace("index-cp", "index-of-names"),
    ],
)
def test_other_tables_of_a_manual_are_a_text(table: str) -> None:
    assert not has_none(index_page(table))


@pytest.mark.parametrize("form", ["", '<form role="search"><label>Search</label><b>Go</b></form>'])
def test_a_manual_about_logins_has_a_text(form: str) -> None:
    page = (
        "<title>Login | The API of seeds</title>{}<main><h1>Login</h1><dl><dt>{}<dd>{}</dl></main>"
    )
    html = page.format(form, "password", "The password of the account, as a string.")
    assert not has_none(html, "https://seeds.example/api/login")


def test_a_page_of_which_nothing_is_kept_is_left_alone() -> None:
    assert not has_none(account_page("Seeds", "Password"), URL, keep=False)
    assert not has_none(index_page(INDEXES["Sphinx"]), keep=False)
    assert not has_none("", URL)


@pytest.mark.parametrize(
    ("html", "url"),
    [(account_page("Register", "Password"), URL), (index_page(INDEXES["Sphinx"]), "")],
)
def test_nothing_is_kept_and_the_step_says_why(html: str, url: str) -> None:
    result = extract(html, url)
    assert (result.text, result.source, result.confidence) == ("", "nothing", 0)
    assert "no text" in result.steps
    assert extract(html, url, threshold=0.0).text
