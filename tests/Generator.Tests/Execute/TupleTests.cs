namespace BlitQueue.Generator.Tests.Execute;

public class TupleTests
{
    [Fact]
    public void Every_tuple_comes_back() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Tuples
        {
            public (int Id, string Name) Named { get; set; }
            public (int, string)? Some { get; set; }
            public (int, string)? None { get; set; }
            public (int, int, int, int, int, int, int, string, long)? Long { get; set; }
            public ValueTuple<byte> One { get; set; }
            public Tuple<int, string?>? Class { get; set; }
            public Tuple<int, int, int, int, int, int, int, Tuple<string>>? LongClass { get; set; }
            public KeyValuePair<string, Leaf?> Pair { get; set; }
            public Lazy<int>? LazyNumber { get; set; }
            public Lazy<Leaf>? LazyLeaf { get; set; }
            public List<(int, (string, Leaf))>? Nested { get; set; }
            public Tuple<int>? Nothing { get; set; }
        }

        [QueueMessage] public sealed partial record Leaf(int Value);

        public static class Probe
        {
            public static void Run()
            {
                var from = new Tuples
                {
                    Named = (1, "n"), Some = (2, "s"), Long = (1, 2, 3, 4, 5, 6, 7, "8", 9), One = new(1), Class = new(3, null),
                    LongClass = new(1, 2, 3, 4, 5, 6, 7, new("8")), Pair = new("k", new(5)), LazyNumber = new(() => 6),
                    LazyLeaf = new(() => new Leaf(7)),
                    Nested = [(1, ("a", new(8)))],
                };
                Tuples? to = null;
                for (var round = 0; round < 2; round++)
                {
                    Packer.Unpack(Packer.Pack(in from), ref to);
                    Xunit.Assert.Equal((from.Named, from.Some, from.None, from.Long, from.One),
                        (to!.Named, to.Some, to.None, to.Long, to.One));
                    Xunit.Assert.Equal((from.Class, from.LongClass, from.Pair), (to.Class, to.LongClass, to.Pair));
                    Xunit.Assert.Equal((6, new Leaf(7)), (to.LazyNumber!.Value, to.LazyLeaf!.Value));
                    Xunit.Assert.Equal(from.Nested, to.Nested);
                    Xunit.Assert.Null(to.Nothing);
                }
            }
        }
        """);

    [Fact]
    public void The_bytes_are_the_parts_back_to_back() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Order { public (byte, string, short?) Tuple { get; set; }
            public Tuple<byte>? None { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(new Order { Tuple = (1, "x", 2) });
                Xunit.Assert.Equal("00000200" + "0D000000" + "01" + "050000000100000078" + "010200" + "FFFFFFFF",
                    Convert.ToHexString(bytes));
                Xunit.Assert.Equal("#0{Tuple:tuple<u8,string,i16?>,None:tuple<u8>}", Order.Schema.Text);

                bytes[4]++;
                Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes));
                Xunit.Assert.Throws<PackException>(
                    () => Packer.Unpack<Order>([0, 0, 2, 0, .. new byte[] { 255, 255, 255, 255, 255, 255, 255, 255 }]));
                for (var length = 0; length < bytes.Length; length++)
                    Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes.AsSpan(0, length)));
            }
        }
        """);

    [Fact]
    public void What_is_counted_has_the_least_size_of_its_tuple() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Order { public (Guid, Guid, Guid)[]? Many { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                // 1,000 elements need 52,000 bytes; that there are 4,000 is not enough.
                byte[] bytes = [0, 0, 1, 0, .. BitConverter.GetBytes(4004), .. BitConverter.GetBytes(1000), .. new byte[4000]];
                var before = GC.GetAllocatedBytesForCurrentThread();
                Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes));
                Xunit.Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20_000);
            }
        }
        """);

    [Fact]
    public void Lazy_runs_what_the_user_wrote() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Order { public List<Lazy<int>>? Later { get; set; } }

        public static class Probe { public static void Run() => Xunit.Assert.True(Order.Schema.RunsUserCode); }
        """);
}
