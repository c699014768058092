"""Fixtures for the tests of the extension: Node, a site, and a browser with the extension."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from testing.extension import CHROMEDRIVER, CHROMIUM, DIST, NODE, Node, Pages, need
from testing.golden import default_labeler

from scrapy_boilernet.extractor.labelers.base import Labeler

if TYPE_CHECKING:
    from testing.chromium import Chromium


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    """The extension's code in Node, with the default model loaded."""
    need(NODE, "Node.js 20 or newer")
    own = Node()
    own.load("default")
    yield own
    own.close()


@pytest.fixture(scope="session")
def labeler() -> Labeler:
    """The default model in the package."""
    return default_labeler()


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the extension, built for tests."""
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
