"""The text of a model's card, from its spec, its record and the template ``card.md``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from typing import Any

from scrapy_boilernet.extractor.labelers.classical import ClassicalSpec
from scrapy_boilernet.extractor.labelers.spec import ModelSpec
from scrapy_boilernet.extractor.templates import markdown
from scrapy_boilernet.lab.training.gold import ALL_PAGES
from scrapy_boilernet.lab.training.record import TRAINED

CALIBRATION_PLOT = "calibration.svg"


def card_of(
    spec: ModelSpec | ClassicalSpec,
    payload_bytes: int = 0,
    floors: Mapping[str, float] | None = None,
) -> str:
    """Return the card of a model as Markdown.

    ``payload_bytes``: the size of the weights of a classical model; ``floors``: the least word-F1
    per set.
    """
    training = spec.training
    voted = training.get("voted", {})
    sets = {**training["datasets"], **voted}
    crossed = training.get("cross_validation")
    measured = {"validation pages": training["validation"]} if "validation" in training else {}
    train = {"command": training["command"], "versions": training["versions"]}
    return markdown(
        "lab/training/card.md",
        spec=spec,
        training=training,
        network=_numbers_of_weights(spec) if isinstance(spec, ModelSpec) else {},
        payload_bytes=payload_bytes,
        options=json.dumps(dict(getattr(spec, "options", {}))),
        voted=voted,
        votes_of_sets=_votes_of_sets(voted),
        origins=[
            (name, *origin)
            for name, record in sets.items()
            for origin in record.get("origins", {}).items()
        ],
        chosen={**ALL_PAGES, **training.get("chosen", {})},
        overlap=training["overlap"],
        TRAINED=TRAINED,
        crossed=crossed,
        scores=crossed or measured,
        CALIBRATION_PLOT=CALIBRATION_PLOT,
        floors=floors,
        steps=[*training.get("steps", []), train, *training.get("export", [])],
    )


def _numbers_of_weights(spec: ModelSpec) -> dict[str, int]:
    """Return the numbers of weights in the embedding bags and elsewhere."""
    sizes = {name: prod(shape) for name, shape in spec.architecture.shapes().items()}
    bags = sum(size for name, size in sizes.items() if "bag" in name)
    return {"bags": bags, "others": sum(sizes.values()) - bags}


def _votes_of_sets(
    voted: Mapping[str, Mapping[str, Any]],
) -> list[tuple[Mapping[str, Any], list[str]]]:
    """Return (voters and rule, the sets that have their votes from them)."""
    found: list[tuple[Mapping[str, Any], list[str]]] = []
    for name, record in voted.items():
        votes = {key: record.get("votes", {}).get(key) for key in ("voters", "rule")}
        for same, names in found:
            if same == votes:
                names.append(name)
                break
        else:
            found.append((votes, [name]))
    return found
