"""The step of site rules: what they keep and drop, also against the model and the options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from testing.standins import Half, job_of

from scrapy_boilernet import LabeledPage, extract
from scrapy_boilernet.extractor.explain.explanation import explain
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import formatted, label_page
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.extractor.sites.rules import SiteRules
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker

URL = "https://shop.example/1"
PAGE = """<html><body><nav><p>Menu</p></nav><div id=product><h1>Kettle</h1><p>It boils.</p>
<div hidden><p>Of steel.</p></div><p>Two <b>years</b> of warranty.</p>
<aside><p>Buy a lamp.</p></aside>
</div><div class=more><p>More kettles.</p></div><footer><p>Imprint</p></footer></body></html>"""
"""Half keeps the blocks with even numbers: Menu, It boils, Two years, More kettles."""
BY_MODEL = "Menu\nIt boils.\nTwo years of warranty.\nMore kettles."


class Content(Half):
    """Finds all content likely."""

    def probabilities(self, pages: Any) -> Any:
        return [np.full(len(page.blocks), 0.9, dtype=np.float32) for page in pages]


def labeled(
    rule: dict[str, Any], labeler: Any = None, html: str = PAGE, **options: Any
) -> LabeledPage:
    sites = SiteRules.of({"shop.example": rule})
    assert sites is not None
    page = blockify(html, URL, markup=True, stated=True, rule=sites.rule_for(URL))
    return label_page(page, labeler or Half(), LabelOptions(**options))


RULES: list[tuple[dict[str, Any], str]] = [
    ({"keep": "#product"}, "Kettle\nIt boils.\nOf steel.\nTwo years of warranty.\nBuy a lamp."),
    ({"keep": "#product", "drop": "aside"}, "Kettle\nIt boils.\nOf steel.\nTwo years of warranty."),
    ({"keep": ["h1", ".more"], "drop": "#product"}, "More kettles."),
    ({"keep": "#product", "inside": "model"}, "It boils.\nTwo years of warranty."),
    ({"keep": "#product", "inside": "model", "drop": "p"}, ""),
    ({"drop": "nav"}, "It boils.\nTwo years of warranty.\nMore kettles."),
    ({"drop": ["nav", "#none"]}, "It boils.\nTwo years of warranty.\nMore kettles."),
    ({"drop": "body"}, ""),
    ({"keep": "body", "drop": "*"}, ""),
    ({"keep": "#none"}, BY_MODEL),
    ({"keep": "b"}, BY_MODEL),  # a part of a block
    ({"keep": "#none", "drop": "nav"}, "It boils.\nTwo years of warranty.\nMore kettles."),
    ({"keep": "//div[@id='product']/p"}, "It boils.\nTwo years of warranty."),
    ({"title": "h1"}, BY_MODEL),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "text"), RULES)
def test_keep_is_content_and_drop_never_is(rule: dict[str, Any], text: str) -> None:
    result = labeled(rule)
    assert result.text == text
    assert (result.source == "nothing") == (not text)
    assert result.probabilities == labeled({"title": "h1"}).probabilities


@pytest.mark.parametrize("favor", ["precision", "recall"])
@pytest.mark.parametrize("fallback", [(), ("hidden", "json-ld", "lower-threshold", "main-element")])
@pytest.mark.parametrize("threshold", [None, 0.0, 1.0])
@pytest.mark.parametrize("hidden", ["drop", "model"])
@pytest.mark.parametrize("word", ["model", "keep", "drop"])
def test_no_option_overrules_a_rule(
    favor: Any, fallback: Any, threshold: float | None, hidden: Any, word: Any
) -> None:
    options = {"favor": favor, "fallback": fallback, "threshold": threshold, "hidden": hidden}
    kinds = {"title": word, "captions": word, "comments": word}
    for rule, text in (RULES[1], RULES[2]):
        assert labeled(rule, **options, **kinds).text == text
    dropped = labeled({"drop": ["#product", ".more"]}, **options, **kinds)
    assert not any(dropped.kept[1:7])


def test_hidden_text_inside_of_keep_counts_as_shown_for_the_model() -> None:
    rule = {"keep": "#product", "inside": "model", "drop": "aside"}
    assert "Of steel." in labeled(rule, Content()).text
    assert "Of steel." not in labeled({"drop": "aside"}, Content()).text
    assert labeled(rule, Content()).source == "model"


def test_a_page_of_a_rule_has_the_paths_of_the_page(tmp_path: Path) -> None:
    from parsel import Selector

    result = labeled({"keep": "#product", "drop": "aside"})
    plain = blockify(PAGE, URL)
    assert tuple(result.page.blocks) == tuple(plain.blocks)
    selected = result.select(Selector(PAGE))
    assert [one.xpath("normalize-space()").get() for one in selected] == result.text.splitlines()


def test_the_headline_of_markdown_obeys_drop() -> None:
    assert formatted(labeled({"drop": "nav"}), ("markdown",)).markdown.startswith("# Kettle")  # type: ignore[union-attr]
    dropped = formatted(labeled({"drop": ["nav", "h1"]}), ("markdown",)).markdown
    assert dropped is not None
    assert "Kettle" not in dropped


def test_steps_and_source_say_what_a_rule_decided() -> None:
    result = labeled({"keep": "#product", "drop": "aside"})
    assert (result.source, {*result.steps}) == ("site-rule", {"site rule"})
    mixed = labeled({"drop": ["nav", ".more p"]})
    assert mixed.source == "model"
    assert [i for i, step in enumerate(mixed.steps) if step == "site rule"] == [0, 6]
    rule = SiteRules.of({"shop.example": {"keep": "#product", "drop": "aside"}})
    assert rule is not None
    notes = explain(blockify(PAGE, URL, rule=rule.rule_for(URL)), Half())
    assert notes.note(1) == "kept by: site rule #product"
    assert notes.note(5) == "dropped by: site rule aside"
    assert notes.note(6) == "dropped by: site rule (outside of keep)"
    assert dict(notes.facts)["found by"] == "keep of the rule of its site"


@pytest.mark.parametrize(
    "html",
    ["", "<p>", "no markup at all", "<html></html><p>after", "<div id=product>", "%PDF-1.4",
     "<frameset><frame src=a></frameset>", "<div>" * 3_000 + "<p id=product>deep",
     "<div id=product>" * 3_000 + "<p>deep" + "</b>" * 6_000,
     '{"json": 1}', "\x00<p id=product>\ud800</p>"],
)  # fmt: skip
def test_any_page_can_have_a_rule(html: str) -> None:
    for rule, _ in RULES:
        labeled({**rule, "author": "*", "date": "//text()", "title": "::attr(id)"}, html=html)


def test_values_of_a_rule_overrule_the_metadata(tiny_model: Path) -> None:
    html = (
        '<html lang="de"><head><title>Shop</title><meta name="author" content="Desk">'
        '<meta property="og:title" content="Other"></head><body><h1 class=n>Red<br>kettle</h1>'
        "<p class=by>Von Ann Lee und Bo Chan</p><p class=on>27. März 2024</p><p>Text.</p>"
    )
    rule = {"title": "h1.n", "author": [".none", ".by"], "date": ".on"}
    given = {"model": str(tiny_model), "engine": "numpy", "formats": ("metadata",)}
    metadata = extract(html, URL, sites={"shop.example": rule}, **given).metadata
    assert metadata is not None
    assert (metadata.title, metadata.authors) == ("Red kettle", ("Ann Lee", "Bo Chan"))
    assert (metadata.date_published, metadata.date_published_raw) == ("2024-03-27", "27. März 2024")
    assert metadata.sources["authors"] == metadata.sources["title"] == "site-rule"
    nothing = {"title": ".none", "author": ".none", "date": ".by"}  # no date can be read
    found = extract(html, URL, sites={"shop.example": nothing}, **given).metadata
    assert found == extract(html, URL, **given).metadata
    attributes = {"title": "meta[property='og:title']", "author": "//meta[@name='author']/@content"}
    found = extract(html, URL, sites={"shop.example": attributes}, **given).metadata
    assert found is not None
    assert (found.title, found.authors) == ("Other", ("Desk",))


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("By Una Brell and Tom Hask, 14 March 2026", ("Una Brell", "Tom Hask")),
        ("Una Brell, 2 hours ago", ("Una Brell",)),
        ("Una Brell</p><p class=by>14 March 2026", ("Una Brell",)),
        ("14 March 2026", ("Desk",)),
    ],
)
def test_a_date_is_no_author_of_a_rule(
    tiny_model: Path, byline: str, names: tuple[str, ...]
) -> None:
    html = f"<meta name=author content=Desk><h1>Kettle</h1><p class=by>{byline}</p><p>Text."
    sites = {"shop.example": {"author": ".by"}}
    given = {"model": str(tiny_model), "engine": "numpy", "formats": ("metadata",)}
    metadata = extract(html, URL, sites=sites, **given).metadata
    assert metadata
    assert metadata.authors == names


def test_a_worker_reads_a_page_anew_for_another_rule() -> None:
    sites = SiteRules.of({r"//shop\.example/a": {"keep": ".more"}, "shop.example": {"drop": "nav"}})
    worker = PageWorker(Half(), CachedBlockifier(100, sites))
    urls = ("https://shop.example/a", "https://shop.example/b", "https://other.example/", None)
    texts = [worker.label([job_of(PAGE.encode(), url)])[0].result.text for url in urls]  # type: ignore[union-attr, arg-type]
    assert texts == ["More kettles.", BY_MODEL.removeprefix("Menu\n"), BY_MODEL, BY_MODEL]
    again = worker.label([job_of(PAGE.encode(), urls[0])])[0]  # type: ignore[arg-type]
    assert (again.cached, again.by_rule, again.result.text) == (True, True, "More kettles.")  # type: ignore[union-attr]
