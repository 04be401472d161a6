"""Real settings over a config.toml, for the dialog's tests: changes are checked, written and read again."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from pathlib import Path

from desktop_agent.agent.choices import ChoiceName, Choices, Offer
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.startup.settings_file import with_values, write_settings
from desktop_agent.support import config
from desktop_agent.support.config import Config

OFFERS: dict[str, tuple[Offer, ...]] = {
    "model": (
        Offer("auto", "Automatic", "Takes the first that has a key, else the one that works offline."),
        Offer("anthropic", "Anthropic · claude-sonnet-5-5", "Sees the screen.", "About 0.30 $ a run."),
        Offer("openai", "OpenAI · gpt-6.1-terra", "Sees the screen.", "About 0.25 $ a run.", "no key found"),
        Offer("offline", "Offline", "Understands plain instructions, on this computer alone.", "Free."),
    ),
    "target": (
        Offer("auto", "Automatic", "The screen there is, else an embedded one."),
        Offer("local", "This desktop", "Your own mouse and keyboard."),
        Offer("display", "Embedded display", "A screen of its own in a window."),
    ),
}


class FileChoices(Choices):
    """`refusal` is raised by the next change; `threads` are the names of the threads that called."""

    def __init__(self, file: Path, environ: Mapping[str, str] | None = None) -> None:
        self._file, self._environ = file, environ or {}
        self.refusal: ConfigError | None = None
        self.threads: set[int] = set()

    def offers(self, name: ChoiceName) -> tuple[Offer, ...]:
        self.threads.add(threading.get_ident())
        return OFFERS.get(name, ())

    def settings(self) -> Config:
        self.threads.add(threading.get_ident())
        return config.load(self._file if self._file.exists() else None, self._environ)

    def change(self, values: Mapping[str, object]) -> None:
        self._write(values)

    def reset(self, names: Collection[str]) -> None:
        self._write(dict.fromkeys(names))

    @property
    def file(self) -> Path:
        return self._file

    def _write(self, values: Mapping[str, object]) -> None:
        self.threads.add(threading.get_ident())
        refusal, self.refusal = self.refusal, None
        if refusal is not None:
            raise refusal
        before = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
        text = with_values(before, values)
        config.read(text.encode(), self._file, self._environ)
        write_settings(self._file, text)
