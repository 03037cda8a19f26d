"""An open queue: its messages, subscriptions and dead letters."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from . import format as f
from . import properties as _properties
from .decode import Decoder
from .errors import DamagedMessage, DamagedQueue, NotAQueue, PositionGone
from .files import Control, File, read_at, subscriptions
from .log import Log, Record
from .properties import Properties
from .schema import Schema
from .status import QueueStatus, SubscriptionState, read_status
from .values import DateTime


class QueueMessage:
    """A message of a queue.

    ``position`` is where it is in the log, ``next_position`` what is behind it, ``value`` the decoded message, ``packed`` its bytes.
    """

    __slots__ = ("position", "next_position", "value", "packed", "_block", "_path")

    def __init__(self, record: Record, value: Any, path: str) -> None:
        self.position = record.position
        self.next_position = record.after
        self.value = value
        self.packed = record.message
        self._block = record.block
        self._path = path

    @property
    def properties(self) -> Properties | None:
        """What was enqueued beside the message; None if nothing was. Raises ``DamagedQueue`` if that is no text."""
        if not self._block:
            return None
        found = _properties.parse(self._block)
        if found is None:
            raise DamagedQueue(self._path, 0, "what is in front of the message are no properties of one", self.position)
        return found

    def __repr__(self) -> str:
        return f"QueueMessage(position={self.position}, value={self.value!r})"


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that a subscription has set aside, and why.

    ``message`` is None if the packed bytes are no message; then ``fault`` says why.
    """

    position: int
    attempts: int
    time: DateTime
    reason: str
    message: Any
    packed: bytes
    properties: Properties | None
    fault: str | None


class Queue:
    """A queue that is open for reading: ``blitq.open`` gives it. Nobody notices it, and nothing waits for it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.path.abspath(os.fspath(path))
        self.meta = _read_meta(self.path)
        self._control = _permitted(
            self.path, lambda: Control.open(os.path.join(self.path, f.CONTROL), self.meta))
        self._log = Log(self.path, self.meta, self._control)
        self._decoder = Decoder(self.meta.schema)

    @property
    def schema(self) -> Schema:
        """The message type, as the queue stores it."""
        return self.meta.schema

    @property
    def oldest(self) -> int:
        """The position of the oldest message on disk."""
        states = [SubscriptionState.read(self.path, self.meta, name) for name in subscriptions(self.path)]
        needed = [state.next for state in states if state is not None]
        return self._log.oldest(min(needed) if needed else None)

    @property
    def newest(self) -> int:
        """The position of the log's end: where the next message will be."""
        return self._log.end()

    def messages(self, start: int | str | None = None, subscription: str | None = None) -> Iterator[QueueMessage]:
        """The messages up to the log's end.

        ``start`` is a position, "oldest" or "newest"; the default is the oldest message on disk. With a subscription, the default is
        what the subscription has not committed: messages that are leased or were given back come first; and messages that
        are for another subscription alone are left out.

        Raises ``DamagedQueue`` if what comes next cannot be read, ``PositionGone`` if it was deleted.
        """
        for record in self._records(start, subscription):
            yield self._message(record)

    def follow(
        self, start: int | str | None = "newest", subscription: str | None = None, longest_pause: float = 0.1,
        timeout: float | None = None) -> Iterator[QueueMessage]:
        """As ``messages``, and goes on as messages arrive.

        It looks anew after pauses from 1 ms up to ``longest_pause`` seconds. Ends when no message has come for ``timeout`` seconds;
        None is never.
        """
        position: int | None = None
        pause, since = 0.001, time.monotonic()
        if start == "newest":
            start = self.newest
        records = self._records(start, subscription)
        while True:
            for record in records:
                position = record.after
                yield self._message(record)
                pause, since = 0.001, time.monotonic()
            if timeout is not None and time.monotonic() - since >= timeout:
                return
            if position is None:
                position = self._start(start, subscription)
            time.sleep(pause)
            pause = min(2 * pause, longest_pause)
            records = self._selected(self._log.walk(position), subscription)

    def next_whole(self, position: int) -> int | None:
        """Where the log goes on behind a position at which reading has met damage: for ``messages(start=...)``.

        None if no whole message is found behind it.
        """
        return self._log.whole_behind(position)

    def subscriptions(self) -> list[str]:
        """The names of the subscriptions, in order."""
        return [name for name in subscriptions(self.path) if SubscriptionState.read(self.path, self.meta, name) is not None]

    def status(self) -> QueueStatus:
        """How the queue stands. Each figure is true of some moment of the call."""
        return read_status(self.path, self.meta, self._log, self._dead_letter_count)

    def dead_letters(self, subscription: str) -> Iterator[DeadLetter]:
        """The dead letters of a subscription that nobody has taken, the oldest first."""
        path = os.path.join(self.path, f.DEAD_LETTERS + subscription)
        if not os.path.exists(os.path.join(path, f.META)):
            return
        with Queue(path) as letters:
            yield from letters._letters(self._log)

    def close(self) -> None:
        """Closes the queue's files. They are closed with the last reference too."""
        self._log.close()

    def __enter__(self) -> Queue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[QueueMessage]:
        return self.messages()

    def __repr__(self) -> str:
        return f"Queue({self.path!r})"

    def _message(self, record: Record) -> QueueMessage:
        path = self._log.path_of(record.position)
        try:
            return QueueMessage(record, self._decoder.decode(record.message), path)
        except DamagedMessage as fault:
            raise DamagedQueue(
                path, record.position % self.meta.segment_size, f"the message cannot be unpacked: {fault}", record.position) from None

    def _records(self, start: int | str | None, subscription: str | None) -> Iterator[Record]:
        if start is None and subscription is not None:
            state = self._state(subscription)
            for position in state.held:
                if position < state.next and (record := self._log.find(position)) is not None and record.position == position:
                    yield record
        yield from self._selected(self._log.walk(self._start(start, subscription)), subscription)

    def _selected(self, records: Iterator[Record], subscription: str | None) -> Iterator[Record]:
        for record in records:
            if subscription is not None and record.block:
                found = _properties.parse(record.block)
                if found is not None and found.only_for not in (None, subscription):
                    continue
            yield record

    def _start(self, start: int | str | None, subscription: str | None) -> int:
        if start is None and subscription is not None:
            return self._state(subscription).next
        if start is None or start == "oldest":
            return self.oldest
        if start == "newest":
            return self.newest
        if not isinstance(start, int):
            raise ValueError(f"'{start}' is no position: give a number, 'oldest' or 'newest'")
        first = self._log.first_position()
        if start < first:
            raise PositionGone(self.path, start, f"what was there is no longer on disk; the log begins at {first}")
        if start % 8 or start % self.meta.segment_size < self.meta.header_size or not self._log.is_start(start):
            raise PositionGone(self.path, start, "no message begins there")
        return start

    def _state(self, subscription: str) -> SubscriptionState:
        state = SubscriptionState.read(self.path, self.meta, subscription)
        if state is None:
            raise KeyError(subscription)
        return state

    def _letters(self, origin: Log) -> Iterator[DeadLetter]:
        envelope = self.schema.types[0]
        if [member.name for member in envelope.members] != ["Position", "Attempts", "Time", "Reason", "Message"]:
            raise DamagedQueue(os.path.join(self.path, f.META), 0, "the schema is not that of dead letters")
        # The message is decoded apart, so that a letter whose message cannot be decoded is still shown.
        opaque = Schema(self.schema.text.replace(",Message:#1}", ",Message:packed}", 1))
        outer, inner = Decoder(opaque), Decoder(self.schema, root=envelope.members[4].kind.message)
        targets, letters = self._state("default").targets, UUID(bytes_le=self.meta.id)
        for record in self._records(None, "default"):
            if record.position in targets and _is_message(origin, targets[record.position], (letters, record.position)):
                continue
            message, fault = None, None
            try:
                letter = outer.decode(record.message)
            except DamagedMessage as reason:
                raise DamagedQueue(
                    self._log.path_of(record.position), record.position % self.meta.segment_size,
                    f"the letter cannot be unpacked: {reason}", record.position) from None
            packed = letter.get("Message") or b""
            try:
                message = inner.decode(packed)
            except DamagedMessage as reason:
                fault = str(reason)
            yield DeadLetter(
                letter["Position"], letter["Attempts"], letter["Time"], letter.get("Reason") or "", message, packed,
                QueueMessage(record, None, self._log.path_of(record.position)).properties, fault)

    def _dead_letter_count(self, subscription: str) -> int:
        path = os.path.join(self.path, f.DEAD_LETTERS + subscription)
        if not os.path.exists(os.path.join(path, f.META)):
            return 0
        with Queue(path) as letters:
            return sum(one.lag for one in letters.status().subscriptions if one.name == "default")


