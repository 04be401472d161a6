"""Secrets named in the settings are found where they are, kept under their names, and taken from the environment."""

from __future__ import annotations

from pathlib import Path

import keyring
import keyring.core
import pytest

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.redaction.redactor import Redactor
from desktop_agent.redaction.secret_reference import keep_marked
from desktop_agent.support import config
from tests.llm.conftest import MemoryKeyring


def test_from_the_environment_and_the_key_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", MemoryKeyring())
    keyring.set_password("desktop-agent", "mail", "a-word-for-mail")
    redactor, environ = Redactor(), {"BANK_PIN": "4711-0815", "HOME": "/"}
    keep_marked(("env:BANK_PIN", "keyring:mail"), redactor, environ)
    assert redactor.fill("{{secret:BANK_PIN}} {{secret:mail}}") == "4711-0815 a-word-for-mail"
    assert redactor.clean("4711-0815, a-word-for-mail") == "{{secret:BANK_PIN}}, {{secret:mail}}"
    assert environ == {"HOME": "/"}, "programs the agent works in do not inherit it"
    keep_marked(("env:BANK_PIN",), redactor, environ)


@pytest.mark.parametrize("reference", ["env:NOT_SET", "keyring:nothing"])
def test_one_that_is_not_there(reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", MemoryKeyring())
    with pytest.raises(ConfigError, match=f"The secret {reference} of .* is not there"):
        keep_marked((reference,), Redactor(), {})


def test_a_value_does_not_belong_into_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        '[secrets]\nvalues = ["hunter2"]\n[privacy]\nwindows = ["*KeePass*"]\nregions = [[0, 0, 300, 40]]'
    )
    with pytest.raises(ConfigError, match=r"line 2: secrets\.values") as refused:
        config.load(path)
    assert "hunter2" not in str(refused.value)
    path.write_text(path.read_text().replace("hunter2", "env:X"))
    settings = config.load(path)
    assert (settings.secrets.values, settings.privacy.regions) == (("env:X",), ((0, 0, 300, 40),))
    path.write_text(path.read_text().replace("300, 40", "300"))
    with pytest.raises(ConfigError, match=r"privacy\.regions"):
        config.load(path)
