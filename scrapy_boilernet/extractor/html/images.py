"""The images of a page: their addresses and alternative texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, cast

from lxml import etree

from scrapy_boilernet.extractor.html.scan import SignFinder
from scrapy_boilernet.extractor.patterns import lazy_pattern

_SOURCES = (
    "data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-image-loader",
    "data-lazy", "data-original-src", "data-hi-res-src", "data-full-src", "data-echo",
    "data-img-src", "data-image-src", "data-orig-file", "data-large-file", "src", "data-srcset",
    "data-lazy-srcset", "srcset",
)  # fmt: skip
"""Attributes that may hold an image's address, in the order in which they are tried. A script
copies those before ``src`` to it when the image is shown."""
_RANKS = {name: rank for rank, name in enumerate(_SOURCES)}
_PLACEHOLDER = lazy_pattern(
    r"(?:data|about|blob|javascript):|#|[^?#]*(?:placeholder|/(?:blank|spacer|transparent|pixel|1x1|"
    r"loading)\.|/(?:(?:ajax-)?loader|spinner|clear|empty|lazy|lazyload|gr[ae]y|trans|dummy|1px|none)"
    r"\.(?:gif|png|svg)(?:[?#]|\Z)|/dummy-transparent-)",
    re.IGNORECASE,
)
"""An address that shows nothing until a script puts another one in its place."""
_TRACKER = lazy_pattern(
    r"[^?#]*(?:facebook\.com/tr(?:[/?]|\Z)|doubleclick\.net|scorecardresearch\.com|quantserve\.com|"
    r"google-analytics\.com|googletagmanager\.com|pixel\.wp\.com|vgwort\.de|/__utm\.gif|"
    r"bat\.bing\.com|px\.ads\.linkedin\.com|adservice\.|analytics\.twitter\.com|/(?:tracking-?)?"
    r"pixel(?:[/?.]|\Z)|/beacon(?:[/?.]|\Z)|/(?:adview|avw|adimage)\.php|/www/delivery/|"
    r"zemanta\.com/pixy|printfriendly\.com/|get_?(?:adobe_?)?flash_?player)",
    re.IGNORECASE,
)
"""The address of an image that only counts readers, of an advertisement that a server of these
chooses, or of the badge of a player that is needed no more."""
_PLACEHOLDER_STEMS = (
    "placeholder", "/blank.", "/spacer.", "/transparent.", "/pixel.", "/1x1.", "/loading.",
    "loader.", "/spinner.", "/clear.", "/empty.", "/lazy", "/gray.", "/grey.", "/trans.", "/dummy.",
    "/dummy-", "/1px.", "/none.",
)  # fmt: skip
"""Every address in which ``_PLACEHOLDER`` finds something has one of these, or begins as below."""
_PLACEHOLDER_BEGINS = ("data:", "about:", "blob:", "javascript:", "#")
_TRACKER_STEMS = (
    "facebook", "doubleclick", "scorecard", "quantserve", "google", "pixel", "vgwort", "__utm",
    "bing.", "linkedin", "adservice", "twitter", "beacon", "adview", "avw.php",
    "adimage", "/delivery/", "flash", "zemanta", "printfriendly",
)  # fmt: skip
"""Every address in which ``_TRACKER`` finds something has one of these."""
_CONTROL = lazy_pattern(
    r"/(?:statusicon/[\w-]*|icons/icon[0-9]{1,2}|buttons/(?:[a-z]{1,9}-?_?)?(?:quote|reply|edit|post|"
    r"report|find|search|email|pm|profile|collapse|mode|printer)(?:[-_][\w-]*)?|misc/paperclip|"
    r"themes/[\w.-]{1,40}/images/(?:(?:topic|post|buttons)/[\w-]{1,40}|icons/(?:last_post|modify_"
    r"[a-z]{1,20})|ip|user(?:on|off))|(?:imageset|lang_[a-z]{2,20})/(?:[a-z_]{2,20}/)?icon_[\w-]{1,40}|"
    r"static/image/(?:common|filetype)/[\w-]{1,40}|M_images/[\w-]{1,40}|plugins/wp-(?:print|email)/"
    r"images/[\w-]{1,40}|(?:favicon|apple-touch-icon)(?:-[\w-]{1,40})?)\.(?:gif|png|ico)(?:\?|\Z)",
    re.IGNORECASE,
)
"""The address of a button of a forum, or of what it shows of a post, as in vBulletin, SMF, phpBB
and Discuz; of a button over an article, as in Joomla and WordPress; and of the icon of a site."""
_CONTROL_STEMS = (
    "statusicon", "icons/icon", "buttons/", "misc/paperclip", "/themes/", "/icon_",
    "static/image/common", "static/image/filetype", "m_images", "plugins/wp-", "favicon",
    "apple-touch-icon",
)  # fmt: skip
"""Every address in which ``_CONTROL`` finds something has one of these."""
_LAZY_NAME = re.compile(
    r"(?:data-(?!.*(?:placeholder|thumb|low|blur|error|fallback|avatar))|(?:[a-z]+-)?lazy-?src|"
    r"(?:zoom)?file\Z|lsrc|original)"
)
"""Attributes of other lazy loaders, and of forums."""
_IMAGE_ADDRESS = re.compile(
    r"(?:https?:)?[^\s:{}<>\"']+\.(?:jpe?g|png|webp|gif|avif|svg|bmp)(?:[?#][^\s{}<>\"']*)?",
    re.IGNORECASE,
)
"""The value of any attribute ``data-…`` that is an image's address."""
_PERSON = re.compile(
    r"(?:^|[\s_-])(?:avatar|gravatar|userpic|profile-?(?:pic|image|photo))", re.IGNORECASE
)
"""Classes of the picture of an author or of a reader."""
_PERSON_STEMS = ("avatar", "userpic", "profile")
"""Every class in which ``_PERSON`` finds something has one of these."""
_PERSON_STEM = "vatar"
"""What each text has in which ``_OF_PERSON`` finds something."""
_OF_PERSON = lazy_pattern(
    r"gravatar\.com/avatar|/[Aa]vatars/|/avatar/[0-9a-f]{5}|/avatar_thumbnail/|[?&](?:user)?avatar=|"
    r"/(?:default|no|blank|guest|user)[-_]?avatar[-_.]|"
    r"/avatar[-_]?(?:default|universal|guest|gast|blank|none)[-_.]|"
    r"_avatar-[0-9]{2}x[0-9]{2}\.| User avatar\Z"
)
"""The address of such a picture, and its alternative text behind it. A film is called Avatar,
too."""
_placeholder_stems_in, _unseen_stems_in, _control_stems_in, _person_stems_in = (
    SignFinder([stem.encode() for stem in stems])
    for stems in (
        _PLACEHOLDER_STEMS, (*_TRACKER_STEMS, *_CONTROL_STEMS), _CONTROL_STEMS, _PERSON_STEMS
    )
)  # fmt: skip
_UNSHOWN = re.compile(
    r"display\s*:\s*none|(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|\Z)", re.IGNORECASE
)
"""The style of an image that nobody sees, unless it has a least width, too."""
_MAX_SOURCE_CHARS = 4_000
_MAX_STYLE_CHARS = 1_000
_MANY_ATTRIBUTES = 64
"""If an image has more attributes, only those of ``_SOURCES`` are read."""
_MAX_PICTURE_SOURCES = 20
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([wx])\Z")
"""The width or density of an image of a ``srcset``."""
_MAX_SIZE_CHARS = 21
"""One more than such a size has."""
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
"""Attributes that hold an image in several sizes."""
_OTHER_MEDIA = re.compile(r"max-width|dark|print|portrait|\bnot\b", re.IGNORECASE)
"""The ``media`` of a ``<source>`` that may have another picture than the one that is shown."""
_MIN_WIDTH = re.compile(r"min-width\s*:\s*([0-9]{1,5})(?:\.[0-9]{1,5})?\s*(px|r?em)", re.IGNORECASE)
_EM = 16
_STATED_WIDTH = re.compile(
    r"[?&;](?:w|wid|width|imwidth)=([0-9]{2,5})(?![0-9])|"
    r"[-_/]([0-9]{2,5})x(?:[0-9]{2,5})?(?=[-_./])|"
    r"[/,](?:w|width)[_=-]([0-9]{2,5})(?=[,/])"
)
"""The width that an address states."""
_SIZED = re.compile(r"[-_][0-9]{2,5}x[0-9]{2,5}(?=\.[a-zA-Z]{2,5}\Z)")
"""What the address of a smaller copy has in addition."""
_BLURRED = re.compile(r"[,/]blur_[0-9]{1,3}[,/]")
"""The address of a small image that is shown until the large one is there, as in Wix."""
_FOR_WIDTH, _DIGITS, _OTHERWISE = "{width}", re.compile(r"[0-9]{1,5}"), "1024"
"""What stands in an address for a width that a script chooses of ``data-widths``, and the one that
is taken if there are none."""
_SMALL_WIDTH = 200
"""The widest image that is taken for a preview of one of unknown width."""
_PIXEL, _ICON, _NO_SIZE = 2, 32, 10**9
"""The largest shorter side, in pixels, of a tracking pixel and of an icon; what stands for a side
that an image does not state."""
_MAX_ALT_CHARS, _ADDRESS_BEGINS = 1000, ("http://", "https://", "//")
"""Characters of an alternative text that are read, and how one begins that is an address."""
_MAX_DIGITS = 9
_NUMBER = re.compile(rf"\s*(\d{{1,{_MAX_DIGITS}}})")


