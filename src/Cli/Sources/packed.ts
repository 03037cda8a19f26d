/** The bytes are no such message, or a value cannot be packed. */
export class PackError extends Error {}

/** Ticks of 100 ns since the year 1; kind 0 unspecified, 1 UTC, 2 local time of the writer. */
export interface DateTime { ticks: bigint; kind: number }

/** Ticks of 100 ns since the year 1, in UTC, and the offset of the writer's clock in minutes. */
export interface DateTimeOffset { utcTicks: bigint; offsetMinutes: number }

/** A decimal number: units divided by 10 to the power of scale; negative where isNegative, which a zero may be, too. */
export interface Decimal { units: bigint; scale: number; isNegative: boolean }

/** A complex number. */
export interface Complex { real: number; imaginary: number }

/** An array of several dimensions: its lengths, and its elements, the last index running fastest. */
export interface Grid<T> { lengths: number[]; items: T[] }

const NULL = 0xffffffff, HOLE = 0xfffffffe, REPEATED = 65534, MOST_NESTED = 64;
const MOST_TICKS = 3155378975999999999n, MOST_BITS = 0x7fffffff, MOST_ELEMENTS = 2147483591;

class Reader {
  readonly view: DataView;
  readonly objects: object[] = [];
  at = 0;
  end: number;
  depth = 0;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  take(size: number): number {
    const at = this.at;
    if (size > this.end - at) throw new PackError(`offset ${at}: ${size} bytes are needed and ${this.end - at} are left`);
    this.at = at + size;
    return at;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  count(smallest: number): number {
    const at = this.at, count = this.u32();
    if (count * smallest > this.end - this.at) {
      throw new PackError(`offset ${at}: ${count} elements cannot be in the ${this.end - this.at} bytes left`);
    }
    return count;
  }

  rest(): Uint8Array {
    const start = this.at;
    this.at = this.end;
    return this.bytes.subarray(start, this.end);
  }
}

class Writer {
  readonly objects = new Map<object, number>();
  bytes = new Uint8Array(256);
  view = new DataView(this.bytes.buffer);
  length = 0;
  depth = 0;

  take(size: number): number {
    const at = this.length;
    this.length += size;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, 2 * this.bytes.length));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return at;
  }

  u16(value: number): void {
    const at = this.take(2);
    this.view.setUint16(at, value, true);
  }

  u32(value: number): void {
    const at = this.take(4);
    this.view.setUint32(at, value, true);
  }

  add(bytes: Uint8Array): void {
    const at = this.take(bytes.length);
    this.bytes.set(bytes, at);
  }

  nest(): void {
    if (++this.depth > MOST_NESTED) throw new PackError(`more than ${MOST_NESTED} messages are inside each other`);
  }
}

/** A kind of value. Those of fixed size have bytes in place; all others are variables, their length in front. */
abstract class Kind<T> {
  readonly size: number = 0;

  abstract read(reader: Reader): T;

  abstract write(writer: Writer, value: T): void;

  readItem(reader: Reader): T | null {
    if (this.size > 0) return this.read(reader);
    const at = reader.at, length = reader.u32();
    if (length === NULL) return null;
    const outer = reader.end, end = reader.at + length;
    if (end > outer) throw new PackError(`offset ${at}: ${length} bytes are needed and ${outer - reader.at} are left`);
    reader.end = end;
    const value = this.read(reader);
    if (reader.at !== end) throw new PackError(`offset ${reader.at}: ${end - reader.at} bytes are left over`);
    reader.end = outer;
    return value;
  }

  writeItem(writer: Writer, value: T | null): void {
    if (this.size > 0) {
      this.write(writer, value as T);
      return;
    }
    writer.u32(NULL);
    if (value === null || value === undefined) return;
    const start = writer.length;
    this.write(writer, value);
    if (writer.length - start >= HOLE) throw new PackError("a member is longer than 4 GiB");
    writer.view.setUint32(start - 4, writer.length - start, true);
  }
}

class Fixed<T> extends Kind<T> {
  constructor(
    override readonly size: number, readonly get: (view: DataView, at: number) => T,
    readonly set: (view: DataView, at: number, value: T) => void) {
    super();
  }

  read(reader: Reader): T {
    return this.get(reader.view, reader.take(this.size));
  }

