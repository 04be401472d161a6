"""Changes the settings in force between runs: writes them, counts them as confirmed, and builds what they ask for anew."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.agent.choices import ChoiceName, Choices, Offer
from desktop_agent.agent.session import AgentSession
from desktop_agent.llm.base import Model
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.permission import short_level
from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.secret_reference import keep_marked
from desktop_agent.startup import assembly, settings_confirmation, single_instance
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.assembly import Assembly
from desktop_agent.startup.single_instance import Claim
from desktop_agent.support import config, paths, plugins
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings
from desktop_agent.support.language import tr, tr_sentence
from desktop_agent.support.rights import parts_of
from desktop_agent.targets.base import Target
from desktop_agent.tools.base import Environment


class SettingsChoices(Choices):
    """The choices of one session. `claim` is held while the screen is this process's."""

    def __init__(
        self,
        session: AgentSession,
        settings: Config,
        arguments: Arguments,
        confirmed: ConfirmedSettings,
        claim: Claim | None,
    ) -> None:
        self._session, self._settings = session, settings
        self._arguments, self._confirmed, self._first = arguments, confirmed, claim
        first = assembly.shared_screen(settings)
        self._claims: dict[str, Claim] = {first: claim} if first and claim is not None else {}
        self._servers: dict[str, str] = {}
        self._permitted = False
        """Was the permission, or a limit of it, chosen here?"""
        self._lock = threading.Lock()

    # ---- reading -----------------------------------------------------------------------------

    def settings(self) -> Config:
        return self._settings

    @property
    def file(self) -> Path:
        """The file in use; where that is the one of a checkout, or none, the user's own."""
        used = Path(self._settings.path) if self._settings.path else None
        own = paths.settings() / "config.toml"
        return own if used is None or used in _shipped() else used

    def offers(self, name: ChoiceName) -> tuple[Offer, ...]:
        if name == "model":
            from desktop_agent.model_offers import model_offers  # looks for models and servers

            offered = model_offers(self._settings)
            self._servers = {each.offer.value: each.base_url for each in offered if each.base_url}
            return tuple(each.offer for each in offered)
        return {"target": _targets, "permission": _permissions, "step": _steps}[name]()

    # ---- changing ----------------------------------------------------------------------------

    def change(self, values: Mapping[str, object]) -> None:
        wanted = dict(values)
        if isinstance(level := wanted.get("agent.permission"), str):
            wanted["agent.permission"] = short_level(level)
        server = self._servers.get(str(wanted.get("agent.model")))
        if server and "llm.compatible.base_url" not in wanted:
            wanted["llm.compatible.base_url"] = server
        self._set(wanted)

    def reset(self, names: Collection[str]) -> None:
        self._set(dict.fromkeys(names))

    def close(self) -> None:
        """Give up the screens that were chosen later."""
        for claim in self._claims.values():
            if claim is not self._first:
                claim.close()

    def _set(self, values: Mapping[str, Any]) -> None:
        from desktop_agent.startup.settings_file import with_values, write_settings  # slow to load

        with self._lock:
            if self._session.running:
                raise ConfigError(tr("A run is under way."), tr("Stop it, or wait for its end."))
            text = with_values(self._text(), values)
            read = config.read(text.encode(), self.file, os.environ)
            _check(read, values)
            arguments = _without(self._arguments, values)
            found = settings_confirmation.review(read, arguments, self._confirmed)
            settings = assembly.with_arguments(settings_confirmation.narrowed_to(found, values), arguments)
            keep_marked(settings.secrets.values, redactor())

            def commit() -> None:
                write_settings(self.file, text)
                settings_confirmation.chosen(found, values, self._confirmed)

            with ExitStack() as new:  # what is made anew is let go of again where it does not come into force
                made = self._build(settings, arguments, new)
                permitted = self._permitted or not assembly.PERMISSION.isdisjoint(values)
                if permitted and made.circumstances.given_by in ("settings file", "default"):
                    by_window = msgspec.structs.replace(made.circumstances, given_by="window")
                    made = made._replace(circumstances=by_window)
                self._session.reconfigure(*made, commit)
                new.pop_all()
            self._settings, self._arguments, self._permitted = settings, arguments, permitted
            settings_confirmation.bind_keys(settings, arguments, self._confirmed)

    def _text(self) -> str:
        """What is in the file in use now, "" without one. Raises ConfigError."""
        path = Path(self._settings.path or self.file)
        try:
            return path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                f"{path} cannot be read: {error}.", "Check that it is a text file you may read."
            ) from error

    def _build(self, settings: Config, arguments: Arguments, new: ExitStack) -> Assembly:
        """What the settings ask for, of the parts in use as much as they still ask for. Raises ConfigError and others.

        What is made for it can be closed by `new`.
        """
        before = self._settings
        parts = self._session.parts
        same_target = _target_part(settings) == _target_part(before)
        target: Target = parts.target if same_target else self._new_target(settings, new)
        thinker: tuple[Model, str] = (parts.model, self._session.info.model_note)
        if _model_part(settings) != _model_part(before):
            thinker = assembly.make_model(settings)
            new.callback(thinker[0].close)
        environments: tuple[Environment, ...] | None = None
        if _environment_part(settings) == _environment_part(before):
            environments = parts.environments
        made = assembly.assemble(settings, arguments, True, thinker, target, environments=environments)
        for each in made.parts.environments if environments is None else ():
            new.callback(each.close)
        if same_target and settings.hand == before.hand:
            made = made._replace(parts=replace(made.parts, make_hand=parts.make_hand))
        return made

    def _new_target(self, settings: Config, new: ExitStack) -> Target:
        """The target, and its screen for this process alone. Raises ConfigError where another one has it."""
        screen = assembly.shared_screen(settings)
        if screen and screen not in self._claims:
            claim = single_instance.claim(screen)
            if claim is None:
                raise ConfigError(tr("Another Desktop Agent works on this screen."), tr("Close it first."))
            self._claims[screen] = claim
            new.callback(lambda: self._claims.pop(screen).close())
        target = assembly.make_target(settings)
        new.callback(target.stop)
        return target


