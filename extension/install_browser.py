"""Installs Chromium and its driver, which the tests need, by apt where that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PROGRAMS = ("chromium", "chromedriver")
PACKAGES = ("chromium", "chromium-driver")


def missing() -> list[str]:
    """Return which of the programs are not there."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def main() -> int:
    """Install what is missing; return the exit status."""
    if not missing():
        return 0
    remedy = f"install {' and '.join(PROGRAMS)}, such as Debian's packages {', '.join(PACKAGES)}"
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        sys.stderr.write(
            f"{', '.join(missing())} not found, and apt-get may not be used: {remedy}\n"
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
