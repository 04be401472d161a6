"""Tells the hardware that a simulated desktop is on: this computer's as it is now, or declared values in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from desktop_agent.extras.avis.hardware_usage import HardwareMeter, HardwareUsage
from desktop_agent.protocol.errors import ConfigError

UNKNOWN = "unknown"


class ResourceAwarenessService:
    """Values of processor, memory, disk and GPU, and a short text of them."""

    def __init__(
        self, declared: Mapping[str, Any] | HardwareUsage | None = None, meter: HardwareMeter | None = None
    ) -> None:
        """`declared` are values as in HardwareUsage, told as they are instead of what is measured. Raises ConfigError."""
        self._declared = declared_hardware(declared) if declared is not None else None
        self._of_scene: HardwareUsage | None = None
        self._meter = meter or HardwareMeter()

    @property
    def is_declared(self) -> bool:
        """Are the values declared ones?"""
        return (self._of_scene or self._declared) is not None

    def status(self) -> HardwareUsage:
        """The values: the scene's where it declares some, else those declared to this service, else measured now."""
        return self._of_scene or self._declared or self._meter.read()

    def use_scene(self, declared: Mapping[str, Any] | None) -> None:
        """Tell what the scene declares from now on, None for a scene that declares nothing. Raises ConfigError."""
        self._of_scene = declared_hardware(declared) if declared is not None else None


def declared_hardware(declared: Mapping[str, Any] | HardwareUsage) -> HardwareUsage:
    """Declared values as a record. Raises ConfigError for a value of the wrong kind or a name that is none."""
    try:
        return msgspec.convert(
            msgspec.to_builtins(declared) if isinstance(declared, HardwareUsage) else dict(declared),
            HardwareUsage,
        )
    except msgspec.ValidationError as error:
        known = ", ".join(HardwareUsage.__struct_fields__)
        raise ConfigError(f"The declared hardware is not usable: {error}.", f"Known are: {known}.") from error


def hardware_words(status: HardwareUsage) -> str:
    """The values in lines for a display; what is not known is told as unknown."""
    load = "" if status.processor_load is None else f", {status.processor_load:.0%} busy"
    cores = f", {status.cores} cores" if status.cores else ""
    return "\n".join(
        (
            f"Processor: {status.processor or UNKNOWN}{cores}{load}",
            f"Memory: {_part(status.memory_available, status.memory_total)}",
            f"Disk: {_part(status.disk_free, status.disk_total)}",
            f"GPU: {status.gpu or UNKNOWN}",
        )
    )


def _part(free: int | None, total: int | None) -> str:
    if free is None and total is None:
        return UNKNOWN
    return f"{_gigabytes(free)} free of {_gigabytes(total)}"


def _gigabytes(megabytes: int | None) -> str:
    return UNKNOWN if megabytes is None else f"{megabytes / 1_024:.1f} GB"