IMAGE_TAGS = frozenset(("img", "amp-img", "amp-anim"))
PICTURE_TAGS = frozenset(("picture", "source"))
"""The tag around an image of a ``<picture>`` is one of these."""


class Attributes(Protocol):
    """An element, or a mapping of its attributes."""

    def get(self, name: str, /) -> str | None:
        """Return the value of an attribute."""
        ...

    def keys(self) -> Iterable[str | bytes]:
        """Return the names of the attributes."""
        ...


class _Candidate(NamedTuple):
    """An image of a ``srcset``."""

    address: str
    size: float = 1.0
    """Its width or its density."""
    is_width: bool = False
    min_width: int = 0
    """The width of the screen from which on its ``<source>`` is shown."""


def shown_image(element: etree._Element, in_text: bool) -> tuple[str, str] | None:
    """Return what :func:`image_of` returns of an element."""
    attributes = cast("dict[str, str]", dict(element.items()))  # at once they take less time
    return image_of(attributes, in_text, picture_sources(element))


def image_of(
    image: Attributes, in_text: bool, picture: Sequence[Attributes] = ()
) -> tuple[str, str] | None:
    """Return the address and the alternative text of an image.

    None for a tracking pixel or an advertisement, for a button of a forum, for an icon or a
    person's picture outside of text, for an image that hides itself, and for one that has no
    address or only a placeholder's.
    ``picture``: the ``<source>`` elements of the ``<picture>`` around it.
    """
    side = min(_pixels(image, "width"), _pixels(image, "height"))
    if side <= (_PIXEL if in_text else _ICON):
        return None
    source = _source(image) or next(filter(None, map(_source, picture)), "")
    if source and (picture or any(map(image.get, _SETS))):
        source = _larger(source, image, picture)
    if not source or _is_unseen(image, source):
        return None
    classes = "" if in_text else (image.get("class") or "")[:_MAX_STYLE_CHARS]
    if classes and _may_have(classes, _person_stems_in) and _PERSON.search(classes):
        return None
    alt = " ".join((image.get("alt") or "")[:_MAX_ALT_CHARS].split())
    whole = "" if in_text else f"{source[:_MAX_SOURCE_CHARS]} {alt}"
    if _PERSON_STEM in whole and _OF_PERSON.search(whole):
        return None
    return source, "" if alt.startswith(_ADDRESS_BEGINS) else alt


