"""Metadata of pages: the values, their sources, plain JSON, and that no page makes it raise."""

from __future__ import annotations

import json
import sys
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.labeled import from_kept, from_probabilities
from testing.synthetic import QUICK

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.metadata import PAGE_KINDS
from scrapy_boilernet.extractor.output.fingerprint import NEAR_BITS, distance, fingerprint
from scrapy_boilernet.extractor.output.language import text_language
from scrapy_boilernet.extractor.output.metadata import Metadata, page_metadata
from scrapy_boilernet.extractor.output.page_kind import declared_kind, kind_features, page_kind

URL = "https://www.shore.example/news/2024/05/01/pools"
TEXT = "Pools that the tide leaves behind warm up by several degrees before it comes back."
NAV = "<nav><a href=/>Home</a> <a href=/news>News</a></nav>"


def metadata_of(html: str | bytes, url: str | None = URL, **options: bool) -> Metadata:
    """The metadata of a page whose paragraphs are its content."""
    page = blockify(html, url, stated=True)
    kept = ["p" in block.tags for block in page.blocks]
    labeled = from_kept(page, kept, [float(keep) for keep in kept], 0.5, 0.9, "standin", "model")
    return page_metadata(labeled, **options)


def article(head: str = "", byline: str = "", title: str = "Tide pools warm | The Shore") -> str:
    return (
        f"<html lang=en><head><title>{title}</title>{head}</head><body>{NAV}<article>"
        f"<h1>Tide pools warm</h1>{byline}<p>{TEXT}</p><p>{TEXT}</p></article></body></html>"
    )


FULL = article(
    """<meta property=og:site_name content="The Shore"><meta property=og:type content=article>
<meta property=og:image content="/pool.jpg"><meta name=description content="Warm pools.">
<meta name=keywords content="tide, pools, Tide"><link rel=canonical href="/news/pools">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Tide pools warm",
"datePublished": "2024-05-01T08:00:00+02:00", "dateModified": "May 3, 2024",
"author": [{"@type": "Person", "name": "By Ann Lee"}, {"name": "Bo Chan"}]}</script>"""
)


def test_what_a_full_page_gives() -> None:
    found = metadata_of(FULL)
    assert found.title == "Tide pools warm"
    assert found.authors == ("Ann Lee", "Bo Chan")
    assert found.date_published == found.date == "2024-05-01T08:00:00+02:00"
    assert (found.date_modified, found.date_modified_raw) == ("2024-05-03", "May 3, 2024")
    assert found.language == "en"
    assert found.site_name == "The Shore"
    assert found.description == "Warm pools."
    assert found.image == "https://www.shore.example/pool.jpg"
    assert found.canonical_url == "https://www.shore.example/news/pools"
    assert found.keywords == ("tide", "pools")
    assert found.page_kind in PAGE_KINDS
    assert found.word_count == 30
    assert found.needs_rendering is None
    assert found.sources == {
        "title": "text", "authors": "json-ld", "date_published": "json-ld",
        "date_modified": "json-ld", "language": "html", "site_name": "open-graph",
        "description": "meta", "image": "open-graph", "canonical_url": "link", "keywords": "meta",
    }  # fmt: skip


def test_it_is_plain_json_and_frozen() -> None:
    found = metadata_of(FULL)
    plain = found.as_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain.keys() == {one.name for one in fields(Metadata)}
    plain["sources"]["title"] = plain["authors"][0] = "changed"
    assert found.as_dict() != plain
    assert Metadata.of(found.as_dict()) == found
    assert hash(Metadata.of(found.as_dict())) == hash(found)
    for wrong in ({"title": 5}, {"authors": "Jo"}, {"sources": []}, {"word_count": "7"}, {"x": ""}):
        with pytest.raises(ValueError, match="not metadata"):
            Metadata.of(found.as_dict() | wrong)


