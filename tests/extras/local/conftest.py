"""Keys and the key store as the other models' tests have them."""

from __future__ import annotations

from tests.llm.conftest import keys

__all__ = ["keys"]
