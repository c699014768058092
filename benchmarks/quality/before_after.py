r"""Paint a page's blocks by their labels and put the main text beside it, as HTML and as a picture.

    python -m benchmarks.quality.before_after example_project/site/news-bridge.html \
        --picture docs/before-after.png

The picture needs Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path

from lxml import etree

from scrapy_boilernet import LabeledPage, extract
from scrapy_boilernet.html.decode import to_utf8
from scrapy_boilernet.html.tree import parse

COLORS = {"content": "#c9f2cf", "boilerplate": "#f6cfcf"}
FRAME = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; display: grid; grid-template-columns: 1fr 1fr; font: 15px/1.5 sans-serif }}
iframe {{ border: 0; width: 100%; height: {height}px; border-right: 2px solid #888 }}
main {{ padding: 1em 1.5em; height: {height}px; box-sizing: border-box; overflow: hidden }}
p {{ margin: 0 0 .6em }} h1 {{ font-size: 1.1em; color: #555; margin: 0 0 1em }}
</style><iframe srcdoc="{page}" sandbox="allow-same-origin"></iframe>
<main><h1>main_text, confidence {confidence:.2f}</h1>{text}</main>"""


def main() -> None:
    """Write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--html", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--height", type=int, default=1500, help="pixels")
    options = parser.parse_args()
    html = options.page.read_bytes()
    document = framed(html, extract(html), options.height)
    if options.html:
        options.html.write_text(document, encoding="utf-8")
    if options.picture:
        photograph(document, options.picture, options.height)


def framed(html: bytes, result: LabeledPage, height: int) -> str:
    """Return the painted page on the left and the main text on the right."""
    lines = result.text.splitlines()
    return FRAME.format(
        page=escape(painted(html, result)),
        text="".join(f"<p>{escape(line)}</p>" for line in lines),
        confidence=result.confidence,
        height=height,
    )


def painted(html: bytes, result: LabeledPage) -> str:
    """Return the page with every block's element in the color of its label."""
    root = parse(to_utf8(html)).roots[0]
    for block, label in zip(result.page.blocks, result.labels, strict=True):
        element = root.xpath(block.xpath)[0]
        style = element.get("style") or ""
        element.set("style", f"{style}; background: {COLORS[label]} !important; color: #222")
    for script in list(root.iter("script")):
        script.getparent().remove(script)
    return str(etree.tostring(root, method="html", encoding="unicode"))


def photograph(document: str, picture: Path, height: int, width: int = 1400) -> None:
    """Take the document's picture with headless Chromium."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise SystemExit("the picture needs Chromium on the PATH; --html works without it")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(document, encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--virtual-time-budget=3000",
            f"--screenshot={picture}", f"--window-size={width},{height}", page.as_uri(),
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
