"""Wiring: chooses target and model, builds the agent, and hands it to the window or the terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, cast

import msgspec

from desktop_agent.agent.dependencies import HandProcesses, Parts, Settings
from desktop_agent.agent.policy import policy_tables
from desktop_agent.agent.policy.files.protected_places import ProtectedPlaces
from desktop_agent.agent.policy.scope.scope import parse_grants
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.hand.left_over import clean_up_left_over
from desktop_agent.headless import json_printer, run_headless, text_printer
from desktop_agent.llm.base import Model
from desktop_agent.mcp_server.served_session import ServedSession
from desktop_agent.protocol.dialects.base import Dialect, dialect_of
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.redaction.marked_secrets import keep_marked
from desktop_agent.redaction.redactor import redactor
from desktop_agent.startup import (
    benchmark_marks,
    exit_code,
    preload,
    settings_confirmation,
    settings_dialog,
    single_instance,
    single_instance_dialog,
)
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.session_watch import session_watched
from desktop_agent.startup.settings_confirmation import Ask
from desktop_agent.startup.single_instance import Claim
from desktop_agent.startup.windows_console import can_answer
from desktop_agent.support import config, log_file, optional_package, paths, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings
from desktop_agent.support.operating_system import LINUX, WINDOWS
from desktop_agent.support.private_files import private_folder
from desktop_agent.targets import local
from desktop_agent.targets.base import Address, Target
from desktop_agent.tools.base import Environment
from desktop_agent.tools.files import Files
from desktop_agent.vision.capture.masks import Privacy

_FALLBACK = "offline"
_NO_KEY = (
    "No key found: using the offline model, which understands plain instructions about what is on the screen."
)
_NOTE_SECONDS = 0.3
"""How long servers on this computer are waited for at the start."""


def run(arguments: Arguments) -> int:
    """Build everything the arguments and the config ask for, run it, and return the exit code."""
    log_file.set_up(paths.logs())
    if arguments.mcp:
        optional_package.require("mcp", "an MCP server")
    _close_to_others(paths.data())
    policy_tables.check()
    confirmed = ConfirmedSettings(paths.data())
    windowed = arguments.window and has_display()
    found = _confirmed(arguments, confirmed, windowed)
    if found is None:
        return exit_code.FAILED
    settings = with_arguments(found, arguments)
    settings_confirmation.bind_keys(settings, arguments, confirmed)
    keep_marked(settings.secrets.values, redactor())
    screen = shared_screen(settings)
    claim = single_instance.claim(screen) if screen else None
    if screen and claim is None:
        return _tell_of_the_first(arguments, screen, windowed)
    try:
        return _work(arguments, settings, windowed, claim, confirmed)
    finally:
        if claim is not None:
            claim.close()


def _close_to_others(folder: Path) -> None:
    """Let nobody else read our data, that of earlier versions too; where that fails, what writes there says so."""
    with contextlib.suppress(OSError):
        private_folder(folder)
        private_folder(folder / "runs")


def _confirmed(arguments: Arguments, confirmed: ConfirmedSettings, windowed: bool) -> Config | None:
    """The settings, as far as the user has confirmed them; None where another instance has this screen. Raises ConfigError."""
    loaded = config.load(config.find_file(arguments.config, paths.of_config()))
    found = settings_confirmation.review(loaded, arguments, confirmed)
    if confirmed.problem:
        print(f"desktop-agent: {confirmed.problem}", file=sys.stderr)
    if not found.changes or settings_confirmation.trusted(found, arguments.trust_config):
        return settings_confirmation.accepted(found, confirmed)
    ask = settings_dialog.asker(windowed, _terminal(arguments))
    if ask is None:
        print(f"desktop-agent: {settings_confirmation.unattended(found, arguments)}", file=sys.stderr)
        return settings_confirmation.kept(found, confirmed)
    # Where an agent is at work, it might press the button itself.
    claim = single_instance.claim(screen) if windowed and (screen := _screen("")) else None
    if windowed and claim is None:
        _tell_of_the_first(arguments, screen, windowed)
        return None
    try:
        yes = ask(settings_confirmation.ABOUT_SETTINGS, found.lines)
    finally:
        if claim is not None:
            claim.close()
    if yes:
        return settings_confirmation.accepted(found, confirmed)
    if arguments.goal is not None or not windowed:  # else the window shows the model before anything is said
        settings_confirmation.check_server(found, arguments)
    return settings_confirmation.kept(found, confirmed)


def _tell_of_the_first(arguments: Arguments, screen: str, windowed: bool) -> int:
    if windowed:
        single_instance_dialog.in_window(screen)
    else:
        single_instance_dialog.in_terminal(screen, _terminal(arguments))
    return exit_code.FAILED


def _terminal(arguments: Arguments) -> TextIO | None:
    """Where somebody can answer; never where an MCP client speaks, even if that is a terminal."""
    return sys.stdin if not arguments.mcp and can_answer(sys.stdin) else None


def _work(
    arguments: Arguments,
    settings: Config,
    windowed: bool,
    claim: Claim | None,
    confirmed: ConfirmedSettings,
) -> int:
    given = windowed or arguments.mcp or arguments.resume
    goal = arguments.goal if given else _goal_or_ask(arguments)
    model, note = make_model(settings)
    _ask_about_key(model, settings_dialog.asker(windowed, _terminal(arguments)), confirmed)
    session = build(settings, arguments, windowed, model, note, clean_up_left_over())
    session.subscribe(benchmark_marks.FirstLook())
    with session_watched(session):
        return _run(session, arguments, settings, windowed, goal, claim)


def _run(
    session: AgentSession,
    arguments: Arguments,
    settings: Config,
    windowed: bool,
    goal: str | None,
    claim: Claim | None,
) -> int:
    if isinstance(session, ServedSession):
        return _serve(session, settings, windowed, claim)
    if windowed:
        if arguments.resume:
            session.resume_run(arguments.resume)
        return _run_window(session, settings, goal, claim)
    if claim is not None:
        claim.answer(lambda: False)  # there is no window to show
    if arguments.window:
        print("No display here: working in an embedded one, with the live feed below.", file=sys.stderr)
    printer = json_printer(sys.stdout) if arguments.json else text_printer(sys.stdout)
    return run_headless(session, goal or "", printer, _terminal(arguments), resume=arguments.resume)


def with_arguments(settings: Config, arguments: Arguments) -> Config:
    """The config with what the command line says instead. Raises ConfigError."""
    named = ("target", "model", "step", "permission", "timeout", "max_steps")
    given = {name: getattr(arguments, name) for name in named if getattr(arguments, name) is not None}
    return msgspec.structs.replace(settings, agent=msgspec.structs.replace(settings.agent, **given))


def _ask_about_key(model: Model, ask: Ask | None, confirmed: ConfirmedSettings) -> None:
    """Ask whether a key may go to another host than its own; without a yes the model does not send it."""
    use = model.foreign_key_use() if ask is not None else None
    if ask is None or use is None:
        return
    if ask(settings_confirmation.ABOUT_KEY, (settings_confirmation.key_words(use),)):
        settings_confirmation.accept_key(use, confirmed)


def build(
    settings: Config, arguments: Arguments, windowed: bool, model: Model, note: str, start_note: str = ""
) -> AgentSession:
    """The agent with its target, model, hand and limits; nothing is started yet. `start_note` is told to the user."""
    agent = settings.agent
    target = make_target(settings)
    parts = Parts(
        target,
        model,
        hand_maker(settings, target),
        preload.read_words,
        make_dialect(settings, model),
        make_environments(settings),
    )
    workspace = next((each.folder for each in parts.environments if isinstance(each, Files)), None)
    limits = Settings(
        runs_folder=paths.data() / "runs",
        max_steps=agent.max_steps,
        timeout=agent.timeout,
        max_tokens=agent.max_tokens,
        max_dollars=agent.max_dollars,
        history=agent.history,
        max_actions=agent.max_actions,
        batch_seconds=settings.hand.batch_timeout,
        region=arguments.region,
        own_pids=(os.getpid(),) if windowed else (),
        privacy=_privacy(settings),
        previews=settings.window.previews if windowed and target.kind != "local" else 0,
        permission=agent.permission,
        rules=settings.policy,
        protected=ProtectedPlaces.of_this_user(_own_files(settings), workspace),
        notes=_notes_folder(settings),
        reward_file=_reward_file(settings, workspace),
        grants=parse_grants((*settings.policy.allow_scope, *arguments.allow), target.home()),
    )
    info = AgentInfo(
        target=target.title,
        model=model.name,
        step_mode=agent.step,
        max_steps=agent.max_steps,
        key_found=not note,
        model_note=note,
        permission=agent.permission,
        start_note=start_note,
    )
    return (ServedSession if arguments.mcp else AgentSession)(parts, limits, info)


def _own_files(settings: Config) -> list[Path]:
    """What is ours beside what lies in our folders."""
    notes = [Path(settings.notes.folder).expanduser()] if settings.notes.folder else []
    return [*([Path(settings.path)] if settings.path else []), *notes]


def _reward_file(settings: Config, workspace: Path | None) -> str:
    """The file that rewards are read from, "" for none. Raises ConfigError where there is no workspace."""
    name = settings.agent.reward_file
    if name and workspace is None:
        raise ConfigError("reward_file needs a workspace.", 'Set environments = ["files"] in [agent].')
    return name


def _notes_folder(settings: Config) -> Path | None:
    """The folder of the notes, None where they are switched off. Raises ConfigError for a path that is not whole."""
    if not settings.notes.enabled:
        return None
    folder = Path(settings.notes.folder).expanduser() if settings.notes.folder else paths.data() / "notes"
    if not folder.is_absolute():
        raise ConfigError(f"The folder {str(folder)!r} is not a whole path.", "Set `folder` in [notes].")
    return folder


def _privacy(settings: Config) -> Privacy:
    return Privacy(settings.privacy.windows, tuple(Rect(*each) for each in settings.privacy.regions))


def make_target(settings: Config) -> Target:
    """The target the config names; `auto` is the display there is, else an embedded one. Raises ConfigError."""
    return cast(Target, _create(settings, "target", _target_name(settings)))


def _target_name(settings: Config) -> str:
    name = settings.agent.target
    if name == "auto":
        name = "local" if has_display() and not is_wayland() else "display"
    return name


def shared_screen(settings: Config) -> str | None:
    """The name of the screen that only one controller may have; None where the target is one of its own."""
    if _target_name(settings) != "local":
        return None
    if WINDOWS:
        return _screen("")
    options = config.options(settings, "target", "local", local.Options)
    return _screen(options.display)


def _screen(display: str) -> str:
    """The name of a display, or of the one there is."""
    if WINDOWS:
        return "desktop"  # DISPLAY is of an X server there, if anything
    return display or os.environ.get("DISPLAY") or "desktop"


def make_model(settings: Config) -> tuple[Model, str]:
    """The model the config names, and a note for the user when none was named and no key was found."""
    name, _, variant = settings.agent.model.partition(":")
    note = ""
    if name == "auto":
        name = _automatic_model(settings)
        note = _no_key_note(settings) if name == _FALLBACK else ""
    made = _create(settings, "llm", name, variant)
    if not isinstance(made, Model):
        from desktop_agent.llm.transport.call_model import as_model  # few models need it

        made = as_model(made, name)
    return made, note


def _no_key_note(settings: Config) -> str:
    """That there is no key; names what runs on this computer, which is used only when the user says so."""
    from desktop_agent.llm.transport import local_servers  # rarely needed

    base_url = str(settings.llm.get("compatible", {}).get("base_url", local_servers.USUAL_BASE_URL))
    found = local_servers.in_words(local_servers.find_servers(_NOTE_SECONDS), base_url)
    return f"{_NO_KEY} {found}".strip()


def _automatic_model(settings: Config) -> str:
    """The first model that says it can be used unnamed: those of this program before installed ones."""
    for find in (plugins.built_in, plugins.installed):  # what is installed takes longest to find
        found = [each for each in find("llm") if hasattr(each.module, "auto")]
        for plugin in sorted(found, key=lambda each: (getattr(each.module, "AUTO_RANK", 100), each.name)):
            module = plugin.module
            if module and module.auto(config.options(settings, "llm", plugin.name, module.Options)):
                return plugin.name
    return _FALLBACK


def make_dialect(settings: Config, model: Model) -> Dialect:
    """The dialect the config names; `auto` is the model's own. Raises ConfigError."""
    name = model.dialect if settings.agent.dialect == "auto" else settings.agent.dialect
    return dialect_of(name, plugins.load("dialect", name))


