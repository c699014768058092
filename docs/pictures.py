"""Takes the pictures of pages and results for the README and the guides, in Chromium.

python docs/pictures.py

Needs Pillow, which comes with matplotlib. ``browser_pictures.py`` takes those of the extension.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from scrapy_boilernet import LabeledPage, extract
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import parse

DOCS = Path(__file__).parent
SITE = DOCS.parent / "example_project" / "site"
URL = "https://site.example/"
EXAMPLES = ("news-bridge", "forum-hub-gear", "product-kettle", "docs-queue", "listing-lamps",
            "recipe-soup")  # fmt: skip
SHOWN = ("title", "authors", "date_published", "language", "page_kind")
"""Metadata that the main picture has."""
LINES, LINE_CHARS = 45, 300
"""How much of the Markdown the examples show."""
PICTURE_COLORS = 96
"""A picture has at most so many, which makes its file small."""


class Look(NamedTuple):
    """The colors of a picture, per kind of block and of what stands around."""

    title: str
    main: str
    comment: str
    boilerplate: str
    ink: str
    page: str
    around: str
    line: str
    tints: tuple[str, ...]
    """Borders of what follows each other: chunks, posts."""


LIGHT = Look(
    "#cfe2ff", "#c9f2cf", "#ffe7bd", "#f6cfcf", "#222222", "#ffffff", "#e9eeeb", "#b7cdc1",
    ("#1b6e3c", "#1f5fa8", "#9a5b00", "#8a2a6b", "#0b7285", "#6b4fb3"),
)  # fmt: skip
DARK = Look(
    "#1f4574", "#1c4d2c", "#5c4413", "#5b2529", "#e8ecea", "#181b1a", "#0d1110", "#3b4a43",
    ("#4fc27e", "#6aa9f0", "#e0a24a", "#d77bb5", "#3fb9cc", "#a594f0"),
)  # fmt: skip
LOOKS = {"": LIGHT, "-dark": DARK}
NAMES = {"title": "headline", "main": "content", "comment": "comment", "boilerplate": "boilerplate"}
FRAME = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 18px 20px; box-sizing: border-box; height: {height}px;
  background: {look.around}; color: {look.ink}; display: grid; gap: 8px 20px; overflow: hidden;
  grid-template: auto 1fr / {columns}; font: 16px/1.5 system-ui, sans-serif }}
h1 {{ font-size: 18px; margin: 0; font-weight: 600 }}
h1 b {{ padding: .1em .5em; border-radius: .3em; font-weight: 600 }}
iframe, main {{ border: 1px solid {look.line}; border-radius: 8px; background: {look.page};
  width: 100%; height: 100%; box-sizing: border-box; overflow: hidden }}
main {{ padding: 14px 18px }}
pre {{ margin: 0; font: 14px/1.55 ui-monospace, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere }}
dl {{ margin: 0 0 10px; display: grid; grid-template-columns: auto 1fr; gap: 2px 12px;
  font-size: 15px }}
dt {{ opacity: .7 }} dd {{ margin: 0 }}
section {{ border-left: 5px solid; padding: 2px 0 2px 12px; margin: 0 0 12px }}
section p {{ margin: 0; color: {look.ink}; font-size: 15px }}
section p.small {{ font-size: 13px; opacity: .75; overflow-wrap: anywhere }}
</style><h1>{left}</h1><h1>{right}</h1>
<iframe srcdoc="{page}" sandbox="allow-same-origin"></iframe><main>{beside}</main>"""


def main() -> None:
    """Take and write all pictures, and the document of examples."""
    folder = DOCS / "pictures"
    folder.mkdir(exist_ok=True)
    why = explanation()
    for ending, look in LOOKS.items():
        take(page_and_item(look), DOCS / f"before-after{ending}.png", 1200, 860)
        take(chunks_of_a_page(look), folder / f"chunks{ending}.png", 1200, 860)
        take(posts_of_a_thread(look), folder / f"posts{ending}.png", 1200, 800)
        take(rule_of_a_site(look), folder / f"site-rule{ending}.png", 1200, 760)
        take(why, folder / f"explain{ending}.png", 1200, 760, dark=look is DARK)
    write_examples(DOCS / "examples.md", DOCS / "examples")


def source(name: str) -> bytes:
    """Return the bytes of a page of the example site."""
    return (SITE / f"{name}.html").read_bytes()


