"""Pages that have no text of their own: forms to sign in or to register, and indexes of manuals.

A model reads the terms beside such a form, or the entries of an index, as a text. In the sets
``by-hand`` and ``docs`` these pages have an empty gold text. ``docs/results/quality/steps.md``
tells what it gains to keep nothing of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.addresses import EXTENSION, address_of
from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_ACCOUNT_STEP = lazy_pattern(
    r"(?:wp-?|user-?|member-?|customer-?|membre[_-])?(?:log[_-]?[io]n|sign[_-]?(?:in|on|up)|register|"
    r"registration|registrieren|registrierung|registro|rexistro|rejestracja|logowanie|inscription|"
    r"connexion|anmelden|anmeldung|registrazione|registreren|inloggen|aanmelden|opret|"
    r"(?:forgot(?:ten)?|lost|reset)[_-]?(?:pwd|password)|password[_-]?(?:reset|recovery)|"
    r"passwort[ +_-]?vergessen|create[_-]?account|newthread|newreply|sendmessage)|posting\.php|"
    r"(?:/[a-z]{2})?/user(?:/password)?"
)
"""A step of the path, or a value of the query, that asks for the form of an account. A forum shows
it to guests who want to write. The last ones are whole paths, in Drupal."""
_ACTIONS = frozenset("action act do mode page section view task option route".split())
"""Names in the query that have such a value."""
_TITLE_PARTS = lazy_pattern(r"\s*(?:[|»«•·:›]| [-–—] )\s*")
"""What stands between the title of a page and the name of its site."""
_ACCOUNT_TITLE = lazy_pattern(
    r"(?:(?:customer|user|member|online|my|new|your) )*(?:account )?(?:log[ -]?[io]n|"
    r"sign[ -]?(?:in|on|up)|register|registration(?: form)?|account)|"
    r"create (?:an? |your |new |customer |user |my )*account|post new thread|"
    r"(?:forgot(?:ten)?|lost|reset|retrieve|recover|change)\b.{0,12}\bpassword\??|"
    r"password (?:reset|recovery|reminder)|(?:neu )?registrieren|registrierung|anmelden|anmeldung|"
    r"einloggen|passwort vergessen\??|kundenkonto|konto (?:erstellen|anlegen)|connexion|"
    r"se connecter|inscription|s['’]inscrire|s['’]enregistrer|cr[ée]er un compte|"
    r"mot de passe oubli[ée] ?\??|identification|iniciar sesi[oó]n|acceder|"
    r"registro(?: de usuarios?)?|registrarse|reg[ií]strate|crear (?:una )?cuenta|"
    r"rexistro(?: de usuario)?|accedi|registrazione|registrati|iscriviti|"
    r"password dimenticata\??|entrar|cadastro|cadastre-se|registo|criar conta|inloggen|aanmelden|"
    r"registreren|wachtwoord vergeten\??|logowanie|zaloguj się|rejestracja|załóż konto|"
    r"вход(?: на сайт)?|войти|авторизация|"
    r"регистрация(?: на сайте| пользователя| нового пользователя)?|восстановление пароля|вхід|"
    r"реєстрація|logga in|registrera(?: dig)?|log ind|opret (?:ny )?(?:bruger|konto|profil)|"
    r"logg inn|registrer(?: deg)?|kirjaudu(?: sisään)?|rekisteröidy|přihlášení|registrace|"
    r"bejelentkezés|regisztráció|giriş(?: yap)?|kayıt(?: ol)?|üye (?:ol|girişi)|ログイン|会員登録|"
    r"新規登録|登录|注册|登入|登錄|註冊|로그인|회원가입|تسجيل الدخول|تسجيل|σύνδεση|εγγραφή|"
    r"đăng (?:nhập|ký)|autentificare|înregistrare|prijava|registracija"
)
"""A part of a title, in lower case, that names such a form."""
_OTHER_STEP = re.compile(
    r"(?:advanced[_-]?)?search|suche|recherche|buscar|busqueda|zoeken|poisk|szukaj|wyszukiwarka|"
    r"newsletter(?:[_-](?:subscription|sign-?up|anmeldung))?"
)
_OTHER_TITLE = lazy_pattern(
    r"(?:advanced )?search|(?:erweiterte )?suche|recherche(?: avancée)?|b[úu]squeda(?: avanzada)?|"
    r"ricerca(?: avanzata)?|(?:uitgebreid )?zoeken|wyszukiwarka|wyszukiwanie(?: zaawansowane)?|"
    r"(?:расширенный )?поиск|(?:詳細)?検索|(?:高级)?搜索|newsletter(?: subscription| sign-?up)?|"
    r"newsletter(?: abonnieren|anmeldung)"
)
"""The same of forms to search or to subscribe."""
_PASSWORD = lazy_pattern(
    r"\bpass ?word|passwort|kennwort|mot de passe|contraseña|contrasinal|\bsenha|palavra-passe|"
    r"\bhasł[oa]|пароль|wachtwoord|lösenord|adgangskode|kodeord|passord|salasana|heslo|jelszó|"
    r"şifre|parola|lozinka|zaporka|geslo|κωδικός|סיסמה|パスワード|密码|密碼|비밀번호|"
    r"كلمة (?:المرور|السر)|mật khẩu|kata sandi"
)
"""The name of a field for a password, in lower case."""
_MAX_FIELD_CHARS = 80
"""The most characters of a text that names a field."""
_MAX_BESIDE_WORDS = 200
"""Words of six characters that a page with such a form keeps outside of forms. A page with more has
a text, such as one about the registration for a conference."""
_FORM, _FORM_STEP = "form", 3
"""A form at a lower step, below the body, is one around the whole page."""
_LABEL, _LEAST_LABELS, _MIN_FORM_SHARE = "label", 5, 0.9
"""A form without a password has so many texts that name fields, and holds that share of what its
page keeps."""
_LEAST_FORM_TEXTS = 3
"""The texts in forms of a page that asks for a password. A manual about passwords has fewer."""
_INDEX = re.compile(
    r"\bgenindextable\b|\Aindextable\Z|\Aindex (?:cp|fn|ky|op|pg|tp|vr)\Z|\bprintindex\b|"
    r"\bindexdiv\b"
)
"""Class words of an index made by Sphinx, Texinfo or DocBook."""
_of_index = ClassNames(("index",), _INDEX)
_MIN_INDEX_SHARE = 0.8
"""The share of an index in the words of its page."""


def has_no_text(page: Page, kept: NDArray[np.bool_]) -> bool:
    """Return whether what is kept belongs to a form of an account, to search or to subscribe, or to
    an index.
    """
    if not kept.any():
        return False
    if _is_index(page, kept):
        return True
    names, parts = _names_of(page), _TITLE_PARTS.split(page.title.lower().strip())
    is_account = _says(_ACCOUNT_STEP, names) or _says(_ACCOUNT_TITLE, parts)
    if not (is_account or _says(_OTHER_STEP, names) or _says(_OTHER_TITLE, parts)):
        return False
    in_form = np.array([_is_in_form(tags) for tags, _ in page.paths.pairs], np.bool_)
    words = page.words * kept
    own = float(words[in_form[page.path_places]].sum())
    beside = float(words.sum()) - own
    if is_account and beside <= _MAX_BESIDE_WORDS and _has_password(page):
        return True
    is_form = own >= _MIN_FORM_SHARE * (own + beside)
    return is_form and _texts_in(page, _LABEL) >= _LEAST_LABELS


def _is_index(page: Page, kept: NDArray[np.bool_]) -> bool:
    named = _of_index.on(page)
    if not named:
        return False
    own = np.array([not named.isdisjoint(words) for _, words in page.paths.pairs], np.bool_)
    words = page.words * kept
    return bool(words[own[page.path_places]].sum() >= _MIN_INDEX_SHARE * words.sum())


def _names_of(page: Page) -> set[str]:
    """Return the path of the URL, its steps, with and without extensions, and the actions in the
    query.
    """
    address = address_of(page)
    if address is None:
        return set()
    steps = address.path.split("/")
    pairs = (pair.partition("=") for pair in address.query.split("&"))
    actions = [value for name, _, value in pairs if name in _ACTIONS]
    return {
        address.path.rstrip("/"),
        *steps,
        *(EXTENSION.sub("", step) for step in steps if "." in step),
        *actions,
    }


def _says(pattern: re.Pattern[str], names: Iterable[str]) -> bool:
    return any(map(pattern.fullmatch, names))


def _has_password(page: Page) -> bool:
    """Return whether the page has forms, and the name of a field for a password."""
    if _texts_in(page, _FORM) < _LEAST_FORM_TEXTS:
        return False
    fields = (text.lower() for text in page.texts if len(text) <= _MAX_FIELD_CHARS)
    return any(map(_PASSWORD.search, fields))


def _texts_in(page: Page, tag: str) -> int:
    """Return how many blocks are in an element with this tag."""
    has_tag = np.array([tag in tags for tags, _ in page.paths.pairs], np.bool_)
    return int(has_tag[page.path_places].sum())


def _is_in_form(tags: Ancestors) -> bool:
    return _FORM in tags[_FORM_STEP:]
