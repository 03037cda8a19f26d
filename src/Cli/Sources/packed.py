from __future__ import annotations

import struct as _struct
import uuid as _uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, NamedTuple

__all__ = ["PackError", "DateTime", "DateTimeOffset", "Grid"]


class PackError(ValueError):
    """The bytes are no such message, or a value cannot be packed."""


class DateTime(NamedTuple):
    """Ticks of 100 ns since the year 1; kind 0 unspecified, 1 UTC, 2 local time of the writer."""

    ticks: int = 0
    kind: int = 0


class DateTimeOffset(NamedTuple):
    """Ticks of 100 ns since the year 1, in UTC, and the offset of the writer's clock in minutes."""

    utc_ticks: int = 0
    offset_minutes: int = 0


class Grid(NamedTuple):
    """An array of several dimensions: its lengths, and its elements, the last index running fastest."""

    lengths: tuple[int, ...]
    items: list[Any]


_NULL, _HOLE = 0xFFFFFFFF, 0xFFFFFFFE
_REPEATED, _MOST_NESTED = 65534, 64


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.end, self.depth = data, 0, len(data), 0
        self.objects: list[Any] = []

    def take(self, size: int) -> int:
        at = self.at
        if size > self.end - at:
            raise PackError(f"offset {at}: {size} bytes are needed and {self.end - at} are left")
        self.at = at + size
        return at

    def u32(self) -> int:
        return int.from_bytes(self.data[(at := self.take(4)):at + 4], "little")

    def count(self, smallest: int) -> int:
        at, count = self.at, self.u32()
        if count * smallest > self.end - self.at:
            raise PackError(f"offset {at}: {count} elements cannot be in the {self.end - self.at} bytes left")
        return count


class _Writer:
    def __init__(self) -> None:
        self.data = bytearray()
        self.objects: dict[int, int] = {}
        self.depth = 0

    def u32(self, value: int) -> None:
        self.data += value.to_bytes(4, "little")


class _Kind:
    """A kind of value. Those of fixed size have bytes in place; all others are variables, their length in front."""

    size = 0

    def read(self, reader: _Reader) -> Any:
        raise NotImplementedError

    def write(self, writer: _Writer, value: Any) -> None:
        raise NotImplementedError

    def read_item(self, reader: _Reader) -> Any:
        if self.size:
            return self.read(reader)
        length = reader.u32()
        if length == _NULL:
            return None
        end, outer = reader.at + length, reader.end
        if end > outer:
            raise PackError(f"offset {reader.at - 4}: {length} bytes are needed and {outer - reader.at} are left")
        reader.end = end
        value = self.read(reader)
        if reader.at != end:
            raise PackError(f"offset {reader.at}: {end - reader.at} bytes are left over")
        reader.end = outer
        return value

    def write_item(self, writer: _Writer, value: Any) -> None:
        if self.size:
            self.write(writer, value)
            return
        start = len(writer.data)
        writer.u32(_NULL)
        if value is not None:
            self.write(writer, value)
            length = len(writer.data) - start - 4
            if length >= _HOLE:
                raise PackError("a member is longer than 4 GiB")
            writer.data[start:start + 4] = length.to_bytes(4, "little")


class _Number(_Kind):
    def __init__(self, letter: str) -> None:
        self._codec = _struct.Struct("<" + letter)
        self.size = self._codec.size

    def read(self, reader: _Reader) -> Any:
        return self._codec.unpack_from(reader.data, reader.take(self.size))[0]

    def write(self, writer: _Writer, value: Any) -> None:
        try:
            writer.data += self._codec.pack(value)
        except (_struct.error, OverflowError) as reason:
            raise PackError(f"{value!r} cannot be packed: {reason}") from None


