"""What earlier versions of the library have left, read to the last message. GoldenTests.cs expects the same numbers."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import re
from unittest import mock

from .golden import GoldenCase, snapshot

import blitq
from blitq.__main__ import main


def numbers(messages) -> list[int]:
    return [message.value["Number"] for message in messages]


class Golden(GoldenCase):
    def test_a_closed_queue_is_read_from_its_oldest_message_on(self) -> None:
        for path in self.directories("closed"):
            with blitq.open(path) as queue:
                read = numbers(queue.messages())
                self.assertEqual(read, list(range(read[0], 400)))
                self.assertLessEqual(read[0], 150)
                self.assertEqual(numbers(queue.messages(subscription="default")), list(range(150, 400)))
                self.assertEqual(numbers(queue.messages(subscription="audit")), list(range(190, 400)))

    def test_properties_come_with_their_messages(self) -> None:
        for path in self.directories("closed"):
            for message in blitq.open(path):
                number = message.value["Number"]
                found = message.properties
                if not 203 <= number < 300:
                    self.assertIsNone(found)
                    continue
                self.assertEqual(
                    (found.message_id, found.label, found.correlation_id, found.reply_to, found.headers, found.enqueued_at),
                    (f"id-{number}", "golden", "c", "nobody", {"number": str(number)}, None))

    def test_a_message_in_pieces_is_whole(self) -> None:
        for path in self.directories("closed"):
            long = [message.value for message in blitq.open(path) if message.value["Number"] == 201]
            self.assertEqual([(value["Length"], len(value["Body"])) for value in long], [(70_000, 70_000)])

    def test_what_a_killed_process_had_leased_is_not_committed(self) -> None:
        for path in self.directories("killed"):
            with blitq.open(path) as queue:
                self.assertEqual(numbers(queue.messages(subscription="default")), list(range(40, 300)))
                self.assertEqual(numbers(queue.messages(subscription="late")), list(range(200, 300)))
                # 25 to 27 were committed, 28 and 29 are dead letters.
                self.assertEqual(
                    sorted(numbers(queue.messages(subscription="audit"))), list(range(20, 25)) + list(range(30, 300)))
                letters = [(letter.message["Number"], letter.reason, letter.attempts) for letter in queue.dead_letters("audit")]
                self.assertEqual(letters, [(28, "golden, the first", 1), (29, "golden, the second", 1)])
                self.assertEqual(list(queue.dead_letters("late")), [])

    def test_the_status_counts(self) -> None:
        for path in self.directories("killed"):
            status = blitq.open(path).status()
            found = [(one.name, one.lag, one.in_flight, one.dead_letters) for one in status.subscriptions]
            self.assertEqual(found, [("audit", 270, 5, 2), ("default", 260, 0, 0), ("late", 100, 0, 0)])
            self.assertEqual((status.depth, status.segments), (275, 3))

    def test_transactions_show_what_they_have_sent(self) -> None:
        for path in self.directories("store"):
            self.assertEqual(numbers(blitq.open(path / "to")), list(range(120)))
            self.assertEqual(numbers(blitq.open(path / "from"))[-80:], list(range(120, 200)))

    def test_lanes_are_queues(self) -> None:
        for path in self.directories("lanes"):
            self.assertEqual(numbers(blitq.open(path / "lane-1").messages(subscription="default")), list(range(110, 130)))
            with self.assertRaisesRegex(blitq.NotAQueue, "lane-0, lane-1, lane-2"):
                blitq.open(path)

    def test_positions_name_messages(self) -> None:
        for path in self.directories("killed"):
            queue = blitq.open(path)
            all_of_them = list(queue.messages())
            for message in all_of_them[::37]:
                self.assertEqual(next(queue.messages(start=message.position)).value, message.value)
            self.assertEqual(list(queue.messages(start="newest")), [])
            self.assertEqual(list(queue.messages(start=queue.newest)), [])
            for wrong in (0, 8, all_of_them[5].position + 8, 2**40):
                with self.assertRaises(blitq.PositionGone):
                    list(queue.messages(start=wrong))

    def test_following_ends_when_nothing_comes(self) -> None:
        path = self.directories("killed")[0]
        self.assertEqual(numbers(blitq.open(path).follow(start="oldest", timeout=0.01)), list(range(300)))
        self.assertEqual(list(blitq.open(path).follow(timeout=0.01)), [])

    def test_reading_changes_nothing_and_opens_nothing_for_writing(self) -> None:
        before = snapshot(self.root)
        flags: list[int] = []
        real = os.open

        def watched(path, flag, *rest, **others):
            flags.append(flag)
            return real(path, flag, *rest, **others)

        with mock.patch("os.open", watched):
            for path in [queue.parent for queue in self.root.rglob("queue.meta")]:
                with blitq.open(path) as queue:
                    list(queue.messages())
                    queue.status()
                    for name in queue.subscriptions():
                        list(queue.dead_letters(name))
        self.assertEqual({flag & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC) for flag in flags}, {os.O_RDONLY})
        self.assertEqual(snapshot(self.root), before)

    def test_the_schema_in_a_segment_is_that_of_the_queue(self) -> None:
        from blitq import brotli

        for path in self.directories("closed"):
            schema = blitq.open(path).schema
            for segment in path.glob("segment-*"):
                head = segment.read_bytes()[:4096]
                size, length = int.from_bytes(head[80:84], "little"), int.from_bytes(head[84:88], "little")
                self.assertEqual(brotli.decompress(head[88:88 + size], length).decode(), schema.text)
                self.assertEqual(int.from_bytes(head[72:80], "little"), schema.fingerprint)


class Shell(GoldenCase):
    def run_main(self, *arguments: str) -> tuple[int, str, str]:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            code = main(list(arguments))
        return code, out.getvalue(), err.getvalue()

    def test_messages_are_json_lines(self) -> None:
        path = self.directories("closed")[0]
        code, out, err = self.run_main(str(path), "--subscription", "default", "--count", "60")
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((code, err, len(lines)), (0, "", 60))
        self.assertEqual([line["message"]["Number"] for line in lines], list(range(150, 210)))
        self.assertEqual(lines[53]["properties"]["headers"], {"number": "203"})

    def test_letters_and_status_are_json(self) -> None:
        path = str(self.directories("killed")[0])
        _, out, _ = self.run_main(path, "--dead-letters", "audit")
        self.assertEqual([json.loads(line)["reason"] for line in out.splitlines()], ["golden, the first", "golden, the second"])
        _, out, _ = self.run_main(path, "--status")
        self.assertEqual(json.loads(out)["depth"], 275)
        _, out, _ = self.run_main(path, "--schema")
        self.assertEqual(out.strip(), "#0{Producer:i32,Number:i64,Length:i32,Body:list<u8>}")

    def test_exit_codes_say_what_is_wrong(self) -> None:
        path = self.directories("killed")[0]
        self.assertEqual(self.run_main(str(path), "--subscription", "nobody")[0], 1)
        self.assertEqual(self.run_main(str(path), "--from", "8")[0], 1)
        self.assertEqual(self.run_main(str(path / "nowhere"))[0], 3)
        (path / "queue.meta").write_bytes(b"BlitQueue 1\n")
        code, out, err = self.run_main(str(path))
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))

    def test_the_readme_runs_as_shown(self) -> None:
        readme = (pathlib.Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
        example = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
        assert example is not None
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(example[1].replace('"orders"', repr(str(self.directories("killed")[0]))), {})
        self.assertIn("golden, the second", out.getvalue())
        self.assertIn("late 100 0", out.getvalue())
