"""Reads processor, memory, disk and graphics of this computer: by psutil where it is installed, else by what the system's files tell."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

_MEGABYTE = 1 << 20
_PROC, _GRAPHICS = Path("/proc"), Path("/sys/class/drm")
_MAKERS = {"0x10de": "NVIDIA", "0x1002": "AMD", "0x8086": "Intel"}
"""PCI vendors of graphics processors; what is not here (a virtual machine's display, say) is none."""


class HardwareUsage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One reading. Memory and disk are megabytes, `processor_load` is the share 0 to 1 of all cores; None and "" are unknown.

    `gpu` is "none" where there is none.
    """

    processor: str = ""
    cores: int | None = None
    processor_load: float | None = None
    memory_total: int | None = None
    memory_available: int | None = None
    disk_total: int | None = None
    disk_free: int | None = None
    gpu: str = ""


class HardwareMeter:
    """Reads this computer. `processor_load` is that since the reading before, in the first one since the computer started."""

    def __init__(self, folder: Path | None = None, use_psutil: bool | None = None) -> None:
        """`folder` is on the disk that is told of (the user's home); `use_psutil` None: where it is installed."""
        self._folder = folder or Path.home()
        installed = importlib.util.find_spec("psutil") is not None
        self._use_psutil = installed if use_psutil is None else use_psutil and installed
        self._busy, self._passed = 0.0, 0.0

    def read(self) -> HardwareUsage:
        """What is there now."""
        memory_total, memory_available = self._memory()
        disk_total = disk_free = None
        with suppress(OSError):
            disk = shutil.disk_usage(self._folder)
            disk_total, disk_free = disk.total // _MEGABYTE, disk.free // _MEGABYTE
        return HardwareUsage(
            processor=_processor(),
            cores=os.cpu_count(),
            processor_load=self._load(),
            memory_total=memory_total,
            memory_available=memory_available,
            disk_total=disk_total,
            disk_free=disk_free,
            gpu=_gpu(),
        )

    def _memory(self) -> tuple[int | None, int | None]:
        if self._use_psutil:
            import psutil

            found = psutil.virtual_memory()
            return found.total // _MEGABYTE, found.available // _MEGABYTE
        kilobytes = dict(_lines(_PROC / "meminfo", ":"))
        total, available = (kilobytes.get(name) for name in ("MemTotal", "MemAvailable"))
        return _megabytes(total), _megabytes(available)

    def _load(self) -> float | None:
        times = self._processor_times()
        if times is None:
            return None
        (busy, passed), before = times, (self._busy, self._passed)
        if passed <= before[1]:  # the clock of these times has not ticked since
            before = (0.0, 0.0)
        self._busy, self._passed = times
        return min(1.0, max(0.0, (busy - before[0]) / (passed - before[1])))

    def _processor_times(self) -> tuple[float, float] | None:
        """How long all cores were busy, and how long in all; None where it is not told."""
        if self._use_psutil:
            import psutil

            named = psutil.cpu_times()._asdict()
            idle = named.get("idle", 0.0) + named.get("iowait", 0.0)
            # Linux counts the time of guests in that of users, too.
            passed = sum(named.values()) - named.get("guest", 0.0) - named.get("guest_nice", 0.0)
            return (passed - idle, passed) if passed else None
        words = dict(_lines(_PROC / "stat", " ")).get("cpu", "").split()
        ticks = [float(word) for word in words[:8]]
        passed = sum(ticks)
        return (passed - ticks[3] - ticks[4], passed) if len(ticks) == 8 and passed > 0 else None


def _processor() -> str:
    name = next((value for key, value in _lines(_PROC / "cpuinfo", ":") if key == "model name"), "")
    return name or platform.processor() or platform.machine()


def _gpu() -> str:
    """The graphics processors by maker and model, "none" without one, "" on systems that are not asked (other than Linux)."""
    if not _PROC.joinpath("self").exists():
        return ""
    models = [
        value
        for file in sorted(_PROC.glob("driver/nvidia/gpus/*/information"))
        for key, value in _lines(file, ":")
        if key == "Model"
    ]
    makers = [_text(file).strip() for file in sorted(_GRAPHICS.glob("card[0-9]*/device/vendor"))]
    known = [_MAKERS[each] for each in dict.fromkeys(makers) if each in _MAKERS]
    if models:
        known = [*models, *(each for each in known if each != "NVIDIA")]
    return ", ".join(known) or "none"


def _lines(file: Path, between: str) -> list[tuple[str, str]]:
    """The lines of a file of the system as (name, value); none where it cannot be read."""
    parts = (line.partition(between) for line in _text(file).splitlines())
    return [(name.strip(), value.strip()) for name, _, value in parts]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _megabytes(kilobytes: str | None) -> int | None:
    words = (kilobytes or "").split()
    return int(words[0]) // 1_024 if words and words[0].isdigit() else None
