"""Boxes that scripts fill with videos and posts are read as embeds."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

YOUTUBE = "https://www.youtube.com/watch?v=a1"
POST = "https://www.facebook.com/harbour/posts/10158"
ELEMENTOR = (
    "<div class='elementor-widget elementor-widget-video' data-settings='{settings}'><div "
    "class=elementor-wrapper><div class=elementor-video></div></div></div>"
)
SQUARESPACE = (
    "<div class=video-block><div class=sqs-video-wrapper data-html='&lt;iframe src=&quot;{address}"
    "&quot; width=&quot;854&quot;&gt;&lt;/iframe&gt;'></div></div>"
)


@pytest.mark.parametrize(
    ("box", "address"),
    [
        (f"<div class=fb-post data-href='{POST}' data-width=500></div>", POST),
        (f"<div class='fb-video x' data-href='{POST}/?a=b'><p>Video</p></div>", f"{POST}/"),
        ("<div class='wistia_embed wistia_async_abc1 videoFoam=true'>&nbsp;</div>",
         "https://fast.wistia.net/embed/iframe/abc1"),
        (SQUARESPACE.format(address="//www.youtube.com/embed/a1?wmode=x"), YOUTUBE),
        (SQUARESPACE.format(address="https://vimeo.com/12"), "https://vimeo.com/12"),
        (ELEMENTOR.format(settings=r'{"youtube_url":"https:\/\/youtu.be\/a1"}'), YOUTUBE),
        (ELEMENTOR.format(
            settings=r'{"youtube_url":"https:\/\/youtu.be\/b2","vimeo_url":"https:\/\/vimeo.com\/12",'
            '"video_type":"vimeo"}'),
         "https://vimeo.com/12"),
    ],
)  # fmt: skip
def test_a_box_is_an_embed(box: str, address: str) -> None:
    made = written(blockify(f"<p>One.</p>{box}<p>Two.</p>", markup=True))
    assert made.markdown == f"One.\n\n<{address}>\n\nTwo."
    assert made.text == "One.\nTwo."
    assert [*blockify(f"<p>One.</p>{box}<p>Two.</p>").blocks] == [*made.page.blocks]


@pytest.mark.parametrize(
    "box",
    [
        "<div class=fb-post data-href='https://www.facebook.com/harbour'>Text</div>",
        "<div class=fb-page data-href='https://www.facebook.com/a/posts/1'>Text</div>",
        "<div class=fb-post>Text</div>",
        "<div class='my-fb-posts' data-href='https://www.facebook.com/a/posts/1'>Text</div>",
        SQUARESPACE.format(address="//ads.example/x").replace("</div>", "Text</div>", 1),
        "<div class=elementor-widget-video data-settings='{'>Text</div>",
        ELEMENTOR.format(settings='{"youtube_url":"https://youtu.be/b2","video_type":"hosted"}').replace(
            "<div class=elementor-video></div>", "Text"),
        "<a class='wistia_async_a1' href=/x>Text</a>",
    ],
)  # fmt: skip
def test_other_boxes_are_read(box: str) -> None:
    page = blockify(f"<p>One.</p>{box}<p>Two.</p>", markup=True)
    assert page.texts == ("One.", "Text", "Two.")
    assert page.markup is not None
    assert not page.markup.pictures
