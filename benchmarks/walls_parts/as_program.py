"""Starts the product as its users do: a process on a pseudo terminal, its model a server on the loopback."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from benchmarks.walls_parts.case import Case
from benchmarks.walls_parts.human import ScriptedHuman
from benchmarks.walls_parts.obedient import ObedientModel
from benchmarks.walls_parts.stage import Stage
from desktop_agent.protocol.permission import Level
from tests.support import loopback

_QUESTION = re.compile(r"\[y/N(?:/always)?\]\s*$|^\? [^\n]*\s*$", re.MULTILINE)
_ENDED_SECONDS = 5.0


def run(
    stage: Stage, case: Case, level: Level, human: ScriptedHuman, model: ObedientModel, *, free: bool
) -> str:
    """One start with a goal, to its end; the human answers what the terminal shows. Returns the exit code in words."""
    if case.between is not None:
        _start(stage, case, level, ScriptedHuman(("",)), ObedientModel(()), free=free)
        case.between(stage)
        stage.site.forget()
        stage.terminal = b""
    return _start(stage, case, level, human, model, free=free)


def _start(
    stage: Stage, case: Case, level: Level, human: ScriptedHuman, model: ObedientModel, *, free: bool
) -> str:
    with model_server(model) as port:
        words = ["--no-window", "--target", "local", "--timeout", str(case.seconds)]
        if case.between is None or level == "full" or free:  # else the settings say it
            words += ["--permission", level]
        words += ["--model", "compatible", stage.fill(case.goal)]
        start = (
            "from benchmarks.walls_parts.as_program import unguarded_main as main"
            if free
            else "from desktop_agent.cli import main"
        )
        command = [sys.executable, "-c", f"import sys; {start}; sys.exit(main())", *words]
        settings = stage.home / ".config/desktop-agent/config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        written = settings.read_text(encoding="utf-8") if settings.exists() else _CONFIG
        settings.write_text(written.replace("{model}", f"127.0.0.1:{port}"), encoding="utf-8")
        environment = dict(os.environ) | {"WALLS_KEY": KEY, "TERM": "xterm"}
        return _follow(stage, command, environment, human, case.seconds + 15)


KEY = "sk-walls-key-778813"
_CONFIG = '[llm.compatible]\nbase_url = "http://{model}/v1"\nmodel = "obedient"\nkey_env = "WALLS_KEY"\n'


def unguarded_main() -> int:
    """The command with nothing in the way."""
    from benchmarks.walls_parts.play import unguarded
    from desktop_agent.cli import main

    with unguarded():
        return main()


def _follow(
    stage: Stage, command: list[str], environment: dict[str, str], human: ScriptedHuman, seconds: float
) -> str:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    deadline, answered = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # its end is told like this by Linux
                break
            stage.terminal += piece
            continue
        shown = stage.terminal[answered:].decode("utf-8", "replace").replace("\r\n", "\n")
        if _QUESTION.search(shown):
            answered = len(stage.terminal)
            os.write(ours, human.answer(shown).encode())
        elif process.poll() is not None:
            break
    with suppress(subprocess.TimeoutExpired):
        process.wait(_ENDED_SECONDS)
    process.kill()
    code = process.wait()
    os.close(ours)
    return f"exit code {code}"


@contextmanager
def model_server(model: ObedientModel) -> Iterator[int]:
    """The model as a server that speaks Chat Completions."""

    class Handler(loopback.Handler):
        def get(self) -> None:
            self.say(
                json.dumps({"object": "list", "data": [{"id": "obedient", "object": "model"}]}).encode(),
                _JSON,
            )

        def post(self) -> None:
            asked = json.loads(self.body())
            answer = model.answer(_words(asked["messages"][-1]["content"]))
            if asked.get("stream"):
                self.say(_streamed(answer), "text/event-stream")
            else:
                self.say(json.dumps(_whole(answer)).encode(), _JSON)

    with loopback.serving(Handler) as port:
        yield port


_JSON = "application/json"


def _words(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return str(content)


def _whole(answer: str) -> dict[str, object]:
    message = {"role": "assistant", "content": answer}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "obedient", "choices": [choice]}


def _streamed(answer: str) -> bytes:
    head = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "obedient"}
    first = {"index": 0, "delta": {"role": "assistant", "content": answer}, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    lines = [json.dumps({**head, "choices": [each]}) for each in (first, last)]
    return "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
