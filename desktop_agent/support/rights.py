"""Tells which settings widen what the program may do, and what a changed one means in plain words.

A right is named as in config.toml (`agent.permission`, `llm.openai.base_url`) and holds its plain value; one at
its default is not listed. What is not known to be harmless counts as a right: every key of a model's,
target's or environment's table, and all of `[scope]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from desktop_agent.protocol.permission import LEVELS, Rules
from desktop_agent.support import plugins
from desktop_agent.support.config import TABLES, Config, name_now
from desktop_agent.support.plugins import FamilyName

Rights: TypeAlias = dict[str, Any]
"""Names and plain JSON values of settings that differ from the default."""

_SINGLE = (
    "agent.permission", "agent.model", "agent.target", "agent.environments", "agent.step", "hand.takeover",
    "privacy.windows", "privacy.regions", "secrets.values",
    "notes.enabled", "notes.folder", "log.file",
    "hotkeys.approve", "hotkeys.skip", "hotkeys.edit",
    "history.keep_days", "history.keep_megabytes",
    "simulation.can_execute_code", "simulation.can_read_sim_hw_status",
)  # fmt: skip
_SCOPE = tuple(f"scope.{name}" for name in Rules.__struct_fields__)
_GUARDS = frozenset(("scope.deny", "privacy.windows", "privacy.regions"))
"""Lists that protect: taking something out of them widens, adding does not."""
_ORDERS: dict[str, tuple[Any, ...]] = {
    "agent.permission": LEVELS,
    "agent.step": ("action", "plan", "off"),
    "hand.takeover": (True, False),
    "notes.enabled": (False, True),
    "simulation.can_execute_code": (False, True),
    "simulation.can_read_sim_hw_status": (False, True),
}
"""Values from the narrowest to the widest."""
_NARROWEST = {
    "agent.model": ("offline",),
    "agent.target": ("display", "none", "simulated"),
    "notes.folder": (None,),
    "log.file": (None,),
    "history.keep_days": (None,),
    "history.keep_megabytes": (None,),
}
"""Choices that need no yes."""
_HARMLESS = {
    "llm": frozenset((
        "model", "stream", "timeout", "idle_timeout", "retries", "max_output_tokens", "effort",
        "image_edge", "image_format", "marks", "dollars_per_million", "detail", "context", "context_tokens", "threads",
        "on_divergence",
    )),
    "target": frozenset(("width", "height", "background")),
}  # fmt: skip
_SELECTORS: dict[str, FamilyName] = {
    "agent.model": "llm", "agent.target": "target", "agent.dialect": "dialect", "agent.environments": "environment",
}  # fmt: skip

_WORDS = {
    "history.keep_days": "after how many days the records of runs are deleted",
    "history.keep_megabytes": "from how many megabytes on the oldest records of runs are deleted",
    "agent.permission": "how much is done without asking",
    "agent.model": "who thinks, and is sent pictures of the screen",
    "agent.target": "where mouse and keyboard are used",
    "agent.environments": "what the model may work in besides the screen",
    "agent.step": "how often you are asked",
    "hand.takeover": "whether your own mouse or keyboard pauses the agent",
    "privacy.windows": "windows that are hidden from pictures",
    "privacy.regions": "parts of the screen that are hidden from pictures",
    "secrets.values": "secrets that may be typed",
    "notes.enabled": "whether notes of earlier runs are told and kept",
    "notes.folder": "the folder whose notes are told to the model, and where it writes new ones",
    "hotkeys.approve": "the keys that mean yes to a question, whatever has the keyboard",
    "hotkeys.skip": "the keys that mean no to a question",
    "hotkeys.edit": "the keys that open a question for changes",
    "log.file": "the file that the program's log is written to",
    "scope.deny": "what is always refused",
    "simulation.can_execute_code": "whether code in a simulated desktop is executed, in a sandbox",
    "simulation.can_read_sim_hw_status": "whether a simulated desktop shows this computer's hardware and load",
    "scope.minutes": "how long the permission counts in a run",
    "scope.applications": "the applications that the permission counts in",
    "scope.inputs": "the kinds of input that the permission counts for",
}
_BASE_URL = "the server that is sent pictures of the screen, your words and {key}"
_KEY_ENV = "the key that is sent to its server"


class WidenedRight(NamedTuple):
    """A right that differs from what was confirmed; None stands for the default."""

    name: str
    before: Any
    now: Any

    @property
    def words(self) -> str:
        """One line for people: what it is, what it was, what it would be. Letters outside ASCII are spelled out."""
        return f"{self.name}: {_meaning(self.name)}. Before: {_value(self.before)}. Now: {_value(self.now)}."


def rights_of(config: Config) -> Rights:
    """The settings of a config that widen what the program may do, or protect, where they are not the default."""
    there, default = msgspec.to_builtins(config), msgspec.to_builtins(Config())
    names = (name for name in (*_SINGLE, *_SCOPE) if _get(there, name) != _get(default, name))
    found = {name: _get(there, name) for name in names}
    for family in TABLES:
        harmless = _HARMLESS.get(family, frozenset())
        for plugin, table in there[family].items():
            found |= {f"{family}.{plugin}.{key}": table[key] for key in table if key not in harmless}
    return _plain(found | dict(_installed(there)))


def with_rights(config: Config, rights: Mapping[str, Any]) -> Config:
    """The config with exactly these rights, all others at their default. Raises msgspec.ValidationError."""
    plain, default = msgspec.to_builtins(config), msgspec.to_builtins(Config())
    for name in rights_of(config):
        if not name.startswith("plugin."):
            _put(plain, name, _get(default, name))
    for name, value in rights.items():
        if not name.startswith("plugin."):
            _put(plain, name, value)
    return msgspec.convert(plain, Config, strict=True)


def widened(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[WidenedRight, ...]:
    """The rights that `now` has beyond `before`, sorted by name."""
    changes = (WidenedRight(name, before.get(name), now.get(name)) for name in sorted({*before, *now}))
    return tuple(each for each in changes if _widens(*each))


def _widens(name: str, before: Any, now: Any) -> bool:
    if before == now or now in _NARROWEST.get(name, ()):
        return False
    if name.startswith("plugin."):
        return now is not None
    if name in _GUARDS:
        return not _within(before or [], now or [])
    if name in _ORDERS:
        order = _ORDERS[name]
        default = _get(msgspec.to_builtins(Config()), name)
        was, becomes = (default if each is None else each for each in (before, now))
        return order.index(becomes) > order.index(was)
    if name == "scope.minutes":  # 0 means all of the run
        return bool(before) and not 0 < (now or 0) <= before
    if name == "agent.model":
        return _provider(before) != _provider(now)
    if name in ("scope.applications", "scope.inputs"):  # an empty list means all of them
        return bool(before) and (not now or not _within(now, before))
    if isinstance(before, list) and (isinstance(now, list) or now is None):
        return not _within(now or [], before)
    return True


def renamed(rights: Rights) -> Rights:
    """Rights with the names that their settings have now, as they may have been confirmed under earlier ones."""
    limits = rights.get("policy.grant") or {}
    others = {name_now(name): value for name, value in rights.items() if name != "policy.grant"}
    return others | {f"scope.{name}": value for name, value in limits.items() if value}


def _within(part: list[Any], whole: list[Any]) -> bool:
    return all(each in whole for each in part)


def _provider(model: str | None) -> str:
    return (model or "auto").partition(":")[0]


def _installed(there: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The installed packages whose plug-ins the config names: another package of the same name is another right."""
    for name, family in _SELECTORS.items():
        value = _get(there, name)
        for each in [value] if isinstance(value, str) else value:
            plugin = each.partition(":")[0] if family == "llm" else each
            if plugin != "auto" and (package := plugins.package_of(family, plugin)):
                yield f"plugin.{family}.{plugin}", package