  write(writer: Writer, value: T): void {
    if (value === null || value === undefined) throw new PackError("null is no value of a fixed size");
    const at = writer.take(this.size);
    this.set(writer.view, at, value);
  }
}

/** A value of fixed size behind a byte that says whether there is one. */
class Optional<T> extends Kind<T | null> {
  override readonly size: number;

  constructor(readonly value: Kind<T>) {
    super();
    this.size = value.size + 1;
  }

  read(reader: Reader): T | null {
    const at = reader.take(1), presence = reader.bytes[at]!;
    if (presence > 1) throw new PackError(`offset ${at}: ${presence} is neither 0 nor 1`);
    if (presence === 1) return this.value.read(reader);
    reader.take(this.value.size);
    return null;
  }

  write(writer: Writer, value: T | null): void {
    const isThere = value !== null && value !== undefined;
    writer.add(new Uint8Array(isThere ? 1 : this.size).fill(isThere ? 1 : 0));
    if (isThere) this.value.write(writer, value);
  }
}

function between<T extends number | bigint>(value: T, least: T, most: T): T {
  if (!(value >= least && value <= most)) throw new PackError(`${value} is not between ${least} and ${most}`);
  return value;
}

function whole(value: number, least: number, most: number): number {
  if (!Number.isInteger(value)) throw new PackError(`${value} is no whole number`);
  return between(value, least, most);
}

function integer(bits: number, isSigned: boolean): Kind<number> {
  const least = isSigned ? -(2 ** (bits - 1)) : 0, most = isSigned ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  switch (bits) {
    case 8:
      return isSigned
        ? new Fixed(1, (view, at) => view.getInt8(at), (view, at, value) => view.setInt8(at, whole(value, least, most)))
        : new Fixed(1, (view, at) => view.getUint8(at), (view, at, value) => view.setUint8(at, whole(value, least, most)));
    case 16:
      return isSigned
        ? new Fixed(2, (view, at) => view.getInt16(at, true), (view, at, value) => view.setInt16(at, whole(value, least, most), true))
        : new Fixed(2, (view, at) => view.getUint16(at, true), (view, at, value) => view.setUint16(at, whole(value, least, most), true));
    default:
      return isSigned
        ? new Fixed(4, (view, at) => view.getInt32(at, true), (view, at, value) => view.setInt32(at, whole(value, least, most), true))
        : new Fixed(4, (view, at) => view.getUint32(at, true), (view, at, value) => view.setUint32(at, whole(value, least, most), true));
  }
}

function bigInteger(bytes: number, isSigned: boolean, least?: bigint, most?: bigint): Kind<bigint> {
  const bits = BigInt(8 * bytes);
  const low = least ?? (isSigned ? -(1n << (bits - 1n)) : 0n), high = most ?? (isSigned ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n);
  return new Fixed(
    bytes,
    (view, at) => {
      let value = 0n;
      for (let part = bytes - 8; part >= 0; part -= 8) value = (value << 64n) | view.getBigUint64(at + part, true);
      return between(isSigned ? BigInt.asIntN(8 * bytes, value) : value, low, high);
    },
    (view, at, value) => {
      let rest = BigInt.asUintN(8 * bytes, between(value, low, high));
      for (let part = 0; part < bytes; part += 8, rest >>= 64n) view.setBigUint64(at + part, BigInt.asUintN(64, rest), true);
    });
}

function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0xfe00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0, size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 1)));
  const scaled = (size < 2 ** -14 ? size * 2 ** 24 : size * 2 ** (10 - exponent)), floor = Math.floor(scaled), rest = scaled - floor;
  const rounded = floor + (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? 1 : 0);
  return sign | (size < 2 ** -14 ? rounded : ((exponent + 15) << 10) + rounded - 1024);
}

function textOfGuid(view: DataView, at: number): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
  let tail = "";
  for (let i = 8; i < 16; i++) tail += (i === 10 ? "-" : "") + hex(view.getUint8(at + i), 2);
  return `${hex(view.getUint32(at, true), 8)}-${hex(view.getUint16(at + 4, true), 4)}-${hex(view.getUint16(at + 6, true), 4)}-${tail}`;
}