def test_a_page_that_states_nothing_gives_what_it_shows() -> None:
    found = metadata_of(f"<h1>Tide pools</h1><p>{TEXT}", None)
    assert (found.title, found.authors, found.date, found.image) == ("Tide pools", (), None, None)
    assert metadata_of("", None).as_dict()["title"] is None


def test_a_page_read_without_what_it_states_gives_what_it_shows() -> None:
    page = blockify(FULL, URL)
    labeled = from_probabilities(page, [1.0] * len(page.blocks), 0.5, 0.9, "standin")
    assert page_metadata(labeled).title == "Tide pools warm"


@pytest.mark.parametrize(
    ("byline", "authors"),
    [
        ("<div class=byline>By Ann Lee and Bo Chan</div>", ("Ann Lee", "Bo Chan")),
        ("<p>By Ann Lee | May 3, 2021</p>", ("Ann Lee",)),
        ("<span>Written by</span><br><span>Ann Lee</span>", ("Ann Lee",)),
        ("<div>Von Anna Müller</div>", ("Anna Müller",)),
        (
            "<div class=author><img src=a.png><a>Ann Lee</a><span>Senior Writer</span></div>",
            ("Ann Lee",),
        ),
        ("<div>Ann Lee</div><div>May 3, 2021</div>", ("Ann Lee",)),
        ("<div>Marketing Tips</div><div>May 3, 2021</div>", ()),
        ("<span class=author>Ann Lee, PhD</span>", ("Ann Lee, PhD",)),
        ("<a class=author href=/a>https://x.example/ann</a>", ()),
        ("<div class=author>admin</div>", ()),
    ],
)
def test_visible_bylines(byline: str, authors: tuple[str, ...]) -> None:
    assert metadata_of(article(byline=byline)).authors == authors


@pytest.mark.parametrize(
    ("byline", "date", "source"),
    [
        ("<time datetime=2021-05-03T10:00Z>3 May</time>", "2021-05-03T10:00:00+00:00", "time"),
        ("<div>Published on May 3, 2021</div>", "2021-05-03", "text"),
        ("<div>Updated May 9, 2022</div><div>Published May 3, 2021</div>", "2021-05-03", "text"),
        ("<div class=date>3. Mai 2021</div>", "2021-05-03", "text"),
        ("", "2024-05-01", "url"),
    ],
)
def test_visible_dates(byline: str, date: str, source: str) -> None:
    found = metadata_of(article(byline=byline))
    assert (found.date_published, found.sources["date_published"]) == (date, source)


def test_a_date_of_change_is_none_of_publication() -> None:
    found = metadata_of(
        article(byline="<div>Last updated May 9, 2022</div>"), "https://a.example/b"
    )
    assert (found.date_published, found.date_modified, found.date) == (
        None,
        "2022-05-09",
        "2022-05-09",
    )


def test_the_date_beside_the_headline_wins_over_one_that_contradicts_it() -> None:
    head = "<meta property=article:published_time content=2019-01-02T00:00:00Z>"
    shown = article(head, "<time datetime=2021-05-03>May 3, 2021</time>")
    assert metadata_of(shown).date_published == "2021-05-03"
    changed = article(
        head + "<meta property=article:modified_time content=2021-05-03>",
        "<time datetime=2021-05-03>May 3, 2021</time>",
    )
    assert metadata_of(changed).date_published == "2019-01-02T00:00:00+00:00"


@pytest.mark.parametrize(
    ("title", "og", "chosen"),
    [
        ("Warm pools - The Shore", "", "Warm pools"),
        ("The Shore | Warm pools", "", "Warm pools"),
        ("Warm pools – what next? – The Shore", "", "Warm pools – what next?"),
        ("Warm pools", "Warm pools | shore.example", "Warm pools"),
    ],
)
def test_the_sites_name_is_cut_off(title: str, og: str, chosen: str) -> None:
    html = (
        f"<title>{title}</title><meta property=og:site_name content='The Shore'>"
        f"<meta property=og:title content='{og}'><p>{TEXT}"
    )
    assert metadata_of(html).title == chosen


