"""What tests of labelers share."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.labelers import registry
from scrapy_boilernet.extractor.labelers.boilernet import numpy_engine


@pytest.fixture
def not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine numpy is not compiled, so that ``auto`` looks for another one."""
    registry._labeler.cache_clear()
    monkeypatch.setattr(numpy_engine, "IS_COMPILED", False)
