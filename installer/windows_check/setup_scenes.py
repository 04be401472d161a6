"""The program as its user gets it on Windows: set up, started at log-on, refused while it runs, removed; and from the zip."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import PureWindowsPath

from installer.build_setup import LICENCES
from installer.windows_check.app import END_SECONDS, Lab, exit_code, lab, until
from installer.windows_check.machine import SHARED, Machine
from installer.windows_check.outcome import Broken, Outcome
from installer.windows_check.scenes import expect, picture

UNINSTALL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\desktop-agent"
RUN = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run"
PROGRAMS = r"Microsoft\Windows\Start Menu\Programs"
PORTABLE = rf"{SHARED}\dist\portable\desktop-agent"
SETUP_SECONDS = 240.0
RUNNING = 3
"""The exit code of a setup that refuses, as `setup/desktop-agent.nsi` has it."""


class Place:
    """Where it is set up, and how to ask and change that."""

    def __init__(self, lab: Lab, setup: str) -> None:
        self.lab, self._setup = lab, rf"{SHARED}\dist\{setup}"
        self.local: str = lab.probe.ask("local_data")
        self.folder = rf"{self.local}\Programs\desktop-agent"
        self.program = rf"{self.folder}\desktop-agent.exe"

    def set_up(self) -> int:
        """Run the setup silently; its exit code."""
        return self.lab.machine.run([self._setup, "/S"], SETUP_SECONDS).returncode

    def remove(self, *words: str) -> None:
        """Remove it silently, and wait for the end: what removes goes on after the process that was started."""
        self.lab.machine.run([rf"{self.folder}\uninstall.exe", "/S", *words], SETUP_SECONDS)
        until(lambda: not self.value(UNINSTALL, "DisplayName"), "the removal", SETUP_SECONDS)
        until(lambda: not self.files(), "nothing left of the program", END_SECONDS)

    def files(self) -> list[str]:
        """All that is in its folder, and the folder."""
        return list(self.lab.probe.ask("files", rf"{self.local}\Programs", "desktop-agent*/**"))

    def shortcuts(self) -> list[str]:
        """Those of the Start menu."""
        roaming = self.lab.probe.ask("environment", "APPDATA")["APPDATA"]
        return list(self.lab.probe.ask("files", rf"{roaming}\{PROGRAMS}", "Desktop Agent*.lnk"))

    def value(self, key: str, name: str) -> str:
        """A value of the registry, "" where there is none."""
        ran = self.lab.machine.run(["reg", "query", key, "/v", name], 60)
        line = next((each for each in ran.stdout.splitlines() if name in each and "REG_" in each), "")
        return line.split(None, 2)[2].strip() if ran.returncode == 0 and line else ""

    def data(self) -> list[str]:
        """What the program has written for its user."""
        return list(self.lab.probe.ask("files", self.local, "desktop-agent"))


def scenes(machine: Machine, setup: str, size: str) -> Iterator[Outcome]:
    """Play one after the other; each builds on those before."""
    with lab(machine, [rf"{PORTABLE}\desktop-agent.exe"], "setup") as first:
        place = Place(first, setup)
    with lab(machine, [place.program], "setup") as there:
        place.lab = there
        for title, scene in SCENES:
            yield _played(place, title, scene)
    with lab(machine, [rf"{PORTABLE}\desktop-agent.exe"], "portable") as zipped:
        place.lab = zipped
        yield _played(place, f"portable zip (setup {size})", _portable)


def _played(place: Place, title: str, scene: Callable[[Place], str]) -> Outcome:
    began, place.lab.scene = time.monotonic(), title
    try:
        words, passed = scene(place), True
    except Broken as error:
        words, passed = f"{error} (see {picture(place.lab, title).name})", False
    except Exception as error:  # noqa: BLE001 - one broken scene must not hide the others
        words, passed = f"{type(error).__name__}: {error}", False
    return Outcome(title, passed, words, time.monotonic() - began)


def _set_up(place: Place) -> str:
    """Silently, for this user: the program, an entry of the Start menu and one among the installed programs."""
    code = place.set_up()
    expect(code == 0, f"the setup ended with {code}")
    shown = place.value(UNINSTALL, "DisplayName"), place.value(UNINSTALL, "QuietUninstallString")
    expect(shown[0] == "Desktop Agent" and "uninstall.exe" in shown[1], f"among the programs: {shown}")
    expect(len(place.shortcuts()) == 1, f"in the Start menu: {place.shortcuts()}")
    said = place.lab.run("--version").stdout
    expect("desktop-agent" in said, f"--version says {said!r}")
    count = len(place.files())
    licences = place.lab.probe.ask("files", place.folder, rf"_internal\{LICENCES}")
    expect(licences, "no licences are there")
    return f"{count} files and folders, {said.strip()}, version {place.value(UNINSTALL, 'DisplayVersion')}, licences"


def _at_log_on(place: Place) -> str:
    """`autostart on` writes the command into the user's Run key, `off` takes it out; that command opens the window."""
    on = place.lab.run("autostart", "on")
    command = place.value(RUN, "desktop-agent")
    expect(on.returncode == 0 and place.program in command, f"{on.stdout!r}, the Run key says {command!r}")
    with place.lab.started("--quietly", "--model", "offline") as process:
        window = place.lab.ready()
        picture(place.lab, "started quietly")
        place.lab.click_close(window)
        code = exit_code(process)
    expect(code == 0, f"it ended with {code}")
    place.lab.run("autostart", "off")
    expect(not place.value(RUN, "desktop-agent"), "the Run key still has it")
    place.lab.run("autostart", "on")  # for the removal to take away
    return f"Run key: {command}"


