"""Whether rendered Markdown is harmless, and the renderers that are tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from importlib.util import find_spec

LINK_SCHEMES = ("http", "https", "mailto", "tel", "ftp", "xmpp")
"""How schemes end; cmark-gfm makes a link of all of ``a---mailto:b@c.d`` in a text."""
_HARMLESS_TAG = re.compile(
    r"</?(?:h[1-6]|[uo]l|p|li|blockquote|table|thead|tbody|t[rhd]|strong|em|del|s|code|pre|sup|sub)>"
    r"|<(?:br|hr) ?/?>|</a>"
    r'|<(?:a href|img src)="([^"<>\x00-\x20]*)"(?: (?:alt="[^"<>]*"|class="embed"))?(?: /)?>'
    r'|<span class="math (?:inline|display)">|</span>|<div id="fn-\w+">|</div>'
    r'|<ol start="\d+">|<code class="language-[^"<>&\s]+">'
)
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+")
"""Characters that hide a scheme from simple checks; browsers ignore some of them."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
Renderer = Callable[[str], str]


def harms(fragment: str) -> Iterator[str]:
    """Yield what a fragment of HTML has that content may not: elements, attributes, addresses."""
    at = fragment.find("<")
    while at >= 0:
        tag = _HARMLESS_TAG.match(fragment, at)
        if tag is None:
            yield fragment[at : at + 80]
        elif tag[1] is not None and not _is_harmless(unescape(tag[1])):
            yield tag[0]
        at = fragment.find("<", at + 1)


def _is_harmless(address: str) -> bool:
    """Return whether an address is safe to open, also if its entities are decoded once more."""
    for text in (address, unescape(address)):
        scheme = _SCHEME.match(_IGNORED.sub("", text))
        if scheme and not scheme[1].lower().endswith(LINK_SCHEMES):
            return False
    return True


def _cmark_gfm() -> Renderer:
    from cmarkgfm import cmark

    options = cmark.Options.CMARK_OPT_UNSAFE | cmark.Options.CMARK_OPT_FOOTNOTES
    extensions = ["table", "autolink", "strikethrough", "tasklist"]
    return lambda text: str(cmark.markdown_to_html_with_extensions(text, options, extensions))


def _markdown_it() -> Renderer:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    if find_spec("linkify_it"):
        parser.options["linkify"] = True
        parser.enable("linkify")
    return lambda text: str(parser.render(text))


def _commonmark() -> Renderer:
    from commonmark import commonmark

    return lambda text: str(commonmark(text))


_MAKERS = {"cmarkgfm": _cmark_gfm, "markdown_it": _markdown_it, "commonmark": _commonmark}


@cache
def renderers() -> dict[str, Renderer]:
    """Return the installed renderers by module, with all HTML and all links switched on."""
    return {module: make() for module, make in _MAKERS.items() if find_spec(module)}
