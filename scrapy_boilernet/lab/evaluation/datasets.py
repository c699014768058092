"""Data sets on disk: folders, or their ``.tar.xz``, with ``html/``, ``gold/`` and ``pages.jsonl``.

A user's own folder needs only ``html/<id>.html`` and ``gold/<id>.txt``.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy_boilernet.workers.files import json_lines

HTML_SUFFIXES = (".html", ".htm", ".xhtml")
SPLITS = ("train", "dev", "test")
"""The values of ``split`` in ``pages.jsonl``."""
_UNUSED_SPLITS = ("dev(official)", "final(official)")
"""Further values in the set CleanEval, all pages of which test."""
_EACH_LINE = "each line is an object with an id"


class DatasetError(Exception):
    """A data set cannot be read. The message names the folder and what it needs."""


@dataclass(frozen=True)
class Snippets:
    """Texts that the main text must contain, and texts that it must not contain."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


@dataclass(frozen=True)
class GoldPage:
    """A page of a data set, with its gold text."""

    dataset: str
    id: str
    html: bytes
    gold: str | None
    """The main text, one paragraph per line; None if the set has none for this page."""
    encoding: str | None = None
    """The encoding that the set states, for training and alignment; measured systems do not get
    it."""
    url: str | None = None
    split: str | None = None
    page_type: str | None = None
    language: str | None = None
    origin: str | None = None
    """The source of the page, ``src`` in ``pages.jsonl``."""
    snippets: Snippets | None = None
    """What the main text must and must not contain, if the set states it."""
    labeled_html: Path | None = None
    """The page with a label on every text leaf, if the set has it and the page is in the test part
    of the set's split."""
    tagged_gold: tuple[tuple[str, str], ...] | None = None
    """The gold's segments with CleanEval's tags, (``"h"``, ``"p"`` or ``"l"``, text) each, if
    ``extra/gold_tagged/<id>.tsv`` has them; any other tag is read as ``"p"``."""

    @property
    def measurable(self) -> bool:
        """Whether the page has gold text or snippets to measure an extraction by."""
        return self.gold is not None or self.snippets is not None


def open_dataset(path: Path, cache: Path) -> Path:
    """Return the folder of a data set, unpacking ``<name>.tar.xz`` below ``cache`` once.

    Raises ``DatasetError`` if there is neither a folder with ``html/`` nor an archive.
    """
    full = path.resolve()
    if (full / "html").is_dir():
        return full
    archive = full if full.name.endswith(".tar.xz") else full.with_name(full.name + ".tar.xz")
    if not archive.is_file():
        raise DatasetError(
            f"no data set at {path}: need a folder with html/ and gold/, or {archive}"
        )
    name = archive.name.removesuffix(".tar.xz")
    if not (cache / name / "html").is_dir():
        _unpack(archive, name, cache)
    return cache / name


