"""The command line: what may be said there, and what the exit codes mean.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped by the human, 4 needs the user.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from desktop_agent import __version__
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.instance_request import REQUESTS
from desktop_agent.protocol.permission import INPUT_KINDS, LEVELS, short_level
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.exit_code import FAILED, NEEDS_USER, USAGE
from desktop_agent.startup.installation import machine_commands
from desktop_agent.startup.installation.known_system import require_known_system

MOST_TASK = 100_000
_UNITS = {"s": 1 / 60, "m": 1.0, "h": 60.0}
_EPILOG = """\
examples:
  desktop-agent                                   open the chat window
  desktop-agent "open the text editor"            open it and start
  desktop-agent --no-window "press ctrl+l"        without the window, with the live feed here
  desktop-agent --project DIR "mend the tests"    work a directory by commands in a sandbox
  desktop-agent new environment NAME              a module for a project's env folder: commands of its own
  desktop-agent --ask stop                        stop the one that is open here (a key of your desktop may run this)
  desktop-agent --resume FOLDER                   go on with a run that was cut short
  desktop-agent doctor                            what works on this machine
  desktop-agent doctor --deep                     the same, and tries this desktop: asks before it does
  desktop-agent models                            which models are here, what each can do and costs
  desktop-agent mcp                               serve an MCP client on stdin and stdout, under the same rules
  desktop-agent console                           a page to watch and steer them in a browser
  desktop-agent endpoint                          a shell in a window that takes keys over HTTP, as another computer would
  desktop-agent agents                            agents that each have a computer of their own
  desktop-agent fleet run GOALS                   many goals over many desktops (Ray)
  desktop-agent scene [NAME]                      simulated desktops: list them, work one yourself, --edit one
  desktop-agent gadget setup                      be the USB keyboard and mouse of another computer (remove, status)
  desktop-agent calibrate --camera SOURCE         set up a camera that looks at a screen; --page writes what it has to see
  desktop-agent runs [WORD]                       earlier runs: list, show, export, delete
  desktop-agent verify FOLDER                     whether the log of a run is whole
  desktop-agent schema                            the JSON Schema of a model's replies
  desktop-agent autostart on                      start quietly at log-on (off, status)
  desktop-agent desktop-entry install             show it among the programs (remove; Linux)
  desktop-agent licences                          the licences of all its parts

targets: {targets}
models: {models}

exit codes: 0 done, 1 failed (also a hand or guard that was killed), 2 wrong usage, 3 stopped by you, 4 needs you
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["doctor"]:
        return _doctor(words[1:])
    if words[:1] == ["console"]:
        return _console(words[1:])
    if words[:1] == ["endpoint"]:
        return _endpoint(words[1:])
    if words[:1] == ["agents"]:
        return _agents(words[1:])
    if words[:1] == ["fleet"]:
        return _fleet(words[1:])
    if words[:1] == ["new"]:
        return _new(words[1:])
    if words[:1] == ["scene"]:
        return _scene(words[1:])
    if words[:1] == ["gadget"]:
        return _gadget(words[1:])
    if words[:1] == ["calibrate"]:
        return _calibrate(words[1:])
    if words[:1] == ["runs"]:
        return _runs(words[1:])
    if words[:1] == ["verify"]:
        return _verify(words[1:])
    if words[:1] == ["schema"]:
        return _schema(words[1:])
    if words[:1] == ["models"]:
        return _models(words[1:])
    if words[:1] and words[0] in machine_commands.NAMES:
        return machine_commands.run(words)
    serves = words[:1] == ["mcp"]
    arguments = for_mcp(words[1:]) if serves else parse(words)
    return _serve(arguments) if serves else _run(arguments)


def _run(arguments: Arguments) -> int:
    try:
        require_known_system()
        from desktop_agent.app import run  # building the program loads its parts; --help need not

        return run(arguments)
    except DesktopAgentError as error:
        print(f"desktop-agent: {error}", file=sys.stderr)
        return _code_of(error)