def make_environments(settings: Config) -> tuple[Environment, ...]:
    """The environments the config names, in its order; none is started. Raises ConfigError."""
    names = settings.agent.environments
    return tuple(cast(Environment, _create(settings, "environment", name)) for name in names)


def has_display() -> bool:
    """True where a window can be shown."""
    return not LINUX or bool(os.environ.get("DISPLAY"))


def is_wayland() -> bool:
    """True in a Wayland session, whose windows can be shown beside but neither seen nor worked."""
    return bool(os.environ.get("WAYLAND_DISPLAY")) or os.environ.get("XDG_SESSION_TYPE") == "wayland"


def _create(settings: Config, family: config.Table, name: str, variant: str = "") -> object:
    module = plugins.load(family, name)
    options = config.options(settings, family, name, module.Options)
    chosen = getattr(module, "VARIANT", "model")
    if variant and not hasattr(options, chosen):
        raise ConfigError(f"{name} has no choice of {chosen}.", f"Say just {name}.")
    return module.create(msgspec.structs.replace(options, **({chosen: variant} if variant else {})))


def hand_maker(settings: Config, target: Target) -> Callable[[Address, Callable[[str], None]], HandProcesses]:
    """Makes what works a target: hand and guard, or for a simulated one the hand alone, in this process."""

    def make(address: Address, on_stop: Callable[[str], None]) -> HandProcesses:
        hand = settings.hand
        if target.simulated:
            return InlineHands(target.inline_input, on_stop=on_stop, max_rate=hand.max_rate)
        return Hands(address, on_stop=on_stop, max_rate=hand.max_rate, takeover=hand.takeover)

    return make


