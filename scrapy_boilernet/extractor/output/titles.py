"""Chooses a page's title from those that it states and shows."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from scrapy_boilernet.extractor.decide.headline import is_first_section
from scrapy_boilernet.extractor.decide.placeholders import is_placeholder
from scrapy_boilernet.extractor.decide.stubs import ERROR
from scrapy_boilernet.extractor.metadata import Stated
from scrapy_boilernet.extractor.output.named import Ranked, Sourced, likeness
from scrapy_boilernet.extractor.output.title_places import headline_places
from scrapy_boilernet.extractor.page import HEADING_TAGS, Page

MAX_TITLE_CHARS = 500
_SEPARATOR = re.compile(r"(\s+[-–—/·:•~]+\s+|\s*[|»«•⋆]+\s*|\s*::\s*|\s+::?\s+)")
_EDGE = re.compile(r"\A[-–—|»·:]+\s+")
_SITE_TYPES = frozenset(
    "website organization newsmediaorganization corporation onlinestore localbusiness".split()
)
_COMMON_BEFORE = re.compile(
    r"\A(?:the|der|die|das|le|la|les|l|el|los|las|il|lo|i|o|os|as|a|de|het|den)"
)
_COMMON_AFTER = re.compile(
    r"(?:online|news|newspaper|magazine|magazin|blog|website|site|homepage|official|offiziell|"
    r"com|org|net|co\.?uk|de|fr|es|it|nl|pl|enligne|noticias|digital|digitale|media|mobile|tv)\Z"
)
"""Words that a site's name has around the words that its host has, squeezed."""
_MIN_HOST_CHARS = 4
_NO_LETTERS = re.compile(r"[\W_]+")
_ASCII = "".join(map(chr, range(128)))
_SQUEEZED = str.maketrans({sign: _NO_LETTERS.sub("", sign).lower() or None for sign in _ASCII})
"""Squeezes ASCII, which is quicker than ``_NO_LETTERS``."""
_SQUEEZED_LINES = {**_SQUEEZED, ord("\n"): "\n"}
_PERMALINK = re.compile(r"[\s¶#§🔗]+")
"""Signs of a link to the headline itself. They are matched at the start only: a search for them at
the end of a text would be quadratic."""
_WEIGHTS = {
    "text": 1.4, "h1": 1.4, "open-graph": 1.2, "title": 0.8, "json-ld": 0.7, "microdata": 0.6,
    "twitter": 0.5,
}  # fmt: skip
"""The score that each source adds to its title; the title with the highest sum is chosen."""
_PUBLIC = {"h1": "text", "twitter": "meta"}
"""Names of sources in the metadata, where they differ from those in :data:`_WEIGHTS`."""
_SHOWN = ("text", "h1")
_CODE = re.compile(
    r"\W*(?:(?:(?:https?|server)?\s?(?:error|fehler|erreur|errore|erro|fout|fel|feil|fejl|błąd|chyba|hata|"
    r"virhe|ошибка|помилка|错误|錯誤|エラー)\W{0,3})?(?:40[013459]|410|429|50[0234])"
    r"(?:\W{0,3}(?:error|fehler|エラー|错误|錯誤))?|"
    r"w?oops|ups|hoppla|hopla|uh[\s-]?oh|oh no|sorry|ой)\W*\Z",
    re.IGNORECASE,
)
"""The code of an error, or what such pages say instead."""
_MAX_DOMAIN_CHARS = 100
_MAX_CODE_CHARS, _LEAST_WORDS = 30, 2
"""The characters of such a headline, and the words of a title that says more."""
_ARCHIVE = re.compile(r"\A(?P<site>.{2,80}?)\s+»\s+Blog Archive\s+»\s+(?=\S)")
"""The name of a blog before the title of a post, as WordPress wrote it."""
_THREAD = re.compile(
    r"\A(?:thread|thema|topic|sujet|tema|tópico|тема|wątek|onderwerp|discussione)\s?:\s+",
    re.IGNORECASE,
)
"""What forums write before the title of a thread."""
_DOMAIN = re.compile(r"\s\((?:[\w-]+\.)+[\w-]{2,}(?:/[\w./-]*)?\)\Z")
"""The domain of a link behind the title of its thread."""
_NAMED = re.compile(r"(?P<name>\S(?:.{0,78}?\S)?)\s+(?:[-–—]+|\\-)\s+\S")
"""A name and its description, as in the first section of a manual page."""
_ABBREVIATED = re.compile(r"(?P<long>.{2,100}?)\s*\((?P<short>\w{2,12})\)")
"""A name and its abbreviation."""
_WORKS = ("music.", "video.", "book")
"""Beginnings of the types of pages about works, whose headings name the artists, too."""
_UNLIKE = 0.2
"""A headline that is less like the stated titles is taken for a slogan and counts half."""


