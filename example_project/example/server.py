"""Serves the pages in ``site/`` on the loopback interface."""

from __future__ import annotations

import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os import PathLike
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

SITE_FOLDER = Path(__file__).resolve().parent.parent / "site"


class _Handler(SimpleHTTPRequestHandler):
    def guess_type(self, path: str | PathLike[str]) -> str:
        """Return the media type, without a charset.

        Several pages declare their encoding in a meta element (one of them wrongly). A charset in
        the header would override it.
        """
        return "text/html" if str(path).endswith(".html") else super().guess_type(path)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: Scrapy logs its requests."""


class Site:
    """The example site, served from a thread on a free port of 127.0.0.1.

    Use it as a context manager, or call :meth:`start` and :meth:`stop`.
    """

    def __init__(self, folder: Path = SITE_FOLDER) -> None:
        handler = partial(_Handler, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        # stop() waits for at most one poll interval.
        self._thread = Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            name="example-site",
            daemon=True,
        )

    @property
    def url(self) -> str:
        """The address of the site, with a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def start(self) -> None:
        """Begin to answer requests."""
        self._thread.start()

    def stop(self) -> None:
        """Stop answering and release the port; calling it again does no harm."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()


def main() -> None:
    """Serve the site until Ctrl-C."""
    with Site() as site:
        print(f"Serving {site.url} (Ctrl-C to stop)", flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
