"""The text of a model's card: its description, its training data and how to train it again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from scrapy_boilernet.classical.base import ClassicalSpec
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.training.record import TRAINED
from scrapy_boilernet.training.taught_card import SPLIT, start_lines

CALIBRATION_PLOT = "calibration.svg"
_SPLIT = (
    "Pages with gold are split by registered domain and near-duplicate group, unless their set has "
    "its own split. Near-duplicates of test pages of the sets with gold above do not train. Nor do "
    "pages of a domain that tests in a set without its own split. The split does not consider "
    "pages that train by votes, or test pages of other sets."
)
_WEIGHT = (
    "In the loss all pages weigh the same, by votes or by gold, and so does each window of 256 "
    "blocks of a longer page. A block's weight is the square root of its tokens plus one; with "
    "votes it is multiplied by the block's trust."
)
_BESIDE_GOLD = (
    "A page does not train by votes if a set with gold above also has it, by its bytes or URL, "
    "whether it trains there, tests or is left out. Pages with votes that were left out for this "
    "reason"
)
_DESCRIPTIONS = {
    "crf": "A linear-chain conditional random field over a page's text leaves, with the features "
    "of Victor (Marek, Pecina and Spousta 2007) and its five labels: header, paragraph, list, "
    "continuation, other.",
    "svm": "A support vector machine with a radial basis function over 18 features of a block "
    "(Yao and Zuo 2013).",
    "gbdt": "Gradient-boosted trees over a simplified tree of a page's blocks, in the line of "
    "Dragnet (Peters and Lecocq 2013).",
}


def model_card(spec: ModelSpec, floors: Mapping[str, float] | None = None) -> str:
    """Return the card of a default model as Markdown; ``floors``: least word-F1 per set."""
    return "\n".join(_boilernet_lines(spec, floors or {})) + "\n"


def classical_card(spec: ClassicalSpec, payload_bytes: int) -> str:
    """Return the card of a classical labeler's model as Markdown."""
    return "\n".join(_classical_lines(spec, payload_bytes)) + "\n"


def data_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines on the sets that were trained on."""
    voted: Mapping[str, Mapping[str, Any]] = training.get("voted", {})
    yield "## Data"
    yield ""
    yield "Only weights learned from these pages are here, none of their text."
    yield ""
    yield "| data set | training pages | validation pages | licence of the gold | SHA-256 |"
    yield "|---|---|---|---|---|"
    for name, record in training["datasets"].items():
        yield (
            f"| {name} | {record['train_pages']} | {record['validation_pages']} "
            f"| {record['licence']} | `{record['digest_sha256'][:16]}` |"
        )
    for name, record in voted.items():
        yield (
            f"| {name} | {record['voted_pages']} | 0 | no gold: votes of open extractors "
            f"| `{record['digest_sha256'][:16]}` |"
        )
    yield ""
    yield from _origin_lines({**training["datasets"], **voted})
    yield from _choice_lines(training.get("chosen", {}))
    if voted:
        yield from _vote_lines(voted)
    if notes := training.get("notes"):
        yield "## Notes"
        yield ""
        yield from (f"- {note}" for note in notes)
        yield ""


def overlap_lines(training: Mapping[str, Any], split: str = _SPLIT) -> Iterator[str]:
    """Yield the lines on test pages that are close to pages that trained.

    ``split``: the sentences on how the pages were split.
    """
    yield "## Test pages close to these"
    yield ""
    yield split
    yield ""
    overlap: Mapping[str, Any] | None = training.get("overlap")
    if overlap is None:
        yield (
            "The number of test pages that are close to pages that trained was not computed; "
            "`scrapy boilernet card` computes it."
        )
    elif not overlap["sets"]:
        yield "None of these sets has a test part, and no other set was compared."
    else:
        yield from _counted_lines(overlap)
    yield ""


def score_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines on the scores on pages that were not trained on."""
    crossed: Mapping[str, Mapping[str, float]] | None = training.get("cross_validation")
    columns = crossed or {"validation pages": training["validation"]}
    yield "## Pages that were not trained on"
    yield ""
    yield (
        "Mean word-F1 from the token alignment"
        + (", each page labeled by a model that did not see it:" if crossed else ":")
    )
    yield ""
    yield f"| data set | {' | '.join(columns)} |"
    yield "|---" * (1 + len(columns)) + "|"
    for name in sorted({name for scores in columns.values() for name in scores}):
        cells = (f"{scores[name]:.3f}" if name in scores else "" for scores in columns.values())
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
    if crossed and "from" not in training:
        yield f"![confidence against word-F1 on the same pages]({CALIBRATION_PLOT})"
        yield ""


