"""The main text of pages in a pipeline of NeMo Curator."""

from __future__ import annotations

from typing import Any

from nemo_curator.stages.text.download.base.extract import DocumentExtractor

from scrapy_boilernet import extract


class BoilerNetExtractor(DocumentExtractor):
    """Takes what Curator's iterators of WARC files give; ``options``: those of ``extract``.

    Pages with fewer than ``min_chars`` characters of main text are left out.
    """

    def __init__(self, min_chars: int = 1, **options: Any) -> None:
        super().__init__()
        self._min_chars = min_chars
        self._options = options

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """Return the record with its text instead of its page; None without a main text."""
        page = extract(record["content"], url=record.get("url"), **self._options)
        if len(page.text) < self._min_chars:
            return None
        kept = {name: record.get(name) for name in ("url", "warc_id", "source_id")}
        return {**kept, "text": page.text, "confidence": float(page.confidence)}

    def input_columns(self) -> list[str]:
        """Return the names of the fields that are read."""
        return ["url", "warc_id", "source_id", "content"]

    def output_columns(self) -> list[str]:
        """Return the names of the fields that come out."""
        return ["url", "warc_id", "source_id", "text", "confidence"]
