"""The properties in front of a message."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from uuid import UUID

from .values import MAX_TICKS, DateTime

LONGEST = 33_024
_TEXTS = {16: "producer", 17: "message_id", 18: "correlation_id", 19: "reply_to", 20: "label", 22: "only_for"}
_LETTER = 23


@dataclass(frozen=True, slots=True)
class Properties:
    """What was enqueued with a message beside its members. None is a property that it does not have."""

    enqueued_at: DateTime | None = None
    expires_at: DateTime | None = None
    producer: str | None = None
    message_id: str | None = None
    correlation_id: str | None = None
    reply_to: str | None = None
    label: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    only_for: str | None = None
    """The one subscription that gets the message: it was a dead letter of it."""
    letter: tuple[UUID, int] | None = None
    """That dead letter: the id of the letters' queue, and the position there."""


def block_length(payload: bytes) -> int:
    """The length of the block that a payload begins with; -1 if it begins with none."""
    if len(payload) < 8:
        return -1
    length, kinds = struct.unpack_from("<II", payload)
    if length < 8 or length > min(LONGEST, len(payload)) or length % 8:
        return -1
    times = 8 * (kinds & 0xFFFF).bit_count()
    if 8 + times > length:
        return -1
    at = 8
    for bit in range(2):
        if kinds >> bit & 1:
            if struct.unpack_from("<Q", payload, at)[0] > MAX_TICKS:
                return -1
            at += 8
    at = 8 + times
    for _ in range((kinds >> 16).bit_count()):
        end = _end_of(payload, at, length)
        if end < 0:
            return -1
        at = end
    return length if length - at < 8 else -1


def parse(block: bytes) -> Properties | None:
    """The properties in a block that ``block_length`` has accepted; None if a text in it is none."""
    kinds = struct.unpack_from("<I", block, 4)[0]
    found: dict[str, object] = {}
    at = 8
    for bit in range(16):
        if kinds >> bit & 1:
            if bit < 2:
                name = ("enqueued_at", "expires_at")[bit]
                found[name] = DateTime(struct.unpack_from("<Q", block, at)[0], 1)
            at += 8
    try:
        for bit in range(16, 32):
            if kinds >> bit & 1:
                end = _end_of(block, at, len(block))
                if bit in _TEXTS:
                    found[_TEXTS[bit]] = block[at + 4:end].decode()
                elif bit == _LETTER and end - at == 28:
                    found["letter"] = (UUID(bytes_le=block[at + 4:at + 20]), struct.unpack_from("<q", block, at + 20)[0])
                elif bit == 21:
                    found["headers"] = _headers(block[at + 4:end])
                at = end
    except UnicodeDecodeError:
        return None
    return None if found.get("headers", {}) is None else Properties(**found)  # type: ignore[arg-type]


def _headers(pairs: bytes) -> dict[str, str] | None:
    found: dict[str, str] = {}
    at = 0
    while at < len(pairs):
        middle = _end_of(pairs, at, len(pairs))
        end = _end_of(pairs, middle, len(pairs)) if middle >= 0 else -1
        if end < 0:
            return None
        found[pairs[at + 4:middle].decode()] = pairs[middle + 4:end].decode()
        at = end
    return found


def _end_of(block: bytes, at: int, length: int) -> int:
    """The end of so many bytes that are here behind their length; -1 if they are not."""
    if at + 4 > length:
        return -1
    end: int = at + 4 + struct.unpack_from("<I", block, at)[0]
    return end if end <= length else -1
