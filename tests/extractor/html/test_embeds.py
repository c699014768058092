"""Videos, posts and code of other sites have an address; advertisements have none."""

from __future__ import annotations

from time import perf_counter

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.embeds import known_address
from scrapy_boilernet.extractor.markup import EMBED


@pytest.mark.parametrize(
    ("embedded", "address"),
    [
        ("www.youtube.com/embed/abc123XYZ_0", "www.youtube.com/watch?v=abc123XYZ_0"),
        ("www.youtube-nocookie.com/embed/a-b?rel=0&start=3", "www.youtube.com/watch?v=a-b"),
        ("youtube.com/embed/videoseries?x=1&list=PL_1", "www.youtube.com/playlist?list=PL_1"),
        ("www.youtube.com/v/abc?fs=1", "www.youtube.com/watch?v=abc"),
        ("youtu.be/abc", "www.youtube.com/watch?v=abc"),
        ("player.vimeo.com/video/123?autoplay=0", "vimeo.com/123"),
        ("player.vimeo.com/video/123?h=0ab&t=1", "vimeo.com/123/0ab"),
        ("www.dailymotion.com/embed/video/x8abc", "www.dailymotion.com/video/x8abc"),
        ("geo.dailymotion.com/player/x1.html?video=x8abc", "www.dailymotion.com/video/x8abc"),
        (
            "tube.example.org/videos/embed/9c9de5e8-0a1e",
            "tube.example.org/videos/watch/9c9de5e8-0a1e",
        ),
        ("player.twitch.tv/?video=v12&parent=a.b", "www.twitch.tv/videos/12"),
        ("player.bilibili.com/player.html?aid=1&bvid=BV1x", "www.bilibili.com/video/BV1x"),
        ("rutube.ru/play/embed/12ab", "rutube.ru/video/12ab/"),
        ("vk.com/video_ext.php?oid=-22&id=45&hash=1", "vk.com/video-22_45"),
        ("embed.ted.com/talks/lang/de/ann_on_boats", "www.ted.com/talks/lang/de/ann_on_boats"),
        ("open.spotify.com/embed/episode/4x", "open.spotify.com/episode/4x"),
        ("embed.podcasts.apple.com/us/podcast/a/id1", "podcasts.apple.com/us/podcast/a/id1"),
        (
            "embed.podcasts.apple.com/us/podcast/a/id1?i=45",
            "podcasts.apple.com/us/podcast/a/id1?i=45",
        ),
        ("embed.music.apple.com/a/id1?x=1&i=4&y=2", "music.apple.com/a/id1?i=4"),
        (
            "www.youtube.com/embed/?listType=playlist&list=PL_1",
            "www.youtube.com/playlist?list=PL_1",
        ),
        ("www.youtube.com/embed?list=PL_1", "www.youtube.com/playlist?list=PL_1"),
        ("www.youtube.com/embed/a1?list=PL_1", "www.youtube.com/watch?v=a1"),
        (
            "maps.google.com/maps?q=London%20Eye&t=m&output=embed&z=1",
            "www.google.com/maps?q=London%20Eye",
        ),
        ("www.google.co.uk/maps?t=m&q=Hull&output=embed", "www.google.co.uk/maps?q=Hull"),
        ("maps.google.de/maps?cid=12&output=embed", "maps.google.de/maps?cid=12&output=embed"),
        ("www.google.com/maps/embed/v1/place?key=K&q=Port", "www.google.com/maps?q=Port"),
        ("www.google.com/maps/embed?pb=!1m18", "www.google.com/maps/embed?pb=!1m18"),
        ("m.facebook.com/harbour/posts/10158?a=b", "www.facebook.com/harbour/posts/10158"),
        ("facebook.com/watch/?v=12", "www.facebook.com/watch/?v=12"),
        ("medium.com/media/0a1b/href", "medium.com/media/0a1b/href"),
        ("fast.wistia.com/embed/medias/a1.jsonp", "fast.wistia.net/embed/iframe/a1"),
        ("platform.twitter.com/embed/Tweet.html?dnt=1&id=34", "twitter.com/i/status/34"),
        ("www.instagram.com/p/Ab_1/embed/captioned/", "www.instagram.com/p/Ab_1/"),
        ("mastodon.example/@ann/11/embed", "mastodon.example/@ann/11"),
        (
            "embed.bsky.app/embed/did:plc:1a/app.bsky.feed.post/3k?id=1",
            "bsky.app/profile/did:plc:1a/post/3k",
        ),
        ("codepen.io/ann/embed/preview/xYz?default-tab=js", "codepen.io/ann/pen/xYz"),
        ("jsfiddle.net/ann/1ab/embedded/result/", "jsfiddle.net/ann/1ab/"),
        ("codesandbox.io/embed/a-b?view=preview", "codesandbox.io/s/a-b"),
        ("files.example/a/report.pdf?v=1#page=2", "files.example/a/report.pdf?v=1"),
    ],
)
@pytest.mark.parametrize("scheme", ["https://", "http://", "//"])
def test_what_is_embedded(embedded: str, address: str, scheme: str) -> None:
    assert known_address(f" {scheme}{embedded}\n") == f"https://{address}"


