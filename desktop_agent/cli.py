"""The command line: what may be said there, and what the exit codes mean.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped by the human, 4 needs the user.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from desktop_agent import __version__
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.instance_request import REQUESTS
from desktop_agent.protocol.permission import INPUT_KINDS, LEVELS, short_level
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.exit_code import FAILED, NEEDS_USER, USAGE
from desktop_agent.startup.installation import machine_commands
from desktop_agent.startup.installation.known_system import require_known_system

if TYPE_CHECKING:
    from desktop_agent.app import ClientServer

MOST_TASK = 100_000
_COMMAND = re.compile(r"[a-z][a-z-]*")
_OF_EXTRAS = {
    "camera": ("calibrate", "endpoint", "gadget"),
    "avis": ("scene",),
    "console": ("agents", "console"),
    "fleet": ("fleet",),
    "mcp": ("mcp",),
    "project": ("new",),
}
"""The sub-commands of the extras: without its extra, such a word must not be taken for a goal."""
_UNITS = {"s": 1 / 60, "m": 1.0, "h": 60.0}
_EPILOG = """\
examples:
  desktop-agent                                   open the chat window
  desktop-agent "open the text editor"            open it and start
  desktop-agent --no-window "press ctrl+l"        without the window, with the live feed here
  desktop-agent --project DIR "mend the tests"    work a directory by commands in a sandbox
  desktop-agent --ask stop                        stop the one that is open here (a key of your desktop may run this)
  desktop-agent --resume FOLDER                   go on with a run that was cut short
  desktop-agent autostart on                      start quietly at log-on (off, status)
  desktop-agent desktop-entry install             show it among the programs (remove; Linux)
  desktop-agent licences                          the licences of all its parts
{commands}

targets: {targets}
models: {models}

exit codes: 0 done, 1 failed (also a hand or guard that was killed), 2 wrong usage, 3 stopped by you, 4 needs you
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        command = _command(words[0]) if words else None
    except ConfigError as error:
        print(f"desktop-agent: {error}", file=sys.stderr)
        return USAGE
    return command(words[1:]) if command is not None else run_program(parse(words))


def _command(word: str) -> Callable[[Sequence[str]], int] | None:
    """The sub-command of that name, None where the word is a goal or an option."""
    if not _COMMAND.fullmatch(word):
        return None
    if word in machine_commands.NAMES:
        return partial(machine_commands.run, word)
    from desktop_agent.support import plugins

    module = plugins.find("command", word)
    if module is not None:
        return cast(Callable[[Sequence[str]], int], module.main)
    extra = next((extra for extra, words in _OF_EXTRAS.items() if word in words), None)
    if extra is not None:
        raise ConfigError(
            f"`{word}` belongs to the extra “{extra}”, which is not here.", "Install the whole program."
        )
    return None


def run_program(arguments: Arguments, server: ClientServer | None = None) -> int:
    """Run what the arguments ask for, with a `server` for its client; returns the exit code, with the words of an error on stderr."""
    try:
        require_known_system()
        from desktop_agent.app import run  # building the program loads its parts; --help need not

        return run(arguments, server)
    except DesktopAgentError as error:
        print(f"desktop-agent: {error}", file=sys.stderr)
        return _code_of(error)


def _code_of(error: DesktopAgentError) -> int:
    from desktop_agent.startup.settings_confirmation import NotConfirmed  # loads more than --help needs

    if isinstance(error, NotConfirmed):
        return NEEDS_USER
    return USAGE if isinstance(error, ConfigError) else FAILED


def refuse_usage(program: str, why: str) -> NoReturn:
    """Exit with 2, the usage and why it is wrong."""
    _parser(program).error(why)


def parse(words: Sequence[str], program: str = "desktop-agent") -> Arguments:
    """Understand the words after the program's name. Exits with 2 and a message when they are wrong."""
    parser = _parser(program)
    given = parser.parse_args(list(words))
    if given.goal is not None and not given.goal.strip():
        parser.error("the goal is empty: say what shall be done")
    if given.resume and given.goal is not None:
        parser.error("a run that goes on has its goal already: say either GOAL or --resume")
    if given.task is not None:
        if given.goal is not None or given.resume:
            parser.error("the task is the goal: say one of GOAL, --task and --resume")
        given.goal = _task(parser, given.task)
    return Arguments(
        goal=given.goal,
        window=not given.no_window and not given.json,
        json=given.json,
        target=given.target,
        model=given.model,
        step=given.step,
        permission=given.permission,
        region=given.region,
        timeout=given.timeout,
        max_steps=given.max_steps,
        allow=tuple(given.allow),
        grant_minutes=given.grant_minutes,
        grant_applications=tuple(given.grant_applications),
        grant_inputs=tuple(given.grant_inputs),
        project=given.project,
        config=given.config,
        trust_config=given.trust_config,
        send_key=tuple(given.send_key),
        resume=given.resume,
        quietly=given.quietly,
        ask=given.ask,
    )


