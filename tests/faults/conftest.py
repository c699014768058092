"""A fixture that several tests of faults share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from testing.faulty import FaultySite


@pytest.fixture(scope="module")
def faulty_site() -> Iterator[FaultySite]:
    """A web site on loopback with wrong answers."""
    with FaultySite() as site:
        yield site
