"""The record of a stored page, and the functions that make it in a worker process."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, BinaryIO

from scrapy_boilernet.bulk.copies import TextPrint
from scrapy_boilernet.bulk.filters import reason_against
from scrapy_boilernet.bulk.http_message import decoded_body
from scrapy_boilernet.bulk.joining import Links
from scrapy_boilernet.bulk.pages import RawPage
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import attempt
from scrapy_boilernet.extractor.options import Format, formats_of
from scrapy_boilernet.extractor.output.joined import JoinedPages, join_pages
from scrapy_boilernet.extractor.output.next_pages import has_page_number
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers import child_main
from scrapy_boilernet.workers.jobs import Labeling, PageError, PageJob
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.wire import error_head, job_head, job_of, read_frame, write_frame

_SURROGATE = re.compile("[\ud800-\udfff]")
_COUNTS = ("blocks", "content", "seconds", "truncated", "text_print")
"""The fields of :class:`Record` in the head of a frame."""
FIELDS = frozenset({
    "source", "url", "fetched", "status", "digest", "title", "main_text", "main_text_confidence",
    "main_text_source", "main_text_markdown", "main_text_html", "metadata", "posts", "block_labels",
    "model", "language", "pages", "missing", "chunk", "chunks", "text", "headings", "start", "end",
    "text_start", "text_end", "tokens",
})  # fmt: skip
"""The fields that a record may have, so that no field of an input is kept under such a name."""
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
    dedupe: bool = False
    """Whether copies and near copies of pages with a record are left out."""
    join: bool = False
    """Whether the pages of an article or thread become one record."""


@dataclass(frozen=True)
class StoredJob:
    """A stored page, to be labeled; perhaps with those that follow it in its article."""

    page: RawPage
    job: PageJob
    """Its body is the page's body, packed with its codings."""
    wanted: RecordOptions
    more: tuple[StoredJob, ...] = ()
    """The pages that are joined to it."""
    is_whole: bool = False
    """Whether it gets a record even if it names pages around it."""

    @property
    def size(self) -> int:
        """The bytes of its pages."""
        return len(self.page.body) + sum(one.size for one in self.more)

    @classmethod
    def of_pages(
        cls,
        pages: Sequence[RawPage],
        config: Config,
        wanted: RecordOptions,
        encoding: str | None,
    ) -> StoredJob:
        """Return the job of pages that become one record."""
        first, *more = (cls.of(page, config, wanted, encoding) for page in pages)
        return replace(first, more=tuple(more), is_whole=True)

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
            formats=_formats(wanted),
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
    truncated: bool
    """Whether a limit cut off a part of the page, or of one of those that are joined."""
    text_print: TextPrint | None = None
    """By which copies of its text are found; None unless copies are left out."""


@dataclass(frozen=True)
class Linked:
    """A page that was labeled and waits for the pages around it."""

    links: Links


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
    names: Mapping[str, Any], result: LabeledPage | JoinedPages, *, with_blocks: bool = False
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


def _formats(wanted: RecordOptions) -> tuple[Format, ...]:
    """Return the formats of the pages; to join them, their metadata are needed."""
    formats = [*wanted.formats, "metadata"] if wanted.join else [*wanted.formats]
    return formats_with_chunks(formats_of(formats), wanted.chunk_tokens)


def chunk_rows(
    names: Mapping[str, Any], result: LabeledPage | JoinedPages, max_tokens: int
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
    names: Mapping[str, Any],
    job: PageJob,
    result: LabeledPage | JoinedPages,
    wanted: RecordOptions,
    model: str,
) -> list[dict[str, Any]]:
    """Return the record of a stored page, or one per chunk.

    ``names``: the fields that say where it was stored; ``model``: the model that labeled it.
    """
    where = {**names, "digest": f"sha256:{job.body_sha256}"}
    if wanted.join:
        pages = result.pages if isinstance(result, JoinedPages) else (result,)
        where["pages"] = [page.page.url or "" for page in pages]
        where["missing"] = [*result.missing] if isinstance(result, JoinedPages) else []
        if "metadata" not in wanted.formats:
            result = replace(result, metadata=None)
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
    names: Mapping[str, Any],
    job: PageJob,
    done: Sequence[Labeling],
    wanted: RecordOptions,
    model: str,
) -> Record | Unwanted | Exception:
    """Return the outcome of a page, or of several that are joined."""
    result: LabeledPage | JoinedPages | Exception = done[0].result
    if len(done) > 1:
        result = attempt(join_pages, [one.result for one in done])
    if isinstance(result, Exception):
        return result
    against = attempt(
        reason_against, result, wanted.min_confidence, wanted.min_words, wanted.languages
    )
    if against:
        return against if isinstance(against, Exception) else Unwanted(against)
    rows = attempt(records_of, names, job, result, wanted, model)
    if isinstance(rows, Exception):
        return rows
    if not rows:
        return Unwanted(NO_TEXT)
    line = "".join(map(line_of, rows)).encode("utf-8", "replace")
    return Record(
        line,
        sum(one.blocks for one in done),
        sum(one.content for one in done),
        sum(one.blockify_seconds + one.label_seconds for one in done),
        any(one.over_max_bytes or one.over_max_blocks for one in done),
        TextPrint.of(result.text) if wanted.dedupe else None,
    )


