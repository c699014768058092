"""The extension in a real Firefox, where one is installed."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from testing.extension import DIST, FOLDER, NODE, Pages, need
from testing.golden import default_labeler, painted_texts
from testing.models import SITE

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import label_page

FIREFOX = shutil.which("firefox") or shutil.which("firefox-esr")
_SECONDS = 180


@pytest.mark.skipif(FIREFOX is None, reason="Firefox is not installed")
@pytest.mark.parametrize("name", ["news-bridge", "article-ar"])
def test_firefox_paints_what_the_package_keeps_and_keeps_labels(pages: Pages, name: str) -> None:
    need(NODE, "Node.js 20 or newer")
    need((FOLDER / "node_modules" / "puppeteer-core").is_dir(), "npm ci")
    need((DIST / "test-firefox").is_dir(), "npm run build -- --test")
    html = (SITE / f"{name}.html").read_bytes()
    url = pages.put("/a", html)
    command = [NODE, FOLDER / "tests" / "firefox.mjs", FIREFOX, DIST / "test-firefox", url]
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True, check=False, encoding="utf-8", timeout=_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    expected = label_page(blockify(html, url, encoding="utf-8"), default_labeler())
    painted = {
        kind: "".join("".join(texts).split()) for kind, texts in seen["shown"]["painted"].items()
    }
    assert painted == painted_texts(expected)
    assert seen["shown"]["summary"]["confidence"] == pytest.approx(expected.confidence, abs=0.01)
    assert seen["cleared"] == {"summary": {"shown": False}, "painted": {}}
    assert (seen["restored"]["byHuman"], seen["restored"]["page"]["from"]) == (1, "fetch")
    assert (seen["first"]["kind"], seen["first"]["by"]) == ("caption", "human")
