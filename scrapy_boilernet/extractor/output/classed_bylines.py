"""Finds bylines below the headline by their classes alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrapy_boilernet.extractor.output.doubtful_names import is_shown_person
from scrapy_boilernet.extractor.output.named import Place
from scrapy_boilernet.extractor.output.names import names_organization
from scrapy_boilernet.extractor.page import Block

_LANGUAGES = {"auth": (), "firma": ("es", "it", "ca", "gl")}
"""The classes, which also name other things, and the languages in which each names a byline; ()
stands for all."""
_OF_LAYOUT = frozenset({"header", "nav", "button", "form", "footer", "aside", "dialog"})
_OF_ACCOUNT = re.compile(
    r"\b(?:guest|user|member|account|registration|started|join|regist\w+|anmeld\w+|konto|gast|"
    r"compte|connexion|connecter|inscri\w+|cuenta|sesi[oó]n|iniciar|conta|entrar|acced\w+|"
    r"accesso|zaloguj|rejestracja|inloggen|aanmelden|kirjaudu|giriş|вход|войти|"
    r"регистрация|вхід|реєстрація)\b",
    re.IGNORECASE,
)
"""A word of a box in which users log in."""
_GLUED = re.compile("[a-zß-ÿ]{3}[A-Z]")
"""Two words without a space."""
_BELOW, _MAX_CHARS = 6, 150
"""Blocks below the headline that are searched, and characters of a byline."""


def classed_bylines(blocks: Sequence[Block], place: Place, language: str) -> Iterator[str]:
    """Yield the short texts below the headline whose class may be that of a byline, unless they are
    links, or of a box such as a menu.

    ``language``: the page's, "" if it is not known.
    """
    code = language[:2].lower()
    classes = {name for name, known in _LANGUAGES.items() if not known or code in known}
    near = blocks[place.headline : place.headline + _BELOW + 1]
    for i, block in enumerate(near[1:], place.headline + 1):
        is_byline = i not in place.others and len(block.text) <= _MAX_CHARS
        is_byline = is_byline and not classes.isdisjoint(block.class_words[-2:])
        is_link = 2 * block.link_chars > len(block.text)
        if is_byline and not is_link and not _is_of_layout(block, near[0]):
            yield block.text


def is_signature(name: str) -> bool:
    """Return whether a name in such a text is a person's, and no organization or button."""
    is_other = names_organization(name) or _GLUED.search(name) or _OF_ACCOUNT.search(name)
    return is_shown_person(name) and not is_other


def _is_of_layout(block: Block, headline: Block) -> bool:
    """Return whether the block is in an element such as a menu, in which the headline is not."""
    return any(
        tag in _OF_LAYOUT and node not in headline.nodes
        for tag, node in zip(block.tags, block.nodes, strict=True)
    )
