namespace BlitQueue.Generator.Tests.Execute;

/// <summary>What takes more memory than its bytes warrant is refused by who packs it, and by who unpacks it all the same.</summary>
public class MemoryLimitTests
{
    private const string Source = """
        using System.Collections.Concurrent;
        using System.Collections.Immutable;
        using System.Linq;

        public struct Kilobyte { public System.Numerics.Matrix4x4 A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P; }
        [QueueMessage] public partial struct Large { public Kilobyte Block { get; set; } public string? Name { get; set; } }
        [QueueMessage] public partial class Box<T> { public T[]? Array { get; set; } public ConcurrentQueue<T>? Queue { get; set; }
            public ImmutableList<T>? Built { get; set; } public Dictionary<int, T>? Map { get; set; } }

        [QueueMessage]
        public partial class Order
        {
            public List<Large?>? List { get; set; }
            public Large?[]? Array { get; set; }
            public Large?[,]? Grid { get; set; }
            public ConcurrentQueue<Large?>? Queue { get; set; }
            public ISet<(int, Large?)>? Set { get; set; }
            public ImmutableList<Large?>? Built { get; set; }
            public Dictionary<int, Large?>? Map { get; set; }
            public ImmutableDictionary<int, Large?>? BuiltMap { get; set; }
            public Box<Large?>? Box { get; set; }
            [PackWith(typeof(BrotliBytes))] public List<byte[]>? Bytes { get; set; }
            [PackWith(typeof(BrotliString))] public List<string>? Texts { get; set; }
            public List<ConcurrentQueue<int>>? Empty { get; set; }
            public List<byte>? Ballast { get; set; }
        }

        public static class Probe
        {
            static readonly (string Name, Func<int, Order> Of)[] Makers =
            [
                ("List", n => new() { List = [.. new Large?[n]] }),
                ("Array", n => new() { Array = new Large?[n] }),
                ("Grid", n => new() { Grid = new Large?[2, n / 2] }),
                ("Queue", n => new() { Queue = new(new Large?[n / 4]) }),
                ("Set", n => new() { Set = new HashSet<(int, Large?)>(Enumerable.Range(0, n / 4).Select(i => (i, (Large?)null))) }),
                ("Built", n => new() { Built = [.. new Large?[n / 2]] }),
                ("Map", n => new() { Map = Enumerable.Range(0, n / 4).ToDictionary(i => i, _ => (Large?)null) }),
                ("BuiltMap", n => new() { BuiltMap = Enumerable.Range(0, n / 5).ToImmutableDictionary(i => i, _ => (Large?)null) }),
                ("Box.Array", n => new() { Box = new() { Array = new Large?[n] } }),
                ("Box.Queue", n => new() { Box = new() { Queue = new(new Large?[n / 4]) } }),
                ("Box.Built", n => new() { Box = new() { Built = [.. new Large?[n / 2]] } }),
                ("Box.Map", n => new() { Box = new() { Map = Enumerable.Range(0, n / 4).ToDictionary(i => i, _ => (Large?)null) } }),
                ("Bytes", n => new() { Bytes = [new byte[n << 9], new byte[n << 9]] }),
                ("Texts", n => new() { Texts = [new string('a', n * 170), new string('a', n * 170)] }),
            ];

            // 48 MiB are 48 K of them; what is right below that comes back, in no more than 64 MiB.
            public static void Below()
            {
                foreach (var (name, of) in Makers)
                {
                    var bytes = Packer.Pack(of(45_000));
                    var before = GC.GetAllocatedBytesForCurrentThread();
                    var order = Packer.Unpack<Order>(bytes);
                    var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
                    Xunit.Assert.True(allocated < 64 << 20, $"{name}: {allocated}");
                    Xunit.Assert.Equal(bytes, Packer.Pack(in order));
                }
            }

            public static void Above()
            {
                foreach (var (name, of) in Makers)
                {
                    var order = of(53_000);
                    var refused = Xunit.Assert.Throws<PackException>(() => Packer.Pack(in order));
                    Xunit.Assert.True(refused.Message.Contains("do not warrant"), name + refused.Message);

                    // Where the message has the bytes for it, it may. Nothing is left over from the message before.
                    order.Ballast = [.. new byte[1_000_000]];
                    var bytes = Packer.Pack(in order);
                    Xunit.Assert.NotNull(Packer.Unpack<Order>(bytes));
                }
            }

            public static void Queue()
            {
                var path = System.IO.Directory.CreateTempSubdirectory().FullName;
                try
                {
                    using var queue = MappedQueue<Order>.Open(path);
                    Xunit.Assert.Throws<PackException>(() => queue.Enqueue(new Order { Array = new Large?[60_000] }));
                    queue.Enqueue(new Order { Array = new Large?[3] });
                    Order? order = null;
                    Xunit.Assert.True(queue.TryDequeue(ref order));
                    Xunit.Assert.Equal(3, order!.Array!.Length);
                }
                finally { System.IO.Directory.Delete(path, recursive: true); }
            }

            // Twelve streams of 32 MiB of zeros, as in a message that nobody would pack; and seventy thousand empty queues.
            public static void Hostile()
            {
                var one = Packer.Pack(new Order { Bytes = [new byte[32 << 20]] }).AsSpan();
                var at = 4 + (9 * 4);
                var element = one[(at + 8)..^12].ToArray();
                var bytes = Twelve(one, at, element, 12);
                Refused(bytes);

                var empty = Packer.Pack(new Order { Empty = [new()] }).AsSpan();
                Refused(Twelve(empty, 4 + (11 * 4), [0, 0, 0, 0], 150_000));
            }

            static byte[] Twelve(ReadOnlySpan<byte> message, int at, byte[] element, int count)
            {
                List<byte> bytes = [.. message[..at]];
                bytes.AddRange(BitConverter.GetBytes(4 + (count * element.Length)));
                bytes.AddRange(BitConverter.GetBytes(count));
                for (var i = 0; i < count; i++)
                    bytes.AddRange(element);
                bytes.AddRange(message[(at + 8 + element.Length)..]);
                return [.. bytes];
            }

            static void Refused(byte[] bytes)
            {
                var before = GC.GetAllocatedBytesForCurrentThread();
                var refused = Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes));
                Xunit.Assert.Contains("do not warrant", refused.Message);
                Xunit.Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 64 << 20);
            }
        }
        """;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Source);

    [Fact]
    public void What_is_below_the_limit_comes_back() => Loaded.Call<object>("Below");

    [Fact]
    public void What_is_above_it_is_refused_where_it_is_packed() => Loaded.Call<object>("Above");

    [Fact]
    public void A_queue_that_refused_one_goes_on() => Loaded.Call<object>("Queue");

    [Fact]
    public void Bytes_that_nobody_packs_are_refused() => Loaded.Call<object>("Hostile");
}
