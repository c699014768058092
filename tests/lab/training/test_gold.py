"""Data sets on disk: the pages that a training command chooses, and their records."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

from testing.learned import learned
from testing.synthetic import article, write_set

from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage, dataset_digest
from scrapy_boilernet.lab.evaluation.same_pages import has_page
from scrapy_boilernet.lab.evaluation.splits import Part
from scrapy_boilernet.lab.training.gold import (
    ALL_PAGES,
    ALL_PARTS,
    GoldBlocks,
    dataset_record,
    gold_blocks,
    licence_of,
    open_all,
    read_sets,
    used_and_left_out,
)


def command_options(folder: Path, **options: object) -> Namespace:
    plain = {"datasets": [str(folder)], "voted": [], "cache": folder, **ALL_PAGES}
    return Namespace(**{**plain, **options})


def left_out(
    folders: list[Path],
    pages: Sequence[GoldPage],
    parts: Sequence[Part],
    found: Sequence[GoldBlocks | None],
) -> list[str]:
    return used_and_left_out((folders, pages), parts, found, {"train": "train"})


def blocks_of(pages: Iterable[GoldPage]) -> list[GoldBlocks | None]:
    return [gold_blocks(page, "block") for page in pages]


def with_splits(folder: Path) -> Path:
    write_set(folder, {f"p{n}": article(n) for n in range(6)})
    rows = [{"id": f"p{n}", "split": "dev" if n < 2 else "test"} for n in range(6)]
    (folder / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_all_pages_are_read_unless_a_split_is_chosen(tmp_path: Path) -> None:
    folder = with_splits(tmp_path / "made")
    assert len(read_sets(command_options(folder)).pages) == 6
    assert [page.id for page in read_sets(command_options(folder, split="dev")).pages] == [
        "p0",
        "p1",
    ]


def test_the_error_for_an_unknown_split_names_the_splits(tmp_path: Path) -> None:
    folder = with_splits(tmp_path / "made")
    with pytest.raises(DatasetError, match=r"--split train.*made.*dev, test"):
        read_sets(command_options(folder, split="train"))


def test_a_sample_is_the_same_each_time_and_has_gold(tmp_path: Path) -> None:
    folder = with_splits(tmp_path / "made")
    (folder / "gold" / "p3.txt").unlink()
    one, other = (read_sets(command_options(folder, sample=4)).pages for _ in range(2))
    assert [page.id for page in one] == [page.id for page in other]
    assert len(one) == 4
    assert all(page.gold is not None for page in one)
    assert len(read_sets(command_options(folder, sample=99)).pages) == 5


def test_a_record_counts_the_pages_of_its_own_set(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "made", {"p0": article(0)})
    (kept,) = open_all([str(folder)], tmp_path)
    record = dataset_record(kept, train=[learned(1), learned(2, "other")], validation=[])
    assert record == {
        "digest_sha256": dataset_digest(folder), "licence": "not stated", "source": "not stated",
        "train_pages": 1, "validation_pages": 0,
    }  # fmt: skip


def test_pages_of_an_origin_can_be_left_out(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "made", {f"p{n}": article(n) for n in range(3)})
    rows = [{"id": f"p{n}", "src": f"lab{n % 2}/reader:{n}.html (MIT)"} for n in range(3)]
    (folder / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    kept = read_sets(command_options(folder, without=["made:lab0/"])).pages
    assert [page.id for page in kept] == ["p1"]
    with pytest.raises(DatasetError, match="no set 'maid' among made"):
        read_sets(command_options(folder, without=["maid:lab0/"]))
    learning = [replace(learned(n), source=page) for n, page in enumerate(kept)]
    record = dataset_record(folder, train=learning, validation=[])
    assert record["origins"] == {"lab1/reader": {"pages": 1, "licence": "MIT"}}


def test_pages_can_be_left_out_by_licence_over_all_sets(tmp_path: Path) -> None:
    folders = [write_set(tmp_path / name, {f"p{n}": article(n) for n in range(3)}) for name in "ab"]
    for folder, licence in zip(folders, ("GPL-3.0", "AGPL-3.0"), strict=True):
        rows = [{"id": "p0", "src": f"lab/x:0.html ({licence})"}, {"id": "p1", "src": "lab/x:1"}]
        (folder / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    a, b = map(str, folders)

    def kept(*licences: str, **more: list[str]) -> list[tuple[str, str]]:
        given = {"datasets": [a, b], "without_licence": [*licences], **more}
        pages = read_sets(command_options(tmp_path, **given)).pages
        return [(page.dataset, page.id) for page in pages]

    assert len(kept()) == 6
    assert kept("GPL-3.0") == [("a", "p1"), ("a", "p2"), ("b", "p0"), ("b", "p1"), ("b", "p2")]
    assert kept("GPL-3.0", datasets=[b], voted=[a]) == [("b", f"p{n}") for n in range(3)]
    with pytest.raises(DatasetError, match=r"--without-licence MIT: .* AGPL-3.0, GPL-3.0"):
        kept("MIT")


def test_gold_keys_include_pages_that_are_not_chosen(tmp_path: Path) -> None:
    folder = with_splits(tmp_path / "made")
    (folder / "gold" / "p3.txt").unlink()
    every = read_sets(command_options(folder))
    chosen = read_sets(command_options(folder, split="dev", sample=1))
    assert len(chosen.pages) == 1
    assert chosen.gold_keys == every.gold_keys
    known = [page.id for page in every.pages if has_page(every.gold_keys, page)]
    assert known == ["p0", "p1", "p2", "p4", "p5"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("GNU AFFERO GENERAL PUBLIC LICENSE\n  Version 3, 19 November 2007", "AGPL-3.0"),
        ("GNU GENERAL PUBLIC LICENSE\n  Version 3, 29 June 2007", "GPL-3.0"),
        ("Creative Commons Attribution-ShareAlike 4.0 International", "CC-BY-SA-4.0"),
        ("Creative Commons Attribution 4.0 International", "CC-BY-4.0"),
        ("Apache License\nVersion 2.0", "Apache-2.0"),
        ("MIT License\n\nCopyright", "MIT"),
        ("All rights reserved.", None),
    ],
)
def test_the_licence_is_read_from_the_licence_file(
    tmp_path: Path, text: str, name: str | None
) -> None:
    assert licence_of(tmp_path) is None
    (tmp_path / "extra").mkdir()
    (tmp_path / "extra" / "LICENSE.txt").write_text(text)
    assert licence_of(tmp_path) == name


def test_pages_that_are_left_out_are_named_with_the_reason(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", {f"p{n}": article(n) for n in range(6)})
    chosen = read_sets(command_options(folder)).pages
    training: list[Part] = ["train"] * 6
    assert left_out([folder], chosen, training, blocks_of(chosen)) == ["6 pages"]
    for name in ("p1", "p2"):
        (folder / "gold" / f"{name}.txt").unlink()
    (folder / "gold" / "orphan.txt").write_text("text")
    pages = read_sets(command_options(folder)).pages
    parts: list[Part] = ["train" if page.gold else "excluded" for page in pages]
    found = blocks_of(page for page in pages if page.gold)
    assert left_out([folder], pages, parts, [None, *found[1:]]) == [
        "3 pages; left out: p1, p2 (no gold text), orphan (no page), "
        "p0 (its gold text is not on the page)"
    ]
    for n in range(9):
        (folder / "gold" / f"q{n}.txt").write_text("text")
    (line,) = left_out([folder], chosen, training, blocks_of(chosen))
    assert line == "6 pages; left out: orphan, q0, q1, q2, q3 and 5 more (no page)"


def test_rows_without_a_page_are_named(tmp_path: Path) -> None:
    rows = [{"id": name, "split": "test"} for name in ("p0", "P1", "log-99")]
    folder = write_set(tmp_path / "mine", {f"p{n}": article(n) for n in range(2)}, rows)
    pages = read_sets(command_options(folder)).pages
    (line,) = left_out([folder], pages, ["test", "train"], blocks_of(pages[1:]))
    assert line == "1 page; left out: P1, log-99 (in pages.jsonl, but no page)"


def test_pages_are_counted_by_what_they_do(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", {f"p{n}": article(n) for n in range(5)})
    pages = read_sets(command_options(folder)).pages
    parts: list[Part] = ["train", "validation", "test", "excluded", "train"]
    found = blocks_of(pages[n] for n in (0, 1, 4))
    assert used_and_left_out(([folder], pages), parts, found, ALL_PARTS) == [
        "4 pages: 2 train, 1 validate, 1 test; left out: p3 (too close to a test page)"
    ]
    both: dict[Part, str] = {"train": "train", "validation": "train", "test": "test"}
    (line,) = used_and_left_out(([folder], pages), parts, found, both)
    assert line.startswith("4 pages: 3 train, 1 test; ")


@pytest.mark.parametrize(("every", "named"), [(2, True), (4, True), (20, False), (99, False)])
def test_pages_that_show_their_gold_text_only_in_part_are_named(
    every: int, named: bool, tmp_path: Path
) -> None:
    pages = {f"p{n}": article(n, 24) for n in range(2)}
    html, gold = pages["p1"]
    lines = [
        "Wiosną woda w jeziorze była tak zimna, że nikt nie chciał pływać, ani dzieci, ani psy. "
        * 2 if n % every == 1 else line
        for n, line in enumerate(gold.splitlines())
    ]  # fmt: skip
    folder = write_set(tmp_path / "mine", {**pages, "p1": (html, "\n".join(lines))})
    chosen = read_sets(command_options(folder)).pages
    found = blocks_of(chosen)
    said = left_out([folder], chosen, ["train"] * 2, found)
    assert said[0] == "2 pages"
    if named:
        begin, share = said[1].rsplit(" ", 1)
        assert begin == "pages that show only this share of their gold text: p1"
        assert 0.5 <= float(share) < 0.9
    else:
        assert len(said) == 1
