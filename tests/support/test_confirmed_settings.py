"""The sealed record of confirmed settings: what is not ours does not count."""

from __future__ import annotations

import json
from pathlib import Path

import keyring.core
import pytest
from keyring.backends import fail, null

from desktop_agent.support.confirmed_settings import DAMAGED, ConfirmedSettings
from desktop_agent.support.operating_system import WINDOWS
from tests.llm.conftest import MemoryKeyring

RIGHTS = {"agent.permission": "full"}


@pytest.fixture(params=[MemoryKeyring, null.Keyring, fail.Keyring])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type:
    """A key store that works, one that keeps nothing, and none."""
    monkeypatch.setattr(keyring.core, "_keyring_backend", request.param())
    kind: type = request.param
    return kind


def test_what_was_confirmed_is_read_again(store: type, tmp_path: Path) -> None:
    first = ConfirmedSettings(tmp_path / "data")
    assert first.rights("") is None and not first.exists
    first.keep("", RIGHTS)
    first.keep("/a/b.toml", {})
    first.keep_key("env:A", "https://x.example")
    again = ConfirmedSettings(tmp_path / "data")
    assert again.rights("") == RIGHTS and again.rights("/a/b.toml") == {} and again.rights("/c") is None
    assert again.keys == {"env:A": ("https://x.example",)} and not again.problem
    assert (tmp_path / "data/settings.key").exists() == (store is not MemoryKeyring)


@pytest.mark.skipif(WINDOWS, reason="files have other rights there")
def test_only_their_owner_may_read_the_files(store: type, tmp_path: Path) -> None:
    ConfirmedSettings(tmp_path / "data").keep("", RIGHTS)
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()} == {0o600}


def test_a_record_that_somebody_else_wrote_does_not_count(store: type, tmp_path: Path) -> None:
    ConfirmedSettings(tmp_path).keep("", {})
    path = tmp_path / "confirmed-settings.json"
    for changed in (
        path.read_bytes().replace(b'"":{}', b'"":{"agent.permission":"full"}'),
        json.dumps({"files": {"": RIGHTS}, "keys": {}, "seal": ""}).encode(),
        b"[]", b"\xff", b"",
    ):  # fmt: skip
        path.write_bytes(changed)
        found = ConfirmedSettings(tmp_path)
        assert found.rights("") is None and found.problem == DAMAGED


def test_a_record_with_a_key_of_its_own_does_not_count_where_there_is_a_key_store(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", fail.Keyring())  # type: ignore[no-untyped-call]
    ConfirmedSettings(tmp_path).keep("", RIGHTS)
    monkeypatch.setattr(keyring.core, "_keyring_backend", MemoryKeyring())
    assert ConfirmedSettings(tmp_path).rights("") is None


@pytest.mark.skipif(WINDOWS, reason="files have other rights there")
def test_a_key_file_as_an_editor_writes_it_does_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(keyring.core, "_keyring_backend", fail.Keyring())  # type: ignore[no-untyped-call]
    ConfirmedSettings(tmp_path).keep("", RIGHTS)
    (tmp_path / "settings.key").chmod(0o644)
    found = ConfirmedSettings(tmp_path)
    assert found.rights("") is None and found.problem == DAMAGED
