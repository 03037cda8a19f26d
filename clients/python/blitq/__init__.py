"""Reads BlitQueue queues.

>>> import blitq
>>> with blitq.open("orders") as queue:                      # doctest: +SKIP
...     for message in queue.messages():
...         print(message.position, message.value)

A queue is opened for reading alone: this needs the right to read its files, changes nothing, and nobody waits for it.
"""

from __future__ import annotations

import os

from .decode import Decoder
from .errors import DamagedMessage, DamagedQueue, NewerFormat, NotAQueue, PositionGone, QueueError
from .properties import Properties
from .reader import DeadLetter, Queue, QueueMessage
from .schema import Kind, Member, MessageType, Schema, SchemaError
from .status import QueueStatus, SubscriptionStatus
from .text import to_json
from .values import (
    Case, DateTime, DateTimeOffset, Entries, Grid, Message, SharedMessage, TimeOfDay, TimeSpan, TimeZone, Transition, Version,
    ZoneRule)

__version__ = "0.1.0"

__all__ = [
    "Case", "DamagedMessage", "DamagedQueue", "DateTime", "DateTimeOffset", "DeadLetter", "Decoder", "Entries", "Grid", "Kind",
    "Member", "Message", "MessageType", "NewerFormat", "NotAQueue", "PositionGone", "Properties", "Queue", "QueueError",
    "QueueMessage", "QueueStatus", "Schema", "SchemaError", "SharedMessage", "SubscriptionStatus", "TimeOfDay", "TimeSpan",
    "TimeZone", "Transition", "Version", "ZoneRule", "open", "to_json",
]


def open(path: str | os.PathLike[str]) -> Queue:
    """Opens a queue's directory for reading.

    Raises ``NotAQueue`` if there is no queue or no right to read it, ``DamagedQueue`` if its description is damaged.
    """
    return Queue(path)
