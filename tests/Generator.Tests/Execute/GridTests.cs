namespace BlitQueue.Generator.Tests.Execute;

public class GridTests
{
    private const string Source = """
        [QueueMessage]
        public partial class Order
        {
            public int[,]? Numbers { get; set; }
            public string?[,,]? Texts { get; set; }
            public byte[,,,]? Bytes { get; set; }
            public int[,][]? Mixed { get; set; }
            public int[][,]? Grids { get; set; }
            public List<int[]?[,]>? Nullable { get; set; }
            public Leaf?[,]? Leaves { get; set; }
            public double?[,]? Doubles { get; set; }
            public System.Collections.Immutable.ImmutableArray<int[,]> Immutable { get; set; }
        }

        [QueueMessage] public sealed partial class Leaf { public int X { get; set; } }

        public static class Probe
        {
            public static Order Make() => new()
            {
                Numbers = new[,] { { 1, 2, 3 }, { 4, 5, 6 } }, Texts = new string?[,,] { { { "a", null } } }, Bytes = new byte[2, 1, 0, 3],
                Mixed = new int[,][] { { [1], [] } }, Grids = [new[,] { { 1 } }, new int[0, 5]],
                Nullable = [new int[]?[,] { { null, [2] } }],
                Leaves = new Leaf?[,] { { new() { X = 7 } }, { null } }, Doubles = new double?[,] { { 1, null } },
                Immutable = [new[,] { { 3 }, { 4 } }],
            };

            public static byte[] Pack() => Packer.Pack(Make());

            public static byte[] Numbers(int[,] numbers) => Packer.Pack(new Order { Numbers = numbers });

            public static bool TryUnpack(byte[] bytes)
            {
                Order? order = Make();
                try { Packer.Unpack(bytes, ref order); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                var from = Make();
                Order? to = null;
                for (var round = 0; round < 2; round++)
                {
                    Packer.Unpack(Packer.Pack(in from), ref to);
                    Xunit.Assert.Equal(from.Numbers, to!.Numbers);
                    Xunit.Assert.Equal(from.Texts, to.Texts);
                    Xunit.Assert.Equal(from.Bytes, to.Bytes);
                    Xunit.Assert.Equal(0, to.Bytes!.GetLength(2));
                    Xunit.Assert.Equal(from.Mixed![0, 0], to.Mixed![0, 0]);
                    Xunit.Assert.Equal(from.Grids, to.Grids);
                    Xunit.Assert.Null(to.Nullable![0][0, 0]);
                    Xunit.Assert.Equal([2], to.Nullable[0][0, 1]!);
                    Xunit.Assert.Equal(7, to.Leaves![0, 0]!.X);
                    Xunit.Assert.Null(to.Leaves[1, 0]);
                    Xunit.Assert.Equal(from.Doubles, to.Doubles);
                    Xunit.Assert.Equal(from.Immutable[0], to.Immutable[0]);
                }

                var (numbers, leaf) = (to!.Numbers, to.Leaves![0, 0]);
                Packer.Unpack(Packer.Pack(in from), ref to);
                Xunit.Assert.Same(numbers, to.Numbers);
                Xunit.Assert.Same(leaf, to.Leaves![0, 0]);

                Packer.Unpack(Numbers(new int[1, 6]), ref to);
                Xunit.Assert.Equal(6, to.Numbers!.GetLength(1));
                Xunit.Assert.Null(to.Texts);
                Xunit.Assert.StartsWith(
                    "#0{Numbers:grid2<i32>,Texts:grid3<string>,Bytes:grid4<u8>,Mixed:grid2<list<i32>>,Grids:list<grid2<i32>>,",
                    Order.Schema.Text);
            }
        }
        """;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Source);

    [Fact]
    public void Every_grid_comes_back() => Loaded.Call<object>("Run");

    [Fact]
    public void The_bytes_are_lengths_and_elements()
        => Assert.StartsWith("00000900100000000100000002000000" + "0500000006000000FFFFFFFF",
            Convert.ToHexString(Loaded.Call<byte[]>("Numbers", new[,] { { 5, 6 } })));

    [Theory]
    [InlineData(0xFFFFFFFF, 0xFFFFFFFF)]
    [InlineData(0x80000000, 2)]
    [InlineData(0x10000, 0x10000)]
    [InlineData(0xFFFFFFFF, 0)]
    [InlineData(2, 2)]
    [InlineData(0, 1)]
    public void Lengths_that_cannot_be_are_refused(uint first, uint second)
    {
        byte[] bytes = Loaded.Call<byte[]>("Numbers", new[,] { { 5, 6 } });
        BitConverter.TryWriteBytes(bytes.AsSpan(8), first);
        BitConverter.TryWriteBytes(bytes.AsSpan(12), second);
        Assert.False(Loaded.Call<bool>("TryUnpack", bytes));
    }

    [Fact]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours()
    {
        byte[] bytes = Loaded.Call<byte[]>("Pack");
        Assert.True(Loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(Loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(15);
        for (int i = 0; i < 3000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            Loaded.Call<bool>("TryUnpack", hostile);
        }
    }
}
