using System.Runtime.CompilerServices;

namespace BlitQueue.Generator.Tests.Execute;

/// <summary>
/// The deepest message needs little stack, and a stack that does not suffice is an exception instead of the process's end.
/// </summary>
public class StackTests
{
    private const int Deepest = 64, Mebibyte = 1 << 20;

    private const string Types = """
        [QueueMessage]
        public partial class Level
        {
            public long Id { get; set; }
            public decimal Price { get; set; }
            public DateTimeOffset? When { get; set; }
            public string? Name { get; set; }
            public List<string?>? Names { get; set; }
            public Dictionary<int, decimal>? Prices { get; set; }
            public (bool, string?)? Pair { get; set; }
            public int[]? Keys { get; set; }
            public List<Level?>? Many { get; set; }
            public Dictionary<string, Level?>? ByName { get; set; }
            public Level? Next { get; set; }
        }

        [QueueMessage] public partial class Short { public long Id { get; set; } public decimal Price { get; set; } }

        [QueueMessage, PackUnion(0, typeof(Box))] public partial interface IShape;
        [QueueMessage] public sealed partial class Box : IShape { public int Value { get; set; } public IShape? Inner { get; set; } }

        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Late { [PackOrder(1)] public decimal Price { get; set; } [PackOrder(5)] public Late? Next { get; set; } }

        [QueueMessage(Layout = PackLayout.CircularReference)]
        public partial class Ring { public int Value { get; set; } public Ring? Next { get; set; } }
        """;

