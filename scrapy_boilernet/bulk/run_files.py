"""The files of a run over stored pages, which it writes and from which it is resumed."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, Literal, Self

from scrapy_boilernet.bulk.binding import clash, difference, fingerprints
from scrapy_boilernet.bulk.copies import Copies, TextPrint, read_entries
from scrapy_boilernet.bulk.joining import JoiningFile
from scrapy_boilernet.bulk.output import LinesFile, Output, lacking
from scrapy_boilernet.bulk.progress_file import FORMAT_VERSION, open_plain, read_state, write_state
from scrapy_boilernet.bulk.storage import shown
from scrapy_boilernet.bulk.task import Run, RunError, Summary
from scrapy_boilernet.bulk.warc import Position

if sys.platform != "win32":
    import fcntl

Resume = Literal["no", "same", "anyway"]
"""Whether a run is continued: not, only if all is as it was, or whatever has changed."""
MARK_SECONDS = 5.0
"""The most seconds between two marks of JSON lines. After a kill, that much work is repeated."""

_TEXTS, _JOINING = ".texts.bin", ".joining.bin"


class TextsFile:
    """The prints of the texts that have a record, to find copies of them, in memory and in a file.

    ``size``: how many bytes of the file count, those of its last mark.
    """

    def __init__(self, path: Path, size: int) -> None:
        self._file = LinesFile(path, size)
        self._copies = Copies()
        for known in read_entries(path, size):
            self._copies.add(known)

    def reason_against(self, text: TextPrint) -> str:
        """Return why a text is left out; "" if it is not, and is then one of those kept."""
        reason = self._copies.reason_against(text)
        if not reason:
            self._copies.add(text)
            self._file.write(text.entry())
        return reason

    def mark(self) -> int:
        """Write everything to the disk; return the file's size in bytes."""
        return self._file.mark()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Files:
    """The files of a run with the output ``OUT``.

    These are ``OUT``, ``OUT.failures.jsonl`` for the failures, and ``OUT.progress.json``, from
    which the run can be resumed. If copies are left out, ``OUT.texts.bin`` has the prints of the
    texts in ``OUT``. If pages are joined, ``OUT.joining.bin`` has those that wait for others.
    """

    def __init__(self, run: Run, asked: Mapping[str, Any], resume: Resume = "no") -> None:
        self.asked = asked
        self._progress = sibling(run.output, ".progress.json")
        failures = sibling(run.output, ".failures.jsonl")
        others = (sibling(run.output, name) for name in (_TEXTS, _JOINING))
        own = (run.output, failures, self._progress, *others)
        if reason := clash(own, run.inputs) or _clash_of_addresses(run):
            raise RunError(reason)
        self.inputs = fingerprints(run.inputs)
        run.destination.check_packages()
        run.output.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(failures)
        state = self._state(run, resume)
        self.input: int = state.get("input", 0)
        self.position = Position(*state.get("position", (0, -1)))
        """The position of the last finished item; with a negative ``skip`` if there is none."""
        self.summary = Summary(
            **{
                **state.get("summary", {}),
                "failed": Counter(state.get("summary", {}).get("failed", {})),
                "left_out": Counter(state.get("summary", {}).get("left_out", {})),
            }
        )
        self.joined: int = state.get("joined", 0)
        """How many groups of the pages that waited are done."""
        if not state:  # written first, so that no output exists without its progress
            self._write_progress(0, 0, 0, 0)
        self.output: Output = run.destination.opened(state.get("output", 0))
        self.failures = LinesFile(failures, state.get("failures", 0))
        self.texts = _texts(run, state.get("texts", 0))
        self.joining = _joining(run, state.get("joining", 0))
        self.left_out_names: list[str] = []
        """The first files, and members of archives, that were left out since this run began."""
        self.first_failures: dict[str, str] = {}
        """Per kind of failure, the reason of the first since this run began."""
        self._since, self._written = monotonic(), self.summary.written

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self.output, self.failures, self.texts, self.joining, self._lock):
            with suppress(OSError):  # of a full disk, which has raised an error before
                if one:
                    one.close()

    def mark_if_due(self) -> None:
        """Write everything to the disk if enough rows or time have passed since the last mark."""
        due = self.summary.written - self._written >= self.output.rows_per_mark
        late = isinstance(self.output, LinesFile) and monotonic() - self._since > MARK_SECONDS
        if due or late:
            self.mark()

    def mark(self) -> None:
        """Write everything to the disk, and then the progress of the run."""
        texts = self.texts.mark() if self.texts else 0
        joining = self.joining.mark() if self.joining else 0
        self._write_progress(self.output.mark(), self.failures.mark(), texts, joining)
        self._since, self._written = monotonic(), self.summary.written

    def _write_progress(self, output: int, failures: int, texts: int, joining: int) -> None:
        state = {
            "format_version": FORMAT_VERSION,
            "output": output,
            "failures": failures,
            "texts": texts,
            "joining": joining,
            "joined": self.joined,
            "input": self.input,
            "position": self.position,
            "summary": vars(self.summary),
            "asked": self.asked,
            "inputs": self.inputs,
        }
        write_state(self._progress, state)

    def _state(self, run: Run, resume: Resume) -> dict[str, Any]:
        """Return the progress of the run to resume; an empty dict for a new run."""
        remedy = f"name another output, or remove {run.output} and {self._progress}"
        try:
            state = read_state(self._progress)
        except (ValueError, OSError) as error:
            raise RunError(f"{self._progress} cannot be used ({error}): {remedy}") from error
        exists = os.path.lexists(run.output)
        if resume == "no" and (state or exists):
            there = run.output if exists else self._progress
            both = f" and {self._progress}" if exists and state else ""
            raise RunError(f"{there} exists: add --resume to continue that run, or remove it{both}")
        if not state and exists:
            raise RunError(
                f"{run.output} exists, but not {self._progress}, which has the progress of its "
                "run: remove it, or name another file"
            )
        if not state:
            return state
        if resume == "same" and (reason := self._changed(state)):
            raise RunError(
                f"{run.output} cannot be continued, since {reason}: {remedy}; or add "
                "--resume=anyway to continue with what is there now"
            )
        lacks = [run.destination.lacks(state["output"])]
        for ending, mark in (
            (".failures.jsonl", state["failures"]),
            (_TEXTS, state.get("texts", 0)),
            (_JOINING, state.get("joining", 0)),
        ):
            lacks.append(lacking(sibling(run.output, ending), mark))
        if lack := next(filter(None, lacks), ""):
            raise RunError(f"{lack}: {remedy}")
        return state

    def _changed(self, state: Mapping[str, Any]) -> str:
        """Return what is not as it was when the run began; "" if all is."""
        before = state["asked"]
        changed = [
            f"{name} ({before.get(name)!s:.60}, now {self.asked.get(name)!s:.60})"
            for name in sorted({*self.asked, *before})
            if before.get(name) != self.asked.get(name)
        ]
        if changed:
            return f"that run had other values of {', '.join(changed)}"
        return difference(state["inputs"], self.inputs)


