"""A decoder of Brotli streams (RFC 7932): what a compressed member is, and the schema in the header of a segment.

It is slow, and has no dependency. The dictionary in ``brotli_words.zlib`` and the transforms below are those of the RFC's
appendices A and B.
"""

from __future__ import annotations

import functools
import importlib.resources
import zlib


class BrotliError(ValueError):
    """The bytes are no Brotli stream of the length that is expected."""


def decompress(data: bytes | memoryview, length: int) -> bytes:
    """Decompresses a stream that gives exactly so many bytes and that nothing follows."""
    try:
        bits = _Bits(bytes(data))
        out = _decode(bits, length)
        bits.align()
    except IndexError:
        raise BrotliError("the stream ends too early") from None
    if bits.at != len(data):
        raise BrotliError("bytes follow the stream")
    if len(out) != length:
        raise BrotliError(f"the stream has {len(out)} bytes, not {length}")
    return bytes(out)


class _Bits:
    """Reads bits, the lowest of each byte first."""

    __slots__ = ("_data", "at", "_buffer", "_count")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0
        self._buffer = 0
        self._count = 0

    def take(self, count: int) -> int:
        while self._count < count:
            self._buffer |= self._data[self.at] << self._count
            self.at += 1
            self._count += 8
        value = self._buffer & (1 << count) - 1
        self._buffer >>= count
        self._count -= count
        return value

    def align(self) -> None:
        """Goes to the next byte; the bits that are left over are zeros."""
        if self._buffer:
            raise BrotliError("bits are left over that are not zero")
        self._count = 0

    def bytes(self, count: int) -> bytes:
        """So many whole bytes. To be called behind align."""
        if self.at + count > len(self._data):
            raise IndexError
        self.at += count
        return self._data[self.at - count:self.at]


class _Code:
    """A prefix code: decodes one symbol at a time."""

    __slots__ = ("_symbols", "_only")

    def __init__(self, lengths: list[int]) -> None:
        used = [symbol for symbol, length in enumerate(lengths) if length]
        self._only = used[0] if len(used) == 1 else -1
        self._symbols: dict[int, int] = {}
        code = 0
        for length in range(1, 16):
            for symbol in used:
                if lengths[symbol] == length:
                    self._symbols[1 << length | code] = symbol
                    code += 1
            code <<= 1

    def read(self, bits: _Bits) -> int:
        if self._only >= 0:
            return self._only
        symbols = self._symbols
        path = 1
        while path < 1 << 16:
            path = path << 1 | bits.take(1)
            symbol = symbols.get(path)
            if symbol is not None:
                return symbol
        raise BrotliError("no symbol has this code")


_LENGTH_ORDER = (1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15)


def _read_code(bits: _Bits, alphabet: int) -> _Code:
    skip = bits.take(2)
    lengths = [0] * alphabet
    if skip == 1:
        width = max(1, (alphabet - 1).bit_length())
        symbols = [bits.take(width) for _ in range(bits.take(2) + 1)]
        if len(set(symbols)) < len(symbols) or max(symbols) >= alphabet:
            raise BrotliError("a code with a symbol twice, or one that there is not")
        depths = ((1,), (1, 1), (1, 2, 2), (2, 2, 2, 2))[len(symbols) - 1]
        if len(symbols) == 4 and bits.take(1):
            depths = (1, 2, 3, 3)
        for symbol, depth in zip(symbols, depths):
            lengths[symbol] = depth
        return _Code(lengths)
    _read_lengths(bits, lengths, _read_length_code(bits, skip))
    return _Code(lengths)


def _read_length_code(bits: _Bits, skip: int) -> _Code:
    lengths = [0] * 18
    space = 32
    for symbol in _LENGTH_ORDER[skip:]:
        length = (0, 4, 3)[low] if (low := bits.take(2)) < 3 else 2 if bits.take(1) == 0 else 5 if bits.take(1) else 1
        lengths[symbol] = length
        if length:
            space -= 32 >> length
            if space <= 0:
                break
    if space != 0 and sum(1 for length in lengths if length) != 1:
        raise BrotliError("a code of code lengths that is not complete")
    return _Code(lengths)


def _read_lengths(bits: _Bits, lengths: list[int], code: _Code) -> None:
    symbol, space, before, repeated, repeat = 0, 1 << 15, 8, 0, 0
    while symbol < len(lengths) and space > 0:
        length = code.read(bits)
        if length < 16:
            repeat = 0
            lengths[symbol] = length
            symbol += 1
            if length:
                before = length
                space -= 1 << 15 - length
            continue
        extra, again = (2, before) if length == 16 else (3, 0)
        if repeated != again:
            repeated, repeat = again, 0
        old = repeat
        if repeat:
            repeat = repeat - 2 << extra
        repeat += bits.take(extra) + 3
        count = repeat - old
        if symbol + count > len(lengths):
            raise BrotliError("more code lengths than symbols")
        if again:
            lengths[symbol:symbol + count] = [again] * count
            space -= count << 15 - again
        symbol += count
    if space != 0:
        raise BrotliError("a code that is not complete")


