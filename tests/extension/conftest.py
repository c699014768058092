"""What the tests of the extension share: Node, a site, and a browser with the extension."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from testing.commanding import run
from testing.extension import CHROMEDRIVER, CHROMIUM, DIST, NODE, Node, Pages, need

from scrapy_boilernet.commands import export

if TYPE_CHECKING:
    from testing.chromium import Chromium


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the default model."""
    folder = tmp_path_factory.mktemp("extension")
    assert run(export, "default", "--extension", "--out", folder) == 0
    return folder / "default.safetensors"


@pytest.fixture(scope="session")
def node(model_file: Path) -> Iterator[Node]:
    """The extension's code in Node, with the default model loaded."""
    need(NODE, "Node.js 20 or newer")
    own = Node()
    assert own.ask("load", file=str(model_file)) == "default"
    yield own
    own.close()


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the built extension, as it is tested."""
    folder = DIST / "test-chromium"
    need(folder.is_dir(), "npm ci && npm run build -- --test, in the folder extension")
    return folder


@pytest.fixture(scope="session")
def chromium(built: Path) -> Iterator[Chromium]:
    """Chromium with the extension."""
    pytest.importorskip("selenium")
    need(CHROMIUM and CHROMEDRIVER, "chromium and chromium-driver, which Debian has")
    from testing.chromium import Chromium

    with Chromium(built) as browser:
        yield browser


@pytest.fixture
def pages() -> Iterator[Pages]:
    """A site on loopback."""
    with Pages() as site:
        yield site
