"""The record of a stored page, and the functions that make it in a worker process."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, BinaryIO

from scrapy_boilernet.bulk.filters import reason_against
from scrapy_boilernet.bulk.http_message import decoded_body
from scrapy_boilernet.bulk.pages import RawPage
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import attempt
from scrapy_boilernet.extractor.options import Format, formats_of
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers import child_main
from scrapy_boilernet.workers.jobs import Labeling, PageError, PageJob
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.wire import error_head, job_head, job_of, read_frame, write_frame

_SURROGATE = re.compile("[\ud800-\udfff]")
_COUNTS = ("blocks", "content", "seconds")
"""The fields of :class:`Record` in the head of a frame."""
NO_TEXT = "no text"
"""The reason if a page is left out because it has no chunk."""


@dataclass(frozen=True)
class RecordOptions:
    """Which pages get a record, and what it contains."""

    formats: tuple[Format, ...] = ()
    with_blocks: bool = False
    """Whether a record has every block with its label."""
    detect_language: bool = False
    """Whether a record has the language of its text."""
    min_confidence: float = 0.0
    """In [0, 1]; pages with a lower confidence are left out."""
    min_words: int = 0
    """Pages with fewer words are left out; CJK, Thai, Lao, Myanmar and Khmer count by character."""
    languages: tuple[str, ...] = ()
    """ISO 639-1 codes; pages in other languages are left out. (): none is."""
    chunk_tokens: int = 0
    """The most tokens of a chunk, if a page has a record per chunk; 0: it has one record."""


@dataclass(frozen=True)
class StoredJob:
    """A stored page, to be labeled."""

    page: RawPage
    job: PageJob
    """Its body is the page's body, packed with its codings."""
    wanted: RecordOptions

    @classmethod
    def of(
        cls, page: RawPage, config: Config, wanted: RecordOptions, encoding: str | None = None
    ) -> StoredJob:
        """Return the job of a page with these settings; ``encoding`` overrides the page's."""
        job = PageJob(
            body=page.body,
            url=page.url,
            options=config.label_options(page.url),
            limits=config.limits,
            charset=page.charset,
            encoding=encoding or page.encoding,
            rows=wanted.with_blocks,
            formats=formats_with_chunks(wanted.formats, wanted.chunk_tokens),
            chunk_tokens=wanted.chunk_tokens,
            detect_language=wanted.detect_language,
            opt_out=page.opt_out,
        )
        return cls(page, job, wanted)


@dataclass(frozen=True)
class Record:
    """A page's record."""

    line: bytes
    """A line of JSON in UTF-8, with the line break; a line per chunk if chunks are wanted."""
    blocks: int
    content: int
    """Blocks labeled content."""
    seconds: float
    """The worker's time to read and label the page."""


@dataclass(frozen=True)
class Unwanted:
    """A page that was labeled and gets no record."""

    reason: str


def kind_and_text(error: Exception) -> tuple[str, str]:
    """Return (the kind under which a page's error is counted, its message)."""
    if isinstance(error, PageError):
        return error.name, str(error).rpartition("\n")[2]
    return type(error).__name__, str(error)


def row_of(
    names: Mapping[str, Any], result: LabeledPage, *, with_blocks: bool = False
) -> dict[str, Any]:
    """Return a page's result as a row that begins with the fields ``names``."""
    row: dict[str, Any] = {
        **names,
        **({"url": result.page.url} if result.page.url else {}),
        "title": result.page.title,
        "main_text": result.text,
        "main_text_confidence": round(result.confidence, 4),
        "main_text_source": result.source,
        "model": result.model,
    }
    for name in ("markdown", "html"):
        if (text := getattr(result, name)) is not None:
            row[f"main_text_{name}"] = text
    if result.metadata is not None:
        row["metadata"] = result.metadata.as_dict()
    if result.posts is not None:
        row["posts"] = [post.as_dict() for post in result.posts]
    if with_blocks:
        row["block_labels"] = result.block_labels()
    return row


def formats_with_chunks(formats: Sequence[Format], chunk_tokens: int) -> tuple[Format, ...]:
    """Return the formats that are made of a page if it is cut into chunks; 0 tokens: it is not."""
    return formats_of([*formats, "markdown"] if chunk_tokens else formats)


def chunk_rows(
    names: Mapping[str, Any], result: LabeledPage, max_tokens: int
) -> list[dict[str, Any]]:
    """Return a row per chunk of a page, each of which begins with the fields ``names``.

    ``chunk``: its number from 1; ``chunks``: how many the page has.
    """
    chunks = result.chunks(max_tokens)
    page = row_of(names, replace(result, markdown=None, html=None, posts=None))
    metadata = {"metadata": page.pop("metadata")} if "metadata" in page else {}
    del page["main_text"]
    place = list(page).index("main_text_confidence")
    before, after = [*page.items()][:place], [*page.items()][place:]
    return [
        {
            **dict(before), "chunk": number, "chunks": len(chunks), **chunk.as_dict(),
            **dict(after), **metadata,
        }
        for number, chunk in enumerate(chunks, 1)
    ]  # fmt: skip


