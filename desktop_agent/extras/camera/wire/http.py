"""HTTP: a computer on which something small receives keys, or its stand-in (desktop-agent endpoint)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec

from desktop_agent.protocol.errors import TargetError
from desktop_agent.redaction.secret_reference import SecretReference, referenced_secret

if TYPE_CHECKING:
    from desktop_agent.extras.camera.wire._http.http_output import HttpKeyboardOutput

ReceiverAddress = Annotated[str, msgspec.Meta(pattern=r"^https?://[^\s/@?#]+(/[^\s?#]*)?$")]
Seconds = Annotated[float, msgspec.Meta(ge=0.1, le=1.5)]
"""The guard calls a hand stuck after 2 s."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[wire.http]`: where the receiver is, where its token is, if it asks for one, and how long an answer may take.

    `token_from` is "env:NAME" (an environment variable) or "keyring:NAME" (an entry of the system's key store); where
    that names nothing, no token is sent.
    """

    address: ReceiverAddress = "http://127.0.0.1:8438"
    token_from: SecretReference = "env:DESKTOP_AGENT_WIRE_TOKEN"  # noqa: S105 - where it is
    timeout: Seconds = 1.5


def create(options: Options) -> HttpKeyboardOutput:
    """The keyboard, not connected yet."""
    from desktop_agent.extras.camera.wire._http.http_output import HttpKeyboardOutput

    return HttpKeyboardOutput(
        options.address, partial(referenced_secret, options.token_from), options.timeout
    )


def reached(environment: Mapping[str, str], secrets: Mapping[str, str]) -> HttpKeyboardOutput:
    """The same in the process of hand or guard. Raises TargetError."""
    from desktop_agent.extras.camera.wire._http.http_output import ADDRESS, SECONDS, TOKEN, HttpKeyboardOutput

    if ADDRESS not in environment:
        raise TargetError("The address names no receiver of keys.", "Start the program again.")
    token = secrets.get(TOKEN) or os.environ.get(TOKEN, "")
    return HttpKeyboardOutput(environment[ADDRESS], lambda: token, float(environment[SECONDS]))
