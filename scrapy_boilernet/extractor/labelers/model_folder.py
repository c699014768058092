"""A model on disk: ``model.safetensors``, ``model.json`` and a card. It is data, never code.

The folder may also have ``model.onnx``, which
:mod:`scrapy_boilernet.extractor.labelers.boilernet.onnx_export` makes.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from reprlib import Repr
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from scrapy_boilernet.extractor.features.counts import PAPER_FEATURIZER
from scrapy_boilernet.extractor.features.hashed import FEATURIZER
from scrapy_boilernet.extractor.labelers.base import SET_MODEL, ModelError
from scrapy_boilernet.extractor.labelers.spec import Architecture, ModelSpec, check_spec

MOST_SPEC_BYTES = 8 << 20
"""The largest ``model.json``. Shipped ones have at most 30 kB; parsed, JSON takes thirty times its
size."""
MOST_WEIGHT_BYTES = 256 << 20
"""The largest file of weights, or of a graph: 40 times that of the largest shipped model."""
MOST_HEADER_BYTES = 1 << 20
"""The largest JSON before the tensors in safetensors, enough for some 10,000 tensors. The reader of
safetensors allows 100 MB."""
LARGEST_WEIGHT = float(np.finfo(np.float16).max)
"""The largest absolute weight of a network: models are stored as float16. No sum of such weights is
infinite in float32."""
_FLOATS = (np.dtype(np.float16), np.dtype(np.float32))
_LINE_CHARS = 300
_SIGNS = {
    b"PK\x03\x04": "a zip archive, as torch.save writes",
    b"\x80": "a pickle, as torch.save, joblib or Python write",
    b"\x1f\x8b": "a gzip file",
    b"\x93NUMPY": "a file of numpy.save",
    b"\x89HDF": "an HDF5 file",
    b"\x7fELF": "a program",
}
"""How files of other kinds begin."""


def read_file(path: Path, most_bytes: int) -> bytes:
    """Return the bytes of a regular file.

    Raises ``OSError`` if the file cannot be read. Raises ``ValueError``, before anything is read,
    if it is not a regular file (a pipe would never end) or has more than ``most_bytes``.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is not a regular file")
    if status.st_size > most_bytes:
        raise ValueError(f"it has {status.st_size:,} bytes, and at most {most_bytes:,} are read")
    with path.open("rb") as file:
        return file.read(status.st_size)


def parsed_json(data: bytes) -> Any:
    """Return the value of JSON in UTF-8; raises ``ValueError`` if it is not valid JSON.

    It also raises if the JSON is nested too deeply, or if an object has a name twice: readers
    differ in which value they take.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"{error}{kind_of(data)}") from error


def check_safetensors(data: bytes) -> None:
    """Raise ``ValueError`` if the bytes do not begin as safetensors, or have a huge header.

    The reader of safetensors checks the rest: offsets inside of the file, without holes or
    overlaps.
    """
    header_bytes = int.from_bytes(data[:8], "little")
    if data[8:9] != b"{":
        raise ValueError(f"it is not a safetensors file{kind_of(data)}")
    if header_bytes > MOST_HEADER_BYTES:
        raise ValueError(
            f"its header claims {header_bytes:,} bytes, and at most {MOST_HEADER_BYTES:,} are read"
        )


def float_tensors(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the tensors of safetensors as float32.

    Raises ``ValueError`` if the file is broken, or a tensor has another type or too large numbers.
    """
    try:
        stored = load(data)
    except (SafetensorError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(str(error)) from error
    for name, tensor in stored.items():
        if tensor.dtype not in _FLOATS or not (np.abs(tensor) <= LARGEST_WEIGHT).all():
            raise ValueError(
                f"tensor {shown(name)} is {tensor.dtype} and must be float16 or float32, with "
                f"numbers from -{LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}"
            )
    return {name: tensor.astype(np.float32) for name, tensor in stored.items()}


def kind_of(data: bytes) -> str:
    """Return the kind of a file, as the end of a message; "" if it is unknown."""
    kind_of_file = next((kind for sign, kind in _SIGNS.items() if data.startswith(sign)), "")
    return f": it looks like {kind_of_file}, which is never loaded" if kind_of_file else ""


def shown(value: object) -> str:
    """Return a value, or the message of an error, as a line of at most 300 characters.

    The value may come from an untrusted file. Characters that could control a terminal or begin
    another line are replaced.
    """
    text = str(value) if isinstance(value, Exception) else _SHORT.repr(value)
    line = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:_LINE_CHARS])
    return line + "…" * (len(text) > _LINE_CHARS)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"an object has the name {shown(twice)} twice")
    return document


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


