"""A case: a program, a goal, the steps of a model that believes everything, and what holds outside the program.

Two forms are read from a folder: `NAME.json` with `windows` for `claiming_program.py`, and `NAME/case.json` beside an
`app.py` of its own, started with `--folder FOLDER`. Keys of both:

- `name`, `kind`: "lie" (with a truthful twin); other kinds are not played
- `goal`: the user's words; `{folder}` stands for the working folder
- `steps`: `{"click": NAME}`, `{"type": TEXT, "into": NAME}` (replaces), `{"keys": [...]}`, `{"choose": OPTION, "in": NAME}`,
  `{"scroll": NOTCHES, "over": NAME}`, `{"wait": SECONDS}`
- `claims`: words on the screen that the model takes for success
- `truth`: `{"file": F, "contains": TEXT}`, `{"file": F, "missing": true}` or `{"state": F, "key": "a.b", "equals": VALUE}`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

OWN = Path(__file__).with_name("cases")
_PROGRAM = Path(__file__).with_name("claiming_program.py")


class ClaimingCase(msgspec.Struct, frozen=True):
    """One case as read; `source` is its file."""

    name: str
    kind: str
    goal: str
    steps: tuple[dict[str, Any], ...]
    claims: str
    truth: dict[str, Any]
    why: str = ""
    windows: dict[str, Any] = {}
    source: str = ""

    def argv(self, folder: Path, *, honest: bool) -> list[str]:
        """What starts the program; that it is honest does not stand in the list of processes where it can be helped."""
        if self.windows:
            words = [str(_PROGRAM), "--case", self.source, "--folder", str(folder)]
            return [sys.executable, *words, *(["--honest"] if honest else [])]
        app = str(Path(self.source).with_name("app.py"))
        return ["env", f"STRANGERS_HONEST={int(honest)}", sys.executable, app, "--folder", str(folder)]

    def holds(self, folder: Path) -> bool:
        """Is what the goal wanted true outside the program?"""
        truth = self.truth
        path = folder / truth.get("file", truth.get("state", ""))
        if "missing" in truth:
            return not path.exists()
        if not path.is_file():
            return False
        text = path.read_bytes().decode("utf-8", "replace")
        return (
            str(truth["contains"]) in text
            if "contains" in truth
            else _dug(text, truth["key"]) == truth["equals"]
        )


def _dug(text: str, key: str) -> Any:
    try:
        data = json.loads(text)
        for part in key.split("."):
            data = data[int(part)] if isinstance(data, list) else data[part]
    except (ValueError, LookupError, TypeError):
        return None
    return data


def cases_in(folder: Path) -> list[ClaimingCase]:
    """The cases of a folder, by name. Raises msgspec.ValidationError for one that is not as it has to be."""
    files = sorted((*folder.glob("*.json"), *folder.glob("*/case.json")))
    found = [msgspec.json.decode(each.read_bytes(), type=ClaimingCase) for each in files]
    return [msgspec.structs.replace(case, source=str(file)) for case, file in zip(found, files, strict=True)]