class _Converted(_Kind):
    """A kind of so many bytes, by two functions."""

    def __init__(self, size: int, decode: Any, encode: Any) -> None:
        self.size, self._decode, self._encode = size, decode, encode

    def read(self, reader: _Reader) -> Any:
        at = reader.take(self.size)
        try:
            return self._decode(reader.data[at:at + self.size])
        except ValueError as reason:
            raise PackError(f"offset {at}: {reason}") from None

    def write(self, writer: _Writer, value: Any) -> None:
        try:
            data = self._encode(value)
        except (ValueError, TypeError, OverflowError, _struct.error) as reason:
            raise PackError(f"{value!r} cannot be packed: {reason}") from None
        if len(data) != self.size:
            raise PackError(f"{value!r} has {len(data)} bytes and not {self.size}")
        writer.data += data


class _Optional(_Kind):
    """A value of fixed size behind a byte that says whether there is one."""

    def __init__(self, value: _Kind) -> None:
        self.value, self.size = value, value.size + 1

    def read(self, reader: _Reader) -> Any:
        at = reader.take(1)
        if reader.data[at] > 1:
            raise PackError(f"offset {at}: {reader.data[at]} is neither 0 nor 1")
        if reader.data[at]:
            return self.value.read(reader)
        reader.take(self.value.size)
        return None

    def write(self, writer: _Writer, value: Any) -> None:
        writer.data += bytes(self.size) if value is None else b"\1"
        if value is not None:
            self.value.write(writer, value)


