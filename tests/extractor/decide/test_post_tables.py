"""Tables that lay out posts are no data tables."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.decide.tables import data_tables
from scrapy_boilernet.extractor.html.blockify import blockify

POSTS = {
    "a table per post": "<table class=tborder id=post{n}><tr><td>03-02-2024<td>#<b>{n}</b><tr><td>"
    "<a href=/m>{name}</a><div>Member</div><td id=td_post_{n}><div id=post_message_{n}>{text}</div>"
    "</table>",
    "rows of one table": "<tr><td><b>{name}</b><td class=date>2. März 2024<tr><td>Rang<td>"
    "<span class=postbody>{text}</span>",
    "heads of authors": "<table><tr><th>{name}<th>10:02<tr><th>Gast<td class=message-body><p>{text}"
    "</table>",
    "sections": "<table><tbody><tr><td>{name}<td>1 пост<tr><td>#{n}<td><div class='comment-text'>"
    "{text}</div></tbody></table>",
}
TEXTS = [
    ("Reed", "The gate has to be oiled twice a year, or its hinges rust, as we saw in the winter."),
    ("Ольга", "Смазывайте петли маслом, а не жиром: в жире остаётся песок, который несёт вода."),
    (
        "門番",
        "油は年に二度さします。そうしないと蝶番が錆びて、冬には門が開かなくなってしまいます。",
    ),
]


@pytest.mark.parametrize("shape", POSTS)
def test_tables_of_posts_are_no_tables(shape: str) -> None:
    rows = "".join(
        POSTS[shape].format(n=n, name=name, text=text) for n, (name, text) in enumerate(TEXTS)
    )
    html = f"<table>{rows}</table>" if rows.startswith("<tr") else rows
    page = blockify(html, markup=True)
    assert data_tables(page) == {}
    markdown = written(page).markdown or ""
    assert "|" not in markdown
    assert all(text in markdown.split("\n") for _, text in TEXTS)


def test_a_data_table_in_a_post_is_one() -> None:
    table = "<table><tr><th>Oil<th>Days<tr><td>Linseed<td>90<tr><td>Rape<td>60</table>"
    html = POSTS["a table per post"].format(n=1, name="Reed", text=f"<p>Compare:</p>{table}")
    page = blockify(html, markup=True)
    assert len(data_tables(page)) == 1
    assert "| Linseed | 90 |" in (written(page).markdown or "")


def test_a_column_of_comments_is_data() -> None:
    rows = "".join(f"<tr><td>Oil {n}<td class=comment>Dries in {n} days" for n in range(3))
    page = blockify(f"<table class=post-list>{rows}</table>", markup=True)
    assert len(data_tables(page)) == 1
