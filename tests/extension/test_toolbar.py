"""The toolbar button and the side panel, used in a real Chromium by Puppeteer; the extension as it
ships.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from testing.extension import CHROMIUM, DIST, FOLDER, NODE, Pages, need

PAGE = Path(__file__).parents[2] / "example_project" / "site" / "news-bridge.html"
_SECONDS = 120


def played(pages: Pages, script: str) -> Any:
    """Return the results of one of the scripts in ``extension/tests``."""
    need(NODE, "Node.js 20 or newer")
    need(CHROMIUM, "chromium")
    need((FOLDER / "node_modules" / "puppeteer-core").is_dir(), "npm ci")
    need((DIST / "chromium").is_dir(), "npm run build")
    url = pages.put("/a", PAGE.read_bytes())
    command = [NODE, FOLDER / "tests" / script, CHROMIUM, DIST / "chromium", url]
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True, check=False, encoding="utf-8", timeout=_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_one_click_paints_the_page_and_the_next_one_clears_it(pages: Pages) -> None:
    seen = played(pages, "toolbar.mjs")
    assert seen["shown"]["badge"]["text"].endswith("%")
    assert "of" in seen["shown"]["badge"]["title"]
    assert "boilernet-main" in seen["shown"]["painted"]
    assert seen["cleared"] == {
        "badge": {"text": "", "title": "Show the main text of this page"},
        "painted": [],
    }


def test_the_side_panel_opens_beside_the_page_and_corrects_it(pages: Pages) -> None:
    seen = played(pages, "panel.mjs")
    assert seen["chosen"].startswith("“")
    assert "you labeled 1" in seen["progress"]
    assert {"boilernet-main", "boilernet-comment", "boilernet-human"} <= set(seen["painted"])
