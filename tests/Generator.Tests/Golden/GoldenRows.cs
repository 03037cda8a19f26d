namespace BlitQueue.Generator.Tests.Golden;

/// <summary>Every wire form, one row each or more.</summary>
internal static class GoldenRows
{
    public const string Common = """
        [QueueMessage] public sealed partial class Leaf { public int Id { get; set; } public string? Name { get; set; } }
        [QueueMessage] public partial struct Dot { public short X; public string? Label; }
        [QueueMessage, PackUnion(0, typeof(Disc)), PackUnion(300, typeof(Box))] public partial interface IForm;
        [QueueMessage] public sealed partial class Disc : IForm { public byte Radius { get; set; } }
        [QueueMessage] public sealed partial class Box : IForm;
        [QueueMessage(Layout = PackLayout.VersionTolerant)] public sealed partial class Numbered {
            [PackOrder(1)] public short A { get; set; } [PackOrder(3)] public string? B { get; set; } }
        [QueueMessage(Layout = PackLayout.CircularReference)] public sealed partial class Node {
            public Node? Self { get; set; } public static Node Make() { var node = new Node(); node.Self = node; return node; } }
        [QueueMessage] public partial class Crate<T> { public T? Content { get; set; } }
        [QueueMessage] public partial class Crates<T> { public List<T>? Items { get; set; } }
        public interface IBeast;
        [QueueMessage] public sealed partial class Cat : IBeast { public byte Lives { get; set; } }
        [PackUnionOf(typeof(IBeast)), PackUnion(5, typeof(Cat))] public sealed partial class BeastPacker;
        public sealed class Names : List<string>;
        public sealed class Prices : Dictionary<string, short>;
        public sealed class Steps : Stack<short> {
            public static Steps Of(params short[] all) { var steps = new Steps(); foreach (var step in all) steps.Push(step);
            return steps; } }
        [QueueMessage, System.Runtime.CompilerServices.InlineArray(3)] public partial struct Three { private short _number;
            public static Three Of(short a, short b, short c) { Three all = default; (all[0], all[1], all[2]) = (a, b, c); return all; } }
        [QueueMessage, System.Runtime.CompilerServices.InlineArray(2)] public partial struct Pair { private string? _text;
            public static Pair Of(string? a, string? b) { Pair all = default; (all[0], all[1]) = (a, b); return all; } }
        public readonly struct Reversed : IPacker<int>
        {
            public static void Pack(ref PackWriter writer, scoped in int value)
                => writer.WriteSpan<byte>([(byte)(value >> 8), (byte)(value & 0xFF)]);
            public static void Unpack(ref PackReader reader, scoped ref int value) {
                var bytes = reader.ReadSpan<byte>(); value = bytes[0] << 8 | bytes[1]; }
        }
        """;

    public static readonly IReadOnlyList<GoldenRow> Values =
    [
        Fixed("bool", "true", "01"),
        Fixed("byte", "0xAB", "AB"),
        Fixed("sbyte", "-2", "FE"),
        Fixed("short", "-2", "FEFF"),
        Fixed("ushort", "0x1234", "3412"),
        Fixed("char", "'\\u00C4'", "C400"),
        Fixed("int", "0x12345678", "78563412"),
        Fixed("uint", "0x89ABCDEFu", "EFCDAB89"),
        Fixed("long", "0x0102030405060708L", "0807060504030201"),
        Fixed("ulong", "ulong.MaxValue - 1", "FEFFFFFFFFFFFFFF"),
        Fixed("float", "1.5f", "0000C03F"),
        Fixed("double", "-2.0", "00000000000000C0"),
        Fixed("Half", "(Half)1", "003C"),
        Fixed("Int128", "new Int128(0x0102, 0x0304)", "0403000000000000 0201000000000000"),
        Fixed("UInt128", "new UInt128(0x0102, 0x0304)", "0403000000000000 0201000000000000"),
        Fixed("decimal", "-1.5m", "0F000000 00000000 00000000 00000180"),
        Fixed("Guid", "new Guid(\"00112233-4455-6677-8899-aabbccddeeff\")", "33221100554477668899AABBCCDDEEFF"),
        Fixed("DateTime", "new DateTime(1, DateTimeKind.Utc)", "0100000000000040"),
        Fixed("DateTimeOffset", "new DateTimeOffset(600_000_010, TimeSpan.FromMinutes(1))", "0A00000000000000 0100"),
        Fixed("TimeSpan", "TimeSpan.FromTicks(-1)", "FFFFFFFFFFFFFFFF"),
        Fixed("DateOnly", "new DateOnly(1, 1, 2)", "01000000"),
        Fixed("TimeOnly", "new TimeOnly(0, 0, 0, 1)", "1027000000000000"),
        Fixed("System.Text.Rune", "new System.Text.Rune(0x1F680)", "80F60100"),
        Fixed("System.Numerics.Complex", "new(1, -2)", "000000000000F03F 00000000000000C0"),
        Fixed("DayOfWeek", "DayOfWeek.Friday", "05000000"),
        Fixed("System.Numerics.Vector2", "new(1, 2)", "0000803F 00000040"),
        Fixed("System.Numerics.Vector3", "new(1, 2, 3)", "0000803F 00000040 00004040"),
        Fixed("System.Numerics.Vector4", "new(1, 2, 3, 4)", "0000803F 00000040 00004040 00008040"),
        Fixed("System.Numerics.Quaternion", "new(1, 2, 3, 4)", "0000803F 00000040 00004040 00008040"),
        Fixed("System.Numerics.Plane", "new(1, 2, 3, 4)", "0000803F 00000040 00004040 00008040"),
        Fixed("System.Numerics.Matrix3x2", "new(1, 2, 3, 4, 1, 2)", "0000803F 00000040 00004040 00008040 0000803F 00000040"),
        Fixed("System.Numerics.Matrix4x4", "new(1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4)",
            Four("0000803F 00000040 00004040 00008040")),
        Fixed("short?", "-2", "01 FEFF"),
        Fixed("short?", "null", "00 0000"),
        Fixed("DateTimeOffset?", "null", "00 0000000000000000 0000"),
    ];

