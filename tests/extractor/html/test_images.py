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
        ({"src": "/shown.jpg", "srcset": "/other.jpg 2x"}, "/other.jpg"),
        ({"src": "/s.jpg", "srcset": "/s.jpg 320w, /l.jpg 1600w, /m.jpg 800w"}, "/l.jpg"),
        ({"src": "/s.jpg", "srcset": "/s.jpg 1x, /l.jpg 1.5x, /xl.jpg 3x"}, "/xl.jpg"),
        ({"src": "/s.jpg?w=400", "srcset": "/s.jpg?w=400 400w, /s.jpg?w=900 900w"}, "/s.jpg?w=900"),
        ({"src": "/a-300x200.jpg", "srcset": "/a-300x200.jpg 300w, /a.jpg 2000w"}, "/a.jpg"),
        ({"data-src": "/s.jpg", "data-srcset": "/s.jpg 1w, /l.jpg 900w"}, "/l.jpg"),
        ({"data-src": "/s.jpg", "src": EMPTY, "srcset": f"{EMPTY} 900w"}, "/s.jpg"),
        ({"data-src": "/s.jpg", "srcset": "/tiny.jpg 20w"}, "/s.jpg"),
        ({"src": "/l.jpg", "srcset": "/l.jpg 1600w, /s.jpg 320w"}, "/l.jpg"),
        ({"src": "/s.jpg", "srcset": "/same.jpg"}, "/s.jpg"),
        ({"src": "/s.jpg", "srcset": "/same.jpg 1x"}, "/s.jpg"),
        ({"src": "/a.jpg", "srcset": "/a-300x200.jpg 300w, /a-768x512.jpg 768w"}, "/a.jpg"),
        ({"src": "/a.jpg", "srcset": "/a.jpg?w=300 300w, /a.jpg?w=768 768w"}, "/a.jpg"),
        ({"src": "/a.jpg", "srcset": "/a-300x200.jpg 1x, /a-600x400.jpg 2x"}, "/a.jpg"),
        ({"src": "/a.jpg", "srcset": "/a.jpg 600w, /a-900x600.jpg 900w"}, "/a-900x600.jpg"),
        ({"src": "/l.jpg", "width": "1200", "srcset": "/m.jpg 800w, /s.jpg 400w"}, "/l.jpg"),
        ({"src": "/l.jpg?width=1600", "srcset": "/x.jpg?width=900 900w"}, "/l.jpg?width=1600"),
        ({"src": "/w_1600,q_90/l.jpg", "srcset": "/w_900,q_90/l.jpg 900w"}, "/w_1600,q_90/l.jpg"),
        ({"src": "/l-2048x1365.jpg", "srcset": "/l-768x512.jpg 768w"}, "/l-2048x1365.jpg"),
        ({"src": "/s.jpg", "width": "300", "srcset": "/m.jpg 800w"}, "/m.jpg"),
        ({"src": "/s.jpg", "srcset": "/placeholder.png 800w"}, "/s.jpg"),
        ({"src": "/s.jpg", "srcset": " , ,  "}, "/s.jpg"),
        ({"src": "/a_540x.jpg", "srcset": "/a_900x.jpg 900w", "width": "900"}, "/a_900x.jpg"),
        ({"src": "/a_9x9.jpg", "data-src": "/a_{width}x.jpg"}, "/a_1024x.jpg"),
        ({"data-src": "/a_{width}x.jpg", "data-widths": "[180, 1080, 540]"}, "/a_1080x.jpg"),
        ({"src": "/static/image/common/none.gif", "file": "/a.jpg"}, "/a.jpg"),
        ({"src": "/none.gif", "zoomfile": "/l.jpg", "file": "/a.jpg"}, "/l.jpg"),
        ({"src": EMPTY, "nitro-lazy-src": "/a.jpg"}, "/a.jpg"),
        ({"src": EMPTY, "data-src": "/b.jpg|/b@2x.jpg"}, "/b@2x.jpg"),
        ({"src": EMPTY, "data-src": "/b.jpg | /b@2x.jpg?v=1"}, "/b@2x.jpg?v=1"),
        ({"src": "/b.jpg?t=a|b"}, "/b.jpg?t=a|b"),
        (
            {"src": "/w_147,h_98,blur_2/f.jpg", "data-pin-media": "/w_980,h_653/f.jpg"},
            "/w_980,h_653/f.jpg",
        ),
        (
            {"src": "/w_147,h_98,blur_2/f.jpg", "data-pin-media": "/w_9,blur_3/f.jpg"},
            "/w_147,h_98,blur_2/f.jpg",
        ),
        ({"src": "/w_147,h_98,blur_2/f.jpg"}, "/w_147,h_98,blur_2/f.jpg"),
        ({"src": "/f.jpg", "data-pin-media": "/tall.jpg"}, "/f.jpg"),
        ({"src": "/blur_song.jpg", "data-pin-media": "/tall.jpg"}, "/blur_song.jpg"),
        ({"src": EMPTY, "lazy-src": "/a.jpg"}, "/a.jpg"),
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
        ({"src": "http://ads1.example.com/phpads/adview.php?what=zone:128"}, ""),
        ({"src": "https://ads.example.com/www/delivery/avw.php?zoneid=7"}, ""),
        ({"src": "http://www.adobe.com/images/get_flash_player.gif"}, ""),
        ({"src": "/images/camera-flash.jpg"}, "/images/camera-flash.jpg"),
        ({"src": "/openx/revive/delivery/van.jpg"}, "/openx/revive/delivery/van.jpg"),
        ({"src": "/a.jpg", "class": "user avatar-32"}, ""),
        ({"src": "http://img.zemanta.com/pixy.gif?x-id=1"}, ""),
        ({"src": "https://cdn.printfriendly.com/button.gif"}, ""),
        ({"src": "/uploads/bfi_thumb/dummy-transparent-a1.png"}, ""),
        ({"src": "/crash-dummy-transparent.png"}, "/crash-dummy-transparent.png"),
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
    assert pictures(f"<picture>{two}<img src=/own.jpg></picture>") == [("/l.webp", "")]
    assert pictures(f"<picture><source data-srcset=/x.jpg srcset={EMPTY}><img></picture>") == [
        ("/x.jpg", ""),
    ]  # fmt: skip
    assert pictures(f"<video><source src=/v.mp4></video><img src='{EMPTY}'>") == [("", "")]