def test_a_stated_name_may_begin_like_a_byline() -> None:
    head = "<meta name=author content='Von Miller, Di Stefano'>"
    assert metadata_of(article(head)).authors == ("Von Miller", "Di Stefano")


def test_a_list_of_articles_has_no_author() -> None:
    items = ",".join(
        f'{{"@type": "Article", "headline": "Story {i} of many", "author": "Ann {i}"}}'
        for i in range(9)
    )
    head = f'<script type="application/ld+json">[{items}]</script>'
    assert metadata_of(article(head)).authors == ()


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "data:text/html,x", "http://[::1", "  ", "mailto:a@b.example"],
)
def test_no_address_but_of_the_web_comes_out(address: str) -> None:
    html = f'<meta property=og:image content="{address}"><link rel=canonical href="{address}"><p>a'
    found = metadata_of(html)
    assert (found.image, found.canonical_url) == (None, None)


@given(st.binary(max_size=200) | st.text(max_size=200), st.none() | st.text(max_size=20))
@QUICK
def test_no_page_raises(html: bytes | str, url: str | None) -> None:
    json.dumps(metadata_of(html, url).as_dict())


@given(
    st.lists(
        st.sampled_from(
            [
                "<meta name=author content='",
                "<meta property=og:title content='",
                "'>",
                "By Ann ",
                "2024-05-01 ",
                "<title>",
                "</title>",
                "<h1>",
                "</h1>",
                "<p>",
                " | ",
                "<div class=author>",
                "<time datetime='",
                '<script type="application/ld+json">{"@type":"Article","datePublished":"',
                '"}</script>',
                "&#0;",
                "https://",
                "\ud800",
                "<base href='//[",
                "5/6/2020",
                " - ",
                "<h1 class=title>",
            ]
        ),
        max_size=30,
    ).map("".join)
)
@QUICK
def test_no_markup_of_metadata_raises(html: str) -> None:
    json.dumps(metadata_of(html).as_dict())


def fingerprint_of(words: list[str]) -> str | None:
    return fingerprint(token_hashes(" ".join(words)))


def test_near_duplicates_have_near_fingerprints() -> None:
    words = [f"w{i * i % 977}" for i in range(800)]
    one, other = fingerprint_of(words), fingerprint_of([*words[:400], "new", *words[401:]])
    different = fingerprint_of([f"v{i * i % 977}" for i in range(800)])
    assert one
    assert other
    assert different
    assert len(one) == 16
    assert distance(one, one) == 0
    assert distance(one, other) <= NEAR_BITS < distance(one, different)
    assert fingerprint_of([]) is None
    assert fingerprint_of(["one"]) != fingerprint_of(["two"])


def test_a_fingerprint_is_the_same_on_every_machine() -> None:
    assert fingerprint_of(TEXT.split()) == "cb0186f190cc55a0"


@given(st.lists(st.text("ab東0", min_size=1, max_size=5), max_size=30))
@QUICK
def test_case_and_punctuation_do_not_change_a_fingerprint(words: list[str]) -> None:
    plain, loud = token_hashes(" ".join(words)), token_hashes("! ".join(words).upper())
    assert fingerprint(plain) == fingerprint(loud)


SHELL = "<body><div id=root></div><script src=/app.js></script></body>"
CONSENT = f"<p>{'We and our partners use cookies. You consent to the use of your data. ' * 4}"


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (SHELL, "script"),
        ("<noscript>Please enable JavaScript to view this page.</noscript>", "script"),
        ("<p>You need to enable JavaScript to run this app.", "script"),
        ("<title>Just a moment...</title><h1>shore.example</h1><p>Checking your browser.", "wall"),
        (CONSENT, "consent"),
        (f"<h1>Pools</h1><p>{TEXT}<p>Subscribe to continue reading.", "wall"),
        (
            '<script type="application/ld+json">{"@type": "Article", "isAccessibleForFree": false}'
            "</script>"
            f"<p>{TEXT}",
            "wall",
        ),
        (f"<p>{TEXT}", None),
        (f"<p>{TEXT * 8}<div id=root></div>", None),
        (f"{CONSENT}<p>{TEXT * 8}", None),
    ],
)
def test_pages_that_need_a_browser(html: str, reason: str | None) -> None:
    assert metadata_of(html).needs_rendering == reason


