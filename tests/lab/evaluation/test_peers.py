"""Peers: which there are, their input, and their crashes."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("rapidfuzz")

from testing.synthetic import article, gold_page

from scrapy_boilernet.lab.evaluation import peers
from scrapy_boilernet.lab.evaluation.peers import (
    PEERS,
    STOP_LISTS,
    PeerError,
    installed_peers,
    load_peer,
)
from scrapy_boilernet.lab.evaluation.systems import labeler_systems, peer_system

SENTENCES = (
    "Утром над рекой стоял густой туман, и лодки вышли на воду только после полудня.",
    "Старый рыбак рассказал нам, как менялось русло за последние сорок лет.",
    "По его словам, весной вода поднимается почти до самых окон крайнего дома.",
    "Жители деревни давно привыкли к этому и строят сараи на высоких сваях.",
    "Мы спросили, почему он не переехал в город, и он долго смеялся в ответ.",
)
"""Russian, with words enough that are on stop lists."""


def russian(declared: str | None) -> str:
    """A page with an article in Russian that declares an encoding, or none."""
    meta = f'<meta charset="{declared}">' if declared else ""
    paragraphs = "".join(
        f"<p>{' '.join(SENTENCES[n:] + SENTENCES[:n])}</p>\n" for n in range(len(SENTENCES))
    )
    return (
        f'<!DOCTYPE html>\n<html lang="ru"><head>{meta}<title>Туман над рекой</title></head><body>'
        '<nav><ul><li><a href="/">Главная</a></li><li><a href="/n">Новости</a></li></ul></nav>'
        f"<article><h1>Туман над рекой</h1>\n{paragraphs}</article>"
        "<footer><p>Copyright 2024</p></footer></body></html>"
    )


def test_an_unknown_peer_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nosuch"):
        peer_system("nosuch")


def test_installed_and_missing_peers_are_distinguished(monkeypatch: pytest.MonkeyPatch) -> None:
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
        ("magic-html", (3, 12), "pip install magic-html"),
        ("newspaper4k", (3, 11), "pip install 'newspaper4k[zh]'"),
        ("trafilatura", (3, 11), "pip install trafilatura"),
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


def test_a_peer_is_given_the_bytes_the_url_and_the_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(PEERS, "echo", ("json", "scrapy", lambda _: lambda *given: repr(given)))
    html = "Żółw".encode("iso-8859-2")
    page = gold_page(1, host="a.com", html=html, encoding="iso-8859-2", language="pl")
    text = peer_system("echo").extract(page).text
    assert text == repr((html, "https://a.com/1", "pl"))


def test_our_labelers_do_not_get_the_encoding_either(tiny_model: Path) -> None:
    html = russian("latin-1").encode("koi8-r")  # which is not so
    (system,) = labeler_systems([str(tiny_model)], "numpy")
    pages = [gold_page(1, html=html, encoding=encoding) for encoding in (None, "koi8-r")]
    alone, known = (system.extract(page).labeled.page.blocks for page in pages)
    assert alone == known
    assert not any("Туман" in block.text for block in known)


@pytest.mark.parametrize("name", list(PEERS))
@pytest.mark.parametrize("url", ["https://a.com/news/story", None])
def test_installed_peers_read_bytes_in_utf8_as_they_read_text(name: str, url: str | None) -> None:
    if name not in installed_peers()[0]:
        pytest.skip(f"{name} is not installed")
    extractor = load_peer(name)[0]
    html = russian("utf-8")
    text = extractor(html.encode(), url, "ru")
    assert SENTENCES[2] in text
    assert "Главная" not in text
    assert text == extractor(html, url, "ru")


@pytest.mark.parametrize("name", list(PEERS))
def test_installed_peers_find_out_the_encoding_of_bytes(name: str) -> None:
    if name not in installed_peers()[0]:
        pytest.skip(f"{name} is not installed")
    text = load_peer(name)[0](russian("windows-1251").encode("cp1251"), None, "ru")
    assert SENTENCES[2] in text


def test_rs_trafilatura_has_a_function_for_bytes_and_one_for_text() -> None:
    def telling(name: str) -> object:
        return lambda html, url: SimpleNamespace(main_content=f"{name} {html!r} {url}")

    module = SimpleNamespace(extract=telling("text"), extract_bytes=telling("bytes"))
    extractor = peers._rs_trafilatura(module)
    assert extractor(b"<p>", "https://a.com", None) == "bytes b'<p>' https://a.com"
    assert extractor("<p>", None, None) == "text '<p>' None"


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
