"""Makes the USB device port of this computer a keyboard and a mouse, by Linux's configfs, and takes that back.

Source: the kernel's Documentation/usb/gadget_configfs.rst and gadget_hid.rst. What is made is said once, as steps: they are
carried out here, or written as a shell script for a computer without this program.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop_agent.extras.camera.wire._usb.report_descriptors import (
    KEYBOARD_DESCRIPTOR,
    KEYBOARD_LENGTH,
    MOUSE_DESCRIPTOR,
    MOUSE_LENGTH,
)
from desktop_agent.protocol.errors import TargetError

NAME = "desktop-agent"
KEYBOARD, MOUSE = "functions/hid.keyboard", "functions/hid.mouse"
DEVICES = {KEYBOARD: "hidg0", MOUSE: "hidg1"}
"""What the kernel calls them where no other gadget is set up."""
_CONFIG, _ENGLISH = "configs/c.1", "strings/0x409"
_GADGETS, _CONTROLLERS = "sys/kernel/config/usb_gadget", "sys/class/udc"


@dataclass(frozen=True)
class GadgetFolder:
    """A folder, relative to the gadget's own."""

    path: str


@dataclass(frozen=True)
class GadgetAttribute:
    """An attribute with what is written to it."""

    path: str
    content: bytes


@dataclass(frozen=True)
class GadgetLink:
    """A link in a folder to another folder, which takes it into a configuration."""

    path: str
    to: str


@dataclass(frozen=True)
class Lack:
    """Something that a gadget needs and that is not here, and the line to put where."""

    what: str
    advice: str


@dataclass(frozen=True)
class GadgetStatus:
    """`controller` is what it is bound to, "" for none; `state` is the kernel's word ("configured": a host works with it).

    `devices` are the keyboard's and the mouse's, as far as they are made.
    """

    made: bool
    controller: str = ""
    state: str = ""
    devices: tuple[Path, ...] = ()


def gadget_steps() -> tuple[GadgetFolder | GadgetAttribute | GadgetLink, ...]:
    """What makes the gadget, in its order; binding it to a controller comes last and is not among them."""
    return (
        GadgetAttribute("idVendor", b"0x1d6b"),  # Linux Foundation
        GadgetAttribute("idProduct", b"0x0104"),  # Multifunction Composite Gadget
        GadgetAttribute("bcdDevice", b"0x0100"),
        GadgetAttribute("bcdUSB", b"0x0200"),
        GadgetFolder(_ENGLISH),
        GadgetAttribute(f"{_ENGLISH}/manufacturer", b"desktop-agent"),
        GadgetAttribute(f"{_ENGLISH}/product", b"Keyboard and mouse"),
        GadgetAttribute(f"{_ENGLISH}/serialnumber", b"1"),
        *_function(KEYBOARD, boot=1, length=KEYBOARD_LENGTH, descriptor=KEYBOARD_DESCRIPTOR),
        *_function(MOUSE, boot=0, length=MOUSE_LENGTH, descriptor=MOUSE_DESCRIPTOR),
        GadgetFolder(_CONFIG),
        GadgetAttribute(f"{_CONFIG}/MaxPower", b"250"),
        GadgetFolder(f"{_CONFIG}/{_ENGLISH}"),
        GadgetAttribute(f"{_CONFIG}/{_ENGLISH}/configuration", b"Keyboard and mouse"),
        GadgetLink(f"{_CONFIG}/{Path(KEYBOARD).name}", KEYBOARD),
        GadgetLink(f"{_CONFIG}/{Path(MOUSE).name}", MOUSE),
    )


def _function(
    folder: str, boot: int, length: int, descriptor: bytes
) -> Iterator[GadgetFolder | GadgetAttribute]:
    yield GadgetFolder(folder)
    yield GadgetAttribute(f"{folder}/protocol", b"%d" % boot)
    yield GadgetAttribute(f"{folder}/subclass", b"%d" % boot)
    yield GadgetAttribute(f"{folder}/report_length", b"%d" % length)
    yield GadgetAttribute(f"{folder}/report_desc", descriptor)


