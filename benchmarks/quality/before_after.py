r"""Paint a page's blocks by their labels and put its Markdown beside it, as HTML and as a picture.

    python -m benchmarks.quality.before_after example_project/site/news-bridge.html \
        --style docs/newspaper.css --picture docs/before-after.png

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
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import parse

URL = "https://orrin-courier.example/news/swing-bridge"
SHOWN = ("title", "authors", "date_published", "language", "page_kind")
"""Metadata that the picture has."""
COLORS = {"content": "#c9f2cf", "boilerplate": "#f6cfcf"}
FRAME = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 24px; box-sizing: border-box; height: {height}px; background: #e9eeeb;
  display: grid; grid-template: auto 1fr / 1.25fr 1fr; gap: 10px 24px; overflow: hidden;
  font: 15px/1.5 system-ui, sans-serif }}
h1 {{ font-size: 17px; margin: 0; color: #17332a }}
b {{ padding: .1em .5em; border-radius: .3em; font-weight: 600 }}
iframe, main {{ border: 1px solid #b7cdc1; border-radius: 8px; background: #fff; width: 100%;
  height: 100%; box-sizing: border-box; overflow: hidden }}
main {{ padding: 16px 20px }}
pre {{ margin: 0; font: 13px/1.55 ui-monospace, monospace; white-space: pre-wrap }}
dl {{ margin: 0 0 12px; display: grid; grid-template-columns: auto 1fr; gap: 2px 12px;
  font-size: 14px }}
dt {{ color: #47605a }} dd {{ margin: 0 }}
</style>
<h1>The page: <b style="background:{content}">content</b>
<b style="background:{boilerplate}">boilerplate</b></h1>
<h1>The item</h1>
<iframe srcdoc="{page}" sandbox="allow-same-origin"></iframe>
<main><dl>{fields}</dl><pre>{markdown}</pre></main>"""


def main() -> None:
    """Write the document and the picture, as the options say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--html", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--style", type=Path, help="style sheet for a page that has none")
    parser.add_argument("--height", type=int, default=1060, help="pixels")
    options = parser.parse_args()
    html = options.page.read_bytes()
    result = extract(html, url=URL, formats=("markdown", "metadata"))
    style = options.style.read_text(encoding="utf-8") if options.style else ""
    document = framed(html, result, options.height, style)
    if options.html:
        options.html.write_text(document, encoding="utf-8")
    if options.picture:
        photograph(document, options.picture, options.height)


def framed(html: bytes, result: LabeledPage, height: int, style: str = "") -> str:
    """Return the document: the painted page on the left, metadata and Markdown on the right."""
    fields: dict[str, object] = {"main_text_confidence": f"{result.confidence:.2f}"}
    if result.metadata:
        values = result.metadata.as_dict()
        fields |= {name: values[name] for name in SHOWN if values.get(name)}
    rows = (
        f"<dt>{name}</dt><dd>{escape(', '.join(value) if isinstance(value, list) else str(value))}"
        for name, value in fields.items()
    )
    page = painted(html, result).replace("</head>", f"<style>{style}</style></head>", 1)
    return FRAME.format(
        page=escape(page),
        fields="".join(rows),
        markdown=escape(result.markdown or result.text),
        height=height,
        **COLORS,
    )


def painted(html: bytes, result: LabeledPage) -> str:
    """Return the page with every block's element in the color of its label."""
    root = parse(to_utf8(html)).roots[0]
    for block, label in zip(result.page.blocks, result.labels, strict=True):
        element = root.xpath(block.xpath)[0]
        style = element.get("style") or ""
        element.set(
            "style",
            f"{style}; background: {COLORS[label]} !important; color: #222; border-radius: 3px",
        )
    for script in list(root.iter("script")):
        script.getparent().remove(script)
    return str(etree.tostring(root, method="html", encoding="unicode"))


def photograph(document: str, picture: Path, height: int, width: int = 1500) -> None:
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
