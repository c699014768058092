"""Tells by the names, ids and types of an element whether it is a post of a thread."""

from __future__ import annotations

import re
from functools import lru_cache

from scrapy_boilernet.extractor.posts import ThreadMark

_WORD = (
    r"(?:comment|reply|answer|response|kommentar|commentaire|comentario|comentário|commento|"
    r"reactie|antwort|respuesta|reponse|risposta)"
)
_WEAK_WORD = (
    r"(?:post|message|msg|question|posting|beitrag|entry|thing|email|mail|topic|discussion|"
    r"mensaje|messaggio|bericht)"
)
_PLACE = (
    r"(?:[-_]{0,2}(?:item|container|wrap(?:per)?|box|row|block|entry|bit|card|node|single|"
    r"listing))?"
)
_SURE_NAME = re.compile(
    rf"(?!(?:no|add|post|write|leave|view|show|hide|submit|load|more|new|all|of|to|edit|my|last|your)"
    rf"[-_])(?:[a-z]{{1,12}}[-_]){{0,3}}{_WORD}{_PLACE}|"
    r"crawler-post|onscreen-post|topic-post|postbit(?:legacy|im)?|postcontainer|b-post|cpost|"
    r"ipscomment|wbbpost|commentpost|poststream-item|post_wrapper|comtr|timeline-comment|"
    r"itemcomment|itemdiscussion|detailed-status|discussion-post|forum-?post|message--post|"
    r"h-cite|p-comment|u-comment|type-reply|posting-row|commentthread__comment|c-comment|"
    r"fatitem|status__wrapper|issue-body|node--type-forum|node-forum|react-issue-comment|usertext-post"
)
_LIKELY_NAME = re.compile(
    rf"(?:(?:js|bbp|user|forum|single|thread|board|p|c)[-_])?{_WEAK_WORD}{_PLACE}|h-entry|hentry|"
    r"status|link|listitem"
)
_ID_END = r"(?:[-_][a-z]{1,8})?[-_]?[a-z]?_?[0-9a-f]{0,8}\d[0-9a-f]{0,24}"
_SURE_ID = re.compile(
    rf"(?:[a-z]{{2,12}}[-_])?(?:el)?{_WORD}{_ID_END}|t1_\w+|thing_t1_\w+|dsq-\w+-\d+"
)
_LIKELY_ID = re.compile(
    rf"(?:[a-z]{{2,12}}[-_])?(?:el|table)?(?:{_WEAK_WORD}|p|pid|m|c|r|cmt|edit|reply|a){_ID_END}|"
    r"t3_\w+|thing_t3_\w+|question"
)
_OF_FORUMS = frozenset(
    "crawler-post onscreen-post postbitlegacy postcontainer b-post js-post cpost wbbpost plhin "
    "commentpost poststream-item post_wrapper comment-node post-listing timeline-comment commtext "
    "itemdiscussion postuser-name bbp-reply-header hnuser bigusername postmsg bbwrapper".split()
)
"""Names that only programs of forums give."""
_TYPES = frozenset({
    "comment", "answer", "question", "discussionforumposting", "usercomments", "socialmediaposting"
})  # fmt: skip
_NO_POST = re.compile(
    r"(?:\A|[\s_-])(?:form|respond|recent|latest|popular|related|widget|teaser|preview|\w*quote|"
    r"blockquote|sidebar|type-post|type-page|status-publish|format-standard|nav|menu|button|"
    r"advert|ad|sponsor|promo\w*|thumbnail|icon|toolbar|breadcrumb|input|editor|textarea|popup|"
    r"deleted|placeholder)s?(?=[\s_-]|\Z)"
)
"""Names of elements that are no posts, whatever else they are called."""
_TEXT = re.compile(
    r"(?:\A|\s)(?:user-?content|content|body|text|announcements?|list-announcement)(?=\s|\Z)"
)
"""Names of the text of a post, beside which ``message`` does not name a whole post."""
_THREAD_TYPES = re.compile(r"type-(?:reply|topic)|bbp-")
_NO_TAGS = frozenset(
    "a span button form label input textarea img time b i em strong p h1 h2 h3 h4 h5 h6 code pre "
    "blockquote body html nav select option abbr cite ul ol dl".split()
)
"""Elements that are no posts. A list may have the name of its items."""
_LINK = "fatitem"
_WITH_AUTHOR = frozenset(("listitem", "@turn"))
"""Names of an element that is a post if it names its author."""


def is_link(names: str) -> bool:
    """Return whether an element with these names is a link that somebody submitted, which is a post
    only if it has a text of its own, too.
    """
    return _LINK in names.split()


def post_strength(mark: ThreadMark, likely: bool) -> int:
    """Return 2 if an element is a post by its names, 1 if it is ``likely`` one, or else 0."""
    if mark.tag in _NO_TAGS:
        return 0
    if mark.type in _TYPES or mark.tag in ("shreddit-post", "shreddit-comment"):
        return 2
    if mark.author and not _WITH_AUTHOR.isdisjoint(mark.names.split()):
        return 2
    return _strength_of(mark.names, mark.id.lower(), likely)


@lru_cache(maxsize=1 << 12)
def _strength_of(names: str, id_: str, likely: bool) -> int:
    if _NO_POST.search(names) and not _THREAD_TYPES.search(names):
        return 0
    tokens = names.split()
    if any(map(_SURE_NAME.fullmatch, tokens)) or _SURE_ID.fullmatch(id_):
        return 2
    if (
        likely
        and not _TEXT.search(names)
        and (any(map(_LIKELY_NAME.fullmatch, tokens)) or _LIKELY_ID.fullmatch(id_))
    ):
        return 1
    return 0


@lru_cache(maxsize=1 << 12)
def is_of_forum(names: str) -> bool:
    """Return whether only programs of forums give one of these names."""
    return not _OF_FORUMS.isdisjoint(names.split())
