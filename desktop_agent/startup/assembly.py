"""Builds what a session works with from the settings: target, model, dialect, environments, hand and circumstances."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

import msgspec

from desktop_agent.agent.dependencies import Circumstances, HandProcesses, Parts
from desktop_agent.agent.port import AgentInfo
from desktop_agent.hand.client import Hands
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.llm.base import Model
from desktop_agent.policy.facts.files.protected_places import ProtectedPlaces
from desktop_agent.policy.facts.scope import parse_grants
from desktop_agent.protocol.dialects.base import Dialect, dialect_of
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.permission import LEVELS, GivenBy, Level, Rules, short_level
from desktop_agent.startup import preload
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import config, paths, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.language import later
from desktop_agent.support.operating_system import LINUX, WINDOWS
from desktop_agent.targets import local
from desktop_agent.targets.base import Address, Target
from desktop_agent.targets.faces import Simulated, WorkedOverWire, home_of, unclaimed
from desktop_agent.tools.base import Environment
from desktop_agent.wire.base import KeyboardOutput

FALLBACK = "offline"
"""The model that every machine has."""
_NO_KEY = later(
    "No key found: using the offline model, which understands plain instructions about what is on the screen."
)
_PROJECT = "project"
PERMISSION = frozenset(("agent.permission", "scope.minutes", "scope.applications", "scope.inputs"))
"""Settings of what a run may do by itself."""
HINT_LEAD = 0.15
"""Seconds that a hint on the screen is there before the first click of a batch."""
LOCAL_PREVIEWS = 1.0
"""Live pictures a second of the user's own screen, in a run that does not wait for them."""
_NOTE_SECONDS = 0.3
"""How long servers on this computer are waited for at the start."""

ModelAndNote: TypeAlias = tuple[Model, str]
"""A model, and why it was taken where none was named, in words for the user."""


class Assembly(NamedTuple):
    """The parts, settings and circumstances of a session; nothing of it is started."""

    parts: Parts
    settings: Config
    circumstances: Circumstances
    info: AgentInfo


def assemble(
    settings: Config,
    arguments: Arguments,
    windowed: bool,
    thinker: ModelAndNote,
    target: Target | None = None,
    environments: tuple[Environment, ...] | None = None,
    start_note: str = "",
) -> Assembly:
    """Build what the settings ask for around a model, and the target and environments where those are given.

    Raises ConfigError and TargetError.
    """
    model, note = thinker
    target = target or make_target(settings)
    environments = make_environments(settings) if environments is None else environments
    workspace = next((each.folder for each in environments if each.folder is not None), None)
    dialect = make_dialect(settings, model)
    if dialect.screen_last and not any("run" in each.operations for each in environments):
        raise ConfigError(
            f"The dialect {dialect.name} works in environments alone.", "Say which project: --project DIR."
        )
    parts = Parts(
        target,
        model,
        hand_maker(settings, target),
        preload.read_words,
        dialect,
        environments,
    )
    notices = (start_note, *(each.notice() for each in environments), _commandless_note(model, environments))
    info = AgentInfo(
        target=target.title,
        model=model.name,
        step_mode=settings.agent.step,
        max_steps=settings.agent.max_steps,
        key_found=not note,
        model_note=note,
        permission=settings.agent.permission,
        start_note=" ".join(filter(None, notices)),
        region=arguments.region,
    )
    circumstances = _circumstances(settings, arguments, windowed, target, workspace)
    _check_reward_file(settings, workspace)
    return Assembly(parts, settings, circumstances, info)


def _commandless_note(model: Model, environments: tuple[Environment, ...]) -> str:
    """That this model runs no commands, where there is something to run them in."""
    runs = any("run" in each.operations for each in environments)
    return (
        f"The model {model.name} runs no commands: choose another one for that."
        if runs and not model.support.messages
        else ""
    )