def _shipped() -> tuple[Path, ...]:
    """The files that lie beside the program and are not the user's."""
    return tuple(each / "config.toml" for each in paths.of_config() if each != paths.settings())


def _without(arguments: Arguments, values: Collection[str]) -> Arguments:
    """The command line without what is chosen now."""
    names = [name.partition(".")[2] for name in values if name.startswith("agent.")]
    limits = {"minutes": None, "applications": (), "inputs": ()}
    return msgspec.structs.replace(
        arguments,
        **{name: None for name in names if name in Arguments.__struct_fields__},
        **{f"grant_{name}": none for name, none in limits.items() if f"scope.{name}" in values},
    )


def _check(settings: Config, values: Collection[str]) -> None:
    """Raises ConfigError for what a plug-in's Options do not take, or what the environment says otherwise."""
    for name in values:
        said = (each for each in settings.from_environment if each == name or each.startswith(f"{name}."))
        if (first := next(said, None)) is not None:
            variable = config.variable_of(first)
            raise ConfigError(
                tr("{name} is set by the environment variable {variable}.").format(
                    name=first, variable=variable
                ),
                tr("Change it there."),
            )
    bare = msgspec.structs.replace(settings, path="")
    for family, name in {tuple(parts_of(each)[:2]) for each in values if parts_of(each)[0] in config.TABLES}:
        table = next(each for each in config.TABLES if each == family)
        if name in getattr(settings, table):
            config.options(bare, table, name, plugins.load(table, name).Options)


def _target_part(settings: Config) -> object:
    return assembly.target_name(settings), settings.target.get(assembly.target_name(settings))


def _model_part(settings: Config) -> object:
    return settings.agent.model, settings.llm


def _environment_part(settings: Config) -> object:
    return settings.agent.environments, settings.environment


# ---- what can be chosen ------------------------------------------------------------------------


def _targets() -> tuple[Offer, ...]:
    known = {
        "local": (tr("This desktop"), tr("Your own screen, mouse and keyboard.")),
        "display": (
            tr("Embedded display"),
            tr("A desktop of its own beside yours: nothing of yours is touched."),
        ),
        "container": (
            tr("Sandbox in a container"),
            tr("A small computer of its own; of yours it has only the workspace."),
        ),
        "simulated": (
            tr("Simulated desktop"),
            tr("A small desktop in memory, to practise on: nothing real can be reached."),
        ),
        "none": (tr("No desktop"), tr("Nothing to see or press: for work in environments alone.")),
        "rfb": (tr("VNC server"), tr("Another computer or a virtual machine, as its VNC server shows it.")),
        "webcam": (
            tr("Filmed computer"),
            tr(
                "A computer on which nothing is installed: a camera sees its screen, a wire presses its keys."
            ),
        ),
        "remote": (
            tr("Remote computer"),
            tr(
                "A computer on which nothing is installed: a capture card shows its screen, a wire presses its keys."
            ),
        ),
    }
    offers = []
    for plugin in plugins.discover("target"):
        title, does = known.get(plugin.name, (plugin.name, plugin.package))
        offers.append(Offer(plugin.name, title, does, problem=plugin.problem or _target_problem(plugin.name)))
    return tuple(sorted(offers, key=lambda each: bool(each.problem)))


def _target_problem(name: str) -> str:
    if name == "local" and assembly.is_wayland():
        return tr("A Wayland session lets no program see or work the windows of others.")
    try:
        module = plugins.load("target", name)
        module.create(module.Options())
    except Exception as error:  # noqa: BLE001 - boundary: an installed target may raise anything
        return tr_sentence(str(error))
    return ""


def _permissions() -> tuple[Offer, ...]:
    return (
        Offer("simulation_only", tr("Look only"), tr("It looks and answers, and touches nothing.")),
        Offer(
            "restricted",
            tr("Ask first"),
            tr("It asks before what may do harm: sending, buying, deleting, terminals …"),
        ),
        Offer(
            "full",
            tr("Full access"),
            tr("It asks only about texts that it read somewhere. For machines of its own."),
        ),
    )


def _steps() -> tuple[Offer, ...]:
    return (
        Offer("off", tr("Off"), tr("It asks only where it matters.")),
        Offer("plan", tr("Each step of the plan"), tr("It asks before every step of its plan.")),
        Offer("action", tr("Each action"), tr("It asks before every single action.")),
    )
