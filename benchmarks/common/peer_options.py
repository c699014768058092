"""Other extractors, some with other options than those of their own benchmarks."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from scrapy_boilernet.lab.evaluation.peers import Extractor, SafeExtractor, load_peer

FAST = "trafilatura fast"
FORMATS = "trafilatura with markdown and metadata"
"""What ours writes with these formats: links and images in the text, metadata before it."""
_OPTIONS: dict[str, dict[str, Any]] = {
    FAST: {"fast": True},
    FORMATS: {
        "output_format": "markdown", "with_metadata": True, "include_links": True,
        "include_images": True,
    },
}  # fmt: skip
"""What trafilatura's ``extract`` gets besides ``include_comments=False``."""


def load(name: str) -> tuple[Extractor, str]:
    """Return what ``load_peer`` returns, also for the names above; raises ``PeerError``, too."""
    if name not in _OPTIONS:
        return load_peer(name)
    _, version = load_peer("trafilatura")
    extract, options = import_module("trafilatura").extract, _OPTIONS[name]

    def extractor(html: bytes | str, url: str | None, _language: str | None) -> str:
        return extract(html, url=url, include_comments=False, **options) or ""

    return SafeExtractor(extractor), version
