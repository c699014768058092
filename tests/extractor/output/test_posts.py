"""Posts of threads: pages written after the markup of many programs of forums."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scrapy_boilernet.crawl.item_values import page_values
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.extractor.output import document, post_places
from scrapy_boilernet.extractor.output.posts import find_posts
from scrapy_boilernet.extractor.output.threads import find_places
from scrapy_boilernet.extractor.posts import Post, Thread, read_posts, written_posts
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.columns import read, written

THREADS = sorted((Path(__file__).parent / "threads").glob("*.html"))
URL = "https://board.example/forum/viewtopic.php?t=1"


def posts_of(html: str, url: str = URL) -> tuple[Post, ...]:
    found = extract(html, url, formats=["posts"]).posts
    assert found is not None
    return found


@pytest.mark.parametrize("path", THREADS, ids=lambda path: path.stem)
def test_threads_of_many_programs(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    found = extract(path.read_bytes(), expected["url"], formats=["posts"]).posts or ()
    rows = [(post.author, post.date, post.answers) for post in found]
    assert rows == [(one["author"], one["date"], one["answers"]) for one in expected["posts"]]
    for number, (post, one) in enumerate(zip(found, expected["posts"], strict=True), 1):
        assert one["text"] in post.text
        assert post.number == number
        others = [other["text"] for other in expected["posts"] if other is not one]
        assert not any(text in post.text for text in others)
        assert post.xpath.startswith("/html/body[1]/")


def test_there_are_thirty_threads_in_several_languages() -> None:
    assert len(THREADS) >= 30
    languages = Counter(
        path.read_text(encoding="utf-8").partition('lang="')[2][:2] for path in THREADS
    )
    assert len(languages) >= 10


PHPBB = "<html lang=en><title>Forum</title><body id=phpbb><div id=page-body><h2>Pump</h2>{}</div>"
POST = """<div id="p{n}" class="post has-profile bg2"><dl class="postprofile"><dt>
<a href="./memberlist.php?mode=viewprofile&amp;u={n}" class="username">{author}</a></dt></dl>
<div class="postbody"><p class="author">by <a class="username" href="./memberlist.php?u={n}">
{author}</a> » {date}</p><div class="content">{text}</div><div class="signature">Be kind.</div>
</div></div>"""


def phpbb(*posts: tuple[str, str, str]) -> str:
    rows = (POST.format(n=n, author=a, date=d, text=t) for n, (a, d, t) in enumerate(posts, 1))
    return PHPBB.format("".join(rows))


def test_a_quote_stays_a_quote_of_the_post_that_quotes() -> None:
    first, second = posts_of(
        phpbb(
            ("Ann", "Tue Mar 02, 2021 8:15 pm", "<p>My <b>pump</b> runs <i>dry</i>.</p>"),
            ("Bo", "Wed Mar 03, 2021 7:02 am",
             "<blockquote><div>My pump runs dry.</div></blockquote>So does <a href='/x'>mine</a>."),
        )
    )  # fmt: skip
    assert first.markdown == "My **pump** runs *dry*."
    assert second.markdown == ("> My pump runs dry.\n\nSo does [mine](https://board.example/x).")
    assert second.text == "My pump runs dry.\nSo does mine."


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        ("2 mars 2021 à 20:15", "2021-03-02T20:15:00"),
        ("Di 2. März 2021, 20:15", "2021-03-02T20:15:00"),
        ("2 marca 2021, 20:15", "2021-03-02T20:15:00"),
        ("2021年3月2日 20:15", "2021-03-02T20:15:00"),
        ("2 марта 2021, 20:15", "2021-03-02T20:15:00"),
        ("3 hours ago", None),
    ],
)
def test_dates_in_many_languages(date: str, iso: str | None) -> None:
    html = phpbb(("Ann", date, "My pump runs dry."), ("Bo", date, "So does mine, since May."))
    assert [post.date for post in posts_of(html)] == [iso, iso]


BYLINES = {
    "by <a href=#>marlow_rides</a> » Sun Mar 10, 2024 9:14 am": "marlow_rides",
    "Posted by Ann Lee on 3 May 2024 at 10:00": "Ann Lee",
    "von <b>hans_w</b> am 3. Mai 2024": "hans_w",
    "par Émile le 3 mai 2024 à 10h": "Émile",
    "by owl0706, May 3, 2024": "owl0706",
    "by May 3, 2024": None,
    "May 3, 2024, 10:00 am": None,
}


@pytest.mark.parametrize(("line", "name"), BYLINES.items())
def test_a_byline_with_a_date_has_the_author_and_a_quote_has_none(
    line: str, name: str | None
) -> None:
    quote = "<blockquote><cite>Somebody wrote:</cite> The old words.</blockquote>"
    posts = (
        f"<div class=post id=p{n}><p class=author>{line}</p><div class=content>{quote if n else ''}"
        f"<p>The pump number {n} runs dry since the first days of the frost.</p></div></div>"
        for n in range(3)
    )
    html = f"<h1>Hub</h1><div id=page-body>{''.join(posts)}</div>"
    assert [post.author for post in posts_of(html)] == [name] * 3


@pytest.mark.parametrize(
    "words", ["Joined: 4 May 2010", "Registriert: 4. Mai 2010", "Inscrit le: 4 mai 2010",
              "Registrado: 4 mayo 2010", "Регистрация: 4 мая 2010"]
)  # fmt: skip
def test_when_an_author_became_a_member_is_no_date_of_a_post(words: str) -> None:
    html = phpbb(("Ann", "now", "My pump runs dry."), ("Bo", "now", "So does mine, since May."))
    html = html.replace("</dl>", f"<dd class=profile-joined>{words}</dd></dl>")
    assert [post.date for post in posts_of(html)] == [None, None]


ARTICLE = """<article class="post type-post hentry"><h1>The mill pond</h1><span class="author">
Ivy Stone</span> <time datetime="2021-03-01">March 1, 2021</time>{}</article>"""
PARAGRAPHS = "".join(
    f"<p>The council of the town has voted for the {what}, which will cost two million and take "
    "about three years, the mayor said on Monday evening after the meeting in the old hall.</p>"
    for what in ("mill pond", "fish ladder", "new weir", "path around the pond")
)


def test_an_article_has_no_posts() -> None:
    page = f"<title>The mill pond</title><body>{ARTICLE.format(PARAGRAPHS)}"
    assert posts_of(page, "https://news.example/mill") == ()


def test_the_form_for_comments_is_no_post() -> None:
    form = "<div class='comment-respond comment' id=comment-1><p>Please enter your comment!</div>"
    page = f"<title>The mill pond</title><body>{ARTICLE.format(PARAGRAPHS)}{form}"
    assert posts_of(page, "https://news.example/mill") == ()


def test_a_list_of_threads_is_no_thread() -> None:
    row = (
        '<li class="row"><dl><dt><a class=topictitle href="viewtopic.php?t={n}">Pump {n} '
        'runs but gives no water</a> by <a class=username href="memberlist.php?u={n}">u{n}</a></dt>'
        "<dd>12</dd><dd>{n} March 2021, 20:15</dd></dl></li>"
    )
    rows = "".join(row.format(n=n) for n in range(1, 21))
    page = f"<html lang=en><title>Pumps</title><body><ul class='topiclist topics'>{rows}</ul>"
    assert posts_of(page, "https://board.example/forum/viewforum.php?f=1") == ()


def test_the_bytes_of_nothing_have_no_posts() -> None:
    for html in ("", "<p>", "\0", "<div class=comment>", "<div id=p1 class=post><time>"):
        assert posts_of(html) == ()


def test_posts_go_through_frames() -> None:
    result = extract(THREADS[0].read_bytes(), URL, formats=["posts"])
    plain, columns = written(result)
    assert read(json.loads(json.dumps(plain)), columns).posts == result.posts
    assert result.page.thread is None
    assert read_posts(written_posts(None)) is None
    assert read_posts(written_posts(())) == ()


def test_items_get_posts() -> None:
    result = extract(THREADS[0].read_bytes(), URL, formats=["posts"])
    value = page_values(result, Config(posts_field="posts"), "m")["posts"]()
    assert repr(value) == f"<{len(result.posts or ())} posts>"
    assert value == [post.as_dict() for post in result.posts or ()]


def test_pages_without_the_format_are_not_read_for_posts() -> None:
    result = extract(THREADS[0].read_bytes(), URL, formats=["markdown"])
    assert (result.posts, result.page.thread) == (None, None)
    with pytest.raises(ValueError, match="the page has no markup"):
        find_posts(result)


@pytest.mark.parametrize("kind", ["flat", "nested"])
def test_the_work_grows_with_the_page(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[int] = Counter()
    note, builder = post_places.Place.note, document._Builder.__init__
    number = 500

    def noted(place: Any, mark: Any) -> None:
        counts[number] += 1
        note(place, mark)

    def built(self: Any, page: Any, *args: Any) -> None:
        counts[number] += len(page.blocks)
        builder(self, page, *args)

    monkeypatch.setattr(post_places.Place, "note", noted)
    monkeypatch.setattr(document._Builder, "__init__", built)
    for number in (500, 1000):
        assert len(find_posts(labeled_thread(number, kind == "nested"))) == number
    assert counts[500] < counts[1000] <= 2.1 * counts[500]


def labeled_thread(number: int, nested: bool) -> LabeledPage:
    """Return a page of so many comments, all of which are content."""
    rows = "".join(
        f"<div class=comment id=comment-{n}><span class=author>u{n}</span> "
        f"<time datetime=2021-03-02>x</time><div class=content><p>Pump {n} runs.</p></div>"
        + ("</div>" if not nested else "</div>" * 40 if n % 40 == 39 else "")
        for n in range(number)
    )
    page = blockify(f"<title>t</title>{rows}", URL, markup=True, thread=True)
    size = len(page.blocks)
    return LabeledPage(
        page, ("content",) * size, ("main",) * size, ("model",) * size, (0.9,) * size, 0.9, "m", 0.5
    )


ENDS = {
    "links": "<p><a href=/a>Antworten</a> <a href=/q>Zitieren</a></p>",
    "numbers": "<p>{n} Me gusta</p>",
    "both": "<p>{n} 件</p><p><a href=/a>返信</a></p>",
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("first", ["", "<p>Beitrag {n}</p>", "<p><a href=/m>Mensaje</a></p>"])
def test_what_most_posts_begin_or_end_with_is_none_of_their_text(end: str, first: str) -> None:
    rows = "".join(
        f"<tr><td><a href=/user/{n}>Ann{n}</a> 2 Mar 2021, 10:0{n}<td>{first.format(n=n)}"
        f"<p>The {word} pump runs again since it was cleaned and oiled.</p>{ENDS[end].format(n=n)}"
        for n, word in enumerate(("old", "new", "big", "red", "wet"))
    )
    found = posts_of(f"<title>Pumps - Forum</title><table>{rows}</table>")
    assert [post.text for post in found] == [
        f"The {word} pump runs again since it was cleaned and oiled."
        for word in ("old", "new", "big", "red", "wet")
    ]


def test_posts_keep_what_few_of_them_end_with_and_their_last_text() -> None:
    bodies = [f"<p>Pump {word}.</p><p>Bye</p>" for word in ("one", "two")] + ["<p>Bye</p>"] * 3
    rows = "".join(
        f"<div class=comment id=comment-{n}><a class=author href=/user/{n}>Ann{n}</a> <time "
        f"datetime=2021-03-02>x</time><div class=comment-text>{body}</div></div>"
        for n, body in enumerate([*bodies, "<p>Pump three.</p>", "<p>Pump four.</p>"])
    )
    texts = [post.text for post in posts_of(f"<title>Pumps - Forum</title>{rows}")]
    assert texts[:4] == ["Pump one.\nBye", "Pump two.\nBye", "Bye", "Bye"]


def test_a_text_that_names_members_is_the_text() -> None:
    names = [f"<a href=/member.php?u={n}>Ann{n}</a>" for n in range(5)]
    words = ("old", "new", "big", "red", "wet")
    rows = "".join(
        f"<div class=postcontainer id=post_{n}><div class=username>{names[n]}</div><span "
        f"class=date>2 Mar 2021</span><div class=postcontent>Ask {names[n - 1]} how the {word} "
        f"pump was oiled, and by whom it was cleaned.<div class=description>Code:</div><p>The "
        f"{word} one.</p></div></div>"
        for n, word in enumerate(words)
    )
    texts = [post.text for post in posts_of(f"<title>Pumps - Forum</title>{rows}")]
    assert texts == [
        f"Ask Ann{(n - 1) % 5} how the {word} pump was oiled, and by whom it was cleaned."
        f"\nCode:\nThe {word} one."
        for n, word in enumerate(words)
    ]


def test_a_page_with_a_thread_of_no_marks_has_no_places() -> None:
    result = extract("<p>One. Two.</p>", formats=["markdown"])
    assert find_places(replace(result), Thread()).places == []


QUOTES = {
    "blockquote": "<blockquote>{}</blockquote>",
    "div": "<div class=bbcode_quote>{}</div>",
    "two": "<blockquote><div><cite>{}</cite></div></blockquote>",
}
FOLLOWING = {
    "Bed them in:": "<ol><li>Ride at 20 km/h.</li></ol>It helps every time.",
    "Fahr sie ein, so:": "<ul><li>20 km/h fahren</li></ul>Das hilft jedes Mal.",
    "Il faut les roder, comme ceci :": "<ul><li>Roulez à 20 km/h.</li></ul>Cela aide toujours.",
}


@pytest.mark.parametrize("quote", QUOTES)
@pytest.mark.parametrize("text", FOLLOWING)
@pytest.mark.parametrize("verb", ["wrote:", "schrieb am 2. April 2024:", "a écrit :"])
def test_the_text_behind_a_quote_of_a_linked_member_stays(quote: str, text: str, verb: str) -> None:
    words = f"<a href='./memberlist.php?u=3'>gus</a> {verb} My rear brake squeaks when it is wet."
    own = f"{QUOTES[quote].format(words)}{text}{FOLLOWING[text]}"
    html = phpbb(("gus", "Tue Apr 02, 2024 5:20 pm", "My rear brake squeaks when it is wet."),
                 ("mia", "Tue Apr 02, 2024 6:05 pm", own),
                 ("gus", "Wed Apr 03, 2024 7:40 am", "I will try that on the way to work, and tell "
                  "you tomorrow whether it is any quieter on the long descent."))  # fmt: skip
    for page in (html, html.replace('<div class="content">', "<div>")):
        assert text in posts_of(page)[1].text


QUOTED = {
    "discourse": '<aside class="quote" data-username="oskar" data-post="1"><div class=title>oskar:'
    "</div><blockquote><p>It is dry.</p></blockquote></aside>",
    "xenforo": '<blockquote class="bbCodeBlock--quote" data-quote="oskar" data-author="oskar">'
    "<div><a href='/u/oskar'>oskar said:</a></div><div>It is dry.</div></blockquote>",
    "phpbb": "<blockquote><cite><a class=username href='./memberlist.php?u=1'>oskar</a> wrote: "
    "<span>Tue Mar 02, 2021 8:15 pm</span></cite>It is dry.</blockquote>",
    "german": "<blockquote><p><b class=author>oskar</b> schrieb am <time datetime=2021-03-02>2. "
    "März</time>:</p><p>It is dry.</p></blockquote>",
}
ANSWERED = {
    "address": "<a href='./viewtopic.php?p=1234567#p1234567' data-post-id=1234567>↑</a>",
    "fragment": "<a href='#p1234567'>↑</a>",
    "no id": "<a href='./viewtopic.php?p=1234567#p1234567'>↑</a>",
    "elsewhere": "<a href='./viewtopic.php?p=7654321#p7654321' data-post-id=7654321>↑</a>",
    "a page": "<a href='./viewtopic.php?p=1234567'>↑</a>",
}


@pytest.mark.parametrize("link", ANSWERED)
@pytest.mark.parametrize("inner", ["cite", "div"])
@pytest.mark.parametrize("below", ["", "<p>Bye</p>"])
def test_a_post_answers_the_one_to_which_the_head_of_its_quote_leads(
    link: str, inner: str, below: str
) -> None:
    quote = (
        f"<blockquote><div><{inner}><a href='./memberlist.php?u=1'>Ann</a> wrote: {ANSWERED[link]}"
        f"</{inner}>My pump runs dry.</div></blockquote>So does mine, since May.{below}"
    )
    html = phpbb(("Ann", "now", "My pump runs dry."), ("Bo", "now", quote), ("Cy", "now", "See?"))
    for n in (1, 2, 3):
        html = html.replace(f'id="p{n}"', f'id="p123456{n + 6}"')
    answer = None if link in ("elsewhere", "a page") else 1
    assert [post.answers for post in posts_of(html)] == [None, answer, None]


OF_POST = {
    "item": "<span class=creator itemprop=author itemscope itemtype=http://schema.org/Person>"
    "<a itemprop=url href='/p/tess'><span itemprop=name>tess</span></a> (Tess)</span>",
    "coloured": '<a class="username-coloured">tess</a>',
    "guest": "<span class=username>tess</span>",
    "profile": "<a href='/member.php?2'>tess</a>",
}


@pytest.mark.parametrize("quote", QUOTED)
@pytest.mark.parametrize("name", OF_POST)
def test_who_is_quoted_is_not_the_author(quote: str, name: str) -> None:
    posts = (
        f"<div id=post_{n} class='topic-body crawler-post'><div class=meta>{OF_POST[name]}</div>"
        f"<div class=post>{QUOTED[quote]}<p>Then it is the float switch number {n}.</p></div></div>"
        for n in (1, 2, 3)
    )
    found = posts_of(f"<h1>Pump</h1>{''.join(posts)}")
    assert [(post.author, post.date) for post in found] == [("tess", None)] * 3


@pytest.mark.parametrize("word", ["on:", "am:", "le :", "&laquo;"])
def test_dates_above_posts_in_small_text(word: str) -> None:
    posts = (
        f"<div><table><tr><td><a href=?msg{n}>Re: Pump</a><div class=smalltext><b>{word}</b> "
        f"2021-03-0{n}</div></td></tr></table><div class=post><blockquote>On 2020-01-01 it ran dry."
        f"</blockquote>My pump number {n} runs dry since the first days of the frost.</div></div>"
        for n in (1, 2, 3)
    )
    html = f"<p><span class=smalltext>Now: 2024-05-06</span></p><h1>Pump</h1>{''.join(posts)}"
    assert [post.date for post in posts_of(html)] == ["2021-03-01", "2021-03-02", "2021-03-03"]


IMAGE, SHOWN = "<img src=/a.jpg alt=A>", "![A](https://board.example/a.jpg)"
VIDEO = "<iframe src='https://www.youtube.com/embed/abc'></iframe>"
WATCHED = "<https://www.youtube.com/watch?v=abc>"


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("{0}<br><br>{1}", "{0}\n\n{1}"),
        ("<p>{0}</p><p>{1}</p>", "{0}\n\n{1}"),
        ("<p>{0}</p><figure>{1}</figure>", "{0}\n\n{1}"),
        ("<div><p>{0}</p></div><div><div>{1}</div></div>", "{0}\n\n{1}"),
        ("{1}<br>{0}", "{1}\n\n{0}"),
        ("<div>{1}</div><p>{0}</p>", "{1}\n\n{0}"),
        ("<p>{0}</p><img src=/avatar.jpg alt=Ann>", "{0}"),
        ("<p>{0}</p><div>{1}<i hidden>a.jpg</i></div>", "{0}\n\n{1}"),
        ("{0}<br><i class=pstatus>本帖最后由 Ann 于 2025-5-1 编辑</i><br>{1}", "{0}\n\n{1}"),
        ("<p>{0}</p><p class=notice>{1} Changed by Bo</p>", "{0}"),
        ("<p>{0}</p><div class=signature>{1} My boat is my castle.</div>", "{0}"),
        ("<p>{0}</p><div class=signature><p>My boat is my castle.</p>{1}</div>", "{0}"),
    ],
)
@pytest.mark.parametrize(("shown", "written"), [(IMAGE, SHOWN), (VIDEO, WATCHED)])
def test_a_post_may_begin_and_end_with_a_picture(
    body: str, markdown: str, shown: str, written: str
) -> None:
    text = "The pump number one runs dry since the first days of the frost."
    others = ("Bo", "Wed Mar 03, 2021 7:02 am", "So does mine, since the end of May.")
    first, second = posts_of(phpbb(("Ann", "Mar 02, 2021", body.format(text, shown)), others))
    assert first.markdown == markdown.format(text, written)
    assert second.markdown == others[2]


@pytest.mark.parametrize(
    ("end", "markdown"),
    [
        ("<i class=pstatus>本帖最后由 Ann 于 2025-5-1 09:00 编辑</i>", ""),
        ("<span class=email-hidden-toggle><a href='#'>…</a></span>", ""),
        ("<p><i>Written by the sea.</i></p>", "\n\n*Written by the sea.*"),
        ("<p class=email-fragment>…</p>", "\n\n…"),
    ],
)
def test_what_programs_write_below_the_text_of_a_post_is_left_out(end: str, markdown: str) -> None:
    text = "The pump number one runs dry since the first days of the frost."
    posts = posts_of(
        phpbb(("Ann", "May 1, 2025", f"<p>{text}</p>{end}"), ("Bo", "May 2, 2025", text))
    )
    assert [post.markdown for post in posts] == [f"{text}{markdown}", text]


@pytest.mark.parametrize(
    ("language", "dates", "days"),
    [
        ("en", ("05-01-2025", "05-13-2025"), ("2025-05-01", "2025-05-13")),
        ("", ("05-01-2025, 08:00 AM", "05-13-2025, 09:00 AM"),
         ("2025-05-01T08:00:00", "2025-05-13T09:00:00")),
        ("en", ("05/01/2025", "13/02/2025"), ("2025-01-05", "2025-02-13")),
        ("en-US", ("05/01/2025", "06/01/2025"), ("2025-05-01", "2025-06-01")),
        ("en-US", ("05-01-2025", "25-01-2025"), ("2025-01-05", "2025-01-25")),
        ("en", ("05-01-2025", "05-02-2025"), ("2025-01-05", "2025-02-05")),
        ("de", ("05-01-2025", "05-13-2025"), ("2025-01-05", "2025-05-13")),
        ("en", ("13-01-2025", "01-13-2025"), ("2025-01-13", "2025-01-13")),
    ],
)  # fmt: skip
def test_dates_in_numbers_have_the_order_that_all_of_a_page_allow(
    language: str, dates: tuple[str, str], days: tuple[str, str]
) -> None:
    texts = ("The pump number one runs dry.", "So does mine, since the end of May.")
    rows = (("Ann", date, text) for date, text in zip(dates, texts, strict=True))
    html = phpbb(*rows).replace("lang=en", f"lang={language!r}").replace("» ", "<span class=date>")
    assert tuple(post.date for post in posts_of(html)) == days
