"""Intents of choosing by comparison: the cheapest of several, one of each, once a number is low enough."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Measure: TypeAlias = Literal["money", "duration", "time", "number"]


class Best(msgspec.Struct, frozen=True):
    """Press the button of the one of several alike whose `measure` is the least (or the most).

    `verb` is the word for what is done ("buy"), `label` what the measure is called when it was named.
    """

    verb: str
    thing: str
    measure: Measure
    most: bool = False
    label: str = ""


class Watch(msgspec.Struct, frozen=True):
    """Press `button` as soon as the number called `label` is below (or above) `value`."""

    button: str
    label: str
    value: float
    above: bool = False


class Amount(msgspec.Struct, frozen=True):
    """Have `count` of an item in an order, by the plus and minus beside it."""

    item: str
    count: int


class PlaceOrder(msgspec.Struct, frozen=True):
    """Press the button that orders what was put together."""


BuyingIntent: TypeAlias = Best | Watch | Amount | PlaceOrder
