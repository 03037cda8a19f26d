"""The numbers of the format's files (docs/FORMAT.md), what ``queue.meta`` says, and the check of a record."""

from __future__ import annotations

import hashlib
import re
import struct
import uuid
from dataclasses import dataclass

from .errors import DamagedQueue, NewerFormat, NotAQueue
from .schema import Schema, SchemaError

VERSION = 1

META = "queue.meta"
CONTROL = "queue.control"
REPAIR = "queue.repair"
SEGMENT = "segment-"
SUBSCRIPTION = "subscription-"
REASONS = "reasons-"
DEAD_LETTERS = "dead-"
UNFINISHED = ".new"

SEGMENT_MAGIC = b"BLITSEG1"
CONTROL_MAGIC = b"BLITCTRL"
SUBSCRIPTION_MAGIC = b"BLITSUBS"

CONTROL_SIZE = 69_632
SUBSCRIPTION_SIZE = 73_728
CELLS = 2047
CELLS_AT = 4096
CELL_SIZE = 32
GONE = 2**55 - 8
"""The next position of a subscription that was deleted."""

PAGE = 4096
LARGEST_META = 16 << 20
LARGEST_MESSAGE = 0x7FFF_FFC7
"""The most bytes that a message in pieces can have."""

# Kinds of records.
NONE, DATA, PAD, BATCH, GAP, DATA_P, HOLE = 0, 1, 2, 3, 4, 5, 6
B_DATA, B_PAD, B_LAST, B_FIRST, B_DATA_P, B_FIRST_P, B_MIDDLE = 9, 10, 11, 12, 13, 14, 15

IN_BATCH = 8
PADS = frozenset((PAD, B_PAD))
EMPTY = frozenset((GAP, HOLE))
ENDS = frozenset((DATA, DATA_P, B_DATA, B_DATA_P, B_LAST))
"""A message ends in a record of these kinds."""
FRAGMENTS = frozenset((B_FIRST, B_FIRST_P, B_MIDDLE))
"""A message goes on in the next record."""
CONTINUES = frozenset((B_MIDDLE, B_LAST))
"""A message began in an earlier record."""
CARRIES = ENDS | FRAGMENTS
BEGINS = CARRIES - CONTINUES
WITH_PROPERTIES = frozenset((DATA_P, B_DATA_P, B_FIRST_P))

_MASK = 2**64 - 1
_K0, _K1, _K2, _K3 = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xA0761D6478BD642F


def _fold(x: int, y: int) -> int:
    product = x * y
    return (product >> 64) ^ (product & _MASK)


def kind_of(header: int) -> int:
    """The kind in a record's header."""
    return header >> 28 & 15


def length_of(header: int) -> int:
    """The bytes of payload that a record's header says."""
    return header & 0xFFF_FFFF


def extent(length: int) -> int:
    """The bytes of log that a record with so many bytes of payload takes."""
    return 8 + (length + 7 & ~7)


class RecordCheck:
    """The 32-bit check of one queue's records."""

    def __init__(self, salt: int, covers_payload: bool) -> None:
        self._salt = salt
        self._covers = covers_payload

    def fits(self, header: int, position: int, payload: bytes | memoryview) -> bool:
        """Whether the check in a record's header fits its position and its payload."""
        kind = kind_of(header)
        if not self._covers:
            return header >> 32 == stamp(self._salt, position, kind, len(payload))
        return header >> 32 == compute(self._salt, position, kind, payload)

    def fits_empty(self, header: int, position: int) -> bool:
        """The same for a gap or a hole, whose payload is never covered."""
        return header >> 32 == stamp(self._salt, position, kind_of(header), length_of(header))


def _seed(salt: int, position: int, kind: int, length: int) -> int:
    return _fold(salt ^ position ^ _K1, _K0 + (kind << 32 | length) & _MASK)


def stamp(salt: int, position: int, kind: int, length: int) -> int:
    """The check without the payload."""
    a = _seed(salt, position, kind, length)
    return (a ^ a >> 32) & 0xFFFF_FFFF


