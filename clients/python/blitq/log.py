"""Goes through a queue's log from record to record, and gives its messages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from . import format as f
from . import properties
from .errors import DamagedQueue, PositionGone
from .files import Control, Segment, SegmentGone, segments

NOT_WHOLE = "the record's check does not fit its bytes"


@dataclass(frozen=True, slots=True)
class Record:
    """A message in the log: its position, that behind it, its properties' block (empty if it has none), its packed bytes."""

    position: int
    after: int
    block: bytes
    message: bytes


class Log:
    """The log of an open queue. It keeps the last two segments that it has read open."""

    def __init__(self, directory: str, meta: f.Meta, control: Control | None) -> None:
        self.directory = directory
        self.meta = meta
        self.control = control
        self._check = f.RecordCheck(meta.salt, meta.checksum)
        self._open: dict[int, Segment] = {}

    def path_of(self, position: int) -> str:
        """The path of the segment that a position is in."""
        start = position // self.meta.segment_size * self.meta.segment_size
        return os.path.join(self.directory, f"{f.SEGMENT}{start:016x}")

    def first_position(self) -> int:
        """The position of the first record that is on disk."""
        if self.control is not None:
            return self.meta.first_of(self.control.first_retained())
        there = segments(self.directory, self.meta)
        return self.meta.first_of(there[0] if there else 0)

    def oldest(self, needed: int | None) -> int:
        """The position of the oldest message.

        A batch whose beginning is gone counts as gone, except for those of its messages that a subscription still needs;
        ``needed`` is the lowest position of all subscriptions.
        """
        first = position = self.first_position()
        try:
            while True:
                segment = self._enter(position)
                header = segment.header(position)
                kind = f.kind_of(header)
                if not kind & f.IN_BATCH:
                    break
                length = 0 if kind in f.PADS else f.length_of(header)
                after = segment.next_start if kind in f.PADS else self._after(segment, position, length)
                self._verify(segment, position, header, length)
                position = after
        except DamagedQueue:
            # Whoever reads there gets the exception.
            pass
        except SegmentGone:
            return self.oldest(needed)
        return min(needed, position) if needed is not None and needed >= first else position

    def end(self) -> int:
        """The position behind the last record."""
        if self.control is not None:
            return self.control.tail()
        position = self.oldest(None)
        for record in self.walk(position):
            position = record.after
        return position

    def walk(self, position: int) -> Iterator[Record]:
        """The messages from a position on, up to the log's end. The position is that of a message, or the log's end.

        Raises ``DamagedQueue`` if what comes next cannot be read, ``PositionGone`` if it was deleted.
        """
        while (record := self.find(position)) is not None:
            yield record
            position = record.after

    def find(self, position: int) -> Record | None:
        """The first message at or behind a position; None if there is none yet."""
        try:
            return self._find(position)
        except SegmentGone:
            raise self._gone(position) from None
        except DamagedQueue:
            if not self._is_still(position):
                raise self._gone(position) from None
            raise

    def is_start(self, position: int) -> bool:
        """Whether a message, a batch or padding begins at a position, or the log ends there."""
        try:
            record = self._find(position)
            return record is None or record.position >= position
        except (DamagedQueue, SegmentGone):
            return False

    def headers(self, position: int, end: int) -> Iterator[tuple[int, int]]:
        """Positions and headers of all records from a position up to another one, without a look at their payloads."""
        while position < end:
            segment = self._enter(position)
            header = segment.header(position)
            if not header:
                return
            yield position, header
            kind = f.kind_of(header)
            position = segment.next_start if kind in f.PADS else self._after(segment, position, f.length_of(header))

    def whole_behind(self, position: int) -> int | None:
        """The position of the first whole message behind a damaged position; None if none is found."""
        end = self.control.tail() if self.control is not None else None
        there = segments(self.directory, self.meta)
        index = position // self.meta.segment_size
        for number in [one for one in there if one >= index]:
            at = max(position + 8, self.meta.first_of(number))
            try:
                segment = self._segment(number)
                found = self._search(segment, at, min(end or 2**63, (number + 1) * self.meta.segment_size))
            except (DamagedQueue, SegmentGone, FileNotFoundError):
                continue
            if found is not None:
                return found
        return end if end is not None and end > position else None

    def _search(self, segment: Segment, position: int, end: int) -> int | None:
        while position <= end - 8:
            header = segment.header(position)
            kind, length = f.kind_of(header), f.length_of(header)
            if header and kind in f.BEGINS and segment.after(position, length) >= 0:
                if self._check.fits(header, position, segment.payload(position, length)):
                    return position
            position += 8
        return None

    def _find(self, position: int) -> Record | None:
        while True:
            segment = self._enter(position)
            header = segment.header(position)
            kind, length = f.kind_of(header), f.length_of(header)
            if header == 0:
                if self.control is not None and position < self.control.tail() and segment.header(position) == 0:
                    raise self._damaged(position, "nothing is there, though the log goes on: a part of the file was lost")
                if segment.header(position) == 0:
                    return None
            elif kind in f.PADS:
                self._verify(segment, position, header, 0)
                position = segment.next_start
            elif kind == f.BATCH:
                after = self._after(segment, position, length)
                self._verify(segment, position, header, length)
                position = after
            elif kind == f.GAP and self._check.fits_empty(header, position):
                position = self._after(segment, position, length)
            elif kind == f.HOLE and self._check.fits_empty(header, position):
                raise self._damaged(position, "what was there was found damaged when the queue was opened")
            elif kind not in f.BEGINS:
                raise self._damaged(position, f"the record header {header:016x} is that of no message")
            elif kind in f.ENDS:
                after = self._after(segment, position, length)
                payload = self._verify(segment, position, header, length)
                return self._record(position, after, kind, payload)
            else:
                return self._join(position, kind)

    def _join(self, first: int, first_kind: int) -> Record:
        """A message in pieces."""
        position = first
        pieces: list[bytes] = []
        total = 0
        while True:
            segment = self._enter(position)
            # Padding at a segment's end, where there is no room for a piece, is stepped over.
            if segment.room(position) < 8:
                position = segment.next_start
                segment = self._enter(position)
            header = segment.header(position)
            kind, length = f.kind_of(header), f.length_of(header)
            if kind not in f.FRAGMENTS and kind != f.B_LAST:
                break
            after = self._after(segment, position, length)
            total += length
            if (kind in f.CONTINUES) == (not pieces) or total > f.LARGEST_MESSAGE:
                break
            pieces.append(self._verify(segment, position, header, length))
            position = after
            if kind == f.B_LAST:
                return self._record(first, after, first_kind, b"".join(pieces))
        raise self._damaged(first, "a split message that is not whole")

    def _record(self, position: int, after: int, kind: int, payload: bytes) -> Record:
        if kind not in f.WITH_PROPERTIES:
            return Record(position, after, b"", payload)
        length = properties.block_length(payload)
        if length < 0:
            raise self._damaged(position, "what is in front of the message are no properties of one")
        return Record(position, after, payload[:length], payload[length:])

    def _verify(self, segment: Segment, position: int, header: int, length: int) -> bytes:
        """The payload of a record, whose check fits it."""
        payload = segment.payload(position, length)
        if not self._check.fits(header, position, payload):
            # Read once more: what was read could be a mixture.
            segment.forget()
            payload = segment.payload(position, length)
            if segment.header(position) != header or not self._check.fits(header, position, payload):
                raise self._damaged(position, NOT_WHOLE)
        return payload

    def _after(self, segment: Segment, position: int, length: int) -> int:
        after = segment.after(position, length)
        if after < 0:
            raise self._damaged(position, f"a record of {length} bytes, which would end outside of the segment")
        return after

    def _enter(self, position: int) -> Segment:
        try:
            return self._segment(position // self.meta.segment_size)
        except FileNotFoundError:
            if not self._is_still(position):
                raise SegmentGone from None
            raise self._damaged(position, "the segment does not exist") from None

    def _segment(self, index: int) -> Segment:
        segment = self._open.get(index)
        if segment is None:
            segment = Segment(self.path_of(index * self.meta.segment_size), self.meta, index, self.control)
            if not segment.is_still():
                segment.close()
                raise SegmentGone
            while len(self._open) > 1:
                self._open.pop(next(iter(self._open))).close()
            self._open[index] = segment
        return segment

    def _is_still(self, position: int) -> bool:
        return self.control is None or position // self.meta.segment_size >= self.control.first_retained()

    def _damaged(self, position: int, reason: str) -> DamagedQueue:
        return DamagedQueue(self.path_of(position), position % self.meta.segment_size, reason, position)

    def _gone(self, position: int) -> PositionGone:
        return PositionGone(
            self.directory, position, f"what was there is no longer on disk; the log begins at {self.first_position()}")

    def close(self) -> None:
        """Closes the files."""
        for segment in self._open.values():
            segment.close()
        self._open.clear()
        if self.control is not None:
            self.control.close()
