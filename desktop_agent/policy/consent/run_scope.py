"""Keeps the scope of one run: what the settings granted, what the user's words name, and what a yes added."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from desktop_agent.policy.facts.place import Place, Subject
from desktop_agent.policy.facts.scope import EVERYTHING, Grant, How, Scope
from desktop_agent.policy.facts.words.scope_from_words import Programs, grants_from, grants_in_front
from desktop_agent.policy.facts.words.spoken_words import Spoken, understand
from desktop_agent.protocol.agent_events import FeedEvent, ScopeSet


@dataclass
class RunScope:
    """The scope of a run, which only grows. Only the agent's thread touches it.

    `programs` tells which programs words name, `tell` gets a `ScopeSet` when the scope is known first and
    whenever it has grown.
    """

    scope: Scope = EVERYTHING
    programs: Programs | None = None
    tell: Callable[[FeedEvent], None] = lambda _: None
    restored: tuple[Grant, ...] | None = None
    """Of a run that goes on: what was granted by what was in front then; what is in front now grants nothing."""
    asked: bool = False
    """The model has asked to widen it; it may once."""
    _said: list[str] = field(default_factory=list)
    _front: Place | None = None
    _in_front: tuple[Grant, ...] = ()
    _told: Scope | None = None
    _named: Scope = Scope()

    def __post_init__(self) -> None:
        self._named = self.scope

    def names(self, subject: Subject) -> bool:
        """Do the settings or the user's words, without what a yes added, name this as a place for texts to go to?"""
        return self._named.covers(subject, How.FILL)

    @property
    def spoken(self) -> Spoken:
        """What the user's words name."""
        return understand(tuple(self._said))

    def hear(self, texts: Sequence[str]) -> None:
        """The user has said this: the goal first, then answers."""
        self._said += texts
        self._take_words()

    @property
    def begun(self) -> bool:
        """Is it known what was in front when the goal was given?"""
        return self._told is not None

    def begin(self, front: Place) -> None:
        """Take in what is in front when the goal is given, and tell the scope."""
        self._front = front if self.restored is None else None
        self._take_words(first=True)

    def widen(self, grants: Iterable[Grant]) -> None:
        """The user has said yes to these, for this run."""
        self._grow(self.scope.widened(*grants))

    def _take_words(self, *, first: bool = False) -> None:
        grants: list[Grant] = []
        if not self.scope.everything and self.programs is not None:
            grants += grants_from(self._said, self.programs)
            if self._front is not None:
                self._in_front = grants_in_front(self._front, self._said, self.programs)
            grants += self.restored or self._in_front
        self._named = self._named.widened(*grants)
        self._grow(self.scope.widened(*grants), first=first)

    def _grow(self, scope: Scope, *, first: bool = False) -> None:
        self.scope = scope
        if self._told == scope or not (first or self._told is not None):
            return
        before = set(self._told.grants) if self._told is not None else set(scope.grants)
        self._told = scope
        added = tuple(each.words for each in scope.grants if each not in before)
        front = tuple(map(str, self.restored or self._in_front))
        self.tell(ScopeSet(words=scope.words, grants=tuple(map(str, scope.grants)), added=added, front=front))
