"""A VNC server to work, with an X display behind it that tells what has arrived."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.desk import Desk


@pytest.fixture(scope="module")
def shared_display() -> Iterator[Desk]:
    """The display behind the server of a module's tests: it tells what arrives."""
    from tests.extras.sandbox.rfb.vnc_place import vnc_desk  # its X library is not there on Windows

    with vnc_desk() as desk:
        yield desk
