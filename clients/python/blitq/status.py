"""How a queue and its subscriptions stand."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass

from . import format as f
from .errors import DamagedQueue
from .files import File, SegmentGone, read_at, segments, subscriptions
from .log import Log
from .values import DateTime, TimeSpan

_UNIX_EPOCH = 621_355_968_000_000_000
_NOTES = 640
_PARTS = 32

NONE, CLAIMING, LEASED, RETURNED, DEAD_LETTERING, COMMITTING, GIVING_BACK, REQUEUEING = range(8)


@dataclass(frozen=True, slots=True)
class SubscriptionState:
    """What a subscription's file says. ``cells`` are positions and states of messages that were leased.

    ``targets`` says of letters that are becoming messages again where those are to stand.
    """

    name: str
    next: int
    cells: tuple[tuple[int, int], ...]
    targets: dict[int, int]
    dropped: int
    expired: int
    ephemeral: bool
    expires_after: int
    idle_since: int

    @property
    def held(self) -> list[int]:
        """The positions of messages that were taken and not committed, in order."""
        return sorted({position for position, state in self.cells if state not in (NONE, CLAIMING)})

    @property
    def oldest_needed(self) -> int:
        """The first position that the subscription still needs."""
        return min([self.next] + [position for position, state in self.cells if state != NONE])

    def count(self, *states: int) -> int:
        """How many cells are in one of these states."""
        return sum(state in states for _, state in self.cells)

    @staticmethod
    def read(directory: str, meta: f.Meta, name: str) -> SubscriptionState | None:
        """None if there is no such subscription, it was deleted, or its file is none of this queue."""
        path = os.path.join(directory, f.SUBSCRIPTION + name)
        try:
            file = File(path)
        except FileNotFoundError:
            return None
        head = read_at(file.fd, 240, 0)
        if len(head) < 240 or head[:8] != f.SUBSCRIPTION_MAGIC or head[8:24] != meta.id:
            return None
        # The position is read in front of the cells, because a consumer marks its cell before it moves the position: so each message
        # is seen in one of the two.
        word, leases = struct.unpack_from("<QQ", head, 128)
        cells: tuple[tuple[int, int], ...] = ()
        targets: dict[int, int] = {}
        if leases:
            data = read_at(file.fd, f.CELLS * f.CELL_SIZE, f.CELLS_AT)
            words = [struct.unpack_from("<Q16xQ", data, at) for at in range(0, len(data) - f.CELL_SIZE + 1, f.CELL_SIZE)]
            cells = tuple((word & 2**55 - 8, word & 7) for word, _ in words if word & 7)
            targets = {word & 2**55 - 8: target for word, target in words if word & 7 == REQUEUEING}
        file.close()
        position = word >> 11 << 3
        if position == f.GONE:
            return None
        dropped, expired, ephemeral, expires_after, idle = (
            struct.unpack_from("<Q", head, at)[0] for at in (152, 192, 200, 208, 216))
        return SubscriptionState(name, position, cells, targets, dropped, expired, ephemeral == 1, expires_after, idle)


@dataclass(frozen=True, slots=True)
class SubscriptionStatus:
    """How a subscription stood.

    ``lag`` messages wait to be taken, ``in_flight`` are leased, ``dead_letters`` are set aside; ``bytes`` of log are
    behind the oldest that it needs. ``oldest_age`` is at most how long ago that was enqueued.
    """

    name: str
    position: int
    lag: int
    in_flight: int
    dropped: int
    expired: int
    dead_letters: int
    bytes: int
    oldest_age: TimeSpan | None
    ephemeral: bool
    expires_after: TimeSpan | None
    idle_since: DateTime | None


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """How a queue stood. ``depth`` messages wait that some subscription has not committed."""

    path: str
    depth: int
    bytes: int
    capacity: int | None
    first: int
    next: int
    segments: int
    takeovers: int | None
    """How often an append lock was taken over from a dead process; None if the words of queue.control do not count."""
    expired_subscriptions: int | None
    subscriptions: tuple[SubscriptionStatus, ...]


def read_status(directory: str, meta: f.Meta, log: Log, dead_letters: Callable[[str], int]) -> QueueStatus:
    """Reads how a queue stands."""
    tail = log.end()
    counter = _Counter(meta, log)
    states = [state for name in subscriptions(directory) if (state := SubscriptionState.read(directory, meta, name)) is not None]
    oldest = min([tail] + [state.oldest_needed for state in states])
    lowest = min([tail] + [state.next for state in states])
    held = {position for state in states for position in state.held if position < lowest}
    control = log.control
    return QueueStatus(
        path=directory,
        depth=len(held) + counter.count(lowest, tail),
        bytes=tail - min(_behind_padding(meta, log, oldest, tail), tail),
        capacity=(control.word(1224) or None) if control is not None else None,
        first=oldest,
        next=tail,
        segments=len(segments(directory, meta)),
        takeovers=control.word(1536) if control is not None else None,
        expired_subscriptions=control.word(2688) if control is not None else None,
        subscriptions=tuple(
            _status_of(state, meta, log, counter, tail, dead_letters(state.name)) for state in states))


def _status_of(
    state: SubscriptionState, meta: f.Meta, log: Log, counter: _Counter, tail: int, letters: int) -> SubscriptionStatus:
    may_end = state.ephemeral or state.expires_after > 0
    return SubscriptionStatus(
        name=state.name,
        position=state.next,
        lag=counter.count(min(state.next, tail), tail) + state.count(RETURNED),
        in_flight=state.count(LEASED, DEAD_LETTERING, COMMITTING, GIVING_BACK, REQUEUEING),
        dropped=state.dropped,
        expired=state.expired,
        dead_letters=letters,
        bytes=tail - min(_behind_padding(meta, log, min(state.oldest_needed, tail), tail), tail),
        oldest_age=_age(meta, log, state.oldest_needed) if state.oldest_needed < tail else None,
        ephemeral=state.ephemeral,
        expires_after=TimeSpan(state.expires_after) if state.expires_after else None,
        idle_since=DateTime(state.idle_since, 1) if may_end and state.idle_since else None)


def _age(meta: f.Meta, log: Log, position: int) -> TimeSpan | None:
    """The time since the segment that a position is in was begun."""
    try:
        file = File(log.path_of(position))
        entered = file.word(56)
        file.close()
    except (OSError, DamagedQueue):
        return None
    now = _UNIX_EPOCH + time.time_ns() // 100
    return TimeSpan(max(0, now - entered)) if 0 < entered <= now else None


def _behind_padding(meta: f.Meta, log: Log, position: int, tail: int) -> int:
    """The position, or the first one of a later segment if only padding is between."""
    try:
        while meta.first_of(position // meta.segment_size + 1) <= tail:
            found = next(log.headers(position, tail), None)
            if found is None or f.kind_of(found[1]) not in f.PADS:
                break
            position = meta.first_of(position // meta.segment_size + 1)
    except (DamagedQueue, SegmentGone):
        # A read there reports the damage.
        pass
    return position


class _Counter:
    """Counts messages with the help of the notes in the headers of segments."""

    def __init__(self, meta: f.Meta, log: Log) -> None:
        self._meta = meta
        self._log = log

    def count(self, begin: int, end: int) -> int:
        """How many messages end between two positions. Messages in segments that are gone are not counted."""
        if begin >= end:
            return 0
        size = self._meta.segment_size
        first, last = begin // size, end // size
        before, after = self._notes(first), self._notes(last)
        if first != last and before is not None and after is not None and before[0] == after[0] and after[1] >= before[1]:
            return after[1] - before[1] + self._within(last, end) - self._within(first, begin)
        whole = 0
        for index in range(first, last + 1):
            start = max(begin, self._meta.first_of(index))
            whole += self._walk(start, min(end, (index + 1) * size))
        return whole

    def _within(self, index: int, position: int) -> int:
        """How many messages of a segment end in front of a position in it."""
        start, count = self._mark(index, position)
        return count + self._walk(start, position)

    def _walk(self, start: int, end: int) -> int:
        count = 0
        try:
            for position, header in self._log.headers(start, end):
                if position >= end:
                    break
                count += f.kind_of(header) in f.ENDS
        except (DamagedQueue, SegmentGone):
            # A reader that comes there reports it; a status does not end for it.
            pass
        return count

    def _block(self, index: int) -> bytes | None:
        """The last bytes of a segment's header, if the schema leaves them free."""
        try:
            file = File(self._log.path_of(index * self._meta.segment_size))
        except OSError:
            return None
        head = read_at(file.fd, self._meta.header_size, 0)
        file.close()
        if len(head) < self._meta.header_size or 88 + struct.unpack_from("<I", head, 80)[0] > self._meta.header_size - _NOTES:
            return None
        return head[-_NOTES:]

    def _fits(self, index: int, kind: int, words: bytes, check: int) -> bool:
        return f.compute(self._meta.salt, index * self._meta.segment_size, kind, words) == check

    def _notes(self, index: int) -> tuple[int, int] | None:
        """The series, and how many messages end in front of a segment."""
        block = self._block(index)
        if block is None:
            return None
        series, total, check = struct.unpack_from("<QQQ", block)
        return (series, total) if series and self._fits(index, 1, block[:16], check) else None

    def _mark(self, index: int, position: int) -> tuple[int, int]:
        """The last noted record at or in front of a position, and how many messages of the segment end in front of it."""
        first = self._meta.first_of(index)
        block = self._block(index)
        if block is None:
            return first, 0
        start = index * self._meta.segment_size
        for part in range(min((position - start) * _PARTS // self._meta.segment_size, _PARTS - 1), 0, -1):
            mark, check = struct.unpack_from("<QQ", block, 32 + 16 * (part - 1))
            at = start + (mark & 0xFFFF_FFFF)
            if mark and first <= at <= position and self._fits(index, 2, struct.pack("<QQ", mark, part), check):
                return at, mark >> 32
        return first, 0