def compute(salt: int, position: int, kind: int, payload: bytes | memoryview) -> int:
    """The check with the payload."""
    length = len(payload)
    a = _seed(salt, position, kind, length)
    b = a ^ _K3
    words = struct.unpack_from(f"<{length // 8}Q", payload)
    at = 0
    for at in range(0, len(words) - 3, 4):
        x = (words[at] ^ _K0) * (words[at + 1] ^ a)
        a = (x >> 64) ^ (x & _MASK)
        y = (words[at + 2] ^ _K1) * (words[at + 3] ^ b)
        b = (y >> 64) ^ (y & _MASK)
    at = len(words) & ~3
    if length & 16:
        a = _fold(words[at] ^ _K0, words[at + 1] ^ a)
        at += 2
    if length & 8:
        b = _fold(words[at] ^ _K1, b ^ _K2)
    if length & 7:
        rest = int.from_bytes(payload[length & ~7:], "little") | (length & 7) << 56
        a = _fold(rest ^ _K2, a ^ _K1)
    c = _fold(a ^ _K2, b ^ _K0) ^ a ^ b
    return (c ^ c >> 32) & 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class Meta:
    """What ``queue.meta`` says."""

    id: bytes
    segment_size: int
    header_size: int
    checksum: bool
    fingerprint: int
    schema: Schema

    @property
    def salt(self) -> int:
        """What the checks of this queue's records start from."""
        low, high = struct.unpack("<QQ", self.id)
        return low ^ high

    def first_of(self, index: int) -> int:
        """The position of the first record in a segment."""
        return index * self.segment_size + self.header_size


_NUMBER = re.compile(r"\s*[+-]?[0-9]+\s*\Z")
_TITLE = "BlitQueue"


def parse_meta(path: str, data: bytes, has_segments: bool) -> Meta:
    """Reads the text of ``queue.meta``."""
    text = data.decode("utf-8", "replace")
    title = text.split("\n", 1)[0].split(" ")
    if len(title) != 2 or title[0] != _TITLE or not _NUMBER.match(title[1]):
        reason = f"it does not start with '{_TITLE} <version>'"
        if has_segments:
            raise DamagedQueue(path, 0, reason + ", though segments are beside it")
        raise NotAQueue(path, reason)
    if int(title[1]) > VERSION:
        raise NewerFormat(path, f"it has format version {title[1]}; this package reads up to version {VERSION}")
    at = text.rfind("sha256 ")
    if at < 0 or text[at + 7:].rstrip("\n") != hashlib.sha256(text[:at].encode("utf-8", "replace")).hexdigest():
        raise DamagedQueue(path, max(at, 0), "its checksum line is missing or does not fit what is in front of it")
    fields: dict[str, str] = {}
    for line in text[:at].split("\n"):
        name, space, value = line.partition(" ")
        if space:
            fields.setdefault(name, value)
    meta = _meta_of(fields)
    if meta is None:
        raise DamagedQueue(path, 0, "its checksum is right, and its lines are not those of a queue")
    size, header = meta.segment_size, meta.header_size
    if size & (size - 1) or not 65_536 <= size <= 2**30:
        raise DamagedQueue(path, 0, f"a segment size of {size} bytes cannot be")
    if header < PAGE or header % PAGE or header > size // 2:
        raise DamagedQueue(path, 0, f"a segment header of {header} bytes cannot be")
    return meta


def _meta_of(fields: dict[str, str]) -> Meta | None:
    numbers = [fields.get("segment-size", ""), fields.get("segment-header", "")]
    if not all(_NUMBER.match(number) for number in numbers) or not re.match(r"[0-9a-fA-F]{32}\Z", fields.get("id", "")):
        return None
    if not re.match(r"[0-9a-fA-F]{1,16}\Z", fields.get("fingerprint", "")):
        return None
    try:
        schema = Schema(fields["schema"])
    except (KeyError, SchemaError):
        return None
    # The id is written as .NET writes a Guid: its first three parts are numbers.
    return Meta(
        uuid.UUID(fields["id"]).bytes_le, int(numbers[0]), int(numbers[1]), fields.get("checksum") == "on",
        int(fields["fingerprint"], 16), schema)
