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
from typing import Any, BinaryIO

from scrapy_boilernet.extractor.options import LabelOptions, Limits, formats_of
from scrapy_boilernet.workers.columns import read, written
from scrapy_boilernet.workers.jobs import Labeling, PageError, PageJob

_LENGTH = struct.Struct(">I")
_ALL, _ANSWER = 0xFFFF_FFFE, 0xFFFF_FFFF
"""Marks before the answer of a worker: it works on all pages together, and the answer follows. Any
other mark is the place of a page that it works on."""
_COSTS = tuple(field.name for field in fields(Labeling) if field.name != "result")


def write_frame(stream: BinaryIO, head: Mapping[str, Any], parts: Sequence[bytes] = ()) -> None:
    """Write a frame; raises ``OSError`` if the other side is closed."""
    stream.writelines(_pieces(head, parts))
    stream.flush()


def frame_of(head: Mapping[str, Any], parts: Sequence[bytes] = ()) -> bytes:
    """Return a frame as bytes."""
    return b"".join(_pieces(head, parts))


def _pieces(head: Mapping[str, Any], parts: Sequence[bytes]) -> tuple[bytes, ...]:
    text = json.dumps({**head, "parts": [len(part) for part in parts]}).encode()
    return (_LENGTH.pack(len(text)), text, *parts)


def read_frame(stream: BinaryIO) -> tuple[dict[str, Any], list[bytes]]:
    """Return (head, parts) of the next frame; raises ``EOFError`` at the end of the stream."""
    head = read_head(stream)
    return head, [_exactly(stream, size) for size in head["parts"]]


def read_head(stream: BinaryIO) -> dict[str, Any]:
    """Return the head of the next frame, in which ``parts`` has the sizes of what follows."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    head: dict[str, Any] = json.loads(_exactly(stream, length))
    return head


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
        chunk_tokens=int(head.get("chunk_tokens", 0)),
        detect_language=bool(head.get("detect_language")),
        judge_templates=bool(head.get("judge_templates")),
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
            plain, columns = written(outcome.result)
            heads.append({"result": plain, **{name: getattr(outcome, name) for name in _COSTS}})
            parts.append(columns)
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
    columns = iter(parts)
    for outcome in head["outcomes"]:
        if "error" in outcome:
            outcomes.append(PageError(outcome["error"], outcome["text"]))
        else:
            costs = {name: outcome[name] for name in _COSTS}
            costs["templates"] = tuple(map(int, costs["templates"]))
            outcomes.append(Labeling(result=read(outcome["result"], next(columns)), **costs))
    return outcomes
