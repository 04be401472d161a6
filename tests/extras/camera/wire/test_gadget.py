"""Setting a USB gadget up and taking it down, on a tree of ordinary folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from desktop_agent.cli import main
from desktop_agent.extras.camera.wire._usb.report_descriptors import KEYBOARD_DESCRIPTOR
from desktop_agent.extras.camera.wire._usb.usb_gadget import (
    GadgetAttribute,
    GadgetFolder,
    GadgetLink,
    UsbGadget,
    gadget_steps,
    script,
)
from desktop_agent.protocol.errors import TargetError

GADGETS, CONTROLLERS = "sys/kernel/config/usb_gadget", "sys/class/udc"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / GADGETS).mkdir(parents=True)
    (tmp_path / CONTROLLERS / "fe980000.usb").mkdir(parents=True)
    return tmp_path


def run(root: Path, *words: str) -> int:
    return main(["gadget", *words, "--root", str(root)])


def test_it_is_set_up_told_and_removed_without_a_trace(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(root, "status") == 1
    assert run(root, "setup") == 0
    made = root / GADGETS / "desktop-agent"
    assert (made / "functions/hid.keyboard/report_desc").read_bytes() == KEYBOARD_DESCRIPTOR
    assert (made / "functions/hid.keyboard/report_length").read_text() == "8"
    assert (made / "functions/hid.keyboard/protocol").read_text() == "1"
    links = {each.name for each in (made / "configs/c.1").iterdir() if each.is_symlink()}
    assert links == {"hid.keyboard", "hid.mouse"}
    assert (made / "UDC").read_text() == "fe980000.usb"
    (root / CONTROLLERS / "fe980000.usb/state").write_text("configured\n")
    (made / "functions/hid.keyboard/dev").write_text("236:3\n")
    capsys.readouterr()
    assert run(root, "status") == 0
    told = capsys.readouterr().out
    assert f'keyboard = "{root}/dev/hidg3"' in told and "the other computer works with it" in told
    assert run(root, "remove") == 0 and list((root / GADGETS).iterdir()) == []
    assert run(root, "remove") == 0 and "none" in capsys.readouterr().out


def test_it_is_unbound_before_it_is_taken_apart(root: Path) -> None:
    run(root, "setup")
    made, bound = root / GADGETS / "desktop-agent", root / "bound"
    bound.write_text("fe980000.usb\n")
    (made / "UDC").unlink()
    (made / "UDC").symlink_to(bound)  # outlives the gadget
    assert run(root, "remove") == 0 and not made.exists()
    assert bound.read_text() == "\n"


def test_set_up_twice_changes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(root, "setup")
    before = {each: each.stat().st_mtime_ns for each in (root / GADGETS).rglob("*")}
    assert run(root, "setup") == 0 and "already" in capsys.readouterr().out
    assert {each: each.stat().st_mtime_ns for each in (root / GADGETS).rglob("*")} == before


@pytest.mark.parametrize("steps", range(0, len(gadget_steps()), 3))
def test_one_half_made_is_made_whole_and_can_be_removed(root: Path, steps: int) -> None:
    gadget = UsbGadget(root)
    for _ in range(2):
        gadget.folder.mkdir()
        for step in gadget_steps()[:steps]:
            gadget._do(step)
        assert gadget.remove() and not gadget.folder.exists()
    gadget.folder.mkdir()
    for step in gadget_steps()[:steps]:
        gadget._do(step)
    assert gadget.set_up() and gadget._is_whole()


def test_a_failed_set_up_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: UsbGadget, step: GadgetFolder | GadgetAttribute | GadgetLink) -> None:
        if step == GadgetFolder("functions/hid.mouse"):
            raise FileNotFoundError(2, "No such file or directory", "functions/hid.mouse")
        do(self, step)

    do = UsbGadget._do
    monkeypatch.setattr(UsbGadget, "_do", fail)
    with pytest.raises(TargetError, match="modprobe usb_f_hid"):
        UsbGadget(root).set_up()
    assert list((root / GADGETS).iterdir()) == []


def test_what_is_missing_is_told_with_the_line_to_put_where(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(root / GADGETS)
    shutil.rmtree(root / CONTROLLERS)
    assert run(root, "setup") == 1
    told = capsys.readouterr().err
    assert (
        "modprobe libcomposite" in told and "dtoverlay=dwc2" in told and "/boot/firmware/config.txt" in told
    )
    assert run(root, "status") == 1 and "dtoverlay=dwc2" in capsys.readouterr().out


def test_one_of_several_controllers_has_to_be_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / CONTROLLERS / "other.usb").mkdir()
    assert run(root, "setup") == 1 and "--udc" in capsys.readouterr().err
    assert run(root, "setup", "--udc", "wrong") == 1
    assert run(root, "setup", "--udc", "other.usb") == 0
    assert UsbGadget(root).status().controller == "other.usb"
    assert run(root, "setup", "--udc", "fe980000.usb") == 0
    assert UsbGadget(root).status().controller == "fe980000.usb"


def test_the_script_makes_the_same(root: Path) -> None:
    text = script()
    for step in gadget_steps():
        assert step.path in text
        if isinstance(step, GadgetAttribute) and step.content.isascii() and step.content.isdigit():
            assert f"printf %s {step.content.decode()} > {step.path}\n" in text


def test_the_reports_are_printed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(root, "report") == 0
    printed = "".join(capsys.readouterr().out.split())
    assert KEYBOARD_DESCRIPTOR.hex() in printed