def site_names(page: Page, stated: Stated) -> tuple[str, ...]:
    """Return the site's names: from its metadata, from its publisher, and its host."""
    names = [stated.meta("og:site_name", "application-name", "apple-mobile-web-app-title")]
    for one in stated.objects:
        if _SITE_TYPES & set(one.types):
            names.append(one.first("name"))
        names.append(one.first("publisher"))
    return tuple(dict.fromkeys(name for name in (*names, *_hosts(page.url)) if name))


def _hosts(url: str | None) -> tuple[str, ...]:
    """Return the host, and the label of the host that names the site."""
    try:
        host = (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return ()
    labels = host.split(".")
    name = max(labels[:-1], key=len, default="")
    return (host, name)


def without_site(title: str, names: Sequence[str], host: str, shown: str, home: bool) -> str:
    """Return the title without the name of the site at either end.

    ``shown``: the headline that the page shows, or ""; a title that begins with it is cut after it.
    ``home``: whether it is the site's first page, whose title begins with the site's name.
    """
    parts = _SEPARATOR.split(_EDGE.sub("", title[:MAX_TITLE_CHARS].strip()))
    plain_names = {squeezed(name) for name in names} - {""}
    while len(parts) > 2:
        last = squeezed(parts[-1])
        if _is_site(last, plain_names, host) or _is_long_site(parts[-1], plain_names, host):
            parts = parts[:-2]
        elif not home and _is_site(squeezed(parts[0]), plain_names, host):
            parts = parts[2:]
        else:
            break
    rest = "".join(parts).strip()
    if len(parts) > 2 and shown and rest != shown:
        for end in range(len(parts), 0, -2):
            if squeezed("".join(parts[:end])) == squeezed(shown):
                return "".join(parts[:end]).strip()
    return rest


def squeezed(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    if text.isascii():
        return text.translate(_SQUEEZED)
    return _NO_LETTERS.sub("", text).lower()


def squeezed_texts(texts: Sequence[str]) -> list[str]:
    """Return what :func:`squeezed` returns of texts in lower case, those of ASCII first.

    No text may have a line end.
    """
    of_ascii = "\n".join([*filter(str.isascii, texts)]).lower().translate(_SQUEEZED_LINES)
    others = (squeezed(text.lower()) for text in texts if not text.isascii())
    return [*of_ascii.split("\n"), *others]


def _is_long_site(part: str, names: set[str], host: str) -> bool:
    """Return whether the part is a known site's name with its abbreviation."""
    match = _ABBREVIATED.fullmatch(part.strip()) if part.endswith(")") else None
    if not match:
        return False
    initials = iter([word[0].lower() for word in match["long"].split()])
    if not all(letter in initials for letter in match["short"].lower()):
        return False
    return squeezed(match["short"]) in names or _is_site(squeezed(match["long"]), names, host)


def _is_site(part: str, names: set[str], host: str) -> bool:
    if part in names:
        return True
    if len(part) > 3 and (part in host or any(part in n and 2 * len(part) > len(n) for n in names)):
        return True
    return len(host) >= _MIN_HOST_CHARS and _without_common(part) == host


def _without_common(part: str) -> str:
    """Return the squeezed name of a site without an article before it and "online" after it."""
    return _COMMON_AFTER.sub("", _COMMON_BEFORE.sub("", part))


def find_page_title(
    page: Page,
    found: Sequence[int],
    stated: Stated,
    objects: Ranked,
    names: Sequence[str],
    kept: Sequence[bool],
) -> tuple[Sourced | None, int]:
    """Return (title that the sources agree on most, index of the headline's block).

    The title is None if no source gives one. The headline is the title that the page shows, else
    the first visible ``h1``, else the first block with the title's text; -1 if there is none. On a
    page without a ``<title>`` it may be another heading: see :func:`headline_places`.
    ``found``: the indexes of the lines of the headline; [] if there is none. ``names``: the site's
    names; ``kept``: per block whether it is content.
    """
    is_titled = any(text for _, text in _stated_titles(stated, objects))
    found, h1 = headline_places(page, found, kept, is_titled)
    if "»" in page.title and (blog := _ARCHIVE.match(page.title)):
        names = (blog["site"], "Blog Archive", *names)
    of_h1 = found if h1 in found else [h1] if h1 >= 0 else []
    shown = [_shown_title(page, lines) for lines in (found, of_h1) if lines]
    candidates = list(_candidates(page, stated, objects, shown, names))
    filled = [one for one in candidates if not is_placeholder(one.value)]
    candidates = _without_codes(filled or candidates, names)
    if not is_home(page.url):
        candidates = _without_sites(candidates, names)
    index = found[0] if found else h1
    if not candidates:
        return None, index
    chosen = _best(candidates, shown)
    if index < 0:
        top = squeezed(chosen.value) or chosen.value
        index = next((i for i, text in enumerate(page.texts) if squeezed(text[:600]) == top), -1)
    return chosen._replace(source=_PUBLIC.get(chosen.source, chosen.source)), index


def _best(candidates: Sequence[Sourced], shown: Sequence[str]) -> Sourced:
    """Return the title on which most sources agree, as the best of these gives it.

    ``shown``: the titles that the page shows; they count half if they are unlike all stated ones.
    """
    stated_only = [c for c in candidates if c.source in ("open-graph", "title")]
    unlike = bool(stated_only) and all(
        likeness(text, c.value) < _UNLIKE for text in shown for c in stated_only
    )
    scores: dict[str, float] = {}
    best: dict[str, Sourced] = {}
    for candidate in candidates:
        key = squeezed(candidate.value) or candidate.value
        weight = _WEIGHTS[candidate.source]
        if unlike and candidate.source in _SHOWN:
            weight /= 2
        scores[key] = scores.get(key, 0.0) + weight
        if key not in best or weight > _WEIGHTS[best[key].source]:
            best[key] = candidate
    return best[max(scores, key=scores.__getitem__)]


def _shown_title(page: Page, lines: Sequence[int]) -> str:
    """Return the text of the lines of a headline; on a manual page without a title, for "NAME" the
    name in the line below it, which is before a description. Such a page has more sections.
    """
    texts, after, (pairs, places) = page.texts, lines[-1] + 1, page.paths
    text = " ".join(texts[i] for i in lines)
    is_manual = not page.title and after < len(texts) and is_first_section(text)
    tag = next((tag for tag in reversed(pairs[places[lines[0]]][0]) if tag in HEADING_TAGS), "")
    if is_manual and any(tag in pairs[place][0][-3:] for place in places[after:]):
        named = _NAMED.match(texts[after])
        return named["name"] if named else text
    return text


def _without_codes(candidates: list[Sourced], names: Sequence[str]) -> list[Sourced]:
    """Return the candidates without those that are only the code of an error, if the page states
    one of several words that is not the site's name; of these, the part that tells the error.
    """
    sites = {squeezed(name) for name in names}
    others = [
        candidate
        for candidate in candidates
        if len(candidate.value) > _MAX_CODE_CHARS or not _CODE.match(candidate.value)
    ]
    says_more = (
        len(other.value.split()) >= _LEAST_WORDS and squeezed(other.value) not in sites
        for other in others
    )
    if len(others) == len(candidates) or not any(says_more):
        return candidates
    return [other._replace(value=_error_in(other.value)) for other in others]


def _without_sites(candidates: list[Sourced], names: Sequence[str]) -> list[Sourced]:
    """Return the candidates without shown ones that are only the site's name, if the page states a
    title of several words that is not.
    """
    shown = {squeezed(one.value) for one in candidates if one.source in _SHOWN}
    sites = {squeezed(name) for name in names} if shown else set()
    if shown.isdisjoint(sites):
        return candidates
    is_site = [one.source in _SHOWN and squeezed(one.value) in sites for one in candidates]
    says_more = (
        one.source not in _SHOWN
        and len(one.value.split()) >= _LEAST_WORDS
        and squeezed(one.value) not in sites
        for one in candidates
    )
    if not any(says_more):
        return candidates
    return [one for one, only_site in zip(candidates, is_site, strict=True) if not only_site]


def _error_in(title: str) -> str:
    """Return the part of a title that tells an error, else the title."""
    return next(filter(ERROR.search, _SEPARATOR.split(title)[::2]), title)


def _candidates(
    page: Page,
    stated: Stated,
    objects: Ranked,
    shown: Sequence[str],
    names: Sequence[str],
) -> Iterator[Sourced]:
    """Yield the titles that the page shows and states, without the site's name."""
    host = squeezed(names[-1]) if page.url and names else ""
    stated_title = stated.meta("og:title")
    shown = [_without_label(text, (stated_title, page.title)) for text in shown]
    headline, home = next(iter(shown), ""), is_home(page.url)
    pairs = [("text", headline), ("h1", shown[-1] if shown else "")]
    is_work = pairs[1][1] != headline and stated.meta("og:type").startswith(_WORKS)
    if is_work and pairs[1][1] in _SEPARATOR.split(stated_title):
        pairs.reverse()  # such as the work of an artist, who is named below it
        headline = pairs[0][1]
    texts = [
        *pairs,
        *_stated_titles(stated, objects),
        ("title", page.title),
    ]
    for source, text in texts:
        whole = text
        if source not in _SHOWN:
            text = without_site(whole, names, host, headline, home)
        plain = _plain(text)[:MAX_TITLE_CHARS].strip()
        if plain and (source in _SHOWN or not is_placeholder(whole)):
            yield Sourced(plain, source)


def _stated_titles(stated: Stated, objects: Ranked) -> list[tuple[str, str]]:
    """Return (source, title) of the metadata; some of the titles may be empty."""
    return [
        ("open-graph", stated.meta("og:title")),
        ("twitter", stated.meta("twitter:title")),
        *((one.syntax, one.first("headline", "name")) for rank, one in objects[:3] if rank < 3),
    ]


def _without_label(text: str, titles: Sequence[str]) -> str:
    """Return a shown title without "Thread:" or the domain of a link, if a stated one has it
    without that.
    """
    label = _THREAD.match(text)
    domain = _DOMAIN.search(text[-_MAX_DOMAIN_CHARS:]) if text.endswith(")") else None
    title = text[label.end() :] if label else ""
    title = text.removesuffix(domain[0]) if domain else title
    return title if title and any(title in one and text not in one for one in titles) else text


def _plain(text: str) -> str:
    """Return the title without soft hyphens, and without signs of a permanent link at its ends."""
    plain = text.replace("\u00ad", "").rstrip(string.whitespace + "\u00a0¶#§🔗")
    start = _PERMALINK.match(plain)
    after = start.end() if start else 0
    return plain[after:] if plain[after : after + 1].isalnum() else plain


def is_home(url: str | None) -> bool:
    """Return whether the URL is the address of a site's first page."""
    try:
        return bool(url) and urlsplit(url or "").path in ("", "/")
    except ValueError:
        return False
