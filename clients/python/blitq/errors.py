"""The exceptions of this package."""

from __future__ import annotations


class QueueError(Exception):
    """What every exception of this package is."""


class NotAQueue(QueueError):
    """The directory is not there, cannot be read, or is no queue's."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class NewerFormat(NotAQueue):
    """The directory is a queue of a later version of the format than this package reads."""


class DamagedQueue(QueueError):
    """What is there cannot be what a queue has written.

    ``path`` is the file, ``offset`` a byte in it, ``reason`` says what is wrong. ``position`` is where in the log reading
    stopped, or None if the damage is not in the log.
    """

    def __init__(self, path: str, offset: int, reason: str, position: int | None = None) -> None:
        super().__init__(f"{path}, offset {offset}: {reason}")
        self.path = path
        self.offset = offset
        self.reason = reason
        self.position = position


class PositionGone(QueueError):
    """No message is at the position any more: it was deleted, or no message ever began there."""

    def __init__(self, path: str, position: int, reason: str) -> None:
        super().__init__(f"{path}, position {position}: {reason}")
        self.path = path
        self.position = position
        self.reason = reason


class DamagedMessage(QueueError):
    """Bytes are no message of a schema. ``offset`` is where in them. A queue raises ``DamagedQueue`` instead."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(f"byte {offset}: {reason}")
        self.offset = offset
        self.reason = reason
