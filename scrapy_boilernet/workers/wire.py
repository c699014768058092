"""Writes and reads the frames in the pipes of a worker process: JSON and bytes, no pickles.

A frame consists of the length of its head, the head as JSON, and parts of bytes, whose lengths the
head lists. A worker reads hostile pages. Even a worker that a page controls can only send data.
"""

from __future__ import annotations

import json
import struct
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from functools import cached_property
from typing import Any, BinaryIO

from scrapy_boilernet.html.hiding import REASONS
from scrapy_boilernet.labeled import BOILERPLATE, CONTENT, Label, LabeledPage, shown_probabilities
from scrapy_boilernet.metadata import Metadata
from scrapy_boilernet.options import KINDS, STEPS, Kind, LabelOptions, Limits, Step, formats_of
from scrapy_boilernet.page import Block, Head, HiddenText, Page
from scrapy_boilernet.workers.jobs import Labeling, PageError, PageJob

_SMALL = (
    "confidence", "model", "threshold", "source", "text", "markdown", "html", "metadata",
    "shortened",
)  # fmt: skip


def sent_parts(result: LabeledPage) -> tuple[dict[str, Any], bytes, bytes]:
    """Return the page as (fields that every crawl reads, columns of its rows, all other fields).

    The first is plain JSON. The others are JSON as bytes, which :class:`SentPage` parses at the
    first use.
    """
    small = {name: getattr(result, name) for name in _SMALL}
    small["metadata"] = result.metadata and result.metadata.as_dict()
    if isinstance(result, SentPage):
        return small, result._rows_json, result._page_json
    rows = {
        "texts": result.page.texts,
        "xpaths": result.xpaths,
        "labels": [int(keep) for keep in result.kept],
        "kinds": [KINDS.index(kind) for kind in result.kinds],
        "steps": [STEPS.index(step) for step in result.steps],
        "probabilities": result.probabilities,
    }
    return small, json.dumps(rows).encode(), json.dumps(_page_columns(result.page)).encode()


def _page_columns(page: Page) -> dict[str, Any]:
    """Return a page as columns, without the texts and XPaths of its blocks, which are in the rows.

    The markup and the stated values stay in the worker. Each path of tags is listed once, not once
    per block.
    """
    head, blocks = page.head, page.blocks_without_xpaths
    return {
        "url": page.url,
        "title": page.title,
        "digest": page.digest,
        "units": page.units,
        "over_max_bytes": page.over_max_bytes,
        "over_max_blocks": page.over_max_blocks,
        "not_html": page.not_html,
        "flat": page.flat,
        "head": (head.words, head.description, head.article_body),
        "paths": page.paths.pairs,
        "places": page.paths.places,
        "nodes": _differences([block.nodes for block in blocks]),
        "links": [block.link_chars for block in blocks],
        "hidden": [REASONS.index(block.hidden_by) for block in blocks],
        "invisible": page.invisible,
        "noscript": [int(block.noscript) for block in blocks],
        "preformatted": {
            i: block.preformatted for i, block in enumerate(blocks) if block.preformatted
        },
    }


