"""The command ``scrapy boilernet`` and its actions.

Scrapy loads this module at every ``scrapy`` call. So the actions are imported only when this
command is called, and packages of extras only when an action runs.
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

ACTIONS = (
    "extract", "bulk", "fill", "explain", "annotations", "testbed", "adapt", "train",
    "crossvalidate", "vote", "evaluate", "export", "card",
)  # fmt: skip
"""Modules beside this one; each has ``add_arguments`` and ``run``."""
_HINTS = {
    "-s": "; settings come before the action: scrapy boilernet -s NAME=VALUE ACTION ...",
    "--deferred": "; type scrapy boilernet fill FOLDER for the pages of a deferred crawl",
}
"""What to do instead, per unknown argument."""


class BoilerNetCommand(ScrapyCommand):
    """The ``boilernet`` command, which Scrapy finds by the entry point ``scrapy.commands``."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def __init__(self) -> None:
        super().__init__()
        self._helps: dict[str, Callable[[], str]] = {}
        """Per action the function that returns its help."""

    def syntax(self) -> str:
        """Return the end of the usage line."""
        return f"{'|'.join(ACTIONS)} ..."

    def short_desc(self) -> str:
        """Return the line that ``scrapy --help`` shows."""
        return "Extract main text from pages; explain, train and evaluate labelers"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add one sub-command per action."""
        super().add_options(parser)
        actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
        for name in ACTIONS:
            action = _action(name)
            summary = (action.__doc__ or "").splitlines()[0]
            sub = actions.add_parser(
                name, prog=f"scrapy boilernet {name}", help=summary, description=summary
            )
            action.add_arguments(sub)
            self._helps[name] = sub.format_help

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the action; its return value is the exit status."""
        if args:
            hint = next((text for word, text in _HINTS.items() if word in args), "")
            hint = hint or _meant(args, self._helps[opts.action]())
            # argparse also returns the words behind an unknown option, which are perhaps no fault
            unknown = [word for word in args if word.startswith("-")] or args
            raise UsageError(f"unknown arguments: {' '.join(unknown)}{hint}", print_help=False)
        ending = import_module(f"{__name__}.ending")
        self.exitcode = ending.exit_status(lambda: _action(opts.action).run(opts, self.settings))


def _meant(args: Sequence[str], text: str) -> str:
    """Return what to write instead of a misspelt option; ``text``: the help with the known ones.

    >>> _meant(["--formt", "text"], "--format {text,html}  --with FORMATS")
    '; did you mean --format?'
    """
    words = (word.partition("=")[0] for word in args if word.startswith("-"))
    known = [*dict.fromkeys(re.findall(r"(?<!\S)\[?(--[a-z][\w-]*)", text))]
    near = [name for word in words for name in difflib.get_close_matches(word, known, n=1)]
    return f"; did you mean {' and '.join(dict.fromkeys(near))}?" if near else ""


def _action(name: str) -> Any:
    return import_module(f"{__name__}.{name}")
