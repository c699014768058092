"""Pages without a text of their own: forms of accounts, and indexes of manuals."""

from __future__ import annotations

TERMS = (
    "Membership of the seed exchange is free. You agree to send seeds only of plants that you grew "
    "yourself, and to write the year of the harvest on each bag.",
    "The wardens may close an account that has not sent a bag in three years. Your address is "
    "shown to members who ask for your seeds, and to nobody else.",
)


def account_page(
    title: str, password: str, texts: tuple[str, ...] = TERMS, beside: str = ""
) -> str:
    """Return a page with a form that asks for a password, below texts; ``beside``: HTML outside of
    the form.
    """
    said = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<!doctype html><html><head><title>{title}</title></head><body><div id=page>"
        '<ul class="nav"><li><a href="/">Seeds</a></li><li><a href="/wanted">Wanted</a></li></ul>'
        f'<div id="main"><h1>{title}</h1>{beside}<form method="post" action="/accounts">'
        f'<fieldset>{said}<label for="n">E-mail</label><input id="n" name="n">'
        f'<label for="p">{password}</label><input id="p" type="password">'
        '<button type="submit">OK</button></fieldset></form></div>'
        "<p>© The Seed Exchange</p></div></body></html>"
    )


ACCOUNT_PAGES = {
    "register": ("https://seeds.example/register.php", "Seeds", "Password"),
    "login": ("https://seeds.example/user/login?next=%2F", "Seeds", "Pass word:"),
    "action": ("https://seeds.example/index.php?topic=3&action=register", "Seeds", "Password"),
    "reply as a guest": ("https://seeds.example/forum/posting.php?mode=reply", "", "Password"),
    "forgotten": (
        "https://seeds.example/customer/account/forgotpassword/",
        "Seeds",
        "Password",
    ),
    "title": ("", "Sign in", "Password"),
    "title with the site": ("", "Create an account | The Seed Exchange", "Choose a password"),
    "German": ("https://samen.example/konto/", "Registrierung - Samentausch", "Passwort"),
    "French": ("https://graines.example/c12", "Connexion", "Mot de passe :"),
    "Spanish": ("", "Semillas » Iniciar sesión", "Contraseña"),
    "Polish": ("https://nasiona.example/rejestracja", "Nasiona", "Hasło"),
    "Russian": ("", "Регистрация на сайте — Семена", "Пароль"),
    "Danish": ("", "Opret bruger", "Adgangskode"),
    "Japanese": ("", "会員登録 | 種の交換", "パスワード"),
}
"""Name to URL, title and the name of the field for a password."""


def fields_page(title: str, fields: int = 6, text: str = "") -> str:
    """Return a page with a form of so many fields, such as one to search; ``text``: HTML outside of
    the form.
    """
    labels = "".join(
        f'<p><label for="f{i}">Field {i}</label><input id="f{i}"></p>' for i in range(fields)
    )
    return (
        f"<!doctype html><html><head><title>{title}</title></head><body><div id=page>{text}"
        f"<form><p>Use * for any part of a name, and | between names.</p>{labels}</form></div>"
    )


FIELDS_PAGES = {
    "search": ("https://seeds.example/forum/search.php", "Seeds"),
    "title": ("", "Advanced search | The Seed Exchange"),
    "Russian": ("", "Форум • Поиск"),
    "German": ("https://samen.example/suche", "Samen"),
    "newsletter": ("", "Newsletter subscription"),
    "account": ("https://seeds.example/register", "Seeds"),
    "Drupal": ("https://seeds.example/user/password", "Seeds"),
}
"""Name to URL and title of forms without a password."""


def index_page(table: str, title: str = "Index") -> str:
    """Return a page of a manual that holds an index."""
    return (
        f"<!doctype html><html><head><title>{title} — Seeds 2.1 documentation</title></head><body>"
        '<div class="related"><ul><li><a href="index.html">Seeds 2.1</a></li></ul></div>'
        '<div class="document"><div class="documentwrapper"><div class="bodywrapper">'
        f'<div class="body" role="main"><h1 id="index">{title}</h1>{table}</div></div></div></div>'
        '<div class="footer">© The Seeds developers</div></body></html>'
    )


_NAMES = ("bag", "harvest", "sow", "thresh", "winnow", "year", "yield_of", "zone")
_SPHINX = "".join(
    f'<li><a href="api.html#seeds.{name}">{name}() (seeds.Exchange method)</a></li>'
    for name in _NAMES
)
_TEXINFO = "".join(
    f'<tr><td></td><td><a href="f_{number}.html"><code>{name}</code></a>:</td><td>&nbsp;</td>'
    f'<td><a href="f_{number}.html">Storing the seeds of a year</a></td></tr>'
    for number, name in enumerate(_NAMES)
)
INDEXES = {
    "Sphinx": f'<h2>B</h2><table class="indextable genindextable"><tr><td>{_SPHINX}</table>',
    "Sphinx, older": f'<h2>B</h2><table class="indextable"><tr><td><dl>{_SPHINX}</dl></table>',
    "Texinfo": f'<table class="index-cp"><tr><th>Index Entry</th></tr>{_TEXINFO}</table>',
    "Texinfo, newer": f'<table class="fn-entries-printindex">{_TEXINFO}</table>',
    "DocBook": f'<div class="index"><div class="indexdiv"><h3>B</h3><dl>{_SPHINX}</dl></div></div>',
}
