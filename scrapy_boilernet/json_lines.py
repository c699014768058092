"""Files of JSON lines: only a line feed ends a line, since a string may hold any other line end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def json_lines(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield per line that is not blank where it stands, such as ``"a.jsonl, line 3"``, and its
    value.

    Raises ``OSError`` for a file that cannot be read, and ``ValueError``, naming file and line, for
    a line that is not JSON in UTF-8.
    """
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            where = f"{file}, line {number}"
            try:
                text = line.decode("utf-8")
                value = json.loads(text) if text.strip() else None
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{where} is not JSON in UTF-8 ({error})") from error
            if text.strip():
                yield where, value
