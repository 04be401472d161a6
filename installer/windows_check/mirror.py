"""Where this machine gets its Debian packages from, in apt's own words."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from installer.windows_check.outcome import Skipped

FORMAT = "$(ORIGIN) $(CREATED_BY) $(COMPONENT) $(SITE)"
SECONDS = 120.0
APT_HELPER = "/usr/lib/apt/apt-helper"
# What of this machine's settings decides whether a mirror can be reached at all.
REACH = re.compile(r"^Acquire::\S*(?:Proxy|CaInfo|Verify-Peer|Verify-Host)\S* \".+\";$", re.M | re.I)


def debian_mirror(targets: str) -> str:
    """The address of Debian's own archive in what `apt-get indextargets` said in FORMAT, "" without one.

    Security updates have an archive of their own, which is no Debian to begin from.
    """
    for line in targets.splitlines():
        origin, created, component, site = [*line.split(), "", "", "", ""][:4]
        if (origin, created, component) == ("Debian", "Packages", "main") and "security" not in site:
            return site.rstrip("/")
    return ""


def find() -> str:
    """This machine's Debian mirror, fetching apt's lists when there are none. Raises Skipped."""
    found = debian_mirror(_said(["apt-get", "indextargets", "--format", FORMAT]))
    if not found:
        _said(["apt-get", "-q", "update"])
        found = debian_mirror(_said(["apt-get", "indextargets", "--format", FORMAT]))
    if not found:
        raise Skipped("the sources of this machine's apt name no Debian archive to make a chroot from")
    return found


def settings() -> list[str]:
    """How apt reaches its mirrors here (proxies, certificates), as lines of apt's configuration."""
    return [match[0] for match in REACH.finditer(_said(["apt-config", "dump", "Acquire"]))]


def require(mirror: str, suite: str) -> None:
    """Raises Skipped when the mirror cannot be reached or has no such release of Debian."""
    address = f"{mirror}/dists/{suite}/InRelease"
    with tempfile.TemporaryDirectory() as folder:
        got = Path(folder) / "InRelease"
        _said([APT_HELPER, "-o", "Acquire::Retries=2", "download-file", address, str(got)])
        if not got.is_file():
            raise Skipped(f"the Debian mirror of this machine's apt cannot be reached, or has no {suite}")


def _said(command: list[str]) -> str:
    """What it said; "" when it failed."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if ran.returncode else ran.stdout
