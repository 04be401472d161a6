"""The log never shows a secret, and one rule says which variables are secret."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from desktop_agent.redaction.secret_reference import is_secret, without_secrets
from desktop_agent.support import log_file


def test_a_secrets_value_is_taken_out_of_every_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret-1")
    root = logging.getLogger("desktop_agent")
    before = root.handlers[:], root.level, root.propagate
    try:
        log_file.set_up(tmp_path)
        root.warning("the server said %s", "sk-very-secret-1 is wrong")
    finally:
        root.handlers[:], root.level, root.propagate = before
    text = (tmp_path / "desktop-agent.log").read_text()
    assert "sk-very-secret-1" not in text and "[secret] is wrong" in text


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "hf_token", "AWS_SECRET_ACCESS_KEY", "PGPASSWORD", "ApiKey"]
)
def test_secret_names(name: str) -> None:
    assert is_secret(name)
    assert without_secrets({name: "x", "HOME": "/", "XAUTHORITY": "a"}) == {"HOME": "/", "XAUTHORITY": "a"}
