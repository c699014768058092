"""Stated authors that have a name of the site in their own, and that stay or are replaced."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.output.doubtful_names import is_of_site, site_in_title

TEXT = (
    "<p>The town council has voted to reopen the footpath along the lower weir, four years after "
    "a landslip closed it to walkers and anglers alike, and residents were glad of it.</p>"
)
CHINESE = (
    "<p>镇议会已投票决定重新开放下游堰坝沿线的步道，四年前一场山体滑坡使其对步行者和垂钓者关闭，"
    "居民们对此感到高兴，他们说这条小路对大家都很重要。</p>"
)
TOM, WANG = ("Tom Kerr",), ("王小明",)
REPLY = "<div class=replies><p class=author>Tom Kerr</p><p>So true, I went there, too.</p></div>"


def authors_of(
    stated: str, title: str, below: str, url: str = "https://marlow.example/a", text: str = TEXT
) -> tuple[str, ...]:
    """Return the authors of a page with this stated author, this title and this below its
    headline.
    """
    html = (
        f"<html><head><title>{title}</title><meta name=author content='{stated}'></head><body>"
        f"<main><h1>{title.split(' ')[0]} and more</h1>{below}{text * 4}</main></body></html>"
    )
    metadata = extract(html, url, formats=("metadata",)).metadata
    assert metadata
    return metadata.authors


@pytest.mark.parametrize(
    "below",
    [
        "<p>By Tom Kerr, photographer</p>",
        "<p class=contributor>Tom Kerr</p>",
        "<p>Medically reviewed by <span class=reviewer-author>Tom Kerr</span></p>",
        REPLY,
    ],
)
@pytest.mark.parametrize(
    "stated",
    ["Ann Lee, PhD", "Ann Lee, M.D.", "Ann Lee (editor)", "Dr. Ann Lee, MPH", "Ann Lee - Chef"],
)
def test_a_person_with_a_degree_is_no_organization_of_the_site(stated: str, below: str) -> None:
    found = authors_of(stated, "River path | Ann Lee", below, "https://annlee.com/a")
    assert found[0].startswith(stated.split("(")[0].strip())


@pytest.mark.parametrize(
    "stated", ["Mara Holt (Marlow Post)", "Mara Holt, Marlow Post", "Mara Holt"]
)
def test_a_person_with_an_employer_is_no_organization_of_the_site(stated: str) -> None:
    title, below = "River path | Marlow Post", "<p>by Tom Kerr</p>"
    assert authors_of(stated, title, below) == ("Mara Holt",)


@pytest.mark.parametrize(
    "stated",
    [
        "Marlow Post Staff", "Marlow Post", "Justice Desk - Marlow Post", "Marlow Post, News Desk",
        "The Marlow Post Team", "Marlow Post (Newsroom)", "Redaktion Marlow Post",
    ],
)  # fmt: skip
def test_an_organization_of_the_site_is_replaced(stated: str) -> None:
    assert authors_of(stated, "River path | Marlow Post", "<p>By Tom Kerr</p>") == TOM


@pytest.mark.parametrize("name", ["Homer", "Rumi", "Colette", "Adele", "bell hooks"])
@pytest.mark.parametrize("sign", ["-", "|", "·", "–"])
def test_an_author_of_one_name_at_the_end_of_a_title_stays(name: str, sign: str) -> None:
    below = "<p>by Tom Kerr (translator)</p>"
    assert authors_of(name, f"Odyssey {sign} {name}", below) == (name,)


@pytest.mark.parametrize(
    ("name", "title", "below"),
    [
        ("金庸", "射雕英雄传 - 金庸", "<p>记者：王小明</p>"),
        ("莫言", "红高粱_莫言", "<p class=author>责编 王小明</p>"),
        ("莫言", "红高粱-莫言", "<p>作者：王小明</p>"),
        ("夏目漱石", "こころ - 夏目漱石", "<p class=author>訳者 Tom Kerr</p>"),
    ],
)
def test_an_eastern_author_at_the_end_of_a_title_stays(name: str, title: str, below: str) -> None:
    assert authors_of(name, title, below, text=CHINESE) == (name,)


@pytest.mark.parametrize(
    ("site", "sign"),
    [("港口时报网", "_"), ("港口晚报", "-"), ("港口新闻中心", " - "), ("港口電視台", "｜")],
)
def test_an_eastern_site_at_the_end_of_a_title_is_replaced(site: str, sign: str) -> None:
    below = "<p>作者：王小明</p>"
    assert authors_of(site, f"小路重新开放{sign}{site}", below, text=CHINESE) == WANG


@pytest.mark.parametrize(
    ("end", "sites", "found"),
    [
        ("Marlow", {"marlowpost"}, "marlow"),
        ("CNN", {"editioncnncom"}, "cnn"),
        ("Homer", {"marlowpost"}, ""),
        ("Homer", set(), ""),
        ("The Sea Post", set(), "theseapost"),
        ("Tom Kerr", {"tomkerr"}, ""),
        ("", {"marlow"}, ""),
    ],
)
def test_the_end_of_a_title_is_the_site_if_something_says_so(
    end: str, sites: set[str], found: str
) -> None:
    assert site_in_title(f"River path | {end}", sites) == found


def test_all_names_must_be_of_the_site() -> None:
    assert is_of_site(("Marlow Post Staff", "Marlow Post Desk"), {"marlowpost"})
    assert not is_of_site(("Marlow Post Staff", "Mara Holt"), {"marlowpost"})


@pytest.mark.parametrize("shown", ["<p>By Ann Lee</p>", "<p class=author>Ann Lee</p>"])
@pytest.mark.parametrize("below", ["<p>By Tom Kerr, photographer</p>", REPLY])
def test_a_shown_person_of_whose_name_the_site_is_stays(shown: str, below: str) -> None:
    url = "https://annlee.com/a"
    assert authors_of("Ann Lee", "River path | Ann Lee", shown + TEXT + below, url) == ("Ann Lee",)
    assert authors_of("Ann Lee", "River path | Ann Lee", "<p>By Tom Kerr</p>", url) == TOM


@pytest.mark.parametrize("button", ["TAKİP ET", "Top Pre-order", "Further Information"])
def test_a_button_beside_a_date_does_not_replace_the_site(button: str) -> None:
    below = f"<div>{button}</div><div>13 June 2026</div>"
    assert authors_of("Marlow Post", "River path | Marlow Post", below) == ("Marlow Post",)
