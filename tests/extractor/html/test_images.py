"""The address of an image is that of the largest and of the one that is shown later."""

from __future__ import annotations

from time import perf_counter

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.images import image_of

EMPTY = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


@pytest.mark.parametrize(
    ("attributes", "source"),
    [
        ({"srcset": "/s.jpg 320w, /l.jpg 1600w"}, "/l.jpg"),
        ({"srcset": "/l.jpg 2x, /s.jpg 1x"}, "/l.jpg"),
        ({"srcset": "/s.jpg, /l.jpg 1.5x"}, "/l.jpg"),
        ({"srcset": "/one.jpg"}, "/one.jpg"),
        ({"srcset": "/w_100,h_50/s.jpg 100w,/w_900,h_50/l.jpg 900w"}, "/w_900,h_50/l.jpg"),
        ({"srcset": "  /a.jpg  1x ,  /b.jpg 3x  "}, "/b.jpg"),
        ({"data-srcset": "/s.jpg 1w, /l.jpg 2w", "src": EMPTY}, "/l.jpg"),
        ({"src": EMPTY, "data-actualsrc": "/oven.jpg"}, "/oven.jpg"),
        ({"src": EMPTY, "data-image-loader": "/blue.png"}, "/blue.png"),
        ({"src": EMPTY, "data-hi-res-src": "/hi.png"}, "/hi.png"),
        ({"src": "/s.jpg?c=1 80w, /b.jpg?c=1 160w, /m.jpg 120w"}, "/b.jpg?c=1"),
        ({"src": "/a, b w.jpg"}, "/a, b w.jpg"),
        ({"src": EMPTY, "data-large-file": "/large.png"}, "/large.png"),
        ({"src": EMPTY, "data-lazy": "/lazy.webp"}, "/lazy.webp"),
        ({"src": "/shown.jpg", "srcset": "/other.jpg 2x"}, "/shown.jpg"),
    ],
)
def test_the_source_of_an_image(attributes: dict[str, str], source: str) -> None:
    image = image_of(attributes, in_text=False)
    assert image is not None
    assert image[0] == source


@pytest.mark.parametrize(
    ("attributes", "source"),
    [
        ({"src": EMPTY, "data-zoom-image": "/z.jpg"}, "/z.jpg"),
        (
            {"src": "about:blank", "data-anything": "https://a.example/b.webp?w=1"},
            "https://a.example/b.webp?w=1",
        ),
        ({"data-my-srcset": "/s.jpg 1x, /l.jpg 2x"}, "/l.jpg"),
        ({"src": "/img/loading.gif", "data-x": "photo.JPEG"}, "photo.JPEG"),
        ({"src": "/img/lazy.png?v=2", "data-cfsrc": "/c.avif"}, "/c.avif"),
        ({"src": "/shown.jpg", "data-zoom-image": "/z.jpg"}, "/shown.jpg"),
        ({"src": "/loading-dock.jpg"}, "/loading-dock.jpg"),
        ({"src": EMPTY, "data-caption": "See photo.jpg", "data-b": "{'src':'/a.jpg'}"}, ""),
        ({"src": EMPTY, "data-placeholder": "/p.jpg", "data-thumb": "/t.jpg"}, ""),
        ({"src": EMPTY, "data-x": "data:image/png;base64,x.png"}, ""),
        ({"src": "#"}, ""),
        ({"src": "/a.jpg", "style": "display: none"}, ""),
        ({"src": "/a.jpg", "style": "border:0;width:1px;height:1px"}, ""),
        ({"src": "/a.jpg", "style": "width:0;min-width:100%"}, "/a.jpg"),
        ({"src": "/a.jpg", "style": "width:100%;height:10px"}, "/a.jpg"),
        ({"src": "/a.jpg", "hidden": ""}, ""),
        ({"src": "https://www.facebook.com/tr?id=1&ev=PageView"}, ""),
        ({"src": "https://ssl-vg03.met.vgwort.de/na/1a"}, ""),
        ({"src": "/a.jpg", "class": "user avatar-32"}, ""),
        ({**{f"data-{i}": "x" for i in range(100)}, "data-z": "/z.jpg"}, ""),
    ],
)
def test_the_source_of_an_image_of_any_script(attributes: dict[str, str], source: str) -> None:
    image = image_of(attributes, in_text=False)
    assert (image[0] if image else "") == source


def pictures(html: str) -> list[tuple[str, str]]:
    page = blockify(f"<p>a</p>{html}<p>b</p>", markup=True)
    assert page.markup is not None
    return [(picture.span.src, picture.span.alt) for picture in page.markup.pictures]


def test_the_sources_of_a_picture() -> None:
    two = "<source srcset='/l.webp 2x, /s.webp 1x'><source srcset=/other.jpg>"
    assert pictures(f"<picture>{two}<img src='{EMPTY}' alt=A></picture>") == [("/l.webp", "A")]
    assert pictures(f"<picture>{two}<img src=/own.jpg></picture>") == [("/own.jpg", "")]
    assert pictures(f"<picture><source data-srcset=/x.jpg srcset={EMPTY}><img></picture>") == [
        ("/x.jpg", ""),
    ]  # fmt: skip
    assert pictures(f"<video><source src=/v.mp4></video><img src='{EMPTY}'>") == [("", "")]