function writeGuid(view: DataView, at: number, text: string): void {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)) throw new PackError(`'${text}' is no guid`);
  const digits = text.replaceAll("-", "");
  view.setUint32(at, parseInt(digits.slice(0, 8), 16), true);
  view.setUint16(at + 4, parseInt(digits.slice(8, 12), 16), true);
  view.setUint16(at + 6, parseInt(digits.slice(12, 16), 16), true);
  for (let i = 0; i < 8; i++) view.setUint8(at + 8 + i, parseInt(digits.slice(16 + 2 * i, 18 + 2 * i), 16));
}

function readDecimal(view: DataView, at: number): Decimal {
  const flags = view.getUint32(at + 12, true), scale = (flags >>> 16) & 255;
  if ((flags & 0x7f00ffff) !== 0 || scale > 28) throw new PackError(`offset ${at}: it is no decimal`);
  const units = (BigInt(view.getUint32(at + 8, true)) << 64n) | view.getBigUint64(at, true);
  return { units, scale, isNegative: flags >>> 31 === 1 };
}

function writeDecimal(view: DataView, at: number, value: Decimal): void {
  between(value.units, 0n, (1n << 96n) - 1n);
  view.setBigUint64(at, BigInt.asUintN(64, value.units), true);
  view.setUint32(at + 8, Number(value.units >> 64n), true);
  view.setUint32(at + 12, ((value.isNegative ? 0x80000000 : 0) | (whole(value.scale, 0, 28) << 16)) >>> 0, true);
}

function checkedOffset(value: DateTimeOffset): DateTimeOffset {
  between(value.utcTicks, 0n, MOST_TICKS);
  between(value.utcTicks + BigInt(whole(value.offsetMinutes, -840, 840)) * 600000000n, 0n, MOST_TICKS);
  return value;
}

function checkedRune(value: number): number {
  if (value >= 0xd800 && value < 0xe000) throw new PackError("a surrogate is no rune");
  return whole(value, 0, 0x10ffff);
}

function blit(size: number): Kind<Uint8Array> {
  return new Fixed(
    size,
    (view, at) => new Uint8Array(view.buffer, view.byteOffset + at, size).slice(),
    (view, at, value) => {
      if (value.length !== size) throw new PackError(`${value.length} bytes are not ${size}`);
      new Uint8Array(view.buffer, view.byteOffset + at, size).set(value);
    });
}

class Text extends Kind<string> {
  static readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  static readonly encoder = new TextEncoder();

  read(reader: Reader): string {
    if (reader.at === reader.end) return "";
    const start = reader.at, head = reader.u32(), units = head & 0x7fffffff, bytes = reader.rest();
    let text: string;
    if (head >>> 31 === 1) {
      if (bytes.length !== 2 * units) throw new PackError(`offset ${start}: ${bytes.length} bytes are not ${units} units of UTF-16`);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), parts: string[] = [];
      for (let at = 0; at < units; at++) parts.push(String.fromCharCode(view.getUint16(2 * at, true)));
      return parts.join("");
    }
    try {
      text = Text.decoder.decode(bytes);
    } catch {
      throw new PackError(`offset ${start}: the text is no UTF-8`);
    }
    if (text.length !== units) throw new PackError(`offset ${start}: a text of ${text.length} units says that it has ${units}`);
    return text;
  }

  write(writer: Writer, value: string): void {
    if (value.length === 0) return;
    if (/\p{Surrogate}/u.test(value)) {
      writer.u32((value.length | 0x80000000) >>> 0);
      for (let at = 0; at < value.length; at++) writer.u16(value.charCodeAt(at));
      return;
    }
    writer.u32(value.length);
    writer.add(Text.encoder.encode(value));
  }
}

/** A list of bytes; or what only the writer can tell: these bytes can be put into another message. */
class Bytes extends Kind<Uint8Array> {
  read(reader: Reader): Uint8Array {
    return reader.rest().slice();
  }

  write(writer: Writer, value: Uint8Array): void {
    writer.add(value);
  }
}

/** A BigInteger. */
class BigWhole extends Kind<bigint> {
  constructor(readonly isOptional: boolean) {
    super();
  }

  override readItem(reader: Reader): bigint | null {
    const at = reader.at, value = super.readItem(reader);
    if (value === null && !this.isOptional) throw new PackError(`offset ${at}: null is no whole number`);
    return value;
  }

  override writeItem(writer: Writer, value: bigint | null): void {
    if ((value === null || value === undefined) && !this.isOptional) throw new PackError("null is no whole number");
    super.writeItem(writer, value);
  }