def _links(result: LabeledPage) -> Links | None:
    """Return the links of a page that others may belong to; None of other pages."""
    known, url = result.metadata, result.page.url
    is_linked = known and url and (known.next_page or known.previous_page or has_page_number(url))
    return Links.of(url, known.next_page, known.previous_page) if known and is_linked else None


def write_stored_jobs(stream: BinaryIO, jobs: Sequence[StoredJob]) -> None:
    """Write jobs in one frame; raises ``OSError`` if the other side is closed."""
    heads = [
        {
            "names": {
                "source": one.page.source, "url": one.page.url, "fetched": one.page.fetched,
                "status": one.page.status, **dict(one.page.kept),
            },
            "pages": [
                {"codings": each.page.codings, "job": job_head(each.job)}
                for each in (one, *one.more)
            ],
            "is_whole": one.is_whole,
            "wanted": asdict(one.wanted),
        }
        for one in jobs
    ]  # fmt: skip
    bodies = [each.page.body for one in jobs for each in (one, *one.more)]
    write_frame(stream, {"records": heads}, bodies)


def read_records(stream: BinaryIO) -> list[Record | Linked | Unwanted | Exception]:
    """Return the outcomes in the next frame, which :func:`work` made.

    Raises ``EOFError`` at the end of the stream, ``ValueError`` or ``LookupError`` for other data.
    """
    head, parts = read_frame(stream)
    lines = iter(parts)
    outcomes: list[Record | Linked | Unwanted | Exception] = []
    for outcome in head["outcomes"]:
        if "error" in outcome:
            outcomes.append(PageError(outcome["error"], outcome["text"]))
        elif "unwanted" in outcome:
            outcomes.append(Unwanted(outcome["unwanted"]))
        elif "links" in outcome:
            outcomes.append(Linked(Links(*outcome["links"])))
        else:
            known = outcome.pop("text_print")
            outcomes.append(Record(next(lines), **outcome, text_print=known and TextPrint(*known)))
    return outcomes


def work(
    worker: PageWorker, head: dict[str, Any], bodies: list[bytes]
) -> tuple[dict[str, Any], list[bytes]]:
    """Label the pages in a frame of :func:`write_stored_jobs`; return a frame for their outcomes.

    Runs in the worker process.
    """
    pages = [(place, page) for place, one in enumerate(head["records"]) for page in one["pages"]]
    jobs = [attempt(_job, page, body) for (_, page), body in zip(pages, bodies, strict=True)]
    good = [(p, job) for (p, _), job in zip(pages, jobs, strict=True) if isinstance(job, PageJob)]
    labelings = iter(worker.label([job for _, job in good], [place for place, _ in good]))
    found: list[list[tuple[PageJob | None, Labeling | Exception]]] = [[] for _ in head["records"]]
    for (place, _), job in zip(pages, jobs, strict=True):
        own = job if isinstance(job, PageJob) else None
        found[place].append((own, next(labelings) if isinstance(job, PageJob) else job))
    heads: list[dict[str, Any]] = []
    lines: list[bytes] = []
    for one, labeled in zip(head["records"], found, strict=True):
        outcome = _outcome(one, labeled, worker.model)
        if isinstance(outcome, Record):
            heads.append({name: getattr(outcome, name) for name in _COUNTS})
            lines.append(outcome.line)
        elif isinstance(outcome, Linked):
            heads.append({"links": outcome.links})
        elif isinstance(outcome, Unwanted):
            heads.append({"unwanted": outcome.reason})
        else:
            heads.append(error_head(outcome))
    return {"outcomes": heads}, lines


def _outcome(
    sent: Mapping[str, Any],
    labeled: Sequence[tuple[PageJob | None, Labeling | Exception]],
    model: str,
) -> Record | Linked | Unwanted | Exception:
    """Return the outcome of the pages of a record. Those with an error are left out of it, unless
    all have one.
    """
    wanted = _wanted(sent["wanted"])
    good = [(job, one) for job, one in labeled if job and isinstance(one, Labeling)]
    if not good:
        return next(one for _, one in labeled if isinstance(one, Exception))
    if wanted.join and not sent["is_whole"] and (links := _links(good[0][1].result)):
        return Linked(links)
    return _record(sent["names"], good[0][0], [one for _, one in good], wanted, model)


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
