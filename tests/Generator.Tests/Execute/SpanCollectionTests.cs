namespace BlitQueue.Generator.Tests.Execute;

public class SpanCollectionTests
{
    private const string Source = """
        using System.Buffers;
        using System.Collections.Immutable;
        using System.Linq;

        [QueueMessage]
        public partial class Order
        {
            public Memory<T> Memory { get; set; }
            public Memory<T>? Some { get; set; }
            public Memory<T>? None { get; set; }
            public ReadOnlyMemory<T> ReadOnlyMemory { get; set; }
            public ArraySegment<T> Segment { get; set; }
            public ReadOnlySequence<T> Sequence { get; set; }
            public ImmutableArray<T> Array { get; set; }
            public List<ImmutableArray<T>>? Arrays { get; set; }
        }

        [QueueMessage] public sealed partial record Leaf(string Name);

        public sealed class Piece : ReadOnlySequenceSegment<T>
        {
            public Piece(T[] items, T[] more)
            {
                Memory = items;
                Next = more.Length == 0 ? null : new Piece(more, []) { RunningIndex = items.Length };
            }
        }

        public static class Probe
        {
            public static Order Make()
            {
                T[] all = %ITEMS%;
                var first = new Piece(all[..1], all[1..]);
                return new()
                {
                    Memory = all, Some = all.AsMemory(1), ReadOnlyMemory = all.AsMemory(0, 1), Segment = new(all, 1, 1),
                    Sequence = new(first, 0, (Piece)first.Next!, all.Length - 1), Array = [.. all], Arrays = [[.. all], default, []],
                };
            }

            public static byte[] Pack() => Packer.Pack(Make());

            public static bool TryUnpack(byte[] bytes)
            {
                Order? order = Make();
                try { Packer.Unpack(bytes, ref order); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                T[] all = %ITEMS%;
                Order? to = null;
                for (var round = 0; round < 2; round++)
                {
                    Packer.Unpack(Pack(), ref to);
                    Xunit.Assert.Equal(all, to!.Memory.ToArray());
                    Xunit.Assert.Equal(all[1..], to.Some!.Value.ToArray());
                    Xunit.Assert.Null(to.None);
                    Xunit.Assert.Equal(all[..1], to.ReadOnlyMemory.ToArray());
                    Xunit.Assert.Equal(all[1..2], to.Segment.ToArray());
                    Xunit.Assert.Equal(all, to.Sequence.ToArray());
                    Xunit.Assert.Equal(all, to.Array.ToArray());
                    Xunit.Assert.Equal(all, to.Arrays![0].ToArray());
                    Xunit.Assert.True(to.Arrays[1].IsDefault);
                    Xunit.Assert.True(to.Arrays[2].IsEmpty);
                }

                Packer.Unpack(Packer.Pack(new Order()), ref to);
                Xunit.Assert.True(to.Memory.IsEmpty && to.ReadOnlyMemory.IsEmpty && to.Sequence.IsEmpty);
                Xunit.Assert.True(to.Array.IsDefault && to.Segment.Array is null && to.Arrays is null);
            }
        }
        """;

    [Theory]
    [InlineData("byte", "[1, 2, 3]")]
    [InlineData("bool", "[true, false]")]
    [InlineData("int?", "[1, null]")]
    [InlineData("string", "[\"a\", \"b\"]")]
    [InlineData("Leaf", "[new(\"a\"), new(\"b\")]")]
    [InlineData("(int, string)", "[(1, \"a\"), (2, \"b\")]")]
    public void Every_view_of_memory_comes_back(string type, string items)
    {
        var loaded = LoadedAssembly.Of(Source.Replace("%ITEMS%", items).Replace("T[]", type + "[]").Replace("<T>", $"<{type}>"));
        loaded.Call<object>("Run");

        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        var random = new Random(13);
        for (int i = 0; i < 1000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            loaded.Call<bool>("TryUnpack", hostile);
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..random.Next(bytes.Length)]));
        }
    }
}
