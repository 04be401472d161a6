"""Options that every model behind a network connection has."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from desktop_agent.llm.base import ContextLimits, TokenUsage
from desktop_agent.llm.transport.model_catalog import ComputerTool, Price, Rate, TokenCount, dollars_for

Seconds: TypeAlias = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
ModelName: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
ImageEdge: TypeAlias = Annotated[int, msgspec.Meta(ge=200, le=8_000)]
BaseUrl: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(https?://[^\s/]+\S*)?$")]
Effort: TypeAlias = Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"]


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars for a million tokens: read, read from a cache, written into a cache (`input` where not set), answered."""

    input: Rate
    cached: Rate
    output: Rate
    cache_write: Rate | None = None

    def price(self) -> Price:
        """The same as the price of a model."""
        write = self.input if self.cache_write is None else self.cache_write
        return Price(input=self.input, cached=self.cached, write=write, write_long=write, output=self.output)


class RemoteOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be set for a model behind a network connection.

    `base_url` empty means the provider's own address; `key_env` names the environment variable of
    the key (empty: the provider's usual one, then the key store under the provider's name).
    `timeout` bounds one reply, retries included; `idle_timeout` the time without a single byte while
    streaming. `effort` empty leaves it to the model. `images` false never sends a picture, true always does.
    `image_edge` is the longest edge of the picture it is sent, in pixels. `marks` draws the ids of the elements on
    it: that helps small models to find things, and takes more from large ones than it gives. `conversation` says
    when the conversation is shortened.
    `images`, `computer_tool` ("" for none), `context_tokens` (0) and `dollars_per_million` not set are as the table
    of models says.
    """

    model: ModelName
    base_url: BaseUrl = ""
    key_env: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_]*$")] = ""
    stream: bool = True
    images: bool | None = None
    computer_tool: ComputerTool | None = None
    context_tokens: Annotated[int, msgspec.Meta(ge=0, le=100_000_000)] = 0
    timeout: Seconds = 300.0
    idle_timeout: Seconds = 120.0
    retries: Annotated[int, msgspec.Meta(ge=0, le=10)] = 2
    max_output_tokens: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] = 16_000
    effort: Effort = ""
    image_edge: ImageEdge = 1568
    image_format: Literal["jpeg", "png"] = "jpeg"
    marks: bool = False
    conversation: ContextLimits = ContextLimits()
    dollars_per_million: Prices | None = None

    def usage(
        self,
        read: int | None,
        cached: int,
        answered: int | None,
        *,
        written: int = 0,
        written_long: int = 0,
        price: Price | None = None,
    ) -> TokenUsage:
        """Token counts with what they cost: by the prices in the config, else by `price`.

        `cached`, `written` and `written_long` (read from the provider's cache, written into it for a short or a long
        time) are parts of `read`. What the server did not tell is None, and then the price is not known either.
        """
        if read is None or answered is None:
            return TokenUsage(read or 0, cached, answered or 0, None, written + written_long)
        own = self.dollars_per_million
        count = TokenCount(read, cached, written, written_long, answered)
        dollars = dollars_for(own.price() if own is not None else price, count)
        return TokenUsage(read, cached, answered, dollars, written + written_long)
