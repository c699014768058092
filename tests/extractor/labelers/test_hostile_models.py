"""A model folder from a stranger: whatever is in it, the error names it, and nothing runs."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load, save
from testing.models import write_graph
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.labelers.model_folder import (
    GRAPH_FILE,
    MOST_HEADER_BYTES,
    MOST_SPEC_BYTES,
    SPEC_FILE,
    WEIGHTS_FILE,
    load_model,
    model_folder,
)
from scrapy_boilernet.extractor.labelers.registry import (
    ModelError,
    load_labeler,
    model_version,
)

REMEDIES = ("copy", "train", "write it with")
MOST_MEMORY = 64 << 20
"""Bytes that a refusal may take; the bombs here are of gigabytes to exabytes."""
Edit = Callable[[dict[str, Any]], object]


def planted(folder: Path, name: str, data: bytes) -> Path:
    """Put a file in the model's place, with its digest, as an attacker would."""
    (folder / name).unlink(missing_ok=True)
    (folder / name).write_bytes(data)
    if name == WEIGHTS_FILE:
        edited(folder, lambda spec: spec.update(weights_sha256=hashlib.sha256(data).hexdigest()))
    return folder


def edited(folder: Path, edit: Edit) -> Path:
    document = json.loads((folder / SPEC_FILE).read_text(encoding="utf-8"))
    edit(document)
    (folder / SPEC_FILE).write_text(json.dumps(document), encoding="utf-8")
    return folder


def refusal(folder: Path, engine: str = "numpy") -> str:
    """What the error says; it must name the folder and what to do, and have taken no memory."""
    engine = "auto" if folder.name in CLASSICAL else engine
    tracemalloc.start()
    try:
        with pytest.raises(ModelError) as caught:
            load_labeler(str(folder), engine)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    said = str(caught.value)
    assert str(folder) in said
    assert any(remedy in said for remedy in REMEDIES), said
    assert "\x1b" not in said
    assert len(said) < 1000 + 2 * len(str(folder))
    assert peak < MOST_MEMORY
    return said


CLASSICAL = ("crf", "gbdt", "svm")


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    """A copy of the small model, for an attacker to change."""
    return Path(shutil.copytree(tiny_model, tmp_path / "strange"))