def _get(plain: Mapping[str, Any], name: str) -> Any:
    """The value at a dotted name, None where there is none."""
    value: Any = plain
    for part in parts_of(name):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _put(plain: dict[str, Any], name: str, value: Any) -> None:
    """Set the value at a dotted name; None takes it out."""
    *above, last = parts_of(name)
    table = plain
    for part in above:
        table = table.setdefault(part, {})
    if value is None:
        table.pop(last, None)
    else:
        table[last] = value


def parts_of(name: str) -> list[str]:
    """`agent.model` → agent, model; of a plug-in's table three parts: `llm.NAME.key`, whatever is in the last."""
    family = name.partition(".")[0]
    return name.split(".", 2 if family in TABLES else 1)


def _plain(rights: Rights) -> Rights:
    """As it is after being written and read again."""
    return dict(msgspec.json.decode(msgspec.json.encode(rights)))


def _meaning(name: str) -> str:
    if name in _WORDS:
        return _WORDS[name]
    family, _, rest = name.partition(".")
    plugin, _, key = rest.partition(".")
    if family == "scope":
        return "what is done without asking"
    if family == "plugin":
        return "an installed package that runs inside this program, with all its rights"
    if family == "llm" and key == "base_url":
        return _BASE_URL.format(key=f"the key of {plugin}")
    if family == "llm" and key == "key_env":
        return _KEY_ENV
    return {
        "environment": "what the model may work in",
        "target": "where it acts",
        "wire": "how keys get there",
    }.get(family, "a setting of the model that is used")


def _value(value: Any) -> str:
    return "not set" if value is None else json.dumps(value)
