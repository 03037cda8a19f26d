"""The decoder of Brotli streams, on streams that another encoder made."""

from __future__ import annotations

import unittest

from . import golden  # noqa: F401

from blitq import brotli

STREAMS = [
    ("hello hello hello hello, the quick brown fox and the time of this was information",
     "1b5000e8c56d6c5df9ddd3280a0487a3c021070ec78b271c620b36e030e480c675fb9e22058cdb48aa28ad47643deaec352e0d05"),
    ("a",
     "0b00806103"),
    ("Der schnelle Fuchs \u00e4\u00f6\u00fc \u20ac \u4e2d\u6587 " * 4,
     "1b9300f81d09364e73c186e8349d1ce90d5a24dfb7a005b500e829c82a9ea4b6bcc5516045433e165a1c6bd42de4b30ee63cd6a309"),
    ("x" * 300,
     "1b2b010020f006e0602c88c42431c09d36a3cb04"),
]


class Brotli(unittest.TestCase):
    def test_streams_come_back(self) -> None:
        for text, stream in STREAMS:
            expected = text.encode()
            self.assertEqual(brotli.decompress(bytes.fromhex(stream), len(expected)), expected)

    def test_what_is_cut_or_changed_is_refused_or_other_bytes(self) -> None:
        for text, stream in STREAMS:
            data, expected = bytes.fromhex(stream), text.encode()
            for end in range(len(data)):
                with self.assertRaises(brotli.BrotliError):
                    brotli.decompress(data[:end], len(expected))
            with self.assertRaises(brotli.BrotliError):
                brotli.decompress(data + b"\0", len(expected))
            for bit in range(8 * len(data)):
                changed = bytearray(data)
                changed[bit >> 3] ^= 1 << (bit & 7)
                try:
                    self.assertEqual(len(brotli.decompress(bytes(changed), len(expected))), len(expected))
                except brotli.BrotliError:
                    pass
