namespace BlitQueue.Generator.Tests.Execute;

public class PriorityQueueTests
{
    private const string Source = """
        using System.Linq;

        [QueueMessage]
        public partial class Plan
        {
            public PriorityQueue<Task, int>? Tasks { get; set; }
            public List<PriorityQueue<string?, (int, string)>>? Deep { get; set; }
        }

        [QueueMessage] public sealed partial record Task(string Name);

        public static class Probe
        {
            public static Plan Make()
            {
                var tasks = new PriorityQueue<Task, int>();
                foreach (var (name, priority) in new[] { ("c", 3), ("a", 1), ("b1", 2), ("b2", 2), ("b3", 2), ("d", 4) })
                    tasks.Enqueue(new(name), priority);
                var deep = new PriorityQueue<string?, (int, string)>();
                deep.Enqueue(null, (2, "x"));
                deep.Enqueue("", (1, "y"));
                return new() { Tasks = tasks, Deep = [deep, new()] };
            }

            public static byte[] Pack() => Packer.Pack(Make());

            public static bool TryUnpack(byte[] bytes)
            {
                Plan? plan = Make();
                try { Packer.Unpack(bytes, ref plan); return true; }
                catch (PackException) { return false; }
            }

            static List<E> Drain<E, P>(PriorityQueue<E, P> queue)
            {
                List<E> all = [];
                while (queue.TryDequeue(out var element, out _))
                    all.Add(element);
                return all;
            }

            public static void Run()
            {
                Plan? plan = null;
                for (var round = 0; round < 3; round++)
                {
                    var given = plan?.Tasks;
                    Packer.Unpack(Pack(), ref plan);
                    if (round > 0)
                        Xunit.Assert.Same(given, plan!.Tasks);
                    Xunit.Assert.Equal(Pack(), Packer.Pack(in plan));
                }

                Xunit.Assert.Equal(Drain(Make().Tasks!), Drain(plan!.Tasks!));
                Xunit.Assert.Equal(["", null], Drain(plan.Deep![0]));
                Xunit.Assert.Equal(0, plan.Deep[1].Count);
            }

            public static void KeepsAGivenComparer()
            {
                var reversed = new PriorityQueue<Task, int>(Comparer<int>.Create((x, y) => y - x));
                Plan? plan = new() { Tasks = reversed };
                Packer.Unpack(Pack(), ref plan);
                Xunit.Assert.Same(reversed, plan.Tasks);
                Xunit.Assert.Equal("d", plan.Tasks!.Peek().Name);
                Xunit.Assert.Equal("a", Packer.Unpack<Plan>(Packer.Pack(in plan))!.Tasks!.Peek().Name);
            }
        }
        """;

    [Fact]
    public void Elements_come_out_in_the_same_order_equal_priorities_included() => LoadedAssembly.Run(Source);

    [Fact]
    public void A_given_queue_preserves_its_comparer_and_a_new_one_has_the_default()
        => LoadedAssembly.Of(Source).Call<object>("KeepsAGivenComparer");

    [Fact]
    public void It_has_the_bytes_of_a_list_of_tuples() => LoadedAssembly.Run("""
        [QueueMessage] public partial class A { public PriorityQueue<string, int>? All { get; set; } }
        [QueueMessage] public partial class B { public List<(string, int)>? All { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var queue = new PriorityQueue<string, int>();
                queue.Enqueue("x", 5);
                var bytes = Packer.Pack(new A { All = queue });
                Xunit.Assert.Equal("00000100" + "15000000" + "01000000" + "0D000000" + "05000000" + "01000000" + "78" + "05000000",
                    Convert.ToHexString(bytes));
                Xunit.Assert.Equal(Packer.Pack(new B { All = [("x", 5)] }), bytes);
                Xunit.Assert.Equal(B.Schema.Text, A.Schema.Text);
            }
        }
        """);

    [Fact]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours()
    {
        var loaded = LoadedAssembly.Of(Source);
        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(14);
        for (int i = 0; i < 5000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            loaded.Call<bool>("TryUnpack", hostile);
        }
    }
}
