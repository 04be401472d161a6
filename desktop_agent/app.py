"""Wiring: chooses target and model, builds the agent, and hands it to the window or the terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO, TypeAlias

from desktop_agent.agent.port import ASKED_TO_STOP, AgentPort
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.left_over import clean_up_left_over
from desktop_agent.headless import json_printer, run_headless, text_printer
from desktop_agent.llm.base import Model
from desktop_agent.policy.facts import policy_tables
from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.secret_reference import keep_marked
from desktop_agent.settings_choices import SettingsChoices
from desktop_agent.startup import (
    exit_code,
    preload,
    settings_confirmation,
    single_instance,
    start_questions,
    window_surroundings,
)
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.assembly import (
    assemble,
    has_display,
    make_model,
    screen_named,
    shared_screen,
    with_arguments,
)
from desktop_agent.startup.escape_trial import EscapeInRuns
from desktop_agent.startup.session_watch import session_watched
from desktop_agent.startup.settings_confirmation import Ask
from desktop_agent.startup.single_instance import Claim
from desktop_agent.startup.wayland_words import wayland_note
from desktop_agent.startup.windows_console import can_answer
from desktop_agent.support import config, log_file, paths, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings
from desktop_agent.support.language import language_of_system, use_language
from desktop_agent.support.paths import private_folder

if TYPE_CHECKING:
    from desktop_agent.ui.run_window import MoreWindow, WindowOptions


Close: TypeAlias = Callable[[], None]
ShowWindow: TypeAlias = Callable[[Callable[[Close], None]], int]
"""Shows the window until it is closed; it gives a function that closes it, from any thread, to the one it gets."""


class ClientServer(Protocol):
    """Serves a client that gives the goals; the sub-command of an extra brings it, with `Arguments.served`."""

    session: type[AgentSession]
    """The kind of session that the client drives."""

    def check(self) -> None:
        """Raises ConfigError where it cannot serve."""

    def serve(self, session: AgentSession, show_window: ShowWindow | None) -> int:
        """Serve until the client goes or the window is closed; returns the exit code."""


def run(arguments: Arguments, server: ClientServer | None = None) -> int:
    """Build everything the arguments and the config ask for, run it, and return the exit code."""
    log_file.set_up(paths.logs())
    if server is not None:
        server.check()
    confirmed = ConfirmedSettings(paths.data())
    windowed = arguments.window and has_display()
    settings = prepared_settings(arguments, confirmed, windowed)
    if settings is None:
        return exit_code.FAILED
    screen = shared_screen(settings)
    claim = single_instance.claim(screen) if screen else None
    if screen and claim is None:
        return _tell_of_the_first(arguments, screen, windowed)
    if arguments.ask == "stop":
        return _nothing_to_stop(claim)
    if not arguments.resume:  # or it might be the run that is to go on
        _delete_surplus_runs(settings)
    try:
        return _work(arguments, settings, windowed, claim, confirmed, server)
    finally:
        if claim is not None:
            claim.close()


def prepared_settings(arguments: Arguments, confirmed: ConfirmedSettings, windowed: bool) -> Config | None:
    """The settings that hold, confirmed by the user, with keys bound to their hosts and secrets known; None as `_confirmed`.

    Raises ConfigError.
    """
    _close_to_others(paths.data())
    policy_tables.check()
    found = _confirmed(arguments, confirmed, windowed)
    if found is None:
        return None
    settings = with_arguments(found, arguments)
    log_file.set_up(paths.logs(), settings.log.level, settings.log.file)
    settings_confirmation.bind_keys(settings, arguments, confirmed)
    keep_marked(settings.secrets.values, redactor())
    return settings


def _delete_surplus_runs(settings: Config) -> None:
    """Begin to delete the runs that are over a limit of [history], in a thread; nothing is loaded where there is none."""
    if settings.history.keep_days or settings.history.keep_megabytes:
        from desktop_agent.history.retention import start_retention

        start_retention(paths.data() / "runs", settings.history)


def _close_to_others(folder: Path) -> None:
    """Let nobody else read our data, that of earlier versions too; where that fails, what writes there says so."""
    with contextlib.suppress(OSError):
        private_folder(folder)
        private_folder(folder / "runs")


def _confirmed(arguments: Arguments, confirmed: ConfirmedSettings, windowed: bool) -> Config | None:
    """The settings, as far as the user has confirmed them; None where another instance has this screen. Raises ConfigError."""
    loaded = config.load(config.find_file(arguments.config, paths.of_config()))
    if windowed:
        language = loaded.window.language
        use_language(language_of_system() if language == "system" else language)
    found = settings_confirmation.review(loaded, arguments, confirmed)
    if confirmed.problem:
        print(f"desktop-agent: {confirmed.problem}", file=sys.stderr)
    if not found.changes or settings_confirmation.trusted(found, arguments.trust_config):
        return settings_confirmation.accepted(found, confirmed)
    ask = start_questions.question_asker(windowed, _terminal(arguments))
    if ask is None:
        print(f"desktop-agent: {settings_confirmation.unattended(found, arguments)}", file=sys.stderr)
        return settings_confirmation.kept(found, confirmed)
    # Where an agent is at work, it might press the button itself.
    claim = single_instance.claim(screen) if windowed and (screen := screen_named("")) else None
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
    if arguments.quietly:
        return exit_code.DONE  # at log-on nobody asked for a second one
    if arguments.ask is not None:
        return (
            exit_code.DONE
            if start_questions.ask_running_instance(screen, arguments.ask)
            else exit_code.FAILED
        )
    if windowed:
        start_questions.offer_in_window(screen)
    else:
        start_questions.offer_in_terminal(screen, _terminal(arguments))
    return exit_code.FAILED


def _nothing_to_stop(claim: Claim | None) -> int:
    """Say that no agent is open on this screen, or that it works on one of its own where it cannot be asked."""
    if claim is None:
        print("desktop-agent: It works on a display of its own: stop it in its window.", file=sys.stderr)
        return exit_code.FAILED
    claim.close()
    print("desktop-agent: It is not open on this screen: there is nothing to stop.", file=sys.stderr)
    return exit_code.DONE


def _terminal(arguments: Arguments) -> TextIO | None:
    """Where somebody can answer; never where a client speaks, even if that is a terminal."""
    return sys.stdin if not arguments.served and can_answer(sys.stdin) else None


def _work(
    arguments: Arguments,
    settings: Config,
    windowed: bool,
    claim: Claim | None,
    confirmed: ConfirmedSettings,
    server: ClientServer | None,
) -> int:
    given = windowed or arguments.served or arguments.resume
    goal = arguments.goal if given else _goal_or_ask(arguments)
    model, note = make_model(settings)
    _ask_about_key(model, start_questions.question_asker(windowed, _terminal(arguments)), confirmed)
    told = clean_up_left_over(), wayland_note(shared_screen(settings) is not None)
    made = assemble(settings, arguments, windowed, (model, note), start_note=" ".join(filter(None, told)))
    session = (server.session if server is not None else AgentSession)(*made)
    session.subscribe(preload.FirstLook())
    with session_watched(session):
        if server is not None:
            return _serve(server, session, settings, windowed, claim)
        if windowed:
            with (
                closing(SettingsChoices(session, settings, arguments, confirmed, claim)) as choices,
                ExitStack() as stack,
            ):
                more = _more_windows(settings, arguments, session)
                for each in more:
                    stack.enter_context(closing(each))
                return _run_window(session, choices, more, goal, claim, arguments)
        return _run(session, arguments, goal, claim)


def _run(
    session: AgentSession,
    arguments: Arguments,
    goal: str | None,
    claim: Claim | None,
) -> int:
    """Run without a window."""
    if claim is not None:
        claim.answer(partial(_answer_without_window, session))
    if arguments.window:
        print("No display here for the window: the live feed is below.", file=sys.stderr)
    printer = json_printer(sys.stdout) if arguments.json else text_printer(sys.stdout)
    return run_headless(session, goal or "", printer, _terminal(arguments), resume=arguments.resume)


def _answer_without_window(port: AgentPort, request: InstanceRequest) -> bool:
    if request == "stop":
        port.stop(ASKED_TO_STOP)
    return request == "stop"


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
    made = assemble(settings, arguments, windowed, (model, note), start_note=start_note)
    return AgentSession(*made)


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


def _serve(
    server: ClientServer, session: AgentSession, settings: Config, windowed: bool, claim: Claim | None
) -> int:
    """Let the server's client drive the session, with the window where there is one."""
    if claim is not None and not windowed:
        claim.answer(partial(_answer_without_window, session))

    def show(closing: Callable[[Close], None]) -> int:
        from desktop_agent.ui.run_window import run_window  # Qt is loaded only for the window

        around = window_surroundings.options(settings, served=True)
        return run_window(session, replace(_window_options(settings, claim), closing=closing, around=around))

    return server.serve(session, show if windowed else None)


