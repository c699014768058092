"""The quickstart's steps, followed from an empty folder with the site that it names."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from testing.crawling import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"([^\n]*)\n\n```(\w*)\n(.*?)```", re.DOTALL)
"""The line before a block, its language, and its text."""
SERVE = "python -m http.server 8000 --directory example_project/site"
ADDRESS = "127.0.0.1:8000"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    """The example site at a free port."""
    handler = partial(Quiet, directory=str(ROOT / "example_project" / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def run(line: str, folder: Path) -> str:
    """Run a command of the guide; return what it wrote."""
    words = shlex.split(line)
    assert words[0] == "scrapy"
    if words[1] == "crawl":
        words += ["-s", "DOWNLOAD_DELAY=0"]
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout + done.stderr


def test_the_quickstart_gives_what_it_says(tmp_path: Path) -> None:
    folder, output = tmp_path, []
    with served() as address:
        for before, language, text in BLOCK.findall(GUIDE.replace(ADDRESS, address)):
            file = re.search(r"`(\w+/[\w/]+\.py)`:$", before)
            if language == "python":
                assert file
                with (folder / file[1]).open("a", encoding="utf-8") as stream:
                    stream.write(text)
            elif language == "" and not text.startswith("'boilernet/"):
                for line in text.splitlines():
                    if line.startswith("cd "):
                        folder /= line.removeprefix("cd ")
                    elif line != SERVE:
                        output.append(run(line, folder))
    said = BLOCK.findall(GUIDE)
    (stats,) = (text for _, language, text in said if text.startswith("'boilernet/"))
    assert all(any(line.strip(" ,") in text for text in output) for line in stats.splitlines())
    lines = (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    (shown,) = (json.loads(text) for _, language, text in said if language == "json")
    (queue,) = (item for item in items if item["url"].endswith("/docs-queue.html"))
    assert queue.keys() == shown.keys()
    assert round(queue["main_text_confidence"], 2) == shown["main_text_confidence"]
    assert "```" in output[-2]  # the page's code, as Markdown
    assert (folder / "why.html").stat().st_size > 1000