def _differences(paths: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Return per path how many first numbers are those of the path before, and its other numbers.

    ``(1, 2), (1, 3, 4)`` become ``[0, 1, 2], [1, 3, 4]``.
    """
    differences = []
    before: tuple[int, ...] = ()
    for path in paths:
        same = 0
        for one, other in zip(path, before, strict=False):
            if one != other:
                break
            same += 1
        differences.append([same, *path[same:]])
        before = path
    return differences


def _paths_of(differences: Iterable[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield the paths from the result of :func:`_differences`."""
    path: tuple[int, ...] = ()
    for same, *new_numbers in differences:
        path = (*path[:same], *new_numbers)
        yield path


class SentPage(LabeledPage):
    """A labeled page from another process. Its blocks are created at the first use."""

    _rows_json: bytes
    _page_json: bytes

    @classmethod
    def of(cls, small: Mapping[str, Any], rows: bytes, page: bytes) -> SentPage:
        """Return the page from the parts of :func:`sent_parts`.

        Raises ``ValueError`` if the metadata are not those of a labeler.
        """
        made = cls.__new__(cls)  # without the fields that are parsed later
        made.__dict__.update({name: small[name] for name in _SMALL})
        if made.metadata is not None:
            made.__dict__["metadata"] = Metadata.of(small["metadata"])
        made.__dict__.update(_rows_json=rows, _page_json=page)
        return made

    def __eq__(self, other: object) -> bool:
        """Return whether the other is a labeled page with the same fields, sent or not."""
        if not isinstance(other, LabeledPage):
            return NotImplemented
        return _fields(self) == _fields(other)

    def __hash__(self) -> int:
        """Return the hash that any equal labeled page has, sent or not."""
        return hash(_fields(self))

    @cached_property
    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = json.loads(self._rows_json)
        return columns

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """One label per block."""
        return tuple(CONTENT if kept else BOILERPLATE for kept in self._columns["labels"])

    @cached_property
    def probabilities(self) -> tuple[float, ...]:
        """P(content) per block, in [0, 1]."""
        return tuple(self._columns["probabilities"])

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each block."""
        return tuple(KINDS[number] for number in self._columns["kinds"])

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The step that decided each block."""
        return tuple(STEPS[number] for number in self._columns["steps"])

    @cached_property
    def label_columns(self) -> Mapping[str, tuple[str | float, ...]]:
        """The columns of :meth:`block_labels` by their keys, without the XPaths."""
        return {
            "text": tuple(self._columns["texts"]),
            "label": self.labels,
            "kind": self.kinds,
            "probability": shown_probabilities(self.probabilities),
        }

    @cached_property
    def xpaths(self) -> tuple[str, ...]:
        """The XPath of each block."""
        return tuple(self._columns["xpaths"])

    @cached_property
    def page(self) -> Page:
        """The page with its blocks."""
        columns = json.loads(self._page_json)
        paths = [(tuple(tags), tuple(words)) for tags, words in columns["paths"]]
        raw_texts = columns["preformatted"]
        per_block = zip(
            self._columns["texts"], (paths[number] for number in columns["places"]),
            _paths_of(columns["nodes"]), self._columns["xpaths"], columns["links"],
            columns["hidden"], columns["noscript"],
            (raw_texts.get(str(i), "") for i in range(len(columns["places"]))), strict=True,
        )  # fmt: skip
        head_words, description, article_body = columns["head"]
        return Page(
            url=columns["url"],
            title=columns["title"],
            blocks=tuple(
                Block(text, tags, words, nodes, xpath, links, REASONS[hidden], bool(noscript), raw)
                for text, (tags, words), nodes, xpath, links, hidden, noscript, raw in per_block
            ),
            digest=columns["digest"],
            units=columns["units"],
            over_max_bytes=columns["over_max_bytes"],
            over_max_blocks=columns["over_max_blocks"],
            not_html=columns["not_html"],
            flat=columns["flat"],
            head=Head(tuple(head_words), description, article_body),
            invisible=tuple(HiddenText(*each) for each in columns["invisible"]),
        )


def _fields(result: LabeledPage) -> tuple[Any, ...]:
    return (
        result.page, result.labels, result.kinds, result.steps, result.probabilities,
        result.confidence, result.model, result.threshold, result.source, result.markdown,
        result.html, result.metadata, result.shortened,
    )  # fmt: skip


_LENGTH = struct.Struct(">I")
_ALL, _ANSWER = 0xFFFF_FFFE, 0xFFFF_FFFF
"""Marks before the answer of a worker: it works on all pages together, and the answer follows. Any
other mark is the place of a page that it works on."""
_COSTS = tuple(field.name for field in fields(Labeling) if field.name != "result")


def write_frame(stream: BinaryIO, head: Mapping[str, Any], parts: Sequence[bytes] = ()) -> None:
    """Write a frame; raises ``OSError`` if the other side is closed."""
    text = json.dumps({**head, "parts": [len(part) for part in parts]}).encode()
    stream.writelines((_LENGTH.pack(len(text)), text, *parts))
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[dict[str, Any], list[bytes]]:
    """Return (head, parts) of the next frame; raises ``EOFError`` at the end of the stream."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    head: dict[str, Any] = json.loads(_exactly(stream, length))
    return head, [_exactly(stream, size) for size in head["parts"]]


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("the other side has gone")
    return data


def write_place(stream: BinaryIO, place: int | None) -> None:
    """Tell that a worker begins with the page at this place of its batch; None: with all pages."""
    stream.write(_LENGTH.pack(_ALL if place is None else place))
    stream.flush()


def write_answer(stream: BinaryIO, head: Mapping[str, Any], parts: Sequence[bytes]) -> None:
    """Write the frame with the answer of a worker, after the places of its pages."""
    stream.write(_LENGTH.pack(_ANSWER))
    write_frame(stream, head, parts)


def read_places(stream: BinaryIO) -> Iterator[int | None]:
    """Yield the places of :func:`write_place` up to the answer, which is then the next frame."""
    while (mark := _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]) != _ANSWER:
        yield None if mark == _ALL else mark


_MAX_OPT_OUT_CHARS = 1_000
"""More than the words and one address that a job has."""


def job_head(job: PageJob) -> dict[str, Any]:
    """Return the job without its body as plain JSON."""
    head = asdict(replace(job, body=b""))
    del head["body"]
    return head


def job_of(head: Mapping[str, Any], body: bytes) -> PageJob:
    """Return the job from a head of :func:`job_head` and its body.

    Raises ``KeyError``, ``TypeError`` or ``ValueError`` for any other head.
    """
    options = head["options"]
    return PageJob(
        body=body,
        url=head["url"],
        options=LabelOptions(**{**options, "fallback": tuple(options["fallback"])}),
        limits=Limits(**head["limits"]),
        charset=head["charset"],
        encoding=head["encoding"],
        rows=head["rows"],
        formats=formats_of(head.get("formats", ())),
        detect_language=bool(head.get("detect_language")),
        opt_out=str(head.get("opt_out", ""))[:_MAX_OPT_OUT_CHARS],
    )


def write_jobs(stream: BinaryIO, jobs: Sequence[PageJob]) -> None:
    """Write jobs in one frame; raises as :func:`write_frame` does."""
    write_frame(stream, {"jobs": [job_head(job) for job in jobs]}, [job.body for job in jobs])


def outcomes_frame(
    outcomes: Iterable[Labeling | Exception],
) -> tuple[dict[str, Any], list[bytes]]:
    """Return labelings and exceptions as (head, parts) of a frame."""
    heads: list[dict[str, Any]] = []
    parts: list[bytes] = []
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            heads.append(error_head(outcome))
        else:
            small, *large = sent_parts(outcome.result)
            heads.append({**small, **{name: getattr(outcome, name) for name in _COSTS}})
            parts += large
    return {"outcomes": heads}, parts


def error_head(error: Exception) -> dict[str, Any]:
    """Return the exception's name and traceback as plain JSON."""
    text = "".join(traceback.format_exception(error)).strip()
    return {"error": type(error).__name__, "text": text}


def read_outcomes(stream: BinaryIO) -> list[Labeling | Exception]:
    """Return the outcomes in the next frame, which :func:`outcomes_frame` made.

    Raises ``EOFError`` at the end of the stream, ``ValueError`` or ``LookupError`` for other data.
    """
    head, parts = read_frame(stream)
    outcomes: list[Labeling | Exception] = []
    large = iter(parts)
    for outcome in head["outcomes"]:
        if "error" in outcome:
            outcomes.append(PageError(outcome["error"], outcome["text"]))
        else:
            result = SentPage.of(outcome, next(large), next(large))
            outcomes.append(Labeling(result=result, **{name: outcome[name] for name in _COSTS}))
    return outcomes