def _serve(arguments: Arguments) -> int:
    """Serve an MCP client, and end the process: a thread that still reads stdin would keep it."""
    with contextlib.redirect_stdout(sys.stderr):  # until the protocol takes stdout
        code = _run(arguments)
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)


def _code_of(error: DesktopAgentError) -> int:
    from desktop_agent.startup.settings_confirmation import NotConfirmed  # loads more than --help needs

    if isinstance(error, NotConfirmed):
        return NEEDS_USER
    return USAGE if isinstance(error, ConfigError) else FAILED


def for_mcp(words: Sequence[str]) -> Arguments:
    """Understand the words after `mcp`: the same options, but no goal. Exits with 2 and a message when they are wrong."""
    given = parse(words, "desktop-agent mcp")
    if given.goal is not None or given.json:
        _parser("desktop-agent mcp").error("the goals come from the MCP client, and stdout is its own")
    return msgspec.structs.replace(given, mcp=True)


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
    """Names the targets and models that are found; they are looked for only when they are asked for."""

    def format_help(self) -> str:
        from desktop_agent.support import plugins  # finding them imports them

        self.epilog = _EPILOG.format(
            targets=", ".join(plugins.names("target")), models=", ".join(plugins.names("llm"))
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


def _doctor(words: list[str]) -> int:
    from desktop_agent.doctor import run_doctor

    parser = argparse.ArgumentParser(prog="desktop-agent doctor", description="What works on this machine.")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--config", metavar="FILE", help="the config file to check")
    parser.add_argument(
        "--deep",
        action="store_true",
        help="try the real desktop too; asks before it takes mouse and keyboard",
    )
    parser.add_argument("--yes", action="store_true", help="with --deep: do not ask")
    given = parser.parse_args(words)
    if given.deep and not given.yes:
        from desktop_agent.doctor.deep import run as deep
        from desktop_agent.startup.windows_console import can_answer

        if not deep.agreed(sys.stdin if can_answer(sys.stdin) else None):
            return USAGE
    return run_doctor(json=given.json, config=given.config, deep=given.deep)


def _models(words: list[str]) -> int:
    from desktop_agent.doctor.model_list import run_models

    description = "The models that are here, what each can do and what it costs."
    parser = argparse.ArgumentParser(prog="desktop-agent models", description=description)
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.add_argument("--config", metavar="FILE", help="a config file instead of the usual one")
    given = parser.parse_args(words)
    return run_models(given.json, given.config)


def _verify(words: list[str]) -> int:
    from desktop_agent.commands.verify_cli import main as run_verify

    return run_verify(words)


def _console(words: list[str]) -> int:
    from desktop_agent.commands.console_cli import main as run_console

    return run_console(words)


def _endpoint(words: list[str]) -> int:
    from desktop_agent.commands.endpoint_cli import main as run_endpoint

    return run_endpoint(words)


def _agents(words: list[str]) -> int:
    from desktop_agent.commands.agents_cli import main as run_agents

    return run_agents(words)


def _fleet(words: list[str]) -> int:
    from desktop_agent.commands.fleet_cli import main as run_fleet

    return run_fleet(words)


def _new(words: list[str]) -> int:
    from desktop_agent.commands.new_cli import main as run_new

    return run_new(words)


def _scene(words: list[str]) -> int:
    from desktop_agent.commands.scene_cli import main as run_scene

    return run_scene(words)


def _gadget(words: list[str]) -> int:
    from desktop_agent.commands.gadget_cli import main as run_gadget

    return run_gadget(words)


def _calibrate(words: list[str]) -> int:
    from desktop_agent.commands.calibrate_cli import main as run_calibrate

    return run_calibrate(words)


def _runs(words: list[str]) -> int:
    from desktop_agent.commands.runs_cli import main as run_runs

    return run_runs(words)


def _schema(words: list[str]) -> int:
    from desktop_agent.protocol.schema import published_schema

    description = "The JSON Schema of a model's replies, with its version."
    argparse.ArgumentParser(prog="desktop-agent schema", description=description).parse_args(words)
    print(json.dumps(published_schema(), indent=2, ensure_ascii=False))
    return 0