    private const string Probe = """
        using BlitQueue.Views;

        public static class Probe
        {
            public static Level Levels(int depth)
            {
                Level? level = null;
                for (var i = 0; i < depth; i++)
                {
                    var above = new Level { Id = i, Price = i, When = DateTimeOffset.UnixEpoch, Name = "n" + i, Names = ["a", null],
                        Prices = new() { [1] = 2 }, Pair = (true, "p"), Keys = [7] };
                    // By turns the ways in which a message can be inside of another.
                    if (i % 3 == 0) above.Next = level;
                    else if (i % 3 == 1) above.Many = [level];
                    else above.ByName = new() { ["next"] = level };
                    level = above;
                }
                return level!;
            }

            public static int Depth(Level? level) => level is null ? 0 : 1 + Depth(Next(level));

            private static Level? Next(Level level) => level.Next ?? level.Many?[0] ?? level.ByName?["next"];

            private static int Walk(Level.View view)
            {
                if (view.IsNull) return 0;
                _ = view.Id + view.Price + view.Names.Count + view.Prices.Count + view.Keys.Span.Length + view.Name.Length;
                _ = view.When;
                if (!view.Next.IsNull) return 1 + Walk(view.Next);
                foreach (var many in view.Many) return 1 + Walk(many);
                foreach (var (_, named) in view.ByName) return 1 + Walk(named);
                return 1;
            }

            private static int Walk(IShape.View view) => view.TryGetBox(out var box) ? 1 + Walk(box.Inner) : 0;

            private static int Walk(Late.View view) => view.IsNull ? 0 : 1 + Walk(view.Next);

            private static int Walk(Ring.View view) => view.IsNull ? 0 : 1 + Walk(view.Next);

            public static void Whole(int depth)
            {
                var level = Levels(depth);
                var packed = Packer.Pack(level);
                var read = Packer.Unpack<Level>(packed);
                Xunit.Assert.Equal(depth, Depth(read));
                Packer.Unpack(packed, ref read);
                Xunit.Assert.Equal(depth, Depth(read));
                var view = new Level.View(packed);
                Xunit.Assert.Equal(depth, Walk(view));
                Xunit.Assert.Equal(depth, Depth(view.ToObject()));
                view.CopyTo(ref read);
                // Skipped, because the type does not know it.
                Xunit.Assert.Equal(depth - 1, Packer.Unpack<Short>(packed)!.Id);
            }

            // A union and its case count as two.
            public static void Shapes(int depth)
            {
                IShape? shape = null;
                for (var i = 0; i < depth / 2; i++) shape = new Box { Inner = shape };
                var packed = Packer.Pack(shape);
                Packer.Unpack(packed, ref shape);
                Xunit.Assert.Equal(depth / 2, Walk(new IShape.View(packed)));
            }

            public static void Others(int depth)
            {
                Late? late = null;
                Ring? ring = null;
                for (var i = 0; i < depth; i++)
                {
                    late = new() { Next = late };
                    ring = new() { Next = ring };
                }
                byte[] lates = Packer.Pack(late), rings = Packer.Pack(ring);
                Packer.Unpack(lates, ref late);
                Packer.Unpack(rings, ref ring);
                Xunit.Assert.Equal(depth, Walk(new Late.View(lates)));
                Xunit.Assert.Equal(depth, Walk(new Ring.View(rings)));
            }

            public static byte[] Packed(int depth) => Packer.Pack(Levels(depth));

            public static void Pack(Level level) => Packer.Pack(level);

            public static void Unpack(byte[] packed) => Packer.Unpack<Level>(packed);

            public static void View(byte[] packed) => Walk(new Level.View(packed));

            public static int Hungry(byte[] packed) => Hungry(new Late.View(packed));

            public static byte[] PackedLate(int depth)
            {
                Late? late = null;
                for (var i = 0; i < depth; i++) late = new() { Next = late };
                return Packer.Pack(late);
            }

            // A walk whose frames would need two megabytes.
            private static int Hungry(Late.View view)
            {
                Span<byte> large = stackalloc byte[32 << 10];
                large.Fill(1);
                return view.IsNull ? 0 : large[7] + Hungry(view.Next);
            }
        }
        """;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Types, Probe);

    [Theory]
    [InlineData("Whole")]
    [InlineData("Shapes")]
    [InlineData("Others")]
    public void The_deepest_message_of_every_layout_fits_a_stack_of_one_mebibyte(string method) =>
        Assert.Null(OnThread(Mebibyte, () => Loaded.Call<object>(method, Deepest)));

    [Theory]
    [InlineData("Pack")]
    [InlineData("Unpack")]
    [InlineData("View")]
    public void Too_small_a_stack_is_an_exception(string method)
    {
        object deep = method == "Pack" ? Loaded.Call<object>("Levels", Deepest) : Loaded.Call<byte[]>("Packed", Deepest);
        object flat = method == "Pack" ? Loaded.Call<object>("Levels", 8) : Loaded.Call<byte[]>("Packed", 8);
        // Compiling needs more stack than running.
        Loaded.Call<object>(method, deep);
        Assert.Null(OnThread(Mebibyte, () => AtTheEnd(() => Loaded.Call<object>(method, flat))));
        Exception? thrown = OnThread(Mebibyte, () => AtTheEnd(() => Loaded.Call<object>(method, deep)));
        Assert.Contains("8 messages are inside each other", Assert.IsType<InsufficientExecutionStackException>(thrown).Message);
    }

    [Fact]
    public void A_walk_with_large_frames_ends_in_an_exception()
    {
        byte[] packed = Loaded.Call<byte[]>("PackedLate", Deepest);
        Exception? thrown = OnThread(Mebibyte, () => Loaded.Call<int>("Hungry", packed));
        Assert.IsType<InsufficientExecutionStackException>(thrown);
    }

    // Calls where the stack has just as much left as the runtime warns of, however little the compiled code takes.
    private static int AtTheEnd(Action action)
    {
        Span<byte> some = stackalloc byte[1024];
        some.Clear();
        if (RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            return some[0] + AtTheEnd(action);
        }
        action();
        return some[0];
    }

    private static Exception? OnThread(int stack, Action action)
    {
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(action), stack);
        thread.Start();
        thread.Join();
        return thrown is InvalidOperationException { InnerException: { } inner } ? inner : thrown;
    }
}