def _checked(value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise ValueError(f"{value} is not between 0 and {most}")
    return value


def _to_bool(data: bytes) -> bool:
    return _checked(data[0], 1) == 1


def _to_rune(data: bytes) -> str:
    value = _checked(int.from_bytes(data, "little"), 0x10FFFF)
    if 0xD800 <= value < 0xE000:
        raise ValueError("a surrogate is no rune")
    return chr(value)


def _to_decimal(data: bytes) -> Decimal:
    number, flags = int.from_bytes(data[:12], "little"), int.from_bytes(data[12:], "little")
    scale = flags >> 16 & 0xFF
    if flags & 0x7F00FFFF or scale > 28:
        raise ValueError("it is no decimal")
    return Decimal((flags >> 31, tuple(map(int, str(number))), -scale))


def _of_decimal(value: Decimal) -> bytes:
    sign, digits, exponent = Decimal(value).as_tuple()
    if not isinstance(exponent, int):
        raise ValueError("it is no number")
    number = int("".join(map(str, digits)))
    if exponent > 0:
        number, exponent = number * 10 ** min(exponent, 40), 0
    while exponent < -28 or number >= 1 << 96:
        if exponent == 0 or number % 10:
            raise ValueError("a decimal has 96 bits and at most 28 digits behind the point")
        number, exponent = number // 10, exponent + 1
    return number.to_bytes(12, "little") + (sign << 31 | -exponent << 16).to_bytes(4, "little")


_MOST_TICKS, _TICKS_OF_DAY = 3_155_378_975_999_999_999, 864_000_000_000


def _to_date_time(data: bytes) -> DateTime:
    word = int.from_bytes(data, "little")
    return DateTime(_checked(word & (1 << 62) - 1, _MOST_TICKS), _checked(word >> 62, 2))


def _of_date_time(value: DateTime) -> bytes:
    return (_checked(value.ticks, _MOST_TICKS) | _checked(value.kind, 2) << 62).to_bytes(8, "little")


def _offset(value: DateTimeOffset) -> DateTimeOffset:
    _checked(value.utc_ticks, _MOST_TICKS)
    _checked(value.utc_ticks + value.offset_minutes * 600_000_000, _MOST_TICKS)
    if abs(value.offset_minutes) > 840:
        raise ValueError(f"an offset of {value.offset_minutes} minutes is more than 14 hours")
    return value


def _integer(size: int, signed: bool, most: int | None = None) -> _Kind:
    return _Converted(
        size,
        lambda data: _within(int.from_bytes(data, "little", signed=signed), most),
        lambda value: _within(value, most).to_bytes(size, "little", signed=signed))


def _within(value: int, most: int | None) -> int:
    return value if most is None else _checked(value, most)


class _String(_Kind):
    def read(self, reader: _Reader) -> str:
        if reader.at == reader.end:
            return ""
        start = reader.at
        head = reader.u32()
        units, data = head & 0x7FFFFFFF, reader.data[reader.at:reader.end]
        reader.at = reader.end
        try:
            if head >> 31:
                text, found = data.decode("utf-16-le", "surrogatepass"), len(data) / 2
            else:
                text = data.decode()
                found = len(text) + sum(1 for one in text if one > "\uffff")
        except UnicodeDecodeError as reason:
            raise PackError(f"offset {start}: {reason}") from None
        if found != units:
            raise PackError(f"offset {start}: a text of {found} units says that it has {units}")
        return text

    def write(self, writer: _Writer, value: str) -> None:
        if not value:
            return
        wide = value.encode("utf-16-le", "surrogatepass")
        try:
            narrow = value.encode()
        except UnicodeEncodeError:
            writer.u32(len(wide) // 2 | 1 << 31)
            writer.data += wide
            return
        writer.u32(len(wide) // 2)
        writer.data += narrow


class _Bytes(_Kind):
    """A list of bytes; or what only the writer can tell: these bytes can be put into another message."""

    def read(self, reader: _Reader) -> bytes:
        start, reader.at = reader.at, reader.end
        return bytes(reader.data[start:reader.end])

    def write(self, writer: _Writer, value: bytes) -> None:
        writer.data += value


class _Integer(_Kind):
    """A BigInteger."""

    def __init__(self, is_optional: bool = False) -> None:
        self.is_optional = is_optional

    def read_item(self, reader: _Reader) -> int | None:
        at, value = reader.at, super().read_item(reader)
        if value is None and not self.is_optional:
            raise PackError(f"offset {at}: null is no whole number")
        return value

    def read(self, reader: _Reader) -> int:
        start, reader.at = reader.at, reader.end
        return int.from_bytes(reader.data[start:reader.end], "little", signed=True)

    def write_item(self, writer: _Writer, value: int | None) -> None:
        if value is None and not self.is_optional:
            raise PackError("None is no whole number")
        super().write_item(writer, value)

    def write(self, writer: _Writer, value: int) -> None:
        writer.data += value.to_bytes(((value if value >= 0 else ~value).bit_length() + 8) // 8, "little", signed=True)


class _Bits(_Kind):
    def read(self, reader: _Reader) -> list[bool]:
        start, count = reader.at, reader.u32()
        size = (count + 7) // 8
        if size != reader.end - reader.at or count > 0x7FFFFFFF:
            raise PackError(f"offset {start}: {count} bits are not in {reader.end - reader.at} bytes")
        at = reader.take(size)
        word = int.from_bytes(reader.data[at:at + size], "little")
        return [bool(word >> bit & 1) for bit in range(count)]

    def write(self, writer: _Writer, value: list[bool]) -> None:
        writer.u32(len(value))
        word = sum(1 << bit for bit, is_set in enumerate(value) if is_set)
        writer.data += word.to_bytes((len(value) + 7) // 8, "little")


class _Version(_Kind):
    def read(self, reader: _Reader) -> tuple[int, int, int, int]:
        at = reader.take(16)
        parts: tuple[int, int, int, int] = _struct.unpack_from("<4i", reader.data, at)
        major, minor, build, revision = parts
        if major < 0 or minor < 0 or build < -1 or revision < -1 or (build < 0 <= revision):
            raise PackError(f"offset {at}: it is no version")
        return parts

    def write(self, writer: _Writer, value: tuple[int, int, int, int]) -> None:
        writer.data += _struct.pack("<4i", *value)


class _List(_Kind):
    def __init__(self, element: _Kind) -> None:
        self.element = element

    def read(self, reader: _Reader) -> list[Any]:
        size = self.element.size
        if not size:
            return [self.element.read_item(reader) for _ in range(reader.count(4))]
        if (reader.end - reader.at) % size:
            raise PackError(f"offset {reader.at}: {reader.end - reader.at} bytes are no elements of {size} bytes")
        return [self.element.read(reader) for _ in range((reader.end - reader.at) // size)]

    def write(self, writer: _Writer, value: list[Any]) -> None:
        if not self.element.size:
            writer.u32(len(value))
        for one in value:
            self.element.write_item(writer, one)


class _Map(_Kind):
    def __init__(self, key: _Kind, value: _Kind, has_equal_keys: bool) -> None:
        self.key, self.value, self.has_equal_keys = key, value, has_equal_keys

    def read(self, reader: _Reader) -> Any:
        pairs = []
        for _ in range(reader.count((self.key.size or 4) + (self.value.size or 4))):
            at, key = reader.at, self.key.read_item(reader)
            if key is None:
                raise PackError(f"offset {at}: null cannot be a key")
            pairs.append((key, self.value.read_item(reader)))
        return dict(pairs) if self.has_equal_keys else pairs

    def write(self, writer: _Writer, value: Any) -> None:
        pairs = value.items() if isinstance(value, dict) else value
        writer.u32(len(pairs))
        for key, one in pairs:
            if key is None:
                raise PackError("None cannot be a key")
            self.key.write_item(writer, key)
            self.value.write_item(writer, one)


class _Tuple(_Kind):
    def __init__(self, *parts: _Kind) -> None:
        self.parts = parts

    def read(self, reader: _Reader) -> tuple[Any, ...]:
        return tuple([part.read_item(reader) for part in self.parts])

    def write(self, writer: _Writer, value: tuple[Any, ...]) -> None:
        if len(value) != len(self.parts):
            raise PackError(f"a tuple has {len(self.parts)} parts and not {len(value)}")
        for part, one in zip(self.parts, value):
            part.write_item(writer, one)


class _Grid(_Kind):
    def __init__(self, rank: int, element: _Kind) -> None:
        self.rank, self.element = rank, element

    def read(self, reader: _Reader) -> Grid:
        start = reader.at
        lengths = tuple([reader.u32() for _ in range(self.rank)])
        count = product = 1
        for length in lengths:
            count, product = count * length, product * max(1, length)
        if count * (self.element.size or 4) > reader.end - reader.at or product > 2_147_483_591:
            raise PackError(f"offset {start}: {count} elements cannot be in the {reader.end - reader.at} bytes left")
        return Grid(lengths, [self.element.read_item(reader) for _ in range(count)])

    def write(self, writer: _Writer, value: Grid) -> None:
        count = 1
        for length in value.lengths:
            writer.u32(length)
            count *= length
        if len(value.lengths) != self.rank or len(value.items) != count:
            raise PackError(f"{len(value.items)} elements are not an array of {value.lengths}")
        for one in value.items:
            self.element.write_item(writer, one)


class _Nested(_Kind):
    """A message; named, because its class may come later."""

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, reader: _Reader) -> Any:
        return globals()[self.name]._read(reader)

    def write(self, writer: _Writer, value: Any) -> None:
        globals()[self.name]._write(writer, value)


def _begin(reader: _Reader) -> tuple[int, int] | None:
    """How long the fixed block is and how many variables follow; None for null. The reader is at the block."""
    at = reader.take(4)
    fixed, count = _struct.unpack_from("<HH", reader.data, at)
    if fixed == count == 0xFFFF:
        return None
    if fixed > 65534 or count > 65534 or fixed > reader.end - reader.at:
        raise PackError(f"offset {at}: it is no header of a message")
    reader.depth += 1
    if reader.depth > _MOST_NESTED:
        raise PackError(f"offset {at}: more than {_MOST_NESTED} messages are inside each other")
    return fixed, count


def _skip(reader: _Reader) -> None:
    length = reader.u32()
    if length < _HOLE:
        reader.take(length)


class _Packed:
    """What all messages have."""

    _fixed: ClassVar[tuple[tuple[str, _Kind], ...]] = ()
    _variable: ClassVar[tuple[tuple[str, _Kind], ...]] = ()
    _is_shared: ClassVar[bool] = False

    @classmethod
    def unpack(cls, data: bytes) -> Any:
        """Reads a packed message; None where null was packed.

        Members that its writer did not know have their defaults, and those that only its writer knew are skipped.
        Raises PackError, which names the offset, if the bytes are no such message.
        """
        reader = _Reader(bytes(data))
        value = cls._read(reader)
        if reader.at != len(data):
            raise PackError(f"offset {reader.at}: {len(data) - reader.at} bytes are left over")
        return value

    def pack(self) -> bytes:
        """The bytes of the message. Raises PackError if a value does not fit its kind."""
        writer = _Writer()
        type(self)._write(writer, self)
        return bytes(writer.data)

    @classmethod
    def _read(cls, reader: _Reader) -> Any:
        start, head = reader.at, _begin(reader)
        if head is None:
            return None
        fixed, count = head
        block = reader.at
        if cls._is_shared and count == _REPEATED:
            number = reader.u32() if fixed == 4 else len(reader.objects)
            reader.depth -= 1
            if number >= len(reader.objects) or type(reader.objects[number]) is not cls:
                raise PackError(f"offset {start}: it repeats no such object in front of it")
            return reader.objects[number]
        value = cls()
        if cls._is_shared:
            reader.objects.append(value)
        outer, reader.end = reader.end, block + fixed
        for name, kind in cls._fixed:
            if reader.at == reader.end:
                break
            setattr(value, name, kind.read_item(reader))
        reader.at, reader.end = block + fixed, outer
        for name, kind in cls._variable[:count]:
            setattr(value, name, kind.read_item(reader))
        for _ in range(count - len(cls._variable)):
            _skip(reader)
        reader.depth -= 1
        return value

    @classmethod
    def _write(cls, writer: _Writer, value: Any) -> None:
        if value is None:
            writer.u32(_NULL)
        else:
            cls._write_value(writer, value)

    @classmethod
    def _write_value(cls, writer: _Writer, value: Any) -> None:
        if not isinstance(value, cls):
            raise PackError(f"{value!r} is no {cls.__name__}")
        cls._write_members(writer, value)

    @classmethod
    def _write_members(cls, writer: _Writer, value: Any) -> None:
        if cls._is_shared:
            if id(value) in writer.objects:
                writer.data += _struct.pack("<HHI", 4, _REPEATED, writer.objects[id(value)])
                return
            writer.objects[id(value)] = len(writer.objects)
        _nest(writer)
        writer.data += _struct.pack("<HH", sum(kind.size for _, kind in cls._fixed), len(cls._variable))
        for name, kind in cls._fixed + cls._variable:
            kind.write_item(writer, getattr(value, name))
        writer.depth -= 1


def _nest(writer: _Writer) -> None:
    writer.depth += 1
    if writer.depth > _MOST_NESTED:
        raise PackError(f"more than {_MOST_NESTED} messages are inside each other")


class _Tolerant(_Packed):
    """A message whose members have numbers."""

    _numbered: ClassVar[dict[int, tuple[str, _Kind]]] = {}

    @classmethod
    def _read(cls, reader: _Reader) -> Any:
        head = _begin(reader)
        if head is None:
            return None
        if head[0]:
            raise PackError(f"offset {reader.at - 4}: a version-tolerant message has no fixed block")
        value = cls()
        for number in range(head[1]):
            name, kind = cls._numbered.get(number, ("", None))
            if kind is None or reader.data[reader.at:reader.at + 4] == b"\xfe\xff\xff\xff":
                _skip(reader)
            else:
                setattr(value, name, _read_field(reader, kind))
        reader.depth -= 1
        return value

    @classmethod
    def _write_members(cls, writer: _Writer, value: Any) -> None:
        _nest(writer)
        count = max(cls._numbered, default=-1) + 1
        writer.data += _struct.pack("<HH", 0, count)
        for number in range(count):
            if number in cls._numbered:
                name, kind = cls._numbered[number]
                _write_field(writer, kind, getattr(value, name))
            else:
                writer.u32(_HOLE)
        writer.depth -= 1


def _read_field(reader: _Reader, kind: _Kind) -> Any:
    """A value of fixed size is a variable here, and null is its mark."""
    if not kind.size:
        return kind.read_item(reader)
    inner = kind.value if isinstance(kind, _Optional) else kind
    at, length = reader.at, reader.u32()
    if length == _NULL and inner is not kind:
        return None
    if length != inner.size:
        raise PackError(f"offset {at}: {length} bytes are no value of {inner.size} bytes")
    return inner.read(reader)


def _write_field(writer: _Writer, kind: _Kind, value: Any) -> None:
    inner = kind.value if isinstance(kind, _Optional) else kind
    if not kind.size:
        kind.write_item(writer, value)
    elif value is None and inner is not kind:
        writer.u32(_NULL)
    else:
        writer.u32(inner.size)
        inner.write(writer, value)


class _Union(_Packed):
    """Not made: a value is one of the cases."""

    _cases: ClassVar[dict[int, str]] = {}

    @classmethod
    def _read(cls, reader: _Reader) -> Any:
        start, head = reader.at, _begin(reader)
        if head is None:
            return None
        if head != (2, 1):
            raise PackError(f"offset {start}: a union has a tag and one variable")
        tag = _struct.unpack_from("<H", reader.data, reader.take(2))[0]
        if tag not in cls._cases:
            raise PackError(f"offset {start}: the union has no case {tag}")
        value = _Nested(cls._cases[tag]).read_item(reader)
        reader.depth -= 1
        return value

    @classmethod
    def _write_value(cls, writer: _Writer, value: Any) -> None:
        for tag, name in cls._cases.items():
            if type(value).__name__ == name:
                _nest(writer)
                writer.data += _struct.pack("<HHH", 2, 1, tag)
                _Nested(name).write_item(writer, value)
                writer.depth -= 1
                return
        raise PackError(f"{value!r} is no case of {cls.__name__}")

    @classmethod
    def pack_case(cls, value: Any) -> bytes:
        """The bytes of a case, as a message of the union's type."""
        writer = _Writer()
        cls._write(writer, value)
        return bytes(writer.data)


_BOOL = _Converted(1, _to_bool, lambda value: bytes([1 if value else 0]))
_I8, _U8, _I16, _U16 = _Number("b"), _Number("B"), _Number("h"), _Number("H")
_I32, _U32, _I64, _U64 = _Number("i"), _Number("I"), _Number("q"), _Number("Q")
_F16, _F32, _F64 = _Number("e"), _Number("f"), _Number("d")
_I128, _U128 = _integer(16, True), _integer(16, False)
_CHAR = _Converted(2, lambda data: chr(int.from_bytes(data, "little")), lambda value: ord(value).to_bytes(2, "little"))
_RUNE = _Converted(4, _to_rune, lambda value: ord(_to_rune(ord(value).to_bytes(4, "little"))).to_bytes(4, "little"))
_DECIMAL = _Converted(16, _to_decimal, _of_decimal)
_GUID = _Converted(16, lambda data: _uuid.UUID(bytes_le=data), lambda value: value.bytes_le)
_COMPLEX = _Converted(16, lambda data: complex(*_struct.unpack("<dd", data)), lambda value: _struct.pack("<dd", value.real, value.imag))
_DATETIME = _Converted(8, _to_date_time, _of_date_time)
_DATETIMEOFFSET = _Converted(
    10, lambda data: _offset(DateTimeOffset(*_struct.unpack("<qh", data))), lambda value: _struct.pack("<qh", *_offset(value)))
_TIMESPAN, _DATE, _TIME = _I64, _integer(4, False, 3_652_058), _integer(8, False, _TICKS_OF_DAY - 1)
_STRING, _BYTES, _BITS, _VERSION = _String(), _Bytes(), _Bits(), _Version()
_INTEGER, _OPTIONAL_INTEGER = _Integer(), _Integer(is_optional=True)


def _blit(size: int) -> _Kind:
    return _Converted(size, bytes, bytes)