@pytest.mark.parametrize(
    ("embedded", "address"),
    [
        (
            "w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1&color=0",
            "api.soundcloud.com/tracks/1",
        ),
        (
            "www.facebook.com/plugins/video.php?height=3&href=https%3A%2F%2Fwww.facebook.com%2Fa"
            "%2Fvideos%2F1%2F",
            "www.facebook.com/a/videos/1/",
        ),
        ("hatenablog-parts.com/embed?url=https%3A%2F%2Fa.example%2Fb", "a.example/b"),
    ],
)  # fmt: skip
def test_what_is_embedded_by_its_own_address(embedded: str, address: str) -> None:
    assert known_address(f"https://{embedded}") == f"https://{address}"


@pytest.mark.parametrize(
    "address",
    [
        "", "about:blank", "/video.html", "javascript:alert(1)", "data:text/html,x",
        "https://consent.example/banner?url=https://youtu.be/x", "https://ads.example/frame.html",
        "https://www.google.com/recaptcha/api2/anchor", "https://www.facebook.com/plugins/like.php?href=https://a.b",
        "https://www.googletagmanager.com/ns.html?id=1", "https://tpc.doubleclick.net/sf/1.html",
        "https://youtu.be.evil.example/x", "https://platform.twitter.com/widgets/widget_iframe.html",
        "https://www.facebook.com/plugins/video.php?href=javascript:alert(1)",
        "https://www.facebook.com/harbour", "https://maps.google.com/maps?q=Hull",
        "https://www.google.com/maps/embed/v1/view?key=K", "https://www.youtube.com/embed/?rel=0",
        "https://hatenablog-parts.com/embed?url=javascript:alert(1)",
        "https://www.youtube.com/embed/" + "x" * 5000,
    ],
)  # fmt: skip
def test_what_is_no_content(address: str) -> None:
    assert known_address(address) == ""


