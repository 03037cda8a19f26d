"""Decoded values as one canonical text each, which the C# tests make from the objects that they have enqueued.

    canonical.py queues DIRECTORY...   the messages of each queue, a line each, then the line "end"
    canonical.py serve                 for each line of the input, a JSON array: ["queue", directory] or ["bytes", schema, hexadecimal];
                                       the same lines; if something is refused, the last is "damaged: ..." or "refused: ..."
    canonical.py serve-sparse          the same, without members that have default values
"""

from __future__ import annotations

import json
import os
import struct
import sys
import uuid
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import blitq  # noqa: E402


def text_of(value: Any) -> str:
    return _text(value, set())


def _text(value: Any, seen: set[int]) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, complex):
        return f"x:{_float(value.real)}:{_float(value.imag)}"
    if isinstance(value, str):
        units = struct.unpack(f"<{len(encoded := value.encode('utf-16-le', 'surrogatepass')) // 2}H", encoded)
        return '"' + "".join(chr(unit) if chr(unit) in _PLAIN else f"\\{unit:04x}" for unit in units) + '"'
    if isinstance(value, bytes):
        return "b:" + value.hex()
    if isinstance(value, Decimal):
        sign, digits, exponent = value.as_tuple()
        return f"d:{'-' if sign else ''}{int(''.join(map(str, digits)))}E{exponent}"
    if isinstance(value, uuid.UUID):
        return f"g:{value}"
    if isinstance(value, blitq.DateTime):
        return f"t:{value.ticks}:{value.kind}"
    if isinstance(value, blitq.DateTimeOffset):
        return f"o:{value.utc_ticks}:{value.offset_minutes}"
    if isinstance(value, blitq.TimeSpan):
        return f"s:{value.ticks}"
    if isinstance(value, blitq.TimeOfDay):
        return f"c:{value.ticks}"
    if isinstance(value, date):
        return f"a:{value.toordinal() - 1}"
    if isinstance(value, blitq.Version):
        return "v:" + ".".join(map(str, value))
    if isinstance(value, blitq.SharedMessage):
        if id(value) in seen:
            return f"#{value.number}"
        seen.add(id(value))
        return f"#{value.number}={_members(value, seen)}"
    if isinstance(value, blitq.Message):
        return _members(value, seen)
    if isinstance(value, (dict, blitq.Entries)):
        entries = value.items() if isinstance(value, dict) else value
        return "{" + ",".join(f"{_text(key, seen)}={_text(item, seen)}" for key, item in entries) + "}"
    if isinstance(value, blitq.Case):
        return f"<{value.tag}>{_text(value.message, seen)}"
    if isinstance(value, blitq.Grid):
        items = _text(value.items, seen)
        return "grid" + "x".join(map(str, value.lengths)) + items
    if isinstance(value, list):
        return "[" + ",".join(_text(item, seen) for item in value) + "]"
    if isinstance(value, tuple):
        return "(" + ",".join(_text(item, seen) for item in value) + ")"
    raise TypeError(f"{type(value)} has no canonical text")


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_./:?=")


_SPARSE = "serve-sparse" in sys.argv
_DEFAULTS = frozenset((
    "null", "0", "false", "f:0000000000000000", "d:0E0", "g:00000000-0000-0000-0000-000000000000", "t:0:0", "o:0:0", "s:0", "c:0", "a:0"))


def _members(message: blitq.Message, seen: set[int]) -> str:
    members = [(name, _text(item, seen)) for name, item in message.items()]
    return "M{" + ";".join(f"{name}:{text}" for name, text in members if not (_SPARSE and text in _DEFAULTS)) + "}"


def _float(value: float) -> str:
    return "f:nan" if value != value else "f:" + struct.pack(">d", value).hex()


def queue_lines(directory: str) -> Iterator[str]:
    try:
        with blitq.open(directory) as queue:
            for message in queue.messages():
                yield text_of(message.value)
        yield "end"
    except blitq.DamagedQueue as reason:
        yield f"damaged: {reason}"
    except blitq.QueueError as reason:
        yield f"refused: {reason}"


def bytes_lines(schema: str, packed: str) -> Iterator[str]:
    try:
        yield text_of(blitq.Decoder(blitq.Schema(schema)).decode(bytes.fromhex(packed)))
        yield "end"
    except blitq.DamagedMessage as reason:
        yield f"damaged: {reason}"


def main() -> None:
    if sys.argv[1] == "queues":
        for directory in sys.argv[2:]:
            for line in queue_lines(directory):
                print(line)
        return
    for line in sys.stdin:
        what, *rest = json.loads(line)
        lines = queue_lines(*rest) if what == "queue" else bytes_lines(*rest)
        print(*[one.replace("\n", " ") for one in lines], sep="\n", flush=True)


if __name__ == "__main__":
    main()
