"""`desktop-agent console`: serves the page on which agents are watched and steered, on this computer alone.

Exit codes: 0 ended, 1 failed, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from desktop_agent.commands.run_command import run_command
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.exit_code import DONE, FAILED
from desktop_agent.support import log_file, optional_package, paths

EXAMPLES = (("console", "a page to watch and steer them in a browser"),)

PORT = 8437
_NEEDED = ("fastapi", "uvicorn", "websockets", "novnc")


def main(words: Sequence[str]) -> int:
    """Serve until Ctrl+C; the agents that ran last time run again, and end with it."""
    given = _parser().parse_args(list(words))
    log_file.set_up(paths.logs())
    return run_command("console", lambda: _serve(given), ConfigError)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent console",
        description="A page to watch and steer agents, each with a computer of its own. It is served on this computer alone; "
        "its address holds a token that is another at every start.",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"the port (usually {PORT}; 0 for any that is free)",
    )
    for option in ("target", "model", "permission"):
        parser.add_argument(f"--{option}", metavar="NAME", help="for all agents that are started there")
    parser.add_argument("--config", metavar="FILE", help="a config file instead of the usual one")
    return parser


def _serve(given: argparse.Namespace) -> int:
    for package in _NEEDED:
        optional_package.require(package, "the console", "console")
    from desktop_agent.app import prepared_settings
    from desktop_agent.extras.console.agent_assembly import agent_builder
    from desktop_agent.extras.console.agents.agent_folders import AgentFolders
    from desktop_agent.extras.console.agents.roster import Roster
    from desktop_agent.extras.console.page.console_server import Console
    from desktop_agent.support.confirmed_settings import ConfirmedSettings

    arguments = Arguments(
        window=False, target=given.target, model=given.model, permission=given.permission, config=given.config
    )
    settings = prepared_settings(arguments, ConfirmedSettings(paths.data()), windowed=False)
    if settings is None:
        return FAILED
    roster = Roster(AgentFolders(paths.data()), agent_builder(settings, arguments))
    console = Console(roster, given.port)
    try:
        for name in roster.bring_back():
            print(f"{name} could not be started again; the log says why.", file=sys.stderr)
        console.serve(
            lambda: print(
                f"Open in a browser on this computer: {console.address}\nCtrl+C ends it.", flush=True
            )
        )
    except KeyboardInterrupt:
        pass
    finally:
        roster.close()
    return DONE
