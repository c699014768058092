"""The commands on a card that train the model again, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def command_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield the commands before ``train``, ``train`` and ``export``, each with its versions.

    ``steps`` in the record are those before; ``export`` is what the action of that name adds.
    """
    train = {"command": training["command"], "versions": training["versions"]}
    steps = [*training.get("steps", []), train, *training.get("export", [])]
    yield "## Commands"
    yield ""
    yield "Names in place of paths. To train the model again, in this order:"
    yield ""
    for number, step in enumerate(steps, 1):
        yield f"{number}. {_told(step)}"
    if "steps" not in training and _needs_more(training["command"]):
        yield ""
        yield "The commands that made the folders which `train` reads were not recorded."


def _needs_more(command: str) -> bool:
    return "--votes" in command or "--calibrate-on" in command


def _told(step: Mapping[str, Any]) -> str:
    command = step.get("command")
    if command is None:
        return f"What made `{step['makes']}` was not recorded."
    versions: Mapping[str, str] | None = step.get("versions")
    told = ", ".join(f"{name} {version}" for name, version in (versions or {}).items())
    established = f" ({step['established']})" if "established" in step else ""
    return f"`{command}`{established}: {told or 'versions not recorded'}"
