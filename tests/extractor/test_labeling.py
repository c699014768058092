"""From a page's bytes to its labels and main text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scrapy.http import HtmlResponse
from testing.labeled import from_probabilities

import scrapy_boilernet
from scrapy_boilernet import LabeledPage, ModelError, extract, load_labeler
from scrapy_boilernet.extractor.decide.threshold import Decider, choose_threshold
from scrapy_boilernet.extractor.explain.explanation import explain
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.model_folder import load_model, save_model
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import FAVORS, FORMATS, LabelOptions
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.extractor.page import Page

HTML = (
    "<title>T</title><body><nav><a href=/>Home</a></nav><h1>Größe</h1><p>Tide pools warm at night."
)


@pytest.fixture(params=["tiny", "tiny_paper"])
def model(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"{request.param}_model"))


@pytest.fixture(params=["torch", "numpy"])
def engine(request: pytest.FixtureRequest) -> str:
    if request.param == "torch":
        pytest.importorskip("torch")
    return str(request.param)


def run(html: bytes | str, model: str | Path, **options: Any) -> LabeledPage:
    return extract(html, model=str(model), **{"engine": "numpy", **options})


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (None, "None"),
        (bytearray(b"<p>a"), "'bytearray'"),
        (memoryview(b"<p>a"), "'memoryview'"),
        (Path("page.html"), "Path'"),
        (HtmlResponse("https://example.com/", body=b"<p>a"), "'HtmlResponse'"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_page_is_refused_with_the_remedy(given: Any, named: str) -> None:
    with pytest.raises(TypeError) as caught:
        extract(given)
    assert all(part in str(caught.value) for part in (named, "response.body", "read_bytes()"))


def test_a_real_page_is_labeled_block_by_block(
    model: str, engine: str, read_page: Callable[[str], bytes]
) -> None:
    options = {"engine": engine, "url": "https://example.com/a", "fallback": False}
    result = run(read_page("article.html"), model, **options)
    labeler = load_labeler(model, engine)
    page = blockify(read_page("article.html"), url="https://example.com/a", units=labeler.units)
    assert result.page == page
    assert len(result.labels) == len(result.probabilities) == len(page.blocks) > 10
    assert all(0 <= p <= 1 for p in result.probabilities)
    assert all(type(p) is float for p in result.probabilities)
    assert 0 <= result.confidence <= 1
    assert (result.confidence > 0) == bool(result.content)
    scores = labeler.probabilities([page])[0]
    assert (result.model, result.threshold) == (labeler.name, labeler.threshold_for(page, scores))
    assert result.source == ("model" if result.content else "nothing")
    assert set(result.labels) <= {"content", "boilerplate"}


def test_the_text_has_the_content_blocks(model: str, read_page: Callable[[str], bytes]) -> None:
    middle = median(run(read_page("forum.html"), model).probabilities)
    result = run(read_page("forum.html"), model, threshold=middle)
    assert set(result.labels) == {"content", "boilerplate"}
    kept = [block.text for block in result.content]
    assert result.text.replace(" | ", "\n").split("\n") == [
        line for text in kept for line in text.replace(" | ", "\n").split("\n")
    ]
    rows = zip(result.page.blocks, result.labels, result.probabilities, strict=True)
    for block, label, probability in rows:
        assert (label == "content") == (probability >= middle) == (block in result.content)


def test_bytes_and_their_text_give_the_same(tiny_model: Path) -> None:
    assert run(HTML, tiny_model) == run(HTML.encode(), tiny_model)


@pytest.mark.parametrize("encoding", ["utf-99", "hex", "utf-7", "a\0b", 8])
def test_an_encoding_that_cannot_be_used_is_refused(tiny_model: Path, encoding: Any) -> None:
    with pytest.raises(ValueError, match=r"is not known to Python.*leave it out") as caught:
        run(HTML, tiny_model, encoding=encoding)
    assert repr(encoding) in str(caught.value)
    run(HTML, tiny_model, charset="utf-99", encoding="")


def test_the_callers_encoding_is_used(tiny_model: Path) -> None:
    result = run(HTML.encode("utf-16-le"), tiny_model, encoding="utf-16-le")
    assert [block.text for block in result.page.blocks][1] == "Größe"


def test_the_threshold_moves_labels_but_not_probabilities(tiny_model: Path) -> None:
    own = run(HTML, tiny_model)
    everything, nothing = run(HTML, tiny_model, threshold=0), run(HTML, tiny_model, threshold=1.0)
    assert set(everything.labels) == {"content"}
    assert set(nothing.labels) == {"boilerplate"}
    assert everything.probabilities == nothing.probabilities == own.probabilities
    assert nothing.confidence == 0.0
    assert 0 < everything.confidence <= 1
    assert (everything.threshold, nothing.threshold) == (0, 1.0)


def test_a_block_at_the_threshold_is_content(tiny_model: Path) -> None:
    probability = run(HTML, tiny_model).probabilities[-1]
    assert run(HTML, tiny_model, threshold=probability).labels[-1] == "content"
    assert run(HTML, tiny_model, threshold=probability + 1e-9).labels[-1] == "boilerplate"


def test_none_takes_the_models_own_threshold(tiny_paper_model: Path) -> None:
    assert run(HTML, tiny_paper_model, threshold=None, fallback=False).threshold == 0.45


def test_favor_moves_the_models_threshold_but_not_a_given_one(model: str) -> None:
    results = [run(HTML, model, favor=favor, fallback=False) for favor in FAVORS]
    thresholds = [result.threshold for result in results]
    assert thresholds == sorted(thresholds, reverse=True)
    assert len(set(thresholds)) == 3
    assert {run(HTML, model, threshold=0.3, favor=favor).threshold for favor in FAVORS} == {0.3}


def test_a_model_that_decides_by_expected_f_gives_each_page_its_own_threshold(
    tiny_model: Path, tmp_path: Path, read_page: Callable[[str], bytes]
) -> None:
    spec, tensors = load_model(tiny_model)
    save_model(tmp_path / "own", replace(spec, decision="expected-f", threshold=0.0), tensors)
    results = [run(read_page(name), tmp_path / "own") for name in ("article.html", "forum.html")]
    for result in results:
        words = np.array([len(block.text) / 6 for block in result.page.blocks])
        p = np.array(result.probabilities, dtype=np.float32)
        assert result.threshold == choose_threshold(p, words, 0.0, "balanced") > 0
    assert results[0].threshold != results[1].threshold


class OfCells(Decider):
    """Gives a text's probability by its first letter, and a threshold of 0.5."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [
            np.array([0.9 if block.text[0].isupper() else 0.1 for block in page.blocks], np.float32)
            for page in pages
        ]


