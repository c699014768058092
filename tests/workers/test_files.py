"""Files of JSON lines: what ends a line, and what an error names."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_boilernet.settings.config import ConfigError, read_value
from scrapy_boilernet.settings.values import local_path
from scrapy_boilernet.workers.files import json_lines


def written(folder: Path, data: bytes) -> Path:
    file = folder / "rows.jsonl"
    file.write_bytes(data)
    return file


@pytest.mark.parametrize("character", "\u2028 \u2029 \x85 \x1c \x1d \x1e \x0b \x0c".split(" "))
def test_only_a_line_feed_ends_a_line(tmp_path: Path, character: str) -> None:
    escaped = character if character > "\x1f" else f"\\u{ord(character):04x}"
    file = written(tmp_path, f'"a{escaped}b"\r\n"c"'.encode())
    assert list(json_lines(file)) == [
        (f"{file}, line 1", f"a{character}b"),
        (f"{file}, line 2", "c"),
    ]


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    file = written(tmp_path, b'\n \t\r\n{"a": null}\nnull\n\n')
    assert list(json_lines(file)) == [(f"{file}, line 3", {"a": None}), (f"{file}, line 4", None)]
    assert list(json_lines(written(tmp_path, b""))) == []


@pytest.mark.parametrize("line", [b"{not json", b'"caf\xe9"', b"[" * 100_000, b"1 2"])
def test_a_line_that_is_not_json_is_named_with_its_file(tmp_path: Path, line: bytes) -> None:
    file = written(tmp_path, b"1\n\n" + line + b"\n4\n")
    rows = json_lines(file)
    assert next(rows) == (f"{file}, line 1", 1)
    with pytest.raises(ValueError, match=r"rows\.jsonl, line 3 is not JSON in UTF-8 \("):
        next(rows)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        list(json_lines(tmp_path / "missing"))


ADDRESSES = (
    "S3://bucket",
    " s3://bucket/a.json",
    "abfs://c@account/pages",
    *(
        f"{scheme}://example/pages"
        for scheme in ("s3", "gs", "https", "file", "hdfs", "s3a", "az", "ftp", "memory")
    ),
)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("name", ["deferred_folder", "health_file"])
def test_a_setting_that_names_a_path_refuses_a_url(name: str, address: str) -> None:
    with pytest.raises(ConfigError, match=r"://.* path on a local disk"):
        read_value(name, name.upper(), address)


@pytest.mark.parametrize(
    "path", ["pages", "/a/b", "C:\\pages", "c:/pages", "a:b", "s3:/pages", "é/://"]
)
def test_a_path_is_a_path(path: str) -> None:
    assert local_path(path) == path