def picture_sources(image: etree._Element) -> list[etree._Element]:
    """Return the ``<source>`` elements of the ``<picture>`` of which an image is the first.

    libxml2 puts what follows a ``<source>`` into it.
    """
    above = image.getparent()
    for _ in range(_MAX_PICTURE_SOURCES):
        if above is None or above.tag not in PICTURE_TAGS:
            break
        if above.tag == "picture":
            inside = [*islice(above.iter(etree.Element), _MAX_PICTURE_SOURCES + 2)]
            first = next((one for one in inside if one.tag in IMAGE_TAGS), None)
            return [one for one in inside if one.tag == "source"] if first is image else []
        above = above.getparent()
    return []


def _is_unseen(image: Attributes, source: str) -> bool:
    """Return whether an image hides itself, only counts readers, or is a button of a forum."""
    style = (image.get("style") or "")[:_MAX_STYLE_CHARS]
    is_unshown = style and "min-" not in style and _UNSHOWN.search(style)
    if is_unshown or image.get("hidden") is not None:
        return True
    source = source[:_MAX_SOURCE_CHARS]
    if not _may_have(source, _unseen_stems_in):
        return False
    return is_control(source) or _TRACKER.match(source) is not None


def is_control(source: str) -> bool:
    """Return whether an address is that of a button of a forum, or of the state of a post."""
    return _may_have(source, _control_stems_in) and _CONTROL.search(source) is not None


