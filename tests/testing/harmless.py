"""Whether HTML is harmless, and the renderers of Markdown whose HTML is looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from importlib.util import find_spec

from lxml import html as lxml_html

ELEMENTS = frozenset(
    "p br h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code table thead tbody tr th td strong em del "
    "s a img hr div".split()
)
"""What Markdown and HTML of content are made of; ``div`` is what parsers put around a fragment."""
ATTRIBUTES = frozenset((
    ("a", "href"), ("img", "src"), ("img", "alt"), ("ol", "start"), ("code", "class"),
    ("th", "align"), ("td", "align"), ("th", "style"), ("td", "style"),
))  # fmt: skip
LINK_SCHEMES = ("http", "https", "mailto", "tel", "ftp", "xmpp")
"""How schemes end; cmark-gfm makes a link of all of ``a---mailto:b@c.d`` in a text."""
_PLAIN_TAG = re.compile(
    r"</?(?:h[1-6]|[uo]l|p|li|blockquote|table|thead|tbody|t[rhd]|strong|em|del|s|code|pre)>"
    r"|<(?:br|hr) ?/?>|</a>|<!--(?=\Z)"
    r'|<(?:a href|img src)="([^"<>\x00-\x20]*)"(?: alt="[^"<>]*")?(?: /)?>'
    r'|<ol start="\d+">|<code class="language-[^"<>&\s]+">'
)
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+")
"""Characters that hide a scheme from simple checks; browsers ignore some of them."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
Renderer = Callable[[str], str]


def harms(fragment: str) -> list[str]:
    """Return what a fragment of HTML holds that content may not: elements, attributes, addresses.

    Tags that are written in the plainest way are read by a pattern; if there is any other, a parser
    of HTML reads the fragment.
    """
    found: list[str] = []
    at = fragment.find("<")
    while at >= 0:
        tag = _PLAIN_TAG.match(fragment, at)
        if tag is None:
            return [*_harms_of_tree(fragment)]
        if tag[1] is not None and not _is_harmless(unescape(tag[1])):
            found.append(f"address {tag[1]}")
        at = fragment.find("<", tag.end())
    return found


def _harms_of_tree(fragment: str) -> Iterator[str]:
    if find_spec("html5lib"):
        import html5lib

        root = html5lib.parseFragment(fragment, namespaceHTMLElements=False)
        elements = [element for element in root.iter() if isinstance(element.tag, str)][1:]
    else:
        elements = [*lxml_html.fromstring(f"<div>{fragment}</div>").iterdescendants("*")]
    for element in elements:
        tag = str(element.tag)
        if tag not in ELEMENTS:
            yield f"element {tag}"
        for name, value in element.attrib.items():
            if (tag, name) not in ATTRIBUTES:
                yield f"attribute {name} of {tag}"
            if name in ("href", "src") and not _is_harmless(value):
                yield f"address {value}"


def _is_harmless(address: str) -> bool:
    """Return whether an address, with its entities decoded once or twice, is safe to open."""
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


def _mistune() -> Renderer:
    import mistune

    renderer = mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True)
    plugins = ["table", "strikethrough", "url"]
    made = mistune.create_markdown(renderer=renderer, plugins=plugins)
    return lambda text: str(made(text))


_MAKERS = {
    "cmarkgfm": ("cmark-gfm", _cmark_gfm),
    "markdown_it": ("markdown-it", _markdown_it),
    "mistune": ("mistune", _mistune),
}


@cache
def renderers() -> dict[str, Renderer]:
    """Return the installed renderers by name, with autolinks and all HTML switched on."""
    return {name: make() for module, (name, make) in _MAKERS.items() if find_spec(module)}