@pytest.fixture(params=CLASSICAL)
def classical(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a shipped model of a classical labeler."""
    if request.param == "gbdt":
        pytest.importorskip("lightgbm")
    return Path(shutil.copytree(model_folder(request.param), tmp_path / request.param))


# What is no model at all ---------------------------------------------------------------------


def pickled(marker: Path, protocol: bytes = b"") -> bytes:
    """A pickle, by hand, that writes a file when it is loaded."""
    return protocol + b"cos\nsystem\n(S'touch " + os.fsencode(marker) + b"'\ntR."


def checkpoint(marker: Path) -> bytes:
    """A zip as torch.save writes it, with such a pickle."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("archive/data.pkl", pickled(marker, b"\x80\x02"))
        archive.writestr("archive/version", "3\n")
    return packed.getvalue()


DISGUISES: dict[str, Callable[[Path], bytes]] = {
    "a pickle": lambda marker: pickled(marker, b"\x80\x02"),
    "an old pickle": pickled,
    "a torch checkpoint": checkpoint,
    "a NumPy array of objects": lambda marker: (
        b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(127)
        + b"\n"
        + pickled(marker)
    ),
    "Python": lambda marker: f"__import__('os').system('touch {marker}')\n".encode(),
    "YAML": lambda marker: f"!!python/object/apply:os.system ['touch {marker}']\n".encode(),
    "nothing": lambda _: b"",
    "zeros": lambda _: bytes(1000),
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("name", [WEIGHTS_FILE, SPEC_FILE, GRAPH_FILE])
def test_other_files_in_a_models_place_are_refused_and_never_run(
    folder: Path, tmp_path: Path, name: str, disguise: str
) -> None:
    if name == GRAPH_FILE:
        pytest.importorskip("onnxruntime")
    marker = tmp_path / "was-run"
    planted(folder, name, DISGUISES[disguise](marker))
    assert name in refusal(folder, "onnx" if name == GRAPH_FILE else "numpy")
    assert not marker.exists()


@pytest.mark.parametrize("disguise", DISGUISES)
def test_other_files_in_a_classical_models_place_are_refused_and_never_run(
    classical: Path, tmp_path: Path, disguise: str
) -> None:
    marker = tmp_path / "was-run"
    data = DISGUISES[disguise](marker)
    assert WEIGHTS_FILE in refusal(planted(classical, WEIGHTS_FILE, data))
    assert not marker.exists()


@pytest.mark.parametrize("disguise", ["a pickle", "a torch checkpoint"])
def test_the_error_calls_a_pickle_a_pickle(folder: Path, tmp_path: Path, disguise: str) -> None:
    data = DISGUISES[disguise](tmp_path / "was-run")
    assert "which is never loaded" in refusal(planted(folder, WEIGHTS_FILE, data))


# What is no file, or too large ---------------------------------------------------------------


def as_folder(path: Path) -> None:
    path.mkdir()


def as_huge_file(path: Path) -> None:
    path.touch()
    os.truncate(path, 10 << 30)  # sparse: it takes no room on the disk


def as_link_to_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


UNFIT: dict[str, Callable[[Path], None]] = {
    "a folder": as_folder,
    "a file of 10 GB": as_huge_file,
    "an endless device": as_link_to_zeros,
    **({"a pipe": os.mkfifo} if hasattr(os, "mkfifo") else {}),
}


@pytest.mark.parametrize("unfit", UNFIT)
@pytest.mark.parametrize("name", [WEIGHTS_FILE, SPEC_FILE, GRAPH_FILE])
def test_what_is_no_file_or_too_large_is_not_read(folder: Path, name: str, unfit: str) -> None:
    if name == GRAPH_FILE:
        pytest.importorskip("onnxruntime")
    (folder / name).unlink(missing_ok=True)
    UNFIT[unfit](folder / name)
    with pytest.raises(ModelError, match="strange") as caught:
        load_labeler(str(folder), "onnx" if name == GRAPH_FILE else "numpy")
    assert name in str(caught.value)
    with pytest.raises(ModelError, match="strange"):
        load_model(folder) if name != GRAPH_FILE else load_labeler(str(folder), "onnx")


@pytest.mark.parametrize("unfit", UNFIT)
def test_what_is_no_file_or_too_large_is_no_classical_weights(classical: Path, unfit: str) -> None:
    (classical / WEIGHTS_FILE).unlink()
    UNFIT[unfit](classical / WEIGHTS_FILE)
    assert WEIGHTS_FILE in refusal(classical)


@pytest.mark.parametrize("name", [WEIGHTS_FILE, SPEC_FILE])
def test_a_link_to_a_secret_shows_nothing_of_it(folder: Path, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("root:correct horse battery staple", encoding="utf-8")
    (folder / name).unlink()
    (folder / name).symlink_to(secret)
    said = refusal(folder)
    assert not any(word in said for word in ("correct", "horse", "battery"))


# Safetensors ---------------------------------------------------------------------------------


def safetensors(header: Any, data: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def tensor(begin: int, end: int, shape: list[int], kind: str = "F16") -> dict[str, Any]:
    return {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}


BROKEN_TENSORS = {
    "a header of 2^60 bytes": safetensors({}, length=1 << 60),
    "a header of 2^64 - 1 bytes": safetensors({}, length=(1 << 64) - 1),
    "a header longer than the file": safetensors({}, length=500),
    "a large header": safetensors(
        b"{" + b" " * MOST_HEADER_BYTES + b'"a":{"dtype":"F16","shape":[0],"data_offsets":[0,0]}}'
    ),
    "a header of many tensors": safetensors({f"t{i}": tensor(0, 0, [0]) for i in range(30_000)}),
    "a header nested deeply": safetensors(b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}"),
    "a header that is a list": safetensors([1]),
    "a header cut off": safetensors(b'{"a":{"dtype":"F16"'),
    "overlapping tensors": safetensors({"a": tensor(0, 4, [2]), "b": tensor(2, 6, [2])}, bytes(6)),
    "two tensors in one place": safetensors({n: tensor(0, 4, [2]) for n in "ab"}, bytes(4)),
    "a tensor beyond the file": safetensors({"a": tensor(0, 1 << 50, [1 << 49])}, bytes(8)),
    "a tensor before the file": safetensors({"a": tensor(-8, 8, [8])}, bytes(8)),
    "offsets that run backwards": safetensors({"a": tensor(8, 0, [0])}, bytes(8)),
    "sizes whose product overflows": safetensors({"a": tensor(0, 0, [1 << 33, 1 << 33])}),
    "a shape of another size": safetensors({"a": tensor(0, 8, [3])}, bytes(8)),
    "bytes that no tensor has": safetensors({"a": tensor(0, 4, [2])}, bytes(4000)),
    "an unknown type": safetensors({"a": tensor(0, 4, [2], "OBJECT")}, bytes(4)),
}


@pytest.mark.parametrize("broken", BROKEN_TENSORS)
def test_broken_safetensors_are_refused(folder: Path, broken: str) -> None:
    assert WEIGHTS_FILE in refusal(planted(folder, WEIGHTS_FILE, BROKEN_TENSORS[broken]))


@pytest.mark.parametrize("broken", BROKEN_TENSORS)
def test_broken_safetensors_of_a_classical_model_are_refused(classical: Path, broken: str) -> None:
    assert WEIGHTS_FILE in refusal(planted(classical, WEIGHTS_FILE, BROKEN_TENSORS[broken]))


def with_tensor(folder: Path, change: Callable[[Any], Any]) -> Path:
    """The model with another tensor of the same name in the first one's place."""
    tensors = load((folder / WEIGHTS_FILE).read_bytes())
    name = min(tensors)
    return planted(folder, WEIGHTS_FILE, save({**tensors, name: change(tensors[name])}))


def with_number(number: float) -> Callable[[Any], Any]:
    def change(tensor: Any) -> Any:
        changed = tensor.astype(np.float32)
        changed.flat[0] = number
        return changed

    return change


OTHER_TENSORS: dict[str, Callable[[Any], Any]] = {
    "whole numbers": lambda tensor: tensor.astype(np.int64),
    "booleans": lambda tensor: tensor > 0,
    "float64": lambda tensor: tensor.astype(np.float64),
    "another shape": lambda tensor: np.ascontiguousarray(tensor[:1]),
    "no number": with_number(np.nan),
    "infinity": with_number(np.inf),
    "less than nothing can hold": with_number(-np.inf),
    "3e38": with_number(3e38),
}


@pytest.mark.parametrize("other", OTHER_TENSORS)
def test_tensors_of_other_types_or_numbers_are_refused(folder: Path, other: str) -> None:
    assert "tensor" in refusal(with_tensor(folder, OTHER_TENSORS[other]))


def test_weights_as_large_as_they_may_be_give_numbers(folder: Path) -> None:
    largest = np.float16(65504)
    tensors = load((folder / WEIGHTS_FILE).read_bytes())
    extreme = {
        name: np.where(np.arange(t.size).reshape(t.shape) % 2, largest, -largest)
        for name, t in tensors.items()
    }
    planted(folder, WEIGHTS_FILE, save(extreme))
    from scrapy_boilernet import extract

    with np.errstate(all="ignore"):
        page = extract("<p>Tide pools.<p>They warm." * 50, model=str(folder), engine="numpy")
    assert all(0 <= p <= 1 for p in page.probabilities)


# model.json ----------------------------------------------------------------------------------

NESTED = 20_000
BROKEN_JSON = {
    "lists nested deeply": b"[" * NESTED,
    "lists nested deeply to their end": b"[" * NESTED + b"]" * NESTED,
    "objects nested deeply": b'{"a":' * NESTED + b"1" + b"}" * NESTED,
    "a number of many digits": b'{"format_version": ' + b"9" * 5000 + b"}",
    "a number beyond all": b'{"format_version": 1e400}',
    **{f"{data.decode()} alone": data for data in (b"[]", b"null", b'"text"', b"{}")},
    "twice the same key": b'{"format_version": 1, "labeler": "boilernet", "format_version": 1}',
    "no UTF-8": b'{"format_version": "\xff"}',
    "UTF-16": '{"format_version": 1}'.encode("utf-16"),
    "more than is read": b" " * MOST_SPEC_BYTES + b"{}",
    "a sequence that commands a terminal": b'{"format_version": "\\u001b]0;mine\\u0007\\n\\n"}',
    "a long word": b'{"format_version": "' + b"x" * 100_000 + b'"}',
}


@pytest.mark.parametrize("broken", BROKEN_JSON)
@pytest.mark.parametrize("name", ["boilernet", "crf", "grf"])
def test_broken_json_is_refused(tmp_path: Path, name: str, broken: str) -> None:
    if name == "grf":
        pytest.importorskip("scipy")
    folder = tmp_path / "strange"
    folder.mkdir()
    data = BROKEN_JSON[broken].replace(b'{"f', f'{{"labeler": "{name}", "f'.encode(), 1)
    (folder / SPEC_FILE).write_bytes(data)
    said = refusal(folder, "numpy" if name == "boilernet" else "auto")
    assert any(word in said for word in (SPEC_FILE, "format version"))


@pytest.mark.parametrize("names", [2, 20_000, 200_000])
def test_a_name_that_comes_twice_is_found_in_one_pass(tmp_path: Path, names: int) -> None:
    """Names are compared as often as they are, not each with each: in C, and so in no time."""
    folder = tmp_path / "strange"
    folder.mkdir()
    listed = [f'"name {n}": 1' for n in range(names)] + [f'"name {names - 1}": 2']
    (folder / SPEC_FILE).write_text("{" + ", ".join(listed) + "}", encoding="utf-8")
    assert f"the name 'name {names - 1}' twice" in refusal_of_any_kind(folder)


@pytest.mark.parametrize("name", ["notes.bin", "README.md", "deeper/data", WEIGHTS_FILE])
def test_huge_files_beside_a_model_are_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    labeler = load_labeler(str(folder), "numpy")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).touch()
    os.truncate(folder / name, 10 << 30)
    opened: list[Path] = []
    keep = Path.open
    monkeypatch.setattr(Path, "open", lambda p, *a, **k: opened.append(p) or keep(p, *a, **k))
    assert model_version(labeler, str(folder)).startswith("tiny ")
    assert folder / name not in opened


HUGE = (10**9, 10**18, 10**4000, -1, 1.5, float("inf"), True, "7", None, [8], {})
SIZES = ("numbers", "dense", "hidden", "layers")


@pytest.mark.parametrize("size", HUGE, ids=lambda size: repr(size)[:12])
@pytest.mark.parametrize("name", [*SIZES, "rows", "columns", "page rows", "page columns"])
def test_sizes_beyond_measure_are_refused_before_memory_is_taken(
    folder: Path, name: str, size: Any
) -> None:
    def edit(document: dict[str, Any]) -> None:
        shape = document["architecture"]
        if name in SIZES:
            shape[name] = size
        else:
            table = shape["page_bag"] if "page" in name else shape["bags"]["words"]
            table["columns" in name] = size

    refusal(edited(folder, edit))


GARBLED: dict[str, Edit] = {
    "a bag that none has": lambda d: d["architecture"]["bags"].update(forward=[5, 5]),
    "a bag of a torch name": lambda d: d["architecture"]["bags"].update({"a.b": [5, 5]}),
    "a name that is a list": lambda d: d.update(name=["tiny"]),
    "a name that commands a terminal": lambda d: d.update(name="\x1b]0;owned\x07"),
    "a name of two lines": lambda d: d.update(name="tiny\nINFO: all is well"),
    "a name without end": lambda d: d.update(name="x" * 100_000),
    "a threshold of 4,000 digits": lambda d: d.update(threshold=10**4000),
    "a threshold beyond all": lambda d: d.update(threshold=float("inf")),
    "no threshold": lambda d: d.update(threshold=float("nan")),
    "confidence beyond all": lambda d: d.update(confidence=[[0, 0], [1, 10**4000]]),
    "confidence that is none": lambda d: d.update(confidence=[[0, 0], [1, float("nan")]]),
    "confidence that falls": lambda d: d.update(confidence=[[1, 0], [0, 1]]),
    "no digest": lambda d: d.update(weights_sha256=None),
    "digests in a list": lambda d: d.update(weights_sha256=[d["weights_sha256"]]),
}


@pytest.mark.parametrize("garbled", GARBLED)
def test_values_that_would_fail_later_are_refused(folder: Path, garbled: str) -> None:
    refusal(edited(folder, GARBLED[garbled]))


@pytest.mark.parametrize("garbled", [name for name in GARBLED if "bag" not in name])
def test_late_failing_values_of_a_classical_model_are_refused(
    classical: Path, garbled: str
) -> None:
    refusal(edited(classical, GARBLED[garbled]))


@pytest.mark.parametrize("words", ["abc", [["a"]], [{}], [None], {"a": 1}, 7])
def test_a_vocabulary_that_is_no_list_of_words_is_refused(
    tiny_paper_model: Path, tmp_path: Path, words: Any
) -> None:
    folder = Path(shutil.copytree(tiny_paper_model, tmp_path / "strange"))
    refusal(edited(folder, lambda d: d["featurizer"].update(words=words)))


def test_a_document_nested_deeply_inside_of_the_weights_is_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(model_folder("svm"), tmp_path / "svm"))
    tensors = load((folder / WEIGHTS_FILE).read_bytes())
    tensors["document"] = np.frombuffer(b"[" * NESTED, dtype=np.uint8)
    refusal(planted(folder, WEIGHTS_FILE, save(tensors)))


ELSEWHERE = Path("another-file").absolute()
PATHS = ("../../../../another-file", str(ELSEWHERE), "C:another-file", ELSEWHERE.as_uri(),
         "~/.ssh/id_rsa", "\\\\host\\share", "name\x00.json", "a/../b")  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_no_word_of_a_model_names_a_file(
    folder: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    keep = Path.open
    monkeypatch.setattr(Path, "open", lambda p, *a, **k: opened.append(str(p)) or keep(p, *a, **k))

    def edit(document: dict[str, Any]) -> None:
        document.update(
            name=path, training={"command": path, "file": path}, weights=path, card=path
        )

    edited(folder, edit)
    if path.isprintable():
        assert load_labeler(str(folder), "numpy").name == path
    else:
        refusal(folder)
    assert {Path(name).parent for name in opened} == {folder}


@pytest.mark.parametrize("path", PATHS)
def test_no_word_of_a_model_names_its_code(folder: Path, path: str) -> None:
    edited(folder, lambda document: document.update(labeler=path))
    assert "neither one of" in refusal_of_any_kind(folder)


def refusal_of_any_kind(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_labeler(str(folder))
    return str(caught.value)


@QUICK
@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=4), st.booleans())
def test_changed_bytes_are_refused_or_give_a_model(
    tiny_model: Path, tmp_path_factory: pytest.TempPathFactory, place: int, put: bytes, spec: bool
) -> None:
    folder = Path(shutil.copytree(tiny_model, tmp_path_factory.mktemp("changed") / "strange"))
    name = SPEC_FILE if spec else WEIGHTS_FILE
    data = bytearray((folder / name).read_bytes())
    place %= len(data) if spec else 2000  # the header, and the first tensors
    data[place : place + len(put)] = put
    planted(folder, name, bytes(data))
    said = f"{folder} loads"
    try:
        load_labeler(str(folder), "numpy")
    except ModelError as error:
        said = str(error)
    assert str(folder) in said


# The graph -----------------------------------------------------------------------------------


@pytest.fixture(params=["float32", "int8"])
def graph_folder(request: pytest.FixtureRequest, folder: Path) -> Path:
    """The folder with its graph, which ONNX Runtime would run."""
    pytest.importorskip("onnxruntime")
    write_graph(folder, request.param)
    load_labeler(str(folder), "onnx")
    return folder


def changed_graph(folder: Path, change: Callable[[Any, Any], object]) -> Path:
    """The graph changed by ``change(onnx, model)``, and no less valid as protobuf."""
    import onnx

    model = onnx.load_from_string((folder / GRAPH_FILE).read_bytes())
    change(onnx, model)
    (folder / GRAPH_FILE).write_bytes(model.SerializeToString())
    load_labeler.__globals__["_labeler"].cache_clear()
    return folder


def numbers_of(model: Any, operator: str, place: int) -> Any:
    """The constant at a place among the inputs of the first such operator."""
    node = next(n for n in model.graph.node if n.op_type == operator)
    casts = {n.output[0]: n.input[0] for n in model.graph.node if n.op_type == "Cast"}
    name = casts.get(node.input[place], node.input[place])
    return next(t for t in model.graph.initializer if t.name == name)


def external(location: str) -> Callable[[Any, Any], object]:
    def change(onnx: Any, model: Any) -> None:
        found = numbers_of(model, "MatMul", 1)
        size = len(found.raw_data)
        found.ClearField("raw_data")
        found.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", "0"), ("length", str(size))):
            found.external_data.add(key=key, value=value)

    return change


def put(change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], object]:
    """A node of its own before the others."""
    return lambda onnx, model: model.graph.node.insert(0, change(onnx, model))


def reading(onnx: Any, model: Any, **options: Any) -> None:
    first = next(node for node in model.graph.node if node.op_type == "MatMul")
    first.input[0] = "bomb"
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([9]), "nine"))
    made = onnx.helper.make_node(inputs=["inputs", "nine"], outputs=["bomb"], **options)
    model.graph.node.insert(0, made)