class UsbGadget:
    """The gadget in the file system at `root`; another than "/" is for trials. Methods raise TargetError."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root
        self._gadgets = root / _GADGETS
        self.folder = self._gadgets / NAME

    def lacks(self) -> list[Lack]:
        """What has to be put right before it can be set up."""
        found = []
        if self._root == Path("/") and os.geteuid() != 0:
            found.append(Lack("This needs root.", "sudo desktop-agent gadget setup"))
        if not self._gadgets.is_dir():
            found.append(
                Lack(
                    "The kernel module libcomposite is not loaded.",
                    "sudo modprobe libcomposite; for every start, the line libcomposite in /etc/modules",
                )
            )
        if not self.controllers():
            found.append(
                Lack(
                    "There is no USB controller that can be a device.",
                    "On a Raspberry Pi the line dtoverlay=dwc2,dr_mode=peripheral in /boot/firmware/config.txt, "
                    "and dwc2 in /etc/modules; then start it anew",
                )
            )
        return found

    def controllers(self) -> list[str]:
        """The USB device controllers of this computer."""
        folder = self._root / _CONTROLLERS
        return sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []

    def set_up(self, controller: str = "") -> bool:
        """Make it and bind it to the controller, to the only one for ""; False when it is so already."""
        controller = self._chosen(controller)
        if self.status().controller == controller and self._is_whole():
            return False
        self.remove()
        try:
            self.folder.mkdir()
            for step in gadget_steps():
                self._do(step)
            (self.folder / "UDC").write_bytes(controller.encode())
        except OSError as error:
            with suppress(TargetError):  # what hinders that is told already
                self.remove()
            raise _failed(error, controller) from error
        return True

    def _chosen(self, controller: str) -> str:
        known = self.controllers()
        if controller and controller not in known:
            raise TargetError(
                f"There is no USB controller {controller}.", f"There are: {', '.join(known) or 'none'}."
            )
        if not controller and len(known) != 1:
            raise TargetError(
                f"There are {len(known)} USB controllers: {', '.join(known)}.", "Choose one with --udc NAME."
            )
        return controller or known[0]

    def _do(self, step: GadgetFolder | GadgetAttribute | GadgetLink) -> None:
        path = self.folder / step.path
        match step:
            case GadgetFolder():
                path.mkdir(parents=self._root != Path("/"))
            case GadgetAttribute(_, content):
                path.write_bytes(content)
            case GadgetLink(_, to):
                path.symlink_to(self.folder / to)

    def _is_whole(self) -> bool:
        return all((self.folder / step.path).exists() for step in gadget_steps())

    def remove(self) -> bool:
        """Unbind it and take everything away, in the reverse order, also of one half made; False when there is none."""
        if not self.folder.is_dir():
            return False
        try:
            self._unbind()
            for config in _folders(self.folder / "configs"):
                for link in [each for each in config.iterdir() if each.is_symlink()]:
                    link.unlink()
                self._remove_each(config / "strings")
                self._remove_folder(config)
            self._remove_each(self.folder / "functions")
            self._remove_each(self.folder / "strings")
            self._remove_folder(self.folder)
        except OSError as error:
            raise TargetError(
                f"The gadget cannot be removed: {error.strerror} ({error.filename}).",
                "Close what uses it, and run it as root: sudo desktop-agent gadget remove",
            ) from error
        return True

    def _unbind(self) -> None:
        udc = self.folder / "UDC"
        if udc.exists() and udc.read_bytes().strip():
            udc.write_bytes(b"\n")

    def _remove_each(self, folder: Path) -> None:
        for each in _folders(folder):
            self._remove_folder(each)

    def _remove_folder(self, folder: Path) -> None:
        """The kernel removes attributes and empty groups with their folder; an ordinary file system does not."""
        if self._root != Path("/"):
            for each in folder.iterdir():
                each.rmdir() if each.is_dir() else each.unlink()
        folder.rmdir()

    def status(self) -> GadgetStatus:
        """What there is of it now."""
        if not self.folder.is_dir():
            return GadgetStatus(made=False)
        bound = _read(self.folder / "UDC")
        state = _read(self._root / _CONTROLLERS / bound / "state") if bound else ""
        made = [each for each in DEVICES if (self.folder / each).is_dir()]
        return GadgetStatus(True, bound, state, tuple(self._device(each) for each in made))

    def _device(self, function: str) -> Path:
        """Its device: the kernel tells the numbers of it ("236:0"), which follow one another."""
        _, _, minor = _read(self.folder / function / "dev").partition(":")
        return self._root / "dev" / (f"hidg{minor}" if minor else DEVICES[function])


def script() -> str:
    """A POSIX shell script that sets the same gadget up, on a computer without this program; run it as root."""
    lines = [
        "#!/bin/sh",
        "# Makes the USB device port a keyboard (/dev/hidg0) and a mouse (/dev/hidg1).",
        "set -e",
        f"mkdir /{_GADGETS}/{NAME}",
        f"cd /{_GADGETS}/{NAME}",
    ]
    for step in gadget_steps():
        match step:
            case GadgetFolder(path):
                lines.append(f"mkdir {shlex.quote(path)}")
            case GadgetAttribute(path, content):
                lines.append(f"printf {_printed(content)} > {shlex.quote(path)}")
            case GadgetLink(path, to):
                lines.append(f'ln -s "$PWD/{to}" {shlex.quote(path)}')
    return "\n".join((*lines, f"ls /{_CONTROLLERS} > UDC", ""))


def removal_script() -> str:
    """The script that takes away what `script` made, in the reverse order."""
    lines = ["#!/bin/sh", "set -e", f"cd /{_GADGETS}/{NAME}", "echo > UDC"]
    for step in reversed(gadget_steps()):
        match step:
            case GadgetFolder(path):
                lines.append(f"rmdir {shlex.quote(path)}")
            case GadgetLink(path, _):
                lines.append(f"rm {shlex.quote(path)}")
    return "\n".join((*lines, "cd ..", f"rmdir {NAME}", ""))


def _printed(content: bytes) -> str:
    """Arguments with which printf prints it."""
    if all(0x20 <= byte < 0x7F for byte in content):
        return f"%s {shlex.quote(content.decode())}"
    return "'" + "".join(f"\\{byte:03o}" for byte in content) + "'"


def _folders(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if each.is_dir()] if folder.is_dir() else []


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _failed(error: OSError, controller: str) -> TargetError:
    where = error.filename or ""
    if str(where).endswith("UDC"):
        return TargetError(
            f"{controller} does not take the gadget: {error.strerror}.",
            "Remove the gadget that has it: see the folders in /sys/kernel/config/usb_gadget.",
        )
    if "functions" in str(where):
        return TargetError(
            f"The kernel makes no USB keyboard: {error.strerror}.", "Load its module: sudo modprobe usb_f_hid"
        )
    return TargetError(f"The gadget cannot be made: {error.strerror} ({where}).", "Run it as root.")
