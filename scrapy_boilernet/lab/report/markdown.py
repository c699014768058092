"""An evaluation's summary as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scrapy_boilernet.lab.evaluation.statistics import SURE


def against_best_peers(first: str, gaps: Mapping[str, Mapping[str, Any]], unit: str = "set") -> str:
    """Return a sentence: on how many sets ``first`` is behind the best peer of the set, and where.

    ``gaps``: per set the best peer's ``name``, the ``lead`` of ``first`` over it there, and the
    ``interval`` of the lead, paired by page; not empty. ``unit``: the noun for the keys of
    ``gaps``. With a lead of exactly zero, ``first`` is not behind.
    """
    behind = {where: gap for where, gap in gaps.items() if gap["lead"] < 0}
    every = f"all {len(gaps)} {unit}s" if len(gaps) > 1 else f"the one {unit}"
    if all(gap["lead"] > 0 for gap in gaps.values()):
        return f"{first} is ahead of the best peer on {every}."
    if not behind:
        return f"{first} is level with the best peer or ahead of it on {every}."
    of = f"{len(behind)} of {len(gaps)} {unit}s" if len(gaps) > 1 else every
    listed = ", ".join(
        f"{where} {_signed(gap['lead'])} "
        f"[{_signed(gap['interval'][0])}, {_signed(gap['interval'][1])}] ({gap['name']})"
        for where, gap in behind.items()
    )
    return f"{first} is behind the best peer on {of}: {listed}."


def left_out_sentence(left_out: Mapping[str, Any]) -> str:
    """Return a sentence: how many pages of each set were left out, and why.

    ``left_out``: the names of other ``sets``, and ``counts`` per measured set: the pages that are
    also in the others, and all pages before the sample.
    """
    counts = ", ".join(
        f"{left} of {every} pages of {name}" for name, (left, every) in left_out["counts"].items()
    )
    return f"Left out, since {' or '.join(left_out['sets'])} has them, too: {counts}."


def _signed(figure: float) -> str:
    return f"{figure:+.3f}"


MIN_PAGES = 5
"""Types and languages with fewer pages are in the JSON only."""
MANY_SYSTEMS = 3
"""With more, a table has intervals for the first system only, and leads have their own table."""


def markdown(summary: Mapping[str, Any], command: str, versions: Mapping[str, str]) -> str:
    """Return the summary as Markdown: word-F1 with 95 % intervals, leads on the same pages."""
    return "\n".join(_lines(summary, command, versions)) + "\n"


def _lines(summary: Mapping[str, Any], command: str, versions: Mapping[str, str]) -> Iterator[str]:
    names = list(summary["systems"])
    yield from _head_lines(summary, command, versions)
    for title, groups in summary["cuts"].items():
        shown = {
            group: found
            for group, found in groups.items()
            if title == "data set" or found["pages"] >= MIN_PAGES
        }
        if not shown:
            continue
        yield f"## Word-F1 per {title}"
        yield ""
        titles = [title, "pages", *names, *_lead_titles(names)]
        yield "| " + " | ".join(titles) + " |"
        yield "|---" * len(titles) + "|"
        for group, found in shown.items():
            yield _row(group, found, names)
        if title == "data set":
            yield _macro_row(summary, names)
        yield ""
        if title == "data set":
            yield from _loss_lines(summary, names[0])
    if summary["cuts"]["data set"]:
        if len(names) > MANY_SYSTEMS:
            yield from _lead_lines(summary, names)
        yield from _precision_lines(summary, names)
        yield from _best_peer_lines(summary, names[0])
    yield from _confidence_lines(summary)
    yield from _fallback_lines(summary)
    yield from _figure_lines(summary, names)


def _head_lines(
    summary: Mapping[str, Any], command: str, versions: Mapping[str, str]
) -> Iterator[str]:
    """Yield the command, the versions, the engines, and the pages that were left out."""
    peers = {name: found for name, found in summary["systems"].items() if found != "ours"}
    yield f"Command: `{command}`"
    yield ""
    named = {**versions, **peers}.items()
    yield "Versions: " + ", ".join(f"{name} {version}" for name, version in named)
    yield ""
    if engines := summary["engines"]:
        yield "Engines: " + ", ".join(f"{name} by {found}" for name, found in engines.items())
        yield ""
    if "left_out" in summary:
        yield left_out_sentence(summary["left_out"])
        yield ""


def _loss_lines(summary: Mapping[str, Any], first: str) -> Iterator[str]:
    """Yield the sets on which the first system is behind a peer, which the mean can hide."""
    if not summary["gaps"]:
        return
    yield "## Behind the best peer of a set"
    yield ""
    yield against_best_peers(first, summary["gaps"])
    yield ""


def _lead_lines(summary: Mapping[str, Any], names: list[str]) -> Iterator[str]:
    yield f"## Lead of {names[0]} on the same pages"
    yield ""
    datasets = summary["cuts"]["data set"]
    yield "| over | " + " | ".join([*datasets, "mean over sets"]) + " |"
    yield "|---" * (2 + len(datasets)) + "|"
    for name in names[1:]:
        cells = [_lead(_lead_of(found[name])) for found in datasets.values()]
        yield f"| {name} | " + " | ".join([*cells, _lead(summary["macro_difference"][name])]) + " |"
    yield ""


def _lead_of(found: Mapping[str, Any]) -> dict[str, Any]:
    return {"lead": found["lead"], "interval": found["lead_interval"]}


def _precision_lines(summary: Mapping[str, Any], names: list[str]) -> Iterator[str]:
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
    yield ""


def _best_peer_lines(summary: Mapping[str, Any], first: str) -> Iterator[str]:
    best = summary["best_peer"]
    if best is None:
        return
    yield "## Against the best peer"
    yield ""
    yield f"| data set | best peer | word-F1 | {first} - best peer |"
    yield "|---|---|---|---|"
    for dataset, gap in summary["gaps"].items():
        yield f"| {dataset} | {gap['name']} | {gap['f1']:.3f} | {_lead(gap)} |"
    yield f"| **mean over sets** | {best['name']} | {best['macro_f1']:.3f} | {_lead(best)} |"
    yield ""


def _confidence_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    for name, error in summary["calibration_error"].items():
        sure = summary["sure"][name]
        line = f"Expected calibration error of {name}'s confidence (15 bins): {error:.3f}. "
        line += f"Sure (confidence of {SURE} or more) of {sure['share']:.0%} of the pages"
        if sure["f1"] is not None:
            low, high = sure["interval"]
            line += f", their word-F1: {sure['f1']:.3f} [{low:.3f}, {high:.3f}]"
        yield f"{line}."
        yield ""
    for dataset, gap in summary["language_gaps"].items():
        yield (
            f"Languages of {dataset}: best {gap['best']}, worst {gap['worst']}, "
            f"{gap['gap']:.3f} below."
        )
        yield ""


def _fallback_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    if not summary["fallback_gains"]:
        return
    yield "## Where the model kept nothing"
    yield ""
    yield "| system | found by | pages | word-F1 | word-F1 of no text |"
    yield "|---|---|---|---|---|"
    for name, sources in summary["fallback_gains"].items():
        for source, gain in sources.items():
            scores = f"{gain['f1']:.3f} | {gain['empty']:.3f}"
            yield f"| {name} | {source} | {gain['pages']} | {scores} |"
    yield ""


def _figure_lines(summary: Mapping[str, Any], names: list[str]) -> Iterator[str]:
    """Yield the other figures per set, if any system has them there."""
    for dataset, by_system in summary["figures"].items():
        known = dict.fromkeys(figure for found in by_system.values() for figure in found)
        listed = [figure for figure in known if not figure.startswith("word_")]
        if not listed:
            continue
        yield f"## Other metrics: {dataset}"
        yield ""
        yield "| metric | " + " | ".join(names) + " |"
        yield "|---" * (1 + len(names)) + "|"
        if "cleaneval_lcs_f1" in listed and "rouge_lsum_f1" not in listed:
            yield f"| rouge_lsum: needs rouge_score |{' - |' * len(names)}"
        for figure in listed:
            cells = [_figure_cell(by_system[name].get(figure), figure) for name in names]
            yield f"| {figure} | " + " | ".join(cells) + " |"
        yield ""


def _figure_cell(found: Mapping[str, Any] | None, figure: str) -> str:
    if found is None:
        return "-"
    if figure == "empty":
        return f"{found['value']:.0f}"
    low, high = found["interval"]
    return f"{found['value']:.3f} [{low:.3f}, {high:.3f}]"


def _lead(found: Mapping[str, Any]) -> str:
    low, high = found["interval"]
    return f"{found['lead']:+.3f} [{low:+.3f}, {high:+.3f}]"


def _lead_titles(names: list[str]) -> list[str]:
    return [f"{names[0]} - {name}" for name in names[1:]] if len(names) <= MANY_SYSTEMS else []


def _row(group: str, found: Mapping[str, Any], names: list[str]) -> str:
    cells = [group, str(found["pages"])]
    few = len(names) <= MANY_SYSTEMS
    for name in names:
        low, high = found[name]["interval"]
        interval = f" [{low:.3f}, {high:.3f}]" if few or name == names[0] else ""
        cells.append(f"{found[name]['f1']:.3f}{interval}")
    if few:
        cells += [_lead(_lead_of(found[name])) for name in names[1:]]
    return "| " + " | ".join(cells) + " |"


def _macro_row(summary: Mapping[str, Any], names: list[str]) -> str:
    cells = ["**mean over sets**", ""]
    cells += [f"**{summary['macro_f1'][name]:.3f}**" for name in names]
    if len(names) <= MANY_SYSTEMS:
        cells += [_lead(summary["macro_difference"][name]) for name in names[1:]]
    return "| " + " | ".join(cells) + " |"