@pytest.mark.parametrize(
    ("sources", "image", "address"),
    [
        ("<source srcset='/a.webp 800w, /b.webp 1600w'>", "src=/own.jpg", "/b.webp"),
        (
            "<source type=image/avif srcset='/b.avif 900w'>",
            "src=/s.jpg srcset='/l.jpg 900w'",
            "/l.jpg",
        ),
        ("<source srcset='/b.webp 900w'>", "src=/s.jpg srcset='/l.jpg 1800w'", "/l.jpg"),
        ("<source srcset='/one.webp'>", "src=/own.jpg", "/own.jpg"),
        ("<source srcset='/one.webp 1x'>", "src=/own.jpg", "/own.jpg"),
        (
            "<source media='(min-width: 600px)' srcset=/m.jpg><source media='(min-width:1000px)' "
            "srcset=/l.jpg>",
            "src=/s.jpg",
            "/l.jpg",
        ),
        (
            "<source media='(min-width: 60em)' srcset='/l.jpg, /l2.jpg 2x'><source "
            "media='(min-width: 700px)' srcset='/m.jpg, /m3.jpg 3x'>",
            "src=/s.jpg",
            "/l2.jpg",
        ),
        (
            "<source media='(prefers-color-scheme: dark)' srcset='/d.png 2x'>",
            "src=/s.png",
            "/s.png",
        ),
        ("<source media='(max-width: 600px)' srcset='/crop.jpg 1200w'>", "src=/s.jpg", "/s.jpg"),
        ("<source media='(orientation: portrait)' srcset='/p.jpg 900w'>", "src=/s.jpg", "/s.jpg"),
        ("<source media=print srcset='/p.jpg 2x'>", "src=/s.jpg", "/s.jpg"),
        ("<source data-srcset='/b.jpg 1200w'>", f"src='{EMPTY}' data-src=/s.jpg", "/b.jpg"),
    ],
)
def test_the_largest_source_of_a_picture(sources: str, image: str, address: str) -> None:
    assert pictures(f"<picture>{sources}<img {image} alt=A></picture>") == [(address, "A")]