def _read_count(bits: _Bits) -> int:
    """A number from 1 to 256."""
    if not bits.take(1):
        return 1
    width = bits.take(3)
    return 1 + (1 << width) + bits.take(width)


def _read_context_map(bits: _Bits, size: int) -> tuple[int, list[int]]:
    trees = _read_count(bits)
    if trees == 1:
        return 1, [0] * size
    longest = bits.take(4) + 1 if bits.take(1) else 0
    code = _read_code(bits, trees + longest)
    numbers: list[int] = []
    while len(numbers) < size:
        symbol = code.read(bits)
        if symbol == 0:
            numbers.append(0)
        elif symbol <= longest:
            numbers.extend([0] * ((1 << symbol) + bits.take(symbol)))
        else:
            numbers.append(symbol - longest)
    if len(numbers) > size:
        raise BrotliError("a context map that is too long")
    if bits.take(1):
        order = list(range(256))
        for index, number in enumerate(numbers):
            value = order.pop(number)
            order.insert(0, value)
            numbers[index] = value
    return trees, numbers


_BLOCK_BASE = (1, 5, 9, 13, 17, 25, 33, 41, 49, 65, 81, 97, 113, 145, 177, 209, 241, 305, 369, 497, 753, 1265, 2289, 4337, 8433, 16625)
_BLOCK_BITS = (2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24)


class _Blocks:
    """Which block type counts, for one of the three categories."""

    __slots__ = ("types", "_type_code", "_count_code", "left", "now", "_before")

    def __init__(self, bits: _Bits) -> None:
        self.types = _read_count(bits)
        self.now, self._before = 0, 1
        self.left = 1 << 24
        if self.types > 1:
            self._type_code = _read_code(bits, self.types + 2)
            self._count_code = _read_code(bits, 26)
            self.left = self._read_length(bits)

    def step(self, bits: _Bits) -> int:
        """Counts one symbol; gives the block type that it is of."""
        if self.left == 0:
            if self.types == 1:
                raise BrotliError("a block that does not end")
            symbol = self._type_code.read(bits)
            kind = self._before if symbol == 0 else (self.now + 1) % self.types if symbol == 1 else symbol - 2
            self._before, self.now = self.now, kind
            self.left = self._read_length(bits)
        self.left -= 1
        return self.now

    def _read_length(self, bits: _Bits) -> int:
        symbol = self._count_code.read(bits)
        return _BLOCK_BASE[symbol] + bits.take(_BLOCK_BITS[symbol])


_INSERT_BASE = (0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 18, 26, 34, 50, 66, 98, 130, 194, 322, 578, 1090, 2114, 6210, 22594)
_INSERT_BITS = (0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24)
_COPY_BASE = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 18, 22, 30, 38, 54, 70, 102, 134, 198, 326, 582, 1094, 2118)
_COPY_BITS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24)
_INSERT_CELL = (0, 0, 0, 0, 8, 8, 0, 16, 8, 16, 16)
_COPY_CELL = (0, 8, 0, 8, 0, 8, 16, 0, 16, 8, 16)

_UTF8_FIRST = bytes((
    0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    8, 12, 16, 12, 12, 20, 12, 16, 24, 28, 12, 12, 32, 12, 36, 12, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 32, 32, 24, 40, 28, 12,
    12, 48, 52, 52, 52, 48, 52, 52, 52, 48, 52, 52, 52, 52, 52, 48, 52, 52, 52, 52, 52, 48, 52, 52, 52, 52, 52, 24, 12, 28, 12, 12,
    12, 56, 60, 60, 60, 56, 60, 60, 60, 56, 60, 60, 60, 60, 60, 56, 60, 60, 60, 60, 60, 56, 60, 60, 60, 60, 60, 24, 12, 28, 12, 0,
)) + bytes((0, 1)) * 32 + bytes((2, 3)) * 32
_UTF8_SECOND = (
    bytes(33) + b"\1" * 15 + b"\2" * 10 + b"\1" * 7 + b"\2" * 26 + b"\1" * 6 + b"\3" * 26 + b"\1" * 4 + b"\0" + bytes(96) + b"\2" * 32)
_SIGNED = b"\0" + b"\1" * 15 + b"\2" * 48 + b"\3" * 64 + b"\4" * 64 + b"\5" * 48 + b"\6" * 15 + b"\7"