def test_a_data_table_is_completed_where_the_model_decides() -> None:
    html = "<table><tr><td>Upper<td>Warm</tr><tr><td>Lower<td>cold</tr></table><p>home</p>"
    page, labeler = blockify(html), OfCells("cells", "block", 0.5)
    whole = label_page(page, labeler)
    assert whole.text == "Upper | Warm\nLower | cold"
    assert whole.kinds == ("main",) * 4 + ("boilerplate",)
    assert explain(page, labeler).note(3) == "kept by: structure"
    by_number = label_page(page, labeler, LabelOptions(threshold=0.5))
    assert by_number.text == "Upper | Warm\nLower"
    assert whole.confidence != by_number.confidence
    leaves = replace(page, units="leaf")
    assert label_page(leaves, OfCells("cells", "leaf", 0.5)).labels[3] == "boilerplate"


def test_titles_and_comments_can_be_kept_or_dropped_and_the_confidence_stays(
    tiny_model: Path,
) -> None:
    html = (
        "<title>Tide pools at night</title><h1>Tide pools at night</h1><p>They are warm, and the "
        "water that comes back is cold enough to kill.</p><div id=comments><p>I saw one."
    )
    own = run(html, tiny_model, threshold=0)
    assert own.kinds == ("title", "main", "comment")
    bare = run(html, tiny_model, threshold=0, title="drop", comments="drop")
    assert bare.kinds == own.kinds
    assert bare.steps == ("title", "model", "comments")
    assert bare.labels == ("boilerplate", "content", "boilerplate")
    assert bare.text == own.content[1].text
    assert bare.confidence == own.confidence


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("favor", "both"),
        ("title", "hide"),
        ("comments", True),
        ("captions", "all"),
        ("fallback", ["luck"]),
    ],
)
def test_an_unknown_word_is_refused_with_the_known_ones(
    tiny_model: Path, option: str, value: Any
) -> None:
    with pytest.raises(ValueError, match=rf"{option}.*must be") as caught:
        run(HTML, tiny_model, **{option: value})
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("threshold", [-0.001, 1.001, 50, float("nan"), float("inf")])
def test_a_threshold_outside_its_range_is_refused(tiny_model: Path, threshold: float) -> None:
    with pytest.raises(ValueError, match=r"outside \[0, 1\]") as caught:
        run(HTML, tiny_model, threshold=threshold)
    assert repr(threshold) in str(caught.value)