def test_only_the_first_image_of_a_picture_has_its_sources() -> None:
    one = "<source srcset='/a.webp 800w, /b.webp 1600w'>"
    found = pictures(f"<picture>{one}<img src=/own.jpg><img src=/other.jpg></picture>")
    assert [source for source, _ in found] == ["/b.webp", "/other.jpg"]
    address = "/" + "a" * 3900
    html = f"<picture>{f'<source srcset={address}>' * 20}{'<img src=/a.jpg>' * 20_000}</picture>"
    begin = perf_counter()
    assert len(pictures(html)) == 20_000
    assert perf_counter() - begin < 60


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
        ("<img class=emoji alt=':tada:' src='/unicode/1f389.png'>", "a \U0001f389 b"),
        ("<img alt=':de:' src='/emoji/72x72/1f1e9-1f1ea.svg'>", "a \U0001f1e9\U0001f1ea b"),
        ("<img class=emoji alt=':x:' src='/emoji/0041.png'>", "a :x: b"),
        ("<b><img class=twemoji alt='\u2764\ufe0f' src=/e.png></b>", "a \u2764\ufe0f b"),
        ("<img class=emoji alt='1\ufe0f\u20e3' src=/e.png>", "a 1\ufe0f\u20e3 b"),
        ("<img src='/smilies/s.gif' alt='' title=Smile class=inlineimg>", "a :Smile: b"),
        ("<img src='/smilies/s.gif' title='Roll Eyes (Sad)'>", "a :Roll Eyes (Sad): b"),
        ("<img class=smilie alt='' title=':)' src=/s.gif>", "a :) b"),
        ("<img class=emoji title='Tada' src='/unicode/1f389.png'>", "a \U0001f389 b"),
        ("<img class=photo title='Smile' src=/e.png>", "a b"),
        ("<img class=emoji alt='a smiling cat' title=Cat src=/e.png>", "a b"),
        ("<img class=emoji alt='a smiling cat' src=/e.png>", "a b"),
        ("<img class=emoji alt='' src=/e.png>", "a b"),
        ("<img class=photo alt=':-)' src=/e.png>", "a b"),
    ],
)
def test_an_emoji_is_text_in_its_sentence(image: str, text: str) -> None:
    assert [block.text for block in blockify(f"<p>a {image} b</p>").blocks] == [text]
    assert [block.text for block in blockify(f"<p>a {image} b</p>", markup=True).blocks] == [text]
    assert [block.text for block in blockify(f"<p>a</p>{image}<p>b</p>").blocks] == ["a", "b"]


HEART = "<img class=emoji alt=':heart:' src='/twitter/heart.png?v=12'>"
SUN = "<img class=emoji alt='\u2600\ufe0f' src=/s.svg>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"<p>{HEART}</p>", ":heart:"),
        (f"<p> <b>{SUN}</b>\n</p>", "\u2600\ufe0f"),
        (f"<p>{HEART} {SUN}</p>", ":heart: \u2600\ufe0f"),
        (f"<p><b>So</b> {SUN}</p>", "So \u2600\ufe0f"),
        ("<p><img src='/smilies/s.gif' title=Smile></p>", ":Smile:"),
        (f"<p>{HEART}<img src=/photo.jpg></p>", ""),
        (f"<div>{HEART}</div>", ""),
        (f"<ul class=reactions><li>{SUN}</ul>", ""),
        ("<p><img src=/photo.jpg alt='A heart'></p>", ""),
    ],
)
def test_a_paragraph_of_emoji_is_text(html: str, text: str) -> None:
    expected = ["a", *([text] if text else []), "b"]
    assert [block.text for block in blockify(f"<p>a</p>{html}<p>b</p>").blocks] == expected


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
    assert perf_counter() - begin < 60


