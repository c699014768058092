"""Renders the templates in this package: HTML, in which every text is escaped, and Markdown."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from jinja2 import Environment, PackageLoader, StrictUndefined

ENVIRONMENT = Environment(
    loader=PackageLoader("scrapy_boilernet", ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
del ENVIRONMENT.filters["safe"]  # so that no template can switch off escaping
_MARKDOWN = ENVIRONMENT.overlay(autoescape=False)


def rendered(template: str, **values: object) -> str:
    """Return the page of a template, such as ``extractor/explain/templates/x.html``, with these
    values.

    The template includes only one style sheet, the file ``x.css`` beside it. It also gets the value
    ``policy``: a Content-Security-Policy with which a browser applies this style sheet, runs no
    scripts and loads nothing.
    """
    sheet = ENVIRONMENT.get_template(template.replace(".html", ".css")).render(values)
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return ENVIRONMENT.get_template(template).render(values, policy=policy)


def markdown(template: str, **values: object) -> str:
    """Return the Markdown of a template with these values, which are not escaped."""
    return _MARKDOWN.get_template(template).render(values)
