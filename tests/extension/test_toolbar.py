"""The toolbar button, pressed in a real Chromium by Puppeteer; the extension as it ships."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from testing.extension import CHROMIUM, DIST, FOLDER, NODE, Pages, need

PAGE = Path(__file__).parents[2] / "example_project" / "site" / "news-bridge.html"
_SECONDS = 120


def test_one_click_paints_the_page_and_the_next_one_clears_it(pages: Pages) -> None:
    need(NODE, "Node.js 20 or newer")
    need(CHROMIUM, "chromium")
    need((FOLDER / "node_modules" / "puppeteer-core").is_dir(), "npm ci")
    need((DIST / "chromium").is_dir(), "npm run build")
    assert NODE is not None
    assert CHROMIUM is not None
    url = pages.put("/a", PAGE.read_bytes())
    command = [NODE, FOLDER / "tests" / "toolbar.mjs", CHROMIUM, DIST / "chromium", url]
    done = subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", timeout=_SECONDS
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["shown"]["badge"]["text"].endswith("%")
    assert "of" in seen["shown"]["badge"]["title"]
    assert "boilernet-main" in seen["shown"]["painted"]
    assert seen["cleared"] == {
        "badge": {"text": "", "title": "Show the main text of this page"},
        "painted": [],
    }