ELEMENTS = {
    "<iframe src='https://youtu.be/a1'></iframe>": "https://www.youtube.com/watch?v=a1",
    "<iframe src=about:blank data-src='//youtu.be/a1'></iframe>": "https://www.youtube.com/watch?v=a1",
    "<noscript><iframe src='//youtu.be/a1'></iframe></noscript>": "https://www.youtube.com/watch?v=a1",
    "<embed src='https://www.youtube.com/v/a1'>": "https://www.youtube.com/watch?v=a1",
    "<object><param name=movie value='http://www.youtube.com/v/a1'><embed src=x></object>": "https://www.youtube.com/watch?v=a1",
    "<object data='https://a.example/b.pdf'><p>No PDF.</p></object>": "https://a.example/b.pdf",
    "<video src='v.mp4' poster=p.jpg></video>": "v.mp4",
    "<video autoplay controls><source src='/v.webm'><source src='/v.mp4'></video>": "/v.webm",
    "<audio controls src='/a.ogg'>No sound.</audio>": "/a.ogg",
    "<lite-youtube videoid='a1'></lite-youtube>": "https://www.youtube.com/watch?v=a1",
    "<amp-youtube data-videoid='a1'></amp-youtube>": "https://www.youtube.com/watch?v=a1",
    "<amp-vimeo data-videoid=12></amp-vimeo>": "https://vimeo.com/12",
    "<amp-twitter data-tweetid=12></amp-twitter>": "https://twitter.com/i/status/12",
    "<script src='https://gist.github.com/ann/12ab.js'></script>": "https://gist.github.com/ann/12ab",
    "<script src='https://asciinema.org/a/124.js' id=asciicast-124></script>": "https://asciinema.org/a/124",
    "<script src='//fast.wistia.com/embed/medias/a1.jsonp'></script>": "https://fast.wistia.net/embed/iframe/a1",
    "<wistia-player media-id=a1></wistia-player>": "https://fast.wistia.net/embed/iframe/a1",
    "<script src='/telegram-widget.js?22' data-telegram-post='durov/5'></script>": "https://t.me/durov/5",
    "<iframe src=about:blank data-src-cmplz='https://youtu.be/a1?x'></iframe>": "https://www.youtube.com/watch?v=a1",
    "<iframe uc-src='https://youtu.be/a1'></iframe>": "https://www.youtube.com/watch?v=a1",
    "<iframe consent-original-src-_='https://youtu.be/a1'></iframe>": "https://www.youtube.com/watch?v=a1",
    "<div><iframe data-embed-src='https://youtu.be/a1'></iframe></div>": "https://www.youtube.com/watch?v=a1",
    "<amp-facebook data-href='https://www.facebook.com/a/posts/1'></amp-facebook>": "https://www.facebook.com/a/posts/1",
    "<amp-tiktok data-src=712></amp-tiktok>": "https://www.tiktok.com/embed/v2/712",
    "<amp-tiktok data-src='https://www.tiktok.com/@ann/video/12'></amp-tiktok>": "https://www.tiktok.com/@ann/video/12",
    "<div class=fb-post><blockquote class=fb-xfbml-parse-ignore cite='https://www.facebook.com/a/posts/1'>x"
    "</blockquote></div>": "https://www.facebook.com/a/posts/1",
    "<blockquote class=instagram-media data-instgrm-permalink='https://www.instagram.com/p/x1/?u=1'>"
    "<p>View</p></blockquote>": "https://www.instagram.com/p/x1/",
    "<blockquote class=tiktok-embed cite='https://www.tiktok.com/@ann/video/12'>x"
    "</blockquote>": "https://www.tiktok.com/@ann/video/12",
    "<blockquote class=bluesky-embed data-bluesky-uri='at://did:plc:1/app.bsky.feed.post/3k'>x"
    "</blockquote>": "https://bsky.app/profile/did:plc:1/post/3k",
    "<blockquote class='mastodon-embed' data-embed-url='https://m.example/@ann/12/embed'>x"
    "</blockquote>": "https://m.example/@ann/12",
    "<blockquote class=twitter-tweet><p>See <a href='https://twitter.com/b/status/1'>it</a></p>- "
    "<a href='https://x.com/ann/status/2?s=1'>May 3</a></blockquote>": "https://x.com/ann/status/2",
}  # fmt: skip


@pytest.mark.parametrize("html", ELEMENTS)
def test_an_element_is_recorded_where_it_stands(html: str) -> None:
    page = blockify(f"<p>a</p>{html}<p>b</p>", markup=True)
    assert page.markup is not None
    (found,) = page.markup.pictures
    assert (found.before, found.span.href, found.span.marks) == (1, ELEMENTS[html], EMBED)
    plain = blockify(f"<p>a</p>{html}<p>b</p>")
    assert [*plain.blocks] == [*page.blocks]


@pytest.mark.parametrize(
    "html",
    [
        "<video autoplay muted loop src=/v.mp4></video>", "<video src=blob:x></video>",
        "<lite-youtube videoid='\"><b>'></lite-youtube>", "<script src=/x.js></script>",
        "<script data-telegram-post='x'></script>",
        "<script src='https://fast.wistia.com/assets/external/E-v1.js'></script>",
        "<iframe uc-src='https://ads.example/x'></iframe>",
        "<blockquote class=fb-xfbml-parse-ignore cite='https://www.facebook.com/a'>x</blockquote>",
        "<blockquote><a href='https://twitter.com/ann/status/2'>x</a></blockquote>",
        "<iframe srcdoc='<p>'></iframe>", "<p>Say <audio src=/a.ogg></audio> it</p>",
        "<blockquote class=twitter-tweet><a href='https://a.example/'>x</a></blockquote>",
    ],
)  # fmt: skip
def test_other_elements_are_not_recorded(html: str) -> None:
    page = blockify(f"<p>a</p>{html}<p>b</p>", markup=True)
    assert page.markup is not None
    assert not page.markup.pictures
    assert not any(span.marks & EMBED for spans in page.markup.spans for span in spans)


def test_hostile_addresses_take_no_time() -> None:
    parts = (
        "a." * 490,
        "&" * 900,
        "www.youtube.com/embed/videoseries?" + "&list" * 190,
        "vk.com/video_ext.php?" + "oid=1&" * 160,
    )
    html = "".join(f"<iframe src='https://{part}'></iframe>" for part in parts) * 2_000
    begin = perf_counter()
    blockify(html + "<object>" + "<embed src=x>" * 20_000, markup=True)
    assert perf_counter() - begin < 60
