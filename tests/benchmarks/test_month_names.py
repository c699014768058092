"""The table of the months' names is what its script writes."""

from __future__ import annotations

import pytest

pytest.importorskip("babel")

from benchmarks.quality.month_names import FILE, text


def test_the_table_is_what_its_script_writes() -> None:
    assert FILE.read_text(encoding="utf-8") == text()
