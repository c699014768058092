"""Other extractors, to compare with ours on the same pages; each needs its own package.

Each gets a page as users have it, as bytes and a URL, and detects the encoding itself.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module, metadata, util
from io import BytesIO
from time import process_time
from typing import Any

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import to_text
from scrapy_boilernet.lab.evaluation import node_peer

Extractor = Callable[[bytes | str, str | None, str | None], str]
"""Returns the main text, or "", of (page, URL or None, ISO 639-1 language or None). Pages as bytes
are decoded as the peer's documentation recommends; pages as ``str`` are decoded already."""
STOP_LISTS = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto",
    "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish",
    "fr": "French", "gl": "Galician", "gu": "Gujarati", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic",
    "it": "Italian", "jv": "Javanese", "ka": "Georgian", "kk": "Kazakh", "kn": "Kannada",
    "ko": "Korean", "ku": "Kurdish", "la": "Latin", "lb": "Luxembourgish", "lt": "Lithuanian",
    "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam", "mr": "Marathi", "ms": "Malay",
    "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian_Nynorsk", "no": "Norwegian_Bokmal",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili",
    "ta": "Tamil", "te": "Telugu", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian",
    "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "yo": "Yoruba",
}  # fmt: skip
"""jusText's stop lists by language code; Chinese, Japanese and Thai have none."""
_NPM = "npm:"
"""Prefix of a distribution that comes from npm."""
_WITH_EXTRAS = {"newspaper4k": "'newspaper4k[zh]'"}
_NEED_PYTHON_3_12 = frozenset({"rs-trafilatura", "magic-html"})


class PeerError(ImportError):
    """A peer is not installed. The message names it and the remedy."""


class SafeExtractor:
    """An :data:`Extractor` that returns "" for a page on which the peer raises."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor

    def __call__(self, html: bytes | str, url: str | None, language: str | None) -> str:
        """Return the main text of a page."""
        try:
            return self._extractor(html, url, language)
        except Exception:  # whatever a peer raises on a page
            return ""

    def clock(self) -> float:
        """Return the CPU seconds so far, of this process and of the peer's process, if any."""
        return process_time() + float(getattr(self._extractor, "cpu_seconds", 0.0))


def installed_peers() -> tuple[list[str], list[str]]:
    """Return (names of the installed peers, names of the others)."""
    installed = [name for name in PEERS if _is_installed(name)]
    return installed, [name for name in PEERS if name not in installed]


def load_peer(name: str) -> tuple[Extractor, str]:
    """Return the peer's extractor and version; raises ``PeerError`` if it is not installed.

    The options are those of the peers' own benchmarks (comments off). The extractor returns "" for
    a page on which the peer raises.
    """
    module, distribution, make = PEERS[name]
    try:
        extractor = make(import_module(module))
    except ImportError as error:
        remedy = _remedy(name, distribution)
        raise PeerError(f"the peer {name!r} cannot be loaded: {error}; {remedy}") from error
    if distribution.startswith(_NPM):
        return SafeExtractor(extractor), node_peer.package_version(distribution.removeprefix(_NPM))
    logging.getLogger(module.split(".")[0]).setLevel(logging.CRITICAL)  # failures lower its score
    return SafeExtractor(extractor), metadata.version(distribution)


def _is_installed(name: str) -> bool:
    module, distribution, _ = PEERS[name]
    if distribution.startswith(_NPM):
        return not node_peer.missing()
    return util.find_spec(module.split(".")[0]) is not None


def _remedy(name: str, distribution: str) -> str:
    if distribution.startswith(_NPM):
        return node_peer.REMEDY
    if name in _NEED_PYTHON_3_12 and sys.version_info < (3, 12):
        return "it needs Python 3.12 or newer"
    return f"pip install {_WITH_EXTRAS.get(distribution, distribution)}"


def _trafilatura(module: Any) -> Extractor:
    """Return the extractor of trafilatura, which decodes bytes itself."""
    return lambda html, url, _language: module.extract(html, url=url, include_comments=False) or ""


def _rs_trafilatura(module: Any) -> Extractor:
    """Return the extractor of rs-trafilatura, whose function for bytes decodes them itself.

    Comments are off by default. It uses the URL to guess the page's type.
    """

    def extractor(html: bytes | str, url: str | None, _language: str | None) -> str:
        extract = module.extract_bytes if isinstance(html, bytes) else module.extract
        return str(extract(html, url=url).main_content or "")

    return extractor