def _context(mode: int, last: int, second: int) -> int:
    if mode == 0:
        return last & 0x3F
    if mode == 1:
        return last >> 2
    if mode == 2:
        return _UTF8_FIRST[last] | _UTF8_SECOND[second]
    return _SIGNED[last] << 3 | _SIGNED[second]


def _read_window(bits: _Bits) -> int:
    if not bits.take(1):
        return 16
    if number := bits.take(3):
        return 17 + number
    number = bits.take(3)
    if number == 1:
        raise BrotliError("a window that there is not")
    return 8 + number if number else 17


def _decode(bits: _Bits, most: int) -> bytearray:
    window = (1 << _read_window(bits)) - 16
    out = bytearray()
    distances = [4, 11, 15, 16]
    is_last = 0
    while not is_last:
        is_last = bits.take(1)
        if is_last and bits.take(1):
            break
        nibbles = bits.take(2) + 4
        if nibbles == 7:
            if is_last or bits.take(1):
                raise BrotliError("a reserved bit is set")
            count = bits.take(2)
            skipped = bits.take(8 * count) + 1 if count else 0
            if count > 1 and skipped - 1 < 1 << 8 * (count - 1):
                raise BrotliError("a length with zeros in front")
            bits.align()
            bits.bytes(skipped)
            continue
        length = bits.take(4 * nibbles) + 1
        if nibbles > 4 and length - 1 < 1 << 4 * (nibbles - 1):
            raise BrotliError("a length with zeros in front")
        if len(out) + length > most:
            raise BrotliError("the stream is longer than it should be")
        if not is_last and bits.take(1):
            bits.align()
            out += bits.bytes(length)
            continue
        _decode_block(bits, out, len(out) + length, window, distances)
    return out


def _decode_block(bits: _Bits, out: bytearray, end: int, window: int, distances: list[int]) -> None:
    literals, commands, jumps = _Blocks(bits), _Blocks(bits), _Blocks(bits)
    postfix = bits.take(2)
    direct = bits.take(4) << postfix
    modes = [bits.take(2) for _ in range(literals.types)]
    literal_trees, literal_map = _read_context_map(bits, 64 * literals.types)
    distance_trees, distance_map = _read_context_map(bits, 4 * jumps.types)
    literal_codes = [_read_code(bits, 256) for _ in range(literal_trees)]
    command_codes = [_read_code(bits, 704) for _ in range(commands.types)]
    distance_codes = [_read_code(bits, 16 + direct + (48 << postfix)) for _ in range(distance_trees)]
    while len(out) < end:
        command = command_codes[commands.step(bits)].read(bits)
        insert = _INSERT_CELL[command >> 6] + (command >> 3 & 7)
        copy = _COPY_CELL[command >> 6] + (command & 7)
        inserted = _INSERT_BASE[insert] + bits.take(_INSERT_BITS[insert])
        copied = _COPY_BASE[copy] + bits.take(_COPY_BITS[copy])
        if len(out) + inserted > end:
            raise BrotliError("more literals than bytes")
        for _ in range(inserted):
            kind = literals.step(bits)
            last = out[-1] if out else 0
            second = out[-2] if len(out) > 1 else 0
            tree = literal_map[64 * kind + _context(modes[kind], last, second)]
            out.append(literal_codes[tree].read(bits))
        if len(out) == end:
            return
        reach = min(window, len(out))
        if command < 128:
            symbol = 0
        else:
            tree = distance_map[4 * jumps.step(bits) + min(copied - 2, 3)]
            symbol = distance_codes[tree].read(bits)
        distance = _distance(bits, symbol, distances, direct, postfix)
        if distance <= reach:
            if symbol:
                distances.insert(0, distance)
                distances.pop()
            _copy(out, distance, copied)
        else:
            out += _word(copied, distance - reach - 1)
        if len(out) > end:
            raise BrotliError("more bytes than the block has")


