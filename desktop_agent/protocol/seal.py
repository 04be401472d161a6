"""The seal of an approved batch: a hash of its content that the brain sets and the hand checks."""

from __future__ import annotations

import hashlib

import msgspec

from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.ops import Op


def fingerprint(*parts: object) -> str:
    """Return the BLAKE2b hash of the parts as 24 hexadecimal digits; equal content gives equal hashes."""
    return hashlib.blake2b(msgspec.msgpack.encode(parts), digest_size=12).hexdigest()


def sealed(batch: Batch) -> Batch:
    """Return the batch with its seal in `approval`: the hand refuses it when its content no longer matches."""
    return msgspec.structs.replace(batch, approval=seal(batch))


def seal(batch: Batch) -> str:
    """Return the hash of what a batch does: its operations, viewport, element bounds and preconditions."""
    # As they arrive: a whole number given for a float is a float then.
    operations = msgspec.msgpack.decode(msgspec.msgpack.encode(batch.operations), type=tuple[Op, ...])
    return fingerprint(operations, batch.viewport, batch.elements, batch.expects)