@pytest.mark.parametrize("threshold", ["a", "0.5", [0.5]])
def test_a_threshold_that_is_no_number_is_refused(tiny_model: Path, threshold: Any) -> None:
    with pytest.raises(ValueError, match="is not a number in") as caught:
        run(HTML, tiny_model, threshold=threshold)
    assert repr(threshold) in str(caught.value)


@pytest.mark.parametrize(
    "html", ["", b"", "<html>", b"\x00\xff\xfe", "\ud800", b"%PDF-1.7\n\xe2\xe3", "<p>\x00x"]
)
def test_no_page_raises(model: str, html: bytes | str) -> None:
    result = run(html, model, charset="hex")
    assert len(result.labels) == len(result.page.blocks)


def test_a_page_without_blocks_has_no_text_and_no_confidence(model: str) -> None:
    result = run("<html><title>T</title></html>", model)
    assert (result.labels, result.text, result.confidence) == ((), "", 0.0)
    assert result.page.title == "T"


def test_unknown_models_and_engines_are_refused(tiny_model: Path) -> None:
    with pytest.raises(ModelError, match="no-such-model"):
        run(HTML, "no-such-model")
    with pytest.raises(ModelError, match="abacus"):
        run(HTML, tiny_model, engine="abacus")


def test_a_page_in_other_units_is_refused_with_the_remedy(
    tiny_model: Path, tiny_paper_model: Path
) -> None:
    for model, units in ((tiny_model, "leaf"), (tiny_paper_model, "block")):
        labeler = load_labeler(str(model), "numpy")
        with pytest.raises(ValueError, match=r"units=labeler\.units") as caught:
            label_page(blockify(HTML, units=units), labeler)  # type: ignore[arg-type]
        assert labeler.name in str(caught.value)


def test_label_page_continues_where_blockify_ends(model: str) -> None:
    labeler = load_labeler(model, "numpy")
    assert label_page(blockify(HTML, units=labeler.units), labeler) == run(HTML, model)


def test_the_package_has_ten_public_names() -> None:
    names = ["Addon", "Block", "JoinedPages", "LabeledPage", "ModelError", "Page"]
    names += ["extract", "fill_item", "join_pages", "load_labeler"]
    assert sorted(scrapy_boilernet.__all__) == names
    assert all(hasattr(scrapy_boilernet, name) for name in names)


