"""Lets settings that widen what may be done count only when the user has confirmed them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import msgspec

from desktop_agent.llm.base import KeyUse
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support import key_store, providers
from desktop_agent.support.config import Config
from desktop_agent.support.confirmed_settings import ConfirmedSettings
from desktop_agent.support.language import later
from desktop_agent.support.providers import key_hosts, origins_meant
from desktop_agent.support.rights import Rights, WidenedRight, rights_of, widened, with_rights
from desktop_agent.support.web_origin import server_origin

Ask: TypeAlias = Callable[[str, Sequence[str]], bool]
"""(what it is about, one line for each thing): the user's yes or no."""

LEAST_DIGEST = 16
"""Fewest characters of a file's SHA-256 that name its content."""
ABOUT_SETTINGS = later("These settings widen what the agent may do, and you have not confirmed them:")
ABOUT_KEY = later("A key of yours would be sent to a host that it was not given for:")
_IN_ARGUMENTS = ("model", "target", "permission", "step")


class NotConfirmed(ConfigError):
    """The program cannot start without the user's yes, and nobody is there to give it."""


@dataclass(frozen=True)
class Review:
    """What the settings of a start have beyond what was confirmed. `said` are settings that the command line gives."""

    settings: Config
    file: str
    said: frozenset[str]
    before: Rights | None
    changes: tuple[WidenedRight, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(each.words for each in self.changes)

    @property
    def now(self) -> Rights:
        """The rights as the file has them, without what the command line says."""
        return {name: value for name, value in rights_of(self.settings).items() if not self.is_said(name)}

    @property
    def narrowed(self) -> Rights:
        """The rights where each change stays as it was."""
        changed = {each.name for each in self.changes}
        kept = {name: value for name, value in (self.before or {}).items() if name in changed}
        return {name: value for name, value in self.now.items() if name not in changed} | kept

    def is_said(self, name: str) -> bool:
        return name in self.said or (name.startswith("plugin.llm.") and "agent.model" in self.said)


def review(settings: Config, arguments: Arguments, confirmed: ConfirmedSettings) -> Review:
    """Compare the settings with what was confirmed for the same file, the usual one or that of `--config`."""
    file = str(Path(arguments.config).resolve()) if arguments.config else ""
    said = frozenset(f"agent.{name}" for name in _IN_ARGUMENTS if getattr(arguments, name) is not None)
    bare = Review(settings, file, said, None, ())
    if not bare.now and not confirmed.exists:  # nothing to compare: the key store need not be asked
        return bare
    before = confirmed.rights(file)
    known = {name: value for name, value in (before or {}).items() if name not in said}
    return Review(settings, file, said, before, widened(known, bare.now))


def accepted(found: Review, confirmed: ConfirmedSettings) -> Config:
    """The settings as they are; they are confirmed from now on. Raises ConfigError."""
    _keep(found, found.now, confirmed)
    return found.settings


def kept(found: Review, confirmed: ConfirmedSettings) -> Config:
    """The settings with what widens as it was confirmed before. Raises ConfigError."""
    narrowed = found.narrowed
    spoken = {name: value for name, value in rights_of(found.settings).items() if name in found.said}
    try:
        settings = with_rights(found.settings, narrowed | spoken)
    except msgspec.ValidationError:  # what was confirmed has another form in this version
        settings = with_rights(found.settings, spoken)
    left = widened(narrowed, {n: v for n, v in rights_of(settings).items() if n not in found.said})
    if left:
        raise NotConfirmed(
            f"Without your yes there is no choice left: {left[0].words}", _advice(found.settings)
        )
    if found.changes:
        _keep(found, narrowed, confirmed)
    return settings


def narrowed_to(found: Review, names: Collection[str]) -> Config:
    """The settings with what the user has just set by these dotted names, and the rest as far as it was confirmed before.

    Raises ConfigError where something that was not confirmed cannot be left out.
    """
    spoken = {name: value for name, value in rights_of(found.settings).items() if name in found.said}
    rights = _rights_with(found, names)
    settings = with_rights(found.settings, rights | spoken)
    left = widened(rights, {n: v for n, v in rights_of(settings).items() if not found.is_said(n)})
    if left:
        raise ConfigError(
            f"The settings file asks for more than you have confirmed: {left[0].words}",
            "Start the program again, and it will ask you.",
        )
    return settings


def chosen(found: Review, names: Collection[str], confirmed: ConfirmedSettings) -> None:
    """Confirm what the user has just set by these dotted names, and nothing else of the settings. Raises ConfigError."""
    _keep(found, _rights_with(found, names), confirmed)


def _rights_with(found: Review, names: Collection[str]) -> Rights:
    fresh = {each.name for each in found.changes if _is_among(each.name, names)}
    kept_rights = {name: value for name, value in found.narrowed.items() if name not in fresh}
    return kept_rights | {name: value for name, value in found.now.items() if name in fresh}


def _is_among(right: str, names: Collection[str]) -> bool:
    """Is a right set by one of these names: a setting, a whole table, or the choice of an installed plug-in?"""
    chosen_by = {
        "plugin.llm": "agent.model",
        "plugin.target": "agent.target",
        "plugin.environment": "agent.environments",
        "plugin.dialect": "agent.dialect",
    }
    selector = chosen_by.get(right.rpartition(".")[0], right)
    return any(selector == each or right.startswith(f"{each}.") for each in names)


def _keep(found: Review, rights: Rights, confirmed: ConfirmedSettings) -> None:
    """Record the rights; of what the command line says, as it was confirmed before."""
    spoken = {name: value for name, value in (found.before or {}).items() if name in found.said}
    if (rights | spoken) != (found.before or {}):
        confirmed.keep(found.file, rights | spoken)


def trusted(found: Review, digest: str | None) -> bool:
    """Does `--trust-config` name the content of this file? Raises ConfigError when it names another."""
    if digest is None:
        return False
    if len(digest) < LEAST_DIGEST or not found.settings.digest.startswith(digest.lower()):
        raise ConfigError(
            "The config file is not the one that --trust-config names.",
            f"Look at {found.settings.path or 'it'}; the one there now is {found.settings.digest}.",
        )
    return True


def unattended(found: Review, arguments: Arguments) -> str:
    """What is said where nobody can be asked. Raises NotConfirmed as `check_server` does."""
    check_server(found, arguments)
    return f"{ABOUT_SETTINGS}\n{_listed(found)}\nThey stay as they were before. {_advice(found.settings)}"


def check_server(found: Review, arguments: Arguments) -> None:
    """Raises NotConfirmed where pictures would be sent to a server only because another one was not confirmed."""
    if found.before is None and any(_chooses_server(each, found, arguments) for each in found.changes):
        raise NotConfirmed(
            f"{ABOUT_SETTINGS}\n{_listed(found)}\nNothing was started.", _advice(found.settings)
        )


def _listed(found: Review) -> str:
    return "\n".join(f"  {line}" for line in found.lines)


def _chooses_server(change: WidenedRight, found: Review, arguments: Arguments) -> bool:
    """Is it about who is sent pictures of the screen in this run?"""
    model = (arguments.model or found.settings.agent.model).partition(":")[0]
    family, _, rest = change.name.partition(".")
    return change.name == "agent.model" or (family == "llm" and model in ("auto", rest.partition(".")[0]))


def _advice(settings: Config) -> str:
    file = f" of {settings.path}" if settings.path else ""
    return (
        f"Confirm the settings{file} by starting in a terminal or with the window, "
        f"or with --trust-config {settings.digest[:LEAST_DIGEST]}."
    )


# ---- keys --------------------------------------------------------------------------------------


def bind_keys(settings: Config, arguments: Arguments, confirmed: ConfirmedSettings) -> None:
    """Bind keys to the servers that the confirmed settings and the command line name. Raises ConfigError."""
    for provider, table in settings.llm.items():
        own = providers.provider(provider)
        address = table.get("base_url") or (own.address if own is not None else "")
        if origin := server_origin(str(address)):
            _bind(provider, str(table.get("key_env", "")), origin)
    for name, origins in confirmed.keys.items() if confirmed.exists else ():
        for origin in origins:
            key_hosts().confirm(name, origin)
    for each in arguments.send_key:
        provider, _, host = each.partition(":")
        origins = origins_meant(host)
        if not origins:
            raise ConfigError(
                f"--send-key {each} names no host.", "Say it like --send-key openai:proxy.example."
            )
        for origin in origins:
            _bind(provider, str(settings.llm.get(provider, {}).get("key_env", "")), origin)


def _bind(provider: str, key_env: str, origin: str) -> None:
    key_hosts().confirm(f"env:{key_store.environment_name(provider, key_env)}", origin)
    key_hosts().confirm(f"store:{provider}", origin)


def key_words(use: KeyUse) -> str:
    """One line about a key that would be sent elsewhere."""
    given = f"It was given for {use.given_for}." if use.given_for else "It has not been used yet."
    return f"The key from {use.source} would be sent to {use.origin}. {given}"


def accept_key(use: KeyUse, confirmed: ConfirmedSettings) -> None:
    """Let the key be sent there, from now on. Raises ConfigError."""
    key_hosts().confirm(use.name, use.origin)
    confirmed.keep_key(use.name, use.origin)
