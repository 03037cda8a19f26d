using System.Buffers;
using System.Collections;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using System.Numerics;
using BlitQueue.Peers.Models;

namespace BlitQueue.Peers;

/// <summary>Values, texts and collections through both.</summary>
public sealed class ValueTests
{
    [Fact, Row("numbers, times, enums, `Guid`, `Rune`, vectors, nullables")]
    public void Numbers_are_preserved()
    {
        Both.AssertPreserved(new Numbers());
        Both.AssertPreserved(new Numbers
        {
            Truth = true, Byte = 1, SByte = -2, Short = -3, UShort = 4, Char = 'ä', Int = int.MinValue, UInt = uint.MaxValue,
            Long = long.MinValue, ULong = ulong.MaxValue, Float = -0.5f, Double = double.Epsilon, Decimal = 12.340m,
            Half = (Half)1.5, Int128 = Int128.MinValue,
            UInt128 = UInt128.MaxValue, Guid = Guid.Parse("6f9619ff-8b86-d011-b42d-00c04fc964ff"),
            DateTime = new DateTime(2024, 2, 29, 12, 34, 56, DateTimeKind.Utc),
            DateTimeOffset = new DateTimeOffset(2024, 3, 1, 8, 0, 0, TimeSpan.FromHours(5.5)),
            DateOnly = new DateOnly(2024, 2, 29), TimeOnly = new TimeOnly(23, 59), TimeSpan = TimeSpan.FromTicks(-1), Rune = new(0x1F680),
            Complex = new Complex(1, -1), Vector = new Vector3(1, 2, 3), Matrix = Matrix4x4.Identity, Colour = Colour.Red, Some = 5,
        });
    }

    [Fact, Row("`Version`, `Uri`, `BitArray`, `StringBuilder`, `CultureInfo`, `Lazy`, tuples, `KeyValuePair`")]
    public void Known_types_are_preserved()
    {
        Both.AssertPreserved(new KnownTypes
        {
            Version = new Version(1, 2, 3), Uri = new Uri("https://example.org/a?b=c"), Bits = new BitArray([true, false, true]),
            Builder = new("text"), Culture = CultureInfo.InvariantCulture, Pair = new(1, "one"), Tuple = new(2, null),
            Wide = (1, "a", 3, 4, 5, 6, 7, "h"),
        });
        var given = new LazyNumber { Number = new(static () => 5) };
        Assert.Equal((5, 5), (Both.ThroughPeer(given)!.Number!.Value, Both.ThroughOurs(given)!.Number!.Value));
    }

    [Fact, Row("`BigInteger`", Differs = true)]
    public void Large_numbers_come_back_here()
    {
        var given = new Box<BigInteger> { Value = BigInteger.Pow(-7, 99) };
        Assert.Equal(BigInteger.Zero, Both.ThroughPeer(given)!.Value);
        Assert.Equal(given.Value, Both.ThroughOurs(given)!.Value);
    }

    [Fact, Row("`Type`", Differs = true)]
    public void Types_are_preserved_there_alone()
        => Assert.Equal(typeof(ValueTests), Both.ThroughPeer(typeof(ValueTests)));

