namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Messages whose objects keep their identity.</summary>
public class CircularTests
{
    private const string Types = """
        [QueueMessage(Layout = PackLayout.CircularReference)]
        public partial class Node
        {
            public int Id { get; set; }
            public Node? Parent { get; set; }
            public List<Node?>? Children { get; set; }
            public Owner? Owner { get; set; }
            public IPart? Part { get; set; }
        }

        [QueueMessage(Layout = PackLayout.CircularReference)] public sealed partial class Owner : IPart {
            public string? Name { get; set; } public Node? Home { get; set; } }
        [QueueMessage] public sealed partial class Simple : IPart {
            public Node? A { get; set; } public Node? B { get; set; } public Simple? Next { get; set; } }
        [QueueMessage, PackUnion(0, typeof(Owner)), PackUnion(1, typeof(Simple))] public partial interface IPart;
        """;

    private const string Probe = """
        public static class Probe
        {
            static Node Tree()
            {
                var root = new Node { Id = 1, Owner = new() { Name = "o" } };
                root.Parent = root;
                root.Owner.Home = root;
                root.Children = [new() { Id = 2, Parent = root, Owner = root.Owner, Part = root.Owner }, null, root];
                root.Children.Add(root.Children[0]);
                root.Part = new Simple { A = root, B = root.Children[0] };
                return root;
            }

            public static byte[] Pack() => Packer.Pack(Tree());

            public static byte[] Loop()
            {
                var node = new Node { Id = 5 };
                node.Parent = node;
                return Packer.Pack(in node);
            }

            public static bool TryUnpack(byte[] bytes)
            {
                Node? node = Tree();
                try { Packer.Unpack(bytes, ref node); return true; }
                catch (PackException) { return false; }
            }

            public static string? Fault(byte[] bytes)
            {
                try { Packer.Unpack<Node>(bytes); return null; }
                catch (PackException e) { return e.Message; }
            }

            public static object? Run()
            {
                var first = Packer.Unpack<Node>(Pack())!;
                Check(first);
                Node? given = first;
                Packer.Unpack(Pack(), ref given);
                Xunit.Assert.Same(first, given);
                Check(first);

                // One given instance in two places must not become two objects.
                var shared = new Node();
                given = new Node { Parent = shared, Children = [shared, shared] };
                given.Part = new Simple { A = given, B = given };
                var bytes = Packer.Pack(
                    new Node { Id = 1, Parent = new() { Id = 2 }, Children = [new() { Id = 3 }, new() { Id = 4 }],
                    Part = new Simple { A = new() { Id = 5 }, B = new() { Id = 6 } } });
                Packer.Unpack(bytes, ref given);
                Xunit.Assert.Same(shared, given!.Parent);
                var part = (Simple)given.Part!;
                Xunit.Assert.Equal([1, 2, 3, 4, 5, 6],
                    (int[])[given.Id, given.Parent!.Id, given.Children![0]!.Id, given.Children[1]!.Id, part.A!.Id, part.B!.Id]);

                // Identity ends with the root message, whatever the root's own layout is.
                var simple = Packer.Unpack<Simple>(Packer.Pack(new Simple { A = shared, B = shared, Next = new() { A = shared } }))!;
                Xunit.Assert.Same(simple.A, simple.B);
                Xunit.Assert.Same(simple.A, simple.Next!.A);
                Xunit.Assert.Equal(
                    Twice(shared), (byte[])[.. Packer.Pack(new Simple { A = shared }), .. Packer.Pack(in shared),
                    .. Packer.Pack(in shared)]);
                Xunit.Assert.Throws<PackException>(() => Packer.Pack<Node>(new Derived()));
                Xunit.Assert.StartsWith("#0circular{Id:i32,Parent:#0,", Node.Schema.Text);
                return null;
            }

            static byte[] Twice(Node shared)
            {
                var buffer = new System.Buffers.ArrayBufferWriter<byte>();
                var writer = new PackWriter(buffer);
                Simple.Pack(ref writer, new Simple { A = shared });
                Node.Pack(ref writer, in shared);
                Node.Pack(ref writer, in shared);
                writer.Complete();
                var reader = new PackReader(buffer.WrittenSpan);
                Simple? simple = null;
                Node? second = null;
                Node? third = null;
                Simple.Unpack(ref reader, ref simple);
                Node.Unpack(ref reader, ref second);
                Node.Unpack(ref reader, ref third);
                Xunit.Assert.NotSame(second, third);
                return buffer.WrittenSpan.ToArray();
            }

            static void Check(Node root)
            {
                Xunit.Assert.Equal(1, root.Id);
                Xunit.Assert.Same(root, root.Parent);
                Xunit.Assert.Same(root, root.Owner!.Home);
                Xunit.Assert.Equal(4, root.Children!.Count);
                var child = root.Children[0]!;
                Xunit.Assert.NotSame(root, child);
                Xunit.Assert.Equal(2, child.Id);
                Xunit.Assert.Same(root, child.Parent);
                Xunit.Assert.Same(root.Owner, child.Owner);
                Xunit.Assert.Same(root.Owner, child.Part);
                Xunit.Assert.Null(root.Children[1]);
                Xunit.Assert.Same(root, root.Children[2]);
                Xunit.Assert.Same(child, root.Children[3]);
                var simple = Xunit.Assert.IsType<Simple>(root.Part);
                Xunit.Assert.Same(root, simple.A);
                Xunit.Assert.Same(child, simple.B);
            }

            class Derived : Node;
        }
        """;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Types, Probe);

    [Fact]
    public void Shared_and_circular_references_come_back_as_they_were() => Loaded.Call<object>("Run");

    [Fact]
    public void The_bytes_of_a_repeat_are_its_number()
        => Assert.Equal(
            "04000400" + "05000000" + "08000000" + "0400FEFF" + "00000000" + "FFFFFFFF" + "FFFFFFFF" + "FFFFFFFF",
            Convert.ToHexString(Loaded.Call<byte[]>("Loop")));

    [Fact]
    public void Numbers_of_nothing_and_of_other_types_are_refused()
    {
        byte[] loop = Loaded.Call<byte[]>("Loop");
        Assert.Equal("Node.Parent: 1 is not the number of a Node before this (byte 12)", Loaded.Call<string?>("Fault", With(loop, 16, 1)));
        Assert.Contains("4278190080 is not the number of a Node", Loaded.Call<string?>("Fault", With(loop, 19, 0xFF)),
            StringComparison.Ordinal);
        Assert.Contains("is no message header (byte 12)", Loaded.Call<string?>("Fault", With(loop, 12, 3)), StringComparison.Ordinal);

        // The root's own place cannot hold a number, and no Owner has the number of a Node.
        Assert.Contains("0 is not the number of a Node", Loaded.Call<string?>("Fault", (byte[])[4, 0, 0xFE, 0xFF, 0, 0, 0, 0]),
            StringComparison.Ordinal);
        byte[] owner = [4, 0, 4, 0, 5, 0, 0, 0, .. Null, .. Null, 8, 0, 0, 0, 4, 0, 0xFE, 0xFF, 0, 0, 0, 0, .. Null];
        Assert.Contains("0 is not the number of a Owner", Loaded.Call<string?>("Fault", owner), StringComparison.Ordinal);
    }

    [Fact]
    public void Versions_read_each_other()
    {
        var old = LoadedAssembly.Of("""
            [QueueMessage(Layout = PackLayout.CircularReference)] public partial class Node {
                public int Id { get; set; } public Node? Parent { get; set; } }
            public static class Probe
            {
                public static byte[] Pack() { var node = new Node { Id = 3 }; node.Parent = node; return Packer.Pack(in node); }
                public static bool IsLoop(byte[] bytes) { var node = Packer.Unpack<Node>(bytes)!; return node.Parent == node; }
            }
            """);
        Assert.True(old.Call<bool>("IsLoop", Loaded.Call<byte[]>("Loop")));
        Assert.True(Loaded.Call<bool>("TryUnpack", old.Call<byte[]>("Pack")));
    }

    [Fact]
    public void Hostile_bytes_do_no_worse_than_an_exception_of_ours()
    {
        byte[] bytes = Loaded.Call<byte[]>("Pack");
        Assert.True(Loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(Loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        foreach (byte changed in (byte[])[0, 1, 2, 4, 0x7F, 0x80, 0xFE, 0xFF])
        {
            for (int i = 0; i < bytes.Length; i++)
            {
                Loaded.Call<bool>("TryUnpack", With(bytes, i, changed));
            }
        }

        var random = new Random(3);
        for (int i = 0; i < 10_000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 6); changes > 0; changes--)
            {
                hostile[random.Next(hostile.Length)] = (byte)random.Next(random.Next(2) == 0 ? 8 : 256);
            }

            Loaded.Call<bool>("TryUnpack", hostile);
        }
    }

    private static ReadOnlySpan<byte> Null => [0xFF, 0xFF, 0xFF, 0xFF];

    private static byte[] With(byte[] bytes, int index, byte value)
    {
        byte[] changed = (byte[])bytes.Clone();
        changed[index] = value;
        return changed;
    }
}
