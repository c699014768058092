"""Signs that link to their heading are no text of it."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

SIGNS = [
    "<a class=anchor href='#a' aria-label='Permalink to this heading'>#</a>",
    "<a class=headerlink href='#a' title='Permalink to this headline'>¶</a>",
    "<a class=permalink href='/find/?name=a' title=Permalink>&#128279;</a>",
    "<a class='hash-link' href='#a'>\u200b</a>",
    "<a class='heading-anchor' href='#a'>§</a>",
    "<a class=anchor href='#a'>Link</a>",
    "<span class=mw-editsection>[<a href='/w/?action=edit'>edit</a>]</span>",
    "<span class='mw-editsection'>[<a href='/w/?a=edit'>Bearbeiten</a>]</span>",
    "<span class=mw-editsection>[<a href='/w/?a=edit'>modifier</a> | <a href=/x>code</a>]</span>",
    "<a class='direct-link' href='#a'>#</a>",
    "<a class=x href='#a' aria-label='To header'>\u200b<svg></svg></a><i class=heading></i>",
    "<div><a href='#a' aria-label='Go to'>&#8203;<div><svg></svg></div></a></div>",
    "<a href='#a'>\ufeff</a>",
    "<button class=copy-heading>Copy link to this section</button>",
    "<a href='#a' class=permalink>Link zu diesem Abschnitt</a>",
    "<a href='#a' title='Lien vers cette section' class='a-link'>Lien permanent</a>",
    "<a href='#a' class=header-link>Enlace permanente</a>",
    "<a href='#a' class=anchor>この見出しへのリンク</a>",
    "<a href='#a' class=anchor aria-label='Copy'> Copy URL to this heading </a>",
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("title", ["The piers", "Die Landungsbrücken", "桟橋"])
def test_signs_beside_headings_are_left_out(sign: str, title: str) -> None:
    for heading in (f"<h2 id=a>{title} {sign}</h2>", f"<h3>{sign}<span>{title}</span></h3>"):
        made = written(blockify(f"{heading}<p>Text.</p>", "https://e.example/a", markup=True))
        assert (made.markdown or "").split("\n")[0].lstrip("# ") == title
        assert made.text == f"{title}\nText."


def test_a_heading_does_not_link_to_itself() -> None:
    page = "<h2 id=a><a href='#a'>The boats</a></h2><h2><a href='/b'>More</a></h2>"
    made = written(blockify(page, "https://e.example/a", markup=True))
    assert made.markdown == "## The boats\n\n## [More](https://e.example/b)"


@pytest.mark.parametrize(
    "heading",
    [
        "<h2><a class=anchor href='#a'>The boats</a></h2>",
        "<h2><a class=permalink href=/a>A</a></h2>",
        "<h2 class=heading><a href='#b'>A</a></h2>",
    ],
)
def test_linked_words_of_headings_are_kept(heading: str) -> None:
    assert blockify(heading).blocks[0].text in ("The boats", "A")


@pytest.mark.parametrize(
    "link",
    [
        "<button>Copy link</button>",
        "<button type=button class=x><svg></svg>Copy</button>",
        "<button>Link kopieren</button>",
        "<button>Share link</button>",
        "<a href='#top'>top</a>",
        "<a href='#top_of_page'><span class=top-link>top</span></a>",
        "<a href='#top'>[Top]</a>",
        "<a href='#'>↑ Back to top</a>",
        "<a href='#contents'>Back to contents</a>",
        "<a href='#toc'>Return to the table of contents</a>",
        "<a href='#top'>nach oben</a>",
        "<a href='#top'>Zum Seitenanfang</a>",
        "<a href='#top'>Haut de page</a>",
        "<a href='#top'>Volver arriba</a>",
        "<a href='#top'>Наверх</a>",
        "<a href='#top'>ページトップへ戻る</a>",
        "<a href='#top'>返回顶部</a>",
    ],
)
def test_copy_buttons_and_links_to_the_top_are_left_out(link: str) -> None:
    for title in ("Depth", "Die Tiefe", "深さ"):
        page = blockify(f"<h2>{title} {link}</h2><p>Text.", "https://e.example/a", markup=True)
        assert written(page).text == f"{title}\nText."


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("<h2><a href='#top'>Top</a></h2>", "Top"),
        ("<h2>1. <a href='#contents'>Contents</a></h2>", "1. Contents"),
        ("<h2><button>Copy link</button></h2>", "Copy link"),
        ("<h2>The <a href='#summit'>top</a></h2>", "The top"),
        ("<h2>The <a href='/top'>top</a></h2>", "The top"),
        ("<h2><button>The depth</button></h2>", "The depth"),
        ("<h2>NAME [<a href='#top'>Top</a>]</h2>", "NAME [Top]"),
        ("<p>To the <a href='#top'>top</a></p>", "To the top"),
    ],
)
def test_links_that_are_words_of_a_heading_are_kept(heading: str, text: str) -> None:
    assert blockify(heading).blocks[0].text == text


OWN_SIGNS = [
    "<a class=headerlink href='#a' title='Link to this definition'>¶</a>",
    "<a class='reference permalink' href='#a'>§</a>",
    "<a class=HeaderLink href='#a'>#</a>",
    "<a class='x anchor-link' href='#a'><span>🔗\ufe0e</span></a>",
]


@pytest.mark.parametrize("sign", OWN_SIGNS)
@pytest.mark.parametrize(
    "around",
    [
        "<dl><dt class=sig id=a>{}</dt><dd>Text.</dd></dl>",
        "<div id=a><p class=caption>{}</p><p>Text.</p></div>",
        "<div id=a><figure><img src=/a.jpg><figcaption>{}</figcaption></figure>Text.</div>",
        "<table id=a><caption>{}</caption><tr><td>Text.</table>",
        "<table><tr id=a><td>{}</td><tr><td>Text.</table>",
        "<ul><li id=a>{}<li>Text.</ul>",
    ],
)
def test_signs_of_terms_and_captions_are_left_out(around: str, sign: str) -> None:
    for title in ("height(port)", "Die Höhe", "高さ"):
        page = blockify(around.format(title + sign), "https://e.example/a", markup=True)
        assert written(page).text == f"{title}\nText."
        assert sign not in (written(page).markdown or "")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<dt>Law <a class=anchor href='#p5'>§</a> 5</dt>", "Law § 5"),
        ("<p>The wall<a class='anchor note' href='#n'>#</a></p>", "The wall#"),
        ("<p>The sign <a class=x href='#pilcrow'>¶</a> ends</p>", "The sign ¶ ends"),
        ("<p>See <a class=permalink href='/5'>#</a></p>", "See #"),
        ("<p><a class=anchor href='#a'>C#</a></p>", "C#"),
        ("<dt>x <a class=headerlink href='#a'>1</a></dt>", "x 1"),
        ("<p>x <b class=anchor>¶</b></p>", "x ¶"),
    ],
)
def test_other_signs_outside_of_headings_are_kept(html: str, text: str) -> None:
    assert blockify(html).blocks[0].text == text
