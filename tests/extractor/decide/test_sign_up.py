"""Lines and boxes that ask readers to sign up are no content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.decide.sign_up import _ASKS, ask_to_sign_up
from scrapy_boilernet.extractor.html.blockify import blockify

PARAGRAPH = (
    "The ferry runs again from Monday on, after two weeks in the yard. The harbour master said so "
    "to the paper. The new engine is quieter than the old one, and needs a third less fuel."
)
LINES = [
    "Sign up for our newsletter", "Subscribe to our weekly newsletter and never miss a story.",
    "Join our mailing list!", "Want more from the harbour? Sign up for our newsletter, The Tide.",
    "👉 Get the best of the harbour delivered straight to your inbox.",
    "Then sign up for our email newsletter to get the latest tides.",
    "Jetzt unseren Newsletter abonnieren: Abonnieren Sie unseren Newsletter",
    "Melden Sie sich hier für unseren Newsletter an", "Inscrivez-vous à notre newsletter",
    "Abonnez-vous à notre lettre d’information", "Suscríbete a nuestro boletín",
    "Assine a nossa newsletter", "Iscriviti alla nostra newsletter",
    "Schrijf je in voor onze nieuwsbrief", "Prenumerera på vårt nyhetsbrev",
    "Tilmeld dig vores nyhedsbrev", "Tilaa uutiskirjeemme", "Zapisz się do naszego newslettera",
    "Přihlaste se k odběru novinek", "Iratkozzon fel hírlevelünkre",
    "Abonează-te la newsletterul nostru", "Подпишитесь на нашу рассылку",
    "Підпишіться на нашу розсилку", "Εγγραφείτε στο newsletter μας",
    "Bültenimize abone olun", "Berlangganan newsletter kami", "Đăng ký nhận bản tin",
    "Subscribe to The Tide, our weekly briefing", "Sign up to get breaking news alerts",
    "Recevez chaque matin les marées par e-mail", "Recibe las mareas en tu correo",
    "Ricevi le maree via e-mail", "ニュースレターに登録する",
    "뉴스레터 구독하기", "订阅我们的电子报", "اشترك في نشرتنا البريدية",
]  # fmt: skip
TEXTS = [
    "The captain would get a newsletter from the harbour every month.",
    "If you trade it for something, as if you ask readers to subscribe to your newsletter",
    "Der Newsletter des Hafens erscheint seit 1998.",
    "La newsletter du port paraît le lundi.",
    "The Guardian added 680,000 newsletter subscribers in a single year.",
    "Subscribers of our newsletter met in the harbour.",
    "Repair of the newsletter's press",
    "Get in touch with the harbour master by e-mail.",
    "Register your boat by e-mail before you leave.",
    "Joint newsletters of both harbours",
    "Getting a newsletter out takes him two days.",
    "Register the boat at the office of the harbour master before you leave.",
    "A newsletter " + "that is not for signing up to " * 10,
]
AROUND = [
    "<p>{}</p>", "<p><em>{}</em></p>", "<h3>{}</h3>", "<aside><p>{}</p></aside>",
    "<blockquote><p><a href=/news>{}</a></p></blockquote>",
]  # fmt: skip


def found(html: str, kept: bool = True) -> list[str]:
    page = blockify(f"<article><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p>{html}<p>{PARAGRAPH}</p>")
    asking = ask_to_sign_up(page, np.full(len(page.blocks), kept))
    return [text for text, asks in zip(page.texts, asking, strict=True) if asks]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("around", AROUND)
def test_a_line_that_asks_is_found(line: str, around: str) -> None:
    assert found(around.format(line)) == [line]
    assert found(around.format(line), kept=False) == []


@pytest.mark.parametrize("case", [str.upper, str.lower, str.swapcase])
def test_capitals_make_no_difference(case: Callable[[str], str]) -> None:
    assert found(f"<p>{case(LINES[0])}</p>") == [case(LINES[0])]


@pytest.mark.parametrize("text", TEXTS)
def test_other_texts_are_not(text: str) -> None:
    assert found(f"<p>{text}</p>") == []


@pytest.mark.parametrize("line", LINES)
def test_a_step_of_instructions_is_content(line: str) -> None:
    steps = f"<ol><li>Open the page.</li><li>{line}</li><li>Confirm your e-mail address.</li></ol>"
    assert found(steps) == []
    assert found(steps.replace("ol>", "ul>")) != []


@pytest.mark.parametrize("tag", ["div", "aside", "section", "form"])
def test_the_rest_of_a_small_box_goes_with_the_line(tag: str) -> None:
    box = (
        f"<{tag}><div><h4>Stay in the loop</h4><p>{LINES[1]}</p></div>"
        f"<p>By the harbour, for the harbour</p></{tag}>"
    )
    assert len(found(box)) == 3
    assert found(f"<{tag}><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p>{box}</{tag}>") == (
        found(box)
    )


CLASSES = [
    "newsletter-signup", "c-newsletterForm", "mc_embed_signup", "mc4wp-form", "email-capture",
    "article__newsletter inline-newsletter", "subscribe-box", "SignupForm", "optin-box",
    "ml-mailerlite-form", "jetpack_subscription_widget",
]  # fmt: skip
OTHER_CLASSES = ["newsletter-issue", "post-subscribers", "signs", "email-address", "mail"]


@pytest.mark.parametrize("named", CLASSES)
@pytest.mark.parametrize("tag", ["div", "aside", "section", "form"])
def test_a_small_box_whose_class_says_so_is_found(named: str, tag: str) -> None:
    parts = "<h4>Stay in the loop</h4><p>Every Friday, for free.</p><button>OK</button>"
    assert len(found(f"<{tag} class='{named}'>{parts}</{tag}>")) == 3
    assert len(found(f"<{tag} class='x'><div id='{named}'>{parts}</div></{tag}>")) == 3
    assert found(f"<{tag} class='{named}'><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p></{tag}>") == []
    assert found(f"<p class='{named}'>Every Friday, for free.</p>") == []


@pytest.mark.parametrize("named", OTHER_CLASSES)
def test_other_classes_name_no_such_box(named: str) -> None:
    assert found(f"<div class='{named}'><p>Every Friday, for free.</p></div>") == []


FIELDS = [
    "<input type=email>", "<INPUT TYPE='Email' name=x>", "<input type='email' placeholder='You'>",
    "<input name=email>", "<input type=text name=EMAIL>", '<input type="" autocomplete="email">',
]  # fmt: skip
OTHER_FIELDS = [
    "<input type=text name=q>", "<input type=hidden name=email>",
    "<input type=checkbox name=email>", "<input name=mailbox>",
    "<input type=email><textarea></textarea>",
]  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("tag", ["div", "aside", "section", "form"])
def test_a_small_box_with_a_field_for_an_address_is_found(field: str, tag: str) -> None:
    text = "<h4>Stay in the loop</h4><p>Every Friday, for free.</p>"
    for row in (field, f"<div><label>{field}</label></div>", f"<div><p>{field}</p></div>"):
        box = f"<form>{text}<div>{row}</div><button>OK</button></form>"
        assert len(found(f"<{tag}><div>{box}</div></{tag}>")) == 3
        long = f"<p>{PARAGRAPH}</p><p>{PARAGRAPH}</p><p>{PARAGRAPH}</p>"
        assert len(found(f"<{tag}>{long}{box}</{tag}>")) == 3
        assert len(found(f"<{tag}>{box}{long}</{tag}>")) == 3


@pytest.mark.parametrize("field", OTHER_FIELDS)
def test_other_fields_make_no_such_box(field: str) -> None:
    assert found(f"<form><h4>Stay in the loop</h4><p>Write to us.</p><p>{field}</p></form>") == []


def test_the_elements_around_a_field_are_numbered_as_in_blocks() -> None:
    html = (
        f"<p>{PARAGRAPH}</p><!-- x --><form id=f><p>Address</p><div><input type=email></div></form>"
    )
    for markup in (False, True):
        page = blockify(html, markup=markup)
        (around,) = page.mail_fields
        assert page.blocks[1].nodes[-2] in around
        assert page.blocks[1].nodes[-2] not in page.blocks[0].nodes
        assert around[-1] == page.blocks[0].nodes[0]


def test_lines_beside_that_promise_or_explain_go_too() -> None:
    promise, end = "No spam, and you can unsubscribe at any time.", "Your e-mail address is safe."
    assert found(f"<p>{LINES[0]}</p><p>{promise}</p><p>{end}</p>") == [LINES[0], promise, end]
    assert found(f"<p>{promise}</p>") == []


def test_a_page_about_a_newsletter_keeps_its_text() -> None:
    page = blockify(f"<main><h1>The Tide</h1><p>{LINES[1]}</p></main>")
    assert not ask_to_sign_up(page, np.ones(2, dtype=np.bool_)).any()


@given(st.from_regex(re.compile(_ASKS.pattern, _ASKS.flags), fullmatch=True))
def test_no_line_is_passed_over(line: str) -> None:
    text = " ".join(line.split())
    assume(text and len(text) <= 200 and _ASKS.search(text))
    page = blockify(f"<p>a<p>{PARAGRAPH}<p>{PARAGRAPH}<p>{PARAGRAPH}<p>{PARAGRAPH}<p>{PARAGRAPH}")
    blocks = (page.blocks[0]._replace(text=text), *page.blocks[1:])
    assert ask_to_sign_up(replace(page, blocks=blocks), np.ones(6, dtype=np.bool_))[0]


def test_blocks_of_both_builds_are_read_the_same_way() -> None:
    page = blockify(f"<p>{PARAGRAPH}<aside><p>{LINES[0]}<p>a</aside><p>{PARAGRAPH}")
    plain = replace(page, blocks=tuple(page.blocks))
    kept = np.ones(len(page.blocks), dtype=np.bool_)
    assert (ask_to_sign_up(page, kept) == ask_to_sign_up(plain, kept)).all()
    assert ask_to_sign_up(page, kept).any()