    public static readonly IReadOnlyList<GoldenRow> Variables =
    [
        new("string?", "null", "null"),
        new("string?", "\"\"", ""),
        new("string?", "\"x\"", "01000000 78"),
        new("string?", "\"x\\u00e9\"", "02000000 78C3A9"),
        new("string?", "\"\\uD800\"", "01000000 EFBFBD"),
        new("string?", "\"x\\uD800\"", "02000080 7800 00D8", Options: "Strings = StringEncoding.Utf16"),
        new("string[]?", "[\"x\"]", "01000000 06000000 01000080 7800", Options: "Strings = StringEncoding.Utf16"),
        new("int[]?", "null", "null"),
        new("int[]?", "[]", ""),
        new("int[]?", "[1, 2]", "01000000 02000000"),
        new("bool[]?", "[true, false]", "01 00"),
        new("List<DateTimeOffset>?", "[new DateTimeOffset(600_000_010, TimeSpan.FromMinutes(1))]", "0A00000000000000 0100"),
        new("List<int?>?", "[1, null]", "01 01000000 00 00000000"),
        new("string?[]?", "[\"x\", null, \"\"]", "03000000 05000000 01000000 78 FFFFFFFF 00000000"),
        new("int[][]?", "[[1], []]", "02000000 04000000 01000000 00000000"),
        new("Leaf?", "null", "null"),
        new("Leaf?", "new() { Id = 1 }", "04000100 01000000 FFFFFFFF"),
        new("List<Leaf?>?", "[new() { Name = \"x\" }, null]", "02000000 11000000 04000100 00000000 05000000 01000000 78 FFFFFFFF"),
        new("Dot", "new() { X = 1 }", "02000100 0100 FFFFFFFF"),
        new("Dot?", "new Dot { X = 1 }", "02000100 0100 FFFFFFFF"),
        new("Dot?", "null", "null"),
        new("Dot[]?", "[default]", "01000000 0A000000 02000100 0000 FFFFFFFF"),
        new("IForm?", "new Disc { Radius = 7 }", "02000100 0000 05000000 01000000 07"),
        new("IForm?", "new Box()", "02000100 2C01 04000000 00000000"),
        new("Numbered?", "new() { A = 7, B = \"x\" }", "00000400 FEFFFFFF 02000000 0700 FEFFFFFF 05000000 01000000 78"),
        new("Node?", "Node.Make()", "00000100 08000000 0400FEFF 00000000"),
        new("System.Numerics.BigInteger", "-2", "FE"),
        new("System.Numerics.BigInteger", "256", "0001"),
        new("System.Numerics.BigInteger?", "null", "null"),
        new("Version?", "new(1, 2)", "01000000 02000000 FFFFFFFF FFFFFFFF"),
        new("Version?", "new(1, 2, 3, 4)", "01000000 02000000 03000000 04000000"),
        new("Uri?", "new(\"a\", UriKind.Relative)", "01000000 61"),
        new("System.Text.StringBuilder?", "new(\"b\")", "01000000 62"),
        new("System.Collections.BitArray?", "new(9, true)", "09000000 FF01"),
        new("System.Globalization.CultureInfo?", "System.Globalization.CultureInfo.InvariantCulture", ""),
        // What earlier code has written, and what is written now.
        new("TimeZoneInfo?", "TimeZoneInfo.CreateCustomTimeZone(\"Z\", TimeSpan.FromMinutes(90), \"D\", \"S\")",
            "0C000000" + Ascii("Z;90;D;S;S;;"), IsOneOfMany: true),
        new("TimeZoneInfo?", "TimeZoneInfo.CreateCustomTimeZone(\"Z\", TimeSpan.FromMinutes(90), \"D\", \"S\")",
            "00000000 5A00 00 05000000 01000000 5A 05000000 01000000 44 05000000 01000000 53 05000000 01000000 53"),
        new("TimeZoneInfo?", "TimeZoneInfo.Utc", "03000000 555443"),
        new(
            "TimeZoneInfo?",
            "TimeZoneInfo.CreateCustomTimeZone(\"Z\", TimeSpan.FromMinutes(-90), \"\", \"\", \"\", "
                + "[TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(new(1, 1, 2), new(1, 1, 3), TimeSpan.FromMinutes(1), "
                + "TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(10_000), 5, 6), "
                    + "TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new DateTime(20_000), 10, 4, DayOfWeek.Friday), new "
                    + "TimeSpan(2))], true)",
            "00000000 A6FF 01 05000000 01000000 5A 00000000 00000000 00000000"
                + "00C0692AC9000000 0080D35492010000 0046C32300000000 0200000000000000 01 01000000 05 01 06 00 00 02000000 0A 04 01 05"),
        new("int[,]?", "new[,] { { 5, 6 } }", "01000000 02000000 05000000 06000000"),
        new("int[,]?", "new int[0, 3]", "00000000 03000000"),
        new("string?[,,]?", "new string?[,,] { { { null } } }", "01000000 01000000 01000000 FFFFFFFF"),
        new("byte[,,,]?", "new byte[1, 1, 1, 1]", "01000000 01000000 01000000 01000000 00"),
        new("(byte, string, short?)", "(1, \"x\", 2)", "01 05000000 01000000 78 01 0200"),
        new("(int, string)?", "null", "null"),
        new("(int, string)?", "(1, \"\")", "01000000 00000000"),
        new("ValueTuple<byte>", "new(1)", "01"),
        new("(byte, byte, byte, byte, byte, byte, byte, byte)", "(1, 2, 3, 4, 5, 6, 7, 8)", "0102030405060708"),
        new("Tuple<byte, string?>?", "new(1, null)", "01 FFFFFFFF"),
        new("KeyValuePair<byte, string?>", "new(1, null)", "01 FFFFFFFF"),
        new("Lazy<byte>?", "new(() => 1)", "01"),
        new("Lazy<bool>?", "new(() => true)", "01"),
        new("Lazy<System.Threading.LazyThreadSafetyMode>?", "new(() => System.Threading.LazyThreadSafetyMode.ExecutionAndPublication)",
            "02000000"),
        new("Lazy<string?>?", "new(() => null)", "FFFFFFFF"),
        new("int", "0x0102", "02000000 0102", Attribute: "[PackWith(typeof(Reversed))] "),
        new("IBeast?", "new Cat { Lives = 9 }", "02000100 0500 05000000 01000000 09", Attribute: "[PackWith(typeof(BeastPacker))] "),
        new("IBeast?", "null", "null", Attribute: "[PackWith(typeof(BeastPacker))] "),
        new("Names?", "[\"x\"]", "01000000 05000000 01000000 78"),
        new("Prices?", "new() { [\"x\"] = 7 }", "01000000 05000000 01000000 78 0700"),
        new("Steps?", "Steps.Of(1, 2)", "0100 0200"),
        new("Three", "Three.Of(1, 2, 3)", "00000100 06000000 0100 0200 0300"),
        new("Pair", "Pair.Of(\"x\", null)", "00000100 11000000 02000000 05000000 01000000 78 FFFFFFFF"),
    ];

