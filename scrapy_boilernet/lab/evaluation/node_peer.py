"""Readability.js as a peer: one Node process that reads pages and writes the article's HTML."""

from __future__ import annotations

import atexit
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import IO, Any, cast

MODULES_VARIABLE = "BOILERNET_NODE_MODULES"
"""The environment variable that names the folder with the packages."""
PACKAGES = ("@mozilla/readability", "jsdom")
REMEDY = (
    f"npm install {' '.join(PACKAGES)} with Node 20 or newer, in the working folder or in another "
    f"whose node_modules the environment variable {MODULES_VARIABLE} names"
)
SECONDS = 60.0
"""A page that takes longer has no text; the process is then started again."""
_ERROR = re.compile(r"^\w*Error\b.*", re.MULTILINE)
_SCRIPT = Path(__file__).with_name("readability.cjs")


def node_modules() -> Path:
    """Return the folder of the packages: from the environment, else in the working folder."""
    return Path(os.environ.get(MODULES_VARIABLE) or "node_modules").resolve()


def missing() -> list[str]:
    """Return what is missing: Node, or packages; empty if the peer can run."""
    lacking = [] if shutil.which("node") else ["node"]
    return lacking + [name for name in PACKAGES if not _package_file(name).is_file()]


def package_version(name: str) -> str:
    """Return the version of an installed package."""
    return str(json.loads(_package_file(name).read_text(encoding="utf-8"))["version"])


def _package_file(name: str) -> Path:
    return node_modules() / name / "package.json"


def _executable() -> str:
    """Return the path of Node itself: "node" on the path may be a script that starts it.

    Whoever ends such a script leaves Node running.
    """
    command = cast("str", shutil.which("node"))
    done = subprocess.run(  # noqa: S603 - Node prints its own path
        [command, "-p", "process.execPath"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or command


class NodePeer:
    """Readability.js on jsdom in one Node process, which ends with this process.

    Raises ``ImportError`` if Node or a package is missing or does not start.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        if lacking := missing():
            raise ImportError(f"{', '.join(lacking)} not found")
        self.cpu_seconds = 0.0
        """CPU time that Node has spent on the pages so far."""
        self._seconds = seconds
        self._command = [_executable(), str(_SCRIPT), str(node_modules())]
        self._process: subprocess.Popen[bytes] | None = None
        self._start()
        atexit.register(self.close)

    def __call__(self, html: bytes | str, url: str | None) -> str:
        """Return the article's HTML; "" for none, and if Node crashes or takes too long.

        jsdom detects the encoding of bytes.
        """
        page = (
            {"html": html}
            if isinstance(html, str)
            else {"base64": base64.b64encode(html).decode("ascii")}
        )
        try:
            answer = self._answer({**page, "url": url})
        except (OSError, ValueError):
            self.close()
            return ""
        self.cpu_seconds += float(answer["seconds"])
        return str(answer["text"])

    def close(self) -> None:
        """End the process; the next page starts a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # bytes that were not written yet
                cast("IO[bytes]", pipe).close()

    def _answer(self, page: dict[str, str | None]) -> Any:
        process = self._process or self._start()
        timer = Timer(self._seconds, process.kill)
        timer.daemon = True
        timer.start()
        try:
            jobs, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
            jobs.write(json.dumps(page).encode() + b"\n")
            jobs.flush()
            return json.loads(answers.readline())  # the end of the pipe is not JSON
        finally:
            timer.cancel()

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process and wait for its first line."""
        with tempfile.TemporaryFile() as stderr:
            process = subprocess.Popen(  # noqa: S603 - Node and a script of this package
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr
            )
            self._process = process
            if not cast("IO[bytes]", process.stdout).readline():
                self.close()
                stderr.seek(0)
                error = _ERROR.search(stderr.read().decode(errors="replace"))
                raise ImportError(f"Node does not start: {error[0] if error else 'no message'}")
        return process