  read(reader: Reader): bigint {
    const bytes = reader.rest();
    let value = 0n;
    for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at]!);
    return BigInt.asIntN(8 * bytes.length, value);
  }

  write(writer: Writer, value: bigint): void {
    for (let rest = value; ;) {
      const byte = Number(BigInt.asUintN(8, rest));
      writer.add(Uint8Array.of(byte));
      rest >>= 8n;
      if ((rest === 0n && byte < 128) || (rest === -1n && byte >= 128)) return;
    }
  }
}

class Bits extends Kind<boolean[]> {
  read(reader: Reader): boolean[] {
    const start = reader.at, count = reader.u32(), bytes = reader.rest();
    if (Math.ceil(count / 8) !== bytes.length || count > MOST_BITS) {
      throw new PackError(`offset ${start}: ${count} bits are not in ${bytes.length} bytes`);
    }
    return Array.from({ length: count }, (_, bit) => ((bytes[bit >> 3]! >> (bit & 7)) & 1) === 1);
  }

  write(writer: Writer, value: boolean[]): void {
    writer.u32(value.length);
    const bytes = new Uint8Array(Math.ceil(value.length / 8));
    value.forEach((isSet, bit) => { if (isSet) bytes[bit >> 3]! |= 1 << (bit & 7); });
    writer.add(bytes);
  }
}

class Version extends Kind<number[]> {
  read(reader: Reader): number[] {
    const at = reader.take(16), [major, minor, build, revision] = [0, 4, 8, 12].map(part => reader.view.getInt32(at + part, true));
    if (major! < 0 || minor! < 0 || build! < -1 || revision! < -1 || (build! < 0 && revision! >= 0)) {
      throw new PackError(`offset ${at}: it is no version`);
    }
    return [major!, minor!, build!, revision!];
  }

  write(writer: Writer, value: number[]): void {
    if (value.length !== 4) throw new PackError("a version has four parts; -1 is one that is not there");
    for (const part of value) writer.u32(whole(part, -1, 2147483647) >>> 0);
  }
}

class List<T> extends Kind<(T | null)[]> {
  constructor(readonly element: Kind<T>) {
    super();
  }

  read(reader: Reader): (T | null)[] {
    const size = this.element.size, length = reader.end - reader.at;
    if (size > 0 && length % size !== 0) throw new PackError(`offset ${reader.at}: ${length} bytes are no elements of ${size} bytes`);
    const count = size > 0 ? length / size : reader.count(4), items: (T | null)[] = [];
    for (let i = 0; i < count; i++) items.push(this.element.readItem(reader));
    return items;
  }

  write(writer: Writer, value: (T | null)[]): void {
    if (this.element.size === 0) writer.u32(value.length);
    for (const one of value) this.element.writeItem(writer, one);
  }
}

class Pairs<K, V> extends Kind<[K, V | null][]> {
  constructor(readonly key: Kind<K>, readonly value: Kind<V>) {
    super();
  }

  read(reader: Reader): [K, V | null][] {
    const count = reader.count((this.key.size || 4) + (this.value.size || 4)), pairs: [K, V | null][] = [];
    for (let i = 0; i < count; i++) {
      const at = reader.at, key = this.key.readItem(reader);
      if (key === null) throw new PackError(`offset ${at}: null cannot be a key`);
      pairs.push([key, this.value.readItem(reader)]);
    }
    return pairs;
  }

  write(writer: Writer, value: [K, V | null][]): void {
    writer.u32(value.length);
    for (const [key, one] of value) {
      if (key === null || key === undefined) throw new PackError("null cannot be a key");
      this.key.writeItem(writer, key);
      this.value.writeItem(writer, one);
    }
  }
}

/** A dictionary whose keys are equal in JavaScript as well where they are equal. */
class Table<K, V> extends Kind<Map<K, V | null>> {
  readonly pairs: Pairs<K, V>;

  constructor(key: Kind<K>, value: Kind<V>) {
    super();
    this.pairs = new Pairs(key, value);
  }

  read(reader: Reader): Map<K, V | null> {
    return new Map(this.pairs.read(reader));
  }

