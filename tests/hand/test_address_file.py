"""The target's address beside the shared block: every guard finds it there."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.hand.ipc import address_file
from desktop_agent.hand.ipc.address_file import read_address, write_address
from desktop_agent.protocol.errors import HandError
from desktop_agent.targets.base import Address


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    address = Address("display", {"DISPLAY": ":7", "HOME": "/home/zoë"})
    write_address(tmp_path, address)
    assert read_address(tmp_path) == address


def test_secrets_stand_neither_in_it_nor_in_a_repr(tmp_path: Path) -> None:
    address = Address("rfb", {"HOST": "here"}, {"PASSWORD": "hunter42"})
    write_address(tmp_path, address)
    assert read_address(tmp_path) == Address("rfb", {"HOST": "here"})
    assert "hunter42" not in repr(address)


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"kind": 7}'])
def test_without_one_the_guard_says_so(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / address_file.NAME).write_bytes(content)
    with pytest.raises(HandError, match="not told where the inputs are") as caught:
        read_address(tmp_path)
    assert caught.value.advice


def test_a_folder_that_is_not_there_is_told_with_advice(tmp_path: Path) -> None:
    with pytest.raises(HandError, match="Cannot write") as caught:
        write_address(tmp_path / "missing", Address("display"))
    assert "TMPDIR" in caught.value.advice
