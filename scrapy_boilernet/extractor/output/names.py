"""Tells names of persons from those of organizations, and writes names in capitals as names."""

from __future__ import annotations

import re

NO_PERSON = re.compile(
    r"\b(?:news|blog|articles?|share|read|more|home|guides?|tips|marketing|business|technology|"
    r"tech|design|health|content|menu|products?|support|contact|resources?|insights?|reviews?|us|"
    r"story|stories|posts?|comments?|published|updated|link|copy|about|the|press|release|events?|"
    r"engineering|software|strategy|management|company|learning|education|data|finance|travel|"
    r"life|food|science|research|services?|solutions?|how|what|why|your|my|our|all|best|in|of|and|"
    r"for|to|pm|am|edt|est|pst|gmt|utc|table|contents|featured|image|photo|sign|log|search|login|"
    r"bio|personal|social|media|security|privacy|development|industry|trends?|digital|web|download|"
    r"print|e-?mail|view|profile|text|size|statement|disclosure|policy|username|password|"
    r"listen|watch|play|open|now|app|pdf|mp3|epub|v[ií]deos?|audio|podcasts?|télécharger|écouter|"
    r"regarder|imprimer|lire|plus|descargar|escuchar|leer|más|scarica|ascolta|stampa|"
    r"leggi|baixar|ouvir|assistir|herunterladen|anhören|ansehen|drucken|weiterlesen|downloaden|"
    r"luisteren|afdrukken|pobierz|słuchaj|drukuj|lataa|kuuntele|ladda|lyssna|hent|stáhnout|indir|"
    r"скачать|слушать|смотреть|читать|"
    r"last|updates?|orders?|information|takip|time|min|mins|north|south|new|york|university|inc|llc|team|staff)\b|&",
    re.IGNORECASE,
)
"""Words that a person's name does not have."""
NOBODY = frozenset(
    "admin administrator author authors unknown anonymous none null by editor user guest root "
    "webmaster default default_author false true undefined find view contributors".split()
) | {
    "topic",
    "topic author",
    "original poster",
    "insights from",
    "recent posts",
    "select page",
    "read more",
    "name",
    "et al",
    "super user",
    "discuz! team",
    "comsenz ui team",
    "about me",
    "about us",
    "view profile",
    "add to circle",
    "google +",
    "google+",
    "no author",
    "toggle sidebar",
    "front page",
    "未知",
    "佚名",
    "不详",
    "匿名",
    "管理员",
    "管理員",
    "관리자",
    "최고관리자",
    "운영자",
    "익명",
}
"""Stated names that name nobody, in lower case."""
AGENCY = re.compile(
    r"\b(?:AFP|DPA|AP|APA|EFE|ANSA|PTI|ANI|UPI|SID|KNA|epd|ATS|Reuters|Bloomberg|Xinhua|TASS|"
    r"Associated Press|Agence France-Presse)\b",
    re.IGNORECASE,
)
"""News agencies."""
_PERSON = re.compile(
    r"[^\W\d_a-zß-ÿ][\w'’.-]*(?:\s(?:de|da|del|van|von|der|den|la|le|bin|al|y))*"
    r"(?:\s[^\W\d_a-zß-ÿ][\w'’.-]*(?:\s(?:de|da|del|van|von|der|den|la|le|bin|al|y))*){1,3}\Z"
)
_LATIN_END = "ÿ"
"""Small letters behind it are not excluded by the pattern."""
_CAPITALS = re.compile(r"[^\W\d_]{2,}")
_MC = re.compile(r"\bMc([a-z])")
_PARTICLE = re.compile(r"(?<=\s)(?:De|Da|Del|Van|Von|Der|Den|La|Le|Bin|Al|Y)(?=\s)")
_ARTICLE = re.compile(r"(?:THE|DER|DIE|DAS)\s|(?:LE|LA|LES|EL|LOS|LAS|IL|LO|DE|HET)\s\S+\Z")
_ACRONYM = re.compile(r"\b[BCDFGHJKLMNPQRSTVWXZ]{3,}\b")
"""A word without vowels, such as MDR."""
_ORGANIZATION = re.compile(
    r"\b(?:group|gruppe|groupe|gruppo|grupo|gmbh|ag|kg|s\.?p\.?a|s\.?r\.?l|ltd|corp|foundation|"
    r"stiftung|fondation|fundación|fondazione|institut\w*|minist\w+|verband|verein|redaktion|"
    r"rédaction|redacción|redazione|redactie|redakcja|редакция|editorial|agency|agentur|agencia|"
    r"agenzia|agence|presse|prensa|stampa|radio|rundfunk|tv|tele\w+|medi[ae]n?|magazine?|zeitung|"
    r"journal|times|universit\w+|universidad|desk|bureau|office|club|society|association|council)\b",
    re.IGNORECASE,
)


def in_title_case(name: str) -> str:
    """Return a name in capitals as names are written; others as they are.

    >>> in_title_case("J.K. O'HARA-MCDONALD VAN DER BERG")
    "J.K. O'Hara-McDonald van der Berg"
    """
    person, comma, degree = name.partition(",")
    others = (
        NO_PERSON.search,
        AGENCY.search,
        _ORGANIZATION.search,
        _ARTICLE.match,
        _ACRONYM.search,
    )
    if not person.isupper() or " " not in person or any(is_other(person) for is_other in others):
        return name
    lower = _CAPITALS.sub(lambda m: m[0][0] + m[0][1:].replace("İ", "i").lower(), person)
    lower = _MC.sub(lambda m: "Mc" + m[1].upper(), lower)
    return _PARTICLE.sub(lambda m: m[0].lower(), lower) + comma + degree


def is_person(name: str) -> bool:
    """Return whether a text has the form of a person's name, and no word that such names lack."""
    if not _PERSON.match(name) or NO_PERSON.search(name):
        return False
    return name.isascii() or not any(w[0] > _LATIN_END and w[0].islower() for w in name.split())


def names_organization(text: str) -> bool:
    """Return whether a text has a word of an organization's name, or one that no person has."""
    return bool(_ORGANIZATION.search(text) or NO_PERSON.search(text))