  write(writer: Writer, value: Map<K, V | null>): void {
    this.pairs.write(writer, [...value]);
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyKind = Kind<any>;

class Tuple<T extends unknown[]> extends Kind<T> {
  readonly parts: AnyKind[];

  constructor(...parts: AnyKind[]) {
    super();
    this.parts = parts;
  }

  read(reader: Reader): T {
    return this.parts.map(part => part.readItem(reader)) as T;
  }

  write(writer: Writer, value: T): void {
    if (value.length !== this.parts.length) throw new PackError(`a tuple has ${this.parts.length} parts and not ${value.length}`);
    this.parts.forEach((part, index) => part.writeItem(writer, value[index]));
  }
}

class Cells<T> extends Kind<Grid<T | null>> {
  constructor(readonly rank: number, readonly element: Kind<T>) {
    super();
  }

  read(reader: Reader): Grid<T | null> {
    const start = reader.at, lengths: number[] = [], items: (T | null)[] = [];
    let count = 1, product = 1;
    for (let i = 0; i < this.rank; i++) {
      const length = reader.u32();
      lengths.push(length);
      count *= length;
      product *= Math.max(1, length);
    }
    if (count * (this.element.size || 4) > reader.end - reader.at || product > MOST_ELEMENTS) {
      throw new PackError(`offset ${start}: ${count} elements cannot be in the ${reader.end - reader.at} bytes left`);
    }
    for (let i = 0; i < count; i++) items.push(this.element.readItem(reader));
    return { lengths, items };
  }

  write(writer: Writer, value: Grid<T | null>): void {
    if (value.lengths.length !== this.rank || value.items.length !== value.lengths.reduce((product, length) => product * length, 1)) {
      throw new PackError(`${value.items.length} elements are not an array of ${value.lengths.join(" by ")}`);
    }
    value.lengths.forEach(length => writer.u32(length));
    for (const one of value.items) this.element.writeItem(writer, one);
  }
}

interface Row { name: string; number: number; kind: AnyKind }

// A member by its name.
function slots(value: object): Record<string, unknown> {
  return value as Record<string, unknown>;
}

/** How long the fixed block is and how many variables follow; null for null. The reader is at the block. */
function begin(reader: Reader): [number, number] | null {
  const at = reader.take(4), fixed = reader.view.getUint16(at, true), count = reader.view.getUint16(at + 2, true);
  if (fixed === 0xffff && count === 0xffff) return null;
  if (fixed > 65534 || count > 65534 || fixed > reader.end - reader.at) throw new PackError(`offset ${at}: it is no header of a message`);
  if (++reader.depth > MOST_NESTED) throw new PackError(`offset ${at}: more than ${MOST_NESTED} messages are inside each other`);
  return [fixed, count];
}

function skip(reader: Reader): void {
  const length = reader.u32();
  if (length < HOLE) reader.take(length);
}

/** Objects, or null. */
abstract class ObjectKind<T extends object> extends Kind<T | null> {
  abstract writeObject(writer: Writer, value: T): void;

  write(writer: Writer, value: T | null): void {
    if (value === null || value === undefined) writer.u32(NULL);
    else this.writeObject(writer, value);
  }
}

/** Messages of one type: the fixed block, then the variables. */
class Shape<T extends object> extends ObjectKind<T> {
  constructor(readonly make: new () => T, readonly isShared: boolean, readonly rows: () => Row[]) {
    super();
  }

  read(reader: Reader): T | null {
    const start = reader.at, head = begin(reader);
    if (head === null) return null;
    const [fixed, count] = head, block = reader.at;
    if (this.isShared && count === REPEATED) {
      const index = fixed === 4 ? reader.u32() : reader.objects.length, found = reader.objects[index];
      reader.depth--;
      if (!(found instanceof this.make)) throw new PackError(`offset ${start}: it repeats no such object in front of it`);
      return found;
    }
    const value = new this.make(), outer = reader.end, rows = this.rows();
    if (this.isShared) reader.objects.push(value);
    reader.end = block + fixed;
    for (const row of rows) {
      if (row.kind.size > 0 && reader.at < reader.end) slots(value)[row.name] = row.kind.readItem(reader);
    }
    reader.at = block + fixed;
    reader.end = outer;
    let left = count;
    for (const row of rows) {
      if (row.kind.size === 0 && left > 0) {
        left--;
        slots(value)[row.name] = row.kind.readItem(reader);
      }
    }
    for (; left > 0; left--) skip(reader);
    reader.depth--;
    return value;
  }

  writeObject(writer: Writer, value: T): void {
    if (this.isShared) {
      const index = writer.objects.get(value);
      if (index !== undefined) {
        writer.u16(4);
        writer.u16(REPEATED);
        writer.u32(index);
        return;
      }
      writer.objects.set(value, writer.objects.size);
    }
    const fixed = this.rows().filter(row => row.kind.size > 0), variable = this.rows().filter(row => row.kind.size === 0);
    writer.nest();
    writer.u16(fixed.reduce((sum, row) => sum + row.kind.size, 0));
    writer.u16(variable.length);
    for (const row of [...fixed, ...variable]) row.kind.writeItem(writer, slots(value)[row.name]);
    writer.depth--;
  }
}

/** Messages whose members have numbers. */
class NumberedShape<T extends object> extends ObjectKind<T> {
  constructor(readonly make: new () => T, readonly rows: () => Row[]) {
    super();
  }

  read(reader: Reader): T | null {
    const start = reader.at, head = begin(reader);
    if (head === null) return null;
    if (head[0] !== 0) throw new PackError(`offset ${start}: a version-tolerant message has no fixed block`);
    const value = new this.make(), rows = this.rows();
    for (let number = 0; number < head[1]; number++) {
      const row = rows.find(one => one.number === number), at = reader.at;
      if (row === undefined || reader.u32() === HOLE) {
        reader.at = at;
        skip(reader);
        continue;
      }
      reader.at = at;
      slots(value)[row.name] = this.readField(reader, row.kind);
    }
    reader.depth--;
    return value;
  }

  // A value of fixed size is a variable here, and null is its mark.
  private readField(reader: Reader, kind: AnyKind): unknown {
    if (kind.size === 0) return kind.readItem(reader);
    const inner: AnyKind = kind instanceof Optional ? kind.value : kind, at = reader.at, length = reader.u32();
    if (length === NULL && inner !== kind) return null;
    if (length !== inner.size) throw new PackError(`offset ${at}: ${length} bytes are no value of ${inner.size} bytes`);
    return inner.read(reader);
  }

  writeObject(writer: Writer, value: T): void {
    const rows = this.rows(), count = rows.reduce((most, row) => Math.max(most, row.number + 1), 0);
    writer.nest();
    writer.u16(0);
    writer.u16(count);
    for (let number = 0; number < count; number++) {
      const row = rows.find(one => one.number === number);
      if (row === undefined) writer.u32(HOLE);
      else this.writeField(writer, row.kind, slots(value)[row.name]);
    }
    writer.depth--;
  }

  private writeField(writer: Writer, kind: AnyKind, value: unknown): void {
    const inner: AnyKind = kind instanceof Optional ? kind.value : kind;
    if (kind.size === 0) {
      kind.writeItem(writer, value);
    } else if ((value === null || value === undefined) && inner !== kind) {
      writer.u32(NULL);
    } else {
      writer.u32(inner.size);
      inner.write(writer, value);
    }
  }
}

/** Messages that are one of several types, each with a tag. */
class CaseShape<T extends object> extends ObjectKind<T> {
  constructor(readonly cases: () => [number, new () => T, AnyKind][]) {
    super();
  }

  read(reader: Reader): T | null {
    const start = reader.at, head = begin(reader);
    if (head === null) return null;
    if (head[0] !== 2 || head[1] !== 1) throw new PackError(`offset ${start}: a union has a tag and one variable`);
    const tag = reader.view.getUint16(reader.take(2), true), found = this.cases().find(one => one[0] === tag);
    if (found === undefined) throw new PackError(`offset ${start}: the union has no case ${tag}`);
    const value = found[2].readItem(reader) as T | null;
    reader.depth--;
    return value;
  }

  writeObject(writer: Writer, value: T): void {
    const found = this.cases().find(one => value.constructor === one[1]);
    if (found === undefined) throw new PackError(`${value.constructor.name} is no case of the union`);
    writer.nest();
    writer.u16(2);
    writer.u16(1);
    writer.u16(found[0]);
    found[2].writeItem(writer, value);
    writer.depth--;
  }
}

function unpackWith<T>(kind: Kind<T>, bytes: Uint8Array): T {
  const reader = new Reader(bytes), value = kind.read(reader);
  if (reader.at !== bytes.length) throw new PackError(`offset ${reader.at}: ${bytes.length - reader.at} bytes are left over`);
  return value;
}

function packWith<T>(kind: Kind<T>, value: T): Uint8Array {
  const writer = new Writer();
  kind.write(writer, value);
  return writer.bytes.slice(0, writer.length);
}

const kinds = {
  bool: new Fixed<boolean>(
    1, (view, at) => between(view.getUint8(at), 0, 1) === 1, (view, at, value) => view.setUint8(at, value ? 1 : 0)) as Kind<boolean>,
  i8: integer(8, true), u8: integer(8, false), i16: integer(16, true), u16: integer(16, false), i32: integer(32, true),
  u32: integer(32, false), i64: bigInteger(8, true), u64: bigInteger(8, false), i128: bigInteger(16, true), u128: bigInteger(16, false),
  char: new Fixed<string>(
    2, (view, at) => String.fromCharCode(view.getUint16(at, true)), (view, at, value) => {
      if (value.length !== 1) throw new PackError(`'${value}' is not one unit of UTF-16`);
      view.setUint16(at, value.charCodeAt(0), true);
    }) as Kind<string>,
  rune: new Fixed<string>(
    4, (view, at) => String.fromCodePoint(checkedRune(view.getUint32(at, true))), (view, at, value) => {
      if ([...value].length !== 1) throw new PackError(`'${value}' is not one character`);
      view.setUint32(at, checkedRune(value.codePointAt(0)!), true);
    }) as Kind<string>,
  f16: new Fixed<number>(
    2, (view, at) => halfOf(view.getUint16(at, true)), (view, at, value) => view.setUint16(at, toHalf(value), true)) as Kind<number>,
  f32: new Fixed<number>(4, (view, at) => view.getFloat32(at, true), (view, at, value) => view.setFloat32(at, value, true)) as Kind<number>,
  f64: new Fixed<number>(8, (view, at) => view.getFloat64(at, true), (view, at, value) => view.setFloat64(at, value, true)) as Kind<number>,
  decimal: new Fixed<Decimal>(16, readDecimal, writeDecimal) as Kind<Decimal>,
  guid: new Fixed<string>(16, textOfGuid, writeGuid) as Kind<string>,
  complex: new Fixed<Complex>(
    16, (view, at) => ({ real: view.getFloat64(at, true), imaginary: view.getFloat64(at + 8, true) }),
    (view, at, value) => {
      view.setFloat64(at, value.real, true);
      view.setFloat64(at + 8, value.imaginary, true);
    }) as Kind<Complex>,
  datetime: new Fixed<DateTime>(
    8, (view, at) => {
      const word = view.getBigUint64(at, true);
      return { ticks: between(BigInt.asUintN(62, word), 0n, MOST_TICKS), kind: between(Number(word >> 62n), 0, 2) };
    },
    (view, at, value) => view.setBigUint64(
      at, between(value.ticks, 0n, MOST_TICKS) | (BigInt(whole(value.kind, 0, 2)) << 62n), true)) as Kind<DateTime>,
  datetimeoffset: new Fixed<DateTimeOffset>(
    10, (view, at) => checkedOffset({ utcTicks: view.getBigInt64(at, true), offsetMinutes: view.getInt16(at + 8, true) }),
    (view, at, value) => {
      view.setBigInt64(at, checkedOffset(value).utcTicks, true);
      view.setInt16(at + 8, value.offsetMinutes, true);
    }) as Kind<DateTimeOffset>,
  timespan: bigInteger(8, true),
  date: new Fixed<number>(
    4, (view, at) => between(view.getUint32(at, true), 0, 3652058),
    (view, at, value) => view.setUint32(at, whole(value, 0, 3652058), true)) as Kind<number>,
  time: bigInteger(8, false, 0n, 863999999999n),
  text: new Text() as Kind<string>, bytes: new Bytes() as Kind<Uint8Array>, bits: new Bits() as Kind<boolean[]>,
  version: new Version() as Kind<number[]>, bigint: new BigWhole(false) as Kind<bigint>, optionalBigint: new BigWhole(true) as Kind<bigint>,
};

/** A message, whose shape may come later. */
function nested<T>(shape: () => Kind<T>): Kind<T> {
  return new class extends Kind<T> {
    read(reader: Reader): T {
      return shape().read(reader);
    }

    write(writer: Writer, value: T): void {
      shape().write(writer, value);
    }
  }();
}
