"""Threads of questions and answers: what is a post, and when it was written."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.extractor.posts import Post

QUESTION = "My runner beans always turn counter-clockwise around their canes. Why is it so?"
ANSWERS = (
    "No, it is in the genes. Most twining plants turn counter-clockwise from above.",
    "Mine turn either way, as I plant them near a wall, which may matter for light.",
)
TYPES = ("Question", "DiscussionForumPosting")
ABOVE = (
    "<div>Asked <time itemprop=dateCreated datetime=2023-06-01>1 year ago</time></div>"
    "<div>Modified <a href='?l'>11 months ago</a></div><div>Viewed 2k times</div>",
    "<div>Gefragt <time datetime=2023-06-01>vor einem Jahr</time></div><div>2000 Aufrufe</div>",
)
BETWEEN = ("<h2>2 Answers</h2><div>Sorted by: <select><option>Score</select></div>",
           "<h3>2 Antworten</h3>")  # fmt: skip
ASKED = '<span title="2023-06-01 10:00:00Z">Jun 1, 2023</span>'


def posts_of(html: str) -> tuple[Post, ...]:
    found = extract(html, "https://garden.example/questions/1/beans", formats=["posts"]).posts
    assert found is not None
    return found


def signed(name: str, dates: str) -> str:
    return (
        f"<div class=post-signature>{dates}<div class=user-details itemprop=author itemscope "
        f"itemtype=http://schema.org/Person><a href='/users/7'>{name}</a></div></div>"
    )


def answers(dates: str) -> str:
    return "".join(
        f"<div id=answer-{n} class=answer itemscope itemtype=http://schema.org/Answer>"
        f"<div class=js-post-body itemprop=text><p>{text}</p></div>{signed(f'Ann{n}', dates)}</div>"
        for n, text in enumerate(ANSWERS)
    )


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("inner", ["div class=question", "article class=post"])
def test_an_element_around_a_thread_is_no_post(
    kind: str, above: str, between: str, inner: str
) -> None:
    date = f"<span class=date>{ASKED}</span>"
    found = posts_of(
        f"<div itemscope itemtype=https://schema.org/{kind}><h1 itemprop=name><a href='/q'>Why do "
        f"beans climb?</a></h1>{above}<main><{inner} id=post-1><div class=js-post-body><p>"
        f"{QUESTION}</p></div>{signed('Mo', date)}</{inner.split()[0]}>{between}{answers(date)}"
        "</main><form><h2>Your Answer</h2></form></div>"
    )
    assert [post.text for post in found] == [QUESTION, *ANSWERS]
    assert [post.author for post in found] == ["Mo", "Ann0", "Ann1"]
    assert [post.answers for post in found] == [None, 1, 1]


EDITS = ("edited {}", "Last edited by Bo {}", "bearbeitet am {}", "(modifié le {})", "editado {}",
         "отредактировано {}")  # fmt: skip
POSTED = ("answered {}", "beantwortet am {}", "posté le {}", "{}")


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("posted", POSTED)
@pytest.mark.parametrize("apart", ["</div><div class=user-action-time>", " ", " · "])
@pytest.mark.parametrize("is_time", [True, False])
def test_the_date_of_an_edit_is_not_that_of_the_post(
    edit: str, posted: str, apart: str, is_time: bool
) -> None:
    dates = ["2023-07-01T08:00:00", "2023-06-02T08:00:00"]
    marks = (
        f"<time datetime={date}>{text}</time>"
        if is_time
        else f"<span class=relativetime title={date}>{text}</span>"
        for date, text in zip(dates, ("3 days ago", "2 Jun"), strict=True)
    )
    first, last = (line.format(mark) for line, mark in zip((edit, posted), marks, strict=True))
    for one, other in ((first, last), (last, first)):
        line = f"<div class=user-action-time>{one}{apart}{other}</div>"
        found = posts_of(f"<h1>Beans</h1>{answers(line)}")
        assert [(post.author, post.date) for post in found] == [
            ("Ann0", dates[1]), ("Ann1", dates[1])
        ]  # fmt: skip


SUBMITTED = "I live by the sea and wanted to see the next high water in my prompt."
COMMENT = (
    '<tr class="athing comtr" id=10{n}><td class=default><span class=comhead><a class=hnuser '
    'href="user?id=ann{n}">ann{n}</a> <span class=age title="2024-03-0{n}T14:10:00">now</span>'
    "</span><div class=comment><div class=commtext>Which port number {n} is it for, and does it "
    "work offline?</div></div></td></tr>"
)


@pytest.mark.parametrize("text", [f"<tr><td><div class=toptext>{SUBMITTED}</div></td></tr>", ""])
@pytest.mark.parametrize("table", ["table", "div"])
def test_a_submitted_link_is_a_post_if_it_has_a_text(text: str, table: str) -> None:
    rows = "".join(COMMENT.format(n=n) for n in (1, 2, 3))
    head = (
        '<tr class="athing submission" id=100><td class=title><span class=titleline><a href="/t">'
        "Show HN: A tide clock</a></span></td></tr><tr><td class=subtext>112 points by <a "
        'class=hnuser href="user?id=kelp">kelp</a> <span class=age title="2024-03-01T13:00:00">4 '
        "hours ago</span></td></tr>"
    )
    parts = f"<table class=fatitem>{head}{text}</table><table>{rows}</table>"
    if table == "div":
        parts = parts.replace("<table class=fatitem>", "<div class=fatitem><table>")
        parts = parts.replace("</table>", "</table></div>", 1)
    found = [(post.author, post.date) for post in posts_of(parts)]
    own = [("kelp", "2024-03-01T13:00:00")] if text else []
    assert found == [*own, *((f"ann{n}", f"2024-03-0{n}T14:10:00") for n in (1, 2, 3))]
