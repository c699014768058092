"""Data sets on disk: folders, archives, a user's own folder, and errors for missing ones."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from testing.synthetic import article, write_set

from scrapy_boilernet.lab.evaluation.datasets import (
    DatasetError,
    WrittenPage,
    dataset_digest,
    open_dataset,
    read_pages,
    rows_without_page,
    write_dataset,
)

PAGES = {"a": (b"<p>One</p>", "One"), "b": (b"<p>Two</p>", "Two"), "c": (b"<p>x</p>", None)}


def archive_of(folder: Path, archive: Path) -> Path:
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, arcname=folder.name)
    return archive


def test_a_folder_is_read_where_it_is(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", PAGES)
    assert open_dataset(folder, tmp_path / "cache") == folder
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("name", ["packed", "packed.tar.xz"])
def test_an_archive_is_unpacked_below_the_cache(tmp_path: Path, name: str) -> None:
    archive_of(write_set(tmp_path / "packed", PAGES), tmp_path / "store" / "packed.tar.xz")
    found = open_dataset(tmp_path / "store" / name, tmp_path / "cache")
    assert found == tmp_path / "cache" / "packed"
    assert [page.id for page in read_pages(found)] == ["a", "b", "c"]


def test_an_archive_is_unpacked_once(tmp_path: Path) -> None:
    archive = archive_of(write_set(tmp_path / "packed", PAGES), tmp_path / "store/packed.tar.xz")
    found = open_dataset(archive, tmp_path / "cache")
    (found / "html" / "marker.html").write_bytes(b"<p>Still here</p>")
    assert open_dataset(archive, tmp_path / "cache") == found
    assert (found / "html" / "marker.html").is_file()


def test_a_folder_is_preferred_to_the_archive_beside_it(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "packed", PAGES)
    archive_of(folder, tmp_path / "packed.tar.xz")
    assert open_dataset(folder, tmp_path / "cache") == folder


@pytest.mark.parametrize("name", ["nowhere", "nowhere.tar.xz"])
def test_a_missing_set_is_an_error_that_says_what_is_needed(tmp_path: Path, name: str) -> None:
    with pytest.raises(DatasetError, match="html/ and gold/") as caught:
        open_dataset(tmp_path / name, tmp_path / "cache")
    assert str(tmp_path / name) in str(caught.value)
    assert "nowhere.tar.xz" in str(caught.value)


def test_the_current_folder_without_pages_is_an_error_of_the_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DatasetError, match="html/ and gold/"):
        open_dataset(Path(), tmp_path / "cache")


def test_an_archive_with_another_folder_inside_is_an_error_of_the_set(tmp_path: Path) -> None:
    archive = archive_of(write_set(tmp_path / "inner", PAGES), tmp_path / "outer.tar.xz")
    with pytest.raises(DatasetError, match="outer"):
        list(read_pages(open_dataset(archive, tmp_path / "cache")))


def test_a_broken_archive_is_an_error_of_the_set(tmp_path: Path) -> None:
    archive = tmp_path / "broken.tar.xz"
    archive.write_bytes(b"not an archive")
    with pytest.raises(DatasetError, match="broken"):
        open_dataset(archive, tmp_path / "cache")


def test_a_user_folder_needs_html_and_gold_only(tmp_path: Path) -> None:
    html, gold = article(1)
    folder = write_set(tmp_path / "mine", {"p1": (html, gold), "p2": (html, None)})
    first, second = read_pages(folder)
    assert (first.dataset, first.id, first.html, first.gold) == ("mine", "p1", html, gold)
    assert second.gold is None
    assert first.encoding is first.url is first.split is first.page_type is first.language is None


@pytest.mark.parametrize("wrong", ["Test", "tset", "validation", "TRAIN", " test", "", 1, ["test"]])
def test_a_split_that_does_not_exist_is_refused_with_its_line(
    tmp_path: Path, wrong: object
) -> None:
    rows = [{"id": "a", "split": "train"}, {"id": "b", "split": wrong}]
    folder = write_set(tmp_path / "mine", {"a": article(1), "b": article(2)}, rows)
    with pytest.raises(DatasetError) as caught:
        list(read_pages(folder))
    message = str(caught.value)
    assert message.startswith(f"{folder / 'pages.jsonl'}, line 2: split {wrong!r} must be train, ")
    assert "train, dev or test" in message


@pytest.mark.parametrize("right", ["train", "dev", "test", None, "final(official)"])
def test_splits_that_exist_are_read(tmp_path: Path, right: str | None) -> None:
    folder = write_set(tmp_path / "mine", {"a": article(1)}, [{"id": "a", "split": right}])
    assert [page.split for page in read_pages(folder)] == [right]


def test_rows_without_a_page_are_found(tmp_path: Path) -> None:
    rows = [{"id": name} for name in ("log-1", "log-99", "Log-1")]
    folder = write_set(tmp_path / "mine", {"log-1": article(1), "b": article(2)}, rows)
    assert rows_without_page(folder) == ["Log-1", "log-99"]
    (folder / "pages.jsonl").unlink()
    assert rows_without_page(folder) == []


def test_rows_give_what_is_known_of_a_page(tmp_path: Path) -> None:
    row = {
        "id": "a", "enc": "shift_jis", "url": "https://example.org/a", "split": "test",
        "page_type": "forum", "lang": "ja",
    }  # fmt: skip
    page, other, _ = read_pages(write_set(tmp_path / "mine", PAGES, [row]))
    assert (page.encoding, page.url, page.split) == ("shift_jis", "https://example.org/a", "test")
    assert (page.page_type, page.language) == ("forum", "ja")
    assert other.url is None


@pytest.mark.parametrize(
    ("stated", "taken"), [("cp1252?", None), ("cp1252", "cp1252"), (None, None)]
)
def test_a_guessed_encoding_is_not_a_header(
    tmp_path: Path, stated: str | None, taken: str | None
) -> None:
    folder = write_set(tmp_path / "mine", PAGES, [{"id": "a", "enc": stated}])
    assert next(read_pages(folder)).encoding == taken


def test_a_numeric_id_in_a_row_finds_its_page(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", {"7": PAGES["a"]}, [{"id": 7, "lang": "fi"}])
    assert next(read_pages(folder)).language == "fi"


def test_gold_keeps_letters_of_every_script(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", {"a": (b"<p></p>", "naïve 東京\nμ")})
    assert next(read_pages(folder)).gold == "naïve 東京\nμ"


def test_tagged_gold_is_read_by_its_tags(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", PAGES)
    (folder / "extra" / "gold_tagged").mkdir(parents=True)
    rows = "h\tTide pools\np\tThe water\twarmed.\nl\tCrabs\n?\tand limpets\n"
    (folder / "extra" / "gold_tagged" / "a.tsv").write_text(rows)
    one, other, _ = read_pages(folder)
    assert one.tagged_gold == (
        ("h", "Tide pools"), ("p", "The water\twarmed."), ("l", "Crabs"), ("p", "and limpets"),
    )  # fmt: skip
    assert other.tagged_gold is None


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"<id>\.html"):
        list(read_pages(write_set(tmp_path / "mine", {})))


def test_a_row_may_hold_line_ends_of_other_kinds(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", PAGES)
    row = '{"id": "a", "title": "Tide\u2028pools\x85", "lang": "fi"}\n\n'
    (folder / "pages.jsonl").write_text(row, encoding="utf-8")
    assert next(read_pages(folder)).language == "fi"


@pytest.mark.parametrize("line", ["{not json", '{"url": "https://example.org/"}', "7"])
def test_a_broken_row_is_an_error_of_the_set(tmp_path: Path, line: str) -> None:
    folder = write_set(tmp_path / "mine", PAGES)
    (folder / "pages.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"pages\.jsonl"):
        list(read_pages(folder))


def test_gold_in_another_encoding_is_an_error_of_the_set(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "mine", PAGES)
    (folder / "gold" / "a.txt").write_bytes("café".encode("latin-1"))
    with pytest.raises(DatasetError, match=r"a\.txt"):
        list(read_pages(folder))


@pytest.mark.parametrize("part", ["html/a.html", "gold/a.txt"])
def test_the_digest_changes_with_a_byte(tmp_path: Path, part: str) -> None:
    folder = write_set(tmp_path / "mine", PAGES)
    before = dataset_digest(folder)
    file = folder / part
    file.write_bytes(file.read_bytes()[:-1] + b"!")
    assert dataset_digest(folder) != before


def test_the_digest_is_of_names_and_bytes_not_of_the_place(tmp_path: Path) -> None:
    first = write_set(tmp_path / "one", PAGES)
    second = write_set(tmp_path / "two", dict(reversed(PAGES.items())))
    assert dataset_digest(first) == dataset_digest(second)
    (second / "html" / "a.html").rename(second / "html" / "z.html")
    assert dataset_digest(first) != dataset_digest(second)


def test_a_page_is_written_before_the_next_one_is_asked_for(tmp_path: Path) -> None:
    def pages() -> Iterator[WrittenPage]:
        for name in "abc":
            yield WrittenPage(name, f"<p>{name}".encode(), name, {"split": "dev"})
            assert (tmp_path / "gold" / f"{name}.txt").read_text() == f"{name}\n"

    write_dataset(tmp_path, pages(), {"source": "test"})
    found = [(page.id, page.html, page.gold, page.split) for page in read_pages(tmp_path)]
    assert found == [(name, f"<p>{name}".encode(), f"{name}\n", "dev") for name in "abc"]
    about = json.loads((tmp_path / "meta.json").read_text())
    assert about == {"licence": "not stated", "source": "test", "pages": 3}
