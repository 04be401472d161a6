"""Has environments carry out the operations on files and the commands, and tells the model what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from desktop_agent.agent.runlog.publisher import Feed
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError
from desktop_agent.protocol.ops import OPS, Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import interruptible_call
from desktop_agent.support.config import HandSettings
from desktop_agent.tools.base import MAX_TOLD, Environment, Response

MAX_KEPT = 2 * MAX_TOLD
"""Characters of responses that the model is still told; the newest stay."""
_QUOTE = "| "
T = TypeVar("T")


class Routes:
    """Which environment carries out an operation. Raises ConfigError where two would."""

    def __init__(self, environments: Sequence[Environment]) -> None:
        self._environments = tuple(environments)
        self._owners = _owners(environments)

    def of(self, op: Op) -> Environment | None:
        """The one that does; None for no one."""
        if isinstance(op, ops.Run):
            return next((each for each in self._environments if op.environment in each.named()), None)
        return self._owners.get(name_of(op))

    def contain(self, op: Op) -> bool:
        """Does the one that does reach only what the user gave it? Where there is none, nothing is reached."""
        environment = self.of(op)
        return environment is None or environment.contained


class Environments:
    """The environments of one run; only the agent's thread uses it.

    `read(text, where)` is told everything that was read in them: it is no more trusted than the screen. `quoted`: every line of
    what they show is marked, for a message that says other things, too. `summarize` gives a summary of what a command has put on
    the screen.
    """

    def __init__(
        self,
        environments: Sequence[Environment],
        feed: Feed,
        read: Callable[[str, str], None],
        settings: HandSettings,
        *,
        quoted: bool = True,
        summarize: Callable[[str, StopFlag], str] | None = None,
    ) -> None:
        self._environments = {each.name: each for each in environments}
        self._feed = feed
        self._read = read
        self._settings = settings
        self._quoted = quoted
        self._summarize = summarize
        self._kept: dict[tuple[str, str], tuple[str, str]] = {}
        self._routes = Routes(environments)

    @property
    def operations(self) -> tuple[str, ...]:
        """Names of the operations that the model may use."""
        offered = {name for each in self._environments.values() for name in each.operations}
        return tuple(name for name in OPS if name in offered)

    @property
    def commanded(self) -> tuple[str, ...]:
        """The names that `run` may give."""
        return tuple(
            name for each in self._environments.values() if "run" in each.operations for name in each.named()
        )

    def execute(self, op: Op, stop: StopFlag) -> OpResult:
        """Carry out one operation that the policy has allowed; the intent is recorded before, the response after.

        Raises StoreError when the intent cannot be recorded (nothing is done then), Stopped.
        """
        self._feed.record("environment", {"op": op})
        environment = self._routes.of(op)
        if environment is None:
            known = ", ".join(self.commanded) or "none"
            response = Response("refused", f"No environment carries this out. There is: {known}.")
        else:
            response = self._summed_up(self._ask(environment, op, stop), stop)
        self._feed.record("response", response)
        output = response.text if isinstance(op, ops.Run) else ""
        return OpResult("", 0, response.outcome, response.detail, output=output)

    def begin(self) -> None:
        """A run begins."""
        for each in self._environments.values():
            each.begin()

    def tell_findings(self) -> None:
        """Tell the user what is to be known of what was done in them: above the end of the run, each once."""
        for each in self._environments.values():
            try:
                found = each.findings()
            except (DesktopAgentError, OSError) as error:
                found = (f"How {each.name} was left is not known: {error}",)
            for text in found:
                self._feed.emit(say.Note(text=text))

    def told(self, stop: StopFlag) -> str:
        """What the environments show and what was read of files in them last; "" without any."""
        sections = [(self._title(each), self._screen(each, stop)) for each in self._environments.values()]
        shown = [(title, text) for title, text in (*sections, *self._kept.values()) if text]
        if not self._quoted:
            return "\n\n".join(text for _, text in shown)
        return "\n\n".join(f"{title}:\n{_quoted(text)}" for title, text in shown)

    def _title(self, environment: Environment) -> str:
        """The heading of what it shows, with the names that `run` may give where they are others than its own."""
        names = environment.named() if "run" in environment.operations else ()
        return (
            environment.name
            if names in ((), (environment.name,))
            else f"{environment.name} (run: {', '.join(names)})"
        )

    def listed(self) -> str:
        """The names that `run` may give, with what each says of itself."""
        lines = []
        for environment in self._environments.values():
            about = environment.about()
            lines += [f"- {name}: {_indented(about.get(name, ''))}" for name in environment.named()]
        return "\n".join(lines)

    def news(self, stop: StopFlag) -> Callable[[], bool]:
        """Begin to wait: what is given tells whether something is there in them that the model has not been told.

        One that cannot tell of news has none. Raises Stopped.
        """
        waits = [self._news(each, stop) for each in self._environments.values() if each.brings_news]
        return lambda: any(came() for came in waits)

    def _news(self, environment: Environment, stop: StopFlag) -> Callable[[], bool]:
        try:
            came = self._call(environment, lambda: environment.news(stop), stop)
        except (interruptible_call.TookTooLong, DesktopAgentError, OSError):
            return lambda: False

        def safely() -> bool:
            try:
                return came()
            except OSError:  # what is wrong is told by the next screen
                return True

        return safely

    def _summed_up(self, response: Response, stop: StopFlag) -> Response:
        """The response with a summary of what it has put on the screen, where there is one."""
        summary = (
            self._summarize(response.opened, stop) if response.opened and self._summarize is not None else ""
        )
        text = f"{response.text.rstrip()}\nSummary: {summary}" if summary else response.text
        return msgspec.structs.replace(response, text=text, opened="")

    def _ask(self, environment: Environment, op: Op, stop: StopFlag) -> Response:
        try:
            response = self._call(environment, lambda: environment.execute(op, stop), stop)
        except interruptible_call.TookTooLong:
            return Response("failed", f"It took longer than {self._limit(environment):g} s and was ended.")
        except DesktopAgentError as error:
            return Response("failed", str(error))
        except Exception as error:  # noqa: BLE001 - boundary: an installed environment may raise anything
            return Response("failed", f"{type(error).__name__}: {error}")
        self._keep(environment, op, response)
        return response

    def _keep(self, environment: Environment, op: Op, response: Response) -> None:
        """A later response about the same file takes the place of an earlier one. What commands print the conversation keeps."""
        subject = str(getattr(op, "path", ""))
        text = response.text[:MAX_TOLD]
        title = f"{environment.name}: {name_of(op)} {' '.join(subject.split())}".rstrip()
        if isinstance(op, ops.Run):
            self._read(response.text, f"{op.environment}: {name_of(op)}")
            return
        self._kept.pop((environment.name, subject), None)
        shown = _numbered(text, response.first_line) if response.first_line else text
        self._kept[environment.name, subject] = (title, f"{response.detail}\n{shown}")
        while sum(len(kept) for _, kept in self._kept.values()) > MAX_KEPT and len(self._kept) > 1:
            del self._kept[next(iter(self._kept))]
        self._read(text, title)

    def _screen(self, environment: Environment, stop: StopFlag) -> str:
        try:
            text = self._call(environment, environment.screen, stop)[: environment.most_shown]
        except interruptible_call.TookTooLong:
            return "It does not answer."
        except DesktopAgentError as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - boundary: an installed environment may raise anything
            return f"{type(error).__name__}: {error}"
        self._read(text, environment.name)
        return text

    def _call(self, environment: Environment, work: Callable[[], T], stop: StopFlag) -> T:
        """Start it if need be and have it work, in a thread that is not waited for after a stop."""

        def carry_out(_: interruptible_call.Say) -> T:
            environment.start()
            return work()

        return interruptible_call.run(
            carry_out,
            say=_silent,
            stop=stop,
            seconds=self._limit(environment),
            abandon=partial(_end, environment),
        )

    def _limit(self, environment: Environment) -> float:
        return self._settings.batch_timeout if environment.seconds is None else environment.seconds


def _owners(environments: Sequence[Environment]) -> dict[str, Environment]:
    """Which environment carries out an operation that names none. Raises ConfigError where two would."""
    owners: dict[str, Environment] = {}
    for environment in environments:
        for name in environment.operations - {"run"}:
            if name in owners:
                raise ConfigError(
                    f"The environments {owners[name].name} and {environment.name} both carry out {name}.",
                    "Name one of them in `environments` of [agent].",
                )
            owners[name] = environment
    return owners


def _end(environment: Environment) -> None:
    environment.stop()


def _silent(_: str) -> None:
    """An environment says nothing while it works."""


def _numbered(text: str, first: int) -> str:
    """Every line with its number before it, and a tab, as `cat -n` has it. What was read itself is kept without."""
    return "\n".join(
        f"{number:>6}\t{line}" for number, line in enumerate(text.removesuffix("\n").split("\n"), first)
    )


def _indented(text: str) -> str:
    return "\n  ".join(text.splitlines())


def _quoted(text: str) -> str:
    """Every line marked as quoted: none looks like a heading of ours."""
    return "\n".join(_QUOTE + line for line in text.splitlines())