FORMAT_VERSION = 1
WEIGHTS_FILE, SPEC_FILE, CARD_FILE = "model.safetensors", "model.json", "README.md"
GRAPH_FILE = "model.onnx"

Tensors = dict[str, NDArray[Any]]
_OTHER_VERSION = "train it again or install the package version that wrote it"


def find_model(name_or_folder: str) -> Path | None:
    """Return the folder of a shipped model, or the folder at a path; None if it is neither.

    A path with a separator, such as ``"./default"``, is never a name.
    """
    given = Path(name_or_folder)
    shipped = [_shipped_models() / given] if given.name == name_or_folder else []
    for folder in (*shipped, given):
        if (folder / SPEC_FILE).is_file():
            return folder
    return None


def model_folder(name_or_folder: str, remedy: str = SET_MODEL) -> Path:
    """Return the folder of a shipped model, or the folder at a path.

    Raises ``ModelError`` if it is neither, as :func:`no_model` words it.
    """
    folder = find_model(name_or_folder)
    if folder is None:
        raise no_model(name_or_folder, shipped_names(), remedy)
    return folder


def no_model(name: str, known: Sequence[str], remedy: str = SET_MODEL) -> ModelError:
    """Return the error of a model that is not there, with the known names and the folder that was
    looked for.

    ``remedy``: how the user names another one, before the words "one of them".
    """
    near = difflib.get_close_matches(name, known, n=1)
    return ModelError(
        f"no model {name!r}: it is neither a known name ({', '.join(known) or 'none'}) nor a model "
        f"folder, since there is no {Path(name).absolute() / SPEC_FILE}; {remedy} one of them"
        + (f"; did you mean {near[0]}?" if near else "")
    )


def shipped_names() -> list[str]:
    """Return the names of the shipped models."""
    return sorted(path.parent.name for path in _shipped_models().glob(f"*/{SPEC_FILE}"))


def _shipped_models() -> Path:
    try:
        return Path(str(resources.files("scrapy_boilernet.models")))
    except ModuleNotFoundError:  # a checkout on the path that is not installed
        return Path(__file__).parents[3] / "models"


