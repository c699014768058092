"""Pages that list others, with a teaser for each."""

from __future__ import annotations

TITLES = (
    "Rain fills the reservoir after two dry winters",
    "Ferry strike enters its second week",
    "Council votes to keep the night bus",
    "A bakery of six opens in the old depot",
    "Why the swifts came back to the mill",
)
TEASERS = {
    "headings": '<div class="card"><h3><a href="/{}">{}</a></h3><p>More.</p></div>',
    "headers of articles": '<article><header><h2><a href="/{}">{}</a></h2></header></article>',
    "list": '<li class="item"><h4><a href="/{}">{}</a></h4><time>9 May</time></li>',
    "class": '<div class="tile"><a href="/{}"><span class="tile__headline">{}</span></a></div>',
    "shop": '<li><div class="product-name"><a href="/{}">{}</a></div><b>9 €</b></li>',
}
"""How the teasers of a page are marked up, with places for a number and a title."""
LISTING_URLS = (
    "https://herald.example/", "https://herald.example", "https://herald.example/index.html",
    "https://herald.example/en/", "https://herald.example/page/3/",
    "https://herald.example/category/town-life/", "https://herald.example/tag/ferry",
    "https://shop.example/c/bread?sort=new", "https://shop.example/collections/all-bread",
    "https://herald.example/news", "https://herald.example/de/kategorie/stadt.html",
    "https://herald.example/news/business", "https://herald.example/Search.aspx?q=ferry",
    "https://herald.example/?page=12&utm_id=2021",
)  # fmt: skip
PAGE_URLS = (
    "", "https://herald.example/2021/05/the-night-bus-stays-for-now",
    "https://herald.example/news/ferry-strike-enters-its-second-week",
    "https://herald.example/news/30194440", "https://herald.example/about",
    "https://herald.example/category/the-old-mill-and-its-swifts",
    "https://search.example/ferry", "https://herald.example/news/kiev.php",
    "https://herald.example/?p=1904", "https://herald.example/blog.php?post=10150391956",
    "https://herald.example/index.php?lang=en&fArticleId=nw20080107",
    "https://herald.example/topics/town/story.html?id=62012",
)  # fmt: skip
"""URLs of other pages."""


def teasers(name: str, titles: tuple[str, ...] = TITLES) -> str:
    """Return the teasers of the page, with this markup."""
    return "".join(TEASERS[name].format(i, title) for i, title in enumerate(titles))


def listing_page(name: str, head: str = "") -> str:
    """Return a page of a newspaper with teasers below a welcome."""
    return (
        f"<!doctype html><html><head><title>The Valley Herald</title>{head}</head><body>"
        '<header><h2><a href="/">The Valley Herald</a></h2><nav><ul><li><a href="/town">Town</a>'
        '</li><li><a href="/sport">Sport</a></li></ul></nav></header><main><h1>Today</h1><p>The '
        "Herald is written and printed in the valley by eleven people, and has been since 1904. "
        f"You find it at the kiosk by the bridge from six in the morning.</p>{teasers(name)}</main>"
        f'<aside class="most-read">{teasers("headings", ("Old one", "Old two", "Old three"))}'
        "</aside><footer><h4>Contact</h4><h4>Imprint</h4><h4>Jobs</h4></footer></body></html>"
    )