def command_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield the commands before ``train``, ``train`` and ``export``, each with its versions.

    They are in ``steps``, in the record itself, and in ``export``, which ``scrapy boilernet
    export`` adds.
    """
    train = {"command": training["command"], "versions": training["versions"]}
    steps = [*training.get("steps", []), train, *training.get("export", [])]
    yield "## Commands"
    yield ""
    yield "To train the model again, run these commands in this order, with paths for the names:"
    yield ""
    for number, step in enumerate(steps, 1):
        yield f"{number}. {_step_text(step)}"
    if "steps" not in training and _needs_more(training["command"]):
        yield ""
        yield "The commands that made the folders for `train` were not recorded."


def _boilernet_lines(spec: ModelSpec, floors: Mapping[str, float]) -> Iterator[str]:
    training = spec.training
    shape = spec.architecture
    shapes = shape.shapes()
    bag_weights = sum(prod(s) for name, s in shapes.items() if "bag" in name)
    other_weights = sum(prod(s) for name, s in shapes.items() if "bag" not in name)
    calibration = training["calibration"]
    yield f"# Model card: {spec.name}"
    yield ""
    yield (
        f"A BoilerNet (Leonhardt et al. 2020): {shape.layers} bidirectional LSTM layers of "
        f"{shape.hidden} over a page's text blocks, behind a dense layer of {shape.dense}; "
        f"{other_weights:,} weights beside {bag_weights:,} in hashed embeddings. It labels each "
        "block content or boilerplate, and stores no words of any language."
    )
    yield ""
    yield f"- Featurizer: {spec.featurizer['kind']}, version {spec.featurizer['version']}"
    yield (
        "- Decision: a threshold per page, the one with the largest expected word-F1, and no "
        f"block below {spec.threshold}"
    )
    yield (
        f"- Calibrated on {training.get('calibrated_on', 'the validation pages')}: temperature "
        f"{calibration['temperature']:.2f}, bias {calibration['bias']:+.2f}; confidence on "
        f"{training.get('confident_on', 'the same')}"
    )
    yield from start_lines(training) if "from" in training else _run_lines(training)
    yield ""
    yield from data_lines(training)
    yield from overlap_lines(training, SPLIT if "from" in training else _SPLIT)
    yield from score_lines(training)
    if floors:
        yield from _floor_lines(floors)
    yield from _limit_lines()
    yield from command_lines(training)


def _run_lines(training: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"- Seed {training['options']['seed']}, {training['options']['epochs']} epochs; the best "
        f"on the validation pages was number {training['best_epoch']}"
    )


def _classical_lines(spec: ClassicalSpec, payload_bytes: int) -> Iterator[str]:
    training = spec.training
    yield f"# Model card: {spec.name}"
    yield ""
    yield f"{_DESCRIPTIONS[spec.labeler]} {payload_bytes:,} bytes of weights."
    yield ""
    yield f"- Featurizer: {spec.featurizer['kind']}, version {spec.featurizer['version']}"
    if spec.decision == "fixed":
        yield f"- Decision: every block from {spec.threshold} up; not calibrated"
    else:
        yield (
            "- Decision: a threshold per page, the one with the largest expected word-F1, and no "
            f"block below {spec.threshold}"
        )
        yield (
            f"- Calibrated on the validation pages: temperature {spec.temperature:.2f}, bias "
            f"{spec.bias:+.2f}"
        )
    options = json.dumps(dict(spec.options)) if spec.options else "none but the defaults"
    yield f"- Recipe {training['recipe']}, seed {training['seed']}, options: {options}"
    yield ""
    yield from data_lines(training)
    yield from overlap_lines(training)
    if "validation" in training:
        yield from score_lines(training)
    yield "## Limits"
    yield ""
    yield (
        "The model is shipped for reading, comparing and retraining. Gold standards disagree on "
        "headlines, comments and captions; the model has learned an average of them."
    )
    yield ""
    yield from command_lines(training)


def _origin_lines(sets: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines on the origins of the pages of collected sets, if the sets state them."""
    rows = [
        f"| {name} | {origin} | {counts['pages']} | {counts['licence']} |"
        for name, record in sets.items()
        for origin, counts in record.get("origins", {}).items()
    ]
    if not rows:
        return
    yield "Pages per origin, for sets whose `pages.jsonl` names several origins:"
    yield ""
    yield "| data set | origin | pages | licence of the origin |"
    yield "|---|---|---|---|"
    yield from rows
    yield ""