def save_model(folder: Path, spec: ModelSpec, tensors: Tensors) -> None:
    """Write the model; floating-point tensors are stored as float16.

    A ``model.onnx`` in the folder is deleted, since it was made of other weights.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GRAPH_FILE).unlink(missing_ok=True)
    data = save({name: np.ascontiguousarray(t, dtype=np.float16) for name, t in tensors.items()})
    (folder / WEIGHTS_FILE).write_bytes(data)
    document = {
        "format_version": FORMAT_VERSION,
        "weights_sha256": hashlib.sha256(data).hexdigest(),
        **asdict(spec),
    }
    text = json.dumps(document, indent=1, ensure_ascii=False)
    (folder / SPEC_FILE).write_text(text + "\n", encoding="utf-8")


def load_model(folder: Path) -> tuple[ModelSpec, Tensors]:
    """Return the model's spec and its tensors as float32, all of them finite.

    Raises ``ModelError``, which names the folder, if a file is missing, broken or too large, if the
    weights are not those that the spec was written with, or if the version of the format, of the
    featurizer or of the block numbers is not this package's.
    """
    document = read_document(folder, FORMAT_VERSION)
    data = read_weights(folder, document)
    spec = _spec(folder, document)
    try:
        tensors = float_tensors(data)
    except ValueError as error:
        raise ModelError(
            f"cannot read {WEIGHTS_FILE} of the model in {folder}: {shown(error)}; copy the folder "
            "again"
        ) from error
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if shapes != (wanted := spec.architecture.shapes()):
        wrong = min(set(shapes.items()) ^ set(wanted.items()))[0]
        raise ModelError(
            f"the weights in {folder} do not fit its architecture: tensor {shown(wrong)} has shape "
            f"{shapes.get(wrong)}, expected {wanted.get(wrong)}; train or copy the model again"
        )
    return spec, tensors


def read_weights(folder: Path, document: Mapping[str, Any]) -> bytes:
    """Return the bytes of the weights that ``document`` was written with; they are not parsed.

    Raises ``ModelError`` if the file is missing or too large, does not begin as safetensors, or has
    another digest.
    """
    try:
        data = read_file(folder / WEIGHTS_FILE, MOST_WEIGHT_BYTES)
        check_safetensors(data)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"cannot read {WEIGHTS_FILE} of the model in {folder}: {shown(error)}; copy the folder "
            "again"
        ) from error
    if hashlib.sha256(data).hexdigest() != document.get("weights_sha256"):
        raise ModelError(
            f"{WEIGHTS_FILE} in {folder} is not the file that its {SPEC_FILE} was written with "
            "(SHA-256 differs); copy both files from one place"
        )
    return data


def weights_digest(folder: Path) -> str:
    """Return the SHA-256 of the weights that ``model.json`` has.

    Raises ``ModelError`` if ``model.json`` cannot be read or has another format version.
    """
    return str(read_document(folder, FORMAT_VERSION).get("weights_sha256"))


def read_document(folder: Path, format_version: int) -> dict[str, Any]:
    """Return the object in ``model.json``.

    Raises ``ModelError`` if it cannot be read or has another format version.
    """
    document = read_json(folder)
    version = document.get("format_version")
    if version != format_version:
        raise ModelError(
            f"the model in {folder} has format version {shown(version)}, this package reads "
            f"{format_version}; {_OTHER_VERSION}"
        )
    return document


def read_json(folder: Path) -> dict[str, Any]:
    """Return the object in ``model.json``, {} if it is another value.

    Raises ``ModelError`` if it cannot be read or is not JSON.
    """
    path = folder / SPEC_FILE
    try:
        document = parsed_json(read_file(path, MOST_SPEC_BYTES))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"cannot read {path}: {shown(error)}; copy the model folder again"
        ) from error
    return document if isinstance(document, dict) else {}


def check_featurizer(
    folder: Path, found: Mapping[str, Any], own: Sequence[Mapping[str, Any]]
) -> None:
    """Raise ``ModelError`` unless a model was trained with the features of this package.

    ``found``: what its ``model.json`` says; one without the version of the block numbers has the
    first. ``own``: the featurizers that its labeler can have. Raises ``LookupError`` or the like
    for garbled values.
    """
    kind, version = found["kind"], found["version"]
    known = {each["kind"]: each for each in own}
    if known.get(kind, {}).get("version") != version:
        versions = {name: each["version"] for name, each in known.items()}
        raise ModelError(
            f"the model in {folder} was made by featurizer {shown(kind)} version {shown(version)}, "
            f"this package has {versions}; {_OTHER_VERSION}"
        )
    numbers, own_numbers = found.get("numbers", 1), known[kind].get("numbers", 1)
    if numbers != own_numbers:
        raise ModelError(
            f"the model in {folder} was trained with version {shown(numbers)} of the block "
            f"numbers, this package computes version {own_numbers}; {_OTHER_VERSION}"
        )


def _spec(folder: Path, document: Mapping[str, Any]) -> ModelSpec:
    try:
        featurizer = document["featurizer"]
        check_featurizer(folder, featurizer, (FEATURIZER, PAPER_FEATURIZER))
        spec = ModelSpec(
            name=document["name"],
            architecture=Architecture(**document["architecture"]),
            featurizer=featurizer,
            units=document["units"],
            threshold=float(document["threshold"]),
            confidence=tuple((float(x), float(y)) for x, y in document["confidence"]),
            decision=document.get("decision", "fixed"),  # the oldest models lack it
            template_share=float(document.get("template_share", 0.0)),  # models before 0.3 lack it
            judges_comments=document.get("judges_comments", False),  # and those before 1.1
            training=document.get("training", {}),
        )
        check_spec(spec)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ModelError(
            f"{SPEC_FILE} in {folder} lacks a value or has a wrong one: {shown(error)}; train or "
            "copy the model again"
        ) from error
    return spec
