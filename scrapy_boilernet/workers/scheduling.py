"""Lets the reactor run before the thread that labels. Only Linux can do this."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from threading import get_native_id

LATE_SECONDS = 0.005
"""How much later than asked the kernel may wake a worker's thread that waits for the interpreter's
lock. By Python's own setting, all threads wait as long. ``docs/results/speed/crawl-half.md`` has
the reactor's lag with it."""


def let_others_run_first() -> None:
    """Let the kernel run other threads, such as the reactor's, as soon as they have work.

    Else a reactor that wakes may wait for the end of a worker's time slice on the same core.
    Changes the current thread and those that it starts, and nothing if they have another
    scheduling policy than most programs.
    """
    with suppress(OSError):
        if sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER:
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def wait_longer_for_the_lock() -> None:
    """Make the current thread wait :data:`LATE_SECONDS` longer for the interpreter's lock.

    So it does not interrupt the short work of the reactor's thread, which waits for as long as
    ``sys.setswitchinterval`` says.
    """
    with suppress(OSError):
        slack = Path(f"/proc/{get_native_id()}/timerslack_ns")
        slack.write_text(f"{LATE_SECONDS * 1e9:.0f}")
