"""Decodes packed messages by their schema (docs/FORMAT.md, "A packed message").

Each kind becomes a function that reads one value at a cursor; they are made once for a schema. Nothing is believed: every length,
count and value is checked before it is used.
"""

from __future__ import annotations

import datetime
import struct
import sys
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from . import brotli
from .errors import DamagedMessage
from .schema import Kind, Member, MessageType, Schema
from .values import (
    MAX_TICKS, TICKS_PER_DAY, TICKS_PER_MINUTE, Case, DateTime, DateTimeOffset, Entries, Grid, Message, SharedMessage, TimeOfDay,
    TimeSpan, TimeZone, Transition, Version, ZoneRule)

NULL = 0xFFFF_FFFF
HOLE = 0xFFFF_FFFE
MOST_PART = 65_534
MOST_MESSAGES = 64
MOST_VARIABLES = 512
MOST_CHARS = 0x3FFF_FFDF
MOST_ELEMENTS = 0x7FFF_FFC7
MOST_ZONE = 65_536
_UTF16 = 0x8000_0000
_RULE_SIZE = 50

_U16 = struct.Struct("<H").unpack_from
_U32 = struct.Struct("<I").unpack_from
_HEAD = struct.Struct("<HH").unpack_from


class _Cursor:
    """Where in the bytes a message is read. ``end`` is that of the innermost variable."""

    __slots__ = ("data", "at", "end", "depth", "open", "objects", "compressed")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.end = len(data)
        self.depth = 0
        self.open = 0
        self.objects: list[tuple[int, SharedMessage]] = []
        self.compressed = 0

    def u32(self) -> int:
        at = self.at
        if at + 4 > self.end:
            raise DamagedMessage(at, f"4 bytes are needed and {self.end - at} are left")
        self.at = at + 4
        value: int = _U32(self.data, at)[0]
        return value

    def length(self) -> int:
        """The length of a variable, whose content is here wholly; -1 for null."""
        length = self.u32()
        if length <= self.end - self.at:
            return length
        if length != NULL:
            raise DamagedMessage(self.at, f"{length} bytes are needed and {self.end - self.at} are left")
        return -1

    def content(self) -> bytes | None:
        """The content of a variable; None for null."""
        length = self.length()
        if length < 0:
            return None
        self.at += length
        return self.data[self.at - length:self.at]

    def begin(self) -> int:
        """Begins a variable: gives the end of the one around it, for ``finish``; -1 for null."""
        length = self.length()
        if length < 0:
            return -1
        if self.open >= MOST_VARIABLES:
            raise DamagedMessage(self.at, f"more than {MOST_VARIABLES} variables are inside each other")
        self.open += 1
        outer = self.end
        self.end = self.at + length
        return outer

    def finish(self, outer: int) -> None:
        """Ends a variable, all of which was read."""
        if self.at != self.end:
            raise DamagedMessage(self.at, f"{self.end - self.at} bytes are left over behind the last value")
        self.open -= 1
        self.end = outer

    def count(self) -> int:
        """The number of elements that are variables."""
        count = self.u32()
        if count > self.end - self.at:
            raise DamagedMessage(self.at - 4, f"{count} elements cannot be in the {self.end - self.at} bytes left")
        return count

    def skip(self) -> None:
        """Goes behind a variable."""
        self.at += max(self.length(), 0)


_Read = Callable[[_Cursor], Any]
_ReadValue = Callable[[bytes, int], Any]


