"""Numbers that a block has from elsewhere on its page: claims, kin and headings."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.features.hashed import featurize
from scrapy_boilernet.extractor.features.numbers import BLOCK_NUMBERS, GROUPS
from scrapy_boilernet.extractor.features.words import trigrams
from scrapy_boilernet.extractor.html.blockify import blockify


def numbers(html: str, group: str) -> np.ndarray:
    return featurize(blockify(html)).numbers[:, GROUPS[group]]


def test_claims_are_shares_of_tokens_and_of_trigrams() -> None:
    body = json.dumps({"articleBody": "Tide pools along the shore are warming fast."})
    found = numbers(
        '<meta name="description" content="Pools along the coast">'
        f'<script type="application/ld+json">{body}</script>'
        "<p>Tide pools along the shore.</p><p>Pools along here</p><p>Sign in</p>",
        "claims",
    )
    assert found[0] == pytest.approx([3 / 5, 1, 1])
    assert found[1] == pytest.approx([2 / 3, 0, 1])
    assert found[2] == pytest.approx([0, 0, 1])  # too short to be a claim


def test_without_metadata_nothing_is_claimed() -> None:
    assert not numbers("<p>Tide pools along the shore.</p>", "claims").any()
    described = numbers('<meta name="description" content="tide pools warm"><p>Tide pools warm</p>',
                        "claims")  # fmt: skip
    assert described[0].tolist() == [1, 0, 0]


def test_kin_are_the_blocks_of_the_same_tags_and_near_classes() -> None:
    card = '<div class="card"><p>{}</p></div>'
    texts = ("one two three four", "five six", "sevn <a href=/>eight</a>")
    html = "".join(map(card.format, texts))
    found = numbers(f"{html}<div class=post><p>nine ten</p></div>", "kin")
    assert (found[0] == found[1]).all()
    assert (found[1] == found[2]).all()
    assert found[0] == pytest.approx(
        [8 / 10, 1 / 8, math.log1p(3) / 6, 3 / 4, math.log1p(8 / 3) / 4]
    )
    assert found[3] == pytest.approx([2 / 10, 0, math.log1p(1) / 6, 1 / 4, math.log1p(2) / 4])


def test_headings_say_how_far_above_and_of_which_level() -> None:
    found = numbers("<p>menu</p><h1>Title</h1><p>a</p><p>b</p><h3><a href=/>c</a></h3><p>d</p>",
                    "headings")  # fmt: skip
    assert found[:, 0] == pytest.approx([1, 0, 1 / 20, 2 / 20, 0, 1 / 20])
    assert found[:, 1] == pytest.approx([0, 1 / 6, 1 / 6, 1 / 6, 3 / 6, 3 / 6])
    assert found[:, 2].tolist() == [-1, 1, 1, 1, 1, 1]
    assert found[:, 3] == pytest.approx([-1 / 50, 0, 1 / 50, 2 / 50, 3 / 50, 4 / 50])


def test_without_a_first_heading_nothing_stands_before_or_after_it() -> None:
    found = numbers("<p>a</p><h2>b</h2><p>c</p>", "headings")
    assert not found[:, 2:].any()
    assert found[:, 1] == pytest.approx([0, 2 / 6, 2 / 6])


def test_distances_end_somewhere() -> None:
    found = numbers("<p>x</p>" * 80 + "<h1>t</h1>" + "<p>x</p>" * 80, "headings")
    assert found[:, 0].max() == 1
    assert (found[:, 3].min(), found[:, 3].max()) == (-1, 1)


@QUICK
@given(st.lists(st.sampled_from("abc"), max_size=9))
def test_trigrams_are_the_runs_of_three(found: list[str]) -> None:
    assert trigrams(found) == {tuple(found[i : i + 3]) for i in range(len(found) - 2)}


def test_a_page_without_blocks_has_no_rows() -> None:
    for group in ("claims", "kin", "headings"):
        assert numbers("", group).shape == (0, len(BLOCK_NUMBERS[group]))
