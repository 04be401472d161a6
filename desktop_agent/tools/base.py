"""An environment: a place without a screen in which operations are carried out, such as a folder of files.

Adding one is one new file `tools/NAME.py`, or a module of an installed package that an entry point of the
group `desktop_agent.environments` names. It defines an `Options` struct (its `[environment.NAME]` table in
config.toml) and `create(options: Options) -> Environment`, which starts nothing and touches nothing. The
model is offered its operations when `[agent] environments` names it.

The agent judges every operation by its policy before `execute` gets it, and records it before and after.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag

MAX_TOLD = 12_000
"""Characters of a response's text, and of a screen, that the model is told; the environment keeps to it."""


class Response(msgspec.Struct, frozen=True):
    """What came of an operation.

    `detail` says in a few words what was done or why it was not, for the user and the record; `text` is
    what the model is told besides: what a file holds, what a command printed; with `first_line` it is told with line
    numbers, from that on. `opened` is what it has put on the screen, for a summary of it.
    """

    outcome: Literal["done", "refused", "failed"]
    detail: str = ""
    text: str = ""
    first_line: int = 0
    opened: str = ""


class Environment(ABC):
    """One environment; one thread at a time uses it."""

    name: str
    operations: frozenset[str]
    """Names of the operations it carries out: any of run, read_file, write_file, edit_file, read_terminal."""

    def offered_to(self, dialect: str) -> bool:  # noqa: ARG002
        """Is a model that speaks this dialect offered its operations?"""
        return True

    def start(self) -> None:
        """Bring it up; nothing when it is up. Raises DesktopAgentError with advice when it cannot be."""

    seconds: float | None = None
    """Seconds after which one operation is given up; None for the agent's own limit."""
    most_shown: int = MAX_TOLD
    """Characters of its screen that are told."""
    folder: Path | None = None
    """The folder whose files it reads and writes; None for none."""
    contained: bool = False
    """Can what is done in it reach only what the user gave it? Then its commands need no yes of their own."""

    def named(self) -> tuple[str, ...]:
        """The names by which `run` reaches it."""
        return (self.name,)

    def about(self) -> Mapping[str, str]:
        """What a model is told of each of these names; once it is started."""
        return {}

    def notice(self) -> str:
        """What the user is told of it before the first run; "" for nothing."""
        return ""

    brings_news: bool = False
    """Does something happen in it by itself, which `news` tells?"""

    def begin(self) -> None:
        """A run begins: `findings` are told of what happens from now on."""

    def findings(self) -> tuple[str, ...]:
        """What the user is to know of what was done in it since the last time, above the end of a run; each a text of its own."""
        return ()

    @abstractmethod
    def execute(self, op: Op, stop: StopFlag) -> Response:
        """Carry out one operation. What goes wrong is a response, not an exception.

        Raises Stopped when `stop` is set; an environment that does not notice is not waited for.
        """

    @abstractmethod
    def screen(self) -> str:
        """What there is to see now, as text of at most MAX_TOLD characters."""

    def news(self, stop: StopFlag) -> Callable[[], bool]:  # noqa: ARG002 - nothing happens here by itself
        """Begin to wait: what is given tells, whenever it is called, whether something is there that `screen` has not told.

        Raises Stopped.
        """
        return lambda: False

    def stop(self) -> None:
        """End what `start` began, from any thread, without waiting; safe to call twice. It may be started again."""

    def close(self) -> None:
        """`stop`, and wait a few seconds at most until it has ended; for the end of the program."""
        self.stop()