class Decoder:
    """Decodes messages of one schema."""

    def __init__(self, schema: Schema, root: int = 0) -> None:
        self.schema = schema
        self._bodies: dict[int, _Read] = {}
        self._root = root
        self._read = self._body(root)

    def decode(self, data: bytes) -> Any:
        """Decodes a message that the bytes begin with; bytes behind it are ignored.

        Raises ``DamagedMessage`` if the bytes are no such message, or null.
        """
        try:
            message = self._read(_Cursor(data))
        except RecursionError:
            message = self._decode_deep(data)
        if message is None:
            raise DamagedMessage(0, "null is no message of a queue")
        return message

    def _decode_deep(self, data: bytes) -> Any:
        """With room for the deepest message that the format allows: 512 variables inside each other, a few calls for each."""
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(before + 8 * MOST_VARIABLES)
        try:
            return self._read(_Cursor(data))
        finally:
            sys.setrecursionlimit(before)

    def _body(self, number: int) -> _Read:
        """Reads a message that is here without a length, or a null mark. Made when first needed: messages contain each other."""
        if number not in self._bodies:
            made: list[_Read] = []
            self._bodies[number] = lambda cursor: made[0](cursor)
            made.append(self._make(number, self.schema.types[number]))
            self._bodies[number] = made[0]
        return self._bodies[number]

    def _make(self, number: int, message: MessageType) -> _Read:
        if message.form == "raw":
            return _read_raw
        if message.form == "union":
            return _union({member.number: self.variable(member.kind) for member in message.members})
        if message.form == "tolerant":
            return _tolerant([(member, self._field(member.kind)) for member in message.members])
        fixed: list[tuple[str, int, _ReadValue]] = []
        variables: list[tuple[str, _Read]] = []
        for member in message.members:
            if member.kind.fixed_size:
                fixed.append((member.name, member.kind.fixed_size, _value(member.kind)))
            else:
                variables.append((member.name, self.variable(member.kind)))
        return _sequential(number, message, fixed, variables)

    def _field(self, kind: Kind) -> _Read:
        """A member of a version-tolerant message: a value of fixed size is a variable too."""
        if not kind.fixed_size:
            return self.variable(kind)
        read, size, nullable = _value(Kind(kind.name)), kind.value_size, kind.nullable

        def field(cursor: _Cursor) -> Any:
            start = cursor.at
            length = cursor.length()
            if length < 0 and nullable:
                return None
            if length != size:
                raise DamagedMessage(start, f"{length} bytes cannot be one {kind}")
            cursor.at += size
            return read(cursor.data, cursor.at - size)

        return field

    def element(self, kind: Kind) -> _Read:
        """An element of a collection, a key, or a part of a tuple."""
        size = kind.fixed_size
        if not size:
            return self.variable(kind)
        read = _value(kind)

        def fixed(cursor: _Cursor) -> Any:
            at = cursor.at
            if at + size > cursor.end:
                raise DamagedMessage(at, f"{size} bytes are needed and {cursor.end - at} are left")
            cursor.at = at + size
            return read(cursor.data, at)

        return fixed

    def variable(self, kind: Kind) -> _Read:
        """A variable of any kind, its length in front."""
        if kind.message >= 0:
            return _nested(self._body(kind.message))
        if kind.name == "list" and len(kind.parts) == 1:
            element = kind.parts[0]
            return _fixed_list(element) if element.fixed_size else _list(self.element(element))
        if kind.name == "map" and len(kind.parts) == 2:
            return _map(self.element(kind.parts[0]), self.element(kind.parts[1]))
        if kind.name == "tuple" and kind.parts:
            return _tuple(tuple(self.element(part) for part in kind.parts))
        if kind.name in ("grid2", "grid3", "grid4") and len(kind.parts) == 1:
            return _grid(int(kind.name[4]), kind.parts[0], self.element(kind.parts[0]))
        if kind.name == "brotli" and str(kind.parts[0]) in ("list<u8>", "string"):
            return _brotli(str(kind.parts[0]) == "string")
        if kind.name == "bigint":
            return _bigint(kind.nullable)
        return _NAMED.get(kind.name, _read_opaque)


def _sequential(
    number: int, message: MessageType, fixed: list[tuple[str, int, _ReadValue]], variables: list[tuple[str, _Read]]) -> _Read:
    shared = message.form == "circular"
    names = [member.name for member in message.members]
    in_order = names == [name for name, _, _ in fixed] + [name for name, _ in variables]
    slots: list[tuple[str, int, int, _ReadValue]] = []
    offset = 0
    for name, size, value in fixed:
        slots.append((name, offset, size, value))
        offset += size
    whole = offset

    def read(cursor: _Cursor) -> Any:
        head = _begin_message(cursor)
        if head is None:
            return None
        start, length, count = head
        if shared:
            if count == MOST_PART:
                cursor.depth -= 1
                return _repeated(cursor, number, start, length)
            values: Message = _add_object(cursor, number)
        else:
            values = Message()
        data = cursor.data
        if length >= whole:
            for name, at, _, value in slots:
                values[name] = value(data, start + at)
        else:
            for name, at, size, value in slots:
                if at >= length:
                    break
                if at + size > length:
                    raise DamagedMessage(start + at, f"the fixed block ends inside a member of {size} bytes")
                values[name] = value(data, start + at)
        for index, (name, variable) in enumerate(variables):
            if index >= count:
                break
            values[name] = variable(cursor)
        for _ in range(count - len(variables)):
            cursor.skip()
        if not in_order:
            found = dict(values)
            values.clear()
            for name in names:
                if name in found:
                    values[name] = found[name]
        _end_message(cursor)
        return values

    return read