def _distance(bits: _Bits, symbol: int, last: list[int], direct: int, postfix: int) -> int:
    if symbol < 4:
        distance = last[symbol]
    elif symbol < 16:
        by = symbol - 4
        distance = last[by // 6] + (-1, 1, -2, 2, -3, 3)[by % 6]
    elif symbol < 16 + direct:
        distance = symbol - 15
    else:
        number = symbol - direct - 16
        width = 1 + (number >> postfix + 1)
        high = number >> postfix
        offset = (2 + (high & 1) << width) - 4
        distance = (offset + bits.take(width) << postfix) + (number & (1 << postfix) - 1) + direct + 1
    if distance <= 0:
        raise BrotliError("a distance that is not positive")
    return distance


def _copy(out: bytearray, distance: int, count: int) -> None:
    while count:
        start = len(out) - distance
        piece = out[start:start + min(count, distance)]
        out += piece
        count -= len(piece)


_WORD_BITS = (0, 0, 0, 0, 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5)


@functools.cache
def _words() -> bytes:
    return zlib.decompress(importlib.resources.files(__package__).joinpath("brotli_words.zlib").read_bytes())


def _word(length: int, number: int) -> bytes:
    if not 4 <= length <= 24:
        raise BrotliError("no word has this length")
    width = _WORD_BITS[length]
    index, transform = number & (1 << width) - 1, number >> width
    if transform >= len(_TRANSFORMS):
        raise BrotliError("no word has this number")
    start = sum(size << _WORD_BITS[size] for size in range(4, length)) + length * index
    word = _words()[start:start + length]
    prefix, change, suffix = _TRANSFORMS[transform]
    if change < 10:
        word = word[:max(0, length - change)]
    elif change < 12:
        word = _uppercase(bytearray(word), change == 11)
    else:
        word = word[change - 11:]
    return _AFFIXES[prefix] + word + _AFFIXES[suffix]


def _uppercase(word: bytearray, all_of_it: bool) -> bytes:
    at = 0
    while at < len(word):
        first = word[at]
        if first < 0xC0:
            word[at] ^= 32 if 97 <= first <= 122 else 0
            at += 1
        elif first < 0xE0:
            if at + 1 < len(word):
                word[at + 1] ^= 32
            at += 2
        else:
            if at + 2 < len(word):
                word[at + 2] ^= 5
            at += 3
        if not all_of_it:
            break
    return bytes(word)


_AFFIXES = (
    b" ", b", ", b" of the ", b" of ", b"s ", b".", b" and ", b" in ", b'"', b" to ", b'">', b"\n", b". ", b"]", b" for ", b" a ",
    b" that ", b"'", b" with ", b" from ", b" by ", b"(", b". The ", b" on ", b" as ", b" is ", b"ing ", b"\n\t", b":", b"ed ",
    b'="', b" at ", b"ly ", b",", b"='", b".com/", b". This ", b" not ", b"er ", b"al ", b"ful ", b"ive ", b"less ", b"est ",
    b"ize ", b"\xc2\xa0", b"ous ", b" the ", b"e ", b"")

# Prefix, change and suffix: the affixes by number; a change of 0 is none, 1 to 9 leaves out so many bytes at the end, 10 makes
# the first letter large, 11 all, 12 to 20 leaves out 1 to 9 bytes at the beginning.
_TRANSFORMS = tuple(tuple(int(part) for part in entry.split(".")) for entry in (
    "49.0.49 49.0.0 0.0.0 49.12.49 49.10.0 49.0.47 0.0.49 4.0.0 49.0.3 49.10.49 49.0.6 49.13.49 49.1.49 "
    "1.0.0 49.0.1 0.10.0 49.0.7 49.0.9 48.0.0 49.0.8 49.0.5 49.0.10 49.0.11 49.3.49 49.0.13 49.0.14 49.14.49 "
    "49.2.49 49.0.15 49.0.16 0.10.49 49.0.12 5.0.49 0.0.1 49.15.49 49.0.18 49.0.17 49.0.19 49.0.20 49.16.49 "
    "49.17.49 47.0.49 49.4.49 49.0.22 49.11.49 49.0.23 49.0.24 49.0.25 49.7.49 49.1.26 49.0.27 49.0.28 "
    "0.0.12 49.0.29 49.20.49 49.18.49 49.6.49 49.0.21 49.10.1 49.8.49 49.0.31 49.0.32 47.0.3 49.5.49 49.9.49 "
    "0.10.1 49.10.8 5.0.21 49.11.0 49.10.10 49.0.30 0.0.5 35.0.49 47.0.2 49.10.17 49.0.36 49.0.33 5.0.0 "
    "49.10.21 49.10.5 49.0.37 0.0.30 49.0.38 0.11.0 49.0.39 0.11.49 49.0.34 49.11.8 49.10.12 0.0.21 49.0.40 "
    "0.10.12 49.0.41 49.0.42 49.11.17 49.0.43 0.10.5 49.11.10 0.0.34 49.10.33 49.0.44 49.11.5 45.0.49 0.0.33 "
    "49.10.30 49.11.30 49.0.46 49.11.1 49.10.34 0.10.33 0.11.30 0.11.1 49.11.33 49.11.21 49.11.12 0.11.5 "
    "49.11.34 0.11.12 0.10.30 0.11.34 0.10.34 "
).split())
