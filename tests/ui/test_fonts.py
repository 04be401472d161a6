"""The window with fonts of very different widths and heights, at the scales screens have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.targets import display as embedded
from tests.desk import Desk

pytestmark = pytest.mark.linux("fontconfig chooses the fonts")

SECONDS = 100
FONTS = Path("/usr/share/fonts")
FAMILIES = {
    "DejaVu Sans": FONTS / "truetype/dejavu",
    "Nimbus Sans": FONTS / "opentype/urw-base35",
    "URW Bookman": FONTS / "opentype/urw-base35",
}
"""Wide, narrow, and wide with serifs and other heights; the set-up's packages for tests bring them."""

ONLY = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{cache}</cachedir>
  <selectfont>
    <acceptfont><pattern><patelt name="family"><string>{family}</string></patelt></pattern></acceptfont>
    <rejectfont><pattern><patelt name="scalable"><bool>true</bool></patelt></pattern></rejectfont>
  </selectfont>
</fontconfig>
"""
"""All the fonts there are on a machine that has one family."""


@pytest.fixture(scope="module")
def tall_desk() -> Iterator[Desk]:
    """A screen with room for the window at twice its size."""
    target = embedded.create(embedded.Options(width=1400, height=1900))
    target.start()
    yield Desk(target)
    target.stop()


TRIED = (("DejaVu Sans", 1), ("Nimbus Sans", 1.5), ("URW Bookman", 2))
"""Every family and every scale once, the widest family at the largest: `./test all` has not the time for all nine."""


@pytest.mark.parametrize(("family", "scale"), TRIED)
def test_nothing_is_pressed_or_clipped(family: str, scale: float, tall_desk: Desk, tmp_path: Path) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(ONLY.format(folder=FAMILIES[family], cache=tmp_path / "cache", family=family))
    with_them = {"FONTCONFIG_FILE": str(fonts), "QT_SCALE_FACTOR": str(scale)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.growing"],
        env=dict(os.environ) | dict(tall_desk.environment) | with_them,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["family"].partition(" [")[0] == family  # in brackets is its foundry
    assert told["scale"] == scale
    assert told["paintings"] > 10
    assert (told["pressed"], told["clipped"]) == ([], [])
    assert not done.stderr