def test_formats_are_none_unless_they_are_asked_for(tiny_model: Path) -> None:
    html = "<h1>Pools</h1><p>They <b>warm</b> <a href=/a>up</a>."
    plain = run(html, tiny_model, threshold=0)
    assert (plain.markdown, plain.html) == (None, None)
    both = run(html, tiny_model, threshold=0, formats=["html", "markdown"], url="http://e.org/x")
    assert both.markdown == "# Pools\n\nThey **warm** [up](http://e.org/a)."
    assert both.html == (
        '<h1>Pools</h1>\n<p>They <strong>warm</strong> <a href="http://e.org/a">up</a>.</p>'
    )
    assert both.page.markup is None
    assert run(html, tiny_model, threshold=0, formats=["html"]).markdown is None
    every = run(html, tiny_model, threshold=0, formats=FORMATS)
    assert every.page.stated is None
    assert every.metadata
    assert (every.metadata.title, every.metadata.word_count) == ("Pools", 4)
    assert (every.posts, every.page.thread) == ((), None)
    assert replace(every, markdown=None, html=None, metadata=None, posts=None) == plain


def test_formats_have_what_is_labeled_content_only(tiny_model: Path) -> None:
    html = "<h1>Pools</h1><p>They warm.<p hidden>Spam.<p>At night."
    result = run(html, tiny_model, threshold=0, title="drop", formats=FORMATS)
    assert result.markdown == "They warm.\n\nAt night."
    assert result.html == "<p>They warm.</p>\n<p>At night.</p>"
    empty = run(b"%PDF-1.7", tiny_model, formats=FORMATS)
    assert empty.posts == ()
    assert (empty.text, empty.markdown, empty.html) == ("", "", "")
    assert empty.metadata
    assert (empty.metadata.title, empty.metadata.word_count) == (None, 0)


def test_an_unknown_format_is_named_with_the_known_ones(tiny_model: Path) -> None:
    for formats in (["markdown", "docx"], "markdown", 7):
        with pytest.raises(ValueError, match=r"a list of markdown, html, metadata, posts, not"):
            run("<p>x", tiny_model, formats=formats)


def test_a_model_of_leaves_has_metadata_only(tiny_paper_model: Path) -> None:
    with pytest.raises(ModelError, match=r"labels 'leaf' units, from which neither"):
        run("<p>x", tiny_paper_model, formats=["html"])
    assert run("<title>x</title><p>y", tiny_paper_model, formats=["metadata"]).metadata
    page = blockify("<p>x")
    with pytest.raises(ValueError, match="the page has no markup"):
        with_formats(from_probabilities(page, [1], 0.5, 1, "t"), FORMATS)


PARAGRAPH = (
    "Volunteers met at the weir on Saturday, and they counted the fish that passed it by noon."
)


def test_what_the_page_hides_is_apart() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "Obey")
    shown = f"<p>{PARAGRAPH}</p>" * 5
    html = f"{shown}<p>{PARAGRAPH}<b hidden>one</b></p><p style='opacity:0'>two</p><p>A{tags}.</p>"
    result = extract(html)
    found = [(each.text, each.reason, each.xpath) for each in result.hidden]
    assert found == [
        ("one", "hidden", "/html/body[1]/p[6]/b[1]"), ("two", "opacity:0", "/html/body[1]/p[7]"),
        ("Obey", "invisible-characters", "/html/body[1]/p[8]"),
    ]  # fmt: skip
    explanation = explain(result.page, load_labeler())
    assert dict(explanation.facts)["hidden"] == (
        "10 characters of text that the page hides, left out: "
        "1 hidden, 1 opacity:0, 1 invisible-characters"
    )
    assert "dropped by: hidden (opacity:0)" in map(explanation.note, range(len(result.labels)))


def test_hidden_text_that_is_content_is_not_apart() -> None:
    shown = f"<p>{PARAGRAPH}</p>" * 5
    result = extract(f"<h1>A.</h1><div style='display:none'>{shown}</div>")
    assert (result.source, result.hidden) == ("hidden", ())
