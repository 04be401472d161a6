"""Clauses about commands in a terminal and what they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from desktop_agent.llm.offline import apps
from desktop_agent.llm.offline.files_said import FILE, file_of
from desktop_agent.llm.offline.intents import Intent, Open
from desktop_agent.llm.offline.intents_desk import ListFiles, RunCommand
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule
from desktop_agent.support import paths

_TERMINAL = r"(?:(?:a|the|my)\s+)?(?:new\s+)?(?:terminal(?:\s+(?:window|emulator))?|console|shell|command\s+(?:line|prompt)|xterm)"
_RUN = r"(?:run|execute|do|try|issue|give|call)"
_COMMAND = r"(?:(?:the|this)\s+)?(?:(?:shell|terminal|linux|unix)\s+)?command:?\s+"
_OUTPUT = r"(?:(?:the|its|their|this|that)\s+)?(?:output|result|what\s+(?:it|that|this|the\s+command)\s+(?:prints?|says?|outputs?|shows?)|listing|list|answer)"
_KEEP = r"(?:save|write|store|put|redirect|send|keep|record|dump|pipe|export)"
TELLS = re.compile(
    r"(?:(?:me\s+)?what\s+)?(?:(?:it|that|this|the\s+(?:command|terminal))\s+)?(?:prints?|says?|outputs?|shows?|returns?|answers?|displays?|comes\s+out|is\s+printed|came\s+out|gives?)(?:\s+(?:back|out|there|on\s+the\s+screen))?"
    r"|(?:(?:the|its)\s+)?(?:output|result|answer|version|number|outcome)(?:\s+(?:there|of\s+(?:it|that|the\s+command)))?|it|it\s+(?:prints|says)",
    re.I,
)
"""What somebody wants to be told after a command: what it prints."""


def _command(text: str, masked: Masked) -> str:
    literal, quoted = masked.literal(text.strip())
    return literal if quoted else masked.restore(text).strip().rstrip(",;")


def _run(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    command = _command(found["command"], masked)
    return (RunCommand(command),) if command else None


def _ask(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "What does the command date print?" (without such a word it may be about anything)."""
    command = found["command"] or (found["command2"] if re.search(rf"{_TERMINAL}$", found[0], re.I) else "")
    return (RunCommand(_command(command, masked), tell=True),) if command else None


def _run_keep(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    file, command = file_of(found, masked), _command(found["command"], masked)
    return (RunCommand(command, False, *file),) if file and command else None


def inside(place: str, inner: tuple[Intent, ...]) -> tuple[Intent, ...] | None:
    """What is opened or listed "in the terminal" is a command; None for anything else."""
    if apps.sort_of(place) != "terminal":
        return None
    first = inner[0]
    if isinstance(first, Open):
        return (RunCommand(first.what), *inner[1:])
    if isinstance(first, ListFiles):
        return (RunCommand(f"ls {_typed(first.folder)}"), *inner[1:])
    return None


def _typed(folder: str) -> str:
    """A folder as it is written in a command."""
    head, _, rest = folder.partition("/")
    if head not in paths.USUAL:
        return folder
    path = paths.of_user(head) / rest
    if not path.is_relative_to(Path.home()):
        return shlex.quote(str(path))
    return "~/" + shlex.quote(path.relative_to(Path.home()).as_posix())


def keep_output(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Save its output in listing.txt", of the command before: the empty command stands for that one."""
    file = file_of(found, masked)
    return (RunCommand("", False, *file),) if file else None


RULES: tuple[Rule, ...] = (
    _rule(rf"{_RUN}\s+(?:{_COMMAND})?(?P<command>{QUOTED}|.+?)\s+in\s+{_TERMINAL},?\s+and\s+{_KEEP}\s+{_OUTPUT}\s+(?:in|into|to|as|under)\s+{FILE}", _run_keep),
    _rule(rf"(?:in|on|with|using)\s+{_TERMINAL},?\s+{_RUN}\s+(?:{_COMMAND})?(?P<command>{QUOTED}|.+)", _run),
    _rule(rf"{_RUN}\s+(?:{_COMMAND})?(?P<command>{QUOTED}|.+?)\s+(?:in|on|from|with|using)\s+{_TERMINAL}", _run),
    _rule(rf"(?:use|take)\s+{_TERMINAL}\s+to\s+(?:run|execute|do|call)\s+(?:{_COMMAND})?(?P<command>{QUOTED}|.+)", _run),
    _rule(rf"what\s+does\s+(?:{_COMMAND}(?P<command>{QUOTED}|.+?)|(?P<command2>{QUOTED}|.+?))\s+(?:print|say|output|show|return|give)(?:\s+(?:in|on)\s+{_TERMINAL})?", _ask),
    _rule(rf"{_RUN}\s+{_COMMAND}(?P<command>{QUOTED}|.+)", _run),
    _rule(rf"{_KEEP}\s+(?:(?:the|its|their|this|that)\s+)?(?:output|listing|what\s+(?:it|that|this|the\s+command)\s+(?:prints?|says?|outputs?|shows?))(?:\s+(?:of\s+(?:it|that|the\s+command)|there))?\s+(?:in|into|to|as|under)\s+(?:(?:a|the)\s+(?:new\s+)?(?:text\s+)?file\s+(?:called|named)\s+)?{FILE}", keep_output),
)  # fmt: skip
