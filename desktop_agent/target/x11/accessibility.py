"""Switching accessibility on in a session, so that programs show their elements."""

from __future__ import annotations

from desktop_agent.protocol.errors import TargetError

LAUNCHER = "/usr/libexec/at-spi-bus-launcher"


def enable(bus: str) -> None:
    """Set org.a11y.Status.IsEnabled on the session bus at address `bus`.

    Toolkits look at it when they start (at-spi2-core, bus/README). Raises TargetError.
    """
    from jeepney import DBusAddress, MessageType, Properties  # type: ignore[import-untyped]
    from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

    status = DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Status")
    try:
        with open_dbus_connection(bus) as connection:
            request = Properties(status).set("IsEnabled", "b", True)
            reply = connection.send_and_get_reply(request, timeout=10)
    except (OSError, TimeoutError) as error:
        raise TargetError(f"Accessibility could not be switched on: {error}") from error
    if reply.header.message_type is MessageType.error:
        raise TargetError(f"Accessibility could not be switched on: {reply.body}")
