"""A queue's files, opened for reading alone: nothing is mapped, locked or written."""

from __future__ import annotations

import os
import re
import stat
import struct

from . import format as f
from .errors import DamagedQueue

_BLOCK = 1 << 16
_U64 = struct.Struct("<Q").unpack_from


def read_at(fd: int, count: int, offset: int) -> bytes:
    """So many bytes of a file, fewer only at its end."""
    pieces = []
    while count > 0:
        piece = os.pread(fd, min(count, 1 << 30), offset)
        if not piece:
            break
        pieces.append(piece)
        count -= len(piece)
        offset += len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class File:
    """A file that is open for reading."""

    fd = -1

    def __init__(self, path: str) -> None:
        self.path = path
        # O_NONBLOCK: a pipe of the file's name must not stop the caller.
        self.fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        if not stat.S_ISREG(os.fstat(self.fd).st_mode):
            self.close()
            raise DamagedQueue(path, 0, "it is no regular file")

    def size(self) -> int:
        return os.fstat(self.fd).st_size

    def word(self, offset: int) -> int:
        """8 bytes, as a number without a sign."""
        data = os.pread(self.fd, 8, offset)
        if len(data) < 8:
            raise DamagedQueue(self.path, offset, "the file ends here")
        value: int = _U64(data)[0]
        return value

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __del__(self) -> None:
        self.close()


class Control(File):
    """``queue.control``, if its words count: of this file, written since the system was started."""

    @staticmethod
    def open(path: str, meta: f.Meta) -> Control | None:
        try:
            file = Control(path)
        except FileNotFoundError:
            return None
        if file.size() != f.CONTROL_SIZE:
            raise DamagedQueue(path, file.size(), f"the file has {file.size()} bytes where {f.CONTROL_SIZE} are expected")
        head = read_at(file.fd, 160, 0)
        belongs = head[:8] == f.CONTROL_MAGIC and _U64(head, 8)[0] == 1 and head[16:32] == meta.id
        return file if belongs and file._is_as_left(head) else None

    def _is_as_left(self, head: bytes) -> bool:
        boot = head[32:96].rstrip(b"\0").decode("ascii", "replace")
        if boot != boot_id():
            return False
        identity = head[96:128]
        if not any(identity):
            return True
        # The device is not compared: it may be another one through another mount. Python does not tell the time of birth.
        return _U64(identity, 8)[0] == os.fstat(self.fd).st_ino

    def tail(self) -> int:
        """Where the next record goes."""
        return self.word(1032)

    def first_retained(self) -> int:
        """The index of the first segment that has not been given up."""
        return self.word(1160) & (1 << 40) - 1


def boot_id() -> str:
    """The id of this run of the system; empty if the system tells none."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def segments(directory: str, meta: f.Meta) -> list[int]:
    """The indexes of the segments whose files are there, in order."""
    found = []
    for name in os.listdir(directory):
        if re.fullmatch(r"segment-[0-9a-f]{16}", name):
            start = int(name[8:], 16)
            if start % meta.segment_size == 0 and start <= 2**63 - 1 - 4 * meta.segment_size:
                found.append(start // meta.segment_size)
    return sorted(found)


def subscriptions(directory: str) -> list[str]:
    """The names in the names of subscriptions' files, in order."""
    return sorted(
        name[len(f.SUBSCRIPTION):] for name in os.listdir(directory)
        if name.startswith(f.SUBSCRIPTION) and not name.endswith(f.UNFINISHED))


class Segment(File):
    """A segment: reads blocks of it, and gives records from these.

    A block counts only if the segment had not been given up when it had been read; then it stays what it is, whatever becomes of the
    file. Headers are read before payloads, because blocks are copied from the lowest address on.
    """

    def __init__(self, path: str, meta: f.Meta, index: int, control: Control | None) -> None:
        super().__init__(path)
        self.index = index
        self._meta = meta
        self._control = control
        self._start = index * meta.segment_size
        self._block = b""
        self._block_at = 0
        size = self.size()
        if size != meta.segment_size:
            raise DamagedQueue(path, size, f"the file has {size} bytes where {meta.segment_size} are expected")
        head = read_at(self.fd, 40, 0)
        reason = (
            "it does not start with the magic of a segment" if head[:8] != f.SEGMENT_MAGIC
            else "it belongs to another queue" if head[8:24] != meta.id
            else f"it says that it starts at position {_U64(head, 24)[0]}" if _U64(head, 24)[0] != self._start
            else f"it says that it has {_U64(head, 32)[0]} bytes" if _U64(head, 32)[0] != size
            else None)
        if reason is not None:
            raise DamagedQueue(path, 0, reason)

    @property
    def next_start(self) -> int:
        """The position of the first record in the segment behind this one."""
        return self._meta.first_of(self.index + 1)

    def is_still(self) -> bool:
        """Whether the segment has not been given up: what was read before the call is its own then."""
        return self._control is None or self.index >= self._control.first_retained()

    def header(self, position: int) -> int:
        """The header of the record at a position. A zero is always read anew."""
        offset = position - self._start - self._block_at
        if 0 <= offset <= len(self._block) - 8:
            header: int = _U64(self._block, offset)[0]
            if header:
                return header
            if not self.word(position - self._start):
                return 0
        self._load(position - self._start)
        value: int = _U64(self._block)[0]
        return value

    def payload(self, position: int, length: int) -> bytes:
        """The payload of the record at a position."""
        offset = position - self._start + 8 - self._block_at
        if 0 <= offset and offset + length <= len(self._block):
            return self._block[offset:offset + length]
        data = read_at(self.fd, length, position - self._start + 8)
        if not self.is_still():
            raise SegmentGone
        return data

    def forget(self) -> None:
        """Reads the next record from the file, also if it is in the block."""
        self._block = b""

    def after(self, position: int, length: int) -> int:
        """The position behind a record with so long a payload; -1 if that cannot be in the segment."""
        end = position - self._start + f.extent(length)
        return self._start + end if end <= self._meta.segment_size - 8 else -1

    def room(self, position: int) -> int:
        """The longest payload of a record at a position; negative if not even an empty one fits."""
        return self._meta.segment_size - (position - self._start) - 16

    def _load(self, offset: int) -> None:
        block = read_at(self.fd, min(_BLOCK, self._meta.segment_size - offset), offset)
        if not self.is_still():
            raise SegmentGone
        if len(block) < 8:
            raise DamagedQueue(self.path, offset, "the file ends here")
        self._block, self._block_at = block, offset


class SegmentGone(Exception):
    """The segment was given up while it was read."""
