"""The license of a page and its opt-outs of training are read, with their source."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract

TEXT = "<h1>River path reopens</h1><p>The council has voted to reopen the footpath.</p>"
CC = "https://creativecommons.org/licenses/by/4.0/"


@pytest.mark.parametrize(
    ("head", "value", "source"),
    [
        (f'<link rel="license" href="{CC}">', CC, "link"),
        ('<link rel="LICENSE" href="/license">', "https://x.example/license", "link"),
        (f'<meta name="dcterms.license" content="{CC}">', CC, "meta"),
        ('<meta name="DC.rights" content="All rights reserved">', "All rights reserved", "meta"),
        (
            '<script type="application/ld+json">{"@type": "Article", "headline": "River path '
            f'reopens", "license": "{CC}"}}</script>',
            CC,
            "json-ld",
        ),
        (
            '<script type="application/ld+json">{"@type": "ImageObject", "license": "https://a.b/"}'
            "</script>",
            None,
            None,
        ),
        ('<meta name="dcterms.license" content="javascript:alert(1)">', None, None),
    ],
)
def test_license(head: str, value: str | None, source: str | None) -> None:
    found = extract(f"<head>{head}</head>{TEXT}", "https://x.example/a", formats=("metadata",))
    assert found.metadata
    assert found.metadata.license == value
    assert found.metadata.sources.get("license") == source


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ('<meta name="robots" content="noai, noimageai">', ("noai", "noimageai")),
        ('<meta name="ROBOTS" content="index,NOAI">', ("noai",)),
        ('<meta name="tdm-reservation" content="1">', ("tdm-reservation",)),
        ('<meta name="tdm-reservation" content="0">', ()),
        ('<meta name="robots" content="noindex">', ()),
    ],
)
def test_opt_outs(head: str, words: tuple[str, ...]) -> None:
    found = extract(f"<head>{head}</head>{TEXT}", "https://x.example/a", formats=("metadata",))
    assert found.metadata
    assert found.metadata.training_opt_out == words