def _clash_of_addresses(run: Run) -> str:
    """Return why the output cannot be stored beside the inputs; "" if it can."""
    address = run.address.rstrip("/") + "/"
    for name in run.inputs if run.address else ():
        if f"{name.rstrip('/')}/".startswith(address) or address.startswith(f"{name.rstrip('/')}/"):
            return (
                f"{shown(run.address)} is, or lies in, the input {shown(name)}: name another output"
            )
    return ""


def _locked(failures: Path) -> BinaryIO:
    """Open and lock the file; raises :class:`RunError` if another run has locked it.

    The lock ends when the file is closed.
    """
    try:
        file = open_plain(failures, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        if not failures.is_symlink():
            raise
        raise RunError(
            f"{failures} is a symbolic link, which is not written to: remove it"
        ) from error
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RunError(f"another run is writing {failures}: wait for it, or stop it") from error
    return file


def _texts(run: Run, size: int) -> TextsFile | None:
    return TextsFile(sibling(run.output, _TEXTS), size) if run.wanted.dedupe else None


def _joining(run: Run, size: int) -> JoiningFile | None:
    return JoiningFile(sibling(run.output, _JOINING), size) if run.wanted.join else None


def sibling(output: Path, ending: str) -> Path:
    """Return the path of a file beside the output."""
    return output.with_name(output.name + ending)