def page_and_item(look: Look) -> str:
    """Return the document of the main picture: a page by kinds of blocks, and its item."""
    html = source("news-bridge")
    result = extract(html, url=URL + "swing-bridge", title="keep", formats=("markdown", "metadata"))
    assert result.metadata is not None
    values = result.metadata.as_dict()
    fields = {"main_text_confidence": f"{result.confidence:.2f}"}
    for name in SHOWN:
        value = values[name]
        fields[name] = ", ".join(value) if isinstance(value, list) else str(value)
    rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in fields.items())
    beside = f"<dl>{rows}</dl><pre>{escape(result.markdown or '')}</pre>"
    page = painted(html, result, by_kind(result, look), look, "newspaper")
    return framed(f"The page: {legend(look)}", "The item", page, beside, look)


def chunks_of_a_page(look: Look) -> str:
    """Return the document of a page whose blocks have the borders of their chunks."""
    html = source("docs-queue")
    result = extract(html, url=URL + "docs/queue", formats=("markdown",))
    chunks = result.chunks(max_tokens=160)
    number_of = {}
    places = [block.xpath for block in result.page.blocks]
    for number, chunk in enumerate(chunks):
        first, last = places.index(chunk.first_xpath), places.index(chunk.last_xpath)
        for i in range(first, last + 1):
            if result.labels[i] == "content":
                number_of[i] = number
    styles = {i: bordered(number, look) for i, number in number_of.items()}
    beside = ""
    for number, chunk in enumerate(chunks[:6]):
        where = " › ".join(chunk.headings)
        beside += section(
            look, number, f"<b>{escape(where)}</b> · {chunk.tokens} tokens", cut(chunk.text, 150),
            chunk.text_url or chunk.id_url or "",
        )  # fmt: skip
    page = painted(html, result, styles, look)
    return framed("The page", "result.chunks(max_tokens=160)", page, beside, look)


def posts_of_a_thread(look: Look) -> str:
    """Return the document of a thread, and its posts."""
    html = source("forum-hub-gear")
    result = extract(html, url=URL + "thread", formats=("posts",))
    posts = result.posts or ()
    styles = {}
    for number, post in enumerate(posts):
        for i, block in enumerate(result.page.blocks):
            if block.xpath.startswith(f"{post.xpath}/") and result.labels[i] == "content":
                styles[i] = bordered(number, look)
    beside = ""
    for number, post in enumerate(posts[:6]):
        head = f"<b>{post.number}. {escape(post.author or '')}</b> · {post.date or ''}"
        beside += section(look, number, head, cut(post.text, 190))
    page = painted(html, result, styles, look)
    return framed("The page", "result.posts", page, beside, look)


def rule_of_a_site(look: Look) -> str:
    """Return the document of a thread whose site has a rule, and the rule."""
    html = source("forum-hub-gear")
    rule = {"site.example": {"keep": [".post .content"], "title": "h2.topic-title, h2"}}
    result = extract(html, url=URL + "thread", sites=rule, formats=("metadata",))
    toml = (
        '# sites.toml\n["site.example"]\nkeep = [".post .content"]\ntitle = "h2.topic-title, h2"\n'
    )
    said = '# settings.py\nBOILERNET_SITES = "sites.toml"\n'
    text = f"# the text of the page\n{cut(result.text, 900)}"
    beside = f"<pre>{escape(toml)}\n{escape(said)}\n{escape(text)}</pre>"
    page = painted(html, result, by_kind(result, look), look)
    return framed(f"The page: {legend(look)}", "Its site's rule", page, beside, look)