def _more_windows(settings: Config, arguments: Arguments, session: AgentSession) -> tuple[MoreWindow, ...]:
    """The windows that the extras bring; to look for those of installed packages would delay every start."""
    found = (each.module for each in plugins.built_in("window"))
    made = (module.create(settings, arguments, session) for module in found if module is not None)
    return tuple(each for each in made if each is not None)


def _run_window(
    session: AgentSession,
    choices: SettingsChoices,
    more: tuple[MoreWindow, ...],
    goal: str | None,
    claim: Claim | None,
    arguments: Arguments,
) -> int:
    """Show the window until it is closed."""
    if goal:
        session.prepare()  # while Qt is loaded and the window comes up
    from desktop_agent.first_start import FirstStart
    from desktop_agent.ui.run_window import run_window  # Qt is loaded only for the window

    if arguments.resume:
        session.resume_run(arguments.resume)
    settings, quietly = choices.settings(), arguments.quietly
    around = replace(
        window_surroundings.options(settings, hidden=quietly),
        surroundings=window_surroundings.surroundings(choices, session),
    )
    options = replace(
        _window_options(settings, claim), asked=arguments.ask, goal=goal or "", choices=choices, around=around
    )
    if goal:
        session.subscribe(preload.when_looked())
        options = replace(options, painted=preload.mark_painted)
    guide, escapes = FirstStart(session, choices), EscapeInRuns(session, settings)
    session.subscribe(escapes.hear)
    with closing(escapes):
        return run_window(session, replace(options, quietly=quietly, guide=guide, more=more))


def _window_options(settings: Config, claim: Claim | None) -> WindowOptions:
    from desktop_agent.ui.run_window import WindowOptions

    return WindowOptions(
        paths.settings(),
        theme=None if settings.window.theme == "system" else settings.window.theme,
        painted=preload.painted,
        on_top=settings.window.always_on_top,
        hints=settings.window.hints,
        live_picture=settings.window.live_picture,
        snap=settings.window.snap,
        ready=claim.answer if claim is not None else None,
        attention=settings.window.attention,
    )
