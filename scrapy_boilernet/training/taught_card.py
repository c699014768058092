"""The part of a card that only a fine-tuned model has; :mod:`.cards` has the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SPLIT = "All pages with gold trained, except the sets' own test parts and their near-duplicates."


def start_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield the items on the model that training started from, and on the gain."""
    start, tuning, options = training["from"], training["fine_tuning"], training["options"]
    low, high = tuning["interval"]
    beside = f"; mixed in: {', '.join(tuning['beside'])}" if tuning["beside"] else ""
    yield (
        f"- Fine-tuned from `{start['name']}`, whose weights have the SHA-256 "
        f"`{start['weights_sha256'][:16]}`: {tuning['steps']} steps, chosen by cross-validation on "
        f"the pages below, then {options['share']:.0%} new weights and the rest the old ones; seed "
        f"{options['seed']}{beside}"
    )
    yield (
        f"- On {tuning['pages']} pages, each held out in one of {tuning['folds']} folds: mean "
        f"word-F1 {tuning['before']:.3f} before and {tuning['after']:.3f} after; 95 % interval of "
        f"the gain {low:+.3f} to {high:+.3f}"
        + ("" if low > 0 else ", so no gain is shown; written by `--accept-unproven`")
    )
    learned = ", ".join(start["datasets"]) or "not recorded"
    yield f"- `{start['name']}` was trained on these sets, which its own card describes: {learned}"
