"""`desktop-agent gadget`: makes the USB device port of this computer (a Raspberry Pi, say) a keyboard and a mouse.

Exit codes: 0 done (status: it is set up and bound), 1 it could not be done or something is missing, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop_agent.extras.camera.wire._usb.report_descriptors import (
    KEYBOARD_DESCRIPTOR,
    KEYBOARD_LENGTH,
    MOUSE_DESCRIPTOR,
    MOUSE_LENGTH,
)
from desktop_agent.extras.camera.wire._usb.usb_gadget import GadgetStatus, UsbGadget, removal_script, script
from desktop_agent.protocol.errors import DesktopAgentError, TargetError
from desktop_agent.startup.exit_code import DONE, FAILED
from desktop_agent.support.terminal_text import one_line

EXAMPLES = (("gadget setup", "be the USB keyboard and mouse of another computer (remove, status)"),)

_RULE = 'KERNEL=="hidg*", MODE="0660", GROUP="plugdev"'
_STATES = {
    "configured": "the other computer works with it",
    "not attached": "no other computer is connected",
    "suspended": "the other computer sleeps",
}


def main(words: Sequence[str]) -> int:
    """Do what the arguments say."""
    given = _parser().parse_args(list(words))
    gadget = UsbGadget(given.root.resolve())
    try:
        return int(given.act(gadget, given))
    except (DesktopAgentError, OSError) as error:
        print(f"desktop-agent gadget: {one_line(str(error), 2_000)}", file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-agent gadget",
        description="Make the USB device port of this computer a keyboard and a mouse of the computer it is plugged into.",
        epilog="Then set [wire.usb_hid] in config.toml as `desktop-agent gadget status` says.",
    )
    acts = parser.add_subparsers(required=True, metavar="setup|remove|status|report")
    for name, act, words in (
        ("setup", _set_up, "make keyboard and mouse; as root"),
        ("remove", _remove, "take them away again; as root"),
        ("status", _status, "say whether they are there, and what is missing"),
        ("report", _report, "print their report descriptors, for a gadget of another make"),
    ):
        each = acts.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        each.set_defaults(act=act)
        each.add_argument(
            "--root",
            type=Path,
            default=Path("/"),
            metavar="DIR",
            help="work in this folder instead of /, for trials",
        )
        if name == "setup":
            each.add_argument(
                "--udc", default="", metavar="NAME", help="the USB controller, where there are several"
            )
        if name in ("setup", "remove"):
            words = "do nothing, but print a shell script that does it"
            each.add_argument("--script", action="store_true", help=words)
    return parser


def _set_up(gadget: UsbGadget, given: argparse.Namespace) -> int:
    if given.script:
        print(script(), end="")
        return DONE
    lacks = gadget.lacks()
    if lacks:
        raise TargetError(" ".join(f"{each.what} ({each.advice})" for each in lacks))
    print("Keyboard and mouse are set up." if gadget.set_up(given.udc) else "They are set up already.")
    _tell_devices(gadget.status())
    return DONE


def _remove(gadget: UsbGadget, given: argparse.Namespace) -> int:
    if given.script:
        print(removal_script(), end="")
        return DONE
    print("Keyboard and mouse are removed." if gadget.remove() else "There are none.")
    return DONE


def _status(gadget: UsbGadget, given: argparse.Namespace) -> int:
    del given
    status = gadget.status()
    if not status.controller:
        print("A gadget is half made; setup makes it whole." if status.made else "No gadget is set up.")
        for each in gadget.lacks():
            print(f"{each.what}\n    {each.advice}")
        return FAILED
    state = _STATES.get(status.state, status.state or "its state is not told")
    print(f"Keyboard and mouse are set up at {status.controller}: {state}.")
    _tell_devices(status)
    return DONE


def _tell_devices(status: GadgetStatus) -> None:
    print("In config.toml:\n\n[wire.usb_hid]")
    for name, device in zip(("keyboard", "mouse"), status.devices, strict=False):
        print(f'{name} = "{device}"')
    print('layout = "us"  # as the other computer has it')
    if any(device.exists() and not os.access(device, os.W_OK) for device in status.devices):
        print(f"\nYour user may not write to them. In /etc/udev/rules.d/60-hidg.rules:\n    {_RULE}")


def _report(gadget: UsbGadget, given: argparse.Namespace) -> int:
    del gadget, given
    for name, length, descriptor in (
        ("keyboard, boot protocol", KEYBOARD_LENGTH, KEYBOARD_DESCRIPTOR),
        ("mouse", MOUSE_LENGTH, MOUSE_DESCRIPTOR),
    ):
        print(f"{name}: {length} bytes a report, {len(descriptor)} bytes of descriptor")
        lines = (descriptor[at : at + 16].hex(" ") for at in range(0, len(descriptor), 16))
        print("\n".join(f"    {line}" for line in lines))
    return DONE
