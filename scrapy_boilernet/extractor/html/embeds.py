"""What a page embeds of other sites: videos, sound, posts and code, as the address of each.

Only what is known to be content has an address. An unknown frame has none: most are advertisements,
trackers and consent boxes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import unquote

from lxml import etree

from scrapy_boilernet.extractor.patterns import lazy_pattern

_OF_SITES = (
    (r"(?:[\w-]+\.)?youtube(?:-nocookie)?\.com/embed/?(?:videoseries)?\?(?:.*&)?list=([\w-]+)",
     r"www.youtube.com/playlist?list=\1"),
    (r"(?:[\w-]+\.)?youtube(?:-nocookie)?\.com/(?:embed|v|shorts|live|e)/(?!videoseries|live_stream)"
     r"([\w-]+)", r"www.youtube.com/watch?v=\1"),
    (r"(?:[\w-]+\.)?youtube(?:-nocookie)?\.com/watch\?(?:.*&)?v=([\w-]+)",
     r"www.youtube.com/watch?v=\1"),
    (r"youtu\.be/([\w-]+)", r"www.youtube.com/watch?v=\1"),
    (r"player\.vimeo\.com/video/(\d+)\?(?:.*&)?h=(\w+)", r"vimeo.com/\1/\2"),
    (r"(?:player\.)?vimeo\.com/(?:video/|channels/[\w-]+/)?(\d+)", r"vimeo.com/\1"),
    (r"(?:www\.)?dailymotion\.com/(?:embed/)?video/(\w+)", r"www.dailymotion.com/video/\1"),
    (r"geo\.dailymotion\.com/player(?:/\w+)?\.html\?(?:.*&)?video=(\w+)",
     r"www.dailymotion.com/video/\1"),
    (r"([\w.-]+\.\w+)/videos/embed/([\w-]+)", r"\1/videos/watch/\2"),
    (r"player\.twitch\.tv/\?(?:.*&)?video=v?(\d+)", r"www.twitch.tv/videos/\1"),
    (r"player\.twitch\.tv/\?(?:.*&)?channel=(\w+)", r"www.twitch.tv/\1"),
    (r"clips\.twitch\.tv/embed\?(?:.*&)?clip=([\w-]+)", r"clips.twitch.tv/\1"),
    (r"player\.bilibili\.com/player\.html\?(?:.*&)?bvid=(\w+)", r"www.bilibili.com/video/\1"),
    (r"player\.bilibili\.com/player\.html\?(?:.*&)?aid=(\d+)", r"www.bilibili.com/video/av\1"),
    (r"player\.youku\.com/embed/([\w=]+)", r"v.youku.com/v_show/id_\1.html"),
    (r"embed\.nicovideo\.jp/watch/(\w+)", r"www.nicovideo.jp/watch/\1"),
    (r"rutube\.ru/(?:play|video)/embed/(\w+)", r"rutube.ru/video/\1/"),
    (r"vk(?:video)?\.(?:com|ru)/video_ext\.php\?(?:.*&)?oid=(-?\d+)&id=(\d+)",
     r"vk.com/video\1_\2"),
    (r"embed\.ted\.com/(talks/[\w/-]+)", r"www.ted.com/\1"),
    (r"(?:www\.)?streamable\.com/(?:[eos]/)?(\w+)", r"streamable.com/\1"),
    (r"(?:www\.)?loom\.com/embed/(\w+)", r"www.loom.com/share/\1"),
    (r"(?:www\.)?archive\.org/embed/([\w.-]+)", r"archive.org/details/\1"),
    (r"(?:www\.)?((?:rumble|bitchute)\.com/embed/\w+|odysee\.com/\$/embed/[^?#]+)", r"\1"),
    (r"fast\.wistia\.(?:net|com)/embed/medias/(\w+)", r"fast.wistia.net/embed/iframe/\1"),
    (r"(fast\.wistia\.(?:net|com)/embed/iframe/\w+|players\.brightcove\.net/[^#]+|"
     r"cdn\.jwplayer\.com/players/[^?#]+|play\.vidyard\.com/[\w-]+)", r"\1"),
    (r"open\.spotify\.com/embed(?:-podcast)?/(\w+/\w+)", r"open.spotify.com/\1"),
    (r"embed\.(music|podcasts)\.apple\.com/([^?#]+)\?(?:[^#]*&)?i=(\d+)", r"\1.apple.com/\2?i=\3"),
    (r"embed\.(music|podcasts)\.apple\.com/([^?#]+)", r"\1.apple.com/\2"),
    (r"(?:[\w-]+\.)?(bandcamp\.com/EmbeddedPlayer/[^?#]+)", r"\1"),
    (r"platform\.twitter\.com/embed/(?:tweet|index)\.html\?(?:.*&)?id=(\d+)",
     r"twitter.com/i/status/\1"),
    (r"((?:www\.|mobile\.)?(?:twitter|x)\.com/\w+/status/\d+)", r"\1"),
    (r"(?:www\.|web\.|m\.)?(facebook\.com/(?:[\w.%-]+/(?:posts|videos|photos)/[^?#]+|reel/\d+|"
     r"groups/[\w.]+/(?:posts|permalink)/\d+|(?:watch/?|(?:story|permalink)\.php)\?[^#]+))",
     r"www.\1"),
    (r"(?:www\.)?instagram\.com/(?:[\w.]+/)?(p|reel|tv)/([\w-]+)", r"www.instagram.com/\1/\2/"),
    (r"(?:www\.)?tiktok\.com/(@[\w.]+/video/\d+)", r"www.tiktok.com/\1"),
    (r"(?:www\.)?(tiktok\.com/embed/(?:v2/)?\d+)", r"www.\1"),
    (r"embed\.bsky\.app/embed/(did:[\w:.]+)/app\.bsky\.feed\.post/(\w+)",
     r"bsky.app/profile/\1/post/\2"),
    (r"(bsky\.app/profile/[\w:.-]+/post/\w+)", r"\1"),
    (r"(?:embed|www)\.reddit(?:media)?\.com/(r/\w+/comments/[\w/-]+)", r"www.reddit.com/\1"),
    (r"([\w.-]+\.\w+/@[\w.@-]+/\d+)(?:/embed)?", r"\1"),
    (r"(?:www\.)?(threads\.(?:net|com)/@[\w.]+/post/[\w-]+)", r"www.\1"),
    (r"(t\.me/\w+/\d+)", r"\1"),
    (r"gist\.github\.com/((?:[\w-]+/)?[0-9a-f]+)", r"gist.github.com/\1"),
    (r"codepen\.io/([\w-]+)/(?:embed(?:/preview)?|pen|full)/(\w+)", r"codepen.io/\1/pen/\2"),
    (r"jsfiddle\.net/((?:[\w-]+/)?\w+(?:/\d+)?)(?:/embed(?:ded)?.*)?", r"jsfiddle.net/\1/"),
    (r"codesandbox\.io/(?:embed|s)/([\w-]+)", r"codesandbox.io/s/\1"),
    (r"stackblitz\.com/(edit/[\w-]+)", r"stackblitz.com/\1"),
    (r"(?:www\.)?(google\.\w+(?:\.\w+)?/maps/embed\?[^#]+)", r"www.\1"),
    (r"(?:www\.|maps\.)?(google\.\w+(?:\.\w+)?)/maps(?:/embed/v1/(?:place|search)\?|\?(?=[^#]*\b"
     r"output=embed))(?:[^#]*&)?(q=[^&#]+)", r"www.\1/maps?\2"),
    (r"((?:www\.|maps\.)?google\.\w+(?:\.\w+)?/maps(?:/ms)?\?[^#]*\boutput=embed[^#]*)", r"\1"),
    (r"(?:www\.)?(openstreetmap\.org/export/embed\.html\?[^#]+)", r"www.\1"),
    (r"(asciinema\.org/a/\w+)", r"\1"),
    (r"(medium\.com/media/\w+)", r"\1/href"),
    (r"(datawrapper\.dwcdn\.net/\w+)", r"\1/"),
    (r"(?:flo\.uri\.sh|public\.flourish\.studio)/(visualisation|story)/(\d+)",
     r"public.flourish.studio/\1/\2/"),
    (r"([\w.-]+\.\w+(?:/[^?#]*)?\.(?:mp[34]|webm|og[agv]|mov|m4[av]|wav|pdf)(?:\?[^#]*)?)", r"\1"),
)  # fmt: skip
_SITES = tuple(
    (lazy_pattern(f"(?:https?:)?//{pattern}", re.IGNORECASE), own) for pattern, own in _OF_SITES
)
"""What embedded addresses begin with, and the addresses of the same for readers, in the order in
which they are tried."""
_OF_A_SITE = lazy_pattern(
    f"(?:https?:)?//(?:{'|'.join(pattern for pattern, _ in _OF_SITES)})", re.IGNORECASE
)
"""What an address matches if it matches one of them."""
_NAMED = lazy_pattern(
    r"(?:https?:)?//(?:w\.soundcloud\.com/player/?\?(?:.*&)?url=|(?:www\.|web\.)?facebook\.com/plugins/"
    r"(?:video|post)(?:\.php|/)?\?(?:.*&)?href=|cdn\.embedly\.com/widgets/media\.html\?(?:.*&)?url=|"
    r"(?:www\.)?mixcloud\.com/widget/iframe/\?(?:.*&)?feed=|"
    r"hatenablog-parts\.com/embed\?(?:.*&)?url=)(https?(?::|%3A)[^&#]+)",
    re.IGNORECASE,
)
"""Players whose address holds the one of what they show."""
_SOURCES = ("src", "data-src", "data-lazy-src", "data-original", "data-url", "data-litespeed-src",
            "data-cmp-src", "data-cookieblock-src", "data-consent-src", "data-rocket-src",
            "data-orig-src", "data-suppressedsrc", "data-src-cmplz", "uc-src",
            "consent-original-src-_", "data-embed-src")  # fmt: skip
"""Attributes of frames; all but the first are copied to it by a script, some after consent."""
_SCRIPTS = ("gist.github.com/", "asciinema.org/a/", ".wistia.com/embed/medias/",
            ".wistia.net/embed/medias/")  # fmt: skip
"""Addresses of scripts that show something where they stand."""
_BY_ID = {
    "lite-youtube": ("videoid", "www.youtube.com/watch?v="),
    "amp-youtube": ("data-videoid", "www.youtube.com/watch?v="),
    "lite-vimeo": ("videoid", "vimeo.com/"),
    "amp-vimeo": ("data-videoid", "vimeo.com/"),
    "amp-dailymotion": ("data-videoid", "www.dailymotion.com/video/"),
    "amp-twitter": ("data-tweetid", "twitter.com/i/status/"),
    "amp-instagram": ("data-shortcode", "www.instagram.com/p/"),
    "wistia-player": ("media-id", "fast.wistia.net/embed/iframe/"),
    "amp-gist": ("data-gistid", "gist.github.com/"),
}
"""Elements that name what they embed by its id: the attribute, and what the address begins with."""
_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
_MEDIA = frozenset(("video", "audio", "amp-video", "amp-audio"))
EMBED_TAGS = frozenset((
    *_BY_ID, *_MEDIA, "iframe", "object", "embed", "script", "blockquote", "youtube-video",
    "vimeo-video", "amp-iframe", "amp-facebook", "amp-tiktok", "amp-reddit",
))  # fmt: skip
"""Elements that may embed something."""
_POST = re.compile(
    r"(?:^|\s)(?:twitter-(?:tweet|video)|instagram-media|tiktok-embed|mastodon-embed|bluesky-embed|"
    r"reddit-(?:embed-bq|card)|text-post-media|fb-xfbml-parse-ignore)(?!\S)"
)
"""Classes of the ``<blockquote>`` that a script makes an embedded post of."""
_POST_SOURCES = (
    "cite", "data-instgrm-permalink", "data-embed-url", "data-bluesky-uri",
    "data-text-post-permalink",
)  # fmt: skip
_MAX_CHARS = 1_000
_MAX_LINKS = 50
"""Links that are read of a post."""


def embed_of(element: etree._Element) -> str:
    """Return the address of what an element of ``EMBED_TAGS`` embeds; "" if it is no content."""
    tag: Any = element.tag
    if tag in _BY_ID:
        name, begin = _BY_ID[tag]
        value = (element.get(name) or "").strip()
        return f"https://{begin}{value}" if _ID.fullmatch(value) else ""
    if tag == "blockquote":
        classes = (element.get("class") or "")[:_MAX_CHARS]
        return (
            next(filter(None, map(known_address, _of_post(element))), "")
            if _POST.search(classes)
            else ""
        )
    if tag == "script":
        return script_address(element.get("src") or "", element.get("data-telegram-post") or "")
    if tag in _MEDIA:
        return _of_media(element)
    return next(filter(None, map(known_address, _addresses(element))), "")


def script_address(source: str, post: str) -> str:
    """Return the address of what a script shows where it stands; "" for other scripts.

    ``source``, ``post``: its attributes ``src`` and ``data-telegram-post``.
    """
    if post:
        return known_address(f"//t.me/{post}")
    source = source[:_MAX_CHARS]
    is_known = any(map(source.__contains__, _SCRIPTS))
    return known_address(source.removesuffix(".js")) if is_known else ""


def known_address(address: str) -> str:
    """Return the address of what an embedded address shows; "" for all others."""
    address = address.strip()
    if not 0 < len(address) <= _MAX_CHARS or "//" not in address:
        return ""
    if named := _NAMED.match(address):
        return unquote(named[1])
    for pattern, own in _SITES if _OF_A_SITE.match(address) else ():
        if match := pattern.match(address):
            return f"https://{match.expand(own)}"
    return ""


def _addresses(element: etree._Element) -> Iterator[str]:
    """Yield the addresses that an ``<iframe>``, ``<embed>`` or ``<object>`` may show."""
    yield from (element.get(name) or "" for name in _SOURCES)
    if element.tag == "object":
        yield element.get("data") or ""
        for inner in islice(element.iterdescendants("param", "embed", "iframe"), _MAX_LINKS):
            is_movie = (inner.get("name") or "").lower() in ("movie", "src", "url")
            yield (inner.get("value") if is_movie else inner.get("src")) or ""
    elif element.tag in ("amp-facebook", "amp-tiktok"):
        address = element.get("data-href") or element.get("data-src") or ""
        yield f"//www.tiktok.com/embed/v2/{address}" if address.isdecimal() else address


def _of_media(element: etree._Element) -> str:
    """Return the address of a ``<video>`` or ``<audio>``; "" for a moving background."""
    if element.get("autoplay") is not None and element.get("controls") is None:
        return ""
    sources = islice(element.iterchildren("source"), _MAX_LINKS)
    for one in (element, *sources):
        address = (one.get("src") or one.get("data-src") or "").strip()
        if 0 < len(address) <= _MAX_CHARS and not address.startswith(("data:", "blob:", "#")):
            return address
    return ""


def _of_post(element: etree._Element) -> Iterator[str]:
    """Yield the addresses that an embedded post may have; that of the post is its last link."""
    for name in _POST_SOURCES:
        value = element.get(name) or ""
        if value.startswith("at://"):
            value = value.replace("at://", "https://bsky.app/profile/", 1)
            value = value.replace("/app.bsky.feed.post/", "/post/", 1)
        yield value
    links = [a.get("href") or "" for a in islice(element.iterdescendants("a"), _MAX_LINKS)]
    yield from reversed(links)
