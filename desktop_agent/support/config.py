"""Settings from a TOML file and the environment: typed, strict, and an error names file, line and field."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec

from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.protocol.permission import Level, Rules, short_level
from desktop_agent.redaction.secret_reference import SecretReference, is_secret
from desktop_agent.support.hotkey import hotkey_conflict

Count = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]

Pixels = Annotated[int, msgspec.Meta(ge=1, le=65_535)]


class AgentSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[agent]`: who thinks, where it acts and how far it may go. Times in seconds.

    At `max_steps`, `timeout`, `max_tokens` and `max_dollars` the user is asked whether to go on (0 tokens or dollars:
    no limit). `dialect` "auto" is the one the model chooses; `environments` are those whose operations the model is offered.
    `reward_file` is a path in the workspace of the environment `files`, "" for none.
    """

    target: str = "auto"
    model: str = "auto"
    dialect: str = "auto"
    environments: tuple[str, ...] = ()
    step: Literal["off", "action", "plan"] = "off"
    max_steps: Count = 60
    timeout: Seconds = 1_800.0
    max_tokens: Annotated[int, msgspec.Meta(ge=0)] = 0
    max_dollars: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    history: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    max_actions: Annotated[int, msgspec.Meta(ge=1, le=16)] = 8
    permission: Level = "restricted"
    reward_file: str = ""


class HandSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[hand]`: `max_rate` input events a second, `batch_timeout` seconds for one batch.

    `takeover`: the human's mouse or keyboard pauses the agent.
    """

    max_rate: Annotated[float, msgspec.Meta(ge=1, le=10_000)] = 1_000.0
    batch_timeout: Seconds = 60.0
    takeover: bool = True


class WindowSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[window]`: how the chat window looks; `previews` live pictures a second of a screen that is not this one.

    `hints` show on the screen where the agent acts next, `live_picture` shows what it sees of this screen too,
    `snap` docks the window when it is dragged to the left or right edge.
    `attention` is how a question calls the user beside showing itself: the window's button flashes, the system beeps.
    `close_to_tray`: closing it stops a run and hides the window in the tray, where there is one, in place of ending.
    `notifications`: the desktop tells of questions and ends of runs that the window, out of sight, cannot.
    """

    language: Literal["system", "en", "de"] = "system"
    theme: Literal["system", "light", "dark", "contrast"] = "system"
    always_on_top: bool = True
    previews: Annotated[float, msgspec.Meta(ge=1, le=5)] = 3.0
    hints: bool = True
    live_picture: bool = True
    snap: bool = True
    attention: Literal["none", "flash", "sound", "both"] = "flash"
    close_to_tray: bool = False
    notifications: bool = True


class SecretSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[secrets]`: `values` says where marked secrets are, never what they are: "env:NAME" or "keyring:NAME"."""

    values: tuple[SecretReference, ...] = ()


class PrivacySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[privacy]`: what is painted over before anything is shown, kept or sent.

    `windows` are patterns (`*` and `?`, capitals do not count) of titles or application names,
    `regions` rectangles [x, y, width, height] of screen pixels.
    """

    windows: tuple[Annotated[str, msgspec.Meta(min_length=1)], ...] = ()
    regions: tuple[tuple[int, int, Pixels, Pixels], ...] = ()


class NoteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[notes]`: whether the agent keeps notes, and the whole path of their folder ("": `notes` in the data folder)."""

    enabled: bool = True
    folder: str = ""


class LogSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[log]`: from which level on the program's log tells, and its file ("": desktop-agent.log in the log folder)."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    file: str = ""


class HotKeySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[hotkeys]`: global shortcuts, as in "ctrl+alt+enter"; "" for none.

    `show` raises the window, `hints` switches the hints on the screen on and off.
    """

    approve: str = "ctrl+alt+enter"
    skip: str = "ctrl+alt+backspace"
    edit: str = "ctrl+alt+e"
    show: str = ""
    hints: str = "ctrl+alt+h"

    def __post_init__(self) -> None:
        try:
            same = hotkey_conflict(msgspec.structs.asdict(self))
        except Refused as error:
            raise ValueError(str(error)) from None
        if same:
            raise ValueError(f"{same[0]} and {same[1]} have the same shortcut")


class HistorySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[history]`: how long runs are kept and how much room they may take; 0: no limit.

    What is over a limit is deleted when the program starts, the oldest first; never the newest run or one under way.
    """

    keep_days: Annotated[int, msgspec.Meta(ge=0, le=36_500)] = 0
    keep_megabytes: Annotated[int, msgspec.Meta(ge=0, le=100_000_000)] = 0


class SimulationSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[simulation]`: what a simulated desktop may do beside virtual input; none of it gives real input, nor the other way round.

    `can_execute_code`: its code editor runs Python, in a sandbox; `can_read_sim_hw_status`: it shows the hardware's values.
    """

    can_execute_code: bool = False
    can_read_sim_hw_status: bool = False


class EndpointSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[endpoint]`: how the window of `desktop-agent endpoint` looks; `font_size` in pixels.

    At a font size of 0 columns and rows stay as they are, and the font is as large as the window has room for.
    """

    columns: Annotated[int, msgspec.Meta(ge=20, le=500)] = 80
    rows: Annotated[int, msgspec.Meta(ge=4, le=300)] = 24
    font_size: Annotated[int, msgspec.Meta(ge=0, le=96)] = 20
    font: str = "DejaVu Sans Mono"
    theme: Literal["dark", "light", "contrast"] = "dark"


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole config file; `llm`, `target`, `wire` and `environment` hold one table per plug-in, checked by its Options.

    `path` is the file, "" without one, `from_environment` the dotted names of what the environment set, and `digest` the
    SHA-256 of the file's bytes, followed by the settings in the environment where there are any.
    """

    agent: AgentSettings = AgentSettings()
    hand: HandSettings = HandSettings()
    window: WindowSettings = WindowSettings()
    secrets: SecretSettings = SecretSettings()
    privacy: PrivacySettings = PrivacySettings()
    scope: Rules = Rules()
    notes: NoteSettings = NoteSettings()
    log: LogSettings = LogSettings()
    hotkeys: HotKeySettings = HotKeySettings()
    history: HistorySettings = HistorySettings()
    simulation: SimulationSettings = SimulationSettings()
    endpoint: EndpointSettings = EndpointSettings()
    llm: dict[str, dict[str, Any]] = {}
    target: dict[str, dict[str, Any]] = {}
    wire: dict[str, dict[str, Any]] = {}
    environment: dict[str, dict[str, Any]] = {}
    path: str = ""
    digest: str = ""
    from_environment: tuple[str, ...] = ()


PREFIX = "DESKTOP_AGENT__"
"""Begins the names of environment variables that are settings: `DESKTOP_AGENT__AGENT__MODEL` is `agent.model`."""
_OWN = ("path", "digest", "from_environment")
"""Fields of Config that no file sets."""


Table: TypeAlias = Literal["llm", "target", "wire", "environment"]
TABLES: tuple[Table, ...] = ("llm", "target", "wire", "environment")
"""The families of plug-ins that have settings."""

T = TypeVar("T")


def load(path: Path | None, environ: Mapping[str, str] | None = None) -> Config:
    """The settings in `path` (None: the defaults), with those of the environment instead where it has some.

    Raises ConfigError with file, line and field, or the variable, for anything that cannot be read or is not known.
    """
    raw = _bytes_of(path) if path is not None else b""
    return read(raw, path, os.environ if environ is None else environ)


def read(raw: bytes, path: Path | None, environ: Mapping[str, str]) -> Config:
    """`load` of a file with these bytes. Raises ConfigError."""
    file = path or Path("config.toml")
    text = _text(raw, file)
    data = _parse(text, file)
    _refuse_own(data, file)
    _rename_policy(data, file)
    given = {name: environ[name] for name in sorted(environ) if name.startswith(PREFIX)}
    names = tuple(_put(data, name, value) for name, value in given.items())
    _shorten_level(data)
    config = _convert(data, Config, file, text, (), given)
    said = "".join(f"{name}={value}\n" for name, value in given.items())
    return msgspec.structs.replace(
        config,
        path=str(path) if path is not None else "",
        digest=hashlib.sha256(raw + said.encode("utf-8", "surrogateescape")).hexdigest(),
        from_environment=names,
    )


def _refuse_own(data: Mapping[str, Any], file: Path) -> None:
    if taken := next((name for name in _OWN if name in data), ""):
        raise ConfigError(f"{file}: {taken}: Object contains unknown field `{taken}`.", "Take that line out.")


_OF_POLICY = {"allow_scope": "places", "allow_applications": "applications"}
"""Names that files of earlier versions have under `[policy]`, and those in `[scope]`; all others are the same."""


def name_now(name: str) -> str:
    """The dotted name of a setting, also for one that files of earlier versions have under `[policy]`."""
    family, _, rest = name.partition(".")
    if family != "policy":
        return name
    rest = rest.removeprefix("grant").removeprefix(".")
    return f"scope.{_OF_POLICY.get(rest, rest)}".rstrip(".")


def _rename_policy(data: dict[str, Any], file: Path) -> None:
    """Put what stands in `[policy]` and `[policy.grant]` into `[scope]`, as it is called now; what that says itself counts."""
    old, scope = data.get("policy"), data.get("scope", {})
    if not isinstance(old, dict) or not isinstance(scope, dict):
        return
    grant = old.pop("grant", {})
    if not isinstance(grant, dict):
        raise ConfigError(f"{file}: policy.grant: Expected a table.", "Mend that line.")
    twice = "applications" in grant and "allow_applications" in old and "applications" not in scope
    if twice and grant["applications"] != old["allow_applications"]:
        raise ConfigError(
            f"{file}: policy.allow_applications and policy.grant.applications are one setting now.",
            "Say in [scope] applications which ones count.",
        )
    renamed = {name_now(f"policy.{name}").partition(".")[2]: value for name, value in (old | grant).items()}
    data["scope"] = renamed | scope
    del data["policy"]


def _put(data: dict[str, Any], variable: str, value: str) -> str:
    """Put a variable's value, as TOML or else as the text it is, to its place in the data; returns its dotted name."""
    said = ".".join(part.lower() for part in variable.removeprefix(PREFIX).split("__") if part)
    words = name_now(said).split(".")
    if len(words) < 2:
        raise ConfigError(f"{variable} names no setting.", f"Say it like {PREFIX}AGENT__MODEL.")
    table = data
    for part in words[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{variable} names no setting.", f"Say it like {PREFIX}AGENT__MODEL.")
    table[words[-1]] = _value(value)
    return ".".join(words)


def _shorten_level(data: dict[str, Any]) -> None:
    """Put the short name of a level in place of its long one."""
    agent = data.get("agent")
    if isinstance(agent, dict) and isinstance(level := agent.get("permission"), str):
        agent["permission"] = short_level(level)


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text


def options(config: Config, family: Table, name: str, kind: type[T]) -> T:
    """The plug-in's typed options from its table, defaults where it has none. Raises ConfigError."""
    table: dict[str, Any] = getattr(config, family).get(name, {})
    path = Path(config.path) if config.path else Path("config.toml")
    text = (
        path.read_text("utf-8", "replace") if path.is_file() else ""
    )  # to name a line; it may not be written yet
    start = f"{family}.{name}."
    given = {variable_of(each): "" for each in config.from_environment if each.startswith(start)}
    return _convert(table, kind, path, text, (family, name), given)


def find_file(explicit: str | None, folders: tuple[Path, ...]) -> Path | None:
    """The config file to read: the one named, else the first `config.toml` in the folders, else None.

    Raises ConfigError when a named file is not there.
    """
    if explicit is not None:
        if not Path(explicit).is_file():
            raise ConfigError(f"The config file {explicit} does not exist.", "Check the path after --config.")
        return Path(explicit)
    return next((folder / "config.toml" for folder in folders if (folder / "config.toml").is_file()), None)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _text(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> ConfigError:
    return ConfigError(f"{path} cannot be read: {error}.", "Check that it is a text file you may read.")


def _parse(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}.", "Mend that line; TOML wants `name = value`.") from error


def _convert(
    data: Any, kind: type[T], path: Path, text: str, prefix: tuple[str, ...], given: Mapping[str, str]
) -> T:
    """Data as a typed record; `given` are the variables that some of it comes from. Raises ConfigError."""
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        words, _, where = str(error).partition(" - at `$")
        field = _field(words, where, prefix)
        name = ".".join(field)
        line = _line_of(text, field)
        place = f"{path}, line {line}" if line else str(path)
        if (variable := variable_of(name)) in given:
            place = variable
        if "unknown field" in words and is_secret(field[-1]):
            raise ConfigError(f"{place}: {name}: a key does not belong here.", _KEY_ADVICE) from error
        raise ConfigError(f"{place}: {name or 'file'}: {words}.", _advice(kind, words)) from error


_KEY_ADVICE = (
    "Take it out, and put it into the environment (as OPENAI_API_KEY, say) or the system's key store."
)


def variable_of(name: str) -> str:
    """The environment variable that sets a dotted name."""
    return PREFIX + name.upper().replace(".", "__")


def _field(words: str, where: str, prefix: tuple[str, ...]) -> tuple[str, ...]:
    """`.agent.max_steps` or an unknown field's name → ("agent", "max_steps")."""
    inner = tuple(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", where.rstrip("`")))
    unknown = re.search(r"unknown field `([^`]+)`", words)
    return prefix + inner + ((unknown.group(1),) if unknown else ())


def _line_of(text: str, field: tuple[str, ...]) -> int:
    """The line (from 1) where a field is set, 0 when it cannot be told."""
    table: tuple[str, ...] = ()
    best = 0
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        setting = re.match(r"\s*([A-Za-z0-9_\-\"'.]+)\s*=", line)
        if header:
            table = tuple(part.strip(" \"'") for part in header.group(1).split("."))
            if (named := _parts_now(table)) == field[: len(named)]:
                best = number
        elif setting:
            name = _parts_now(table + tuple(part.strip("\"'") for part in setting.group(1).split(".")))
            if name == field[: len(name)]:
                return number
    return best


def _parts_now(parts: tuple[str, ...]) -> tuple[str, ...]:
    """`name_now` of a name in parts."""
    return tuple(name_now(".".join(parts)).split(".")) if parts[0] == "policy" else parts


def _advice(kind: type[Any], words: str) -> str:
    if "unknown field" not in words or not issubclass(kind, msgspec.Struct):
        return "Mend the value."
    known = ", ".join(field.name for field in msgspec.structs.fields(kind) if field.name not in _OWN)
    return f"Known here: {known}." if kind is not Config else "Check the spelling of the name."