def _choice_lines(chosen: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines on the options that chose among the pages, if there are any."""
    rows = []
    if chosen.get("split") is not None:
        rows.append(f"From the sets with gold, only the pages of the split `{chosen['split']}`.")
    if chosen.get("sample") is not None:
        rows.append(f"From each set with gold, at most {chosen['sample']} pages, by a fixed draw.")
    if starts := chosen.get("without"):
        listed = ", ".join(f"`{start}`" for start in starts)
        rows.append(f"Without the pages of these sets and beginnings of `src`, SET:SRC: {listed}.")
    if licences := chosen.get("without_licence"):
        rows.append(
            f"Without the pages of any set whose `src` states the licence {' or '.join(licences)}."
        )
    if rows:
        yield "The pages were chosen so:"
        yield ""
        yield from (f"- {row}" for row in rows)
        yield ""


def _vote_lines(voted: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines on voters, rule and weight; sets with the same votes share a line."""
    yield "## Votes"
    yield ""
    names_of_text: dict[str, list[str]] = {}
    for name, record in voted.items():
        names_of_text.setdefault(" ".join(_vote_sentences(record.get("votes", {}))), []).append(
            name
        )
    for text, names in names_of_text.items():
        yield f"- {', '.join(names)}: {text}"
    yield ""
    yield _WEIGHT
    yield ""
    beside_gold = {n: r["beside_gold"] for n, r in voted.items() if "beside_gold" in r}
    if beside_gold:
        counts = ", ".join(f"{count} of {name}" for name, count in beside_gold.items())
        yield f"{_BESIDE_GOLD}: {counts}."
        yield ""


def _vote_sentences(votes: Mapping[str, Any]) -> Iterator[str]:
    voters: Mapping[str, Mapping[str, Any]] | None = votes.get("voters")
    if voters is None:
        yield "the voters were not recorded."
        return
    yield (
        "voters, with the weight of each one's vote: "
        + ", ".join(f"{_versioned(name, v)} ({v['weight']})" for name, v in voters.items())
        + "."
    )
    rule = votes["rule"]
    yield (
        f"A page gets votes if at least {rule['min_voters']} voters find a text of at least "
        f"{rule['min_vote_tokens']} tokens. A block's label is the weighted share of the voters "
        f"that keep it. Its trust is 1 minus {rule['trust_per_deviation']} times the standard "
        f"deviation over the voters, and at least {rule['min_trust']}."
    )


def _versioned(name: str, voter: Mapping[str, Any]) -> str:
    version = voter.get("version")
    return f"{name} {version}" if version else f"{name}, version not recorded"


def _counted_lines(overlap: Mapping[str, Any]) -> Iterator[str]:
    label_kinds = [label_kind for label_kind, pages in overlap["pages"].items() if pages]
    learned = " and ".join(
        f"{overlap['pages'][label_kind]} pages by {label_kind} "
        f"({overlap['without_domain'][label_kind]} without a known domain)"
        for label_kind in label_kinds
    )
    yield f"Test pages that are close to the pages that were trained on, {learned}:"
    yield ""
    yield from _count_table(overlap, label_kinds)
    yield ""
    if overlap["against"] != TRAINED:
        yield (
            "This was computed after the training, for all pages that the split lets train or "
            "validate"
            + (" and all pages of the sets with votes" if "votes" in label_kinds else "")
            + ". They include the few that did not train, since they show too little of their gold "
            "text" + (" or got too few votes." if "votes" in label_kinds else ".")
        )
    yield (
        "Pages with gold are counted if they trained or validated. Test pages without a known "
        "domain are not counted by domain. A near-duplicate is the same page, or shares half of "
        "the shorter text's sampled runs of six words. For a page without gold the whole text is "
        "compared."
    )


def _count_table(overlap: Mapping[str, Any], label_kinds: Sequence[str]) -> Iterator[str]:
    heads = [
        f"{what} of pages by {label_kind}"
        for what in ("on a domain", "near-duplicates")
        for label_kind in label_kinds
    ]
    yield f"| test pages of | pages | without a domain | {' | '.join(heads)} |"
    yield "|---" * (3 + len(heads)) + "|"
    for name, row in overlap["sets"].items():
        counts = [
            row[kind][label_kind]
            for kind in ("on_domain", "near_duplicates")
            for label_kind in label_kinds
        ]
        cells = (row["test_pages"], row["without_domain"], *counts)
        yield f"| {name} | {' | '.join(map(str, cells))} |"


def _floor_lines(floors: Mapping[str, float]) -> Iterator[str]:
    yield "## Floors"
    yield ""
    yield (
        "The least mean word-F1 on the fixed sample of each test part in `floors.json`. "
        "`scrapy boilernet evaluate --check` fails below it:"
    )
    yield ""
    yield "| data set | floor |"
    yield "|---|---|"
    for name, floor in floors.items():
        yield f"| {name} | {floor:.3f} |"
    yield ""


def _limit_lines() -> Iterator[str]:
    yield "## Limits"
    yield ""
    yield (
        "Gold standards disagree on headlines, comments and captions; the model has learned an "
        "average of them. Confidence is calibrated on pages of the same sets and is less reliable "
        "on other kinds of pages. Pages that build their text with scripts have nothing to label "
        "until they are rendered."
    )
    yield ""


def _needs_more(command: str) -> bool:
    return "--votes" in command or "--calibrate-on" in command


def _step_text(step: Mapping[str, Any]) -> str:
    command = step.get("command")
    if command is None:
        return f"The command that made `{step['makes']}` was not recorded."
    versions: Mapping[str, str] | None = step.get("versions")
    listed = ", ".join(f"{name} {version}" for name, version in (versions or {}).items())
    established = f" ({step['established']})" if "established" in step else ""
    return f"`{command}`{established}: {listed or 'versions not recorded'}"