@pytest.mark.parametrize(("times", "reason"), [(16, None), (4, "script")])
def test_a_page_that_hides_its_whole_text_needs_no_browser(times: int, reason: str | None) -> None:
    html = f"<div>Loading...</div><main hidden><h1>Pools</h1><p>{TEXT * times}</main>"
    result = extract(html, engine="numpy", formats=["metadata"])
    assert result.source == "hidden"
    assert result.metadata is not None
    assert result.metadata.needs_rendering == reason


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://forum.a.example/threads/3", "forum"),
        ("https://docs.a.example/x", "documentation"),
        ("https://a.example/collections/shoes", "collection"),
        ("https://a.example/products/shoe", "product"),
        ("https://a.example/blog/post", "article"),
        ("https://a.example/tag/x", "listing"),
        ("https://a.example/", "service"),
        ("http://[::1", "article"),
        (None, "article"),
    ],
)
def test_declared_kinds(url: str | None, kind: str) -> None:
    assert declared_kind(blockify("<p>a", url)) == kind


def test_the_model_knows_its_features() -> None:
    page = blockify(FULL, URL)
    assert page_kind(page) in PAGE_KINDS
    assert all(isinstance(value, float) for value in kind_features(page).values())
    forum = replace(page, url="https://forum.a.example/viewtopic.php?t=3")
    assert page_kind(forum) == "forum"


def test_the_language_of_the_text_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid", None)
    text_language.__globals__["_identifier"].cache_clear()
    with pytest.raises(ImportError, match="pip install py3langid"):
        metadata_of(FULL, detect_language=True)
    assert text_language("short") is None
    assert metadata_of(FULL).language == "en"


def test_the_language_of_the_text() -> None:
    pytest.importorskip("py3langid")
    german = "<html lang=en><p>" + "Die Becken am Ufer werden von Jahr zu Jahr wärmer. " * 4
    found = metadata_of(german, detect_language=True)
    assert (found.language, found.sources["language"]) == ("de", "text")


@pytest.mark.parametrize(
    "layout",
    [
        "/sites/all/themes/large/images/lookup.gif",
        "/skin/a/top.jpg",
        "/images/rss.png",
        "/img/printButton.png",
        "https://ad.doubleclick.net/ad/x;sz=728x90",
        "/www/delivery/avw.php?zoneid=2",
    ],
)
def test_pictures_of_the_layout_are_not_the_image(layout: str) -> None:
    text = "<p>The town council has voted to reopen the footpath along the lower weir.</p>" * 4
    top = "<title>River path</title><div>Marlow</div><img src=/top.jpg>"
    page = top + "<h1>River path</h1><img src='{}'>{}{}"
    inside = "<p>Open again: <img src=/share-of-the-river/pool.jpg></p>"
    for content, image in (("", None), (inside, "/share-of-the-river/pool.jpg")):
        found = extract(page.format(layout, text + content, text), formats=("metadata",)).metadata
        assert found is not None
        assert found.image == image


@pytest.mark.parametrize("url", [URL, None])
@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("www.shore.example/pools", "//www.shore.example/pools"),
        ("WWW.other.example/pools", "//WWW.other.example/pools"),
        ("pools.html", "/news/2024/05/01/pools.html"),
        ("pools.example.html", "/news/2024/05/01/pools.example.html"),
    ],
)
def test_an_address_without_a_scheme(stated: str, found: str, url: str | None) -> None:
    own = metadata_of(article(f"<meta property=og:url content='{stated}'>"), url).canonical_url
    expected = {
        True: f"https:{found}" if found[1] == "/" else f"https://www.shore.example{found}",
        False: f"http:{found}" if found[1] == "/" else stated,
    }
    assert own == expected[bool(url)]
