"""Damaged and foreign directories."""

from __future__ import annotations

import hashlib
import os
import pathlib
import tempfile
import unittest

from .golden import GoldenCase

import blitq


class Damage(GoldenCase):
    def change(self, path: pathlib.Path, offset: int, data: bytes) -> None:
        with open(path, "r+b") as file:
            file.seek(offset)
            file.write(data)

    def first_segment(self, queue: pathlib.Path) -> pathlib.Path:
        return sorted(queue.glob("segment-*"))[0]

    def test_a_changed_byte_is_found_where_it_is(self) -> None:
        for path in self.directories("killed"):
            third = list(blitq.open(path))[2]
            segment = self.first_segment(path)
            offset = third.position % 65_536
            self.change(segment, offset + 40, b"\xAA\xAA")
            queue = blitq.open(path)
            read = []
            with self.assertRaises(blitq.DamagedQueue) as caught:
                for message in queue:
                    read.append(message.value["Number"])
            damage = caught.exception
            self.assertEqual(read, [0, 1])
            self.assertEqual((damage.path, damage.offset, damage.position), (str(segment), offset, third.position))
            self.assertIn("check", damage.reason)
            # The log goes on behind it.
            behind = queue.next_whole(damage.position)
            self.assertEqual([one.value["Number"] for one in queue.messages(start=behind)], list(range(3, 300)))

    def test_a_cut_segment_is_damage(self) -> None:
        path = self.directories("closed")[0]
        segment = self.first_segment(path)
        os.truncate(segment, 60_000)
        with self.assertRaises(blitq.DamagedQueue) as caught:
            list(blitq.open(path))
        self.assertEqual((caught.exception.path, caught.exception.offset), (str(segment), 60_000))

    def test_a_missing_segment_is_damage(self) -> None:
        path = self.directories("killed")[0]
        sorted(path.glob("segment-*"))[1].unlink()
        with self.assertRaisesRegex(blitq.DamagedQueue, "does not exist"):
            list(blitq.open(path))

    def test_a_changed_description_is_damage(self) -> None:
        path = self.directories("closed")[0]
        text = (path / "queue.meta").read_bytes()
        for what in (text.replace(b"65536", b"65537"), text[:-3], text.replace(b"sha256", b"sha255"), b"Hello\n"):
            (path / "queue.meta").write_bytes(what)
            with self.assertRaises(blitq.DamagedQueue) as caught:
                blitq.open(path)
            self.assertEqual(caught.exception.path, str(path / "queue.meta"))

    def test_a_description_with_impossible_sizes_is_damage(self) -> None:
        path = self.directories("closed")[0]
        lines = (path / "queue.meta").read_text().replace("65536", "65000").splitlines(keepends=True)[:-1]
        body = "".join(lines)
        (path / "queue.meta").write_text(f"{body}sha256 {hashlib.sha256(body.encode()).hexdigest()}\n")
        with self.assertRaisesRegex(blitq.DamagedQueue, "65000 bytes cannot be"):
            blitq.open(path)

    def test_a_later_version_is_refused(self) -> None:
        path = self.directories("closed")[0]
        text = (path / "queue.meta").read_text()
        (path / "queue.meta").write_text(text.replace("BlitQueue 1", "BlitQueue 2", 1))
        with self.assertRaises(blitq.NewerFormat):
            blitq.open(path)

    def test_what_is_no_file_is_damage(self) -> None:
        path = self.directories("closed")[0]
        segment = self.first_segment(path)
        segment.unlink()
        os.mkfifo(segment)
        with self.assertRaisesRegex(blitq.DamagedQueue, "no regular file"):
            list(blitq.open(path))

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_no_right_to_read_is_said(self) -> None:
        path = self.directories("closed")[0]
        os.chmod(path / "queue.meta", 0)
        with self.assertRaisesRegex(blitq.NotAQueue, "no right"):
            blitq.open(path)

    def test_a_repair_that_did_not_end_is_refused(self) -> None:
        path = self.directories("closed")[0]
        (path / "queue.repair").touch()
        with self.assertRaisesRegex(blitq.DamagedQueue, "repair"):
            blitq.open(path)


class Foreign(unittest.TestCase):
    def test_what_is_no_queue_is_not_one(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "file").write_text("text")
            (root / "other").mkdir()
            (root / "other" / "queue.meta").write_text("[settings]\n")
            (root / "folder" / "queue.meta").mkdir(parents=True)
            for path in (root, root / "file", root / "nowhere", root / "other", root / "folder"):
                with self.assertRaises(blitq.NotAQueue) as caught:
                    blitq.open(path)
                self.assertIn(str(path), str(caught.exception))