def _resiliparse(module: Any) -> Extractor:
    """Return the extractor of Resiliparse.

    Bytes are parsed in the encoding that Resiliparse detects, as its manual recommends.
    """
    detect = import_module("resiliparse.parse.encoding").detect_encoding
    parse = import_module("resiliparse.parse.html").HTMLTree.parse_from_bytes

    def extractor(html: bytes | str, _url: str | None, _language: str | None) -> str:
        page = parse(html, detect(html)) if isinstance(html, bytes) else html
        return str(
            module.extract_plain_text(
                page, main_content=True, alt_texts=False, list_bullets=False, comments=False
            )
        )

    return extractor


def _readability(module: Any) -> Extractor:
    """Return the extractor of readability-lxml, which decodes bytes itself."""
    return lambda html, url, _language: _text_of_html(module.Document(html, url=url).summary())


def _justext(module: Any) -> Extractor:
    """Return the extractor of jusText, which decodes bytes itself, as in its README.

    It gets the stop list of the page's language, or the English one if there is none. The other
    parameters are those of trafilatura's benchmark.
    """
    stop_words = cache(module.get_stoplist)

    def extractor(html: bytes | str, _url: str | None, language: str | None) -> str:
        words = stop_words(STOP_LISTS.get((language or "en").split("-")[0].lower(), "English"))
        paragraphs = module.justext(html, words, 50, 200, 0.1, 0.2, 0.2, 200, True)
        return "\n".join(p.text for p in paragraphs if not p.is_boilerplate)

    return extractor


def _boilerpy3(module: Any) -> Extractor:
    """Return the extractor of boilerpy3, which takes only text.

    Bytes are decoded as UTF-8, as by boilerpy3's readers of files and URLs. Bytes that are not
    UTF-8, on which these readers fail, are decoded by requests, as the README recommends, here as a
    response without headers.
    """
    extractor = module.ArticleExtractor()
    return lambda html, _url, _language: str(
        extractor.get_content(_utf8_else_by_requests(html) if isinstance(html, bytes) else html)
    )


def _utf8_else_by_requests(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        response = import_module("requests").Response()
        response.raw = BytesIO(body)
        return str(response.text)


def _newspaper(module: Any) -> Extractor:
    """Return the extractor of newspaper4k, which decodes bytes itself.

    It gets the page's language if it has a tokenizer for it; else it detects the language. It needs
    a URL, so a page without one gets ``http://localhost/``. Given HTML, it fetches nothing. Chinese
    needs the extra ``newspaper4k[zh]``.
    """
    languages = set(import_module("newspaper.utils").get_available_languages())

    def extractor(html: bytes | str, url: str | None, language: str | None) -> str:
        code = (language or "").split("-")[0].lower()
        language_option = {"language": code} if code in languages else {}
        article = module.Article(url or "http://localhost/", fetch_images=False, **language_option)
        return str(article.download(input_html=html).parse().text)

    return extractor


def _magic_html(module: Any) -> Extractor:
    """Return the extractor of magic-html, which takes only text.

    Bytes are decoded by the function that magic-html's loader uses.
    """
    extractor = module.GeneralExtractor()
    decode = import_module("magic_html.utils").decode_file
    return lambda html, url, _language: _text_of_html(
        extractor.extract(decode(html), base_url=url or "")["html"]
    )


class _ReadabilityJs:
    """Readability.js on jsdom, in a Node process; jsdom decodes bytes itself."""

    def __init__(self, module: Any) -> None:
        self._node = module.NodePeer()

    def __call__(self, html: bytes | str, url: str | None, _language: str | None) -> str:
        return _text_of_html(self._node(html, url))

    @property
    def cpu_seconds(self) -> float:
        return float(self._node.cpu_seconds)


def _text_of_html(html: str) -> str:
    """Return the text of HTML, a line per block as in our output."""
    return to_text(blockify(html).blocks)


PEERS: dict[str, tuple[str, str, Callable[[Any], Extractor]]] = {
    "trafilatura": ("trafilatura", "trafilatura", _trafilatura),
    "resiliparse": ("resiliparse.extract.html2text", "Resiliparse", _resiliparse),
    "readability-lxml": ("readability", "readability-lxml", _readability),
    "rs-trafilatura": ("rs_trafilatura", "rs-trafilatura", _rs_trafilatura),
    "justext": ("justext", "jusText", _justext),
    "boilerpy3": ("boilerpy3.extractors", "boilerpy3", _boilerpy3),
    "newspaper4k": ("newspaper", "newspaper4k", _newspaper),
    "magic-html": ("magic_html", "magic-html", _magic_html),
    "readability-js": (node_peer.__name__, f"{_NPM}{node_peer.PACKAGES[0]}", _ReadabilityJs),
}
"""By peer (module, distribution, function that makes an extractor of the module)."""
