"""Fixtures that tests of stored crawls share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.settings.config import Config


@pytest.fixture(scope="module")
def pool(config: Config) -> Iterator[Pool]:
    """Workers with the test module's ``config``."""
    with Pool(config) as pool:
        yield pool
