"""A web server on loopback in a separate process, fast enough not to slow a crawl down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection

from scrapy_boilernet.lab.evaluation.datasets import GoldPage

_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    pipe: Connection

    def cpu_seconds(self) -> float:
        """Return the processor time that the server has used so far."""
        self.pipe.send("cpu")
        return float(self.pipe.recv())


@contextmanager
def serving(pages: Sequence[GoldPage]) -> Iterator[Server]:
    """Serve page i of n at ``/i``, ``/i+n``, ``/i+2n`` and so on while the block runs."""
    answers = [_answer(page) for page in pages]
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(answers, theirs), daemon=True)
    process.start()
    try:
        yield Server(mine.recv(), mine)
    finally:
        process.terminate()
        process.join()


def _answer(page: GoldPage) -> bytes:
    """Return the whole response; it is built before the crawl."""
    charset = f"; charset={page.encoding}" if page.encoding else ""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html{charset}\r\nContent-Length: "
    return f"{head}{len(page.html)}".encode() + _END + page.html


def _serve(answers: list[bytes], pipe: Connection) -> None:
    asyncio.run(_run(answers, pipe))


async def _run(answers: list[bytes], pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answers), "127.0.0.1", 0, backlog=128)
    loop.add_reader(pipe.fileno(), lambda: (pipe.recv(), pipe.send(time.process_time())))
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


class _Connection(asyncio.Protocol):
    """Answers GET requests without a body, one after another on one connection."""

    def __init__(self, answers: Sequence[bytes]) -> None:
        self.answers = answers
        self.read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.read += data
        while _END in self.read:
            request, _, self.read = self.read.partition(_END)
            number = int(request.split(b" ", 2)[1].strip(b"/"))
            self.transport.write(self.answers[number % len(self.answers)])
