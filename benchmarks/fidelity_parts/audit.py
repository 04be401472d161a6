"""Runs in the Python of cua-auto-harness: its own driver, probe and checks, with another's hand acting.

Started with a folder, two ports, the repetitions and the names of checks (none: all). Its probes are
there already. Asks on stdout, a line of JSON each: {"do": "prepare"}, {"do": "act", "action": ...} and
{"do": "screenshot", "path": ...}; the answer on stdin is {"error": words}. Each verdict is
{"check": name, "status": ..., "reason": ..., "shown": the picture was right or null}, and the last line {}.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from autoharness import contracts  # type: ignore[import-not-found, unused-ignore]
from autoharness.adapters import SutExecutionError  # type: ignore[import-not-found, unused-ignore]
from autoharness.backend import Adapter, GenericProbeAdapter  # type: ignore[import-not-found, unused-ignore]
from autoharness.contracts import action_to_dict, load_catalog  # type: ignore[import-not-found, unused-ignore]
from autoharness.driver import run_catalog  # type: ignore[import-not-found, unused-ignore]

START_SECONDS = 60.0


class Outside(Adapter):  # type: ignore[misc]  # no types in that package
    """The hand at the other end of the pipe."""

    supports_raw_tap = True

    def boot(self) -> None:
        """All is there already."""

    def exec(self, cmd: str, timeout: int = 120) -> tuple[int, str]:
        raise NotImplementedError("nothing is run by the harness")

    def inject(self, action: Any) -> None:
        _ask({"do": "act", "action": action_to_dict(action)})

    def screenshot(self, dst_path: str) -> None:
        _ask({"do": "screenshot", "path": dst_path})

    def teardown(self) -> None:
        """The desktop ends with the benchmark."""


class Prepared(GenericProbeAdapter):  # type: ignore[misc]
    """The harness's own adapter where the probes need not be brought in."""

    def setup(self, _folder: Path) -> None:
        for port in (self.probe_port, self.raw_port):
            self._await(port)
        self._adopt_probe_capabilities()

    def _await(self, port: int) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                if int(self._http_json("/seq", port)["seq"]) >= 1:
                    return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)  # there is nothing to wait on

    def _http_json(self, path: str, port: int) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return json.load(answer)

    def prepare_rep(self) -> None:
        _ask({"do": "prepare"})

    def execute(self, action: Any) -> None:
        self.backend.inject(action)  # waits too: the hand may be holding something meanwhile


class Verdicts:
    """The reporter of the run."""

    cancel_requested = False

    def run_started(self, *_: object) -> None:
        """Nothing to tell."""

    def entry_not_measurable(self, entry: str, reason: str) -> None:
        _say({"check": entry, "status": "not measurable", "reason": reason, "shown": None})

    def rep_done(self, entry: str, _rep: int, _reps: int, verdict: Any) -> None:
        judge = verdict.raw_channel or verdict.event_channel
        words = [part.detail for part in (verdict.event_channel, judge) if part.status != "pass"]
        reason = "; ".join(dict.fromkeys([*words, verdict.notes.strip()[-400:]]))
        shown = None if self._headless(verdict) else verdict.visual_channel.status == "pass"
        _say({"check": entry, "status": verdict.status, "reason": reason, "shown": shown})

    def _headless(self, verdict: Any) -> bool:
        """Only the observer without a window could see it: there is nothing on the picture."""
        return bool(verdict.visual_channel.detail == "raw tap is headless")

    def entry_done(self, summary: object) -> None:
        """Said already."""

    def run_finished(self, _report: object) -> None:
        _say({})


def _say(words: dict[str, Any]) -> None:
    print(json.dumps(words), flush=True)


def _ask(question: dict[str, Any]) -> None:
    _say(question)
    error = json.loads(sys.stdin.readline())["error"]
    if error:
        raise SutExecutionError(error)


def main(folder: str, port: str, raw_port: str, repetitions: str, *names: str) -> None:
    entries = load_catalog(Path(contracts.__file__).parent / "catalogs" / "runner")
    chosen = [entry for entry in entries if not names or entry.id in names]
    adapter = Prepared(Outside(), probe_port=int(port), raw_port=int(raw_port))
    run_catalog(adapter, chosen, Path(folder), reps_override=int(repetitions), reporter=Verdicts())


if __name__ == "__main__":
    main(*sys.argv[1:])