@pytest.mark.parametrize("name", ["/a-{}.jpg", "/a_{}.jpg?v=1"])
def test_one_image_in_two_sizes_is_written_once(name: str) -> None:
    sizes = ("300x200", "1024x", "1024x768")
    images = "".join(f"<img src='{name.format(size)}'>" for size in sizes)
    made = written(blockify(f"<p>One.</p>{images}<p>Two.</p>", markup=True))
    assert made.markdown == f"One.\n\n![]({name.format('300x200')})\n\nTwo."


@pytest.mark.parametrize(
    ("images", "shown"),
    [
        (
            "<img src=/a-800.jpg alt=A><noscript><img src=/a-800.webp alt=A></noscript>",
            "/a-800.jpg",
        ),
        ("<img src=/a.PNG alt=A><img src=/x/a-300x200.avif>", "/a.PNG"),
        ("<img src=/a.jpeg alt=A><img src='/a.webp?v=1' alt=A>", "/a.jpeg"),
        ("<img src=/a.jpg alt=A><img src=/a.webp alt=B>", "/a.jpg)\n\n![B](/a.webp"),
        ("<img src=/a.jpg alt=A><img src=/b.webp alt=A>", "/a.jpg)\n\n![A](/b.webp"),
        ("<img src=/a.jpg alt=A><img src=/a.jpg.webp2 alt=A>", "/a.jpg)\n\n![A](/a.jpg.webp2"),
    ],
)
def test_one_image_in_two_formats_is_written_once(images: str, shown: str) -> None:
    made = written(blockify(f"<p>One.</p>{images}<p>Two.</p>", markup=True))
    assert made.markdown == f"One.\n\n![A]({shown})\n\nTwo."


def test_a_button_of_a_figure_shows_its_image() -> None:
    button = "<button type=button><img src=/a.jpg alt=A width=900></button>"
    for around, shown in (("figure", "![A](/a.jpg)\n\n"), ("div", "")):
        page = blockify(f"<p>One.</p><{around}>{button}</{around}><p>Two.</p>", markup=True)
        assert written(page).markdown == f"One.\n\n{shown}Two."


def test_the_image_of_a_term_is_not_bold() -> None:
    html = "<p>One.</p><dl><dt><a href=/l><img src=/a.jpg></a> <i>A</i><dd>Two.</dl>"
    made = written(blockify(html, "https://e.example/", markup=True))
    image = "[![](https://e.example/a.jpg)](https://e.example/l)"
    assert made.markdown == f"One.\n\n{image}\n\n***A***\n\nTwo."


TEASERS = "<div class=post><div class=author><a href=/ann>Ann</a></div><div>{}</div>{}</div>"
BUTTONS = "<div class=buttons><a href=/q>Quote</a> <a href=/r>Reply</a></div>"
IMAGE, SHOWN = "<img src=/a.jpg alt=A>", "\n\n![A](/a.jpg)"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f"<p>One.</p><p>{IMAGE}</p>", SHOWN),
        (f"One.<br><br>{IMAGE}", SHOWN),
        (f"<p>One.</p><figure>{IMAGE}</figure>", SHOWN),
        (f"One.<div><a href=/t>{IMAGE}</a><a href=/t>A teaser of a page</a></div>", ""),
        (f"<p>One.</p><div>{IMAGE}<a href=/t>A teaser of a page</a></div>", ""),
        (f"<p>One.</p></div><div>{IMAGE}", ""),
        (f"<p>One.</p></div><div><a href=/t>Links</a><p>{IMAGE}</p>", ""),
        ("<p>One.</p><p><img src=/button.gif alt='share it'></p>", ""),
        (f"<p>One.</p><aside>{IMAGE}</aside>", ""),
    ],
)
def test_an_image_beside_kept_text_is_no_teaser_of_the_links_below(body: str, shown: str) -> None:
    posts = TEASERS.format(body, BUTTONS) + TEASERS.format("<p>Two.</p>", "")
    page = blockify(f"<main>{posts}</main>", markup=True)
    kept = [block.text in ("One.", "Two.") for block in page.blocks]
    assert written(page, kept).markdown == f"One.{shown}\n\nTwo."


