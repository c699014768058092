"""Binds a run to its inputs, and keeps its outputs apart from them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from glob import has_magic
from pathlib import Path
from typing import Any

from scrapy_boilernet.bulk.inputs import STANDARD_INPUT, Input, inputs_of
from scrapy_boilernet.bulk.storage import is_address, shown, shown_name
from scrapy_boilernet.bulk.tables import database_of

_END_BYTES = 4_096
"""Of a named file, so many bytes at each end must be the same when a run is resumed."""
_PARTS = {"cached response": ("meta", "response_headers", "response_body")}
"""The files of an input that is a folder; of a deferred store, the files of its index."""


def fingerprints(names: Sequence[str]) -> list[dict[str, Any]]:
    """Return, for each named input, what its files are: plain JSON, to compare with a later run.

    ``digest`` depends on the names, sizes and times of the files, of a named file also on its first
    and last bytes, of an address on what the storage says of its version.
    Raises ``FileNotFoundError`` for a name that is neither a file nor a folder.
    """
    return [_fingerprint(name) for name in names]


def _fingerprint(name: str) -> dict[str, Any]:
    files, size, digest = 0, 0, hashlib.sha256()
    for source in inputs_of([name]):
        if is_address(source.path):
            files, size = files + 1, size + source.size_bytes
            digest.update(repr((shown(source.path), source.size_bytes, source.stamp)).encode())
            continue
        for path in _files(source):
            facts = os.stat(path)  # noqa: PTH116 - there may be a million files
            files, size = files + 1, size + facts.st_size
            ends = _ends(path, facts.st_size) if source.named else b""
            line = repr((os.fsencode(path), facts.st_size, facts.st_mtime_ns, ends))
            digest.update(line.encode("ascii", "backslashreplace"))
    return {
        "name": shown_name(name),
        "files": files,
        "bytes": size,
        "digest": digest.hexdigest(),
    }


def _ends(path: str, size: int) -> bytes:
    """Return the first and the last bytes of a file; b"" if it cannot be read."""
    if not os.path.isfile(path):  # noqa: PTH113 - a pipe is read only once
        return b""
    try:
        with Path(path).open("rb") as file:
            first = file.read(_END_BYTES)
            file.seek(max(0, size - _END_BYTES))
            return first + file.read(_END_BYTES)
    except OSError:
        return b""


def _files(source: Input) -> Iterable[str]:
    """Return the files whose sizes and times say whether the input is still the same."""
    is_remote = source.path == STANDARD_INPUT or is_address(source.path)
    if is_remote or source.kind == "unreadable":
        return ()
    if source.kind == "database":
        return (database_of(source.path)[0],)
    if source.kind == "file":
        return (source.path,)
    names: Iterable[str] = _PARTS.get(source.kind, ())
    if not names:
        names = sorted(n for n in os.listdir(source.path) if n.startswith("index-"))  # noqa: PTH208
    paths = (os.path.join(source.path, one) for one in names)  # noqa: PTH118
    return [path for path in paths if os.path.exists(path)]  # noqa: PTH110


def difference(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> str:
    """Return which inputs are not what they were, for a message; "" if all are the same."""
    if [one["name"] for one in before] != [one["name"] for one in now]:
        return f"the inputs were {_listed(before)}, and are now {_listed(now)}"
    changed = [
        f"{new['name']} ({_facts(new)}, before {_facts(old)})"
        if _facts(new) != _facts(old)
        else f"{new['name']} (the name or the time of a file)"
        for old, new in zip(before, now, strict=True)
        if old != new
    ]
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"{', '.join(changed[:3])}{more} changed since that run began" if changed else ""


def _listed(inputs: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(one["name"] for one in inputs)[:200]


def _facts(one: Mapping[str, Any]) -> str:
    files = f"{one['files']:,} files, " if one["files"] != 1 else ""
    return f"{files}{one['bytes']:,} bytes"


def clash(outputs: Sequence[Path], names: Sequence[str]) -> str:
    """Return why one of the outputs cannot be written beside these inputs; "" if all can.

    An output may be no input, also by a link or another spelling, and may not lie in a folder that
    is searched for inputs.
    """
    real = {out: Path(os.path.realpath(out)) for out in outputs}
    known = {_identity(out): out for out in outputs if out.exists()}
    for name in names:
        if name == STANDARD_INPUT or is_address(name):
            continue
        path = Path(os.path.realpath(name))
        if not path.exists() and not has_magic(name):
            continue  # who reads it says that it is missing
        if path.is_dir():
            inside = next((out for out in outputs if real[out].is_relative_to(path)), None)
            if inside is not None:
                return f"{inside} lies in the input {name}: name an output outside of that folder"
        with suppress(FileNotFoundError):  # refused when it is to be read
            if reason := _clash_of_files(name, real, known):
                return reason
    return ""


def _clash_of_files(
    name: str, real: Mapping[Path, Path], known: Mapping[tuple[int, int], Path]
) -> str:
    """Return why an output is one of the files of an input, or lies beside those it lists."""
    folders: dict[str, str] = {}
    for source in inputs_of([name]):
        for path in _files(source):
            if known and (out := known.get(_identity(path))):
                return f"{out} is the input {path}: name another output"
            folder = os.path.dirname(path)  # noqa: PTH120
            if not source.named and folder not in folders:
                folders[folder] = os.path.realpath(folder)
        if source.named and source.kind == "file" and (out := _same(source.path, real)):
            return f"{out} is the input {source.path}: name another output"
    listed = {*folders.values()}
    beside = next((out for out in real if str(real[out].parent) in listed), None)
    if beside is None:
        return ""
    return f"{beside} lies in the input {name}: name an output outside of that folder"


def _same(path: str, real: Mapping[Path, Path]) -> Path | None:
    here = os.path.realpath(path)
    return next((out for out, where in real.items() if str(where) == here), None)


def _identity(path: str | Path) -> tuple[int, int]:
    facts = os.stat(path)  # noqa: PTH116
    return facts.st_dev, facts.st_ino
