"""The repository's golden directories, unpacked for the tests."""

from __future__ import annotations

import hashlib
import os
import pathlib
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

ARCHIVES = sorted((pathlib.Path(__file__).parents[3] / "tests/Runtime.Tests/Golden").glob("format-*.tar.gz"))


class GoldenCase(unittest.TestCase):
    """``self.root`` has a directory for each archive, as files of a system that runs no more."""

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name)
        for archive in ARCHIVES:
            with tarfile.open(archive) as tar:
                tar.extractall(self.root / archive.name.split(".")[0], filter="data")

    def directories(self, name: str) -> list[pathlib.Path]:
        """That directory of each archive."""
        found = [directory / name for directory in sorted(self.root.iterdir())]
        self.assertGreaterEqual(len(found), 3)
        return found


def snapshot(root: pathlib.Path) -> list[tuple[str, int, int, str]]:
    """What is in a directory: names, rights, times, sums."""
    found = []
    for path in sorted(root.rglob("*")):
        status = os.stat(path)
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found.append((str(path), status.st_mode, status.st_mtime_ns, content))
    return found