def metadata(key: str, value: str) -> Callable[[Any, Any], object]:
    def change(_: Any, model: Any) -> None:
        next(each for each in model.metadata_props if each.key == key).value = value

    return change


def loop(onnx: Any, model: Any) -> None:
    body = onnx.helper.make_graph([], "body", [], [])
    attribute = onnx.helper.make_attribute("body", body)
    node = next(n for n in model.graph.node if n.op_type == "Relu")
    node.op_type = "Loop"
    node.attribute.append(attribute)


def resized(operator: str, place: int, *dims: int) -> Callable[[Any, Any], object]:
    def change(_: Any, model: Any) -> None:
        found = numbers_of(model, operator, place)
        del found.dims[:]
        found.dims.extend(dims)

    return change


def broadcast(onnx: Any, model: Any) -> None:
    found = numbers_of(model, "Add", 1)
    wide = np.zeros((100_000, 1, 1, 1), dtype=np.float16)
    found.CopyFrom(onnx.numpy_helper.from_array(wide, found.name))


def shaped(onnx: Any, model: Any) -> None:
    found = numbers_of(model, "Reshape", 1)
    found.CopyFrom(onnx.numpy_helper.from_array(np.array([-1, 0, 1 << 40]), found.name))


def numbered(operator: str, place: int, value: float) -> Callable[[Any, Any], object]:
    """Another number in a constant, of float32 or of float16; LSTMs of both precisions."""

    def change(onnx: Any, model: Any) -> None:
        operators = {node.op_type for node in model.graph.node}
        name = operator if operator in operators else "DynamicQuantizeLSTM"
        at = place if name == operator else 8 + place // 3 * 2
        found = numbers_of(model, name, at)
        numbers = onnx.numpy_helper.to_array(found).copy()
        numbers.flat[-1] = value
        found.CopyFrom(onnx.numpy_helper.from_array(numbers, found.name))

    return change