def test_an_image_of_amp() -> None:
    html = "<amp-img src=/a.jpg alt=A width=800><noscript><img src=/a.jpg></noscript></amp-img>"
    assert pictures(html) == [("/a.jpg", "A")]
    assert pictures("<figure><amp-img srcset='/a.jpg 1w, /b.jpg 2w'></figure>") == [("/b.jpg", "")]
    assert [block.text for block in blockify(f"<p>a {html} b</p>").blocks] == ["a b"]


@pytest.mark.parametrize(
    ("image", "text"),
    [
        ("<img class=emoji alt='\U0001f600' src=/e.svg>", "a \U0001f600 b"),
        ("<img alt='\U0001f600' src=/e.svg>", "a \U0001f600 b"),
        ("<img alt='&#128512;' class=wp-emoji src=/e.svg>", "a \U0001f600 b"),
        ("<img class=wp-smiley alt=':-)' src=/e.gif>", "a :-) b"),
        ("<img src='/forum/smilies/e.gif' alt=':D'>", "a :D b"),
        ("<img class='emoji' alt=':tada:' src=/e.png>", "a :tada: b"),
        ("<b><img class=twemoji alt='\u2764\ufe0f' src=/e.png></b>", "a \u2764\ufe0f b"),
        ("<img class=emoji alt='1\ufe0f\u20e3' src=/e.png>", "a 1\ufe0f\u20e3 b"),
        ("<img class=emoji alt='a smiling cat' src=/e.png>", "a b"),
        ("<img class=emoji alt='' src=/e.png>", "a b"),
        ("<img class=photo alt=':-)' src=/e.png>", "a b"),
    ],
)
def test_an_emoji_is_text_in_its_sentence(image: str, text: str) -> None:
    assert [block.text for block in blockify(f"<p>a {image} b</p>").blocks] == [text]
    assert [block.text for block in blockify(f"<p>a {image} b</p>", markup=True).blocks] == [text]
    assert [block.text for block in blockify(f"<p>a</p>{image}<p>b</p>").blocks] == ["a", "b"]


def test_an_image_and_its_copy_without_scripts_are_one() -> None:
    lazy = f"<img src='{EMPTY}' data-src=/a.jpg alt=A><noscript> <img src=/a.jpg alt=A></noscript>"
    made = written(blockify(f"<p>One {lazy} two.</p>", markup=True))
    assert (made.text, made.markdown) == ("One two.", "One ![A](/a.jpg) two.")
    made = written(blockify(f"<p>One.</p>{lazy}<p>Two.</p>", markup=True))
    assert made.markdown == "One.\n\n![A](/a.jpg)\n\nTwo."
    text = "<noscript><img src=/a.jpg>Switch it on.</noscript>"
    assert [b.text for b in blockify(f"<p>One {text} two.</p>").blocks] == [
        "One",
        "Switch it on.",
        "two.",
    ]


def test_images_of_one_server_are_told_apart() -> None:
    one, other = (f"<img src='/_next/image?url=%2F{name}.jpg&w=96'>" for name in "ab")
    page = blockify(f"<p>One.</p>{one}{other}{other.replace('96', '640')}<p>Two.</p>", markup=True)
    assert (written(page).markdown or "").count("![]") == 2
    one, other = (f"<img src='/{name}/full.jpg' alt={name}>" for name in "ab")
    page = blockify(f"<p>One.</p>{one}{other}<p>Two.</p>", markup=True)
    assert (written(page).markdown or "").count("![") == 2


def test_images_before_the_first_and_after_the_last_text() -> None:
    inner = "<figure><img src=/one.jpg></figure><p>One.</p><p>Two.</p><p><img src=/two.jpg></p>"
    page = blockify(
        f"<img src=/logo.jpg><main>{inner}</main><footer><img src=/f.jpg></footer>", markup=True
    )
    assert written(page).markdown == "![](/one.jpg)\n\nOne.\n\nTwo.\n\n![](/two.jpg)"
    page = blockify(
        "<main><p>One.</p><div><div><div><div><img src=/deep.jpg></div></main>", markup=True
    )
    assert written(page).markdown == "One."


@pytest.mark.parametrize(
    "html",
    [
        "<img srcset='" + "/a.jpg 1x, " * 10_000 + "'>",
        "<img data-x='" + "/a" * 500_000 + "'>",
        "<img alt='" + "\U0001f600" * 300_000 + "'>",
        "<p>a" + "<img class=emoji alt=':-)'>" * 30_000,
        "<picture>" + "<source srcset=x>" * 2_000 + "<img>" * 20_000,
        "<img class='" + "avatar-" * 100_000 + "' src=a>" * 3,
        "<p>a <img src=/a.jpg><noscript><img src=/a.jpg></noscript>" * 10_000,
    ],
    ids=range(7),
)
def test_hostile_images_take_no_time(html: str) -> None:
    begin = perf_counter()
    written(blockify(f"<p>One.</p>{html}<p>Two.</p>", markup=True))
    assert perf_counter() - begin < 20
