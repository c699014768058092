"""Files of a model folder, which may come from a stranger: looked at before they are believed."""

from __future__ import annotations

import json
import stat
from collections.abc import Sequence
from pathlib import Path
from reprlib import Repr
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

MOST_SPEC_BYTES = 8 << 20
"""Of ``model.json``. Those that ship have some 5 kB; parsed, JSON takes up to thirty times that."""
MOST_WEIGHT_BYTES = 256 << 20
"""Of weights, and of a graph: 250 times what the largest shipped model has."""
MOST_HEADER_BYTES = 1 << 20
"""Of the JSON before the tensors in safetensors: some 10,000 tensors. Its reader allows 100 MB."""
LARGEST_WEIGHT = float(np.finfo(np.float16).max)
"""Of a network, either way: models are stored as float16. No sum of them is infinite in float32."""
_FLOATS = (np.dtype(np.float16), np.dtype(np.float32))
_TOLD_CHARS = 300
_SIGNS = {
    b"PK\x03\x04": "a zip archive, as torch.save writes",
    b"\x80": "a pickle, as torch.save, joblib or Python write",
    b"\x1f\x8b": "a gzip file",
    b"\x93NUMPY": "a file of numpy.save",
    b"\x89HDF": "an HDF5 file",
    b"\x7fELF": "a program",
}
"""How other files begin, and what they are."""


def read_file(path: Path, most_bytes: int) -> bytes:
    """Return the bytes of a regular file.

    Raises ``OSError``, or ``ValueError`` for what is no file, such as a pipe, which would never
    end, and for one of more than ``most_bytes``; both before anything is read.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is no regular file")
    if found.st_size > most_bytes:
        raise ValueError(f"it has {found.st_size:,} bytes, and at most {most_bytes:,} are read")
    with path.open("rb") as file:
        return file.read(found.st_size)


def parsed_json(data: bytes) -> Any:
    """Return what JSON in UTF-8 says; raises ``ValueError`` if it is none.

    Also if it is nested too deeply, or says one thing twice: readers differ in which they take.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"{error}{kind_of(data)}") from error


def check_safetensors(data: bytes) -> None:
    """Raise ``ValueError`` if the bytes do not begin as safetensors, or have a huge header.

    The rest is checked by its reader: offsets inside of the file, without holes or overlaps.
    """
    header_bytes = int.from_bytes(data[:8], "little")
    if data[8:9] != b"{":
        raise ValueError(f"it is no safetensors file{kind_of(data)}")
    if header_bytes > MOST_HEADER_BYTES:
        raise ValueError(
            f"its header claims {header_bytes:,} bytes, and at most {MOST_HEADER_BYTES:,} are read"
        )


def float_tensors(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the tensors of safetensors as float32; raises ``ValueError`` if the file is broken,
    or one of them is of another type or not finite.
    """
    try:
        stored = load(data)
    except (SafetensorError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(str(error)) from error
    for name, tensor in stored.items():
        if tensor.dtype not in _FLOATS or not (np.abs(tensor) <= LARGEST_WEIGHT).all():
            raise ValueError(
                f"tensor {told(name)} is {tensor.dtype} and must be float16 or float32, of numbers "
                f"of at most {LARGEST_WEIGHT:g} either way"
            )
    return {name: tensor.astype(np.float32) for name, tensor in stored.items()}


def kind_of(data: bytes) -> str:
    """Return what a file of another kind is, as the end of a message; "" if that is unknown."""
    found = next((kind for sign, kind in _SIGNS.items() if data.startswith(sign)), "")
    return f": it looks like {found}, which is never loaded" if found else ""


def told(value: object) -> str:
    """Return a value, or what an error says, as a line of at most 300 characters.

    It may be a stranger's text: nothing in it can command a terminal or begin another line.
    """
    text = str(value) if isinstance(value, Exception) else _SHORT.repr(value)
    line = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:_TOLD_CHARS])
    return line + "…" * (len(text) > _TOLD_CHARS)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{told(twice)} stands there twice")
    return found


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
