"""Peers: which there are, what they are given, and what a crash of theirs is."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

pytest.importorskip("rapidfuzz")

from synthetic import article, gold_page

from scrapy_boilernet.evaluation import peers
from scrapy_boilernet.evaluation.peers import (
    PEERS,
    STOP_LISTS,
    PeerError,
    installed_peers,
    load_peer,
)
from scrapy_boilernet.evaluation.systems import peer_system


def test_an_unknown_peer_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nosuch"):
        peer_system("nosuch")


def test_installed_and_missing_peers_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PEERS, "here", ("json", "scrapy", lambda _: None))
    monkeypatch.setitem(PEERS, "gone", ("no_such_module.deep", "gone", lambda _: None))
    installed, missing = installed_peers()
    assert {*installed, *missing} == set(PEERS)
    assert "here" in installed
    assert "gone" in missing


@pytest.mark.parametrize(
    ("name", "python", "remedy"),
    [
        ("magic-html", (3, 11), "Python 3.12 or newer"),
        ("rs-trafilatura", (3, 11), "Python 3.12 or newer"),
        ("magic-html", (3, 12), "pip install '.[peers]' in a checkout"),
        ("trafilatura", (3, 11), "pip install '.[peers]' in a checkout"),
    ],
)
def test_a_peer_that_is_not_installed_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, name: str, python: tuple[int, int], remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, PEERS[name][0], None)
    monkeypatch.setattr(sys, "version_info", python)
    with pytest.raises(PeerError) as caught:
        load_peer(name)
    assert f"'{name}'" in str(caught.value)
    assert remedy in str(caught.value)


def test_a_page_on_which_a_peer_crashes_gives_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: str | None) -> str:
        raise RuntimeError

    monkeypatch.setitem(PEERS, "crashing", ("json", "scrapy", lambda _: crash))
    extractor, version = load_peer("crashing")
    assert extractor("<p>x</p>", None, None) == ""
    assert version


def test_a_peer_is_given_the_decoded_page_its_url_and_its_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(
        PEERS, "telling", ("json", "scrapy", lambda _: lambda *given: " ".join(map(str, given)))
    )
    page = gold_page(
        1, host="a.com", html="Żółw".encode("iso-8859-2"), encoding="iso-8859-2", language="pl"
    )  # fmt: skip
    assert peer_system("telling").extract(page).text == "Żółw https://a.com/1 pl"


@pytest.mark.parametrize(
    ("language", "stop_list"),
    [("pl", "Polish"), ("pt-BR", "Portuguese"), ("zh", "English"), (None, "English")],
)
def test_justext_is_given_the_stop_list_of_the_language(
    language: str | None, stop_list: str
) -> None:
    asked = []
    module = SimpleNamespace(
        get_stoplist=lambda name: asked.append(name) or frozenset(),
        justext=lambda *_: [
            SimpleNamespace(text="kept", is_boilerplate=False),
            SimpleNamespace(text="menu", is_boilerplate=True),
        ],
    )
    assert peers._justext(module)("<p>", None, language) == "kept"
    assert asked == [stop_list]


def test_every_stop_list_is_one_of_justext() -> None:
    justext = pytest.importorskip("justext")
    assert set(STOP_LISTS.values()) <= set(justext.get_stoplists())


def test_a_peer_that_gives_html_is_read_a_line_per_block() -> None:
    document = SimpleNamespace(summary=lambda: "<div><p>One <b>t</b>wo</p><p>Three</p></div>")
    module = SimpleNamespace(Document=lambda html, url: document)
    assert peers._readability(module)("<p>", None, None) == "One two\nThree"


@pytest.mark.parametrize("name", list(PEERS))
def test_installed_peers_find_the_article(name: str) -> None:
    if name not in installed_peers()[0]:
        pytest.skip(f"{name} is not installed")
    html, gold = article(5, 6)
    text = load_peer(name)[0](html.decode(), "https://a.com/news/story", "en")
    if name not in ("justext", "newspaper4k"):  # made-up words are boilerplate to them
        assert gold.splitlines()[1] in text
    assert "Copyright 2024" not in text
