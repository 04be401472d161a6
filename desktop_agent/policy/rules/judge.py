"""Decides whether an operation may be done, by a table of what is refused and what needs a yes.

A pure function of the operation, its place, the level, whether its time is over, the origin of its text and the user's rules. It
fails closed: an operation that no row knows is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.place import Place
from desktop_agent.policy.facts.programs import LOCKS, is_guard, is_one_of
from desktop_agent.policy.facts.scope import EVERYTHING, Grant, Scope
from desktop_agent.policy.facts.words.spoken_words import Spoken, understand
from desktop_agent.policy.rules import grant_limits, scope_check, sinks
from desktop_agent.policy.rules.sinks import Case
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.permission import Level, Rule, Rules, Source

Kind: TypeAlias = Literal["allow", "ask", "refuse"]


# Every test takes what is judged and returns the reason for people, "" when it does not apply.
_DOES = {
    "write": "This would write", "open": "This opens", "leave": "This gives away", "delete": "This removes or renames",
}  # fmt: skip


class AtPlace(Protocol):
    """What is judged, as far as these tests ask."""

    @property
    def place(self) -> Place: ...


def own_file(case: AtPlace) -> str:
    """A change to our own settings, records, logs or program, or giving them away: never, at no level."""
    file = case.place.file
    if file is None or not file.own or file.action == "open":
        return ""
    return f"{_DOES[file.action]} {file.path}, which is {file.why}; I never do that."


def protected_file(case: AtPlace) -> str:
    """A file that something reads at start, carries out or trusts, or one that cannot be told."""
    file = case.place.file
    if file is None:
        return ""
    if file.why:
        return f"{_DOES[file.action]} {file.path}, which is {file.why}."
    if file.unknown:
        shown = f" {file.path}" if file.path else ""
        return f"{_DOES[file.action]}{shown or ' a file'}, but where that really is cannot be told: {file.unknown}"
    return ""


def overwriting(case: AtPlace) -> str:
    """A file that is there, was not made by this run and that the user's words do not name."""
    file = case.place.file
    if file is None or file.action != "write" or not file.overwrites or file.named:
        return ""
    return f"This replaces what is in {file.path}, which you have not named."


def leaving(case: AtPlace) -> str:
    """A file that the user's words do not name leaves its folder: an upload, an attachment, a drop into a page."""
    file = case.place.file
    if file is None or file.action != "leave" or file.named or file.unknown:
        return ""
    receiver = case.place.origin or case.place.application or case.place.program or "another program"
    return f"This gives {file.path}, which you have not named, to {receiver}."


class Verdict(msgspec.Struct, frozen=True):
    """`reason` is for people and models; `sink` names what needs a yes (several joined with "+").

    `adds` is what a yes adds to the scope of the run, None for nothing.
    """

    kind: Kind
    reason: str = ""
    sink: str = ""
    adds: Grant | None = None


class PolicyRow(NamedTuple):
    """One line of a table: `test` gives the reason, "" when the line does not apply."""

    sink: str
    test: Callable[[Case], str]


ALLOWED = Verdict("allow")

# Refused at every level; no rule lifts these.
NEVER: tuple[PolicyRow, ...] = (
    PolicyRow("own window", lambda c: "This is the agent's own window." if c.place.own else ""),
    PolicyRow(
        "other user",
        lambda c: "Cannot act here: this window has more rights than the agent." if c.place.foreign else "",
    ),
    PolicyRow(
        "authentication", lambda c: "This asks for a person's rights; only the user may answer." * _guards(c)
    ),
    PolicyRow("lock screen", lambda c: "The screen is locked; only the user may unlock it." * _locks(c)),
    PolicyRow("own file", own_file),
    PolicyRow("unknown operation", lambda c: f"{_name(c.op)} is not judged here." * (not _judged(c.op))),
)

# What needs a yes in `restricted`.
SINKS: tuple[PolicyRow, ...] = (
    PolicyRow("unknown place", sinks.unknown_place),
    PolicyRow("execution", sinks.execution),
    PolicyRow("terminal", sinks.terminal),
    PolicyRow("run dialog", sinks.run_dialog),
    PolicyRow("launcher", sinks.launcher),
    PolicyRow("developer tools", sinks.developer_tools),
    PolicyRow("system keys", sinks.system_keys),
    PolicyRow("password", sinks.password),
    PolicyRow("secret", sinks.secret),
    PolicyRow("address bar", sinks.address_bar),
    PolicyRow("button", sinks.button),
    PolicyRow("file deletion", sinks.file_deletion),
    PolicyRow("open", sinks.opening),
    PolicyRow("after enter", sinks.text_after_enter),
    PolicyRow("protected file", protected_file),
    PolicyRow("overwriting", overwriting),
    PolicyRow("file leaves", leaving),
)
TAKE_TEXT = frozenset((
    "execution", "terminal", "run dialog", "address bar", "password", "unknown place", "open", "command", "file change",
))  # fmt: skip
"""Sinks where it matters, even with full access or by a rule, that a text was only read somewhere."""
OF_FILES = frozenset(("protected file", "overwriting", "file leaves"))
"""Sinks of one file each: no rule lifts them, and no yes to one is a yes to another."""
ALWAYS = frozenset(("secret",)) | OF_FILES
"""Sinks that need a yes also with full access."""
NAMED_BY_USER = frozenset(("address bar", "open", "execution", "terminal"))
"""Sinks where the user's own exact words are the yes already."""


