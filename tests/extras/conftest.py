"""The image that containers of the tests are made from."""

from __future__ import annotations

import pytest

from tests.support.container_engines import NoEngine, RunningEngine


@pytest.fixture(scope="module")
def base(engine: RunningEngine) -> str:
    from tests.support.host_image import imported

    try:
        return imported(engine.client)
    except NoEngine as error:
        pytest.skip(f"No base image: {error}.")
