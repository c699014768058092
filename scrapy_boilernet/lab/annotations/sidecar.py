"""Annotations as the browser extension writes them: a JSON file and the page's bytes, side by side.

Labels are never in the HTML. ``extension/tables.py`` gives the extension the schema of this module.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Literal, cast, get_args

from scrapy_boilernet.extractor.options import MAX_BLOCKS, MAX_BYTES, BlockKind

SCHEMA = "boilernet-annotation/1"
By = Literal["human", "model", "spread"]
KINDS: tuple[BlockKind, ...] = ("main", "title", "caption", "comment", "boilerplate")
"""The kinds that a person can give a block, in the order in which they are offered."""
BY: tuple[By, ...] = get_args(By)
_FROM = ("fetch", "dom")
_TEXTS = ("url", "title", "annotator", "started", "saved", "model", "browser", "file")
_TIMES = ("started", "saved")
_SHA256_CHARS = 64
_MAX_SIDECAR_BYTES = 50_000_000
_MAX_SIDECAR_BLOCKS = 2 * MAX_BLOCKS
"""Half for the page's blocks, half for labeled blocks that the page has lost."""


class AnnotationError(Exception):
    """Annotations cannot be used. The message names the file, the problem and the remedy."""


@dataclass(frozen=True)
class SidecarBlock:
    """A block of an annotation, with its label."""

    xpath: str
    """The XPath of its element in the browser's DOM, which may have elements that the HTML lacks;
    ``""`` inside a shadow tree."""
    text: str
    """Its text, with white space collapsed."""
    kind: BlockKind
    by: By
    at: str
    """When a person or the spread labeled it, in ISO 8601; ``""`` for the model."""


@dataclass(frozen=True)
class Sidecar:
    """An annotation of a page."""

    where: str
    """The name of the file, for messages."""
    url: str
    title: str
    annotator: str
    saved: str
    finished: bool
    """Whether the person said that the page is done."""
    nothing: bool
    """Whether the person said that the page has nothing to find."""
    model: str
    """The model whose labels were corrected."""
    shown: int
    """The number of blocks that the page had when it was saved."""
    blocks: tuple[SidecarBlock, ...]
    """All blocks of the page in order, then blocks that a person labeled and that the page lost."""
    body: bytes
    """The page's bytes; empty if there is a problem with them."""
    problem: str
    """Why the page's bytes cannot be used; ``""`` if they can be used."""
    charset: str
    """The charset that the response's header states; ``""`` if it states none."""
    from_dom: bool
    """Whether the bytes are the browser's DOM as HTML in UTF-8, not the response."""

    @property
    def by_human(self) -> int:
        """The number of blocks that a person labeled."""
        return sum(block.by == "human" for block in self.blocks)

    @property
    def is_judged(self) -> bool:
        """Whether a person labeled a block or judged the page as a whole."""
        return self.finished or self.nothing or self.by_human > 0


ReadSidecar = Callable[[], Sidecar]


@contextmanager
def open_sidecars(paths: Iterable[Path]) -> Iterator[list[ReadSidecar]]:
    """Open the annotations; yield a list with a function for each that reads it.

    ``paths``: ``.json`` files, ``.zip`` files of the extension, and folders of both. Raises
    ``AnnotationError`` if a path is missing or there is no annotation. Each function raises it if
    its annotation does not follow the schema.
    """
    with ExitStack() as stack:
        found = [read for path in paths for read in _open(path, stack)]
        if not found:
            raise AnnotationError(
                f"no annotation in {', '.join(map(str, paths))}: give the extension's "
                "annotations.zip, or a folder with its .json files"
            )
        yield found


def read_sidecars(paths: Iterable[Path]) -> list[Sidecar]:
    """Return all annotations; raises ``AnnotationError`` as :func:`open_sidecars` does."""
    with open_sidecars(paths) as found:
        return [read() for read in found]


def _open(path: Path, stack: ExitStack) -> Iterator[ReadSidecar]:
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.suffix in (".json", ".zip"):
                yield from _open(file, stack)
    elif path.suffix == ".zip" and path.is_file():
        with _explained(path):
            archive = stack.enter_context(zipfile.ZipFile(path))
        for name in sorted(name for name in archive.namelist() if name.endswith(".json")):
            yield partial(_from_archive, path, archive, name)
    elif path.is_file():
        yield partial(_from_file, path)
    else:
        raise AnnotationError(f"no file or folder {path}; give annotations.zip or a folder")


def _from_file(path: Path) -> Sidecar:
    document = _document(path.read_bytes(), str(path))
    page = path.parent / PurePosixPath(document["file"]).name if document["file"] else None
    body = page.read_bytes() if page and page.is_file() else b""
    return _sidecar(document, str(path), body)


