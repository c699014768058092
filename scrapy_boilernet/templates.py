"""HTML pages from the templates in this package; every text in them is escaped."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from jinja2 import Environment, PackageLoader, StrictUndefined

ENVIRONMENT = Environment(
    loader=PackageLoader(__package__, ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
del ENVIRONMENT.filters["safe"]  # no template can leave a text as it is


def rendered(template: str, **values: object) -> str:
    """Return the page that a template makes of ``values``, such as ``explain/templates/x.html``.

    The template includes the style sheet beside it, ``x.css``, as its only one. It also gets
    ``policy``, a Content-Security-Policy by which a browser applies this style sheet, runs nothing
    and loads nothing.
    """
    sheet = ENVIRONMENT.get_template(template.replace(".html", ".css")).render(values)
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return ENVIRONMENT.get_template(template).render(values, policy=policy)
