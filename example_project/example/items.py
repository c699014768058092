"""The item of the example project."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class PageItem:
    """One page of the site.

    The spider sets the first three fields, and scrapy-boilernet sets the others. A dataclass item
    must declare all its fields.
    """

    url: str = ""
    title: str = ""
    kind: str = ""
    main_text: str = ""
    block_labels: list[dict[str, Any]] = field(default_factory=list)
    main_text_confidence: float | None = None
    main_text_markdown: str = ""
    metadata: dict[str, Any] | None = None
