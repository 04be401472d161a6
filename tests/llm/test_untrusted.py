"""What the screen says reaches a provider only inside the prompt's marked blocks, never beside them."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Element
from tests.llm import asking
from tests.llm.fake_server import FakeServer

EVIL = "EVILWORDS"


@pytest.mark.parametrize("provider", asking.PROVIDERS)
def test_an_adapter_says_nothing_of_the_screen_by_itself(provider: str, server: FakeServer) -> None:
    element = Element("e1", EVIL, EVIL, Rect(0, 0, 9, 9), EVIL, window=EVIL, application=EVIL)
    loud = msgspec.structs.replace(
        asking.observation(), elements=(element,), texts={EVIL: EVIL}, window=EVIL, windows=(EVIL,)
    )
    model = asking.make(provider, server.url)
    model.reply(asking.conversation(), loud, on_note=lambda _: None, stop=StopFlag())
    sent = str(server.seen[-1].body)
    assert "grüß Gott" in sent and EVIL not in sent