def _goal_or_ask(arguments: Arguments) -> str:
    if arguments.goal is not None:
        return arguments.goal
    if not can_answer(sys.stdin):
        print(
            'desktop-agent: say what shall be done, like: desktop-agent --no-window "open the text editor"',
            file=sys.stderr,
        )
        raise SystemExit(exit_code.USAGE)
    answer = ""
    while not answer:
        answer = input("What shall we do? ").strip()
    return answer


def _serve(session: ServedSession, settings: Config, windowed: bool, claim: Claim | None) -> int:
    from desktop_agent.mcp_server.serving import Close, serve_mcp  # the SDK is loaded only to serve

    if claim is not None and not windowed:
        claim.answer(lambda: False)  # there is no window to show

    def show(closing: Callable[[Close], None]) -> int:
        return _run_window(session, settings, None, claim, closing)

    return serve_mcp(session, show if windowed else None)


def _run_window(
    session: AgentSession,
    settings: Config,
    goal: str | None,
    claim: Claim | None,
    closing: Callable[[Callable[[], None]], None] | None = None,
) -> int:
    """Show the window until it is closed; `closing` gets what closes it, and then it takes no focus."""
    from desktop_agent.ui.run_window import WindowOptions, run_window  # Qt is loaded only for the window

    folder = paths.settings()
    theme = None if settings.window.theme == "system" else settings.window.theme
    ready = claim.answer if claim is not None else None
    options = WindowOptions(
        folder,
        goal or "",
        theme,
        preload.painted,
        settings.window.always_on_top,
        ready=ready,
        closing=closing,
    )
    return run_window(session, options)
