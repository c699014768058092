"""What a thread tells of its members is no text."""

from __future__ import annotations

import pytest
from testing.thread_pages import members_page

from scrapy_boilernet.extractor.decide.members import tell_of_members
from scrapy_boilernet.extractor.html.blockify import blockify

THREAD = "https://mills.example/forum/viewtopic.php?t=12"


def told(lines: str, url: str = THREAD, posts: int = 3) -> list[str]:
    """The texts that tell of members, in a thread with these lines beside each post."""
    page = blockify(members_page(lines, posts), url)
    places = tell_of_members(page, range(len(page.blocks)))
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
    ],
)
def test_other_lines_stay(line: str) -> None:
    assert told(f"<div>{line}</div>") == []
