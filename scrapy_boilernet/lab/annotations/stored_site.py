"""Serves stored pages on loopback, to a browser that opens them by their own addresses."""

from __future__ import annotations

import datetime as dt
import ssl
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class StoredSite:
    """An HTTPS server for every host, which serves one page at a time, and 404 for the rest.

    Its certificate is made for each server, so the browser must accept any certificate.
    """

    def __init__(self) -> None:
        self.body, self.content_type, self.target = b"", "", ""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_page = self.path == site.target
                body = site.body if is_page else b""
                self.send_response(200 if is_page else 404)
                self.send_header("Content-Type", site.content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.socket = _context().wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def resolver(self) -> str:
        """The ``--host-resolver-rules`` by which Chromium finds every host at this server."""
        return f"MAP * 127.0.0.1:{self._server.server_address[1]}"

    def put(self, url: str, body: bytes, charset: str) -> str:
        """Serve a page; return its address: ``url`` with HTTPS and without a port."""
        parts = urlsplit(url)
        self.body = body
        self.content_type = f"text/html; charset={charset}" if charset else "text/html"
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return f"https://{parts.hostname or 'localhost'}{self.target}"


def _context() -> ssl.SSLContext:
    """Return a context with a new self-signed certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stored pages")])
    now = dt.datetime.now(dt.UTC)
    day = dt.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .sign(key, hashes.SHA256())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.pem"
        private = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
        context.load_cert_chain(file)
    return context
