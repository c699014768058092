"""Installs Chromium and its driver, which the tests need, with apt-get if that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PROGRAMS = ("chromium", "chromedriver")
PACKAGES = ("chromium", "chromium-driver")


def missing() -> list[str]:
    """Return the names of the programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def main() -> int:
    """Install the missing programs; return the exit status."""
    if not missing():
        return 0
    remedy = f"install {' and '.join(PROGRAMS)}, such as Debian's packages {', '.join(PACKAGES)}"
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        sys.stderr.write(
            f"{', '.join(missing())} not found, and apt-get cannot be used: {remedy}\n"
        )
        return 1
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        done = subprocess.run(["apt-get", "-qq", *command], env=environment, check=False)
        if done.returncode and command != ["update"]:
            sys.stderr.write(f"apt-get {' '.join(command)} failed: {remedy}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