def explanation() -> str:
    """Return the page that ``scrapy boilernet explain --html`` writes of a page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "why.html"
        given = ("scrapy", "boilernet", "explain", "--html", str(file), "docs-queue.html")
        command = [sys.executable, "-m", *given]
        subprocess.run(command, check=True, capture_output=True, cwd=SITE)
        return file.read_text(encoding="utf-8")


def by_kind(result: LabeledPage, look: Look) -> dict[int, str]:
    """Return per block the style that paints it as what it is."""
    painted = {}
    for i, (kind, label) in enumerate(zip(result.kinds, result.labels, strict=True)):
        plain = look.main if label == "content" else look.boilerplate
        color = {"title": look.title, "comment": look.comment}.get(kind, plain)
        painted[i] = f"background:{color} !important;color:{look.ink} !important;border-radius:3px"
    return painted


def bordered(number: int, look: Look) -> str:
    """Return the style of a block of the chunk or post with this number."""
    tint = look.tints[number % len(look.tints)]
    return f"border-left:6px solid {tint} !important;padding-left:10px"


def painted(
    html: bytes, result: LabeledPage, styles: Mapping[int, str], look: Look, css: str = "site"
) -> str:
    """Return the page with a style for each of these blocks, and with the style sheet."""
    root = parse(to_utf8(html)).roots[0]
    for i, style in styles.items():
        element = root.xpath(result.page.blocks[i].xpath)[0]
        element.set("style", f"{element.get('style') or ''};{style}")
    for script in [*root.iter("script")]:
        script.getparent().remove(script)
    text = str(etree.tostring(root, method="html", encoding="unicode"))
    own = (DOCS / f"{css}.css").read_text(encoding="utf-8")
    if look is DARK:
        own += (
            f"html, body, aside, .related, .newsletter {{ background: {look.page} !important }}"
            f"body * {{ color: {look.ink} !important; border-color: {look.line} !important }}"
            "input, select, textarea, button, pre, code, .highlight "
            "{ background: transparent !important }"
        )
    return text.replace("</head>", f"<style>{own}</style></head>", 1)


def legend(look: Look) -> str:
    """Return the names of the kinds in their colors."""
    return " ".join(
        f'<b style="background:{getattr(look, kind)}">{name}</b>' for kind, name in NAMES.items()
    )


def section(look: Look, number: int, head: str, text: str, small: str = "") -> str:
    """Return a chunk or a post as a part of the column beside the page."""
    tint = look.tints[number % len(look.tints)]
    last = f'<p class="small">{escape(cut(small, 110))}</p>' if small else ""
    return (
        f'<section style="border-color:{tint}"><p>{head}</p><p>{escape(text)}</p>{last}</section>'
    )


def cut(text: str, chars: int) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= chars else f"{text[:chars].rstrip()} …"


def framed(left: str, right: str, page: str, beside: str, look: Look) -> str:
    """Return a page and what came of it, side by side, each with its headline."""
    return FRAME.format(
        left=left, right=right, page=escape(page), beside=beside, look=look, height="{height}",
        columns="1.25fr 1fr",
    )  # fmt: skip


def take(document: str, picture: Path, width: int, height: int, dark: bool = False) -> None:
    """Take the picture of a document's beginning with headless Chromium, in few colors.

    ``dark``: the document is asked for its own dark look.
    """
    from PIL import Image

    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise SystemExit("the pictures need Chromium on the PATH: install it")
    with tempfile.TemporaryDirectory() as folder:
        page, whole = Path(folder) / "page.html", Path(folder) / "page.png"
        page.write_text(document.replace("{height}", str(height)), encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--virtual-time-budget=3000", f"--screenshot={whole}",
            f"--blink-settings=preferredColorScheme={0 if dark else 1}",
            f"--window-size={width},{height}", page.as_uri(),
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True)
        with Image.open(whole) as image:
            few = image.convert("RGB").quantize(PICTURE_COLORS, dither=Image.Dither.NONE)
        few.save(picture, optimize=True)


def write_examples(out: Path, pictures: Path) -> None:
    """Write the document of examples: of each page its picture, Markdown and metadata."""
    parts = [
        '# Examples\n\nThese pages of the example project were extracted with `title="keep"`, so '
        "that the headline is part\nof the text. In the pictures, the headline is blue, content is "
        "green, comments are yellow, and\nboilerplate is red. Below each picture are the beginning "
        "of the Markdown and the metadata that are not empty.\n"
    ]
    for name in EXAMPLES:
        html = source(name)
        result = extract(
            html, url=f"{URL}{name}.html", title="keep", formats=("markdown", "metadata")
        )
        css = "newspaper" if name == "news-bridge" else "site"
        for ending, look in LOOKS.items():
            page = painted(html, result, by_kind(result, look), look, css)
            take(page, pictures / f"{name}{ending}.png", 900, 1100)
        parts.append(example(name, f"{pictures.name}/{name}", result))
    parts.append("Made by `python docs/pictures.py`.\n")
    out.write_text("\n".join(parts), encoding="utf-8")


def example(name: str, picture: str, result: LabeledPage) -> str:
    """Return the section of a page: its picture, Markdown and metadata.

    ``picture``: the picture's place without its ending.
    """
    assert result.metadata is not None
    known = {key: value for key, value in result.metadata.as_dict().items() if value}
    return "\n".join((
        f"## {result.metadata.page_kind}: {name}.html", "",
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{picture}-dark.png">',
        '<img alt="The page, its blocks painted by their kinds" width="900"',
        f'src="{picture}.png"></picture>', "",
        "````markdown", *first_lines((result.markdown or "").splitlines()), "````", "",
        "```json", json.dumps(known, ensure_ascii=False, indent=1), "```", "",
    ))  # fmt: skip


def first_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines that are shown, each cut at its limit."""
    shown = [cut(line, LINE_CHARS) for line in lines[:LINES]]
    return shown if len(lines) <= LINES else [*shown, "…"]


if __name__ == "__main__":
    main()
