"""The address of an image is that of the largest and of the one that is shown later."""

from __future__ import annotations

import pytest

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
        ({"src": EMPTY, "data-large-file": "/large.png"}, "/large.png"),
        ({"src": EMPTY, "data-lazy": "/lazy.webp"}, "/lazy.webp"),
        ({"src": "/shown.jpg", "srcset": "/other.jpg 2x"}, "/shown.jpg"),
    ],
)
def test_the_source_of_an_image(attributes: dict[str, str], source: str) -> None:
    image = image_of(attributes, in_text=False)
    assert image is not None
    assert image[0] == source