def _while_it_runs(place: Place) -> str:
    """A setup over a program that runs changes nothing; once that has ended, it sets up again."""
    with place.lab.started("--model", "offline") as process:
        window = place.lab.ready()
        before = place.files()
        refused = place.set_up()
        expect(refused == RUNNING, f"the setup over the running program ended with {refused}")
        expect(sorted(place.files()) == sorted(before), "files have changed")
        place.lab.click_close(window)
        exit_code(process)
    until(lambda: not place.lab.ours(), "the end of all its processes", END_SECONDS)
    again = place.set_up()
    expect(again == 0, f"the setup over it ended with {again}")
    said = place.lab.run("--version").stdout
    expect("desktop-agent" in said, f"--version says {said!r}")
    expect(place.value(RUN, "desktop-agent"), "the newer version has forgotten to start at log-on")
    return f"refused with {refused}, and set up anew after its end"


def _removed(place: Place) -> str:
    """All is gone but what is the user's; with /data that, too."""
    expect(place.data(), "the program had written nothing")
    place.remove()
    left = place.shortcuts(), place.value(RUN, "desktop-agent")
    expect(left == ([], ""), f"left: {left}")
    expect(place.data(), "the user's data has gone, too")
    code = place.set_up()
    expect(code == 0, f"set up with {code}")
    place.remove("/data")
    until(lambda: not place.data(), "nothing left of the data, which go last", END_SECONDS)
    return "program, shortcut, Run value and entry gone; the user's data stayed, and went with /data"


def _portable(place: Place) -> str:
    """Unpacked anywhere it starts, and keeps all it writes beside itself."""
    with place.lab.started("--model", "offline") as process:
        place.lab.click_close(place.lab.ready())
        exit_code(process)
    kept = place.lab.probe.ask("files", PORTABLE, r"data\window.ini")
    expect(kept, f"no window.ini in {PORTABLE}\\data")
    written = place.lab.probe.ask("files", place.local, r"desktop-agent\**\*")
    # The lock of the screen is where every copy of the program looks for it.
    others = [each for each in written if not PureWindowsPath(each).name.startswith("screen-")]
    expect(not others, f"it wrote {others}")
    return f"its data is in {PureWindowsPath(kept[0]).parent}, only the screen's lock in the user's folders"


SCENES: tuple[tuple[str, Callable[[Place], str]], ...] = (
    ("set up silently", _set_up),
    ("started at log-on", _at_log_on),
    ("set up while it runs", _while_it_runs),
    ("removed", _removed),
)
