"""An orchestrator as a process of its own, which tests ask."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from desktop_agent.extras.project.orchestrator import length_prefixed
from tests.project_copy import ROOT

CODE = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from desktop_agent.extras.project.orchestrator.orchestrator import main; main()"


class Asked:
    """An orchestrator that works a folder, with these variables beside ours."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        argv = [sys.executable, "-I", "-B", "-c", CODE]
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, env=os.environ | variables
        )
        assert length_prefixed.receive(self._output) == {"ready": True, "python": sys.version.split()[0]}

    @property
    def _output(self) -> Any:
        return self.process.stdout

    def ask(self, **question: object) -> dict[str, Any]:
        assert self.process.stdin is not None
        length_prefixed.send(self.process.stdin, {"id": 7, **question})
        answer = length_prefixed.receive(self._output)
        assert answer is not None and answer.pop("id") == 7
        return answer

    def run(self, environment: str, command: str, seconds: float = 30) -> tuple[str, str]:
        answer = self.ask(do="run", environment=environment, command=command, seconds=seconds)
        self.shown = {each["name"]: each["text"] for each in answer["screen"]}
        return answer["outcome"], answer["text"]

    def names(self) -> dict[str, str]:
        return {each["name"]: each["state"] for each in self.ask(do="health")["environments"]}

    def write(self, name: str, text: str) -> None:
        (self.folder / "env").mkdir(exist_ok=True)
        (self.folder / "env" / name).write_text(text)

    def close(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(20)
