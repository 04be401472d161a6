"""Gives the settings dialog what it shows of the place where the agent works: its picture, its windows, its standing grants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from desktop_agent.agent.choices import Choices
from desktop_agent.agent.port import AgentPort
from desktop_agent.startup import assembly
from desktop_agent.targets.base import Target
from desktop_agent.vision.capture.masks import Privacy

if TYPE_CHECKING:
    from desktop_agent.ui.settings.options.surroundings import AlwaysAllowed, Surroundings


def surroundings(choices: Choices, port: AgentPort) -> Callable[[], Surroundings]:
    """Makes what the dialog is given, when it is opened. The picture is taken because the user asks for it there.

    An embedded display cannot be looked at beside its run, so there is no picture of it.
    """

    def make() -> Surroundings:
        from desktop_agent.ui.settings.options.surroundings import Surroundings
        from desktop_agent.ui.settings.options.target_surroundings import surroundings_of

        allowed = partial(_allowed, port)
        if assembly.target_name(choices.settings()) != "local":
            return Surroundings(allowed=allowed)
        return surroundings_of(partial(_looked_at, choices), partial(_privacy, choices), {}, allowed)

    return make


@contextmanager
def _looked_at(choices: Choices) -> Iterator[Target]:
    """A target of its own for one look: the session's is let go of between runs."""
    target = assembly.make_target(choices.settings())
    target.start()
    try:
        yield target
    finally:
        target.stop()


def _privacy(choices: Choices) -> Privacy:
    return Privacy.of(choices.settings().privacy)


def _allowed(port: AgentPort) -> Sequence[AlwaysAllowed]:
    from desktop_agent.ui.settings.options.surroundings import AlwaysAllowed

    return [AlwaysAllowed(each.words, partial(port.take_back, each.id)) for each in port.standing()]
