"""Labels of other pages are no wall, and icons and lists of keywords are read as such."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.metadata import Metadata

TEXT = "<p>Pools that the tide leaves behind warm up by several degrees before it comes back.</p>"


def metadata_of(body: str, head: str = "") -> Metadata:
    html = f"<html><head><title>Pools</title>{head}</head><body><h1>Pools</h1>{body}</body></html>"
    found = extract(html, "https://shore.example/a", formats=("metadata",)).metadata
    assert found
    return found


LABELS = ["Members+ 会員限定記事", "For subscribers", "Nur für Abonnenten"]
BOX = (
    "<section class='{}'><h3>{}</h3><ul><li><a href=/b>Why the harbour of Leer is so deep</a>"
    "<li><a href=/c>What the crane of the harbour has cost so far</a></ul></section>"
)


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("name", ["article-related", "recommended", "most-read"])
def test_the_label_of_a_box_of_other_pages_is_no_wall(label: str, name: str) -> None:
    assert (
        metadata_of(f"<article>{TEXT * 6}</article>{BOX.format(name, label)}").needs_rendering
        is None
    )


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("name", ["paywall", "x1"])
def test_the_label_below_the_first_lines_is_a_wall(label: str, name: str) -> None:
    wall = f"<div class={name}><h3>{label}</h3><a href=/in>Log in</a></div>"
    assert metadata_of(f"<article>{TEXT * 3}{wall}</article>").needs_rendering == "wall"


@pytest.mark.parametrize(
    "sentence",
    [
        "Subscribe to continue reading", "Already a subscriber? Log in",
        "Jetzt weiterlesen mit PLUS", "Il vous reste 80 % de cet article à lire.",
        "For subscribers: sign in to read the full story",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "box",
    [
        "<div class=recommended-plan><h3>For subscribers</h3><p>{}</p></div>",
        "<blockquote>{}</blockquote>",
        "<figure><img src=/a.jpg><figcaption>{}</figcaption></figure>",
    ],
)
def test_a_call_in_a_box_that_is_named_like_one_of_other_pages_is_a_wall(
    sentence: str, box: str
) -> None:
    body = f"<article>{TEXT * 3}{box.format(sentence)}</article>"
    assert metadata_of(body).needs_rendering == "wall"


@pytest.mark.parametrize(
    ("source", "is_picture"),
    [
        ("/img/collapsed_no.gif", False), ("/i/expand.png", False), ("/textsize_plus.gif", False),
        ("static/image/common/pn_post.png", False), ("/img/expanded-harbour.jpg", True),
        ("/static/image/smiley/pools.jpg", False), ("/static/image/news/2024/pools.jpg", True),
        ("/static/images/pools.jpg", True), ("/img/collapsed_pier.jpg", True),
    ],
)  # fmt: skip
def test_icons_are_no_pictures(source: str, is_picture: bool) -> None:
    assert bool(metadata_of(f"<p><img src={source}></p>{TEXT * 3}").image) == is_picture


@pytest.mark.parametrize("sign", [",", "|", " | ", "；", "｜", ";"])
def test_signs_between_keywords(sign: str) -> None:
    head = f"<meta name=keywords content='tide pools{sign}harbour{sign}Leer'>"
    assert metadata_of(TEXT * 3, head).keywords == ("tide pools", "harbour", "Leer")


def test_a_sign_that_is_part_of_a_keyword() -> None:
    for words in ("C|EH", "C|EH, pools"):
        assert metadata_of(TEXT * 3, f"<meta name=keywords content='{words}'>").keywords == tuple(
            words.split(", ")
        )


@pytest.mark.parametrize(
    ("source", "image"),
    [
        ("www.pools.com.png", "https://shore.example/www.pools.com.png"),
        ("www.pools.jpg?size=2", "https://shore.example/www.pools.jpg?size=2"),
        ("www.pools.com/a.png", "https://www.pools.com/a.png"),
        ("shore.example/a.png", "https://shore.example/a.png"),
    ],
)
@pytest.mark.parametrize("form", ["<meta property=og:image content={}>", "<img src={}>"])
def test_a_name_that_ends_as_a_file_does_is_no_host(source: str, image: str, form: str) -> None:
    head = form.format(source) if "meta" in form else ""
    body = "" if head else f"<p>{form.format(source)}</p>"
    assert metadata_of(f"{body}{TEXT * 3}", head).image == image
