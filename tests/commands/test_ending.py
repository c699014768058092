"""How commands end that are stopped or cannot write, and which outputs they refuse."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from testing.commanding import refusal, run, scrapy

from scrapy_boilernet.commands import evaluate, extract, train, vote

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and devices of POSIX")
PAGE = "<title>Tide pools</title><p>Tide pools are full of life, and each one is different.</p>"
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "p.html").write_text(PAGE)
    return tmp_path / "p.html"


@pytest.fixture
def model(tiny_model: Path) -> tuple[str, ...]:
    return ("--model", str(tiny_model), "--engine", "numpy")


def begun(*arguments: str | Path, **given: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "scrapy", "boilernet", *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **given)


FORMATS = ("text", "markdown", "html", "jsonl")


@FULL
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("named", [True, False])
def test_a_full_device_ends_with_a_message(
    page: Path, model: tuple[str, ...], form: str, *, named: bool
) -> None:
    with Path("/dev/full").open("w") as full:
        where = ("-o", "/dev/full") if named else ()
        process = begun("extract", page, "--format", form, *model, *where, stdout=full)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert "Traceback" not in err
    assert err.splitlines()[-1] == (
        "cannot write the output: No space left on device; solve this, or name another file"
    )


@pytest.mark.parametrize("action", [("extract",), ("extract", "--format", "jsonl"), ("explain",)])
def test_a_closed_pipe_ends_with_a_message(
    page: Path, model: tuple[str, ...], action: tuple[str, ...]
) -> None:
    model = model if action[0] == "extract" else model[:2]
    ours, theirs = os.pipe()
    os.close(ours)
    process = begun(*action, page, *model, stdout=theirs)
    os.close(theirs)
    err = process.communicate(timeout=60)[1]
    assert (process.returncode, "Traceback" in err) == (141, False)
    assert err.splitlines()[-1] == "standard output was closed before the end"


def _hear_ctrl_c() -> None:
    """Undo that a program in the background ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_with_a_message(model: tuple[str, ...]) -> None:
    asking = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = begun("extract", "-", *model, **asking, preexec_fn=_hear_ctrl_c)
    assert process.stdin is not None
    process.stdin.write("a" * 1_000_000)  # more than a pipe holds: the command is reading
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    assert (process.returncode, err) == (130, "stopped by Ctrl-C\n")


def symbolic(page: Path) -> Path:
    page.with_name("link.txt").symlink_to(page)
    return page.with_name("link.txt")


def hard(page: Path) -> Path:
    os.link(page, page.with_name("hard.txt"))
    return page.with_name("hard.txt")


NAMES = {
    "itself": lambda page: page,
    "symbolic link": symbolic,
    "hard link": hard,
    "spelling": lambda page: Path(f"{page.parent}/../{page.parent.name}/./p.html"),
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("form", FORMATS)
def test_an_output_that_is_the_page_is_refused(
    page: Path, model: tuple[str, ...], name: Any, form: str
) -> None:
    assert "is the input" in refusal(extract, page, "--format", form, "-o", name(page), *model)
    assert page.read_text() == PAGE


@pytest.mark.parametrize("out", ["o.txt", "o.jsonl", "p.html", "sub/o.html"])
def test_an_output_in_the_folder_that_is_read_is_refused(
    page: Path, model: tuple[str, ...], out: str
) -> None:
    (page.parent / "sub").mkdir()
    message = refusal(extract, page.parent, "-o", page.parent / out, *model)
    assert "lies in the input" in message
    assert sorted(path.name for path in page.parent.iterdir()) == ["p.html", "sub"]


@pytest.mark.parametrize(
    "address", ["s3://bucket/a.jsonl", "gs://b/a.txt", "https://example.org/a.txt", "ftp://host/a"]
)
def test_an_address_as_an_output_is_refused(page: Path, address: str) -> None:
    found = scrapy(page.parent, "extract", "p.html", "-o", address)
    assert found.returncode == 2
    assert "name a path on a local disk" in found.stderr
    assert [path.name for path in page.parent.iterdir()] == ["p.html"]


@pytest.mark.parametrize("ending", [".zst", ".bz2", ".xz", ".zip", ".parquet"])
def test_names_of_packed_files_that_are_not_written_are_refused(
    page: Path, tmp_path: Path, ending: str
) -> None:
    from scrapy_boilernet.commands.output import opened

    with pytest.raises(Exception, match=f"end with {ending} cannot be written here"):
        opened(tmp_path / f"items.jsonl{ending}")
    assert [path.name for path in tmp_path.iterdir()] == ["p.html"]


def test_a_name_of_gzip_is_written_as_gzip(tmp_path: Path) -> None:
    from scrapy_boilernet.commands.output import opened

    with opened(tmp_path / "items.jsonl.gz") as out:
        out.write("x\ud800y\n")
    assert gzip.decompress((tmp_path / "items.jsonl.gz").read_bytes()) == b"x?y\n"


@pytest.mark.skipif(sys.platform == "darwin", reason="names are UTF-8 there")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("to_file", [True, False])
@pytest.mark.parametrize("workers", [(), ("--workers", "1")])
def test_names_that_are_not_utf_8_are_escaped(
    page: Path, model: tuple[str, ...], form: str, workers: tuple[str, ...], *, to_file: bool
) -> None:
    if workers and (form != "jsonl" or not to_file):
        return
    folder = page.parent / "folder"
    folder.mkdir()
    for name in (b"a.html", b"b\xff.html", b"c\xe9\xe8.html"):
        Path(os.fsdecode(bytes(folder) + b"/" + name)).write_text(PAGE)
    where = ("-o", "out.jsonl" if form == "jsonl" else "out.txt") if to_file else ()
    program = "bulk" if workers else "extract"
    found = scrapy(page.parent, program, "folder", "--format", form, *where, *workers, *model)
    assert (found.returncode, "Traceback" in found.stderr) == (0, False)
    text = (page.parent / where[1]).read_text() if to_file else found.stdout
    names = [r"folder/a.html", r"folder/b\xff.html", r"folder/c\xe9\xe8.html"]
    if form == "jsonl":
        assert [json.loads(line)["source"] for line in text.splitlines()] == names
    else:
        assert [name for name in names if f"==> {name} <==" in text] == names


def test_other_actions_refuse_to_overwrite_their_inputs(page: Path, tmp_path: Path) -> None:
    data = tmp_path / "set.tar.xz"
    data.write_bytes(b"data")
    for action, *given in (
        (evaluate, data, "--json", data), (evaluate, data, "--markdown", data),
        (evaluate, data, "--html", data), (train, data, "--out", data), (vote, data, "--out", data),
        (import_module("scrapy_boilernet.commands.annotations"), data, "--out", data),
    ):  # fmt: skip
        assert "is the input" in refusal(action, *given)
    assert data.read_bytes() == b"data"


def test_a_page_is_written_where_nothing_is_read(page: Path, model: tuple[str, ...]) -> None:
    assert run(extract, page, "-o", page.with_name("p.txt"), *model) == 0
    assert page.read_text() == PAGE
    assert page.with_name("p.txt").exists()