def _is_message(origin: Log, target: int, letter: tuple[UUID, int]) -> bool:
    """Whether a letter is a message again: the first one at or behind the target says so."""
    try:
        record = origin.find(target)
    except (DamagedQueue, PositionGone):
        return False
    found = _properties.parse(record.block) if record is not None and record.block else None
    return found is not None and found.letter == letter


def _permitted(path: str, action: Any) -> Any:
    try:
        return action()
    except PermissionError as reason:
        raise NotAQueue(path, f"this user has no right to read it ({reason})") from None


def _read_meta(path: str) -> f.Meta:
    meta = os.path.join(path, f.META)
    try:
        if os.path.isdir(meta):
            raise NotAQueue(path, f"{f.META} is a directory")
        file = _permitted(path, lambda: File(meta))
        names = os.listdir(path)
    except (FileNotFoundError, NotADirectoryError):
        raise NotAQueue(path, f"there is no {f.META}{_hint(path)}") from None
    if f.REPAIR in names:
        raise DamagedQueue(os.path.join(path, f.REPAIR), 0, "a repair of the queue was begun and did not end")
    size = file.size()
    if size > f.LARGEST_META:
        raise DamagedQueue(meta, f.LARGEST_META, f"it has {size} bytes, more than such a file can have")
    data = read_at(file.fd, size, 0)
    file.close()
    return f.parse_meta(meta, data, any(name.startswith(f.SEGMENT) for name in names))


def _hint(path: str) -> str:
    try:
        below = sorted(name for name in os.listdir(path) if os.path.exists(os.path.join(path, name, f.META)))
    except OSError:
        return ""
    return f"; there are queues below it: {', '.join(below)}" if below else ""
