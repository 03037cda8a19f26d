"""The schema that a queue stores: the text ``#0form{name:kind,name:kind}#1{...}``, parsed."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

FIXED_SIZES = {
    "bool": 1, "i8": 1, "u8": 1, "char": 2, "i16": 2, "u16": 2, "f16": 2, "i32": 4, "u32": 4, "f32": 4, "date": 4, "rune": 4,
    "i64": 8, "u64": 8, "f64": 8, "datetime": 8, "timespan": 8, "time": 8, "datetimeoffset": 10,
    "i128": 16, "u128": 16, "decimal": 16, "guid": 16, "complex": 16,
}


class SchemaError(ValueError):
    """A text is no schema."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a member or an element is: ``i32``, ``string?``, ``#2``, ``map<string,list<i32>>``."""

    name: str
    parts: tuple[Kind, ...] = ()
    nullable: bool = False

    @property
    def message(self) -> int:
        """The number of the message that it is; -1 if it is none."""
        return int(self.name[1:]) if self.name.startswith("#") else -1

    @property
    def value_size(self) -> int:
        """The bytes of a value of fixed size, without the byte that says whether there is one; 0 for any other kind."""
        if self.parts:
            return 0
        if (blit := re.fullmatch(r"blit([0-9]{1,9})", self.name)) is not None:
            return int(blit[1])
        return FIXED_SIZES.get(self.name, 0)

    @property
    def fixed_size(self) -> int:
        """The bytes in the fixed block, or of an element; 0 if it is a variable."""
        size = self.value_size
        return size + 1 if size and self.nullable else size

    def __str__(self) -> str:
        parts = f"<{','.join(str(part) for part in self.parts)}>" if self.parts else ""
        return f"{self.name}{parts}{'?' if self.nullable else ''}"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a message. In a version-tolerant message it has a number, in a union its number is the case's tag."""

    name: str
    kind: Kind
    number: int = -1


@dataclass(frozen=True, slots=True)
class MessageType:
    """A message: how it is packed ('' for one member after another), and its members."""

    form: str
    members: tuple[Member, ...]


class Schema:
    """A parsed schema. ``types[0]`` is the message of the queue."""

    __slots__ = ("text", "types")

    def __init__(self, text: str) -> None:
        self.text = text
        self.types = _parse(text)

    @property
    def fingerprint(self) -> int:
        """The first 8 bytes of the SHA-256 of the text, as a number."""
        return int.from_bytes(hashlib.sha256(self.text.encode()).digest()[:8], "little")

    def __repr__(self) -> str:
        return f"Schema({self.text!r})"


def _parse(text: str) -> tuple[MessageType, ...]:
    types: list[MessageType] = []
    if not text.endswith("}"):
        raise SchemaError("the text does not end with a message")
    for part in text.split("}")[:-1]:
        prefix = f"#{len(types)}"
        head, brace, members = part.partition("{")
        if not brace or not head.startswith(prefix):
            raise SchemaError(f"message {len(types)} does not begin with its number")
        form = head[len(prefix):]
        types.append(MessageType(form, tuple(_member(one, form) for one in _split(members))))
    for kind in (member.kind for one in types for member in one.members):
        if any(number >= len(types) for number in _messages(kind)):
            raise SchemaError(f"the kind {kind} names a message that there is not")
    return tuple(types)


def _messages(kind: Kind) -> list[int]:
    return [number for part in kind.parts for number in _messages(part)] + ([kind.message] if kind.message >= 0 else [])


def _split(text: str) -> list[str]:
    """Parts between the commas that are in no brackets."""
    parts, start, depth = [], 0, 0
    for at, letter in enumerate(text):
        if letter == "<":
            depth += 1
        elif letter == ">":
            depth -= 1
        elif letter == "," and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return parts + [text[start:]] if text else []


def _member(text: str, form: str) -> Member:
    name, colon, kind = text.partition(":")
    if not colon:
        raise SchemaError(f"'{text}' is no member")
    number = -1
    if form == "tolerant":
        name, _, digits = name.partition("@")
        number = _number(digits)
    elif form == "union":
        number = _number(name)
    return Member(name, _kind(kind), number)


def _number(digits: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", digits):
        raise SchemaError(f"'{digits}' is no number of a member")
    return int(digits)


def _kind(text: str) -> Kind:
    nullable = text.endswith("?")
    if nullable:
        text = text[:-1]
    name, bracket, inner = text.partition("<")
    if not bracket:
        if name.startswith("#") and not re.fullmatch("#[0-9]{1,6}", name):
            raise SchemaError(f"'{name}' names no message")
        return Kind(name, (), nullable)
    if not inner.endswith(">"):
        raise SchemaError(f"'{text}' is no kind")
    return Kind(name, tuple(_kind(part) for part in _split(inner[:-1])), nullable)
