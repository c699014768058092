"""Who wrote a post, and who started a thread."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.labeled import LabeledPage

TEXTS = (
    "You can cut the net with a warm knife, and then seal the edge of it with a flame.",
    "I would rather use a pair of scissors, and some tape for the edge of it.",
    "Neither works on the wet nets that we have here in the north of Norway.",
)
USERS = "ada_l", "bo_chan", "cy77"


def page_of(body: str, head: str = "") -> LabeledPage:
    html = f"<title>How to cut a net?</title>{head}<main><h1>How to cut a net?</h1>{body}</main>"
    return extract(html, "https://a.example/x", formats=("markdown", "metadata", "posts"))


def answers(card: str) -> str:
    return "".join(
        f"<div class=answer id=answer-{n}><div class=post-text><p>{text}</p></div>"
        f"{card.format(user=user)}</div>"
        for n, (text, user) in enumerate(zip(TEXTS, USERS, strict=True))
    )


@pytest.mark.parametrize(
    "beside",
    ["", "<span class=reputation-score>210</span>", "<span class=rep>2,210</span>",
     "<div class=flair><span>210</span></div>", " <b class=badgecount>3</b> points"],
)  # fmt: skip
@pytest.mark.parametrize("link", ["/u/{user}", "/users/{user}", "profile?id={user}"])
@pytest.mark.parametrize("around", ["user-details", "user-info", "who"])
def test_a_number_beside_a_user_does_not_hide_the_user(beside: str, link: str, around: str) -> None:
    card = f'<div class="{around}"><a href="{link}">{{user}}</a>{beside}</div>'
    posts = page_of(answers(card)).posts
    assert posts
    assert tuple(post.author for post in posts[-3:]) == USERS


LIVE = (
    "<article class='comment post' id=comment-{n}><time datetime=2026-05-09T2{n}:00>2{n}:00</time>"
    "<p>{text}</p></article>"
)
SENTENCES = (
    "Voting is over. Turnout is said to be about 41 per cent in the town.",
    "He said on Monday that the boats will not sail any more this year.",
    "Wie dialektik bereits schrieb, ist das Netz zu nass für die Schere.",
    "The old captain said the harbour would be open again by the summer.",
    "Oh yes, he says at times that the nets are too wet for his knife.",
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_in_which_somebody_says_something_names_no_author(sentence: str) -> None:
    rows = [LIVE.format(n=n, text=text) for n, text in enumerate((sentence, *TEXTS[1:]))]
    posts = page_of(f"<div class=comments id=comments>{''.join(rows)}</div>").posts
    assert posts
    assert [post.author for post in posts] == [None] * 3


@pytest.mark.parametrize(
    ("said", "author"),
    [
        ("Ada Lund says:", "Ada Lund"),
        ("ada_l wrote on 3 May 2026", "ada_l"),
        ("Ada van der Lund said on May 3, 2026 at 10:00", "Ada van der Lund"),
        ("Ada schrieb am 3. Mai 2026:", "Ada"),
        ("Ada Lund a écrit :", "Ada Lund"),
        ("Ада Лунд написала:", "Ада Лунд"),
        ("ada77 said...", "ada77"),
    ],
)
def test_who_says_something_is_the_author(said: str, author: str) -> None:
    rows = "".join(
        f"<li class=comment id=comment-{n}><div class=x1>{said}</div><time "
        f"datetime=2026-05-0{n + 1}>{n + 1} May</time><p>{text}</p></li>"
        for n, text in enumerate(TEXTS)
    )
    posts = page_of(f"<ol class=comments id=comments>{rows}</ol>").posts
    assert posts
    assert [post.author for post in posts] == [author] * 3


FORUM = (
    "<html id=xenforo><div class='message post' id=post-{n}><div class=author><a class=username "
    "href=/members/{n}>{user}</a></div><span class=date>{n} May 2026</span><div class=content>"
    "<p>{text}</p></div></div>"
)
QUESTION = (
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "WebPage", '
    '"mainEntity": {"@type": "DiscussionForumPosting", "headline": "How to cut a net?"}}</script>'
)


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize(
    "head", ["", QUESTION, f"{QUESTION}<meta name=author content='Net Makers Forum'>"]
)
def test_the_author_of_a_thread_started_it(count: int, head: str) -> None:
    rows = [
        FORUM.format(n=n, user=user, text=text)
        for n, (user, text) in enumerate(zip(USERS, TEXTS, strict=True), 1)
    ]
    result = page_of("".join(rows[:count]), head)
    assert result.posts
    assert result.metadata
    assert len(result.posts) == count
    assert result.metadata.authors == (USERS[0],)


def test_the_stated_author_of_a_thread_stays() -> None:
    head = QUESTION.replace('a net?"}', 'a net?", "author": {"name": "Maud Ellery"}}')
    rows = "".join(FORUM.format(n=n, user=USERS[n], text=TEXTS[n]) for n in range(3))
    metadata = page_of(rows, head).metadata
    assert metadata
    assert metadata.authors == ("Maud Ellery",)


def test_two_authors_of_an_article_stay() -> None:
    byline = "".join(
        f"<p class=author>{name}</p><p>Reporter in the north</p>"
        for name in ("Maud Ellery", "Bo Chan")
    )
    metadata = page_of(f"{byline}<p>{' '.join(TEXTS)}</p>").metadata
    assert metadata
    assert metadata.authors == ("Maud Ellery", "Bo Chan")


MYBB = """<div class=post id=post_{n}><div class=post_author><div class=author_information><strong>
<span class=largetext><a href="member.php?action=profile&amp;uid={n}">{user}</a></span></strong>
</div></div><div class=post_content><span class=post_date>05-1{n}-2025, 08:00 AM</span><div
class=post_body>{text}</div></div><div class=post_controls><div class="postbit_buttons {buttons}">
{button}</div></div></div>"""
FIND = "<a href='search.php?action=finduser&amp;uid=1' class=postbit_find><span>Find</span></a>"


@pytest.mark.parametrize("buttons", ["author_buttons", "author-controls", "user_find"])
@pytest.mark.parametrize("button", [FIND, "<a href=/s>Suchen</a>"])
def test_a_button_beside_a_post_is_no_author(buttons: str, button: str) -> None:
    rows = (
        MYBB.format(n=n, user=user, text=text, buttons=buttons, button=button)
        for n, (user, text) in enumerate(zip(USERS, TEXTS, strict=True))
    )
    html = f"<title>Nets</title><div id=posts>{''.join(rows)}</div>"
    posts = extract(html, "https://a.example/showthread.php?tid=1", formats=["posts"]).posts or ()
    assert tuple(post.author for post in posts) == USERS


FLARUM = """<article><div class=PostUser><h3 class=PostUser-name>{user}</h3></div><div
class=Post-body><p>{text}</p></div></article><hr>"""


def test_posts_without_dates_and_names_of_their_own() -> None:
    rows = "".join(FLARUM.format(user=u, text=t) for u, t in zip(USERS, TEXTS, strict=True))
    html = f"<title>Nets</title><noscript><h1>Nets</h1><div>{rows}</div></noscript>"
    posts = extract(html, "https://a.example/d/1", formats=["posts"]).posts or ()
    assert tuple(post.author for post in posts) == USERS
    assert tuple(post.text for post in posts) == TEXTS
