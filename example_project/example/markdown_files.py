"""A pipeline that writes the Markdown and the metadata of each item to a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from itemadapter import ItemAdapter

METADATA_KEYS = ("title", "authors", "date_published", "language", "page_kind", "word_count")
"""The metadata at the top of a file."""


class MarkdownFiles:
    """Writes to ``output/markdown``."""

    def __init__(self) -> None:
        self.folder = Path("output", "markdown")
        self.folder.mkdir(parents=True, exist_ok=True)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Write the file of an item that has Markdown, and return the item."""
        fields = ItemAdapter(item)
        if fields.get("main_text_markdown"):
            name = Path(urlsplit(fields["url"]).path).stem
            path = self.folder / f"{name}.md"
            path.write_text(with_front_matter(fields), encoding="utf-8")
        return item


def with_front_matter(fields: ItemAdapter) -> str:
    """Return the Markdown after a front matter in YAML, which most Markdown tools can read."""
    metadata = fields.get("metadata") or {}
    head = {"url": fields["url"], **{name: metadata.get(name) for name in METADATA_KEYS}}
    lines = [
        f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items() if value
    ]
    return "\n".join(["---", *lines, "---", "", fields["main_text_markdown"], ""])
