"""What readers, customers, quoted people and other pages wrote gives no author and no date."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract

H1 = "<h1>Late ferries</h1>"
TEXT = (
    "<p>The ferries to the outer islands will leave an hour late until the end of the month, as "
    "the pier is being repaired.</p><p>Islanders who work on the mainland asked for a boat at "
    "dawn, and the company said that it would look for a second crew.</p>"
)
OTHERS = {
    "comments": "<section class=comments><h2>Comments</h2><div class=comment><span class=author>"
    "Jonas</span><time datetime=2026-05-09>9 May 2026</time><p>Well said.</p></div></section>",
    "comments in a list": "<ol id=commentlist><li class=comment><b class=username>jonas_k</b> "
    "<time datetime=2026-05-09>9 May 2026</time><p>Well said.</p></li></ol>",
    "German comments": "<section id=leserkommentare><h2>Kommentare</h2><div><span class=autor>Jonas"
    " Kern</span> <span class=datum>9. Mai 2026</span><p>Gut gesagt.</p></div></section>",
    "French comments": "<div class=liste-commentaires><h3>Réactions</h3><p class=auteur>Par Jeanne "
    "Roy</p><p class=date>9 mai 2026</p><p>Bien dit.</p></div>",
    "Spanish comments": "<div class=comentarios><p class=autor>Por Juan Ruiz</p><time "
    "datetime=2026-05-09>9 de mayo de 2026</time><p>Bien dicho.</p></div>",
    "related": "<aside class=related><h3>More</h3><a href=/1>Storm night</a><span class=author>"
    "Ines Falk</span><time datetime=2026-01-01>1 January 2026</time></aside>",
    "see next": "<div class=read-next><h4><a href=/1>Storm night</a></h4><p>By Ines Falk</p><p "
    "class=date>1 January 2026</p></div>",
    "teaser": "<div class='teaser wide'><a href=/1 rel=author>Ines Falk</a><p>Storm night</p><time "
    "datetime=2026-01-01>1 January</time></div>",
    "review": "<div class=review><span class=review-author>Kim</span><time datetime=2026-05-09>9 "
    "May 2026</time><p>A good boat.</p></div>",
    "reviews in German": "<ul class=bewertungen><li><span class=author>Kim Roth</span> <span "
    "class=date>9.5.2026</span> Ein gutes Boot.</li></ul>",
    "quote": "<blockquote><p>We sail at dawn, whatever they say.</p><cite class=author>Ruth</cite>"
    "</blockquote>",
    "figure": "<figure class=pull-quote><p>We sail at dawn.</p><figcaption class=author>Ruth Adey"
    "</figcaption></figure>",
    "caption": "<figure><img src=/b.jpg><figcaption>By Ruth Adey, 9 May 2026</figcaption></figure>",
    "comments by heading": "<section><h2>Comments (3)</h2><article><b class=author>Jonas Kern</b> "
    "<time datetime=2026-05-09>9 May 2026</time><p>Well said.</p></article></section>",
    "Danish comments by heading": "<div><h3>2 Kommentarer</h3><div><b class=author>Jonas Kern</b> "
    "<time datetime=2026-05-09>9. maj 2026</time><p>Godt sagt.</p></div></div>",
    "Russian reviews by heading": "<div><h3>Отзывы</h3><p class=author>Ким</p><p>9 мая 2026"
    "</p></div>",
    "testimonial": "<div class=testimonial><p>We sail at dawn.</p><p class=author>Ruth Adey</p>"
    "<time datetime=2026-05-09>9 May</time></div>",
}
HEADS = {
    "no type": "",
    "open graph": "<meta property=og:type content=product>",
    "json-ld": '<script type="application/ld+json">{"@context": "https://schema.org", "@type": '
    '"Product", "name": "Late ferries"}</script>',
}
BYLINES = (
    "<p class=byline>By Maud Ellery</p><time datetime=2026-05-02>2 May 2026</time>",
    "<div class='review-meta'><span class=author>Maud Ellery</span> <span class=date>2 May 2026"
    "</span></div>",
    "<article class='person teaser'><a href=/m class=author>Maud Ellery</a></article><p>2 May 2026"
    "</p>",
)


def found(html: str, head: str = "") -> tuple[tuple[str, ...], str | None]:
    """Return the authors and the date of publication."""
    page = f"<html><head><title>Late ferries</title>{head}</head><body>{html}</body></html>"
    metadata = extract(page, "https://a.example/x", formats=("metadata",)).metadata
    assert metadata
    return metadata.authors, metadata.date


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("form", ["<main>{}{}</main>{}", "<main>{}{}{}</main>", "{}{}{}"])
def test_others_give_no_author_and_no_date(other: str, head: str, form: str) -> None:
    assert found(form.format(H1, TEXT, OTHERS[other]), HEADS[head]) == ((), None)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("byline", BYLINES)
def test_a_byline_beside_them_stays(other: str, byline: str) -> None:
    names, date = found(f"<main>{H1}{byline}{TEXT}{OTHERS[other]}</main>")
    assert names == ("Maud Ellery",)
    assert date
    assert date.startswith("2026-05-02")


@pytest.mark.parametrize("name", ["related", "review", "quote", "teaser", "comments", "reviews"])
def test_an_element_around_the_whole_page_is_its_own(name: str) -> None:
    html = f"<div class={name}>{H1}{BYLINES[0]}{TEXT}</div>"
    assert found(html) == (("Maud Ellery",), "2026-05-02")


@pytest.mark.parametrize("name", ["comment", "reply", "post", "review"])
def test_the_first_post_of_a_thread_is_the_pages(name: str) -> None:
    posts = "".join(
        f"<div class={name} id=p{day}><span class=author>{author}</span> <time datetime="
        f"2026-05-0{day}>{day} May 2026</time><div class=content>{TEXT}</div></div>"
        for day, author in ((2, "maud_e"), (3, "jonas_k"), (4, "kim77"))
    )
    names, date = found(f"<main>{H1}<div class={name}s>{posts}</div></main>")
    assert names[:1] == ("maud_e",)
    assert date == "2026-05-02"


@pytest.mark.parametrize(
    "heading", ["Comments on the new timetable", "Avis de tempête", "About us"]
)
def test_other_headings_begin_no_comments(heading: str) -> None:
    end = f"<section><h2>{heading}</h2><p>All is well.</p><p>By Maud Ellery</p></section>"
    assert found(f"<main>{H1}{TEXT}{end}</main>")[0] == ("Maud Ellery",)