    [Fact, Row("`TimeZoneInfo`", Differs = true)]
    public void Zones_of_the_system_come_back_here()
    {
        foreach (TimeZoneInfo zone in TimeZoneInfo.GetSystemTimeZones())
        {
            Assert.True(Both.ThroughOurs(new Zone { Where = zone })!.Where!.HasSameRules(zone), zone.Id);
        }
        if (OperatingSystem.IsLinux())
        {
            Assert.ThrowsAny<Exception>(() => Both.ThroughPeer(new Zone { Where = TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin") }));
        }
    }

    [Theory, Row("strings: null, empty, any script")]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("simple")]
    [InlineData("Zoë 日本 🚀")]
    public void Texts_are_preserved(string? text) => Both.AssertPreserved(new Texts { Text = text, Array = [text, "", null] });

    [Fact, Row("UTF-8 or UTF-16", Differs = true)]
    public void Encodings_are_a_choice_of_the_call_there_and_of_the_type_here()
    {
        const string Lone = "a\ud800b";
        byte[] utf16 = MemoryPackSerializer.Serialize(new Texts { Text = Lone }, MemoryPackSerializerOptions.Utf16);
        Assert.Equal(Lone, MemoryPackSerializer.Deserialize<Texts>(utf16)!.Text);
        Assert.Equal(Lone, Both.ThroughOurs(new WideText { Text = Lone })!.Text);
        Assert.Equal("a\ufffdb", Both.ThroughOurs(new Texts { Text = Lone })!.Text);
    }

    [Fact, Row("encodings per member")]
    public void Encodings_are_a_choice_of_the_member()
    {
        var given = new WideMember { Narrow = "n", Wide = "a\ud800b" };
        Both.AssertPreserved(given);
    }

    [Fact, Row("interned strings", Differs = true)]
    public void Interned_texts_are_one_object()
    {
        string text = string.Intern("interned text");
        var given = new Interned { Text = new string(text) };
        Assert.Same(text, Both.ThroughPeer(given)!.Text);
        Assert.Same(Both.ThroughOurs(given)!.Text, Both.ThroughOurs(given)!.Text);
        Assert.NotSame(text, Both.ThroughOurs(given)!.Text);
    }

    [Fact, Row("arrays: of values, strings, messages; jagged; of up to 4 dimensions; `Memory`, `ArraySegment`")]
    public void Arrays_are_preserved() => Both.AssertPreserved(new Arrays
    {
        Numbers = [1, 2], Texts = ["a", null], Messages = [new() { Text = "m" }, null], Jagged = [[1], null, []], Nullable = [1, null],
        Two = new[,] { { 1, 2, 3 }, { 4, 5, 6 } }, Three = new[, ,] { { { "a" }, { null } } }, Four = new byte[1, 2, 1, 2],
        Memory = new byte[] { 1, 2 },
        Segment = new int[] { 7 },
    });

    [Fact, Row("collections of the framework, concurrent ones among them")]
    public void Collections_are_preserved() => Both.AssertPreserved(new Collections
    {
        List = ["a", null], Stack = new([1, 2, 3]), Queue = new([1, 2, 3]), Linked = new([1, 2]), Set = [3, 1], Sorted = [3, 1],
        Collection = [1],
        Observable = [2],
        ReadOnly = new([3]), ConcurrentQueue = new([1, 2]), ConcurrentStack = new([1, 2]), Bag = [4, 5], Dictionary = new() { ["a"] = 1 },
        SortedDictionary = new() { [2] = null, [1] = "x" }, SortedList = new() { [2] = "y" }, Concurrent = new() { [1] = 2 },
    });

    [Fact, Row("`PriorityQueue`")]
    public void Priorities_are_preserved()
    {
        var given = new Collections { Priorities = new([("late", 9), ("soon", 1)]) };
        Assert.Equal("soon", Both.ThroughPeer(given)!.Priorities!.Dequeue());
        Assert.Equal("soon", Both.ThroughOurs(given)!.Priorities!.Dequeue());
    }

    [Fact, Row("immutable and frozen collections")]
    public void Immutables_are_preserved() => Both.AssertPreserved(new Immutables
    {
        Array = [1, 2], List = [1], Queue = [1, 2], Stack = [1, 2], Set = [1], Sorted = [2, 1],
        Dictionary = ImmutableDictionary<int, string?>.Empty.Add(1, "a"),
        SortedDictionary = ImmutableSortedDictionary<int, string?>.Empty.Add(1, "b"), FrozenSet = new[] { 1 }.ToFrozenSet(),
        FrozenDictionary = new Dictionary<int, string?> { [1] = "c" }.ToFrozenDictionary(),
    });

    [Fact, Row("interfaces of collections")]
    public void Interfaces_are_preserved()
    {
        var given = new Interfaces
        {
            Enumerable = [1, 2], Collection = [1], ReadOnlyCollection = [2], List = [3], ReadOnlyList = [4],
            Dictionary = new Dictionary<int, string?> { [1] = "a" },
            ReadOnlyDictionary = new Dictionary<int, string?> { [2] = null },
            Set = new HashSet<int> { 1 }, ReadOnlySet = new HashSet<int> { 2 },
            Lookup = new[] { "a", "bb", "cc" }.ToLookup(static text => text.Length),
        };
        foreach (Interfaces? got in new[] { Both.ThroughPeer(given), Both.ThroughOurs(given) })
        {
            Assert.Equal([1, 2], got!.Enumerable!);
            Assert.Equal([1, 2, 3, 4], [.. got.Collection!, .. got.ReadOnlyCollection!, .. got.List!, .. got.ReadOnlyList!]);
            Assert.Equal(("a", (string?)null), (got.Dictionary![1], got.ReadOnlyDictionary![2]));
            Assert.True(got.Set!.Contains(1) && got.ReadOnlySet!.Contains(2));
            Assert.Equal(["bb", "cc"], got.Lookup![2]);
        }
    }

    [Fact, Row("a collection class of one's own, as a member", Differs = true)]
    public void Own_collections_are_preserved()
    {
        // There it is marked with GenerateType.Collection; here it is packed as what it is.
        Both.AssertPreserved(new Named { Names = ["a", "b"] });
    }

    [Fact, Row("structs: blitted, and with references")]
    public void Structs_are_preserved()
    {
        Both.AssertPreserved(new Simple { X = 1, Y = 2 });
        Both.AssertPreserved(new WithText { X = 1, Text = "a" });
    }

    [Fact, Row("structs with padding", Differs = true)]
    public void Padded_structs_are_messages_here()
        => Both.AssertPreserved(new WithPadded { One = new() { Small = 1, Large = 2 }, Many = [new() { Small = 3, Large = 4 }] });

    [Fact, Row("inline arrays as members")]
    public void Inline_arrays_are_preserved()
    {
        var given = new WithInline();
        Four four = default;
        four[0] = 1;
        four[3] = 4;
        given.Four = four;
        Assert.Equal((1, 4), (Both.ThroughPeer(given)!.Four[0], Both.ThroughPeer(given)!.Four[3]));
        Assert.Equal((1, 4), (Both.ThroughOurs(given)!.Four[0], Both.ThroughOurs(given)!.Four[3]));
    }

    [Fact, Row("bytes in several segments")]
    public void Segments_are_read()
    {
        var given = new Texts { Text = new string('x', 100), Array = ["a", "b"] };
        string text = Both.Describe(given);
        Assert.Equal(text, Both.Describe(MemoryPackSerializer.Deserialize<Texts>(Segment.Split(MemoryPackSerializer.Serialize(given), 7))));
        Assert.Equal(text, Both.Describe(Packer.Unpack<Texts>(Segment.Split(Packer.Pack(given), 7))));
    }

    [Fact, Row("into an `IBufferWriter<byte>`")]
    public void Buffers_are_written()
    {
        var peer = new ArrayBufferWriter<byte>();
        MemoryPackSerializer.Serialize(peer, new Texts { Text = "a" });
        Assert.Equal("a", MemoryPackSerializer.Deserialize<Texts>(peer.WrittenSpan)!.Text);

        var ours = new ArrayBufferWriter<byte>();
        Packer.Pack(ours, new Texts { Text = "a" });
        Assert.Equal("a", Packer.Unpack<Texts>(ours.WrittenSpan)!.Text);
    }

    [Fact, Row("into a struct that is an `IBufferWriter<byte>`", Differs = true)]
    public void A_struct_is_copied_before_it_is_written_to()
    {
        var peer = new Counter();
        MemoryPackSerializer.Serialize(peer, new Texts { Text = "a" });
        Assert.True(peer.Written > 0);

        IBufferWriter<byte> ours = new Counter();
        Packer.Pack(ours, new Texts { Text = "a" });
        Assert.True(((Counter)ours).Written > 0);
    }
}
