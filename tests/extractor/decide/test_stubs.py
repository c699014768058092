"""Pages without content of their own have a low confidence."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.dialogs import dialogs_of
from scrapy_boilernet.extractor.decide.stubs import STUB_CONFIDENCE, is_stub
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page

STUBS = (
    "Page not found", "404 - File not found", "Error 404", "The page you requested does not exist.",
    "This article is no longer available.", "Access denied", "Acceso denegado",
    "Acesso negado", "Accesso negato", "403 Forbidden",
    "Diese Seite wurde leider nicht gefunden.", "Page introuvable", "Página no encontrada",
    "Pagina non trovata", "Página não encontrada", "Pagina niet gevonden", "Страница не найдена",
    "Sidan hittades inte",
    "ページが見つかりません", "页面不存在", "페이지를 찾을 수 없습니다",
    "Your search for “ferry” did not match any documents.", "No results found for ferry",
    "0 results", "Keine Treffer", "Aucun résultat pour votre recherche", "Sin resultados",
    "Nessun risultato", "Nenhum resultado encontrado", "Geen resultaten", "Brak wyników",
    "Ничего не найдено", "Inga träffar", "没有找到相关结果", "検索結果はありません",
    "Subscribe to continue reading", "Already a subscriber? Log in.",
    "Sign in to read the full story",
    "Dieser Artikel ist nur für Abonnenten.", "Cet article est réservé aux abonnés.",
    "Contenido exclusivo para suscriptores", "Только для подписчиков",
    "We and our partners use cookies and need your consent.", "Wir verwenden Cookies.",
)  # fmt: skip
TEXTS = (
    "The ferry runs again.", "Nobody was found on the boat, and the search goes on.",
    "The museum found no place for the error of its founder.",
    "Subscribers of the library met in the old reading room.",
    "The results of the match: three goals, and no cards.", "Resultate vom Sonntag",
    "The page boy did not come to the castle.",
)  # fmt: skip


@pytest.mark.parametrize("text", STUBS)
def test_a_page_that_says_that_it_has_nothing_is_no_article(text: str) -> None:
    page = blockify(f"<h1>{text}</h1><p>Go back to the start.</p>")
    assert _is_stub(page, [True, True]) or _is_stub(page, [True, False])
    assert extract(f"<p>{text}</p>", engine="numpy").confidence <= STUB_CONFIDENCE


@pytest.mark.parametrize("text", TEXTS)
def test_a_short_text_is_no_stub(text: str) -> None:
    assert not _is_stub(blockify(f"<title>{text}</title><p>{text}</p>"), [True])


def test_a_title_tells_of_an_error_and_a_long_text_is_an_article() -> None:
    title = "<title>404 Not Found</title>"
    assert _is_stub(blockify(f"{title}<p>Try the search.</p>"), [True])
    long = "How a server answers for what it does not have. " * 30
    assert not _is_stub(blockify(f"{title}<p>{long}</p>"), [True])


MESSAGES = ("Page not found", "Diese Seite wurde leider nicht gefunden.", "No results found")


@pytest.mark.parametrize("text", MESSAGES)
def test_a_message_before_other_texts_tells_of_an_error(text: str) -> None:
    others = "".join(f"<p>{n}. The ferry runs again from Monday on.</p>" for n in range(40))
    for html, place in (
        (f"<h1>{text}</h1>{others}", True),
        (f"<h1>Ferries</h1><p>{text}</p>{others}", True),
        (f"<h1>Ferries</h1><p>From Monday on.</p><p>{text}</p>{others}", False),
        (f"<p>{text}. {'The ferry runs again. ' * 20}</p>{others}", False),
    ):
        page = blockify(html)
        assert _is_stub(page, [True] * len(page.blocks)) == place


@pytest.mark.parametrize(
    "text",
    [
        "404 Not Found", "The HTTP 404 Not Found status code", "Ferries",
        "The talks on the ferry ended on Monday with no results.",
        "La búsqueda del barco sigue sin resultados.", "Keine Treffer im ersten Drittel",
        "There were no matches at the weekend because of snow.", "Oops! The ferry did it again",
        "Nginx answers with bad gateway after an upgrade",
    ],
)  # fmt: skip
def test_a_long_text_that_only_has_such_words_is_no_stub(text: str) -> None:
    others = "".join(f"<p>{n}. A server answers so if it has no such page.</p>" for n in range(40))
    page = blockify(f"<h1>{text}</h1>{others}")
    assert not _is_stub(page, [True] * len(page.blocks))


def test_a_thread_may_be_about_an_error() -> None:
    others = "".join(f"<p>{n}. Has the server such a page at all?</p>" for n in range(40))
    html = f"<h1>Page not found</h1>{others}"
    for url, is_stub_page in (("https://forum.ferry.example/12", False), (None, True)):
        page = blockify(html, url)
        assert _is_stub(page, [True] * len(page.blocks)) == is_stub_page


def test_what_is_left_out_does_not_count() -> None:
    page = blockify("<p>The ferry runs again.</p><p>No results found.</p>")
    assert not _is_stub(page, [True, False])
    assert _is_stub(page, [True, True])


def test_a_dialog_alone_is_no_content() -> None:
    page = blockify("<div role=dialog><p>This website would like to place small files.</p></div>")
    assert _is_stub(page, [True])


def _is_stub(page: Page, kept: list[bool]) -> bool:
    return is_stub(page, kept, dialogs_of(page)[0].tolist())
