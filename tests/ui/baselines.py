"""The stored looks of the windows: which there are, how they are written anew and compared."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from tests.ui.shown_windows import ShownWindows
from tests.ui.wanted_look import Wanted

FOLDER = Path(__file__).parent / "baselines"
FAMILY = "DejaVu Sans"
NEAR = 3
"""Pixels by which a part may be elsewhere: fonts are drawn a little differently from version to version."""
_LINE = re.compile(
    r"(?P<what>.*”) (?P<x>-?\d+),(?P<y>-?\d+) (?P<w>\d+)x(?P<h>\d+)(?: on (?P<ground>#\w+))?(?P<state>.*)"
)
_PLAIN = (
    "chat empty", "chat running", "chat choices", "chat markdown", "chat paused", "chat stopped", "chat failed", "chat done",
    "chat sending approval", "chat edited approval", "chat many grants", "chat pill model", "settings general",
    "settings model", "settings permission", "settings privacy", "settings budgets", "settings hotkeys", "settings notes",
    "settings advanced", "settings changed", "settings wrong", "settings question", "settings found", "history list",
    "history delete", "history player", "welcome here", "welcome thinker", "welcome key-refused", "welcome escape",
    "chat commands", "agents list", "agents none", "welcome practised", "scene window", "scene editor", "licences", "crash", "second start", "start question",
)  # fmt: skip
LOOKS = (
    *(Wanted(each) for each in _PLAIN),
    *(Wanted(each, "dark", "de") for each in ("chat sending approval", "chat commands", "settings permission", "history list", "agents list", "welcome thinker", "scene window", "scene editor")),
    *(Wanted(each, "contrast", "de") for each in ("chat running", "chat commands", "settings changed", "history player", "welcome here")),
    *(Wanted(each, rtl=True) for each in ("chat running", "settings general")),
)  # fmt: skip


def write_baselines(environment: Mapping[str, str]) -> None:
    """Store what all windows look like now, in place of what was stored."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    with tempfile.TemporaryDirectory() as place:
        windows = ShownWindows(environment, Path(place), FAMILY)
        for wanted in LOOKS:
            look = windows.show(wanted).look
            (FOLDER / wanted.file_name).write_text("\n".join(look) + "\n", encoding="utf-8")
        windows.close()


def stored(wanted: Wanted) -> list[str]:
    file = FOLDER / wanted.file_name
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def differences(before: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    """What a person would see changed: parts that came, went, moved, or have another colour or state."""
    old, new = ([_parsed(each) for each in look] for look in (before, now))
    matched = SequenceMatcher(
        a=[each["what"] for each in old], b=[each["what"] for each in new], autojunk=False
    )
    for kind, a, b, c, d in matched.get_opcodes():
        if kind == "equal":
            yield from (
                f"  {one} -> {other}"
                for n, (one, other) in enumerate(zip(before[a:b], now[c:d], strict=True))
                if not _alike(old[a + n], new[c + n])
            )
        else:
            yield from (f"- {each}" for each in before[a:b])
            yield from (f"+ {each}" for each in now[c:d])


def _parsed(line: str) -> dict[str, str]:
    found = _LINE.fullmatch(line)
    assert found is not None, line
    return {key: value or "" for key, value in found.groupdict().items()}


def _alike(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """True when a person sees no difference. Where no colour has most of a part, there is none to compare."""
    near = all(abs(int(one[key]) - int(other[key])) <= NEAR for key in "xywh")
    colours = {one["ground"], other["ground"]} - {""}
    return near and len(colours) < 2 and one["state"] == other["state"]
