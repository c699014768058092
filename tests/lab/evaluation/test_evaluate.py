"""Evaluation: systems side by side on the same pages, and the figures of each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.evaluated import PERFECT, SILENT, gold_pages
from testing.labeled import from_kept
from testing.synthetic import QUICK, article, gold_page, write_set

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers import registry
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, Snippets, read_pages
from scrapy_boilernet.lab.evaluation.evaluate import WorstPage, WorstPages, as_json, evaluate
from scrapy_boilernet.lab.evaluation.summary import summarize
from scrapy_boilernet.lab.evaluation.systems import (
    Extraction,
    System,
    labeler_systems,
    peer_system,
)


def test_every_system_has_a_row_for_every_page_in_turn() -> None:
    rows = evaluate(gold_pages(), [PERFECT, SILENT])
    assert [(r.page, r.system) for r in rows] == [
        (f"page{n}", name) for n in range(4) for name in ("perfect", "silent")
    ]
    assert [r.f1 for r in rows] == [1, 0] * 4
    assert [r.confidence for r in rows[:2]] == [0.9, None]
    assert all(r.seconds >= 0 for r in rows)
    assert as_json(rows)[0]["page"] == "page0"
    assert as_json(rows)[0]["metrics"]["word_f1"] == 1


def test_core_metrics_are_the_cheap_ones() -> None:
    perfect, silent = evaluate(gold_pages(number=1), [PERFECT, SILENT])
    assert perfect.metrics == {
        "word_precision": 1, "word_recall": 1, "word_f1": 1, "exact": 1, "shingle_precision": 1,
        "shingle_recall": 1, "loses_paragraph": 0, "paragraph_loss": 0, "empty": 0,
    }  # fmt: skip
    assert silent.metrics == {
        "word_precision": 0, "word_recall": 0, "word_f1": 0, "exact": 0, "shingle_recall": 0,
        "loses_paragraph": 1, "paragraph_loss": 1, "empty": 1,
    }  # fmt: skip


def test_an_empty_text_where_nothing_is_wanted_is_not_counted() -> None:
    (row,) = evaluate([gold_page(1, gold=" ")], [SILENT])
    assert "empty" not in row.metrics
    assert row.f1 == 1


def test_all_metrics_of_a_perfect_text_are_perfect() -> None:
    (row,) = evaluate(gold_pages(number=1), [PERFECT], "all")
    names = ("token_set", "lcs", "cleaneval", "cleaneval_lcs")
    assert all(row.metrics[f"{name}_f1"] == 1 for name in names)
    assert row.metrics["block_hits"] == 5  # the title and four paragraphs
    assert row.metrics["block_extra"] == row.metrics["block_missed"] == 0
    assert row.metrics["block_right"] > 0
    assert "leaf_hits" not in row.metrics


def test_a_labeler_answers_for_its_own_blocks(tiny_model: Path) -> None:
    (system,) = labeler_systems([str(tiny_model)], "numpy")
    page = gold_page(3)
    (row,) = evaluate([page], [system], "all")
    labels = system.extract(page).labeled.labels
    content = row.metrics["block_hits"] + row.metrics["block_extra"]
    assert content == labels.count("content")
    boilerplate = row.metrics["block_missed"] + row.metrics["block_right"]
    assert boilerplate == labels.count("boilerplate")


def test_blocks_of_a_page_that_a_labeler_decodes_wrongly_are_those_of_the_page_itself() -> None:
    gold = ["Утром стоял туман", "Лодки вышли на воду", "Home"]
    html = "".join(f"<p>{text}</p>" for text in [*gold, "Меню", "News"])
    html = f"<meta charset=latin-1>{html}"  # which is not so
    page = gold_page(1, html=html.encode("koi8-r"), encoding="koi8-r", gold="\n".join(gold))

    def keep_all(given: GoldPage) -> Extraction:
        labeled = from_kept(
            blockify(given.html, encoding="latin-1"),
            [True] * 5,
            [1.0] * 5,
            0.5,
            1.0,
            "all",
            "model",
        )
        return Extraction(labeled.text, labeled=labeled)

    (row,) = evaluate([page], [System("all", "ours", keep_all)], "all")
    counts = [row.metrics[f"block_{name}"] for name in ("hits", "extra", "missed", "right")]
    assert counts == [1, 1, 2, 1]


def test_leaves_and_tags_of_a_page_that_a_labeler_decodes_wrongly_are_measured(
    tmp_path: Path, tiny_model: Path
) -> None:
    file = tmp_path / "page.html"
    html = '<p __boilernet_label="1">Утром стоял туман</p><p __boilernet_label="1">Home</p><p>x</p>'
    file.write_text(html, encoding="utf-8")
    plain = html.replace(' __boilernet_label="1"', "").encode("koi8-r")
    plain = b"<meta charset=latin-1>" + plain  # which is not so
    page = gold_page(
        1, html=plain, encoding="koi8-r", labeled_html=file, tagged_gold=(("p", "Home"),)
    )
    (row,) = evaluate([page], labeler_systems([str(tiny_model)], "numpy"), "all")
    assert row.metrics["leaf_hits"] + row.metrics["leaf_missed"] == 2
    assert row.metrics["leaf_missed"] >= 1  # it is not among the letters that the labeler read
    assert 0 <= row.metrics["official_text"] <= 1


def test_a_page_with_snippets_alone_is_measured_by_them() -> None:
    page = gold_page(1, gold=None, snippets=Snippets(("Tide",), ("Home", "News")))
    system = System("home", "1", lambda _: Extraction("Home and tide"))
    (row,) = evaluate([page], [system], "all")
    assert row.f1 is None
    assert row.metrics == {
        "with_rate": 1, "without_rate": 1 / 2,
        "snippet_hits": 0, "snippet_extra": 1, "snippet_missed": 1, "snippet_right": 1,
    }  # fmt: skip


def test_leaves_are_labeled_on_the_prepared_page_without_its_labels(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text('<p __boilernet_label="1">Some <b>bold</b></p><p>Menu</p><p>Imprint</p>')
    seen = []

    def extract(page: GoldPage) -> Extraction:
        seen.append(page.html)
        return Extraction("Some bold\nMenu")

    page = gold_page(1, labeled_html=file)
    (row,) = evaluate([page], [System("peer", "1", extract)], "all")
    assert seen == [page.html, b"<p>Some <b>bold</b></p><p>Menu</p><p>Imprint</p>"]
    counts = [row.metrics[f"leaf_{name}"] for name in ("hits", "extra", "missed", "right")]
    assert counts == [2, 1, 0, 1]
    assert "leaf_hits" not in evaluate([page], [SILENT])[0].metrics


def test_a_page_that_is_its_own_prepared_one_is_extracted_once(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text('<p __boilernet_label="1">Ünd</p><p>Menu</p>', encoding="utf-8")
    html = "<p>Ünd</p><p>Menu</p>"
    for page_html, encoding, times in (
        (html.encode(), None, 1),
        (html.encode("latin-1"), "latin-1", 1),
        (html.encode("latin-1"), "cp1251", 2),
    ):
        seen: list[bytes] = []
        system = System("peer", "1", lambda page, s=seen: s.append(page.html) or Extraction("Ünd"))
        page = gold_page(1, html=page_html, encoding=encoding, labeled_html=file)
        (row,) = evaluate([page], [system], "labelers")
        assert len(seen) == times
        assert [row.metrics[f"leaf_{n}"] for n in ("hits", "extra", "missed", "right")] == [
            1, 0, 0, 1,
        ]  # fmt: skip


def test_metrics_of_the_labelers_table_are_between_core_and_all(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text('<p __boilernet_label="1">Some text</p>')
    page = gold_page(1, labeled_html=file)
    core, labelers, everything = (
        evaluate([page], [PERFECT], metrics)[0].metrics for metrics in ("core", "labelers", "all")
    )
    assert core.items() < labelers.items() < everything.items()
    assert {"token_set_f1", "lcs_f1", "cleaneval_f1", "leaf_hits"} < set(labelers)
    assert not {"rouge_lsum_f1", "cleaneval_lcs_f1", "block_hits"} & set(labelers)


def test_cleaneval_is_scored_where_the_gold_has_tags() -> None:
    lines = (article(1)[1]).splitlines()
    gold = (("h", lines[0]), *(("p", line) for line in lines[1:]))
    page = gold_page(1, tagged_gold=gold)
    tagged = "".join(f"<{tag}>{text}\n" for tag, text in gold)
    with_tags = System("tags", "ours", lambda _: Extraction("", cleaned=lambda: tagged))
    plain, cleaned = evaluate([page], [PERFECT, with_tags], "labelers")
    assert cleaned.metrics["official_total"] == cleaned.metrics["tag_f1"] == 1
    assert plain.metrics["official_text"] == 1  # the same words
    assert 0 < plain.metrics["official_markup"] < 1  # but the heading is a paragraph
    assert plain.metrics["official_total"] == pytest.approx(
        (1 + plain.metrics["official_markup"]) / 2
    )


def test_a_system_may_have_a_clock_of_its_own() -> None:
    ticks = iter([5.0, 7.5])
    system = System("slow", "1", lambda _: Extraction(""), clock=lambda: next(ticks))
    (row,) = evaluate(gold_pages(number=1), [system])
    assert row.seconds == 2.5


def test_leaves_of_a_labeler_are_those_of_its_blocks(tmp_path: Path, tiny_model: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(article(2)[0].replace(b"<article", b'<article __boilernet_label="1"'))
    (row,) = evaluate(
        [gold_page(2, labeled_html=file)], labeler_systems([str(tiny_model)], "numpy"), "all"
    )
    assert row.metrics["leaf_hits"] + row.metrics["leaf_missed"] == 5


def test_the_worst_pages_are_those_of_the_first_system() -> None:
    half = System("half", "ours", lambda page: Extraction((page.gold or "")[: 90 * len(page.id)]))
    worst = WorstPages(2)
    evaluate(gold_pages(), [half, SILENT], worst=worst)
    assert len(worst.pages()) == 2
    assert all(page.f1 > 0 for page in worst.pages())
    assert worst.pages()[0].f1 <= worst.pages()[1].f1


def test_a_model_folder_is_measured_beside_a_peer(tmp_path: Path, tiny_model: Path) -> None:
    pytest.importorskip("trafilatura")
    folder = write_set(tmp_path / "mine", {f"p{n}": article(n) for n in range(3)})
    systems = [*labeler_systems([str(tiny_model)], "numpy"), peer_system("trafilatura")]
    rows = evaluate(read_pages(folder), systems)
    assert [r.system for r in rows] == ["tiny", "trafilatura"] * 3
    assert all((r.f1 or 0) > 0.8 for r in rows if r.system == "trafilatura")
    assert all(0 <= (r.confidence or 0) <= 1 for r in rows if r.system == "tiny")
    summary = summarize(rows, systems)
    assert summary["systems"]["tiny"] == "ours"
    assert summary["macro_difference"]["trafilatura"]["lead"] < 0


def test_each_model_is_loaded_once_however_many_there_are(
    tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Path] = []
    load = registry._load
    monkeypatch.setattr(registry, "_load", lambda p, e: loaded.append(p) or load(p, e))
    systems = []
    for number in range(6):
        folder = shutil.copytree(tiny_model, tmp_path / f"model{number}")
        systems += labeler_systems([str(folder)], "numpy")
    evaluate(gold_pages(number=2), systems)
    assert len(loaded) == 6


def test_a_page_is_kept_with_its_differences() -> None:
    page = gold_page(1, "made", "a.com", gold="One two\nthree four\nfive", page_type="forum")
    worst = WorstPages()
    worst.show(page, "Menu\nthree four", 0.5)
    assert worst.pages() == [
        WorstPage(
            "made", "page1", "https://a.com/1", "forum", 0.5,
            lost=("One two", "five"), wrong=("Menu",),
        )
    ]  # fmt: skip


@QUICK
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=30), st.integers(0, 5))
def test_the_worst_are_kept_and_the_first_of_equal_ones(scores: list[float], number: int) -> None:
    worst = WorstPages(number)
    for n, score in enumerate(scores):
        worst.show(gold_page(0, id=f"p{n}", gold=""), "", score)
    ranked = sorted(enumerate(scores), key=lambda pair: (pair[1], pair[0]))[:number]
    assert [(page.page, page.f1) for page in worst.pages()] == [(f"p{n}", f1) for n, f1 in ranked]
