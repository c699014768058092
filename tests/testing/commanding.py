"""Runs actions of ``scrapy boilernet`` in this process or in a separate one."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from scrapy.exceptions import UsageError


def scrapy(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an action in a separate process."""
    environment = {k: v for k, v in os.environ.items() if k != "SCRAPY_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "scrapy", "boilernet", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


def run(action: ModuleType, *arguments: str | Path) -> int:
    """Run an action here; return its exit status."""
    parser = argparse.ArgumentParser()
    action.add_arguments(parser)
    return int(action.run(parser.parse_args([str(argument) for argument in arguments])))


def refusal(action: ModuleType, *arguments: str | Path) -> str:
    """Return the message, one line, of the action's ``UsageError``."""
    with pytest.raises(UsageError) as caught:
        run(action, *arguments)
    message = str(caught.value)
    assert "\n" not in message
    return message
