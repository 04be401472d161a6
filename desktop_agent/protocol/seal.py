"""One hash for what a human said yes to, the same in the brain and in the hand."""

from __future__ import annotations

import hashlib

import msgspec

from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.ops import Op


def fingerprint(*parts: object) -> str:
    """24 hexadecimal digits; equal content gives equal ones."""
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=12).hexdigest()


def sealed(batch: Batch) -> Batch:
    """The batch with the seal of its own content: the hand refuses it when anything of that changes on the way."""
    return msgspec.structs.replace(batch, approval=seal(batch))


def seal(batch: Batch) -> str:
    """The fingerprint of what a batch does: operations, the places they mean, and what must be there."""
    # As they arrive: a whole number given for a float is a float then.
    operations = msgspec.msgpack.decode(msgspec.msgpack.encode(batch.operations), type=tuple[Op, ...])
    return fingerprint(operations, batch.viewport, batch.elements, batch.expects)
