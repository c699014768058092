"""Made-up annotations in the extension's format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.annotations.sidecar import SCHEMA

WHEN = "2026-03-01T10:00:00.000Z"
Choose = Callable[[str], tuple[str, str]]
"""Takes a block's text; returns its kind and who gave it."""


def sidecar(html: bytes, choose: Choose, **others: Any) -> dict[str, Any]:
    """Return an annotation of the page; ``others`` replace its keys."""
    page = blockify(html)
    blocks = []
    for block in page.blocks:
        kind, by = choose(block.text)
        at = "" if by == "model" else WHEN
        probability = 0.0 if kind == "boilerplate" else 1.0
        blocks.append({
            "xpath": block.xpath, "text": block.text, "kind": kind, "by": by,
            "probability": probability, "at": at,
        })  # fmt: skip
    return {
        "schema": SCHEMA, "url": "https://museum.example/object/1", "title": "Loom",
        "annotator": "ann", "started": WHEN, "saved": WHEN, "finished": False, "nothing": False,
        "model": "default", "threshold": 0.5, "viewport": {"width": 1000, "height": 900},
        "browser": "Mozilla/5.0", "file": "page.html",
        "page": {
            "sha256": hashlib.sha256(html).hexdigest(), "bytes": len(html), "charset": "",
            "from": "fetch", "agreement": 1,
        },
        "shown": len(blocks), "blocks": blocks, **others,
    }  # fmt: skip


def write_sidecar(folder: Path, name: str, html: bytes, document: dict[str, Any]) -> Path:
    """Write an annotation and its page; return the annotation's file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.html").write_bytes(html)
    file = folder / f"{name}.json"
    file.write_text(json.dumps({**document, "file": f"{name}.html"}), encoding="utf-8")
    return file
