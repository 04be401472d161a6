"""Fixtures for tests of the orchestrator's side."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extras.project.orchestrator.editing_desk import EditorDesk


@pytest.fixture
def desk_of_files(tmp_path: Path) -> EditorDesk:
    """An editor in an empty folder."""
    root = tmp_path / "project"
    root.mkdir()
    return EditorDesk(root)
