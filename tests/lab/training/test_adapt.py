"""Labels of a few blocks, spread over a site's pages and written as a data set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from testing.synthetic import article

pytest.importorskip("scipy")

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.grf.block_graph import GraphOptions, block_graph
from scrapy_boilernet.lab.training.adapt import adapt, read_site, spread_labels, trusted_seeds
from scrapy_boilernet.lab.training.given_labels import AdaptError, placed, read_labels

PAGES = 12


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder of pages of one site."""
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(PAGES):
        (folder / f"page{number:02}.html").write_bytes(article(number)[0])
    return folder


def write(folder: Path, *rows: Any) -> Path:
    path = folder / "labels.jsonl"
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def some_labels(folder: Path) -> Path:
    """Write one label of each class, one by its XPath and one by its text."""
    page = blockify(article(3)[0])
    paragraph = next(block for block in page.blocks if block.tags[-1] == "p")
    row = {"page": "page03.html", "xpath": paragraph.xpath, "label": "content"}
    return write(folder, row, {"text": "Most read", "label": "boilerplate"}, "")


def refused(folder: Path, site: Path, *rows: Any, rules: bool = True) -> str:
    with pytest.raises(AdaptError) as caught:
        list(adapt([site], write(folder, *rows), folder / "out", rules))
    message = str(caught.value)
    assert "\n" not in message
    assert not (folder / "out").exists()
    return message


def mean_sure(out: Path) -> str:
    """Return the mean of ``sure`` over the set's pages, as the last line shows it."""
    rows = [json.loads(line) for line in (out / "pages.jsonl").read_text().splitlines()]
    return f"{sum(row['sure'] for row in rows) / len(rows):.3f}".removeprefix("0")


