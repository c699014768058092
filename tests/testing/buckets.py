"""A bucket of S3 on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest


def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the address of an empty bucket; this process and those it starts have its keys."""
    server = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    fsspec = pytest.importorskip("fsspec")
    one = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    one.start()
    host, port = one.get_host_and_port()
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "not-a-real-key"),
        ("AWS_SECRET_ACCESS_KEY", "not-a-real-secret"),
        ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    fsspec.filesystem("s3").clear_instance_cache()
    name = f"crawls-{uuid4().hex}"  # the server forgets none while this process lives
    fsspec.filesystem("s3").mkdir(name)
    yield f"s3://{name}"
    one.stop()
    fsspec.filesystem("s3").clear_instance_cache()
