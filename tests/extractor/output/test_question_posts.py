"""Posts of questions and answers: names and dates below the text, and signatures of editors."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.extractor.posts import Post

URL = "https://qa.example/questions/12/do-crabs-stay"
TEXTS = (
    "The crabs in the pool stay under the old stones while the tide is low and come out again "
    "when the water rises in the cold evening light of the bay.",
    "They stay since the pool keeps its water for the whole day and nothing that eats them can "
    "come near the stones at low tide in this place.",
    "Not all of them stay for long because the small ones go down to the sea with the tide and "
    "the others are eaten by the gulls in spring.",
)
NAMES = ("mara", "jo", "Ann")
KINDS = ("question", "answer", "answer")


def page_of(posts: list[str]) -> str:
    return (
        "<html lang=en><title>Do crabs stay?</title><header><a href=/>Forum</a> <a href=/members>"
        f"Members</a></header><main><h1>Do crabs stay?</h1>{''.join(posts)}</main>"
    )


def read(html: str, url: str = URL) -> tuple[tuple[Post, ...], LabeledPage]:
    result = extract(html, url, formats=["posts", "metadata"])
    assert result.posts is not None
    return result.posts, result


SIGNATURES = {
    "linked": '<div class="info"><time datetime="{day}T10:00:00Z">May {n}, 2024</time> <a '
    'href="/u/{name}">{name}</a></div>',
    "name first": '<div class="info"><a href="/u/{name}">{name}</a> <time datetime="{day}">May '
    "{n}</time></div>",
    "relative": '<div class="user-info"><span class="relativetime" title="{day} 10:00:00Z">May {n}'
    '</span> <a href="/users/{name}">{name}</a></div>',
    "username": '<div class="info"><time datetime="{day}">May {n}</time> <a class="username" '
    'href="/x/{name}">{name}</a></div>',
    "footer": '<footer><time datetime="{day}">{n}. Mai</time> von <a href="/benutzer/{name}">'
    "{name}</a></footer>",
    "small": '<p><small>le <time datetime="{day}">{n} mai</time> par <a href="/membre/{name}">'
    "{name}</a></small></p>",
    "icons": '<div class="info"><i class="clock" title="Posted"></i> <time datetime="{day}">May {n}'
    '</time> <a href="/u/{name}" title="{name}"><img src=a.png alt=""></a> <a href="/u/{name}">'
    "{name}</a></div>",
    "classes": '<div class="meta"><span class="date">{day}</span> <span class="author">{name}'
    "</span></div>",
    "two": '<div class="info"><div><time datetime="{day}">May {n}</time></div><div><a '
    'href="/u/{name}">{name}</a></div></div>',
    "words": '<div class="info">answered May {n}, 2024 by <a href="/u/{name}">{name}</a></div>',
}
ELEMENTS = {
    "div": '<div class="{kind}" id="a{n}">{}</div>',
    "li": '<li class="{kind}" id="a{n}">{}</li>',
    "article": '<article class="post" id="post-{n}">{}</article>',
    "comment": '<div class="comment" id="comment-{n}">{}</div>',
}


@pytest.mark.parametrize("signature", SIGNATURES)
@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("below", [True, False])
def test_the_name_and_the_date_of_a_post_may_stand_below_its_text(
    signature: str, element: str, below: bool
) -> None:
    posts = []
    for n, (kind, name, text) in enumerate(zip(KINDS, NAMES, TEXTS, strict=True), 1):
        signed = SIGNATURES[signature].format(n=n, name=name, day=f"2024-05-0{n}")
        body = f'<div class="post-text"><p>{text}</p></div>'
        inner = f"{body}{signed}" if below else f"{signed}{body}"
        posts.append(ELEMENTS[element].format(inner, n=n, kind=kind))
    found, result = read(page_of(posts))
    assert [(post.author, (post.date or "")[:10]) for post in found] == [
        (name, f"2024-05-0{n}") for n, name in enumerate(NAMES, 1)
    ]
    assert [post.text for post in found] == [*TEXTS]
    assert result.metadata is not None
    assert result.metadata.authors == NAMES[:1]


def test_a_date_between_two_posts_is_not_that_of_the_one_above() -> None:
    posts = [
        f'<div class="info"><time datetime="2024-05-0{n}">May {n}</time> <a href="/u/{name}">{name}'
        f'</a></div><div class="answer" id="a{n}"><div class="post-text"><p>{text}</p></div></div>'
        for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True), 1)
    ]
    found, _ = read(page_of(posts))
    assert [(post.author, post.date) for post in found] == [
        (name, f"2024-05-0{n}") for n, name in enumerate(NAMES, 1)
    ]


@pytest.mark.parametrize(
    "edit", ["edited <time datetime=2024-06-07>June 7</time>",
             "Zuletzt bearbeitet von mara am 7. Juni 2024, <span class=time>10:00</span>",
             "Zuletzt bearbeitet von mara am 7. Juni 2024",
             "Modifié le <span class=date>7 juin 2024</span>"]
)  # fmt: skip
def test_when_a_post_was_edited_is_not_when_it_was_posted(edit: str) -> None:
    posts = [
        f'<div class="answer" id="a{n}"><div class="post-text"><p>{text}</p></div><small>'
        f"{edit if n == 1 else ''}</small></div>"
        for n, text in enumerate(TEXTS)
    ]
    found, _ = read(page_of(posts))
    assert [post.date for post in found] == [None] * len(found)


SIGNED = (
    '<div class="post-signature"><div class="user-info"><div class="user-action-time">{word} <span '
    'class="relativetime" title="{day} 10:00:00Z">then</span></div><div class="user-details">'
    '<a href="/users/{name}">{name}</a><span class="badges">5,123</span></div></div></div>'
)
LINKED = (
    '<div class="info">{word} <time datetime="{day}">then</time> <a href="/u/{name}">{name}</a>'
    "</div>"
)
MENTIONS = {
    "none": "",
    "member": ' As <a href="/users/9">bob</a> says.',
    "account": ' Ask <a class="username" href="/u/bob">@bob</a>.',
    "manual": ' See <a href="https://manual.example/user-guide/">the guide</a>.',
    "day": ' The tide of <time datetime="2020-01-01">January</time> was high.',
}


def signed_posts(signature: str, tag: str, editor: str, mention: str) -> list[str]:
    posts = []
    for n, (kind, name, text) in enumerate(zip(KINDS, NAMES, TEXTS, strict=True), 1):
        edit = signature.format(word=editor, day="2024-06-07", name="zoe") if editor else ""
        own = signature.format(word="asked", day=f"2024-05-0{n}", name=name)
        element = tag if n == 1 else f'div class="{kind}" id="answer-{n}"'
        body = f'<div class="post-text"><p>{text}{mention}</p></div>'
        posts.append(f"<{element}>{body}{edit}{own}</div>")
    return posts


@pytest.mark.parametrize("tag", ['div id="question"', 'div class="question" id="question"'])
@pytest.mark.parametrize("signature", [SIGNED, LINKED])
@pytest.mark.parametrize("editor", ["", "edited", "bearbeitet", "modifié"])
@pytest.mark.parametrize("mention", MENTIONS)
def test_a_post_is_by_its_author_not_by_its_editor_or_who_is_in_its_text(
    tag: str, signature: str, editor: str, mention: str
) -> None:
    found, _ = read(page_of(signed_posts(signature, tag, editor, MENTIONS[mention])))
    assert [(post.author, (post.date or "")[:10]) for post in found] == [
        (name, f"2024-05-0{n}") for n, name in enumerate(NAMES, 1)
    ]


def test_an_author_below_the_date_of_a_change_stays() -> None:
    posts = [
        f'<div class="answer" id="a{n}"><div class="post-text"><p>{text}</p></div><div class=info>'
        f'edited <time datetime="2024-06-07">June 7</time> <a href="/u/{name}">{name}</a></div>'
        "</div>"
        for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True), 1)
    ]
    found, _ = read(page_of(posts))
    assert [post.author for post in found] == [*NAMES]


def test_a_name_at_the_start_of_a_text_is_the_author() -> None:
    posts = [
        f'<li class="comment" id="comment-{n}"><a href="/u/{name}">{name}</a>: {text} As '
        '<a href="/u/bob">bob</a> says.<div class=likes><a href="/u/zoe">zoe</a> likes this</div>'
        for n, (name, text) in enumerate(zip(NAMES, TEXTS, strict=True), 1)
    ]
    found, _ = read(page_of(posts))
    assert [post.author for post in found] == [*NAMES]


@pytest.mark.parametrize(
    ("line", "is_text"),
    [
        ("answered Mar 2, 2025 at 11:40", False),
        ("Asked on 2 March 2025, 3:05 pm", False),
        ("beantwortet am 2. März 2025 um 11:40 Uhr", False),
        ("répondu le 2 mars 2025 à 11h40", False),
        ("respondido el 2 de marzo de 2025", False),
        ("Answered on Mar 2, 2025 by the warden, who knows them.", True),
        ("Posted Mar 2, 2025 and never seen again.", True),
        ("It was answered Mar 2, 2025.", True),
        ("Answered in full.", True),
        ("2 crabs", True),
    ],
)
def test_when_a_post_was_answered_is_none_of_its_text(line: str, is_text: bool) -> None:
    posts = [
        f'<div class="{kind}" id="a{n}"><div class=x><p>{text}</p></div><div class=y>'
        f'{line if n == 2 else ""}</div><p><a href="/u/{name}">{name}</a></p></div>'
        for n, (kind, name, text) in enumerate(zip(KINDS, NAMES, TEXTS, strict=True), 1)
    ]
    found, _ = read(page_of(posts))
    assert [post.author for post in found] == [*NAMES]
    assert found[1].text == (f"{TEXTS[1]}\n{line}" if is_text else TEXTS[1])


def test_the_label_of_a_form_is_no_author() -> None:
    paragraphs = "".join(f"<p>{text}</p>" for text in TEXTS * 2)
    html = (
        f"<html lang=en><title>Crabs</title><article><h1>Crabs</h1>{paragraphs}</article>"
        '<div id=comments class="comment-box"><form class=comment-form><p '
        'class="comment-form-author"><label>Name</label><input name=author></p></form><h3>One '
        'Comment</h3><ul><li id=comment-14><h3><a class=url href="https://mara.example/">Mara</a>'
        f"</h3><p>{TEXTS[2]}</p><div><b>18. 05. "
        "2014</b> <b class=time-info>22:38</b></div></li></ul></div>"
    )
    found, _ = read(html, "https://blog.example/crabs")
    assert all(post.author != "Name" for post in found)
    assert [post.date for post in found] == ["2014-05-18T22:38:00"]


COMMENTS = (
    '<div class="comment"><span class="comment-text">Which pool is it?</span> '
    '<a class="comment-user" href="/u/bob">bob</a></div>',
    '<ul><li class="comment"><p>Which pool is it, please?</p><a class="username" href="/u/bob">bob'
    "</a></li></ul>",
    '<div class="comment" id="comment-7"><a class="author" href="/u/bob">bob</a> <span>Which pool '
    "is it?</span></div>",
)


@pytest.mark.parametrize("comment", COMMENTS)
@pytest.mark.parametrize("end", ["<span>{name}</span>", "{name}", '<b class="sig">{name}</b>'])
def test_the_writer_of_a_comment_is_not_that_of_the_answer_below(comment: str, end: str) -> None:
    html = page_of([
        f'<div class="{kind}"><div class="post-text"><p>{text}</p></div><div class="signed">'
        f'answered <time datetime="2026-01-0{n}">Jan {n}</time> {end.format(name=f"guest{n}")}'
        f"</div>{comment if n == 1 else ''}</div>"
        for n, (kind, text) in enumerate(zip(KINDS, TEXTS, strict=True), 1)
    ])  # fmt: skip
    posts, _ = read(html)
    of_answers = [post.author for post in posts if post.text.startswith(("They stay", "Not all"))]
    assert len(of_answers) == 2
    assert "bob" not in of_answers
