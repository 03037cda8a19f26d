namespace BlitQueue.Generator.Tests.Execute;

/// <summary>The inputs that crash, mislead or leak from other serializers, each through generated code.</summary>
/// <remarks>
/// Elsewhere: lists are filled by position and drop their surplus in ReuseTests; a field type that changes in another file is in
/// Incremental/RunReasonTests; padding and memory that is not the message's are in Properties/DirtyMemoryTests and BQ0004.
/// </remarks>
public class AdversaryTests
{
    private const string Types = """
        using System.Collections;
        using System.Numerics;
        [QueueMessage] public partial class Text { public string? S { get; set; } }
        [QueueMessage(Strings = StringEncoding.Utf16)] public partial class WideText { public string? S { get; set; } }
        [QueueMessage] public partial class Node { public Node? Next { get; set; } }
        [QueueMessage] public partial class NodeList { public List<NodeList>? Next { get; set; } }
        [QueueMessage] public partial class Tuples { public (int, List<(int, Tuples?)>?) Next { get; set; } }
        [QueueMessage, PackUnion(0, typeof(Knot))] public partial interface IKnot;
        [QueueMessage] public partial class Knot : IKnot { public IKnot? Next { get; set; } }
        [QueueMessage(Layout = PackLayout.CircularReference)] public partial class Ring { public Ring? Next { get; set; } }
        [QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Tolerant {
            [PackOrder(0)] public int A { get; set; } [PackOrder(1)] public int B { get; set; } }
        [QueueMessage] public partial class Grid { public byte[,]? G { get; set; } }
        [QueueMessage] public partial class Grids { public List<byte[,]>? G { get; set; } }
        [QueueMessage] public partial class Ints { public int[]? A { get; set; } }
        [QueueMessage] public partial class IntList { public List<int>? A { get; set; } }
        [QueueMessage] public partial class Strings { public string[]? A { get; set; } }
        [QueueMessage] public partial class Set { public HashSet<int>? A { get; set; } }
        [QueueMessage] public partial class Bools { public List<bool>? A { get; set; } }
        [QueueMessage] public partial class Map { public Dictionary<string, int>? M { get; set; } }
        [QueueMessage] public partial class Big { public BigInteger B { get; set; } public byte[]? Bytes { get; set; }
            public int After { get; set; } }
        [QueueMessage] public partial class Bits { public BitArray? B { get; set; } }
        [QueueMessage] public partial class Bool { public bool V { get; set; } }
        [QueueMessage] public partial class Money { public decimal V { get; set; } }
        [QueueMessage] public partial class Offset { public DateTimeOffset V { get; set; } }
        [QueueMessage] public partial class Rune { public System.Text.Rune V { get; set; } }
        [QueueMessage] public partial class Eight { public Tuple<int, int, int, int, int, int, int, Tuple<int>>? T { get; set; } }
        [QueueMessage] public partial class Required { public required string Name { get; set; } public int Age { get; set; } = 7; }
        [QueueMessage(Layout = PackLayout.CircularReference)] public partial class Twin {
            public byte Id { get; set; } public Twin? Other { get; set; } }
        [QueueMessage] public partial class Pair { public Twin? Left { get; set; } public Inner? Right { get; set; } }
        [QueueMessage] public partial class Inner { public Twin? First { get; set; } public Twin? Second { get; set; } }

        public static class Probe
        {
            public static string? Fault<T>(byte[] bytes) where T : IPackable<T>
            {
                T? used = default;
                try { Packer.Unpack(bytes, ref used); return null; }
                catch (PackException e) { return e.Message; }
            }

            public static string? FaultOf(string type, byte[] bytes)
                => (string?)typeof(Probe).GetMethod("Fault")!.MakeGenericMethod(typeof(Probe).Assembly.GetType(type, throwOnError: true)!)
                    .Invoke(null, [bytes]);

            public static void Run()
            {
                var big = Packer.Unpack<Big>(Packer.Pack(new Big { B = 12345, After = 9 }))!;
                Xunit.Assert.Equal((new BigInteger(12345), null, 9), (big.B, big.Bytes, big.After));
                Xunit.Assert.Equal("00000100" + "09000000" + "28000000" + "FFFFFFFFFF",
                    Convert.ToHexString(Packer.Pack(new Bits { B = new(40, true) })));

                Xunit.Assert.Equal("a\uFFFDb", Packer.Unpack<Text>(Packer.Pack(new Text { S = "a\uD800b" }))!.S);
                Xunit.Assert.Equal("a\uD800b", Packer.Unpack<WideText>(Packer.Pack(new WideText { S = "a\uD800b" }))!.S);

                // An older writer's bytes without any member.
                var old = Packer.Unpack<Required>([0, 0, 0, 0])!;
                Xunit.Assert.Equal(7, old.Age);
            }

            public static void Parts()
            {
                var twin = new Twin { Id = 1 };
                var bytes = Packer.Pack(new Pair { Left = twin, Right = new() { First = new() { Id = 2 }, Second = twin } });
                var whole = Packer.Unpack<Pair>(bytes)!;
                Xunit.Assert.Same(whole.Left, whole.Right!.Second);

                // Object 0 of the part alone would be the wrong twin.
                Xunit.Assert.Equal(1, new Pair.View(bytes).ToObject()!.Right!.Second!.Id);
                Xunit.Assert.Equal(1, new Pair.View(bytes).Right.ToObject()!.Second!.Id);
                Xunit.Assert.Equal(2, new Pair.View(bytes).Right.ToObject()!.First!.Id);
                Xunit.Assert.Equal(0, new Pair.View(bytes).Right.Second.ReferenceNumber);
            }
        }
        """;

