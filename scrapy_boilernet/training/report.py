"""An evaluation's summary as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def markdown(summary: Mapping[str, Any], command: str, versions: Mapping[str, str]) -> str:
    """Return the summary for people: word-F1 with 95 % intervals, leads on the same pages."""
    return "\n".join(_lines(summary, command, versions)) + "\n"


def _lines(summary: Mapping[str, Any], command: str, versions: Mapping[str, str]) -> Iterator[str]:
    systems = summary["systems"]
    names = list(systems)
    yield f"Command: `{command}`"
    yield ""
    with_versions = {**versions, **{n: v for n, v in systems.items() if v != "ours"}}
    yield "Versions: " + ", ".join(f"{name} {version}" for name, version in with_versions.items())
    yield ""
    for title, groups in summary["cuts"].items():
        if not groups:
            continue
        yield f"## Word-F1 per {title}"
        yield ""
        yield "| " + " | ".join([title, "pages", *names, *_lead_titles(names)]) + " |"
        yield "|---" * (2 + len(names) + len(names) - 1) + "|"
        for group, found in groups.items():
            yield _row(group, found, names)
        if title == "data set":
            yield _macro_row(summary, names)
        yield ""
    yield "## Precision, recall and CPU time"
    yield ""
    yield "| data set | system | precision | recall | ms per page |"
    yield "|---|---|---|---|---|"
    for group, found in summary["cuts"]["data set"].items():
        for name in names:
            s = found[name]
            yield (
                f"| {group} | {name} | {s['precision']:.3f} | {s['recall']:.3f} "
                f"| {s['ms_per_page']:.1f} |"
            )
    for name, error in summary["calibration_error"].items():
        yield ""
        yield f"Expected calibration error of {name}'s confidence (15 bins): {error:.3f}"


def _lead_titles(names: list[str]) -> list[str]:
    return [f"{names[0]} - {name}" for name in names[1:]]


def _row(group: str, found: Mapping[str, Any], names: list[str]) -> str:
    cells = [group, str(found["pages"])]
    for name in names:
        low, high = found[name]["interval"]
        cells.append(f"{found[name]['f1']:.3f} [{low:.3f}, {high:.3f}]")
    for name in names[1:]:
        low, high = found[name]["lead_interval"]
        cells.append(f"{found[name]['lead']:+.3f} [{low:+.3f}, {high:+.3f}]")
    return "| " + " | ".join(cells) + " |"


def _macro_row(summary: Mapping[str, Any], names: list[str]) -> str:
    cells = ["**mean over sets**", ""]
    cells += [f"**{summary['macro_f1'][name]:.3f}**" for name in names]
    for name in names[1:]:
        lead = summary["macro_difference"][name]
        low, high = lead["interval"]
        cells.append(f"**{lead['lead']:+.3f}** [{low:+.3f}, {high:+.3f}]")
    return "| " + " | ".join(cells) + " |"
