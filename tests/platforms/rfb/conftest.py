"""A VNC server to work, with an X display behind it that tells what has arrived."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.desk import Desk
from tests.platforms.rfb.vnc_place import vnc_desk


@pytest.fixture(scope="module")
def shared_display() -> Iterator[Desk]:
    """The display behind the server of a module's tests: it tells what arrives."""
    with vnc_desk() as desk:
        yield desk
