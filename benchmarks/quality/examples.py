r"""What pages of six kinds give: a picture with their blocks painted, Markdown and metadata.

    python -m benchmarks.quality.examples example_project/site/{news-bridge,forum-hub-gear}.html \
        --out docs/examples.md --pictures docs/examples

The pictures need Chromium, and Pillow, which comes with the extra ``bench``.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.quality.before_after import painted, photograph
from scrapy_boilernet import LabeledPage, extract

WIDTH, HEIGHT, SHOWN_WIDTH = 1000, 1300, 700
"""Pixels of a page that are photographed, and the width to which the picture is scaled."""
COLORS = 48
LINES, LINE_CHARS = 45, 300
"""What is shown of the Markdown."""
SITE = "https://site.example"
_HEAD = """\
# Examples

These pages of the example project were extracted with `title="keep"`, so that the headline is part
of the text. In the pictures, green blocks are content, and red blocks are not. Below each picture
are the beginning of the Markdown and the metadata that are not empty.
"""


def main() -> None:
    """Write the document and the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True, help="the document")
    parser.add_argument("--pictures", type=Path, required=True, help="their folder, beside it")
    options = parser.parse_args()
    options.pictures.mkdir(parents=True, exist_ok=True)
    parts = [_HEAD]
    for page in options.pages:
        html = page.read_bytes()
        url = f"{SITE}/{page.name}"
        result = extract(html, url=url, title="keep", formats=("markdown", "metadata"))
        picture = options.pictures / f"{page.stem}.png"
        take_picture(painted(html, result), picture)
        parts.append(section(page.stem, f"{options.pictures.name}/{picture.name}", result))
    command = shlex.join(["python", "-m", "benchmarks.quality.examples", *sys.argv[1:]])
    parts.append(f"Made by `{command}`.\n")
    options.out.write_text("\n".join(parts), encoding="utf-8")


def section(name: str, picture: str, result: LabeledPage) -> str:
    """Return what a page gives, as Markdown."""
    assert result.metadata is not None
    known = {key: value for key, value in result.metadata.as_dict().items() if value}
    lines = (result.markdown or "").splitlines()
    shown = [line if len(line) <= LINE_CHARS else f"{line[:LINE_CHARS]} …" for line in lines]
    if len(shown) > LINES:
        shown = [*shown[:LINES], "…"]
    return "\n".join((
        f"## {result.metadata.page_kind}: {name}.html", "",
        f"![The page, its blocks painted by their labels]({picture})", "",
        "````markdown", *shown, "````", "",
        "```json", json.dumps(known, ensure_ascii=False, indent=1), "```", "",
    ))  # fmt: skip


def take_picture(document: str, picture: Path) -> None:
    """Take the picture of a page's beginning, in few colors."""
    from PIL import Image

    with TemporaryDirectory() as folder:
        whole = Path(folder) / "page.png"
        photograph(document, whole, HEIGHT, WIDTH)
        with Image.open(whole) as image:
            size = (SHOWN_WIDTH, round(image.height * SHOWN_WIDTH / image.width))
            small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.quantize(COLORS, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    main()
