"""``python3 -m blitq <directory>``: prints a queue's messages as JSON lines."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import os
import sys
from typing import Any

from . import DamagedQueue, NotAQueue, PositionGone, Queue
from .text import letter_line, message_line, to_json


def main(arguments: list[str] | None = None) -> int:
    """Exit codes: 0 fine, 1 what was asked for is not there, 2 damaged, 3 no queue."""
    options = _parse(arguments)
    try:
        with Queue(options.directory) as queue:
            _run(queue, options)
        return 0
    except NotAQueue as reason:
        print(reason, file=sys.stderr)
        return 3
    except DamagedQueue as reason:
        sys.stdout.flush()
        print(reason, file=sys.stderr)
        return 2
    except PositionGone as reason:
        print(reason, file=sys.stderr)
        return 1
    except KeyError as name:
        print(f"{options.directory}: there is no subscription {name}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("blitq", description="Prints a BlitQueue queue as JSON lines. Reads alone; changes nothing.")
    parser.add_argument("directory", help="the queue's directory")
    parser.add_argument("--from", dest="start", help="a position, oldest (the default) or newest")
    parser.add_argument("--subscription", help="only what this subscription has not committed")
    parser.add_argument("--count", type=int, help="at most so many messages")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--follow", action="store_true", help="go on as messages arrive")
    what.add_argument("--status", action="store_true", help="print how the queue stands")
    what.add_argument("--schema", action="store_true", help="print the schema that the queue stores")
    what.add_argument("--dead-letters", metavar="SUBSCRIPTION", help="print the dead letters of a subscription")
    return parser.parse_args(arguments)


def _run(queue: Queue, options: argparse.Namespace) -> None:
    if options.schema:
        print(queue.schema.text)
    elif options.status:
        _print(_status(queue))
    elif options.dead_letters is not None:
        for letter in queue.dead_letters(options.dead_letters):
            _print(letter_line(letter))
    else:
        start = int(options.start) if (options.start or "").isdigit() else options.start
        if options.follow:
            messages = queue.follow(start if start or options.subscription else "oldest", options.subscription)
        else:
            messages = queue.messages(start, options.subscription)
        for message in itertools.islice(messages, options.count):
            _print(message_line(message), flush=options.follow)


def _status(queue: Queue) -> dict[str, Any]:
    status = queue.status()
    fields = {field.name: getattr(status, field.name) for field in dataclasses.fields(status)}
    fields["subscriptions"] = [
        {field.name: to_json(getattr(one, field.name)) for field in dataclasses.fields(one)} for one in status.subscriptions]
    return fields


def _print(line: dict[str, Any], flush: bool = False) -> None:
    print(json.dumps(line, ensure_ascii=True, allow_nan=False), flush=flush)


if __name__ == "__main__":
    sys.exit(main())