    /// <summary>What stands for a type parameter.</summary>
    public static readonly IReadOnlyList<GoldenRow> Arguments =
    [
        new("Crate<int>?", "new() { Content = 5 }", "00000100 04000000 05000000"),
        new("Crate<DateTimeOffset>?", "new() { Content = new DateTimeOffset(600_000_010, TimeSpan.FromMinutes(1)) }",
            "00000100 0A000000 0A00000000000000 0100"),
        new("Crate<short?>?", "new() { Content = -2 }", "00000100 03000000 01 FEFF"),
        new("Crate<short?>?", "new()", "00000100 03000000 00 0000"),
        new("Crate<string>?", "new() { Content = \"x\" }", "00000100 05000000 01000000 78"),
        new("Crate<string>?", "new()", "00000100 FFFFFFFF"),
        new("Crate<int[]>?", "new() { Content = [1, 2] }", "00000100 08000000 01000000 02000000"),
        new("Crate<Leaf>?", "new() { Content = new() { Id = 1 } }", "00000100 0C000000 04000100 01000000 FFFFFFFF"),
        new("Crate<Dot?>?", "new()", "00000100 FFFFFFFF"),
        new("Crate<(byte, string)>?", "new() { Content = (1, \"\") }", "00000100 05000000 01 00000000"),
        new("Crate<Crate<byte>>?", "new() { Content = new() { Content = 1 } }", "00000100 09000000 00000100 01000000 01"),
        new("Crates<int>?", "new() { Items = [1, 2] }", "00000100 08000000 01000000 02000000"),
        new("Crates<string>?", "new() { Items = [\"x\"] }", "00000100 0D000000 01000000 05000000 01000000 78"),
    ];