def _task(parser: argparse.ArgumentParser, name: str) -> str:
    """The text of a task's file."""
    try:
        text = Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        parser.error(
            f"the task {name} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}"
        )
    if not text.strip() or len(text) > MOST_TASK:
        parser.error(
            f"the task {name} is empty"
            if not text.strip()
            else f"the task {name} has more than {MOST_TASK} characters"
        )
    return text


class _Parser(argparse.ArgumentParser):
    """Names the sub-commands, targets and models that it finds, and looks for them only to show the help."""

    def format_help(self) -> str:
        from desktop_agent.support import plugins  # finding them imports them

        commands = (each.module for each in plugins.discover("command"))
        examples = (each for command in commands for each in getattr(command, "EXAMPLES", ()))
        self.epilog = _EPILOG.format(
            commands="\n".join(f"  desktop-agent {words:33} {meaning}" for words, meaning in examples),
            targets=", ".join(plugins.names("target")),
            models=", ".join(plugins.names("llm")),
        )
        return super().format_help()


def _parser(program: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=program,
        description="A desktop coworker: say a goal in plain words; press Esc to stop it at any moment.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("goal", nargs="?", metavar="GOAL", help="what shall be done, in plain words")
    add("--no-window", action="store_true", help="no chat window: the live feed is printed here")
    add("--json", action="store_true", help="print every event as one JSON line (implies --no-window)")
    add(
        "--target",
        metavar="NAME",
        help="where to act, as in local (the display there is) or display (an embedded one); all are listed below",
    )
    add(
        "--model",
        metavar="NAME",
        help="who thinks, as in offline or openai:NAME; all are listed below",
    )
    add("--step", choices=["off", "action", "plan"], help="ask before each action or plan step")
    add(
        "--permission",
        metavar="LEVEL",
        type=short_level,
        choices=LEVELS,
        help="simulation_only: look only; restricted: ask before what may do harm; full: ask only about texts read somewhere",
    )
    add(
        "--for",
        dest="grant_minutes",
        type=_minutes,
        metavar="TIME",
        help="how long the permission counts in a run, as in 10m, 90s or 2h; afterwards everything is asked about",
    )
    add(
        "--in",
        dest="grant_applications",
        action="append",
        default=[],
        metavar="PATTERN",
        help="the applications it counts in, as in 'gedit*'; may be given several times; all others are asked about",
    )
    add(
        "--with",
        dest="grant_inputs",
        action="append",
        default=[],
        choices=INPUT_KINDS,
        help="the kind of input it counts for; may be given several times; all others are asked about",
    )
    add(
        "--allow",
        action="append",
        default=[],
        metavar="KIND:WHAT[:HOW]",
        help="where it may work without asking, as in app:mousepad, site:https://shop.example:fill or "
        "folder:~/Documents; HOW is look, fill or act (the default); may be given several times",
    )
    add(
        "--project",
        metavar="DIR",
        help="work this directory by commands in a sandbox: bash, Python, an editor and the modules in its env folder",
    )
    add("--task", metavar="FILE", help="the goal, and examples if you like, from a text file")
    add("--region", type=_region, metavar="X,Y,W,H", help="see and act only in this part of the screen")
    add("--timeout", type=_seconds, metavar="S", help="seconds the run may take")
    add("--max-steps", type=_count, metavar="N", help="turns of the model in the run")
    add("--config", metavar="FILE", help="a config file instead of the usual one")
    add(
        "--trust-config",
        metavar="SHA256",
        help="confirm what the config file with this SHA-256 (its first 16 characters or more) widens",
    )
    add(
        "--send-key",
        metavar="MODEL:HOST",
        action="append",
        default=[],
        help="let the key of a model go to another host than its own, as in openai:proxy.example",
    )
    add(
        "--resume",
        metavar="FOLDER",
        default="",
        help="go on with a run that was cut short, by its folder or its name; what you approved then is asked anew",
    )
    add(
        "--quietly",
        action="store_true",
        help="open the window without taking the keyboard, or in the tray where it is kept (as at log-on)",
    )
    add(
        "--ask",
        metavar="WHAT",
        choices=REQUESTS,
        help="ask it of the agent that is open on this screen: show, history, settings or stop; "
        "where none is open, all but stop open it",
    )
    add("--version", action="version", version=f"desktop-agent {__version__}")
    return parser


def _region(text: str) -> Rect:
    try:
        x, y, width, height = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not X,Y,W,H in whole pixels, like 0,0,800,600"
        ) from None
    if width < 1 or height < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: width and height must be at least 1")
    return Rect(x, y, width, height)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from above 0 to 86400")
    return value


def _minutes(text: str) -> float:
    """`10m`, `90s`, `2h` or a number of minutes, a day at most."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "m")
    try:
        minutes = float(number) * _UNITS[unit]
    except ValueError:
        minutes = math.nan
    if not 0 < minutes <= _UNITS["h"] * 24:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time such as 10m, 90s or 2h, from above 0 to 24h"
        )
    return minutes


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 10000")
    return int(text)
