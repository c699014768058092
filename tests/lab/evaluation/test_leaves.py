"""Leaf labels carried in the markup, and a set's own split of pages that have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.leaves import labeled_leaves, read_leaf_split

LABELED = """<html><head><title>T</title></head><body>
<nav><ul><li><a href="/">Home</a></li></ul></nav><!-- a comment -->
<article __boilernet_label="1"><h1>Title</h1><p>Some <b>bold</b> text</p>
<div __boilernet_label="0"><p>Share this <i>now</i></p></div>tail of the article</article>
<?pi of no use?><footer>Imprint</footer></body></html>"""


def labels_of(html: str) -> dict[str, float]:
    page, labels = labeled_leaves(html.encode())
    return dict(zip((block.text for block in page.blocks), labels.tolist(), strict=True))


def test_a_leaf_inherits_the_nearest_label_above_it() -> None:
    assert labels_of(LABELED) == {
        "Home": 0, "Title": 1, "Some": 1, "bold": 1, "text": 1, "Share this": 0, "now": 0,
        "tail of the article": 1, "Imprint": 0,
    }  # fmt: skip


def test_a_page_without_labels_is_boilerplate() -> None:
    assert set(labels_of("<body><p>One</p>Two</body>").values()) == {0.0}


def test_a_label_on_the_root_holds_for_all_leaves() -> None:
    found = labels_of('<html __boilernet_label="1"><body><p>One<br>Two</p></body></html>')
    assert found == {"One": 1, "Two": 1}


def test_a_tail_after_a_labeled_element_is_outside_of_it() -> None:
    html = '<p>Before <b __boilernet_label="1">inside</b> after</p>'
    assert labels_of(html) == {"Before": 0, "inside": 1, "after": 0}


def test_leaves_are_those_of_the_blockifier() -> None:
    page, labels = labeled_leaves(LABELED.encode())
    assert page.blocks == blockify(LABELED, units="leaf").blocks
    assert page.units == "leaf"
    assert labels.shape == (len(page.blocks),)
    assert labels.dtype == "float32"


def test_very_deep_pages_keep_their_labels() -> None:
    html = '<div __boilernet_label="1">' + "<div>" * 200 + "deep" + "</div>" * 200 + "</div>shallow"
    assert labels_of(html) == {"deep": 1, "shallow": 0}


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    page, labels = labeled_leaves(b'<p __boilernet_label="1">caf\xe9</p>')
    assert page.blocks[0].text.startswith("caf")
    assert labels.tolist() == [1]


def write_leaf_set(folder: Path, parts: dict[str, list[str]]) -> Path:
    prepared = folder / "extra" / "prepared_html"
    prepared.mkdir(parents=True)
    lists = folder / "extra" / "50-5-45-split"
    lists.mkdir()
    for part, names in parts.items():
        (lists / f"{part}_set.txt").write_text("\n".join(names) + "\n", encoding="utf-8")
        for name in names:
            html = f'<body><p>Menu {name}</p><p __boilernet_label="1">Text of {name}</p></body>'
            (prepared / name).write_text(html, encoding="utf-8")
    return folder


def test_the_own_split_of_a_set_is_read_in_its_order(tmp_path: Path) -> None:
    parts = {"train": ["c.html", "a.html"], "dev": ["b.html"], "test": ["d.html"]}
    split = read_leaf_split(write_leaf_set(tmp_path / "leaves", parts))
    first = [[page.blocks[1].text for page, _ in p] for p in (split.train, split.dev, split.test)]
    assert first == [["Text of c.html", "Text of a.html"], ["Text of b.html"], ["Text of d.html"]]
    assert [labels.tolist() for _, labels in split.train] == [[0, 1], [0, 1]]


def test_a_set_without_leaf_labels_is_an_error_that_says_what_is_needed(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"prepared_html.*train_set\.txt"):
        read_leaf_split(tmp_path)


def test_a_split_without_its_lists_is_an_error_of_the_set(tmp_path: Path) -> None:
    folder = write_leaf_set(tmp_path / "leaves", {"train": ["a.html"], "dev": ["b.html"]})
    with pytest.raises(DatasetError, match=r"test_set\.txt"):
        read_leaf_split(folder)