def _begin_message(cursor: _Cursor) -> tuple[int, int, int] | None:
    """Where the fixed block begins, its length, and how many variables follow; None for null. The cursor goes behind the block."""
    at = cursor.at
    if at + 4 > cursor.end:
        raise DamagedMessage(at, f"4 bytes are needed and {cursor.end - at} are left")
    length, count = _HEAD(cursor.data, at)
    if length > MOST_PART or count > MOST_PART:
        if length > MOST_PART and count > MOST_PART:
            cursor.at = at + 4
            return None
        raise DamagedMessage(at, f"0x{count:04X}{length:04X} is no header of a message")
    if cursor.depth >= MOST_MESSAGES:
        raise DamagedMessage(at, f"more than {MOST_MESSAGES} messages are inside each other")
    if at + 4 + length > cursor.end:
        raise DamagedMessage(at + 4, f"{length} bytes are needed and {cursor.end - at - 4} are left")
    cursor.at = at + 4 + length
    cursor.depth += 1
    return at + 4, length, count


def _end_message(cursor: _Cursor) -> None:
    cursor.depth -= 1
    if cursor.depth == 0:
        cursor.objects.clear()


def _add_object(cursor: _Cursor, number: int) -> SharedMessage:
    made = SharedMessage()
    made.number = len(cursor.objects)
    cursor.objects.append((number, made))
    return made


def _repeated(cursor: _Cursor, number: int, start: int, length: int) -> SharedMessage:
    if length != 4:
        raise DamagedMessage(start - 4, "a repeated object has a number of 4 bytes")
    index = _U32(cursor.data, start)[0]
    if index >= len(cursor.objects) or cursor.objects[index][0] != number:
        raise DamagedMessage(start, f"{index} is not the number of such an object in front of this")
    return cursor.objects[index][1]


def _union(cases: dict[int, _Read]) -> _Read:
    def read(cursor: _Cursor) -> Any:
        head = _begin_message(cursor)
        if head is None:
            return None
        start, length, count = head
        if length != 2 or count != 1:
            raise DamagedMessage(start - 4, f"a union has a tag of 2 bytes and one variable, not {length} bytes and {count}")
        tag = _U16(cursor.data, start)[0]
        case = cases.get(tag)
        if case is None:
            raise DamagedMessage(start, f"the union has no case {tag}")
        message = case(cursor)
        _end_message(cursor)
        return None if message is None else Case(tag, message)

    return read


def _tolerant(members: list[tuple[Member, _Read]]) -> _Read:
    known = {member.number: (member.name, read) for member, read in members}

    def read(cursor: _Cursor) -> Any:
        head = _begin_message(cursor)
        if head is None:
            return None
        start, length, count = head
        if length:
            raise DamagedMessage(start - 4, f"a version-tolerant message has no fixed block; here is one of {length} bytes")
        values = Message()
        for number in range(count):
            mark = cursor.u32()
            if mark == HOLE:
                continue
            cursor.at -= 4
            member = known.get(number)
            if member is None:
                cursor.skip()
            else:
                values[member[0]] = member[1](cursor)
        _end_message(cursor)
        return values

    return read


def _read_raw(cursor: _Cursor) -> bytes:
    start, cursor.at = cursor.at, cursor.end
    return cursor.data[start:cursor.end]


def _read_opaque(cursor: _Cursor) -> bytes | None:
    """What a packer of one's own has written, or a kind that is not known here."""
    outer = cursor.begin()
    if outer < 0:
        return None
    content = _read_raw(cursor)
    cursor.finish(outer)
    return content