def _source(image: Attributes) -> str:
    """Return the address of an image; "" if it has none, or only a placeholder's."""
    get = image.get
    names = cast("list[str]", [*filter(_RANKS.__contains__, image.keys())])
    for name in sorted(names, key=_RANKS.__getitem__) if len(names) > 1 else names:
        value = get(name)
        if not value:
            continue
        value = value.strip()[: _MAX_SOURCE_CHARS + 1]
        if name.endswith("srcset") or _holds_several(value):
            value = _largest(value)
        value = _of_pair(value) if "|" in value else value
        if _FOR_WIDTH in value:
            widths = _DIGITS.findall((get("data-widths") or "")[:_MAX_STYLE_CHARS])
            value = value.replace(_FOR_WIDTH, max(widths, key=int, default=_OTHERWISE))
        if value and not _is_placeholder(value[:_MAX_SOURCE_CHARS]):
            return value if "blur_" not in value else _sharp(value, image)
    return next(_unnamed(image), "")


def _is_placeholder(address: str) -> bool:
    begins = address.lower().startswith(_PLACEHOLDER_BEGINS)
    may_be = begins or _may_have(address, _placeholder_stems_in)
    return may_be and _PLACEHOLDER.match(address) is not None


def _may_have(text: str, stems_in: SignFinder) -> bool:
    """Return whether a pattern that ignores case, with these stems, may find something."""
    return not text.isascii() or bool(stems_in(text.encode()))


def _unnamed(image: Attributes) -> Iterator[str]:
    """Yield the addresses of images in attributes that no script is known for."""
    names = [*image.keys()]
    for name in names if len(names) <= _MANY_ATTRIBUTES else ():
        if isinstance(name, str) and _LAZY_NAME.match(name):
            value = (image.get(name) or "")[: _MAX_SOURCE_CHARS + 1].strip()
            if name.endswith("srcset"):
                value = _largest(value)
            if _IMAGE_ADDRESS.fullmatch(value) and not _is_placeholder(value):
                yield value


def _sharp(source: str, image: Attributes) -> str:
    """Return the address of the large image if a source is a blurred one of it; else the source."""
    large = next(_unnamed(image), "") if _BLURRED.search(source[:_MAX_SOURCE_CHARS]) else ""
    return large if large and not _BLURRED.search(large) else source


def _of_pair(source: str) -> str:
    """Return the second of two addresses of one image, which is that for dense screens, as bLazy
    has them; else the source.
    """
    one, _, dense = (part.strip() for part in source.partition("|"))
    is_pair = _IMAGE_ADDRESS.fullmatch(one) and _IMAGE_ADDRESS.fullmatch(dense)
    return dense if is_pair else source