def renamed(kind: str) -> Callable[[Any, Any], object]:
    def change(_: Any, model: Any) -> None:
        getattr(model.graph, kind)[0].name = "other"

    return change


GRAPHS: dict[str, Callable[[Any, Any], object]] = {
    "numbers in a file above": external("../../secret.bin"),
    "numbers in a file anywhere": external("/etc/passwd"),
    "numbers in a file beside": external("model.safetensors"),
    "an operator of a strange domain": lambda o, m: reading(
        o, m, op_type="Evil", domain="evil.ops"
    ),
    "an operator that none knows": lambda o, m: reading(o, m, op_type="Python"),
    "an operator of ONNX Runtime's own": lambda o, m: reading(
        o, m, op_type="Inverse", domain="com.microsoft"
    ),
    "an array of any size": lambda o, m: reading(o, m, op_type="Expand"),
    "a loop": loop,
    "a function": lambda _, m: m.functions.add(name="Relu", domain=""),
    "training information": lambda _, m: m.training_info.add(),
    "sparse numbers": lambda _, m: m.graph.sparse_initializer.add(),
    "a sum that blows up": broadcast,
    "a shape of its own": shaped,
    "a size of zero": resized("MatMul", 1, 0, 1 << 40),
    "another size": resized("Add", 1, 2, 4),
    "an operator more": lambda o, m: m.graph.node.append(
        o.helper.make_node("Relu", ["probabilities"], ["more"])
    ),
    "an operator less": lambda _, m: m.graph.node.pop(),
    "an attribute more": lambda o, m: m.graph.node[-1].attribute.append(
        o.helper.make_attribute("axes", 3)
    ),
    "numbers twice": lambda _, m: m.graph.initializer.append(m.graph.initializer[0]),
    "the page put aside": lambda o, m: m.graph.initializer.append(
        o.numpy_helper.from_array(np.zeros((1, 1, 4), np.float32), "inputs")
    ),
    "another version of the operators": lambda _, m: setattr(m.opset_import[0], "version", 10_000),
    "another input": renamed("input"),
    "another output": renamed("output"),
    "other weights": metadata("weights_sha256", "0" * 64),
    "another version": metadata("graph_version", "\x1b[2J99"),
    "an unknown precision": metadata("precision", "any"),
    **{
        f"a {said} number in {operator} {place}": numbered(operator, place, value)
        for operator, place in (("MatMul", 1), ("Add", 1), ("LSTM", 1), ("LSTM", 3))
        for said, value in (("missing", np.nan), ("boundless", np.inf))
    },
    "no precision": lambda _, m: m.metadata_props.pop(1),
}


