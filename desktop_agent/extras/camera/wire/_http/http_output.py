"""The keyboard of a computer that takes keys over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from desktop_agent.extras.camera.wire._http.http_input import HttpInput, NothingHeld, pieces, press_key
from desktop_agent.extras.camera.wire._http.key_receiver import KeyReceiver
from desktop_agent.platforms.base import Input
from desktop_agent.protocol.geometry import Size
from desktop_agent.wire.base import KeyboardAction, KeyboardOutput, Keystroke, ModifiedKey, TextInput

ADDRESS, SECONDS, TOKEN = (
    "DESKTOP_AGENT_WIRE_ADDRESS",
    "DESKTOP_AGENT_WIRE_SECONDS",
    "DESKTOP_AGENT_WIRE_SECRET",
)
"""The environment variables by which the processes of hand and guard learn of it; none is what users set."""
LONGEST_TEXT = 1000
"""Characters in one request where nobody may stop in between."""


class HttpKeyboardOutput(KeyboardOutput):
    """Sends keys to the receiver at `address`; `find_token` is asked when it connects, "" for none."""

    kind = "http"

    def __init__(self, address: str, find_token: Callable[[], str], seconds: float) -> None:
        self._address = address
        self._find_token = find_token
        self._seconds = seconds
        self._receiver: KeyReceiver | None = None
        self.title = f"keys over HTTP ({KeyReceiver(address, '', seconds).name})"

    def environment(self) -> Mapping[str, str]:
        return {ADDRESS: self._address, SECONDS: f"{self._seconds:g}"}

    def secrets(self) -> Mapping[str, str]:
        token = self._find_token()
        return {TOKEN: token} if token else {}

    def connect(self) -> None:
        if self._receiver is None:
            receiver = self._new_receiver()
            receiver.health()
            self._receiver = receiver

    def _new_receiver(self) -> KeyReceiver:
        return KeyReceiver(self._address, self._find_token(), self._seconds)

    def _connected(self) -> KeyReceiver:
        self.connect()
        assert self._receiver is not None  # noqa: S101 - connect made it
        return self._receiver

    def send(self, action: KeyboardAction) -> None:
        match action:
            case Keystroke(key):
                press_key(self._connected(), (), key)
            case ModifiedKey(modifiers, key):
                press_key(self._connected(), modifiers, key)
            case TextInput(text):
                for path, body, _ in list(pieces(text, LONGEST_TEXT)):
                    self._connected().post(path, body)

    def release_all(self) -> None:
        """Nothing to do: nothing is held over HTTP."""

    def input(self, screen: Size, human: Input | None) -> HttpInput:
        receiver = self._new_receiver()
        receiver.health()
        return HttpInput(receiver, screen, human)

    def releaser(self) -> NothingHeld:
        return NothingHeld()

    def close(self) -> None:
        if self._receiver is not None:
            receiver, self._receiver = self._receiver, None
            receiver.close()
