"""What a run over stored pages is asked to do, and the counts of what it did."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from scrapy_boilernet.bulk.output import Destination
from scrapy_boilernet.bulk.pages import Reading
from scrapy_boilernet.bulk.records import RecordOptions
from scrapy_boilernet.bulk.shards import Partition
from scrapy_boilernet.bulk.storage import shown
from scrapy_boilernet.extractor.labelers.registry import model_digest
from scrapy_boilernet.extractor.options import LabelOptions, Limits
from scrapy_boilernet.settings.config import PREFIX, Config
from scrapy_boilernet.version import __version__


class RunError(Exception):
    """A run cannot begin or continue; the message has the cause and the remedy."""


@dataclass(frozen=True)
class Run:
    """The inputs of a run, its output, and the choice of pages."""

    inputs: tuple[str, ...]
    output: Path
    format: str
    wanted: RecordOptions = field(default_factory=RecordOptions)
    rows: Reading = field(default_factory=lambda: Reading(0))
    """How the rows of tables are read; its ``max_bytes`` is not used."""
    encoding: str | None = None
    url_pattern: str | None = None
    """A regular expression. Pages without a match in their URL, or without a URL, are left out."""
    shard_pages: int | None = None
    """How many pages a shard has; None: the default, or for JSON lines one file."""
    partition: Partition | None = None
    """By what the records are put into folders."""
    address: str = ""
    """Where the shards are moved to; "": they stay in the folder ``output``."""
    limit: int | None = None
    """The run ends after so many pages were labeled."""

    @property
    def destination(self) -> Destination:
        """Where and how the records are written."""
        return Destination(self.output, self.format, self.shard_pages, self.partition, self.address)

    def reading(self, max_bytes: int) -> Reading:
        """Return how the inputs are read, with pages of at most ``max_bytes``."""
        return replace(self.rows, max_bytes=max_bytes)

    def asked(self, config: Config) -> dict[str, Any]:
        """Return the options and settings that must be the same when a run is resumed.

        Plain JSON, by the names of the command's options and of the settings. Raises ``ModelError``
        if there is no such model.
        """
        settings = ("model", *(one.name for one in (*fields(LabelOptions), *fields(Limits))))
        asked = {
            "--format": self.format,
            "--shard-pages": self.shard_pages,
            "--partition-by": self.partition,
            "--output": shown(self.address),
            "--with": self.wanted.formats,
            "--blocks": self.wanted.with_blocks,
            "--detect-language": self.wanted.detect_language,
            "--min-confidence": self.wanted.min_confidence,
            "--min-words": self.wanted.min_words,
            "--language": self.wanted.languages,
            "--chunks": self.wanted.chunk_tokens,
            "--dedupe": self.wanted.dedupe,
            "--join": self.wanted.join,
            "--html-field": self.rows.html_field,
            "--url-field": self.rows.url_field,
            "--charset-field": self.rows.charset_field,
            "--base64": self.rows.is_base64,
            "--index-base": shown(self.rows.base),
            "--keep": self.rows.keep,
            "--encoding": self.encoding,
            "--match": self.url_pattern,
            "--statuses": sorted(config.statuses),
            "--types": sorted(config.content_types),
            **{f"{PREFIX}{name.upper()}": getattr(config, name) for name in settings},
            f"{PREFIX}DOMAIN_THRESHOLDS": dict(config.domain_thresholds),
            f"{PREFIX}LABEL": config.label,
            f"{PREFIX}LABEL_URLS": [pattern.pattern for pattern in config.label_urls],
            "the version of scrapy-boilernet": __version__,
            f"{PREFIX}SITES": config.sites and config.sites.digest,
            "the weights of the model": model_digest(config.model),
        }
        return dict(json.loads(json.dumps(asked)))


@dataclass
class Summary:
    """Counts of the items of the inputs; ``read`` is the sum of ``written``, ``failed``,
    ``left_out`` and ``waiting``.
    """

    read: int = 0
    written: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    """By the kind of error."""
    left_out: Counter[str] = field(default_factory=Counter)
    """By reason."""
    waiting: int = 0
    """Pages that wait for the other pages of their article; 0 at the end."""
    pages: int = 0
    """Items that are pages, whether or not they were labeled."""
    with_address: int = 0
    """Pages of which the input has the address."""
    rows: int = 0
    """Rows of the output: one per record, or several if a record has one per chunk."""
    truncated: int = 0
    """Records of pages of which a limit cut off a part."""
    seconds: float = 0.0
    complete: bool = False
    """Whether all inputs were read; False if a limit stopped the run."""

    @property
    def failures(self) -> int:
        """How many pages failed."""
        return self.failed.total()

    @property
    def labeled(self) -> int:
        """How many pages have a record or failed; counted against ``Run.limit``."""
        return self.written + self.failures
