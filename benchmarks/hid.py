"""The USB wire: reports a second, and whether every character arrives, also through a real gadget in a virtual machine."""

from __future__ import annotations

import os
import random
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import Figure, Goal, Report, counted, report
from desktop_agent.extras.camera.wire import usb_hid
from desktop_agent.extras.camera.wire._usb.keyboard_layout import layout_names, load_layout
from desktop_agent.extras.camera.wire._usb.report_descriptors import KEYBOARD_LENGTH
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import Text
from tests.support.usb_guest import NoGuest, UsbGuest, usb_guest
from tests.support.usb_host import HostKeyboard, characters_of, reports_in, typed_text
from tests.support.waiting import until

ALL = Goal(100.0, at_least=True)
CHUNK = 32
GUEST_SECONDS = 120.0


def run(quick: bool) -> Report:
    """Characters drawn from all that a layout types, in chunks as a hand gets them."""
    length = 320 if quick else 3200
    figures, notes = [], list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for name in layout_names():
            figures += _to_a_pipe(Path(folder) / name, name, length)
    try:
        with usb_guest() as guest:
            for name in ("us", "de", "fr"):
                figures += _to_a_guest(guest, name, length)
    except NoGuest as reason:
        notes.append(f"no virtual machine: {reason}")
    return report("hid", *figures, notes=notes)


def _text(name: str, length: int) -> str:
    return "".join(random.Random(7).choices(sorted(load_layout(name).strokes), k=length))  # noqa: S311 - a text


def _to_a_pipe(path: Path, name: str, length: int) -> list[Figure]:
    """To a reader that takes each report at once."""
    os.mkfifo(path)
    got, text = bytearray(), _text(name, length)
    end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(end, True)
    hand = usb_hid.create(usb_hid.Options(str(path), "", name)).input(Size(1280, 800), None)

    def read() -> None:
        while chunk := os.read(end, 65536):
            got.extend(chunk)

    reader = threading.Thread(target=read)
    reader.start()
    seconds = _typed(hand.emit, text)
    hand.close()
    reader.join()
    os.close(end)
    host = HostKeyboard()
    reports = list(reports_in(bytes(got), KEYBOARD_LENGTH))
    seen = typed_text(
        (change for each in reports for change in host.take(each)), characters_of(load_layout(name))
    )
    return [
        counted(f"{name}, pipe: reports a second", len(reports) / seconds, len(reports), "1/s"),
        counted(f"{name}, pipe: characters right", _right(text, seen), length, "%", ALL),
    ]


def _to_a_guest(guest: UsbGuest, name: str, length: int) -> list[Figure]:
    """Through the kernel's gadget, host and HID drivers, until its input device has told the last of them."""
    text, before = _text(name, length), len(guest.key_changes())
    hand = usb_hid.create(usb_hid.Options(str(guest.keyboard), "", name)).input(Size(1280, 800), None)
    characters = characters_of(load_layout(name))
    began = time.perf_counter()
    _typed(hand.emit, text)

    def seen() -> str:
        return typed_text(guest.key_changes()[before:], characters)

    until(lambda: len(seen()) >= length, f"{length} characters in the guest", GUEST_SECONDS)
    seconds = time.perf_counter() - began
    hand.close()
    return [
        counted(f"{name}, guest: characters a second", length / seconds, length, "1/s"),
        counted(f"{name}, guest: characters right", _right(text, seen()), length, "%", ALL),
    ]


def _typed(emit: Callable[[Text], None], text: str) -> float:
    """Seconds that it took."""
    began = time.perf_counter()
    for at in range(0, len(text), CHUNK):
        emit(Text(text[at : at + CHUNK]))
    return time.perf_counter() - began


def _right(sent: str, seen: str) -> float:
    """Percent of the characters, each at its place; none are where some are missing before it."""
    return 100 * sum(a == b for a, b in zip(sent, seen, strict=False)) / max(len(sent), len(seen))
