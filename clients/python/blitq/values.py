"""Values that Python has no type for, or none that is as exact as the one of .NET.

A tick is 100 nanoseconds; ``datetime`` has microseconds. So dates and times are ticks here, and convert on request.
"""

from __future__ import annotations

import datetime as _datetime
from dataclasses import dataclass
from typing import Any, NamedTuple

TICKS_PER_SECOND = 10_000_000
TICKS_PER_MINUTE = 60 * TICKS_PER_SECOND
TICKS_PER_DAY = 86_400 * TICKS_PER_SECOND
MAX_TICKS = 3_155_378_975_999_999_999
"""The last tick of the year 9999, counted from the first of the year 1."""

_FIRST = _datetime.datetime(1, 1, 1)


def _iso(ticks: int) -> str:
    at = _FIRST + _datetime.timedelta(seconds=ticks // TICKS_PER_SECOND)
    return f"{at.year:04}-{at:%m-%dT%H:%M:%S}.{ticks % TICKS_PER_SECOND:07}"


def _clock(ticks: int) -> str:
    seconds, rest = divmod(ticks, TICKS_PER_SECOND)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:07}"


@dataclass(frozen=True, slots=True)
class DateTime:
    """A ``System.DateTime``: ticks since the year 1, and a kind: 0 unspecified, 1 UTC, 2 local time of whoever wrote it."""

    ticks: int
    kind: int = 1

    def to_datetime(self) -> _datetime.datetime:
        """Down to microseconds; with the time zone UTC if the kind says so, otherwise without one."""
        zone = _datetime.timezone.utc if self.kind == 1 else None
        return (_FIRST + _datetime.timedelta(microseconds=self.ticks // 10)).replace(tzinfo=zone)

    def __str__(self) -> str:
        return _iso(self.ticks) + ("", "Z", " local")[self.kind]


@dataclass(frozen=True, slots=True)
class DateTimeOffset:
    """A ``System.DateTimeOffset``: ticks in UTC since the year 1, and how many minutes its clock is ahead of UTC."""

    utc_ticks: int
    offset_minutes: int

    def to_datetime(self) -> _datetime.datetime:
        """Down to microseconds, in a time zone of that offset."""
        zone = _datetime.timezone(_datetime.timedelta(minutes=self.offset_minutes))
        local = self.utc_ticks + self.offset_minutes * TICKS_PER_MINUTE
        return (_FIRST + _datetime.timedelta(microseconds=local // 10)).replace(tzinfo=zone)

    def __str__(self) -> str:
        minutes = abs(self.offset_minutes)
        sign = "-" if self.offset_minutes < 0 else "+"
        local = self.utc_ticks + self.offset_minutes * TICKS_PER_MINUTE
        return f"{_iso(local)}{sign}{minutes // 60:02}:{minutes % 60:02}"


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A ``System.TimeSpan``: ticks, negative ones too."""

    ticks: int

    def to_timedelta(self) -> _datetime.timedelta:
        """Down to microseconds."""
        return _datetime.timedelta(microseconds=self.ticks // 10)

    def __str__(self) -> str:
        days, ticks = divmod(abs(self.ticks), TICKS_PER_DAY)
        return f"{'-' if self.ticks < 0 else ''}{days}.{_clock(ticks)}"


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """A ``System.TimeOnly``: ticks since midnight."""

    ticks: int

    def to_time(self) -> _datetime.time:
        """Down to microseconds."""
        return (_FIRST + _datetime.timedelta(microseconds=self.ticks // 10)).time()

    def __str__(self) -> str:
        return _clock(self.ticks)


class Version(NamedTuple):
    """A ``System.Version``; -1 is a part that it does not have."""

    major: int
    minor: int
    build: int
    revision: int

    def __str__(self) -> str:
        return ".".join(str(part) for part in self if part >= 0)


class Transition(NamedTuple):
    """When a time zone changes its clock: on a date, or on a day of a week (0 = Sunday) of a month."""

    on_date: bool
    milliseconds: int
    month: int
    week: int
    day: int
    day_of_week: int


class ZoneRule(NamedTuple):
    """A rule of a time zone, between two dates."""

    begin: DateTime
    end: DateTime
    daylight: TimeSpan
    base: TimeSpan
    to_daylight: Transition
    from_daylight: Transition


class TimeZone(NamedTuple):
    """A time zone that is no zone of a system, with all its rules. One of a system is its id, a ``str``."""

    offset_minutes: int
    without_daylight: bool
    id: str
    display_name: str
    standard_name: str
    daylight_name: str
    rules: tuple[ZoneRule, ...]


class Grid(NamedTuple):
    """An array of several dimensions: its lengths, and its elements, the last index running fastest."""

    lengths: tuple[int, ...]
    items: Any


class Case(NamedTuple):
    """A message of a union: the tag of its case, and the case's message."""

    tag: int
    message: Any


class Message(dict[str, Any]):
    """A message: its members by name, in the order of the schema. A member that its writer did not know is not there."""

    __slots__ = ()


class SharedMessage(Message):
    """A message that may occur several times: it is the same object each time. ``number`` counts from 0 in its root."""

    __slots__ = ("number",)
    number: int


class Entries(list[tuple[Any, Any]]):
    """A dictionary whose keys cannot be keys of a ``dict``, such as messages: its keys and values in order."""

    __slots__ = ()
