"""The soak's server: a process of its own that makes each answer when it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from soak_answers import Answer, Answers

_END = b"\r\n\r\n"


@contextmanager
def soaking(seed: int, slow_seconds: float) -> Iterator[int]:
    """Serve on a free port of loopback while the block runs; give the port."""
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(seed, slow_seconds, theirs), daemon=True)
    process.start()
    try:
        yield mine.recv()
    finally:
        process.terminate()
        process.join()


def _serve(seed: int, slow_seconds: float, pipe: Connection) -> None:
    asyncio.run(_run(Answers(seed, slow_seconds), pipe))


async def _run(answers: Answers, pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answers), "127.0.0.1", 0, backlog=128)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


class _Connection(asyncio.Protocol):
    """Answers one request after another."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.read += data
        head, end, rest = self.read.partition(_END)
        if not end:
            return
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-len")]
        length = int(lengths[0].partition(b":")[2]) if lengths else 0
        if len(rest) < length:
            return
        self.read = rest[length:]
        self.write(self.answers.of(head.split(b" ", 2)[1].decode()))

    def write(self, answer: Answer) -> None:
        """Write the pieces now, or each some time after the one before."""
        if not answer.seconds:
            for piece in answer.pieces:
                self.transport.write(piece)
            self.end(answer)
            return
        loop = asyncio.get_running_loop()
        for i, piece in enumerate(answer.pieces, 1):
            loop.call_later(i * answer.seconds, self.transport.write, piece)
        loop.call_later(len(answer.pieces) * answer.seconds, self.end, answer)

    def end(self, answer: Answer) -> None:
        """Leave the connection as the answer says."""
        if answer.end == "close":
            self.transport.close()
        elif answer.end == "abort":
            self.transport.abort()
