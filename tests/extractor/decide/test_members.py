"""What a thread tells of its members is no text."""

from __future__ import annotations

import numpy as np
import pytest
from testing.thread_pages import members_page

from scrapy_boilernet.extractor.decide.members import dates_of_posts, tell_of_members
from scrapy_boilernet.extractor.html.blockify import blockify

THREAD = "https://mills.example/forum/viewtopic.php?t=12"


def told(lines: str, url: str = THREAD, posts: int = 3) -> list[str]:
    """The texts that tell of members, in a thread with these lines beside each post."""
    page = blockify(members_page(lines, posts), url)
    kept = np.full(len(page.blocks), True)
    places = {*tell_of_members(page, kept), *dates_of_posts(page, range(len(kept)))}
    return [page.texts[place] for place in sorted(places)]


@pytest.mark.parametrize(
    "lines",
    [
        ["Joined: Tue May 13, 2008 8:17 am", "Posts: 1,226", "Location: Upper mill"],
        ["Join Date: Jan 2004", "Posts: 18"],
        ["Registriert: 2. März 2011", "Beiträge: 340", "Wohnort: Bremen"],
        ["Inscrit le: 03/05/2012", "Messages: 77", "Localisation : Lyon"],
        ["Registrado: 4 Ene 2009", "Mensajes: 12"],
        ["Зарегистрирован: 12 мар 2010", "Сообщения: 45", "Откуда: Тула"],
        ["注册时间：2012-3-4", "帖子：99"],
    ],
)
def test_lines_beside_each_post_are_told(lines: list[str]) -> None:
    html = "".join(f"<div>{line}</div>" for line in lines)
    assert told(html) == lines * 3
    assert told(html, url="https://mills.example/people") == lines * 3
    assert told(html, posts=2) == []


@pytest.mark.parametrize("line", ["Posts: 1,226", "Joined: May 2008", "Beiträge: 12"])
def test_one_kind_of_lines_is_told_in_a_thread_only(line: str) -> None:
    assert told(f"<div>{line}</div>") == [line] * 3
    assert told(f"<div>{line}</div>", url="https://mills.example/people") == []


@pytest.mark.parametrize(
    "line",
    [
        "Location: Upper mill",
        "Gender: unknown",
        "Posts are cut at 40: so says the keeper of the lower weir",
        "Posts: oak, " + "larch and " * 8 + "pine",
        "From: Ada, to all who keep a mill",
        "Status: sold",
        "Post: professor of history",
    ],
)
def test_other_lines_stay(line: str) -> None:
    assert told(f"<div>{line}</div>") == []


@pytest.mark.parametrize(
    "date",
    [
        "Sat Jan 04, 2020 10:34 pm", "25.12.2009, 07:40 #15", "Posted: Fri Jul 27, 2007 1:40 am",
        "4 December 2016 at 12:25AM", "20. April 2020 11:20", "le 3 mars 2012 à 14:05",
        "3 de mayo de 2011, 18:20", "2019-02-24, 02:31 AM", "2020年1月3日 10:22", "сегодня, 12:03",
        "Yesterday, 8:01 AM", "2 years ago", "vor 3 Monaten", "« 17.05.2011 »",
    ],
)  # fmt: skip
def test_dates_of_posts_are_told_in_a_thread_only(date: str) -> None:
    assert told(f"<div>{date}</div>") == [date] * 3
    assert told(f"<div>{date}</div>", url="https://mills.example/people") == []
    assert told(f"<div>{date}</div>", posts=2) == []


def test_a_list_of_threads_keeps_its_dates() -> None:
    rows = "".join(f"<tr><td><a href=/{n}>Gate {n}</a><td>Jan 4, 202{n}" for n in range(6))
    page = blockify(f"<h1>Gates</h1><table>{rows}</table>", THREAD)
    assert dates_of_posts(page, range(len(page.blocks))) == []


@pytest.mark.parametrize("html", ["<h3>May 3, 1945</h3>", "<div>Yesterday!</div>"])
def test_chronicles_and_answers_keep_their_days(html: str) -> None:
    assert told(html) == []


@pytest.mark.parametrize(
    "url", ["https://github.com/mills/weirs/releases", "https://mills.example/history/1945"]
)
def test_a_page_that_is_hardly_a_thread_keeps_its_lines(url: str) -> None:
    for line in ("May 3, 2015", "Registered: 1923"):
        assert told(f"<div>{line}</div>", url=url) == []


@pytest.mark.parametrize(
    "line", ["It froze on 4 January 2020 and we were out.", "Version 2.10.3", "Chapter 12, 1998 on"]
)
def test_other_lines_with_numbers_stay(line: str) -> None:
    assert told(f"<div>{line}</div>") == []