    /// <summary>
    /// What the packers that are ready make. The Brotli streams hold their one byte uncompressed (RFC 7932, 9.2), as nobody would write
    /// them.
    /// </summary>
    public static readonly IReadOnlyList<GoldenRow> Ready =
    [
        new("bool[]?", "[true, false, true]", "03000000 05", Attribute: "[PackWith(typeof(BitPackedBools))] "),
        new("bool[]?", "[]", "00000000", Attribute: "[PackWith(typeof(BitPackedBools))] "),
        new("string?", "\"x\"", "01000000 78", Attribute: "[PackWith(typeof(InternedString))] ", Options: "Strings = StringEncoding.Utf16"),
        new("string?", "null", "null", Attribute: "[PackWith(typeof(InternedString))] "),
        new("string?", "\"x\"", "01000080 7800", Attribute: "[PackWith(typeof(Utf16String))] "),
        new("string?", "\"\"", "", Attribute: "[PackWith(typeof(Utf16String))] "),
        new("string?", "null", "null", Attribute: "[PackWith(typeof(Utf16String))] "),
        new("string?", "\"x\"", "01000000 78", Attribute: "[PackWith(typeof(Utf8String))] ", Options: "Strings = StringEncoding.Utf16"),
        new("byte[]?", "[0x78]", "01000000 000010 78 03", Attribute: "[PackWith(typeof(BrotliBytes))] ", IsOneOfMany: true),
        new("byte[]?", "[]", "", Attribute: "[PackWith(typeof(BrotliBytes))] "),
        new("byte[]?", "null", "null", Attribute: "[PackWith(typeof(BrotliBytes))] "),
        new("string?", "\"x\"", "01000000 000010 78 03", Attribute: "[PackWith(typeof(BrotliString))] ", IsOneOfMany: true),
        new("string?", "\"\"", "", Attribute: "[PackWith(typeof(BrotliString))] "),
    ];

    /// <summary>One of each collection, of a single element: all are the same bytes.</summary>
    public static IEnumerable<GoldenRow> Collections
        => Containers.Collections.Where(container => container.Type.EndsWith("`1", StringComparison.Ordinal))
            .Select(container => new GoldenRow(NameOf(container) + "<int>", "default!", "07000000"));

    /// <summary>Those whose elements are tuples: of the number 7 and "x".</summary>
    public static readonly IReadOnlyList<GoldenRow> Groups =
    [
        new("PriorityQueue<short, string>", "default!", "01000000 0B000000 0700 05000000 01000000 78"),
        new("System.Linq.ILookup<short, string>", "default!", "01000000 13000000 0700 0D000000 01000000 05000000 01000000 78"),
        new("System.Linq.IGrouping<short, string>", "default!", "0700 0D000000 01000000 05000000 01000000 78"),
    ];

    /// <summary>One of each dictionary, with a single entry.</summary>
    public static IEnumerable<GoldenRow> Dictionaries
        => Containers.Dictionaries.Select(
            container => new GoldenRow(NameOf(container) + "<short, string>", "default!", "01000000 0700 05000000 01000000 78"));

    public static IReadOnlyList<GoldenRow> All { get; } = [.. Values, .. Variables, .. Arguments, .. Ready, .. Collections, .. Groups,
        .. Dictionaries];

    private static GoldenRow Fixed(string type, string value, string content) => new(type, value, content, IsFixed: true);

    private static string NameOf(Container container) => container.Type[..container.Type.IndexOf('`', StringComparison.Ordinal)];

    private static string Four(string hex) => hex + hex + hex + hex;

    private static string Ascii(string text) => Convert.ToHexString(System.Text.Encoding.ASCII.GetBytes(text));
}
