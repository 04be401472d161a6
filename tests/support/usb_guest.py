"""A virtual machine with a real USB gadget: what is written to two pipes here are the reports of its keyboard and mouse.

Debian's kernel has a USB host and a USB device in one (dummy_hcd), so the machine is plugged into itself: our gadget's
reports go through the kernel's gadget, USB host and HID drivers, and the events of the resulting input devices come back.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from desktop_agent.extras.camera.wire._usb import usb_gadget
from desktop_agent.extras.camera.wire._usb.report_descriptors import KEYBOARD_LENGTH, MOUSE_LENGTH
from tests.support.waiting import Late, until

QEMU, BUSYBOX = "qemu-system-x86_64", "busybox-static"
START_SECONDS = 45.0
EV_KEY, EV_REL, EV_ABS, EV_MSC, MSC_SCAN = 0x01, 0x02, 0x03, 0x04, 0x04
_MODULES = ("configfs", "dummy_hcd", "libcomposite", "usb_f_hid", "usbhid", "hid_generic", "evdev", "virtio_pci", "virtio_console")  # fmt: skip
_CHANNELS = ("keyboard", "mouse", "keyboard_events", "mouse_events")
_EVENT = struct.Struct("<qqHHi")
_INIT = """#!/bin/busybox sh
export PATH=/bin
/bin/busybox mount -t proc none /proc
/bin/busybox --install -s /bin
mount -t sysfs none /sys; mount -t devtmpfs none /dev
exec > /dev/console 2>&1
{modules}
mount -t configfs none /sys/kernel/config
sh /gadget && sh /remove && [ ! -e /sys/kernel/config/usb_gadget/desktop-agent ] && sh /gadget || echo gadget failed
channel() {{
    for each in /sys/class/virtio-ports/*; do
        if [ "$(cat $each/name)" = "$1" ]; then echo /dev/${{each##*/}}; fi
    done
}}
ours() {{ grep -l '^desktop-agent' /sys/class/input/event*/device/name; }}
until [ "$(ours | wc -l)" = 2 ]; do usleep 10000; done
for name in $(ours); do
    each=${{name%/device/name}}
    if [ "$(cat $each/device/capabilities/abs)" = 0 ]; then kind=keyboard; else kind=mouse; fi
    cat /dev/input/${{each##*/}} > $(channel ${{kind}}_events) &
done
dd of=/dev/hidg0 if=$(channel keyboard) bs={keyboard} iflag=fullblock 2>/dev/null &
dd of=/dev/hidg1 if=$(channel mouse) bs={mouse} iflag=fullblock 2>/dev/null &
opened() {{ ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c -e "> /dev/input/event" -e "> /dev/hidg"; }}
until [ "$(opened)" = 4 ]; do usleep 10000; done
echo guest is ready
while :; do sleep 1000; done
"""


class NoGuest(Exception):
    """No such machine can be started here; the message says why."""


@dataclass(frozen=True)
class InputRecord:
    """A record of an input device of the guest, as linux/input.h has it, without its time."""

    type: int
    code: int
    value: int


@dataclass
class UsbGuest:
    """`keyboard` and `mouse` are paths to which reports are written; the events come in by themselves."""

    keyboard: Path
    mouse: Path
    _keys: list[InputRecord] = field(default_factory=list)
    _pointer: list[InputRecord] = field(default_factory=list)

    def key_changes(self) -> list[tuple[int, bool]]:
        """The usage ids that went down and up by now, as the guest's kernel tells them with each key."""
        found, usage = list[tuple[int, bool]](), 0
        for each in list(self._keys):
            if (each.type, each.code) == (EV_MSC, MSC_SCAN):
                usage = each.value & 0xFFFF
            elif each.type == EV_KEY and each.value in (0, 1):  # 2 repeats it
                found.append((usage, bool(each.value)))
        return found

    def pointer_records(self) -> list[InputRecord]:
        """What the mouse's device told by now."""
        return list(self._pointer)


@contextmanager
def usb_guest() -> Iterator[UsbGuest]:
    """The machine while the block lasts. Raises NoGuest."""
    if shutil.which(QEMU) is None:
        raise NoGuest(f"{QEMU} is not installed")
    kernel, initramfs = _parts(_cache())
    folder = Path(tempfile.mkdtemp(prefix="usb-guest-"))
    try:
        for name in _CHANNELS:
            os.mkfifo(folder / f"{name}.in")
            os.mkfifo(folder / f"{name}.out")
        process = subprocess.Popen(
            _command(kernel, initramfs, folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            guest = UsbGuest(folder / "keyboard.in", folder / "mouse.in")
            _follow(folder / "keyboard_events.out", guest._keys)
            _follow(folder / "mouse_events.out", guest._pointer)
            log = folder / "log"

            def ready() -> bool:
                if process.poll() is not None:
                    raise NoGuest(f"{QEMU} ended with {process.returncode}")
                said = log.read_bytes() if log.exists() else b""
                if b"gadget failed" in said:
                    raise Late(f"the gadget cannot be set up and removed: {said.decode(errors='replace')}")
                return b"guest is ready" in said

            try:
                until(ready, "the virtual machine", START_SECONDS)
            except Late as error:
                told = log.read_text(errors="replace")[-2000:] if log.exists() else ""
                raise Late(f"{error}; it said: {told}") from error
            yield guest
        finally:
            process.kill()
            process.wait()
    finally:
        shutil.rmtree(folder)


def _command(kernel: Path, initramfs: Path, folder: Path) -> list[str]:
    command = [
        *(QEMU, "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-m", "256"),
        *("-accel", "tcg"),
        *("-kernel", str(kernel), "-initrd", str(initramfs), "-append", "console=ttyS0 quiet panic=-1"),
        *("-serial", f"file:{folder / 'log'}", "-device", "virtio-serial-pci"),
    ]
    for name in _CHANNELS:
        command += ["-chardev", f"pipe,id={name},path={folder / name}"]
        command += ["-device", f"virtserialport,chardev={name},name={name}"]
    return command


def _follow(path: Path, into: list[InputRecord]) -> None:
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # so that it is open before the machine writes
    os.set_blocking(file, True)

    def read() -> None:
        kept, begun = b"", False
        with os.fdopen(file, "rb", buffering=0) as stream:
            while True:
                chunk = stream.read(4096)
                if not chunk and begun:
                    return
                if not chunk:
                    threading.Event().wait(0.05)  # nobody has opened its other end yet
                    continue
                kept, begun = kept + chunk, True
                whole = len(kept) // _EVENT.size * _EVENT.size
                into.extend(InputRecord(*each[2:]) for each in _EVENT.iter_unpack(kept[:whole]))
                kept = kept[whole:]

    threading.Thread(target=read, name="guest events", daemon=True).start()


# ---- what it is started from --------------------------------------------------------------------------


def _cache() -> Path:
    return (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "desktop-agent-lab" / "usb-guest"
    )


def _parts(cache: Path) -> tuple[Path, Path]:
    """Kernel and initramfs; its packages are fetched once. Raises NoGuest."""
    packages = cache / "packages"
    if not packages.is_dir():
        _fetch(packages)
    kernel = next((packages / "boot").glob("vmlinuz-*"))
    initramfs = cache / f"initramfs-{os.getpid()}"
    initramfs.write_bytes(_initramfs(packages))
    whole = cache / "initramfs"
    return kernel, initramfs.replace(whole)


def _fetch(into: Path) -> None:
    """Debian's kernel and busybox, unpacked. Raises NoGuest."""
    for tool in ("apt-get", "apt-cache", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise NoGuest(f"there is no {tool} to get Debian's kernel with")
    into.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="fetching-", dir=into.parent))
    try:
        depends = subprocess.run(
            ["apt-cache", "depends", "linux-image-amd64"], capture_output=True, text=True, check=False
        )
        kernel = next((line.split()[1] for line in depends.stdout.splitlines() if "Depends:" in line), "")
        got = subprocess.run(
            ["apt-get", "download", kernel, BUSYBOX], cwd=folder, capture_output=True, text=True, check=False
        )
        if not kernel or got.returncode != 0:
            raise NoGuest(f"Debian's kernel could not be got: {got.stderr.strip()[-200:]}")
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, folder / "all"], check=True)
        (folder / "all").replace(into)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _initramfs(packages: Path) -> bytes:
    modules = _in_order(next((packages / "lib/modules").iterdir()))
    init = _INIT.format(
        modules="\n".join(
            f"insmod /modules/{each.name}{' is_high_speed=1' if each.stem == 'dummy_hcd' else ''}"
            for each in modules
        ),
        keyboard=KEYBOARD_LENGTH,
        mouse=MOUSE_LENGTH,
    )
    folders = ("bin", "dev", "proc", "sys", "modules")
    return b"".join(
        (
            *(_entry(each, 0o040755, b"") for each in folders),
            _entry("init", 0o100755, init.encode()),
            _entry("gadget", 0o100755, usb_gadget.script().encode()),
            _entry("remove", 0o100755, usb_gadget.removal_script().encode()),
            _entry("bin/busybox", 0o100755, (packages / "bin/busybox").read_bytes()),
            *(_entry(f"modules/{each.name}", 0o100644, each.read_bytes()) for each in modules),
            _entry("TRAILER!!!", 0, b""),
        )
    )


def _in_order(folder: Path) -> list[Path]:
    """The modules with those they need before them."""
    files = {each.stem.replace("-", "_"): each for each in folder.rglob("*.ko")}
    found = dict[str, Path]()

    def add(name: str) -> None:
        if name not in files or name in found:
            return  # built in, or there already
        for line in files[name].read_bytes().split(b"\0"):
            if line.startswith(b"depends="):
                for each in line[8:].decode().split(","):
                    add(each.replace("-", "_"))
        found[name] = files[name]

    for each in _MODULES:
        add(each)
    return list(found.values())


def _entry(name: str, mode: int, content: bytes) -> bytes:
    """One file of a cpio archive in the kernel's format (newc)."""
    numbers = (0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08X" % each for each in numbers) + name.encode() + b"\0"
    return _padded(head) + _padded(content)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)
