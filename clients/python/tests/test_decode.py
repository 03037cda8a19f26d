"""Packed messages, by docs/FORMAT.md. GoldenRows.cs has the same bytes."""

from __future__ import annotations

import datetime
import math
import unittest
import uuid
from decimal import Decimal

from . import golden  # noqa: F401

import blitq
from blitq import DateTime, DateTimeOffset, Grid, TimeOfDay, TimeSpan, Version


def decode(schema: str, data: str):
    return blitq.Decoder(blitq.Schema(schema)).decode(bytes.fromhex(data))


def member(kind: str, content: str, rest: str = ""):
    """The only member of a message, from the fixed block or from a variable."""
    size = len(bytes.fromhex(content))
    if blitq.Schema(f"#0{{V:{kind}}}{rest}").types[0].members[0].kind.fixed_size:
        return decode(f"#0{{V:{kind}}}{rest}", size.to_bytes(2, "little").hex() + "0000" + content)["V"]
    head = "FFFFFFFF" if content == "" and rest == "null" else size.to_bytes(4, "little").hex()
    return decode(f"#0{{V:{kind}}}{rest}", "00000100" + head + content)["V"]


class Values(unittest.TestCase):
    def test_values_of_fixed_size(self) -> None:
        rows = [
            ("bool", "01", True), ("u8", "AB", 0xAB), ("i8", "FE", -2), ("i16", "FEFF", -2), ("u16", "3412", 0x1234),
            ("char", "C400", "\u00c4"), ("char", "00D8", "\ud800"), ("i32", "78563412", 0x12345678), ("u32", "EFCDAB89", 0x89ABCDEF),
            ("i64", "0807060504030201", 0x0102030405060708), ("u64", "FEFFFFFFFFFFFFFF", 2**64 - 2), ("f32", "0000C03F", 1.5),
            ("f64", "00000000000000C0", -2.0), ("f16", "003C", 1.0), ("i128", "04030000000000000201000000000000", 0x0102 << 64 | 0x0304),
            ("i128", "FF" * 16, -1), ("u128", "FF" * 16, 2**128 - 1), ("decimal", "0F000000000000000000000000000180", Decimal("-1.5")),
            ("decimal", "FF" * 12 + "00001C00", Decimal("7.9228162514264337593543950335")),
            ("guid", "33221100554477668899AABBCCDDEEFF", uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")),
            ("datetime", "0100000000000040", DateTime(1, 1)), ("datetimeoffset", "0A000000000000000100", DateTimeOffset(10, 1)),
            ("timespan", "FFFFFFFFFFFFFFFF", TimeSpan(-1)), ("date", "01000000", datetime.date(1, 1, 2)),
            ("time", "1027000000000000", TimeOfDay(10_000)), ("rune", "80F60100", "\U0001F680"),
            ("complex", "000000000000F03F00000000000000C0", 1 - 2j), ("blit3", "010203", b"\1\2\3"),
            ("i16?", "01FEFF", -2), ("i16?", "000000", None), ("blit2?", "01AABB", b"\xaa\xbb"),
        ]
        for kind, content, value in rows:
            self.assertEqual(member(kind, content), value, kind)
        self.assertTrue(math.isnan(member("f32", "0000C07F")))
        self.assertEqual(str(member("decimal", "00" * 12 + "00000280")), "-0.00")

    def test_values_that_there_are_not(self) -> None:
        for kind, content in (
                ("bool", "02"), ("rune", "00D80000"), ("rune", "00001100"), ("decimal", "00" * 12 + "01000000"),
                ("decimal", "00" * 12 + "00001D00"), ("datetime", "00000000000000C0"), ("datetime", "FFFFFFFFFFFFFF2B"),
                ("datetimeoffset", "0A000000000000004903"), ("datetimeoffset", "0A00000000000000FFFF"), ("date", "DBB93700"),
                ("time", "00C0692AC9000000"), ("i16?", "020000")):
            with self.assertRaises(blitq.DamagedMessage, msg=kind + content):
                member(kind, content)

    def test_dates_convert(self) -> None:
        at = DateTime(639_200_000_001_234_567, 1)
        self.assertEqual(at.to_datetime(), datetime.datetime(2026, 7, 18, 19, 33, 20, 123456, datetime.timezone.utc))
        self.assertEqual(str(at), "2026-07-18T19:33:20.1234567Z")
        self.assertEqual(str(DateTimeOffset(639_200_000_001_234_567, -90)), "2026-07-18T18:03:20.1234567-01:30")
        self.assertEqual(DateTimeOffset(0, 90).to_datetime().utcoffset(), datetime.timedelta(minutes=90))
        self.assertEqual(str(TimeSpan(-864_000_000_001)), "-1.00:00:00.0000001")
        self.assertEqual(TimeSpan(25).to_timedelta(), datetime.timedelta(microseconds=2))
        self.assertEqual(TimeOfDay(36_000_000_010).to_time(), datetime.time(1, 0, 0, 1))


class Variables(unittest.TestCase):
    def test_text(self) -> None:
        self.assertEqual(member("string", ""), "")
        self.assertEqual(member("string", "0200000078C3A9"), "x\u00e9")
        self.assertEqual(member("string", "02000080780000D8"), "x\ud800")
        self.assertEqual(member("string", "02000000F09F9A80"), "\U0001F680")
        self.assertIsNone(decode("#0{V:string}", "00000100FFFFFFFF")["V"])
        for wrong in ("01", "0200000078", "01000000C3A9C3", "02000000C3A9", "01000080 7800 78", "01000000FF", "01000000E9", "02000000ED00"):
            with self.assertRaises(blitq.DamagedMessage, msg=wrong):
                member("string", wrong.replace(" ", ""))

    def test_collections(self) -> None:
        self.assertEqual(member("list<i32>", "0100000002000000"), [1, 2])
        self.assertEqual(member("list<u8>", "0102"), b"\1\2")
        self.assertEqual(member("list<bool>", "0100"), [True, False])
        self.assertEqual(member("list<i32?>", "01010000000000000000"), [1, None])
        self.assertEqual(member("list<string>", "03000000" "05000000 01000000 78 FFFFFFFF 00000000".replace(" ", "")), ["x", None, ""])
        self.assertEqual(member("list<list<i32>>", "02000000" "04000000 01000000 00000000".replace(" ", "")), [[1], []])
        self.assertEqual(member("map<string,i16>", "01000000 05000000 01000000 78 0700".replace(" ", "")), {"x": 7})
        self.assertEqual(member("map<i16,i16>", "02000000 0100 0200 0100 0300".replace(" ", "")), {1: 3})
        self.assertEqual(member("map<list<i8>,bool>", "01000000 01000000 05 01".replace(" ", "")), [([5], True)])
        self.assertEqual(member("tuple<u8,string,i16?>", "01 05000000 01000000 78 01 0200".replace(" ", "")), (1, "x", 2))
        self.assertEqual(member("grid2<i32>", "01000000 02000000 05000000 06000000".replace(" ", "")), Grid((1, 2), [5, 6]))
        self.assertEqual(member("grid2<i32>", "0000000003000000"), Grid((0, 3), []))
        self.assertEqual(member("grid4<u8>", "01000000" * 4 + "07"), Grid((1, 1, 1, 1), b"\7"))
        for kind, wrong in (
                ("list<i32>", "0100"), ("list<string>", "FFFFFFFF"), ("list<string>", "00000000FF"), ("map<string,i16>", "01000000FFFFFFFF0700"),
                ("tuple<u8>", "0101"), ("grid2<u8>", "0200000002000000010203"), ("grid2<u8>", "00000000FFFFFFFF")):
            with self.assertRaises(blitq.DamagedMessage, msg=kind):
                member(kind, wrong)

    def test_other_types(self) -> None:
        self.assertEqual(member("bigint", "FE"), -2)
        self.assertEqual(member("bigint", "0001"), 256)
        self.assertIsNone(decode("#0{V:bigint?}", "00000100FFFFFFFF")["V"])
        self.assertEqual(member("version", "0100000002000000FFFFFFFFFFFFFFFF"), Version(1, 2, -1, -1))
        self.assertEqual(member("bits", "09000000FF01"), [True] * 9)
        self.assertEqual(member("bits", "0300000005"), [True, False, True])
        self.assertEqual(member("uri", "0100000061"), "a")
        self.assertEqual(member("timezone", "03000000555443"), "UTC")
        self.assertEqual(member("custom", "0102"), b"\1\2")
        self.assertEqual(member("brotli<list<u8>>", "010000000000107803"), b"x")
        self.assertEqual(member("brotli<string>", "010000000000107803"), "x")
        self.assertEqual(member("brotli<string>", ""), "")
        zone = member(
            "timezone",
            "00000000A6FF01050000000100000 05A000000000000000000000000".replace(" ", "")
            + "00C0692AC90000000080D354920100000046C32300000000020000000000000001010000000501060000020000000A040105")
        self.assertEqual((zone.offset_minutes, zone.without_daylight, zone.id, len(zone.rules)), (-90, True, "Z", 1))
        self.assertEqual(zone.rules[0].from_daylight.day_of_week, 5)
        for kind, wrong in (
                ("version", "FFFFFFFF02000000FFFFFFFFFFFFFFFF"), ("bits", "09000000FF"), ("brotli<string>", "02000000000010 7803".replace(" ", "")),
                ("brotli<list<u8>>", "00000000")):
            with self.assertRaises(blitq.DamagedMessage, msg=kind):
                member(kind, wrong)
        with self.assertRaises(blitq.DamagedMessage):
            decode("#0{V:bigint}", "00000100FFFFFFFF")


class Messages(unittest.TestCase):
    LEAF = "#0{V:#1}#1{Id:i32,Name:string}"

    def test_nested_messages(self) -> None:
        self.assertEqual(decode(self.LEAF, "000001000C0000000400010001000000FFFFFFFF"), {"V": {"Id": 1, "Name": None}})
        self.assertEqual(decode(self.LEAF, "00000100FFFFFFFF"), {"V": None})
        with self.assertRaisesRegex(blitq.DamagedMessage, "left over"):
            decode(self.LEAF, "000001000D0000000400010001000000FFFFFFFF00")

    def test_members_of_other_versions(self) -> None:
        schema = "#0{A:i32,B:string,C:i16}"
        # An earlier writer had neither B nor C; a later one has more of both sorts.
        self.assertEqual(decode(schema, "0400000001000000"), {"A": 1})
        later = decode(schema, "07000200" "01000000" "0200" "09" "00000000" "FFFFFFFF")
        self.assertEqual(later, {"A": 1, "B": "", "C": 2})
        self.assertEqual(list(later), ["A", "B", "C"])
        with self.assertRaisesRegex(blitq.DamagedMessage, "inside a member"):
            decode(schema, "05000000" "0100000002")

    def test_version_tolerant_messages(self) -> None:
        schema = "#0tolerant{A@1:i16,B@3:string,C@4:i16?}"
        self.assertEqual(
            decode(schema, "00000500 FEFFFFFF 02000000 0700 FEFFFFFF 05000000 01000000 78 FFFFFFFF".replace(" ", "")),
            {"A": 7, "B": "x", "C": None})
        self.assertEqual(decode(schema, "00000200FEFFFFFFFEFFFFFF"), {})
        for wrong in ("0100000000", "00000200FEFFFFFFFFFFFFFF", "00000200FEFFFFFF0100000007"):
            with self.assertRaises(blitq.DamagedMessage):
                decode(schema, wrong)

    def test_unions(self) -> None:
        schema = "#0union{0:#1,300:#2}#1{Radius:u8}#2{}"
        self.assertEqual(decode(schema, "0200010000000500000001000000" "07"), blitq.Case(0, {"Radius": 7}))
        self.assertEqual(decode(schema, "020001002C010400000000000000"), blitq.Case(300, {}))
        for wrong in ("02000100010004000000 00000000".replace(" ", ""), "0200000000", "03000100000000"):
            with self.assertRaises(blitq.DamagedMessage):
                decode(schema, wrong)

    def test_messages_with_identity(self) -> None:
        node = decode("#0circular{Self:#0}", "00000100080000000400FEFF00000000")
        self.assertIs(node["Self"], node)
        self.assertEqual(blitq.to_json(node), {"$id": 0, "Self": {"$ref": 0}})
        with self.assertRaisesRegex(blitq.DamagedMessage, "number"):
            decode("#0circular{Self:#0}", "00000100080000000400FEFF01000000")

    def test_raw_messages(self) -> None:
        self.assertEqual(decode("#0raw{}", "010203"), b"\1\2\3")
        self.assertEqual(decode("#0{V:#1}#1raw{}", "00000100020000000102"), {"V": b"\1\2"})

    def test_limits(self) -> None:
        def deep(depth: int) -> bytes:
            data = b"\xff\xff\xff\xff"
            for _ in range(depth):
                data = b"\0\0\1\0" + (len(data).to_bytes(4, "little") + data if data != b"\xff\xff\xff\xff" else data)
            return data

        decoder = blitq.Decoder(blitq.Schema("#0{V:#0}"))
        decoder.decode(deep(64))
        with self.assertRaisesRegex(blitq.DamagedMessage, "64"):
            decoder.decode(deep(65))
        with self.assertRaises(blitq.DamagedMessage):
            decoder.decode(b"\xff\xff\xff\xff")
        with self.assertRaises(blitq.DamagedMessage):
            decoder.decode(b"")

    def test_schemas_that_are_none(self) -> None:
        for text in ("", "#0", "#0{A}", "#1{}", "#0{A:#1}", "#0{A:list<i32}", "#0tolerant{A:i32}", "#0union{x:#0}", "#0{A:#}"):
            with self.assertRaises(blitq.SchemaError, msg=text):
                blitq.Schema(text)
