"""Every code block of the README and the guides is run, or checked as far as possible."""

from __future__ import annotations

import argparse
import ast
import asyncio
import configparser
import inspect
import json
import re
import shlex
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from scrapy import Spider
from scrapy.http import HtmlResponse, Request
from scrapy.utils.misc import load_object

import scrapy_boilernet
from scrapy_boilernet.commands import ACTIONS
from scrapy_boilernet.settings.config import PREFIX, Config

ROOT = Path(__file__).parent.parent
GUIDES = [ROOT / "README.md", ROOT / "CHANGES.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^( *)```([\w{}]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
URL = "https://example.org/pools.html"
HTML = (ROOT / "tests/pages/article.html").read_bytes()
NEEDS = {"trafilatura.md": "trafilatura", "page-objects.md": "scrapy_poet"}
"""A package without which a guide's Python cannot run."""
STORED = "s3://"
"""An address that the tests cannot reach: a block with it is only parsed."""


class Block(NamedTuple):
    """A fenced block of a document."""

    guide: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.guide.name}:{self.line}"


def blocks() -> list[Block]:
    return [
        Block(guide, text[: found.start()].count("\n") + 1, found[2], textwrap.dedent(found[3]))
        for guide in GUIDES
        if (text := guide.read_text(encoding="utf-8"))
        for found in BLOCK.finditer(text)
    ]


def of(*languages: str) -> list[Block]:
    return [block for block in blocks() if block.language in languages]


@cache
def labeled_response() -> HtmlResponse:
    """Return a response as a callback gets it."""
    result = scrapy_boilernet.extract(HTML, url=URL, formats=("markdown", "html", "metadata"))
    request = Request(URL, meta={"boilernet_result": result})
    return HtmlResponse(URL, body=HTML, encoding="utf-8", request=request)


def namespace() -> dict[str, Any]:
    """Return the names that code of the guides uses but does not define."""
    result = labeled_response().meta["boilernet_result"]
    return {
        "html": HTML.decode(), "url": URL, "index": URL, "page": URL, "result": result,
        "one": result.metadata, "other": result.metadata, "response": labeled_response(),
        "scrapy": import_module("scrapy"),
    }  # fmt: skip


async def download(_: Request) -> HtmlResponse:
    return labeled_response()


def spider() -> Any:
    """Return a spider whose downloads give the labeled page."""
    engine = SimpleNamespace(download_async=download)
    crawler = SimpleNamespace(engine=engine)
    names = ("parse", "parse_story", "parse_archive", "parse_comments", "parse_page")
    return SimpleNamespace(crawler=crawler, link=URL, **dict.fromkeys(names))


def exhausted(made: Any) -> Any:
    """Run what a callback returns to its end."""
    if inspect.isasyncgen(made):

        async def collect() -> list[Any]:
            return [item async for item in made]

        return asyncio.run(collect())
    return asyncio.run(made) if inspect.iscoroutine(made) else list(made or ())


def call(function: Callable[..., Any], owner: Any) -> None:
    """Call a callback with a response, or a test."""
    parameters = list(inspect.signature(function).parameters)
    if parameters == ["self", "response"]:
        exhausted(function(owner, labeled_response()))
    elif not parameters and function.__name__.startswith("test_"):
        function()


