"""Decoded values as JSON."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from .properties import Properties
from .reader import DeadLetter, QueueMessage
from .values import Case, Entries, Grid, SharedMessage, TimeZone, Version


def to_json(value: Any) -> Any:
    """A decoded value as what ``json.dumps`` takes. README.md says how each kind is written."""
    return _Writer().write(value)


class _Writer:
    def __init__(self) -> None:
        self._written: set[int] = set()

    def write(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if isinstance(value, Decimal):
            return format(value, "f") if value.as_tuple().exponent != "n" else str(value)
        if isinstance(value, complex):
            return [self.write(value.real), self.write(value.imag)]
        if isinstance(value, bytes):
            return base64.b64encode(value).decode()
        if isinstance(value, SharedMessage):
            return self._shared(value)
        if isinstance(value, Entries):
            return self._pairs(value)
        if isinstance(value, dict):
            if all(isinstance(key, str) for key in value):
                return {key: self.write(item) for key, item in value.items()}
            return self._pairs(value.items())
        if isinstance(value, Case):
            return {"$case": value.tag, **self._members(value.message)}
        if isinstance(value, Version):
            return str(value)
        if isinstance(value, Grid):
            return {"lengths": list(value.lengths), "items": self.write(value.items)}
        if isinstance(value, TimeZone):
            return {name: self.write(part) for name, part in value._asdict().items()}
        if isinstance(value, (list, tuple)):
            return [self.write(item) for item in value]
        return str(value)

    def _pairs(self, entries: Iterable[tuple[Any, Any]]) -> list[Any]:
        return [[self.write(key), self.write(item)] for key, item in entries]

    def _members(self, message: Any) -> dict[str, Any]:
        written = self.write(message)
        return written if isinstance(written, dict) else {"$value": written}

    def _shared(self, message: SharedMessage) -> dict[str, Any]:
        if id(message) in self._written:
            return {"$ref": message.number}
        self._written.add(id(message))
        return {"$id": message.number, **{name: self.write(item) for name, item in message.items()}}


def message_line(message: QueueMessage) -> dict[str, Any]:
    """A message of a queue as one JSON object."""
    line: dict[str, Any] = {"position": message.position, "message": to_json(message.value)}
    if (properties := message.properties) is not None:
        line["properties"] = properties_object(properties)
    return line


def letter_line(letter: DeadLetter) -> dict[str, Any]:
    """A dead letter as one JSON object."""
    line: dict[str, Any] = {
        "position": letter.position, "attempts": letter.attempts, "time": str(letter.time), "reason": letter.reason,
        "message": to_json(letter.message)}
    if letter.fault is not None:
        line |= {"fault": letter.fault, "packed": to_json(letter.packed)}
    if letter.properties is not None:
        line["properties"] = properties_object(letter.properties)
    return line


def properties_object(properties: Properties) -> dict[str, Any]:
    """Those properties that there are."""
    names = [name for name in Properties.__dataclass_fields__ if getattr(properties, name) not in (None, {})]
    return {name: to_json(getattr(properties, name)) for name in names}