@pytest.mark.parametrize("change", GRAPHS)
def test_a_graph_that_is_not_the_models_is_refused(
    graph_folder: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(graph_folder)  # where ONNX Runtime would look for files
    (graph_folder.parents[1] / "secret.bin").write_bytes(bytes(10_000))
    assert GRAPH_FILE in refusal(changed_graph(graph_folder, GRAPHS[change]), "onnx")


@pytest.mark.parametrize("number", [1, -1, 7, -128, 127])
@pytest.mark.parametrize("place", [9, 11])
@pytest.mark.parametrize("which", ["first", "last", "all"])
def test_zero_points_that_onnx_runtime_refuses_on_a_page_are_refused_at_the_start(
    folder: Path, place: int, number: int, which: str
) -> None:
    def change(onnx: Any, model: Any) -> None:
        found = numbers_of(model, "DynamicQuantizeLSTM", place)
        zeros = onnx.numpy_helper.to_array(found).copy()
        zeros.flat[{"first": 0, "last": -1, "all": slice(None)}[which]] = number
        found.CopyFrom(onnx.numpy_helper.from_array(zeros, found.name))

    pytest.importorskip("onnxruntime")
    changed_graph(write_graph(folder, "int8"), change)
    assert "zero points" in refusal(folder, "onnx")


@pytest.mark.usefixtures("not_compiled")
def test_the_engine_auto_leaves_a_strange_graph_out_with_a_warning(
    graph_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    changed_graph(graph_folder, GRAPHS["a loop"])
    assert load_labeler(str(graph_folder)).name == "tiny"
    assert "Continuing without ONNX Runtime" in caplog.text


@QUICK
@given(st.integers(0, 100_000), st.binary(max_size=6), st.integers(0, 6))
def test_changed_bytes_of_a_graph_are_refused_or_change_a_number(
    place: int, put: bytes, taken: int
) -> None:
    pytest.importorskip("onnxruntime")  # which only a machine that runs graphs has
    from scrapy_boilernet.extractor.labelers.boilernet.onnx_graph import check_graph

    folder = model_folder("default")
    data = bytearray((folder / GRAPH_FILE).read_bytes())
    place %= len(data)
    data[place : place + taken] = put
    said = ""
    try:
        check_graph(bytes(data), load_model(folder)[0].architecture)
    except ValueError as error:  # and nothing else
        said = str(error)
    assert len(said) < 500