def _circumstances(
    settings: Config, arguments: Arguments, windowed: bool, target: Target, workspace: Path | None
) -> Circumstances:
    """The circumstances of a session that starts like this. Raises ConfigError."""
    return Circumstances(
        runs_folder=paths.data() / "runs",
        region=arguments.region,
        own_pids=(os.getpid(),) if windowed else (),
        conversing=windowed,
        previews=_previews(settings, target) if windowed and settings.window.live_picture else 0,
        previews_while_waiting=target.kind != "local",
        hint_lead=HINT_LEAD if windowed else None,
        given_by=_given_by(settings, arguments),
        protected=ProtectedPlaces.of_this_user(_own_files(settings), workspace),
        notes=_notes_folder(settings),
        grants=parse_grants((*settings.scope.places, *arguments.allow), home_of(target)),
    )


def _given_by(settings: Config, arguments: Arguments) -> GivenBy:
    """Who chose the permission, or its limits."""
    said = arguments.grant_minutes, arguments.grant_applications, arguments.grant_inputs
    if arguments.permission is not None or any(said):
        return "arguments"
    if any(name in PERMISSION for name in settings.from_environment):
        return "environment"
    usual = Config()
    as_usual = settings.agent.permission == usual.agent.permission and not settings.scope.limited
    return "default" if as_usual else "settings file"


def _previews(settings: Config, target: Target) -> float:
    """How many live pictures a second."""
    return LOCAL_PREVIEWS if target.kind == "local" else settings.window.previews


def with_arguments(settings: Config, arguments: Arguments) -> Config:
    """The config with what the command line says instead. Raises ConfigError."""
    named = ("target", "model", "step", "permission", "timeout", "max_steps")
    given = {name: getattr(arguments, name) for name in named if getattr(arguments, name) is not None}
    if "permission" in given:
        given["permission"] = _level(str(given["permission"]))
    settings = msgspec.structs.replace(
        settings,
        agent=msgspec.structs.replace(settings.agent, **given),
        scope=_with_limits(settings.scope, arguments),
    )
    return settings if arguments.project is None else _with_project(settings, arguments.project)


def _level(name: str) -> Level:
    """The level of this name. Raises ConfigError."""
    found = next((each for each in LEVELS if each == short_level(name)), None)
    if found is None:
        raise ConfigError(f"There is no permission called {name!r}.", f"Known: {', '.join(LEVELS)}.")
    return found


def _with_limits(rules: Rules, arguments: Arguments) -> Rules:
    """The rules with the limits of the permission that the command line says instead."""
    said = {
        "minutes": arguments.grant_minutes,
        "applications": arguments.grant_applications,
        "inputs": arguments.grant_inputs,
    }
    given = {name: value for name, value in said.items() if value}
    return msgspec.structs.replace(rules, **given)


def _with_project(settings: Config, folder: str) -> Config:
    """The config with this project, in place of another workspace."""
    names = (*(each for each in settings.agent.environments if each not in ("files", _PROJECT)), _PROJECT)
    place = str(Path(folder).expanduser().absolute())
    table = {**settings.environment, _PROJECT: {**settings.environment.get(_PROJECT, {}), "folder": place}}
    agent = msgspec.structs.replace(settings.agent, environments=names)
    return msgspec.structs.replace(settings, agent=agent, environment=table)


def _own_files(settings: Config) -> list[Path]:
    """What is ours beside what lies in our folders."""
    notes = [Path(settings.notes.folder).expanduser()] if settings.notes.folder else []
    return [*([Path(settings.path)] if settings.path else []), *notes]


def _check_reward_file(settings: Config, workspace: Path | None) -> None:
    """Raises ConfigError where rewards are to be read from a file, and there is no workspace that holds it."""
    if settings.agent.reward_file and workspace is None:
        raise ConfigError("reward_file needs a workspace.", 'Set environments = ["files"] in [agent].')


def _notes_folder(settings: Config) -> Path | None:
    """The folder of the notes, None where they are switched off. Raises ConfigError for a path that is not whole."""
    if not settings.notes.enabled:
        return None
    folder = Path(settings.notes.folder).expanduser() if settings.notes.folder else paths.data() / "notes"
    if not folder.is_absolute():
        raise ConfigError(f"The folder {str(folder)!r} is not a whole path.", "Set `folder` in [notes].")
    return folder


