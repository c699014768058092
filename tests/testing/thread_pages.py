"""Threads in the markup of forums that call replies comments, responses or posts."""

from __future__ import annotations

from collections.abc import Sequence

FIRST = (
    "The gate of the lower weir has been stuck since the frost. I have tried a lever and warm "
    "water, and the wheel turns a hand's breadth and no further."
)
REPLIES = (
    "Look at the chain behind the wheel first. Ours had a stone between two links, and it took a "
    "whole summer until somebody climbed down to look.",
    "Grease will not help you if the frame is bent, so hold a straight board against it before "
    "you buy anything, and write down where the light comes through.",
    "We had the same trouble two years ago. The keeper of the upper mill lent us a jack, and the "
    "gate came up with a noise that one could hear on the bridge.",
)
SIGNATURE = "Keeper of the old mill since 1998, and of eleven geese that know no mercy."
REPLY = {
    "comments": (
        '<li class="comment"><div class="comment-author">Ada</div>'
        '<div class="comments_body"><p>{}</p></div>'
        '<ul class="comment-tools"><li>Reply</li></ul></li>'
    ),
    "responses": (
        '<div class="post-response-item"><div class="response-header"><span>Ada</span></div>'
        '<div class="response-text-content"><span><p>{}</p></span></div></div>'
    ),
    "posts": (
        '<div class="tpost"><div class="smallfont">Ada</div>'
        '<div class="post_message">{}</div></div>'
    ),
    "bbpress": (
        '<div class="topic-reply"><div class="bbp-reply-author">Ada</div>'
        '<div class="bbp-reply-content"><p>{}</p></div></div>'
    ),
    "nodebb": (
        '<li component="post" class="pt-4"><div class="post-container d-flex"><div class="d-flex">'
        '<a class="fw-bold">Ada</a></div><div class="content text-break" component="post/content">'
        "<p>{}</p></div></div></li>"
    ),
    "in a form": (
        '<div class="entry"><p class="tagline">Ada</p><form class="usertext">'
        '<div class="usertext-body md-container"><div class="md"><p>{}</p></div></div></form></div>'
    ),
    "drupal": (
        '<article class="comment"><div class="comment-content">'
        '<div class="field field--name-comment-body">{}</div></div></article>'
    ),
}


def thread_page(reply: str, texts: Sequence[str] = REPLIES, head: str = "") -> str:
    """Return a thread whose replies have this markup, with a place for each text."""
    replies = "".join(map(reply.format, texts))
    return (
        f"<!doctype html><title>Stuck gate</title>{head}<body><nav><a href=/>Gardens</a></nav>"
        f'<main><h1>Stuck gate</h1><div class="first"><p>{FIRST}</p></div>'
        f'<section class="answers-of-all">{replies}</section></main>'
        "<footer><p>Perhaps</p></footer>"
    )


def members_page(lines: str, posts: int = 3) -> str:
    """Return a thread in a table, with these lines about its author beside each post."""
    row = "<tr><td><b>Ada</b><br>{}</td><td><div class=postbody>{}</div></td></tr>"
    rows = "".join(row.format(lines, REPLIES[n % len(REPLIES)]) for n in range(posts))
    return f"<title>Stuck gate</title><h1>Stuck gate</h1><table>{rows}</table>"
