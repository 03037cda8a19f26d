using System.Text;
using BlitQueue.Peers.Models;

namespace BlitQueue.Peers;

/// <summary>What else a serializer does, through both.</summary>
public sealed class ServiceTests
{
    [Fact, Row("into an instance: the object, its lists and arrays stay")]
    public void Instances_are_filled()
    {
        var given = new Lots { Numbers = [1, 2], Array = [3, 4] };
        Lots? peer = new() { Numbers = [9], Array = [0, 0] }, ours = new() { Numbers = [9], Array = [0, 0] };
        (Lots, List<int>, int[]) before = (peer, peer.Numbers, peer.Array), beforeOurs = (ours, ours.Numbers, ours.Array);
        MemoryPackSerializer.Deserialize(MemoryPackSerializer.Serialize(given), ref peer);
        Packer.Unpack(Packer.Pack(given), ref ours);
        Assert.Equal(before, (peer!, peer!.Numbers!, peer.Array!));
        Assert.Equal(beforeOurs, (ours!, ours!.Numbers!, ours.Array!));
        Assert.Equal(Both.Describe(given), Both.Describe(peer));
        Assert.Equal(Both.Describe(given), Both.Describe(ours));
    }

    [Fact, Row("into an instance: equal strings, and messages in dictionaries", Differs = true)]
    public void More_of_an_instance_stays_here()
    {
        var given = new Lots { Text = "text", Texts = new() { [1] = new() { Text = "a" } } };
        Lots? peer = Both.ThroughPeer(given), ours = Both.ThroughOurs(given);
        (string?, Texts) before = (peer!.Text, peer.Texts![1]), beforeOurs = (ours!.Text, ours.Texts![1]);
        MemoryPackSerializer.Deserialize(MemoryPackSerializer.Serialize(given), ref peer);
        Packer.Unpack(Packer.Pack(given), ref ours);
        Assert.NotSame(before.Item1, peer!.Text);
        Assert.NotSame(before.Item2, peer.Texts![1]);
        Assert.Same(beforeOurs.Item1, ours!.Text);
        Assert.Same(beforeOurs.Item2, ours.Texts![1]);
    }

    [Fact, Row("into an instance whose constructor has parameters", Differs = true)]
    public void Instances_stay_here_whatever_made_them()
    {
        var given = new Made(1) { Text = "a" };
        Made? peer = new(2), ours = new(2);
        (Made before, Made beforeOurs) = (peer, ours);
        MemoryPackSerializer.Deserialize(MemoryPackSerializer.Serialize(given), ref peer);
        Packer.Unpack(Packer.Pack(given), ref ours);
        Assert.NotSame(before, peer);
        Assert.Same(beforeOurs, ours);
        Assert.Equal((1, "a", 1, "a"), (peer!.Number, peer.Text, ours!.Number, ours.Text));
    }

    [Fact, Row("callbacks, static and of the instance", Differs = true)]
    public void Callbacks_run_in_one_order()
    {
        Called.Calls.Clear();
        Both.ThroughOurs(new Called());
        Assert.Equal(
            ["before packing", "get", "after packing", "before unpacking", "set", "after unpacking"], Called.Calls);
        Called.Calls.Clear();
        Both.ThroughPeer(new Called());
        Assert.Equal(["before packing", "get", "after packing", "set", "after unpacking"], Called.Calls);
    }

    [Fact, Row("callbacks for null, and getters while an instance is filled", Differs = true)]
    public void Nothing_is_called_without_need()
    {
        Called.Calls.Clear();
        Both.ThroughOurs<Called>(null);
        Assert.Empty(Called.Calls);
        Both.ThroughPeer<Called>(null);
        Assert.Equal(["after packing"], Called.Calls);

        Called? peer = new(), ours = new();
        Called.Calls.Clear();
        Packer.Unpack(Packer.Pack(new Called()), ref ours);
        Assert.Equal(["before packing", "get", "after packing", "before unpacking", "set", "after unpacking"], Called.Calls);
        Called.Calls.Clear();
        MemoryPackSerializer.Deserialize(MemoryPackSerializer.Serialize(new Called()), ref peer);
        Assert.Equal(
            ["before packing", "get", "after packing", "before unpacking", "get", "set", "after unpacking"], Called.Calls);
    }

    [Fact, Row("a formatter of one's own for a member")]
    public void Own_packers_are_called()
    {
        Both.AssertPreserved(new Custom { Number = 5 });
        Assert.Equal(-5, BitConverter.ToInt32(Packer.Pack(new Custom { Number = 5 }), 4 + 4));
        Assert.Equal(-5, BitConverter.ToInt32(MemoryPackSerializer.Serialize(new Custom { Number = 5 }), 1));
    }