def read_pages(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of a data set in the order of their ids.

    Raises ``DatasetError`` if there is no page or a file cannot be read.
    """
    rows = _rows(folder)
    files = sorted(path for path in (folder / "html").iterdir() if path.suffix in HTML_SUFFIXES)
    if not files:
        raise DatasetError(f"no pages in {folder / 'html'}: need files named <id>.html")
    tested = _tested_leaves(folder)
    for file in files:
        row = rows.get(file.stem, {})
        gold = folder / "gold" / f"{file.stem}.txt"
        yield GoldPage(
            dataset=folder.name,
            id=file.stem,
            html=file.read_bytes(),
            gold=_gold(gold),
            encoding=_encoding(row),
            url=row.get("url"),
            split=row.get("split"),
            page_type=row.get("page_type"),
            language=row.get("lang"),
            origin=row.get("src"),
            snippets=_snippets(folder, file.stem, row),
            labeled_html=tested.get(file.stem),
            tagged_gold=_tagged_gold(folder, file.stem),
        )


def gold_without_page(folder: Path) -> list[str]:
    """Return the ids of gold texts that have no page."""
    pages = {path.stem for path in (folder / "html").iterdir() if path.suffix in HTML_SUFFIXES}
    return sorted({path.stem for path in (folder / "gold").glob("*.txt")} - pages)


def rows_without_page(folder: Path) -> list[str]:
    """Return the ids in ``pages.jsonl`` that have no page."""
    pages = {path.stem for path in (folder / "html").iterdir() if path.suffix in HTML_SUFFIXES}
    return sorted(_rows(folder).keys() - pages)


@dataclass(frozen=True)
class WrittenPage:
    """A page to write to a data set."""

    id: str
    html: bytes
    gold: str
    row: Mapping[str, Any]
    """Its row in ``pages.jsonl``, without the id."""


def write_dataset(folder: Path, pages: Iterable[WrittenPage], meta: Mapping[str, Any]) -> None:
    """Write a folder that :func:`read_pages` reads, with ``meta.json``.

    Pages with an empty gold are written, too. Each page is written before the next one is taken
    from ``pages``.
    """
    for part in ("html", "gold"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    count = 0
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as rows:
        for page in pages:
            (folder / "html" / f"{page.id}.html").write_bytes(page.html)
            text = page.gold.encode("utf-8", "replace")
            (folder / "gold" / f"{page.id}.txt").write_bytes(text + b"\n")
            rows.write(json.dumps({"id": page.id, **page.row}) + "\n")
            count += 1
    about = {"licence": "not stated", **meta, "pages": count}
    (folder / "meta.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def dataset_digest(folder: Path) -> str:
    """Return the SHA-256 of the names and bytes of the set's pages and gold, in hexadecimal."""
    digest = hashlib.sha256()
    for part in ("html", "gold"):
        for file in sorted((folder / part).glob("*")):
            digest.update(file.name.encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _unpack(archive: Path, name: str, cache: Path) -> None:
    """Unpack beside the target and rename, so that a killed process leaves no partial set."""
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        try:
            with tarfile.open(archive, "r:xz") as tar:
                tar.extractall(folder, filter="data")
        except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
            raise DatasetError(f"cannot unpack {archive}: {error}; copy it again") from error
        unpacked = Path(folder) / name
        if not (unpacked / "html").is_dir():
            raise DatasetError(f"{archive} holds no {name}/html/: name the archive as its folder")
        unpacked.rename(cache / name)


def _rows(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / "pages.jsonl"
    if not path.is_file():
        return {}
    rows = {}
    try:
        for where, row in json_lines(path):
            if not isinstance(row, dict) or "id" not in row:
                raise DatasetError(f"{where}: {row!r:.60}; {_EACH_LINE}")
            split = row.get("split")
            if split is not None and split not in (*SPLITS, *_UNUSED_SPLITS):
                raise DatasetError(
                    f"{where}: split {split!r:.60} must be {', '.join(SPLITS[:-1])} or "
                    f"{SPLITS[-1]}; correct it, or leave it out"
                )
            rows[str(row["id"])] = row
    except ValueError as error:
        raise DatasetError(f"{error}; {_EACH_LINE}") from error
    return rows


def _encoding(row: dict[str, Any]) -> str | None:
    """Return the encoding that replaces the response header; None for a guess (``cp1252?``)."""
    encoding = row.get("enc")
    return None if encoding is None or encoding.endswith("?") else str(encoding)


def _gold(file: Path) -> str | None:
    if not file.is_file():
        return None
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DatasetError(f"{file} is not UTF-8 ({error}); convert it") from error


def _tagged_gold(folder: Path, page_id: str) -> tuple[tuple[str, str], ...] | None:
    text = _gold(folder / "extra" / "gold_tagged" / f"{page_id}.tsv")
    if text is None:
        return None
    rows = (line.partition("\t") for line in text.split("\n") if line)
    return tuple((tag if tag in ("h", "l") else "p", words) for tag, _, words in rows)


def _read_snippets(folder: Path, page_id: str, row: Mapping[str, Any]) -> Snippets | None:
    """Return a page's snippets, or None if the set has none for it.

    They are in the page's row, ``"snippets": {"with": [...], "without": [...]}``, or, as in WCXB,
    in ``extra/ground-truth/dev/<number>.json``, where the page's id ends with the number.
    """
    lists = row.get("snippets")
    if lists is None:
        file = folder / "extra" / "ground-truth" / "dev" / f"{page_id.rpartition('_')[2]}.json"
        if not file.is_file():
            return None
        lists = json.loads(file.read_text(encoding="utf-8"))["ground_truth"]
    snippets = Snippets(tuple(lists.get("with") or ()), tuple(lists.get("without") or ()))
    return snippets if snippets.wanted or snippets.unwanted else None


def _snippets(folder: Path, page_id: str, row: dict[str, Any]) -> Snippets | None:
    try:
        return _read_snippets(folder, page_id, row)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DatasetError(
            f"the snippets of page {page_id} in {folder} cannot be read ({error!r}); give "
            '{"with": [...], "without": [...]}'
        ) from error


def _tested_leaves(folder: Path) -> dict[str, Path]:
    """Return the files with labeled leaves by page id, for the test part of the set's split."""
    prepared = folder / "extra" / "prepared_html"
    lists = sorted((folder / "extra").glob("*split/test_set.txt"))
    names = lists[0].read_text(encoding="utf-8").split() if lists else []
    files = (prepared / name for name in names)
    return {file.stem: file for file in files if file.is_file()}