def _nested(body: _Read) -> _Read:
    def read(cursor: _Cursor) -> Any:
        outer = cursor.begin()
        if outer < 0:
            return None
        message = body(cursor)
        cursor.finish(outer)
        return message

    return read


_NUMBERS = {"i8": "b", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e", "f32": "f", "f64": "d"}


def _fixed_list(element: Kind) -> _Read:
    size, read, letter = element.fixed_size, _value(element), _NUMBERS.get(str(element))
    is_bytes = str(element) == "u8"

    def fixed(cursor: _Cursor) -> Any:
        start = cursor.at
        content = cursor.content()
        if content is None or is_bytes:
            return content
        if len(content) % size:
            raise DamagedMessage(start + 4, f"{len(content)} bytes are no whole number of elements of {size} bytes")
        if letter is not None:
            return list(struct.unpack(f"<{len(content) // size}{letter}", content))
        data = cursor.data
        return [read(data, at) for at in range(start + 4, cursor.at, size)]

    return fixed


def _list(element: _Read) -> _Read:
    def read(cursor: _Cursor) -> list[Any] | None:
        outer = cursor.begin()
        if outer < 0:
            return None
        items = [element(cursor) for _ in range(cursor.count())]
        cursor.finish(outer)
        return items

    return read


def _map(key: _Read, value: _Read) -> _Read:
    def read(cursor: _Cursor) -> dict[Any, Any] | Entries | None:
        outer = cursor.begin()
        if outer < 0:
            return None
        entries = Entries()
        for _ in range(cursor.count()):
            start = cursor.at
            one = key(cursor)
            if one is None:
                raise DamagedMessage(start, "null cannot be a key")
            entries.append((one, value(cursor)))
        cursor.finish(outer)
        try:
            return dict(entries)
        except TypeError:
            return entries

    return read


def _tuple(parts: tuple[_Read, ...]) -> _Read:
    def read(cursor: _Cursor) -> tuple[Any, ...] | None:
        outer = cursor.begin()
        if outer < 0:
            return None
        values = tuple([part(cursor) for part in parts])
        cursor.finish(outer)
        return values

    return read


def _grid(rank: int, kind: Kind, element: _Read) -> _Read:
    smallest = kind.fixed_size or 4
    is_bytes = str(kind) == "u8"

    def read(cursor: _Cursor) -> Grid | None:
        outer = cursor.begin()
        if outer < 0:
            return None
        start = cursor.at
        lengths = []
        product, count = 1, 1
        for _ in range(rank):
            length = cursor.u32()
            lengths.append(length)
            product *= max(1, length)
            count *= length
            if product > MOST_ELEMENTS:
                raise DamagedMessage(start, f"an array cannot have {product} elements")
        if count * smallest > cursor.end - cursor.at:
            raise DamagedMessage(start, f"{count} elements cannot be in the {cursor.end - cursor.at} bytes left")
        items: Any = [element(cursor) for _ in range(count)]
        cursor.finish(outer)
        return Grid(tuple(lengths), bytes(items) if is_bytes else items)

    return read


def _brotli(is_text: bool) -> _Read:
    most = 16 << 20 if is_text else 32 << 20

    def read(cursor: _Cursor) -> str | bytes | None:
        start = cursor.at + 4
        content = cursor.content()
        if not content:
            return content if content is None or not is_text else ""
        length = _U32(content)[0] if len(content) >= 4 else 0
        if not 0 < length <= most:
            raise DamagedMessage(start, f"the bytes are no Brotli stream of 1 to {most} bytes")
        cursor.compressed += length * (3 if is_text else 1)
        if cursor.compressed > max(48 << 20, 80 * len(cursor.data)):
            raise DamagedMessage(start, f"{len(cursor.data)} bytes do not warrant compressed members of so many bytes")
        try:
            data = brotli.decompress(content[4:], length)
            return data.decode() if is_text else data
        except ValueError as reason:
            raise DamagedMessage(start, f"the bytes are no Brotli stream of {length} bytes: {reason}") from None

    return read


def _bigint(nullable: bool) -> _Read:
    def read(cursor: _Cursor) -> int | None:
        start = cursor.at
        content = cursor.content()
        if content is None and not nullable:
            raise DamagedMessage(start, "null cannot be a BigInteger")
        return None if content is None else int.from_bytes(content, "little", signed=True)

    return read


def _read_string(cursor: _Cursor) -> str | None:
    start = cursor.at
    length = cursor.length()
    if length <= 0:
        return None if length < 0 else ""
    if length < 4:
        raise DamagedMessage(start + 4, f"a string cannot have {length} bytes")
    at = start + 8
    end = cursor.at = start + 4 + length
    prefix = _U32(cursor.data, start + 4)[0]
    size = length - 4
    chars = prefix & ~_UTF16
    try:
        if prefix == size:
            return cursor.data[at:end].decode("ascii")
        if chars != prefix:
            if size == 2 * chars and chars <= MOST_CHARS:
                return cursor.data[at:end].decode("utf-16-le", "surrogatepass")
        elif chars <= size <= 3 * chars and chars <= MOST_CHARS:
            text = cursor.data[at:end].decode()
            if len(text) + sum(letter > "\uffff" for letter in text) == chars:
                return text
    except UnicodeDecodeError:
        raise DamagedMessage(at, f"the bytes are no text of {chars} chars") from None
    raise DamagedMessage(at, f"a string of {chars} chars cannot have these {size} bytes")


def _read_bits(cursor: _Cursor) -> list[bool] | None:
    outer = cursor.begin()
    if outer < 0:
        return None
    start = cursor.at
    count = cursor.u32()
    if count > 0x7FFF_FFFF or (count + 7) // 8 != cursor.end - cursor.at:
        raise DamagedMessage(start, f"{count} bits cannot have {cursor.end - cursor.at} bytes")
    number = int.from_bytes(_read_raw(cursor), "little")
    cursor.finish(outer)
    return [letter == "1" for letter in f"{number:b}".zfill(count)[::-1][:count]]


def _read_version(cursor: _Cursor) -> Version | None:
    outer = cursor.begin()
    if outer < 0:
        return None
    start = cursor.at
    if cursor.end - start != 16:
        raise DamagedMessage(start, "the bytes are no Version")
    cursor.at = cursor.end
    major, minor, build, revision = struct.unpack_from("<4i", cursor.data, start)
    if major < 0 or minor < 0 or build < -1 or revision < -1 or (build < 0 <= revision):
        raise DamagedMessage(start, "the bytes are no Version")
    cursor.finish(outer)
    return Version(major, minor, build, revision)


def _read_zone(cursor: _Cursor) -> str | TimeZone | None:
    start = cursor.at
    length = cursor.length()
    cursor.at = start
    if length < 4 or _U32(cursor.data, start + 4)[0]:
        text = _read_string(cursor)
        if text is not None and len(text) > MOST_ZONE:
            raise DamagedMessage(start, "the text is no time zone")
        return text
    outer = cursor.begin()
    if length > MOST_ZONE or length < 7 or cursor.data[start + 10] > 1:
        raise DamagedMessage(start, "the bytes are no time zone")
    offset, disabled = struct.unpack_from("<h?", cursor.data, start + 8)
    cursor.at = start + 11
    names = [_read_string(cursor) for _ in range(4)]
    left = cursor.end - cursor.at
    if None in names or left % _RULE_SIZE:
        raise DamagedMessage(start, "the bytes are no time zone")
    rules = tuple(_rule(cursor.data, at) for at in range(cursor.at, cursor.end, _RULE_SIZE))
    cursor.at = cursor.end
    cursor.finish(outer)
    return TimeZone(offset, disabled, *names, rules)  # type: ignore[arg-type]


def _rule(data: bytes, at: int) -> ZoneRule:
    begin, end = _datetime(data, at), _datetime(data, at + 8)
    daylight, base = struct.unpack_from("<qq", data, at + 16)
    if begin.kind or end.kind or data[at + 32] > 1 or data[at + 41] > 1:
        raise DamagedMessage(at, "the bytes are no rule of a time zone")
    return ZoneRule(
        begin, end, TimeSpan(daylight), TimeSpan(base), Transition(*struct.unpack_from("<?i4B", data, at + 32)),
        Transition(*struct.unpack_from("<?i4B", data, at + 41)))


_NAMED: dict[str, _Read] = {
    "string": _read_string, "uri": _read_string, "culture": _read_string, "bits": _read_bits, "version": _read_version,
    "timezone": _read_zone,
}


# Values of fixed size.


def _value(kind: Kind) -> _ReadValue:
    """Reads a value whose bytes are all there."""
    size = kind.value_size
    if kind.name in _VALUES:
        read = _VALUES[kind.name]
    elif kind.name in _NUMBERS or kind.name == "u8":
        read = _number(_NUMBERS.get(kind.name, "B"))
    else:
        read = lambda data, at: data[at:at + size]  # noqa: E731
    if not kind.nullable:
        return read

    def nullable(data: bytes, at: int) -> Any:
        return read(data, at + 1) if _bool(data, at) else None

    return nullable


def _number(letter: str) -> _ReadValue:
    unpack = struct.Struct("<" + letter).unpack_from
    return lambda data, at: unpack(data, at)[0]


def _bool(data: bytes, at: int) -> bool:
    if data[at] > 1:
        raise DamagedMessage(at, f"0x{data[at]:X} is no bool")
    return data[at] == 1


def _char(data: bytes, at: int) -> str:
    return chr(_U16(data, at)[0])


def _rune(data: bytes, at: int) -> str:
    scalar = _U32(data, at)[0]
    if scalar > 0x10FFFF or 0xD800 <= scalar < 0xE000:
        raise DamagedMessage(at, f"0x{scalar:X} is no Unicode scalar")
    return chr(scalar)


def _decimal(data: bytes, at: int) -> Decimal:
    flags = _U32(data, at + 12)[0]
    scale = flags >> 16 & 0xFF
    if flags & 0x7F00_FFFF or scale > 28:
        raise DamagedMessage(at, f"0x{flags:X} are no flags of a decimal")
    return Decimal(f"{'-' if flags >> 31 else ''}{int.from_bytes(data[at:at + 12], 'little')}E-{scale}")


def _datetime(data: bytes, at: int) -> DateTime:
    bits = int.from_bytes(data[at:at + 8], "little")
    ticks, kind = bits & (1 << 62) - 1, bits >> 62
    if ticks > MAX_TICKS or kind > 2:
        raise DamagedMessage(at, f"0x{bits:X} is no DateTime")
    return DateTime(ticks, kind)


def _datetimeoffset(data: bytes, at: int) -> DateTimeOffset:
    utc, minutes = struct.unpack_from("<qh", data, at)
    if not -840 <= minutes <= 840 or not 0 <= utc <= MAX_TICKS or not 0 <= utc + minutes * TICKS_PER_MINUTE <= MAX_TICKS:
        raise DamagedMessage(at, f"{utc} ticks and {minutes} minutes are no DateTimeOffset")
    return DateTimeOffset(utc, minutes)


def _date(data: bytes, at: int) -> datetime.date:
    day = _U32(data, at)[0]
    if day > 3_652_058:
        raise DamagedMessage(at, f"{day} is the number of no day")
    return datetime.date.fromordinal(day + 1)


def _time(data: bytes, at: int) -> TimeOfDay:
    ticks = int.from_bytes(data[at:at + 8], "little")
    if ticks >= TICKS_PER_DAY:
        raise DamagedMessage(at, f"{ticks} ticks are more than a day")
    return TimeOfDay(ticks)


_VALUES: dict[str, _ReadValue] = {
    "bool": _bool,
    "char": _char,
    "rune": _rune,
    "i128": lambda data, at: int.from_bytes(data[at:at + 16], "little", signed=True),
    "u128": lambda data, at: int.from_bytes(data[at:at + 16], "little"),
    "decimal": _decimal,
    "guid": lambda data, at: uuid.UUID(bytes_le=data[at:at + 16]),
    "complex": lambda data, at: complex(*struct.unpack_from("<dd", data, at)),
    "datetime": _datetime,
    "datetimeoffset": _datetimeoffset,
    "timespan": lambda data, at: TimeSpan(int.from_bytes(data[at:at + 8], "little", signed=True)),
    "date": _date,
    "time": _time,
}
