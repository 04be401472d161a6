"""The exceptions of the program: each carries a message and advice on what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag


class DesktopAgentError(Exception):
    """Base of all errors of this program.

    `message` says what happened; `advice` says what the reader can do next (may be empty).
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()


class ConfigError(DesktopAgentError):
    """A setting is wrong; the message names file, line and field."""


class Refused(DesktopAgentError):
    """An operation was not carried out because it is bad, unsafe or stale."""


class QuestionNotShown(Refused):
    """The user could not be asked, so it was not done: `message` says what was asked and why it could not be shown."""


class OutOfBounds(Refused):
    """A coordinate lies outside what the model was shown or what may be acted on."""


class TargetError(DesktopAgentError):
    """The target's screen or input failed or no longer exists."""


class CannotAct(TargetError):
    """The target exists but can be neither captured nor controlled now, e.g. a locked session; the user can end that."""


class Off(CannotAct):
    """For now nothing may be seen or pressed: nothing is under way, it is paused, or the session is locked or away."""

    def __init__(self, message: str, advice: str = "", *, resting: bool = False) -> None:
        """`resting`: the program itself rests (paused, or between two runs), which the run knows already."""
        super().__init__(message, advice)
        self.resting = resting


class HandError(DesktopAgentError):
    """The hand or guard process is missing, dead or not answering."""


class ModelError(DesktopAgentError):
    """The request to the model failed, or its answer is unusable.

    `retryable` is true when the same request may succeed later (429, overload, time-out).
    """

    def __init__(self, message: str, advice: str = "", *, retryable: bool = False) -> None:
        super().__init__(message, advice)
        self.retryable = retryable


class ImagesUnsupported(ModelError):
    """The model cannot see images; it can still work from elements as text."""


class ContextExceeded(ModelError):
    """The conversation is longer than the model takes; a shorter one may work."""


class KeyRefused(ModelError):
    """The provider does not take the key, or does not let it use the model."""


class EnvironmentLost(DesktopAgentError):
    """What carried out the commands of an environment has ended, or was ended."""


class StoreError(DesktopAgentError):
    """The run log cannot be written or read."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a reply: `path` as in `actions[2].x`, `message` in plain words."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class BadReply(DesktopAgentError):
    """A model's reply does not follow the protocol; `problems` lists every error."""

    def __init__(self, problems: tuple[Problem, ...], raw: str = "") -> None:
        super().__init__("The reply does not follow the protocol: " + "; ".join(map(str, problems)))
        self.problems = problems
        self.raw = raw


class Stopped(BaseException):
    """The user, or a safety limit, stopped the run.

    A BaseException, so that no `except Exception` catches it.
    """

    def __init__(self, reason: str = "stopped") -> None:
        super().__init__(reason)
        self.reason = reason


class OffReason(IntFlag):
    """Why nothing may be seen or pressed for now: a set of reasons, empty while everything may."""

    LOCKED = 1
    AWAY = 2
    SECURE = 4
    FULL_SCREEN = 8


_GO_ON = "then press Resume"
_OFF_WORDS = {
    OffReason.LOCKED: ("the screen is locked", f"Unlock it, {_GO_ON}."),
    OffReason.AWAY: ("this session is not the one in front of the screen", f"Come back to it, {_GO_ON}."),
    OffReason.SECURE: (
        "the system itself asks for a permission or a password",
        f"Answer it yourself, {_GO_ON}.",
    ),
    OffReason.FULL_SCREEN: (
        "something of yours fills the whole screen",
        "Leave the full screen, then press Resume; or press Resume to let me see it and work in it.",
    ),
}


def off_error(reasons: int) -> Off:
    """The error for a set of reasons that is not empty: its first reason in words, and what to do."""
    first = next(each for each in OffReason if each & reasons)
    what, advice = _OFF_WORDS[first]
    return Off(f"I neither look nor act: {what}.", advice)
