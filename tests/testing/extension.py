"""The browser extension's code, run by Node, and pages in its JSON format."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from scrapy_boilernet.commands import export
from scrapy_boilernet.extractor.markup import Markup
from scrapy_boilernet.extractor.page import Page

from .loopback import HTML, Answer, Served

FOLDER = Path(__file__).parents[2] / "extension"
DIST = FOLDER / "dist"
NODE = shutil.which("node")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")
DATA = FOLDER.parents[1] / "shared" / "data"
SETS = ("wcxb-dev", "daniel-waddle", "mercury", "googletrends2017")
"""Labeled sets, as archives in :data:`DATA` where they are at hand."""


def need(what: object, how: str) -> None:
    """Skip the test if ``what`` is missing; fail where it must be there (tox -e extension)."""
    if not what:
        message = f"the tests of the extension need {how}"
        if os.environ.get("BOILERNET_TEST_EXTENSION"):
            pytest.fail(message)
        pytest.skip(message)


class NodeError(Exception):
    """Raised with the error of the extension's code."""


class Node:
    """A process of ``extension/tests/answer.mjs``, which answers requests until it is closed."""

    def __init__(self) -> None:
        assert NODE is not None
        self._process = subprocess.Popen(
            [NODE, "--no-warnings", str(FOLDER / "tests" / "answer.mjs")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip

    def load(self, model: str) -> None:
        """Export a model for the extension, and load it."""
        parser = argparse.ArgumentParser()
        export.add_arguments(parser)
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
            export.run(parser.parse_args([model, "--extension", "--out", folder]))
            (file,) = Path(folder).iterdir()
            self.ask("load", file=str(file))

    def ask(self, what: str, **request: object) -> Any:
        """Return the answer; raise ``NodeError`` if there is none."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"what": what, **request}) + "\n")
        stdin.flush()
        answer = json.loads(stdout.readline() or '{"error": "the process ended"}')
        if "error" in answer:
            raise NodeError(answer["error"])
        return answer["result"]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def page_json(page: Page) -> dict[str, Any]:
    """Return the page as ``extension/src/page.js`` describes it."""
    head = page.head
    return {
        "url": page.url or "",
        "title": page.title,
        "blocks": [
            {
                "text": block.text,
                "tags": block.tags,
                "classWords": block.class_words,
                "nodes": block.nodes,
                "linkChars": block.link_chars,
                "hidden": block.hidden,
                "noscript": block.noscript,
                "preformatted": block.preformatted,
            }
            for block in page.blocks_without_xpaths
        ],
        "head": {
            "words": head.words,
            "description": head.description,
            "articleBody": head.article_body,
        },
        "overMaxBlocks": page.over_max_blocks,
        "notes": [[note, [*around]] for note, around in page.notes],
        "mailFields": [[*around] for around in page.mail_fields],
        "homeLinks": [*page.home_links],
    }


def markup_json(markup: Markup) -> dict[str, Any]:
    """Return the markup as ``extension/src/page.js`` describes it."""
    return {
        "spans": [[span._asdict() for span in spans] for spans in markup.spans],
        "breaks": markup.breaks,
        "pictures": [
            {**picture._asdict(), "span": picture.span._asdict()} for picture in markup.pictures
        ],
        "numbers": markup.numbers,
        "rows": [(row, [cell._asdict() for cell in cells]) for row, cells in markup.rows],
        "cells": markup.cells,
        "languages": markup.languages,
        "notes": markup.notes,
        "rules": [rule._asdict() for rule in markup.rules],
        "roles": markup.roles,
        "base": markup.base,
    }


class Pages(Served):
    """A site of the pages in ``answers``, by their paths."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        answers = self.answers

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer = answers.get(self.path.split("?")[0], Answer(b"", status=404))
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.content_type)
                self.send_header("Content-Length", str(len(answer.body)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_: Any) -> None:
                pass

        super().__init__(ThreadingHTTPServer(("127.0.0.1", 0), Handler))

    def put(self, path: str, body: str | bytes, **headers: str) -> str:
        """Serve a page; return its address."""
        data = body.encode() if isinstance(body, str) else body
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = Answer(data, HTML, headers=named)
        return self.url + path
