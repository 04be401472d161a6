"""`desktop-agent endpoint`: a shell in a window that takes keystrokes over HTTP, as a computer at the end of a wire would.

Exit codes: 0 ended, 1 failed, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from desktop_agent.commands.run_command import run_command
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError
from desktop_agent.startup.exit_code import DONE
from desktop_agent.support import config, log_file, optional_package, paths
from desktop_agent.support.config import EndpointSettings
from desktop_agent.support.language import language_of_system, tr, use_language
from desktop_agent.support.loopback_access import new_token
from desktop_agent.support.operating_system import LINUX

if TYPE_CHECKING:
    from desktop_agent.extras.camera.endpoint.endpoint_server import EndpointServer
    from desktop_agent.extras.camera.endpoint.persistent_shell import PersistentShell

EXAMPLES = (("endpoint", "a shell in a window that takes keys over HTTP, as another computer would"),)

PORT = 8438
TOKEN_VARIABLE = "DESKTOP_AGENT_WIRE_TOKEN"  # noqa: S105 - the name of the variable
LEAST_TOKEN = 16
_NEEDED = ("fastapi", "uvicorn", "pyte")
_TOKEN_FROM = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")
_ENDING = (signal.SIGINT, signal.SIGTERM)


class EndpointToken(NamedTuple):
    """What a request has to bring ("" for nothing), and whether the user knows it already."""

    value: str
    is_known: bool


def main(words: Sequence[str]) -> int:
    """Serve until Ctrl+C, or until the window is closed; the shell ends with it, and all that it has begun."""
    given = _parser().parse_args(list(words))
    log_file.set_up(paths.logs())
    return run_command("endpoint", lambda: _act(given), ConfigError)


def _act(given: argparse.Namespace) -> int:
    if not LINUX:
        raise ConfigError("The endpoint needs Linux: a shell on a pseudo-terminal, in a sandbox of its own.")
    for package in _NEEDED:
        optional_package.require(package, "the endpoint", "endpoint")
    try:
        return _run(given)
    except OSError as error:
        raise DesktopAgentError(f"The shell could not be started: {error}.") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent endpoint",
        description="A shell in a window that takes keystrokes over HTTP: it stands for a computer that is typed to over a "
        "wire and seen through a camera. It is reached from this computer alone, by whoever has its token, and its shell is "
        "in a sandbox, unless you say otherwise.",
    )
    add = parser.add_argument
    add(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"the port (usually {PORT}; 0 for any that is free)",
    )
    add(
        "--listen",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="an address by which other computers reach it",
    )
    add(
        "--token-from",
        metavar="env:NAME",
        help="the token that requests must bring; else a new one is made and printed",
    )
    add("--no-token", action="store_true", help="let every program of this computer type")
    add(
        "--folder",
        type=Path,
        metavar="DIR",
        help="the folder the shell works in; else a new one in the data folder",
    )
    add("--shell", default="", metavar="PROGRAM", help="the shell (usually yours)")
    add("--no-sandbox", action="store_true", help="let the shell do whatever you can do")
    add("--restart", action="store_true", help="start another shell when one has ended")
    add("--no-window", action="store_true", help="show it nowhere")
    add("--full-screen", action="store_true", help="the shell alone on the whole screen (F11)")
    add("--calibration", action="store_true", help="begin with the page that a camera is set up by (F9)")
    for name in ("columns", "rows"):
        add(f"--{name}", type=int, metavar="N", help=f"the terminal's {name}")
    add("--font-size", type=int, metavar="N", help="in pixels; 0: as large as columns and rows have room for")
    add("--font", metavar="NAME", help="a font whose letters are all alike in width")
    add("--theme", choices=("dark", "light", "contrast"), help="how it looks")
    add("--config", metavar="FILE", help="a config file instead of the usual one")
    return parser


# ---- what is served ------------------------------------------------------------------------------


def _run(given: argparse.Namespace) -> int:
    settings = config.load(config.find_file(given.config, paths.of_config()))
    use_language(language_of_system() if settings.window.language == "system" else settings.window.language)
    look = _look(settings.endpoint, given)
    token = _token(given)
    if not given.no_window:
        _require_display()
    from desktop_agent.extras.camera.endpoint.persistent_shell import PersistentShell, ShellStart
    from desktop_agent.extras.camera.endpoint.terminal_shell import chosen_shell

    sandboxed = not given.no_sandbox
    with _folder(given.folder, sandboxed) as folder:
        start = ShellStart(
            chosen_shell(given.shell, sandboxed), folder, sandboxed, look.columns, look.rows, given.restart
        )
        shell = PersistentShell(start)
        try:
            return (_headless if given.no_window else _in_window)(shell, look, token, given)
        finally:
            shell.end()


def _headless(
    shell: PersistentShell, _: EndpointSettings, token: EndpointToken, given: argparse.Namespace
) -> int:
    from desktop_agent.extras.camera.endpoint.endpoint_app import create_app
    from desktop_agent.extras.camera.endpoint.endpoint_server import EndpointServer

    ended = threading.Event()
    server = EndpointServer(create_app(shell), token.value, given.port, given.listen)
    with _asked_to_end(ended.set):
        try:
            shell.start()
            server.start()
            _tell(server, token, given)
            ended.wait()
        finally:
            server.end()
    return DONE


def _in_window(
    shell: PersistentShell, look: EndpointSettings, token: EndpointToken, given: argparse.Namespace
) -> int:
    from PySide6.QtCore import QTimer

    from desktop_agent.extras.camera.endpoint.endpoint_app import create_app
    from desktop_agent.extras.camera.endpoint.endpoint_server import EndpointServer
    from desktop_agent.extras.camera.endpoint.terminal_window import (
        BarWords,
        TerminalWindow,
        waking_for_signals,
    )
    from desktop_agent.ui.run_window import make_app

    app = make_app()
    window = TerminalWindow(shell, look)
    server = EndpointServer(create_app(shell, window), token.value, given.port, given.listen)
    window.say(BarWords(_who(server), "" if shell.sandboxed else tr("not in a sandbox")))
    asked = threading.Event()

    def end() -> None:
        asked.set()
        app.quit()

    with _asked_to_end(end), waking_for_signals():
        try:
            shell.start()
            server.start()
            if given.calibration:
                window.show_calibration(True)
            if given.full_screen:
                window.showFullScreen()
            else:
                window.show()
            _tell(server, token, given)
            # Qt forgets a wish to quit that came before its loop runs.
            QTimer.singleShot(0, lambda: app.quit() if asked.is_set() else None)
            app.exec()
        finally:
            server.end()
            window.close()
    return DONE


@contextmanager
def _asked_to_end(end: Callable[[], object]) -> Iterator[None]:
    """Call `end` for Ctrl+C and when the process is asked to end, as long as the block lasts."""
    before = {number: signal.signal(number, lambda *_: end()) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ---- what is chosen ------------------------------------------------------------------------------


def _look(settings: EndpointSettings, given: argparse.Namespace) -> EndpointSettings:
    """The settings with what the command line says instead. Raises ConfigError."""
    said = {
        name: getattr(given, name)
        for name in ("columns", "rows", "font_size", "font", "theme")
        if getattr(given, name) is not None
    }
    try:
        return msgspec.convert({**msgspec.structs.asdict(settings), **said}, EndpointSettings)
    except msgspec.ValidationError as error:
        words, _, where = str(error).partition(" - at `$.")
        name = where.rstrip("`").replace("_", "-")
        raise ConfigError(f"--{name}: {words}.", "See desktop-agent endpoint --help.") from error


def _token(given: argparse.Namespace) -> EndpointToken:
    """Raises ConfigError."""
    if given.no_token:
        if given.token_from:
            raise ConfigError("Both a token and none are asked for.", "Leave out --token-from or --no-token.")
        return EndpointToken("", True)
    if not given.token_from:
        return EndpointToken(new_token(), False)
    found = _TOKEN_FROM.fullmatch(given.token_from)
    if found is None:
        raise ConfigError(
            "--token-from says where the token is, never what it is.",
            f"As in --token-from env:{TOKEN_VARIABLE}",
        )
    value = os.environ.get(found[1], "")
    if len(value) < LEAST_TOKEN or not value.isascii() or not value.isprintable() or " " in value:
        raise ConfigError(
            f"The variable {found[1]} holds no token.",
            f"It has {LEAST_TOKEN} characters or more, without blanks; or leave out --token-from, and one is made.",
        )
    return EndpointToken(value, True)


@contextmanager
def _folder(chosen: Path | None, sandboxed: bool) -> Iterator[Path]:
    """The folder the shell works in; a new one goes where nothing was left in it. Raises ConfigError, OSError."""
    from desktop_agent.extras.camera.endpoint.terminal_shell import remove_if_empty
    from desktop_agent.platforms.posix import bubblewrap

    if chosen is not None:
        folder = chosen.expanduser().resolve()
        if not folder.is_dir():
            raise ConfigError(f"There is no folder {folder}.", "Make it, or name another: --folder DIR")
        yield folder
        return
    above = paths.data() / "endpoint"
    above.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=time.strftime("%Y-%m-%d-%H%M-"), dir=above))
    if sandboxed:
        bubblewrap.give(folder)
    try:
        yield folder
    finally:
        remove_if_empty(folder)


def _require_display() -> None:
    from desktop_agent.startup.assembly import has_display

    if not has_display():
        raise ConfigError("There is no display here for a window.", "Show it nowhere: --no-window")


# ---- what is said --------------------------------------------------------------------------------


def _who(server: EndpointServer) -> str:
    """Who may type, for the window's bar."""
    if not server.token:
        return tr("Any program of this computer types here: {address}").format(address=server.address)
    if server.is_of_this_computer:
        return tr("Typed to from this computer, with its token: {address}").format(address=server.address)
    return tr("Typed to over the network, with its token: {address}").format(address=server.address)


def _tell(server: EndpointServer, token: EndpointToken, given: argparse.Namespace) -> None:
    """Address and token, once; and in words whatever is less safe than usual."""
    if given.no_sandbox:
        _warn(tr("The shell is in no sandbox: whoever types here can do whatever you can."))
    if not token.value:
        _warn(tr("There is no token: every program and every user of this computer can type here."))
    if not server.is_of_this_computer:
        _warn(tr("Other computers can reach it, and the network carries keys and token unencrypted."))
    print(tr("Keys are taken at {address}").format(address=server.address))
    if not token.is_known:
        print(
            tr("For who is to type, in another terminal (it is kept nowhere, and another at the next start):")
        )
        print(f"  export {TOKEN_VARIABLE}={token.value}")
    print(tr("Ctrl+C ends it."), flush=True)


def _warn(words: str) -> None:
    print(f"! {words}", file=sys.stderr, flush=True)