@pytest.mark.parametrize(
    ("source", "is_shown"),
    [
        ("images/statusicon/user_offline.gif", False),
        ("/forum/images_pb/buttons/quote.gif", False),
        ("/images/aoc/buttons/multiquote_off.png?v=1", False),
        ("images/buttons/viewpost-right.png", False),
        ("images/icons/icon1.gif", False),
        ("/images/misc/paperclip.png", False),
        ("/forum/Themes/default/images/post/xx.gif", False),
        ("/forum/Themes/harbour.2/images/icons/last_post.gif", False),
        ("./styles/plain/imageset/en/icon_user_offline.gif", False),
        ("/templates/plain/images/lang_english/icon_quote.gif", False),
        ("https://f.example/static/image/common/pin_3.gif", False),
        ("/images/M_images/printButton.png", False),
        ("/wp-content/plugins/wp-email/images/email_famfamfam.png", False),
        ("/favicon.ico", False),
        ("https://example.com/img/apple-touch-icon-180x180.png?v=2", False),
        ("/themes/harbour/images/post/crane.jpg", True),
        ("/themes/harbour/images/crane.png", True),
        ("/images/icon_crane.png", True),
        ("/posts/paperclip.png", True),
        ("/uploads/favicon-sizes.svg", True),
        ("/static/image/crane.png", True),
        ("/images/buttons/brass.gif", True),
        ("/images/buttons/quote.jpg", True),
        ("/images/icons/icon-of-the-saint.png", True),
        ("/images/quote.gif", True),
        ("/buttons/posters.png", True),
    ],
)
def test_a_button_of_a_forum_is_no_image(source: str, is_shown: bool) -> None:
    assert (image_of({"src": source, "alt": "A"}, in_text=False) is not None) == is_shown
    assert (image_of({"src": source, "alt": "A"}, in_text=True) is not None) == is_shown
    html = f"<table><tr><td>a<td><img class=icon src={source} alt=B></table>"
    assert blockify(html).texts == (("a", "B") if is_shown else ("a",))


@pytest.mark.parametrize(
    ("alt", "shown"),
    [
        ("https://example.com/a/b.jpg", ""),
        ("//cdn.example.com/b.jpg", ""),
        ("A dam by https://example.com", "A dam by https://example.com"),
        ("b.jpg", "b.jpg"),
    ],
)
def test_an_address_is_no_alternative_text(alt: str, shown: str) -> None:
    assert image_of({"src": "/b.jpg", "alt": alt}, in_text=False) == ("/b.jpg", shown)


@pytest.mark.parametrize(
    ("source", "alt", "is_shown"),
    [
        ("https://2.gravatar.com/avatar/0a1b?s=28", "", False),
        ("https://cdn.example.com/thumbs/avatars/ada/ada-12.jpg", "", False),
        ("https://f.example/data/avatars/s/16/16982.jpg?1", "Ada", False),
        ("https://f.example/file.php?avatar=41194_1.jpg", "Ada", False),
        ("https://f.example/avatar/285638173/large.ashx", "Ada", False),
        ("https://cdn.example.com/img/avatar_thumbnail/plain/x@jpeg", "", False),
        ("/images/avatar_default_1.png", "", False),
        ("/images/default-avatar.png", "", False),
        ("/images/avatargast.png", "ada", False),
        ("/uploads/2016/02/ada_avatar-14x14.jpg", "ada", False),
        ("/icons/profile_1.png", "User avatar", False),
        ("/films/avatar/poster.jpg", "Avatar", True),
        ("/films/avatar/2009.jpg", "Avatar", True),
        ("/uploads/avatar-premiere.jpg", "The premiere of Avatar", True),
        ("/uploads/harbour_avatar-300x200.jpg", "", True),
        ("/uploads/a.jpg", "A user avatar in a game", True),
    ],
)
def test_the_picture_of_a_user_is_an_image_in_a_sentence_only(
    source: str, alt: str, is_shown: bool
) -> None:
    image = {"src": source, "alt": alt}
    assert image_of(image, in_text=False) == ((source, alt) if is_shown else None)
    assert image_of(image, in_text=True) == (source, alt)
