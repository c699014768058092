"""What goes through the pipes of a worker process: JSON and bytes, never pickles.

A frame is the length of its head, the head as JSON, and the bytes whose lengths the head lists. A
worker reads hostile pages; whatever becomes of it, it can only send data.
"""

from __future__ import annotations

import json
import struct
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, BinaryIO

from scrapy_boilernet.choices import LabelOptions, Limits
from scrapy_boilernet.sent_page import SentPage, sent_parts
from scrapy_boilernet.worker import Labeling, PageError, PageJob

_LENGTH = struct.Struct(">I")
_COSTS = tuple(each.name for each in fields(Labeling) if each.name != "result")


def write_frame(stream: BinaryIO, head: Mapping[str, Any], parts: Sequence[bytes] = ()) -> None:
    """Write a frame; raises ``OSError`` if nobody reads any more."""
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


def job_head(job: PageJob) -> dict[str, Any]:
    """Return the job without its body as plain JSON."""
    head = asdict(replace(job, body=b""))
    del head["body"]
    return head


def job_of(head: Mapping[str, Any], body: bytes) -> PageJob:
    """Return the job of :func:`job_head`; raises ``KeyError``, ``TypeError`` or ``ValueError`` for
    another.
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
    )


def write_outcomes(stream: BinaryIO, outcomes: Iterable[Labeling | Exception]) -> None:
    """Write labelings and exceptions in one frame; raises ``OSError`` if nobody reads."""
    heads: list[dict[str, Any]] = []
    parts: list[bytes] = []
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            lines = traceback.format_exception(outcome)
            heads.append({"error": type(outcome).__name__, "text": "".join(lines).strip()})
        else:
            small, *large = sent_parts(outcome.result)
            heads.append({**small, **{name: getattr(outcome, name) for name in _COSTS}})
            parts += large
    write_frame(stream, {"outcomes": heads}, parts)


def read_outcomes(stream: BinaryIO) -> list[Labeling | Exception]:
    """Return what :func:`write_outcomes` wrote; raises ``EOFError``, or what no JSON raises."""
    head, parts = read_frame(stream)
    outcomes: list[Labeling | Exception] = []
    left = iter(parts)
    for each in head["outcomes"]:
        if "error" in each:
            outcomes.append(PageError(each["error"], each["text"]))
        else:
            result = SentPage.of(each, next(left), next(left))
            outcomes.append(Labeling(result=result, **{name: each[name] for name in _COSTS}))
    return outcomes