def judge(
    op: Op,
    place: Place,
    level: Level,
    source: Source,
    rules: Rules,
    scope: Scope = EVERYTHING,
    spoken: Spoken | None = None,
    settled: frozenset[str] = frozenset(),
    *,
    over: bool = False,
) -> Verdict:
    """May `op` be done at `place`? `source` is where the operation's text comes from. Never raises.

    `scope` is that of the run, `spoken` what the user's words name: both only matter in `restricted`. `settled`
    are sinks that the user has already said yes to for this operation here. `over`: the time that `rules` give
    has passed. What lies beyond that grant is judged as in `restricted` and asked about, whatever the rules allow.

    `place` is what a pointer operation lands on, what has the keyboard for keys and text, for `open` what
    would be opened, and for a file or a command the file or the environment.
    """
    if _harmless(op):
        return ALLOWED
    case = Case(op, place, source, spoken or understand(()))
    for row in NEVER:
        if reason := row.test(case):
            return Verdict("refuse", reason, row.sink)
    if _any_rule(rules.deny, case):
        return Verdict("refuse", "A rule of the user forbids this.", "rule")
    if place.simulated and op.traits.gives_input:
        return ALLOWED
    if level == "simulation_only":
        looks = not (op.traits.gives_input or op.traits.sink)
        return ALLOWED if looks else Verdict("refuse", "This level only looks.", "level")
    beyond = grant_limits.beyond(op, place, rules, over=over)
    verdict = _with_sinks(case, "restricted" if beyond else level, rules, scope, settled)
    return _and_asks(verdict, beyond) if beyond else verdict


def _with_sinks(case: Case, level: Level, rules: Rules, scope: Scope, settled: frozenset[str]) -> Verdict:
    open_rows = (row for row in SINKS if row.sink not in settled)
    found = [(row.sink, reason) for row in open_rows if (reason := row.test(case))]
    if case.op.traits.sink and not case.place.contained:
        found.append((case.op.traits.sink, case.op.traits.asks))
    by_rule = _any_rule(rules.allow, case)
    if level == "full" or by_rule:
        always = OF_FILES if by_rule else ALWAYS
        read = case.source == "seen" and not scope_check.names_file(case.op, case.place, scope)
        found = [each for each in found if each[0] in always or (each[0] in TAKE_TEXT and read)]
    else:
        named = case.source == "user" or scope_check.names_file(case.op, case.place, scope)
        found = [each for each in found if not (each[0] in NAMED_BY_USER and named)]
    scoped = level == "restricted" and not by_rule
    adds = scope_check.lacking(case.op, case.place, scope, case.spoken) if scoped else None
    if adds is not None:
        found.insert(0, (scope_check.SINK, scope_check.question(adds, case.place)))
    if not found:
        return ALLOWED
    reasons, names = " ".join(reason for _, reason in found), "+".join(sink for sink, _ in found)
    lasts = adds is not None and scope_check.can_be_added(adds)
    return Verdict("ask", reasons, names, adds if lasts else None)


def _and_asks(verdict: Verdict, beyond: str) -> Verdict:
    """The verdict of what needs a yes also for being beyond the grant."""
    reason, sink = (
        f"{beyond} {verdict.reason}".strip(),
        "+".join(filter(None, (grant_limits.SINK, verdict.sink))),
    )
    return Verdict("ask", reason, sink, verdict.adds)


def _harmless(op: Op) -> bool:
    """Does it do nothing to anything? Looking, asking, waiting, ending; letting go of a key is always allowed."""
    return (
        hasattr(type(op), "traits")
        and op.traits.carried_out_by in ("hand", "agent")
        and not op.traits.gives_input
    )


def _judged(op: Op) -> bool:
    return hasattr(type(op), "traits") and op.traits.carried_out_by in ("hand", "environment")


def _guards(case: Case) -> bool:
    return is_guard(case.place.window, case.place.application, case.place.program)


def _locks(case: Case) -> bool:
    return is_one_of(LOCKS, case.place.application, case.place.program)


def allowed_by_rule(op: Op, place: Place, rules: Rules) -> bool:
    """Has the user allowed this by a rule of the settings?"""
    return _any_rule(rules.allow, Case(op, place, "user", understand(())))


def _any_rule(rules: tuple[Rule, ...], case: Case) -> bool:
    return any(_matches(rule, case) for rule in rules)


def _matches(rule: Rule, case: Case) -> bool:
    place = case.place
    fields: tuple[tuple[str, tuple[str, ...]], ...] = (
        (rule.application, (place.application, place.program)),
        (rule.window, (place.window,)),
        (rule.role, (place.role,)),
        (rule.name, (place.name,)),
        (rule.op, (_name(case.op),)),
    )
    return all(any(_like(pattern, value) for value in values) for pattern, values in fields if pattern)


def _like(pattern: str, value: str) -> bool:
    return fnmatchcase(fold(value), fold(pattern))


def _name(op: Op) -> str:
    return name_of(op) if hasattr(type(op), "__struct_config__") else type(op).__name__
