"""Ends a command with a message and an exit status where Python would show a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from scrapy_boilernet.commands.output import complain

FAILED = 1
INTERRUPTED = 130
"""The exit status after Ctrl-C, as for other programs."""
PIPE_CLOSED = 141
"""The exit status if standard output was closed, as for other programs."""


def exit_status(action: Callable[[], int]) -> int:
    """Call the action; return its exit status, also if it is stopped or cannot read or write."""
    try:
        status = action()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return _ended("stopped by Ctrl-C", INTERRUPTED)
    except BrokenPipeError:  # such as "| head"
        return _ended("standard output was closed before the end", PIPE_CLOSED)
    except OSError as error:
        return _ended(_told(error), FAILED)
    return status


def _told(error: OSError) -> str:
    if error.filename is not None or error.errno is None:
        return f"stopped: {error}"
    return f"cannot write the output: {error.strerror}; solve this, or name another file"


def _ended(message: str, status: int) -> int:
    with suppress(OSError, ValueError):  # standard error may be closed as well
        complain(message)
    with suppress(OSError, ValueError, AttributeError):  # else Python flushes again, and complains
        sys.stdout.flush()
        return status
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    return status