    // A million levels would need no more than this.
    private const int BombSize = 2_000_000;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Types);

    [Theory]
    [InlineData("Text", "00000100 00000080", "bytes are needed")]                                    // a length of int.MinValue
    [InlineData("Text", "00000100 07000000 06000000 616263", "")]                                    // says 6 chars, has 3
    [InlineData("Text", "00000100 07000000 03000080 616263", "")]                                    // says UTF-16
    [InlineData("Text", "00000100 07000000 02000000 616263", "")]                                    // says 2 chars, has 3
    [InlineData("Text", "00000100 07000000 01000000 616263", "")]                                    // fits 1 char, is 3
    [InlineData("WideText", "00000100 08000000 FFFFFFFF 61006200", "")]
    [InlineData("Tolerant", "00000200 9C000000 05000000", "")]                                       // a length that goes on behind the end
    [InlineData("Tolerant", "00000200 9CFFFFFF 05000000", "")]                                       // a length below zero
    [InlineData("Tolerant", "00000200 08000000 05000000 05000000 04000000 01000000", "")]            // a member of another size
    [InlineData("Tolerant", "00000100 FFFFFFFF", "")]                                                // null for a value
    [InlineData("Grid", "00000100 08000000 10270000 10270000", "")]                                  // 100 MB promised by 16 bytes
    [InlineData("Grid", "00000100 08000000 FFFFFFFF FFFFFFFF", "")]
    [InlineData("Grid", "00000100 08000000 00000080 02000000", "")]
    [InlineData("Ints", "00000100 FEFFFFFF", "")]                                                    // a count of -2
    [InlineData("Ints", "00000100 FCFFFFFF 00000000", "")]
    [InlineData("IntList", "00000100 FEFFFFFF", "")]
    [InlineData("Strings", "00000100 04000000 FFFFFFFF", "")]
    [InlineData("Strings", "00000100 04000000 00000040", "")]
    [InlineData("Set", "00000100 FEFFFFFF", "")]
    [InlineData("Map", "00000100 04000000 FFFFFF7F", "")]
    [InlineData("Big", "04000200 00000000 FFFFFFFF 00000000", "")]                                   // null for a struct
    [InlineData("Big", "04000200 00000000 FEFFFFFF 00000000", "")]
    [InlineData("Bits", "00000100 05000000 FFFFFFFF 00", "")]                                        // 4 milliard bits in a byte
    [InlineData("Bits", "00000100 05000000 09000000 FF", "")]
    [InlineData("Bool", "01000000 02", "")]
    [InlineData("Bools", "00000100 02000000 0102", "")]
    [InlineData("Money", "10000000 01000000 00000000 00000000 0000C800", "")]                        // a scale of 200
    [InlineData("Offset", "0A000000 0000000000000000 FF7F", "")]
    [InlineData("Rune", "04000000 00D80000", "")]
    [InlineData("Eight", "00000100 20000000 01000000 02000000 03000000 04000000 05000000 06000000 07000000 FFFFFFFF", "Null")]
    [InlineData("Ring", "0400FEFF 00000000", "not the number")]                                      // itself before it began
    [InlineData("Node", "FFFF0000", "")]
    [InlineData("Node", "0000FFFF", "")]
    public void It_is_refused_and_little_is_allocated(string type, string hex, string message)
    {
        byte[] bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Assert.Contains(message, Fault(type, bytes), StringComparison.Ordinal);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Fault(type, bytes);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 60_000);
    }

    [Theory]
    [InlineData("Node", "00000100")]
    [InlineData("NodeList", "00000100 L 01000000")]
    [InlineData("Tuples", "00000100 L 01000000 L 01000000 L 01000000")]
    [InlineData("Knot", "00000100 L 02000100 0000")]
    [InlineData("Ring", "00000100")]
    public void A_depth_bomb_is_refused(string type, string level)
    {
        Assert.Contains("64", Fault(type, Bomb(level)), StringComparison.Ordinal);
        foreach (byte filling in (byte[])[0x00, 0x01, 0x7F, 0x80, 0xFE])
        {
            byte[] bytes = new byte[BombSize];
            Array.Fill(bytes, filling);
            _ = Loaded.Call<string?>("FaultOf", type, bytes);
        }
    }

    [Fact]
    public void Nothing_is_lost_between_packing_and_unpacking() => Loaded.Call<object>("Run");

    [Fact]
    public void A_part_does_not_take_one_object_for_another() => Loaded.Call<object>("Parts");

    [Fact]
    public void Grids_without_elements_are_skipped_at_once()
    {
        // 1,000 grids of two milliards by nothing: to go through one of them takes a second.
        List<byte> content = [.. BitConverter.GetBytes(1000)];
        for (int i = 0; i < 1000; i++)
        {
            content.AddRange([8, 0, 0, 0, 0xC7, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0]);
        }

        Assert.Null(Loaded.Call<string?>("FaultOf", "Grids", (byte[])[0, 0, 1, 0, .. BitConverter.GetBytes(content.Count), .. content]));
    }

    // Each level's variables, at L and at its end, hold all that is left.
    private static byte[] Bomb(string level)
    {
        string[] parts = (level + " L").Split(' ');
        var bytes = new List<byte>(BombSize);
        while (bytes.Count < BombSize - 100)
        {
            foreach (string part in parts)
            {
                bytes.AddRange(part == "L" ? BitConverter.GetBytes(BombSize - bytes.Count - 4) : Convert.FromHexString(part));
            }
        }

        bytes.AddRange(new byte[BombSize - bytes.Count]);
        return [.. bytes];
    }

    private static string Fault(string type, byte[] bytes)
    {
        string? fault = Loaded.Call<string?>("FaultOf", type, bytes);
        Assert.True(fault is not null, $"{type} was read");
        return fault;
    }
}