def make_target(settings: Config) -> Target:
    """The target the config names; `auto` is the display there is, else an embedded one. Raises ConfigError."""
    variant = settings.agent.target.partition(":")[2]
    target = cast(Target, _create(settings, "target", target_name(settings), variant))
    if unused := unclaimed(target):
        raise ConfigError(
            f"The target {target.kind!r} defines what it does not offer: {', '.join(unused)}.",
            "Let its class inherit them from desktop_agent.targets.faces.",
        )
    if isinstance(target, Simulated):
        target.grant(settings.simulation)
    if isinstance(target, WorkedOverWire):
        target.work_over(cast(KeyboardOutput, _create(settings, "wire", target.wire)))
    return target


def target_name(settings: Config) -> str:
    """The name of the target that is used: `auto` is the display there is, else an embedded one; none for a dialect without a desktop."""
    name = settings.agent.target.partition(":")[0]
    if name == "auto" and _works_without_desktop(settings.agent.dialect):
        return "none"
    if name == "auto":
        name = "local" if has_display() and not is_wayland() else "display"
    return name


def _works_without_desktop(dialect: str) -> bool:
    return dialect != "auto" and dialect_of(dialect, plugins.load("dialect", dialect)).screen_last


def shared_screen(settings: Config) -> str | None:
    """The name of the screen that only one controller may have; None where the target is one of its own."""
    if target_name(settings) != "local":
        return None
    if WINDOWS:
        return screen_named("")
    options = config.options(settings, "target", "local", local.Options)
    return screen_named(options.display)


def screen_named(display: str) -> str:
    """The name of a display, or of the one there is."""
    if WINDOWS:
        return "desktop"  # DISPLAY is of an X server there, if anything
    return display or os.environ.get("DISPLAY") or "desktop"


def make_model(settings: Config) -> tuple[Model, str]:
    """The model the config names, and a note for the user when none was named and no key was found."""
    name, _, variant = settings.agent.model.partition(":")
    note = ""
    if name == "auto":
        name = automatic_model(settings)
        note = _no_key_note(settings) if name == FALLBACK else ""
    made = _create(settings, "llm", name, variant)
    if not isinstance(made, Model):
        from desktop_agent.llm.transport.call_model import as_model  # few models need it

        made = as_model(made, name)
    if made.interpreter:
        made.read_with(_interpreter(settings, name, made.interpreter))
    return made, note


def _interpreter(settings: Config, name: str, interpreter: str) -> Model:
    """The model that reads the pictures for the model `name`. Raises ConfigError for one that would need another itself."""
    if interpreter.partition(":")[0] in (name, "auto"):
        raise ConfigError(
            f"{interpreter!r} reads no pictures for {name}.",
            f"Name a model that sees: `interpreter` in [llm.{name}].",
        )
    agent = msgspec.structs.replace(settings.agent, model=interpreter)
    return make_model(msgspec.structs.replace(settings, agent=agent))[0]


def _no_key_note(settings: Config) -> str:
    """That there is no key; names what runs on this computer, which is used only when the user says so."""
    from desktop_agent.llm.transport import local_servers  # rarely needed

    base_url = str(settings.llm.get("compatible", {}).get("base_url", local_servers.USUAL_BASE_URL))
    found = local_servers.in_words(local_servers.find_servers(_NOTE_SECONDS), base_url)
    return f"{_NO_KEY} {found}".strip()


def automatic_model(settings: Config) -> str:
    """The first model that says it can be used unnamed: those of this program before installed ones."""
    for find in (plugins.built_in, plugins.installed):  # what is installed takes longest to find
        found = [each for each in find("llm") if hasattr(each.module, "auto")]
        for plugin in sorted(found, key=lambda each: (getattr(each.module, "AUTO_RANK", 100), each.name)):
            module = plugin.module
            if module and module.auto(config.options(settings, "llm", plugin.name, module.Options)):
                return plugin.name
    return FALLBACK


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
        if isinstance(target, Simulated):
            return InlineHands(target.inline_input, on_stop=on_stop, max_rate=hand.max_rate)
        return Hands(address, on_stop=on_stop, max_rate=hand.max_rate, takeover=hand.takeover)

    return make
