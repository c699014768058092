"""Writes the list of reports into ``docs/results/index.md``: command, commit and date of each.

python docs/reports.py

The commit and the date are those of the last commit in git that changed a figure of the report, not
only its words. So run this in a checkout, after a report was committed.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
INDEX = RESULTS / "index.md"
PART = re.compile(r"(<!-- written by docs/reports\.py -->\n\n).*?(\n<!-- end -->)", re.DOTALL)
COMMAND = re.compile(r"^Commands?: `([^`]+)`", re.MULTILINE)
_OUTPUTS = re.compile(r" --(?:out-)?(?:markdown|json|plot|cache|html) \S+")
_NUMBER, _MARK = re.compile(r"\d+(?:\.\d+)?"), "\x1e"
MAX_CHARS = 160


def main() -> None:
    """Write the list."""
    rows = [row(file) for file in sorted(RESULTS.rglob("*.md")) if file != INDEX]
    table = "".join(["| report | command | commit | date |\n|---|---|---|---|\n", *rows])
    text = INDEX.read_text(encoding="utf-8")
    INDEX.write_text(PART.sub(lambda part: part[1] + table + part[2], text), encoding="utf-8")


def row(file: Path) -> str:
    """Return the line of a report; "" for a page that has no command, but explains others."""
    found = COMMAND.search(file.read_text(encoding="utf-8"))
    if found is None:
        return ""
    command = _OUTPUTS.sub("", found[1]).replace("|", "\\|")
    shown = command if len(command) <= MAX_CHARS else f"{command[:MAX_CHARS].rsplit(' ', 1)[0]} ..."
    name = file.relative_to(RESULTS).as_posix()
    return f"| [{name.removesuffix('.md')}]({name}) | `{shown}` | {measured(file)} |\n"


def measured(file: Path) -> str:
    """Return the abbreviated hash and the date, such as ``"a57e58f0 | 2026-11-23"``, of the last
    commit that changed a figure of the report; "" for a report that is not committed.
    """
    git = ["git", "log", "--follow", "-p", "--unified=0", f"--format={_MARK}%h | %cs", "--", file]
    log = subprocess.run(git, check=True, capture_output=True, text=True, cwd=RESULTS).stdout
    commits = [one.split("\n", 1) for one in log.split(_MARK)[1:]]
    return next(
        (known for known, diff in commits if _figures(diff, "+") != _figures(diff, "-")), ""
    )


def _figures(diff: str, sign: str) -> list[str]:
    """Return the sorted numbers in the lines that a diff adds ("+") or removes ("-")."""
    lines = [line for line in diff.splitlines() if line.startswith(sign)]
    return sorted(_NUMBER.findall("\n".join(lines[1:])))  # the first line names the file


if __name__ == "__main__":
    main()