def _from_archive(path: Path, archive: zipfile.ZipFile, name: str) -> Sidecar:
    where = f"{path}, {name}"
    with _explained(path):
        document = _document(_member(archive, name, _MAX_SIDECAR_BYTES), where)
        page = document["file"]
        body = _member(archive, page, MAX_BYTES) if page in archive.namelist() else b""
    return _sidecar(document, where, body)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError) as error:
        raise AnnotationError(f"{path} cannot be read: {error}; download it again") from error


def _member(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
    """Return a file of the archive, which may state a smaller size than it has."""
    with archive.open(name) as stream:
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise AnnotationError(f"{name} has more than {most_bytes} bytes; leave it out")
    return data


def _document(data: bytes, where: str) -> dict[str, Any]:
    """Return the sidecar as JSON, with keys and types checked."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise AnnotationError(f"{where} is no JSON: {error}; leave it out") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        found = document.get("schema") if isinstance(document, dict) else type(document).__name__
        raise AnnotationError(
            f"{where}: schema {found!r}, this version reads {SCHEMA!r}; leave other files out"
        )
    check = _Check(where)
    for name in _TEXTS:
        check(isinstance(document.get(name), str), name, document.get(name))
    for name in _TIMES:
        check(_is_time(document[name]), name, document[name])
    for name in ("finished", "nothing"):
        check(isinstance(document.get(name), bool), name, document.get(name))
    page = document.get("page")
    check(page is None or isinstance(page, dict), "page", page)
    if page:
        digest, charset = page.get("sha256"), page.get("charset")
        check(isinstance(digest, str) and len(digest) == _SHA256_CHARS, "page.sha256", digest)
        check(isinstance(charset, str), "page.charset", charset)
        check.one_of(_FROM, "page.from", page.get("from"))
    _check_blocks(document.get("blocks"), document.get("shown"), check)
    return document


@dataclass(frozen=True)
class _Check:
    where: str

    def __call__(self, is_right: bool, name: str, value: object, allowed: str = "") -> None:
        """Raise ``AnnotationError`` for a wrong value; ``allowed``: what is right, in words."""
        if not is_right:
            known = f" (allowed: {allowed})" if allowed else ""
            raise AnnotationError(
                f"{self.where}: {name} is {value!r:.60}, which {SCHEMA} does not allow{known}; "
                "download the annotations again"
            )

    def one_of(self, allowed: Sequence[str], name: str, value: object) -> None:
        """Raise ``AnnotationError`` for a value that is none of those allowed."""
        self(value in allowed, name, value, ", ".join(allowed))


def _check_blocks(blocks: object, shown: object, check: _Check) -> None:
    check(isinstance(blocks, list), "blocks", blocks)
    rows = cast("list[Any]", blocks)
    check(len(rows) <= _MAX_SIDECAR_BLOCKS, "the number of blocks", len(rows))
    is_count = isinstance(shown, int) and not isinstance(shown, bool) and 0 <= shown <= len(rows)
    check(is_count, "shown", shown)
    for number, block in enumerate(rows):
        _check_block(block, f"blocks[{number}]", check)


def _check_block(block: object, name: str, check: _Check) -> None:
    check(isinstance(block, dict), name, block)
    fields = cast("dict[str, Any]", block)
    for key in ("xpath", "text", "at"):
        check(isinstance(fields.get(key), str), f"{name}.{key}", fields.get(key))
    check.one_of(KINDS, f"{name}.kind", fields.get("kind"))
    check.one_of(BY, f"{name}.by", fields.get("by"))
    value = fields.get("probability")
    is_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    check(is_share, f"{name}.probability", value)


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _sidecar(document: dict[str, Any], where: str, body: bytes) -> Sidecar:
    page = document["page"] or {}
    problem = ""
    if not body:
        problem = "the page's HTML is missing; put it beside the annotation"
    elif hashlib.sha256(body).hexdigest() != page.get("sha256"):
        problem = (
            f"{document['file']} was changed since it was annotated, its SHA-256 differs; put back "
            "the page that was downloaded with the annotation"
        )
    keys = ("url", "title", "annotator", "saved", "finished", "nothing", "model", "shown")
    names = SidecarBlock.__dataclass_fields__
    return Sidecar(
        where=where,
        **{key: document[key] for key in keys},
        blocks=tuple(
            SidecarBlock(**{name: block[name] for name in names}) for block in document["blocks"]
        ),
        body=b"" if problem else body,
        problem=problem,
        charset=page.get("charset", ""),
        from_dom=page.get("from") == "dom",
    )