def _holds_several(source: str) -> bool:
    """Return whether a ``src`` has what belongs into a ``srcset``."""
    return ("w, " in source or "x, " in source) and not source.startswith("data:")


def _largest(srcset: str) -> str:
    """Return the address of the largest image of a ``srcset``; the first of several."""
    found = _candidates(srcset)
    return max(found, key=attrgetter("size")).address if found else ""


def _candidates(srcset: str, min_width: int = 0) -> list[_Candidate]:
    """Return the images of a ``srcset``."""
    found: list[_Candidate] = []
    address = ""
    for token in srcset.split():
        if address:
            size, _, following = token.partition(",")
            found.append(_Candidate(address, *_size(size[:_MAX_SIZE_CHARS]), min_width))
        else:
            following = token
        address = following.lstrip(",")
        if address.endswith(","):
            found.append(_Candidate(address.rstrip(","), min_width=min_width))
            address = ""
    if address:
        found.append(_Candidate(address, min_width=min_width))
    return found


@lru_cache(maxsize=1 << 10)  # most sites have the same few
def _size(text: str) -> tuple[float, bool]:
    """Return the size that stands behind an address, and whether it is a width; 1 for none."""
    match = _SIZE.match(text)
    return (float(match[1]), match[2] == "w") if match else (1.0, False)


def _larger(source: str, image: Attributes, picture: Sequence[Attributes]) -> str:
    """Return the address of the largest of the images that a page names for one, or ``source``."""
    found = [*_sized(image, picture)]
    known = next((one for one in found if one.address == source), None)
    best = _most([one for one in found if one.is_width], attrgetter("size"))
    if best is not None:
        own = known.size if known else _own_width(source, image)
        is_larger = own < best.size and (own > 0 or best.size > _SMALL_WIDTH)
    else:
        best = _most(found, attrgetter("min_width", "size")) or _Candidate(source)
        is_larger = best.min_width > 0 or best.size > 1
    if not is_larger or known:
        return best.address if is_larger else source
    whole = (_SIZED.sub("", best.address), best.address.partition("?")[0])
    return source if source in whole else best.address


def _most(found: list[_Candidate], key: Callable[[_Candidate], Any]) -> _Candidate | None:
    """Return the greatest of the images by the key that is no placeholder; None without one."""
    while found:
        best = max(found, key=key)
        if not _is_placeholder(best.address):
            return best
        found.remove(best)
    return None


def _own_width(source: str, image: Attributes) -> int:
    """Return the width that the address of an image states, or the image; 0 if none does."""
    stated = _STATED_WIDTH.search(source)
    width = stated[1] or stated[2] or stated[3] if stated else ""
    return int(width) if width else given_number(image, "width", 0)


def _sized(image: Attributes, picture: Sequence[Attributes]) -> Iterator[_Candidate]:
    """Yield the images of each ``srcset`` of an image, and of the ``<source>`` elements."""
    for element in (image, *picture):
        media = "" if element is image else (element.get("media") or "")[:_MAX_STYLE_CHARS]
        if media and _OTHER_MEDIA.search(media):
            continue
        match = _MIN_WIDTH.search(media) if media else None
        em = _EM if match and match[2].lower() != "px" else 1
        for srcset in filter(None, map(element.get, _SETS)):
            yield from _candidates(srcset[:_MAX_SOURCE_CHARS], em * int(match[1]) if match else 0)


def _pixels(image: Attributes, side: str) -> int:
    """Return the width or height that the image states; a large number if it states none."""
    return given_number(image, side, _NO_SIZE)


def given_number(element: Attributes, name: str, otherwise: int) -> int:
    """Return the number at the beginning of an attribute; ``otherwise`` if it has none."""
    value = element.get(name)
    if not value:
        return otherwise
    if value.isdecimal() and len(value) <= _MAX_DIGITS:  # as most
        return int(value)
    match = _NUMBER.match(value)
    return int(match[1]) if match else otherwise