def line_of(row: Mapping[str, Any]) -> str:
    """Return the row as a line of JSON with the line break, which UTF-8 can encode."""
    return _SURROGATE.sub(_written_out, json.dumps(row, ensure_ascii=False)) + "\n"


def _written_out(found: re.Match[str]) -> str:
    r"""Return the text for half a surrogate; ``\xff`` for a byte of a file's name."""
    code = ord(found[0])
    return f"\\\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else "\ufffd"


def records_of(
    names: Mapping[str, Any], job: PageJob, result: LabeledPage, wanted: RecordOptions, model: str
) -> list[dict[str, Any]]:
    """Return the record of a stored page, or one per chunk.

    ``names``: the fields that say where it was stored; ``model``: the model that labeled it.
    """
    where = {**names, "digest": f"sha256:{job.body_sha256}"}
    if wanted.chunk_tokens:
        rows = chunk_rows(where, result, wanted.chunk_tokens)
    else:
        rows = [row_of(where, result, with_blocks=wanted.with_blocks)]
    added: dict[str, Any] = {"model": model}
    if wanted.detect_language:
        from scrapy_boilernet.extractor.output.language import text_language

        added["language"] = text_language(result.text)
    return [{**row, **added} for row in rows]


def _record(
    names: Mapping[str, Any], job: PageJob, labeling: Labeling, wanted: RecordOptions, model: str
) -> Record | Unwanted | Exception:
    against = attempt(
        reason_against,
        labeling.result,
        wanted.min_confidence,
        wanted.min_words,
        wanted.languages,
    )
    if against:
        return against if isinstance(against, Exception) else Unwanted(against)
    rows = attempt(records_of, names, job, labeling.result, wanted, model)
    if isinstance(rows, Exception):
        return rows
    if not rows:
        return Unwanted(NO_TEXT)
    line = "".join(map(line_of, rows)).encode("utf-8", "replace")
    seconds = labeling.blockify_seconds + labeling.label_seconds
    return Record(line, labeling.blocks, labeling.content, seconds)


def write_stored_jobs(stream: BinaryIO, jobs: Sequence[StoredJob]) -> None:
    """Write jobs in one frame; raises ``OSError`` if the other side is closed."""
    heads = [
        {
            "names": {
                "source": one.page.source, "url": one.page.url, "fetched": one.page.fetched,
                "status": one.page.status,
            },
            "codings": one.page.codings,
            "job": job_head(one.job),
            "wanted": asdict(one.wanted),
        }
        for one in jobs
    ]  # fmt: skip
    write_frame(stream, {"pages": heads}, [one.page.body for one in jobs])


def read_records(stream: BinaryIO) -> list[Record | Unwanted | Exception]:
    """Return the outcomes in the next frame, which :func:`work` made.

    Raises ``EOFError`` at the end of the stream, ``ValueError`` or ``LookupError`` for other data.
    """
    head, parts = read_frame(stream)
    lines = iter(parts)
    outcomes: list[Record | Unwanted | Exception] = []
    for outcome in head["outcomes"]:
        if "error" in outcome:
            outcomes.append(PageError(outcome["error"], outcome["text"]))
        elif "unwanted" in outcome:
            outcomes.append(Unwanted(outcome["unwanted"]))
        else:
            outcomes.append(Record(next(lines), **outcome))
    return outcomes


def work(
    worker: PageWorker, head: dict[str, Any], bodies: list[bytes]
) -> tuple[dict[str, Any], list[bytes]]:
    """Label the pages in a frame of :func:`write_stored_jobs`; return a frame for their outcomes.

    Runs in the worker process.
    """
    jobs = [attempt(_job, page, body) for page, body in zip(head["pages"], bodies, strict=True)]
    placed = {place: job for place, job in enumerate(jobs) if isinstance(job, PageJob)}
    labelings = iter(worker.label([*placed.values()], [*placed]))
    heads: list[dict[str, Any]] = []
    lines: list[bytes] = []
    for page, job in zip(head["pages"], jobs, strict=True):
        outcome: Any = next(labelings) if isinstance(job, PageJob) else job
        if isinstance(job, PageJob) and isinstance(outcome, Labeling):
            outcome = _record(page["names"], job, outcome, _wanted(page["wanted"]), worker.model)
        if isinstance(outcome, Record):
            heads.append({name: getattr(outcome, name) for name in _COUNTS})
            lines.append(outcome.line)
        elif isinstance(outcome, Unwanted):
            heads.append({"unwanted": outcome.reason})
        else:
            heads.append(error_head(outcome))
    return {"outcomes": heads}, lines


def _wanted(sent: Mapping[str, Any]) -> RecordOptions:
    lists = {name: tuple(sent[name]) for name in ("formats", "languages")}
    return RecordOptions(**{**sent, **lists})


def _job(page: Mapping[str, Any], body: bytes) -> PageJob:
    """Return the job of a page in a frame, with its body unpacked.

    Raises ``BrokenBodyError`` if the body cannot be unpacked.
    """
    job = job_of(page["job"], body)
    codings = tuple(page["codings"])
    return replace(job, body=decoded_body(body, codings, job.limits.max_bytes)) if codings else job


def main() -> None:
    """Be the program of a worker process, until the parent closes the pipe or ends."""
    child_main.main(work)
