"""The model's server of the providers' tests."""

from __future__ import annotations

from tests.llm.conftest import keys, server

__all__ = ["keys", "server"]
