"""Annotations are read as they were written, and anything else is refused with a reason."""

from __future__ import annotations

import copy
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.museum import museum_page
from testing.sidecars import sidecar, write_sidecar
from testing.synthetic import QUICK

from scrapy_boilernet.lab.annotations.sidecar import AnnotationError, read_sidecars

HTML = museum_page(1).encode()
DOCUMENT = sidecar(HTML, lambda text: ("main" if len(text) > 60 else "boilerplate", "human"))


def test_a_file_a_folder_and_an_archive_say_the_same(tmp_path: Path) -> None:
    file = write_sidecar(tmp_path / "all", "one", HTML, DOCUMENT)
    archive = tmp_path / "annotations.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (tmp_path / "all").iterdir():
            packed.write(path, path.name)
    (read,) = read_sidecars([file])
    assert read.body == HTML
    assert read.problem == ""
    assert read.by_human == len(DOCUMENT["blocks"])
    assert [block.text for block in read.blocks] == [own["text"] for own in DOCUMENT["blocks"]]
    for path in (tmp_path / "all", archive):
        (other,) = read_sidecars([path])
        assert (other.blocks, other.body) == (read.blocks, read.body)


def test_a_page_that_is_missing_or_was_changed_is_a_problem_of_that_page(tmp_path: Path) -> None:
    file = write_sidecar(tmp_path, "one", HTML, DOCUMENT)
    (tmp_path / "one.html").write_bytes(HTML + b" ")
    (changed,) = read_sidecars([file])
    assert "one.html was changed since it was annotated" in changed.problem
    assert changed.body == b""
    (tmp_path / "one.html").unlink()
    (missing,) = read_sidecars([file])
    assert "the page's HTML is missing" in missing.problem


def test_a_name_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_bytes(HTML)
    file = write_sidecar(tmp_path / "in", "one", HTML, DOCUMENT)
    document = {**DOCUMENT, "file": "../secret.html"}
    file.write_text(json.dumps(document), encoding="utf-8")
    (read,) = read_sidecars([file])
    assert read.problem


def block(**others: object) -> dict[str, Any]:
    """The change of an annotation to one block, which has other values."""
    return {"blocks": [{**DOCUMENT["blocks"][0], **others}], "shown": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "other/2"}, "schema 'other/2', this version reads 'boilernet-annotation/1'"),
        ({"url": None}, "url is None"),
        ({"saved": "yesterday"}, "saved is 'yesterday'"),
        ({"finished": 1}, "finished is 1"),
        ({"page": {"sha256": "x"}}, "page.sha256 is 'x'"),
        ({"blocks": {}}, "blocks is {}"),
        ({"blocks": [7], "shown": 1}, "blocks[0] is 7"),
        ({"blocks": DOCUMENT["blocks"][:1] * 10_001}, "the number of blocks is 10001"),
        ({"shown": None}, "shown is None"),
        ({"shown": len(DOCUMENT["blocks"]) + 1}, f"shown is {len(DOCUMENT['blocks']) + 1}"),
        (block(kind="ad"), "blocks[0].kind is 'ad'"),
        (block(kind="content"), "allow (allowed: main, title, caption, comment, boilerplate); "),
        (block(by="me"), "(allowed: human, model, spread)"),
        (block(probability=2), "blocks[0].probability is 2"),
    ],
)
def test_what_is_not_as_the_schema_says_is_named(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    file = write_sidecar(tmp_path, "one", HTML, {**DOCUMENT, **change})
    with pytest.raises(AnnotationError) as error:
        read_sidecars([file])
    assert message in str(error.value)
    assert "one.json" in str(error.value)


def test_where_there_is_no_annotation_it_says_so(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path, "no annotation in"), (tmp_path / "none", "no file or folder"),
    ):  # fmt: skip
        with pytest.raises(AnnotationError, match=message):
            read_sidecars([path])
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(AnnotationError, match=r"broken\.json is no JSON"):
        read_sidecars([tmp_path])
    (tmp_path / "broken.json").unlink()
    (tmp_path / "broken.zip").write_bytes(b"PK")
    with pytest.raises(AnnotationError, match=r"broken\.zip cannot be read"):
        read_sidecars([tmp_path])


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "annotations.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("one.json", json.dumps(DOCUMENT))
    data = bytearray(archive.read_bytes())
    data[60:90] = bytes(30)
    archive.write_bytes(data)
    with pytest.raises(AnnotationError, match=r"annotations\.zip cannot be read"):
        read_sidecars([archive])


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@QUICK
@given(st.data())
def test_any_other_value_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    document: Any = copy.deepcopy(DOCUMENT)
    place = data.draw(st.sampled_from([document, document["page"], document["blocks"][0]]))
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(VALUES)
    folder = tmp_path_factory.mktemp("any")
    (folder / "one.json").write_text(json.dumps(document), encoding="utf-8")
    try:
        (read,) = read_sidecars([folder])
    except AnnotationError:
        return
    assert read.problem