    [Fact, Row("a formatter for a type of another assembly", Differs = true)]
    public void Packers_are_named_once()
    {
        MemoryPackFormatterProvider.Register(new MoneyFormatter());
        MemoryPackFormatterProvider.Register(new IntervalFormatter<int>());
        Both.AssertPreserved(new Bill { Total = new("a"), Parts = [new("b"), null], Days = new() });
    }

    [Fact, Row("generic formatters")]
    public void Generic_packers_serve_generic_types()
    {
        MemoryPackFormatterProvider.Register(new MoneyFormatter());
        MemoryPackFormatterProvider.Register(new IntervalFormatter<int>());
        Both.AssertPreserved(new Bill { Days = new() { From = 5 } });
    }

    [Fact, Row("constructor parameters whose names differ from members' by an underscore")]
    public void Underscores_do_not_count() => Both.AssertPreserved(new Underscored(5));

    [Fact, Row("`ref` properties", Differs = true)]
    public void References_are_set()
    {
        var given = new Referring();
        given.Number = 5;
        Assert.Equal((0, 5), (Both.ThroughPeer(given)!.Number, Both.ThroughOurs(given)!.Number));
    }

    [Fact, Row("Brotli of bytes and strings, bools as bits")]
    public void Compressed_members_are_preserved()
    {
        bool[] bools = [.. Enumerable.Range(0, 1000).Select(static i => i % 3 == 0)];
        var given = new Compressed { Bytes = new byte[10_000], Text = new string('x', 10_000), Bools = bools };
        Both.AssertPreserved(given);
        Assert.InRange(MemoryPackSerializer.Serialize(given).Length, 1, 500);
        Assert.InRange(Packer.Pack(given).Length, 1, 500);
    }

    [Fact, Row("comparers of dictionaries and sets", Differs = true)]
    public void Comparers_are_an_attribute_there_and_the_initializers_here()
    {
        var given = new Folded { Numbers = { ["a"] = 1 } };
        Assert.Equal(1, Both.ThroughPeer(given)!.Numbers["A"]);
        Assert.Equal(1, Both.ThroughOurs(given)!.Numbers["A"]);
    }

    [Fact, Row("a message to a `Stream` and back", Differs = true)]
    public async Task Streams_have_one_message_there_and_any_number_here()
    {
        using var peer = new MemoryStream();
        await MemoryPackSerializer.SerializeAsync(peer, new Texts { Text = "a" });
        peer.Position = 0;
        Assert.Equal("a", (await MemoryPackSerializer.DeserializeAsync<Texts>(peer))!.Text);

        using var ours = new MemoryStream();
        await PackStream.WriteAsync(ours, new Texts { Text = "a" });
        await PackStream.WriteAsync(ours, new Texts { Text = "b" });
        ours.Position = 0;
        Assert.Equal("a", (await PackStream.ReadAsync<Texts>(ours))!.Text);
        Assert.Equal("b", (await PackStream.ReadAsync<Texts>(ours))!.Text);
    }

    [Fact, Row("a sequence of messages, never in memory as a whole", Differs = true)]
    public async Task Sequences_need_no_count_here()
    {
        using var stream = new MemoryStream();
        await PackStream.WriteAllAsync(stream, Texts());
        stream.Position = 0;
        var got = new List<string?>();
        await foreach (Texts? text in PackStream.ReadAllAsync<Texts>(stream))
        {
            got.Add(text!.Text);
        }
        Assert.Equal(["a", "b"], got);

        static async IAsyncEnumerable<Texts> Texts()
        {
            yield return new Texts { Text = "a" };
            await Task.Yield();
            yield return new Texts { Text = "b" };
        }
    }

    [Fact, Row("bytes that are no message", Differs = true)]
    public void Bad_bytes_are_told_with_their_position_here()
    {
        byte[] bytes = Packer.Pack(new Texts { Text = "abc" });
        bytes[^5] = 0xFF;
        PackException fault = Assert.Throws<PackException>(() => Packer.Unpack<Texts>(bytes));
        Assert.Equal((Texts.Schema.Name, "Text"), (fault.MessageName, fault.Member));
    }

    [Fact, Row("what bytes may make a reader allocate", Differs = true)]
    public void Compressed_bytes_are_limited_for_the_whole_message()
    {
        var given = new List<Compressed>();
        for (int i = 0; i < 12; i++)
        {
            given.Add(new Compressed { Bytes = new byte[30 << 20] });
        }
        Assert.Throws<PackException>(() => Packer.Pack(new Box<Compressed> { Values = given }));
    }

    [Fact, Row("the bytes themselves", Differs = true)]
    public void The_bytes_are_others()
    {
        byte[] peer = MemoryPackSerializer.Serialize(new Texts { Text = "a" }), ours = Packer.Pack(new Texts { Text = "a" });
        Assert.False(peer.AsSpan().SequenceEqual(ours));
        Assert.Equal("a"u8[0], ours[^5]);
        Assert.Contains("a", Encoding.UTF8.GetString(peer), StringComparison.Ordinal);
    }
}
