"""Other extractors, to stand beside ours on the same pages; each needs its own package."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any

Extractor = Callable[[str], str]
"""Decoded HTML to main text; "" where the peer finds nothing."""


def _trafilatura(module: Any) -> Extractor:
    def extractor(html: str) -> str:
        return module.extract(html, include_comments=False) or ""

    return extractor


def _resiliparse(module: Any) -> Extractor:
    def extractor(html: str) -> str:
        return str(
            module.extract_plain_text(html, main_content=True, alt_texts=False, list_bullets=False)
        )

    return extractor


def _readability(module: Any) -> Extractor:
    fromstring = import_module("lxml.html").fromstring

    def extractor(html: str) -> str:
        return "\n".join(fromstring(module.Document(html).summary()).itertext())

    return extractor


def _justext(module: Any) -> Extractor:
    stop_words = module.get_stoplist("English")

    def extractor(html: str) -> str:
        paragraphs = module.justext(html, stop_words, 50, 200, 0.1, 0.2, 0.2, 200, True)
        return "\n".join(p.text for p in paragraphs if not p.is_boilerplate)

    return extractor


PEERS: dict[str, tuple[str, str, Callable[[Any], Extractor]]] = {
    "trafilatura": ("trafilatura", "trafilatura", _trafilatura),
    "resiliparse": ("resiliparse.extract.html2text", "Resiliparse", _resiliparse),
    "readability-lxml": ("readability", "readability-lxml", _readability),
    "justext": ("justext", "justext", _justext),
}
"""Per peer its module, its distribution, and what makes an extractor of the module."""


def load_peer(name: str) -> tuple[Extractor, str]:
    """Return the peer's extractor and version; raises ``ImportError`` if it is not installed.

    Options are those that the peers' own benchmarks use (comments off); a page on which the peer
    raises gives "".
    """
    module, distribution, make = PEERS[name]
    extractor = make(import_module(module))

    def safe(html: str) -> str:
        try:
            return extractor(html)
        except Exception:  # a peer's crash on a page is its result there: no text
            return ""

    return safe, metadata.version(distribution)
