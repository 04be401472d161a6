"""`desktop-agent agents`: lists, makes, renames, deletes and runs agents that each have a computer of their own.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped by you, 4 needs you.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from desktop_agent.commands.run_command import run_command
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.exit_code import DONE, FAILED, USAGE
from desktop_agent.support import log_file, paths
from desktop_agent.support.terminal_text import one_line

if TYPE_CHECKING:
    from desktop_agent.extras.console.agents.agent_folders import AgentFolders
    from desktop_agent.extras.console.agents.roster import Roster

EXAMPLES = (("agents", "agents that each have a computer of their own"),)


def main(words: Sequence[str], folders: AgentFolders | None = None) -> int:
    """Carry out what the arguments say, with the agents of the program's data folder unless told."""
    from desktop_agent.extras.console.agents.agent_folders import AgentFolders

    given = _parser().parse_args(list(words) or ["list"])
    return run_command(
        "agents", lambda: given.act(given, folders or AgentFolders(paths.data())), Refused, ConfigError
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent agents",
        description="Agents that each have a computer, a home and a memory of their own. Without a command they are listed.",
    )
    commands = parser.add_subparsers(metavar="{list,create,rename,delete,trash,restore,run}")

    def command(name: str, act: Callable[..., int], words: str, *arguments: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        for each in arguments:
            found.add_argument(each)
        found.set_defaults(act=act)
        return found

    command("list", _list, "list the agents")
    command("create", _create, "make an agent").add_argument("name", nargs="?", default="")
    command("rename", _rename, "give an agent another name", "name", "new_name")
    for_good = command("delete", _delete, "put an agent into the trash; asks unless --yes is given", "name")
    for_good.add_argument("--yes", action="store_true", help="do not ask")
    emptied = command("trash", _trash, "list what is in the trash, or delete one of it for good")
    emptied.add_argument(
        "delete", nargs="?", metavar="NAME", help="delete this one for good; asks unless --yes is given"
    )
    emptied.add_argument("--yes", action="store_true", help="do not ask")
    command("restore", _restore, "bring an agent back from the trash", "name")
    runs = command("run", _run, "run an agent here until its goal is reached; Ctrl+C stops it", "name")
    runs.add_argument("goal", metavar="GOAL", help="what shall be done, in plain words")
    for option in ("target", "model", "permission", "config"):
        runs.add_argument(f"--{option}", metavar="NAME" if option != "config" else "FILE")
    return parser


def _list(given: argparse.Namespace, folders: AgentFolders) -> int:  # noqa: ARG001 - as every command
    found = _watching(folders).agents()
    if not found:
        print("There are no agents. Make one: desktop-agent agents create")
    width = max((len(each.name) for each in found), default=0)
    for each in found:
        words = "runs in another process" if each.state == "elsewhere" else each.state
        print(f"{each.name:<{width}}  {words}  {one_line(each.goal)}".rstrip())
    return DONE


def _create(given: argparse.Namespace, folders: AgentFolders) -> int:
    made = folders.create(given.name)
    print(f"{made.name}: its home is {made.workspace}")
    return DONE


def _rename(given: argparse.Namespace, folders: AgentFolders) -> int:
    _watching(folders).rename(given.name, given.new_name)
    return DONE


def _delete(given: argparse.Namespace, folders: AgentFolders) -> int:
    folders.agent(given.name)
    if not given.yes and not _agreed(
        f"Put {given.name}, with its home and all it remembers, into the trash?"
    ):
        return USAGE
    place = _watching(folders).trash(given.name)
    print(f"It is in the trash as {place}. Back: desktop-agent agents restore {place}")
    return DONE


def _trash(given: argparse.Namespace, folders: AgentFolders) -> int:
    if given.delete is None:
        for place in folders.trashed():
            print(place)
        return DONE
    if given.delete not in folders.trashed():
        raise Refused(f"There is no {given.delete!r} in the trash.", "List it: desktop-agent agents trash")
    if not given.yes and not _agreed(f"Delete {given.delete} for good?"):
        return USAGE
    folders.delete(given.delete)
    return DONE


def _restore(given: argparse.Namespace, folders: AgentFolders) -> int:
    print(f"{folders.restore(given.name).name} is back.")
    return DONE


def _agreed(question: str) -> bool:
    """Ask at the terminal; where nobody can answer, no."""
    from desktop_agent.startup.windows_console import can_answer

    if not can_answer(sys.stdin):
        print(f"{question} Nobody is here to say so: give --yes.", file=sys.stderr)
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _watching(folders: AgentFolders) -> Roster:
    """A roster that runs nothing."""
    from desktop_agent.extras.console.agents.roster import Roster

    def build(*_: object) -> None:
        raise Refused("Nothing is run here.")

    return Roster(folders, build)  # type: ignore[arg-type]


def _run(given: argparse.Namespace, folders: AgentFolders) -> int:
    """Run one agent in this process, as `--no-window` does: the feed is printed, questions are asked here."""
    from desktop_agent.app import prepared_settings
    from desktop_agent.extras.console.agent_assembly import agent_builder
    from desktop_agent.headless import run_headless, text_printer
    from desktop_agent.startup.windows_console import can_answer
    from desktop_agent.support.confirmed_settings import ConfirmedSettings

    log_file.set_up(paths.logs())
    arguments = Arguments(
        window=False, target=given.target, model=given.model, permission=given.permission, config=given.config
    )
    settings = prepared_settings(arguments, ConfirmedSettings(paths.data()), windowed=False)
    if settings is None:
        return FAILED
    from desktop_agent.extras.console.agents.roster import Roster

    roster = Roster(folders, agent_builder(settings, arguments))
    with roster.held(given.name) as port:
        return run_headless(
            port, given.goal, text_printer(sys.stdout), sys.stdin if can_answer(sys.stdin) else None
        )
