"""Brings system packages through apt, or says exactly what is missing and how to get it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from scripts.log import Log

# No questions, and no menu of services to restart (Ubuntu's needrestart).
QUIETLY = ("env", "DEBIAN_FRONTEND=noninteractive", "NEEDRESTART_SUSPEND=1", "LC_ALL=C.UTF-8")
APT = ("apt-get", "-q", "-o", "DPkg::Lock::Timeout=600", "-o", "Dpkg::Use-Pty=0", "-o", "Acquire::Retries=3")
INSTALL = (*APT, "install", "-y", "--no-install-recommends")
# Another apt may be at work, as on a machine that has just started. The time-out above is for dpkg's
# lock alone; for these two apt gives up at once.
LOCKS = ("/var/lib/apt/lists/lock", "/var/cache/apt/archives/lock")
WAIT = """
import fcntl, os, sys
for path in filter(os.path.exists, sys.argv[1:]):
    with open(path, "a") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
"""


class CannotInstall(Exception):
    """The packages are missing and stay so; the message says what the user can do."""


def install(packages: Sequence[str], log: Log) -> tuple[str, ...]:
    """Install the packages; returns those that this system's archive does not have.

    Raises CannotInstall without apt or the right to use it, or when apt fails.
    """
    prefix = [*_right_to_install(packages), *QUIETLY]
    log.step("system packages")
    stale = bool(unknown(packages))
    updated = stale and _apt(log, prefix, *APT, "update") == 0
    absent = unknown(packages) if stale else ()
    if absent and not updated:
        raise CannotInstall(f"apt-get could not fetch the package lists. {log.where()}")
    present = [package for package in packages if package not in absent]
    if present and _apt(log, prefix, *INSTALL, *present) != 0:
        # What usually helps: finish an interrupted dpkg, and fetch package lists that are too old.
        _apt(log, prefix, "dpkg", "--configure", "-a")
        if not stale:
            _apt(log, prefix, *APT, "update")
        if _apt(log, prefix, *INSTALL, *present) != 0:
            raise CannotInstall(f"apt-get could not install {' '.join(present)}. {log.where()}")
    return absent


def _apt(log: Log, prefix: Sequence[str], *command: str) -> int:
    log.run([*prefix, "timeout", "600", sys.executable, "-I", "-S", "-c", WAIT, *LOCKS])
    return log.run([*prefix, *command])


def _right_to_install(packages: Sequence[str]) -> list[str]:
    if not shutil.which("apt-get"):
        raise CannotInstall(
            "This system has no apt. Install with its own package manager what Debian calls\n"
            f"    {' '.join(packages)}\nand start again."
        )
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        if subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0:
            return ["sudo", "-n"]
        if sys.stdin.isatty() and sys.stderr.isatty():
            print(f"\nsudo may ask for your password, to install {' '.join(packages)}", file=sys.stderr)
            if subprocess.run(["sudo", "-v"], check=False).returncode == 0:
                return ["sudo", "-n"]
    raise CannotInstall(advice(packages))


def advice(packages: Sequence[str]) -> str:
    """The one message that names exactly what is missing and the command that brings it."""
    sudo = "sudo " if shutil.which("sudo") else ""
    update = f"{sudo}apt-get update && " if unknown(packages) else ""
    command = f"{update}{sudo}apt-get install --no-install-recommends {' '.join(packages)}"
    how = "Install them with" if sudo else "Install them as root with"
    return f"System packages are missing. {how}\n    {command}\nand start again."


def unknown(packages: Sequence[str]) -> tuple[str, ...]:
    """The packages that the downloaded package lists do not offer."""
    command = ["env", "LC_ALL=C.UTF-8", "apt-cache", "policy", *packages]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    offered: set[str] = set()
    name = ""
    for line in text.splitlines():
        if line and not line[0].isspace():
            name = line.rstrip(":")
        elif line.strip().startswith("Candidate:") and "(none)" not in line:
            offered.add(name)
    return tuple(package for package in packages if package not in offered)