@pytest.mark.parametrize("rules", [True, False])
def test_a_data_set_is_written(site: Path, tmp_path: Path, rules: bool) -> None:
    out = tmp_path / "out"
    lines = list(adapt([site], some_labels(tmp_path), out, rules))
    assert len(lines) == PAGES + 1
    assert lines[0].startswith("page00: ")
    assert "sure 0." in lines[0] or "sure 1." in lines[0]
    # One label is of one paragraph, the other of a block that is on every page.
    assert lines[-1] == (
        f"wrote {out}: {PAGES} pages, 0 left out, from {1 + PAGES} labeled blocks; expected "
        f"word-F1 {mean_sure(out)}; train with scrapy boilernet train --from default --out "
        f"my-model {out}"
    )
    rows = [json.loads(line) for line in (out / "pages.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == [f"page{number:02}" for number in range(PAGES)]
    assert [row["split"] for row in rows].count("dev") == 1
    assert rows[9]["split"] == "dev"
    assert "url" not in rows[0]
    assert (out / "html" / "page03.html").read_bytes() == article(3)[0]
    meta = json.loads((out / "meta.json").read_text())
    assert meta["licence"] == "not stated"
    assert ("rules" in meta["gold"]) == rules
    if rules:
        for number in range(PAGES):
            gold = (out / "gold" / f"page{number:02}.txt").read_text(encoding="utf-8")
            assert gold.rstrip("\n") == article(number)[1]


def test_training_can_read_the_set(site: Path, tmp_path: Path) -> None:
    pytest.importorskip("rapidfuzz")
    pytest.importorskip("tldextract")
    from scrapy_boilernet.lab.evaluation.datasets import read_pages
    from scrapy_boilernet.lab.evaluation.splits import assign

    list(adapt([site], some_labels(tmp_path), tmp_path / "out"))
    pages = list(read_pages(tmp_path / "out"))
    assert sorted(assign(pages)) == ["train"] * (PAGES - 1) + ["validation"]


def test_with_few_pages_the_last_one_is_in_the_dev_part(site: Path, tmp_path: Path) -> None:
    files = sorted(site.iterdir())[3:6]
    list(adapt(files, some_labels(tmp_path), tmp_path / "out"))
    rows = [
        json.loads(line) for line in (tmp_path / "out" / "pages.jsonl").read_text().splitlines()
    ]
    assert [row["split"] for row in rows] == ["train", "train", "dev"]


def test_urls_of_a_data_set_are_read(tmp_path: Path) -> None:
    (tmp_path / "set" / "html").mkdir(parents=True)
    (tmp_path / "set" / "html" / "a.html").write_bytes(article(1)[0])
    rows = [
        {"id": "a", "url": "https://tides.example/a", "title": "Tide\u2028pools\x85"},
        {"id": "b", "url": None},
    ]
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "set" / "pages.jsonl").write_text(lines, encoding="utf-8")
    assert read_site([tmp_path / "set"])[0].url == "https://tides.example/a"
    (tmp_path / "set" / "pages.jsonl").write_text("[")
    with pytest.raises(AdaptError, match=r"pages\.jsonl"):
        read_site([tmp_path / "set"])


def test_pages_with_the_same_name_get_different_ids(site: Path, tmp_path: Path) -> None:
    (site / "deep").mkdir()
    (site / "deep" / "page03.HTM").write_bytes(article(30)[0])
    (site / "deep" / "notes.txt").write_text("no page")
    found = read_site([site, site / "page01.html"])
    assert len(found) == PAGES + 1
    assert [page.id for page in found if page.file.stem == "page03"] == ["page03", "page03-2"]
    xpath = found[-1].page.blocks[6].xpath
    row = {"page": "page03", "xpath": xpath, "label": "content"}
    with pytest.raises(AdaptError, match="names 2 pages"):
        placed(read_labels(write(tmp_path, row)), found)
    row["page"] = str(site / "page03.html")
    assert len(placed(read_labels(write(tmp_path, row)), found)) == 1


def test_given_labels_stay_and_spread_to_the_same_blocks_elsewhere() -> None:
    pages = [blockify(article(number)[0]) for number in range(4)]
    graph = block_graph(pages, GraphOptions())
    copyright_ = len(pages[0].blocks) - 1
    given = {(0, copyright_): True}
    scores = spread_labels(pages, given, True, graph)
    assert scores[0][copyright_] == 1.0
    assert scores[1][copyright_] == 1.0  # the same block on another page
    assert spread_labels(pages, {}, True, graph)[1][copyright_] == 0.0
    assert all(p.shape == (len(page.blocks),) for p, page in zip(scores, pages, strict=True))


def test_different_labels_of_blocks_that_share_a_node_stay() -> None:
    page = blockify("<p>Same<p>Same<p>Other<p>Another one")
    graph = block_graph([page], GraphOptions())
    given = {(0, 0): True, (0, 1): False, (0, 2): False}
    assert spread_labels([page], given, False, graph)[0][:3].tolist() == [1.0, 0.0, 0.0]


def test_a_rule_that_the_given_labels_contradict_is_left_out() -> None:
    pages = [blockify(article(number)[0]) for number in range(2)]
    assert all(seed for seed in trusted_seeds(pages, {})[1][-1:])
    seeds = trusted_seeds(pages, {(0, len(pages[0].blocks) - 1): True})
    assert not any(seed and seed.rule == "inside <footer>" for seeds in seeds for seed in seeds)
    assert any(seed and seed.rule == "inside <header>" for seed in seeds[0])


def test_a_page_without_content_is_left_out_and_named(site: Path, tmp_path: Path) -> None:
    (site / "menu.html").write_text("<nav><a href=/>Home</a></nav>")
    (site / "empty.html").write_text("")
    lines = list(adapt([site], some_labels(tmp_path), tmp_path / "out"))
    assert "menu: left out, since no block is content" in lines
    assert "empty: left out, since no block is content" in lines
    assert f": {PAGES} pages, " in lines[-1]
    assert ", 2 left out, " in lines[-1]
    assert not (tmp_path / "out" / "html" / "menu.html").exists()


def test_rows_of_extract_are_labels(site: Path, tmp_path: Path) -> None:
    page = blockify(article(3)[0])
    blocks = [
        {
            "text": block.text,
            "label": "content",
            "kind": "main",
            "probability": 1,
            "xpath": block.xpath,
        }
        for block in page.blocks[7:9]
    ]
    row = {"source": str(site / "page03.html"), "block_labels": blocks}
    found = placed(read_labels(write(tmp_path, row)), read_site([site]))
    assert found == {(3, 7): True, (3, 8): True}


def test_a_label_may_have_unicode_line_separators(tmp_path: Path) -> None:
    row = {"text": "one\u2028two\x85three", "label": "content"}
    (found,) = read_labels(write(tmp_path, json.dumps(row, ensure_ascii=False)))
    assert found.text == "one\u2028two\x85three"


def test_invalid_labels_are_refused(site: Path, tmp_path: Path) -> None:
    good = {"text": "Most read", "label": "boilerplate"}
    message = refused(tmp_path, site, good, "{not json")
    assert "line 2 is not JSON" in message
    assert "line 1 is 7, not an object" in refused(tmp_path, site, "7")
    assert "label 'Content'" in refused(tmp_path, site, {**good, "label": "Content"})
    assert "no key 'label' among 'text'" in refused(tmp_path, site, {"text": "Most read"})
    assert "text 3 must be text" in refused(tmp_path, site, {**good, "text": 3})
    assert "names no block" in refused(tmp_path, site, {"label": "content"})
    assert "block_labels" in refused(tmp_path, site, {"block_labels": 3})
    assert "no label in" in refused(tmp_path, site, "")
    assert "no block with text 'Nowhere' on any page" in refused(
        tmp_path, site, {**good, "text": "Nowhere"}
    )
    missing = {"page": "page03", "xpath": "/html/p", "label": "content"}
    assert "xpath '/html/p' on page 'page03'" in refused(tmp_path, site, missing)
    assert "no page 'page99' among the 12" in refused(tmp_path, site, {**missing, "page": "page99"})
    assert "both labels" in refused(tmp_path, site, good, {**good, "label": "content"})


def test_labels_of_only_one_class_are_refused(site: Path, tmp_path: Path) -> None:
    row = {"text": "Most read", "label": "boilerplate"}
    message = refused(tmp_path, site, row, rules=False)
    assert "no block is labeled content" in message
    assert "--no-rules" in message


def test_files_that_cannot_be_used_are_refused(site: Path, tmp_path: Path) -> None:
    labels = some_labels(tmp_path)
    with pytest.raises(AdaptError, match="no file or folder"):
        list(adapt([tmp_path / "nowhere"], labels, tmp_path / "out"))
    (tmp_path / "bare").mkdir()
    with pytest.raises(AdaptError, match="no page in"):
        list(adapt([tmp_path / "bare"], labels, tmp_path / "out"))
    with pytest.raises(AdaptError, match="not empty"):
        list(adapt([site], labels, site))
    with pytest.raises(AdaptError, match="cannot read the labels"):
        list(adapt([site], tmp_path / "none.jsonl", tmp_path / "out"))
    labels.write_bytes(b"\xff\xfe")
    with pytest.raises(AdaptError, match="UTF-8"):
        list(adapt([site], labels, tmp_path / "out"))


def test_a_page_with_only_boilerplate_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text("<p>Yes<nav>Home")
    labels = write(tmp_path, {"text": "Yes", "label": "boilerplate"})
    with pytest.raises(AdaptError, match="no block is labeled content"):
        list(adapt([tmp_path / "one.html"], labels, tmp_path / "out"))