def is_inside_of_a_callback(text: str) -> bool:
    """Whether the code yields or awaits outside of a function."""
    waiting = [ast.parse(text)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return False


def is_spider(made: Any) -> bool:
    """Whether it is the class of a spider that has a ``parse`` of its own."""
    return inspect.isclass(made) and issubclass(made, Spider) and "parse" in vars(made)


def run_python(block: Block, names: dict[str, Any], folder: Path) -> None:
    """Import the block as a module that has these names, and add its own to them."""
    text = block.text
    if is_inside_of_a_callback(text):
        text = "def parse_inside(self, response):\n" + textwrap.indent(text, "    ")
    if STORED in text:
        return
    path = folder / f"{block.guide.stem.replace('-', '_')}_{block.line}.py"
    path.write_text(text, encoding="utf-8")
    spec = spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    vars(module).update(names)
    sys.modules[path.stem] = module  # dataclasses look there
    spec.loader.exec_module(module)
    made = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    new = {name: value for name, value in made.items() if name not in names}
    check_settings({name: value for name, value in new.items() if name.isupper()})
    for name in [node.name for node in ast.parse(text).body if hasattr(node, "name")]:
        if inspect.isfunction(made[name]):
            call(made[name], spider())
        elif is_spider(made[name]):
            exhausted(made[name]().parse(labeled_response()))
    names |= {name: value for name, value in new.items() if not name.isupper()}


def check_settings(settings: dict[str, Any]) -> None:
    """Read the plugin's settings, and load the components that others name."""
    own = {name: value for name, value in settings.items() if name.startswith(PREFIX)}
    if own.get("BOILERNET_MODE") == "deferred":
        own.setdefault("BOILERNET_DEFERRED_FOLDER", "pages")
    if not own.get("BOILERNET_DETECT_LANGUAGE") or find_spec("py3langid"):
        Config.from_settings(own)
    for name, value in settings.items():
        if not name.startswith(PREFIX) and isinstance(value, dict):
            for path in value:
                load_object(path)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_python_runs(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = NEEDS.get(guide.name)
    if needed:
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    for block in of("toml"):
        if block.guide == guide and (named := TOML_NAME.match(block.text)):
            (tmp_path / named[1]).write_text(block.text, encoding="utf-8")
    names = namespace()
    for block in of("python"):
        if block.guide == guide:
            run_python(block, names, tmp_path)


@cache
def parser_of(action: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(action, exit_on_error=False)
    import_module(f"scrapy_boilernet.commands.{action}").add_arguments(parser)
    return parser


PROGRAMS = ("scrapy", "pip", "python", "tox")


def commands_of(block: Block) -> Iterable[list[str]]:
    """Yield the words of each command of a shell block."""
    for line in block.text.replace("\\\n", " ").splitlines():
        if not line.startswith((*PROGRAMS, "curl", "cat")):
            continue
        words = shlex.split(line, comments=True)
        for number, word in enumerate(words):
            if word in PROGRAMS and (number == 0 or words[number - 1] in ("|", "&&")):
                end = next((n for n, w in enumerate(words) if n > number and w in "|&&"), None)
                yield words[number:end]


SHELL = [block for block in of("") if any(True for _ in commands_of(block))]


@pytest.mark.parametrize("block", SHELL, ids=str)
def test_commands_are_understood(block: Block) -> None:
    for words in commands_of(block):
        if words[:2] == ["scrapy", "boilernet"]:
            if words[2] in ACTIONS and "[OPTIONS]" not in words:
                parser_of(words[2]).parse_args(words[3:])
        elif words[0] == "tox":
            for name in words[words.index("-e") + 1].split(","):
                assert name in environments(), name
        elif words[:2] == ["pip", "install"]:
            for extra in re.findall(r"\[([\w,]+)\]", " ".join(words)):
                assert set(extra.split(",")) <= extras(), extra
        elif words[:2] == ["python", "-m"] and words[2].startswith("benchmarks"):
            assert (ROOT / f"{words[2].replace('.', '/')}.py").exists(), words[2]


def environments() -> set[str]:
    text = (ROOT / "tox.ini").read_text(encoding="utf-8")
    return {"py", *re.findall(r"^\[testenv:([\w-]+)\]", text, re.MULTILINE)}


def extras() -> set[str]:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    return {*setup["options.extras_require"]}


@pytest.mark.parametrize("block", of("json", "toml"), ids=str)
def test_data_is_of_its_format(block: Block) -> None:
    if block.language == "toml":
        tomllib.loads(block.text)
    else:
        json.loads(block.text)


TOML_NAME = re.compile(r"# ([\w-]+\.toml)\n")
"""The first line of a file that the guide's Python reads."""
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_links_lead_to_files(guide: Path) -> None:
    """Sphinx checks links in ``docs``, with their anchors, but not those of the README."""
    text = guide.read_text(encoding="utf-8")
    links = [*LINK.findall(text), *re.findall(r'\bsrc(?:set)?="([^":]+)"', text)]
    missing = [link for link in links if not (guide.parent / link).exists()]
    assert missing == []
