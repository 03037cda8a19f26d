using BlitQueue.Views;
namespace BlitQueue.Generator.Tests.Execute;

/// <summary>A view gives what unpacking gives; of other bytes a value or a PackException.</summary>
public class ViewTests
{
    private const string Order = """
        [QueueMessage]
        public partial class Order
        {
            public bool Flag { get; set; }
            public decimal Price { get; set; }
            public DateTimeOffset? When { get; set; }
            public DayOfWeek Day { get; set; }
            public Guid Key { get; set; }
            public string? Name { get; set; }
            public string? Nothing { get; set; }
            public List<string?>? Names { get; set; }
            public int[]? Numbers { get; set; }
            public List<bool>? Flags { get; set; }
            public List<DateTime?>? Dates { get; set; }
            public Order? Next { get; set; }
            public List<Order?>? Many { get; set; }
            public Dot Where { get; set; }
            public Dot? Maybe { get; set; }
            public Dot?[]? Dots { get; set; }
            public List<int[]>? Jagged { get; set; }
            public Row? Row { get; set; }
            [PackWith(typeof(VersionPacker))] public Version? Version { get; set; }
        }

        [QueueMessage] public partial struct Dot { public int X; public string? Label; }
        [QueueMessage] public sealed partial record Row(long Id, string? Name, DayOfWeek Day);

        public sealed class VersionPacker : IPacker<Version>
        {
            public static void Pack(ref PackWriter writer, scoped in Version? value) => writer.WriteString(value?.ToString());
            public static void Unpack(ref PackReader reader, scoped ref Version? value)
                => value = !Version.TryParse(reader.ReadString(), out var read) ? null : read;
        }

        public static class Sample
        {
            public static Order Full() => new()
            {
                Flag = true, Price = 1.25m, When = DateTimeOffset.UnixEpoch, Day = DayOfWeek.Friday,
                Key = new(1, 2, 3, [4, 5, 6, 7, 8, 9, 10, 11]),
                Name = "n\u00e9", Names = ["a", "", null, "\u4e2d\U0001F600"], Numbers = [1, -2], Flags = [true, false],
                Dates = [null, DateTime.UnixEpoch], Next = new() { Many = [new(), null, new() { Name = "x" }], Price = 7 },
                Where = new() { X = 3, Label = "l" }, Dots = [null, new Dot { X = 1 }], Jagged = [[1, 2], []],
                Row = new(1, "r", DayOfWeek.Monday), Version = new(1, 2, 3),
            };
        }

        """;

    // Looks at every member of an order, and of all in it, beside the unpacked one; or at all there is when there is none.
    private const string Walk = """
        public static class Look
        {
            public static void At(Order.View view, Order? order, int depth = 0)
            {
                Same(view.IsNull, order is null);
                Same(view.Flag, order?.Flag ?? default);
                Same(view.Price, order?.Price ?? default);
                Same(view.When, order?.When);
                Same(view.Day, order?.Day ?? default);
                Same(view.Key, order?.Key ?? default);
                Text(view.Name, order?.Name);
                Text(view.Nothing, order?.Nothing);
                Same(view.Version, order?.Version);

                var names = view.Names;
                Same(names.IsNull, order?.Names is null);
                Same(names.Count, order?.Names?.Count ?? 0);
                var i = 0;
                foreach (var name in names) Text(name, order!.Names![i++]);
                for (i = 0; i < names.Count; i++) Text(names[i], order!.Names![i]);

                var numbers = view.Numbers;
                Same(numbers.IsNull, order?.Numbers is null);
                Same(numbers.Span.SequenceEqual(order?.Numbers), true);
                var flags = view.Flags;
                Same(flags.Count, order?.Flags?.Count ?? 0);
                for (i = 0; i < flags.Count; i++) Same(flags[i], order!.Flags![i]);
                Same(view.Dates.ToArray(), order?.Dates?.ToArray());
                i = 0;
                foreach (var date in view.Dates) Same(date, order!.Dates![i++]);

                Dotted(view.Where, order?.Where ?? default);
                Same(view.Maybe.IsNull, order?.Maybe is null);
                Dotted(view.Maybe, order?.Maybe ?? default);
                i = 0;
                foreach (var dot in view.Dots) { Same(dot.IsNull, order!.Dots![i] is null); Dotted(dot, order.Dots[i++] ?? default); }
                i = 0;
                foreach (var inner in view.Jagged) Same(inner.ToArray(), order!.Jagged![i++]);

                Same(view.Row.IsNull, order?.Row is null);
                Same(view.Row.ToObject(), order?.Row);
                Text(view.Row.Name, order?.Row?.Name);

                if (!view.Next.IsNull || depth < 3) At(view.Next, order?.Next, depth + 1);
                i = 0;
                foreach (var many in view.Many) At(many, order!.Many![i++], depth + 1);
                for (i = 0; i < view.Many.Count; i++) Same(view.Many[i].Price, order!.Many![i]?.Price ?? default);
            }

            private static void Dotted(Dot.View view, Dot dot) {
                Same(view.X, dot.X); Text(view.Label, dot.Label); Same(view.ToObject(), dot); }

            private static void Text(StringView view, string? text)
            {
                Same(view.IsNull, text is null);
                Same(view.Length, text?.Length ?? 0);
                Same(view.ToString(), text);
                Same(view == text, true);
                Same(view != text, false);
                Same(view == text + "?", false);
                Same(view == System.Text.Encoding.UTF8.GetBytes(text ?? ""), text is not null);
                Same(view == "nothing like it"u8, false);
            }

            public static void Same<T>(T actual, T expected) => Xunit.Assert.Equal(expected, actual);
        }

        """;

    [Fact]
    public void Every_member_has_the_value_that_unpacking_gives() => LoadedAssembly.Run(Order, Walk, """
        public static class Probe
        {
            public static void Run()
            {
                foreach (var order in (Order[])[Sample.Full(), new Order()])
                {
                    var bytes = Packer.Pack(in order);
                    Look.At(new Order.View(bytes), order);
                    Look.At(Order.View.From([.. bytes, 1, 2, 3]), order);
                    Xunit.Assert.Equal(bytes, Packer.Pack(new Order.View(bytes).ToObject()));

                    Order? target = new() { Name = "used", Many = [new()] };
                    var given = target;
                    new Order.View(bytes).CopyTo(ref target);
                    Xunit.Assert.Same(given, target);
                    Xunit.Assert.Equal(bytes, Packer.Pack(in target));
                    new Order.View(bytes).Next.CopyTo(ref target);
                    Xunit.Assert.Equal(Packer.Pack(order.Next), Packer.Pack(in target));
                }
            }
        }
        """);

    [Fact]
    public void Text_is_compared_in_either_encoding() => LoadedAssembly.Run("""
        [QueueMessage(Strings = StringEncoding.Utf16)]
        public partial class Wide { public string? One { get; set; } public List<string>? Many { get; set; } }

        [QueueMessage] public partial class Narrow { public string? One { get; set; } public string? Two { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var wide = new Wide.View(Packer.Pack(new Wide { One = "a\uD800b", Many = ["Zo\u00eb", ""] }));
                Xunit.Assert.True(wide.One == "a\uD800b" && wide.One.IsUtf16 && wide.One.Utf16 is "a\uD800b");
                Xunit.Assert.True(wide.Many[0] == "Zo\u00eb"u8 && wide.Many[0] != "Zoe"u8 && wide.Many[0] != "Zoe");
                Xunit.Assert.True(wide.Many[1] == "" && wide.Many[1].Utf8.IsEmpty && wide.Many[1].Utf16.IsEmpty);
                var text = Packer.Pack(new Wide { One = "x" });
                Xunit.Assert.Throws<PackException>(() => new Wide.View(text).One.Utf8.Length);

                var narrow = Packer.Pack(new Narrow { One = "Zo\u00eb", Two = new string('\u4e2d', 500) });
                Xunit.Assert.True(new Narrow.View(narrow).One == "Zo\u00eb"u8
                    && new Narrow.View(narrow).One.Utf8.SequenceEqual("Zo\u00eb"u8));
                Xunit.Assert.True(new Narrow.View(narrow).Two == new string('\u4e2d', 500)
                    && new Narrow.View(narrow).Two != new string('\u4e2d', 499) + "x");
                Xunit.Assert.Throws<PackException>(() => new Narrow.View(narrow).One.Utf16.Length);
            }
        }
        """);

    [Fact]
    public void What_an_older_writer_did_not_write_is_the_default() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Old { public int A { get; set; } public string? S { get; set; } }

        [QueueMessage]
        public partial class New
        {
            public int A { get; set; }
            public string? S { get; set; }
            public decimal Price { get; set; } = 3;
            public int? Some { get; set; } = 4;
            public string Text { get; set; } = "initial";
            public Old? Inner { get; set; } = new();
            public List<Old>? Many { get; set; }
            public int[]? Numbers { get; set; }
        }

        [QueueMessage] public partial class Cut { public byte A { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var view = new New.View(Packer.Pack(new Old { A = 5, S = "s" }));
                Xunit.Assert.True(view.A == 5 && view.S == "s");
                Xunit.Assert.True(view.Price == 0 && view.Some is null && view.Text.IsNull && view.Inner.IsNull && view.Many.IsNull
                    && view.Numbers.IsNull);
                Xunit.Assert.True(view.Inner.A == 0 && view.Inner.S.IsNull && view.Inner.ToObject() is null && view.Many.Count == 0);

                var old = new Old.View(Packer.Pack(new New { A = 6, S = "t", Numbers = [1] }));
                Xunit.Assert.True(old.A == 6 && old.S == "t");

                var cut = Packer.Pack(new Cut { A = 1 });
                Xunit.Assert.Throws<PackException>(() => new Old.View(cut).A);
            }
        }
        """);

    [Fact]
    public void Null_and_damaged_headers_are_refused() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Node { public int Value { get; set; } public Node? Next { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                foreach (var bytes in (byte[][])[[], [0], [0, 0, 0], [255, 255, 255, 255], [255, 255, 0, 0], [0, 0, 255, 255],
                    [4, 0, 0, 0, 1, 2, 3]])
                {
                    Xunit.Assert.Throws<PackException>(() => new Node.View(bytes).IsNull);
                    Xunit.Assert.Throws<PackException>(() => Node.View.From(bytes).IsNull);
                }

                var none = default(Node.View);
                Xunit.Assert.True(none.IsNull && none.Value == 0 && none.Next.IsNull && none.ToObject() is null);
            }
        }
        """);

    [Fact]
    public void Whatever_the_bytes_are_a_view_gives_a_value_or_a_PackException() => LoadedAssembly.Run(Order, Hostile, """
        public static class Probe
        {
            public static void Run()
            {
                var good = Packer.Pack(Sample.Full());
                Xunit.Assert.True(Hostile.Survives(good));
                for (var length = 0; length < good.Length; length++)
                    Hostile.Survives(good[..length]);

                foreach (byte changed in (byte[])[0, 1, 2, 0x7F, 0x80, 0xFF])
                {
                    for (var i = 0; i < good.Length; i++)
                    {
                        var bytes = (byte[])good.Clone();
                        bytes[i] = changed;
                        Hostile.Survives(bytes);
                    }
                }

                var random = new Random(11);
                var faults = 0;
                for (var i = 0; i < 10_000; i++)
                {
                    var bytes = (byte[])good.Clone();
                    for (var changes = random.Next(1, 5); changes > 0; changes--)
                        bytes[random.Next(bytes.Length)] = unchecked((byte)(random.Next(3) == 0 ? random.Next(256) : random.Next(5) - 2));
                    faults += Hostile.Survives(bytes) ? 0 : 1;
                }

                Xunit.Assert.InRange(faults, 200, 9_999);
            }
        }
        """);

    [Fact]
    public void Bytes_that_change_under_a_view_give_a_value_or_a_PackException() => LoadedAssembly.Run(Order, Hostile, """
        public static class Probe
        {
            public static void Run()
            {
                var good = Packer.Pack(Sample.Full());
                var bytes = (byte[])good.Clone();
                var done = false;
                var peer = new System.Threading.Thread(() =>
                {
                    var random = new Random(5);
                    while (!System.Threading.Volatile.Read(ref done))
                    {
                        var at = random.Next(bytes.Length);
                        bytes[at] = (byte)random.Next(256);
                        System.Threading.Thread.SpinWait(20);
                        bytes[at] = good[at];
                    }
                });
                peer.Start();
                try
                {
                    for (var i = 0; i < 10_000; i++)
                        Hostile.Survives(bytes);
                }
                finally
                {
                    System.Threading.Volatile.Write(ref done, true);
                    peer.Join();
                }
            }
        }
        """);

    [Fact]
    public void Looking_allocates_nothing() => LoadedAssembly.Run(Order, """
        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(Sample.Full());
                // The runtime allocates now and then on a thread whose code it compiles anew, but not in each round.
                var least = long.MaxValue;
                for (var round = 0; round < 10; round++)
                {
                    var before = GC.GetAllocatedBytesForCurrentThread();
                    for (var i = 0; i < 1000; i++) Sum(bytes);
                    least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
                }
                Xunit.Assert.Equal(0, least);
            }

            private static decimal Sum(byte[] bytes)
            {
                var view = new Order.View(bytes);
                var sum = view.Price + (view.Name == "n\u00e9" ? 1 : 0) + (view.Name == "n\u00e9"u8 ? 1 : 0);
                foreach (var number in view.Numbers.Span) sum += number;
                foreach (var name in view.Names) sum += name.Length;
                foreach (var date in view.Dates) sum += date?.Day ?? 0;
                foreach (var many in view.Next.Many) sum += many.IsNull ? 1 : many.Price;
                foreach (var dot in view.Dots) sum += dot.X;
                foreach (var inner in view.Jagged) sum += inner.Count;
                return sum + view.Where.X + view.Row.Id;
            }
        }
        """);

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void More_than_64_messages_inside_each_other_are_refused(int levels, bool isRead)
    {
        var loaded = LoadedAssembly.Of(Nodes);
        if (isRead)
        {
            Assert.Equal(levels, loaded.Call<int>("Depth", levels));
        }
        else
        {
            Assert.IsType<PackException>(Assert.Throws<InvalidOperationException>(() => loaded.Call<int>("Depth", levels)).InnerException);
        }
    }

    private const string Nodes = """
        [QueueMessage] public partial class Node { public int Value { get; set; } public Node? Next { get; set; } }

        public static class Probe
        {
            // Each level has no fixed member and one variable, the next level.
            public static int Depth(int levels)
            {
                List<byte> bytes = [0, 0, 0, 0];
                for (var i = 1; i < levels; i++)
                    bytes.InsertRange(0, [0, 0, 1, 0, .. BitConverter.GetBytes(bytes.Count)]);
                return Count(new Node.View(bytes.ToArray()));

                static int Count(Node.View view) => view.IsNull ? 0 : 1 + Count(view.Next);
            }
        }
        """;

    // Reads all that a view offers; false when that ended in a PackException.
    private const string Hostile = """
        public static class Hostile
        {
            public static bool Survives(byte[] bytes)
            {
                var good = true;
                Order.View view;
                try { view = new Order.View(bytes); }
                catch (PackException) { return false; }
                Look(view, ref good, 0);
                return good;
            }

            private static void Look(Order.View view, ref bool good, int depth)
            {
                try { _ = view.Flag; } catch (PackException) { good = false; }
                try { _ = view.Price; } catch (PackException) { good = false; }
                try { _ = view.When; } catch (PackException) { good = false; }
                try { Text(view.Name); } catch (PackException) { good = false; }
                try { foreach (var name in view.Names) Text(name); } catch (PackException) { good = false; }
                try { foreach (var number in view.Numbers.Span) _ = number; } catch (PackException) { good = false; }
                try { view.Flags.ToArray(); } catch (PackException) { good = false; }
                try { view.Dates.ToArray(); } catch (PackException) { good = false; }
                try { _ = view.Where.X; Text(view.Where.Label); view.Where.ToObject(); } catch (PackException) { good = false; }
                try { foreach (var dot in view.Dots) dot.ToObject(); } catch (PackException) { good = false; }
                try { foreach (var inner in view.Jagged) inner.ToArray(); } catch (PackException) { good = false; }
                try { Text(view.Row.Name); view.Row.ToObject(); } catch (PackException) { good = false; }
                try { _ = view.Version; } catch (PackException) { good = false; }
                try { var many = view.Many; if (many.Count > 0) Look(many[many.Count - 1], ref good, depth + 1); }
                    catch (PackException) { good = false; }
                try { foreach (var many in view.Many) Look(many, ref good, depth + 1); } catch (PackException) { good = false; }
                try { var next = view.Next; if (!next.IsNull) Look(next, ref good, depth + 1); } catch (PackException) { good = false; }
                try { if (depth == 0) view.ToObject(); } catch (PackException) { good = false; }
            }

            private static void Text(StringView text)
            {
                _ = text == "n\u00e9";
                _ = text == "n\u00e9"u8;
                _ = text.IsUtf16 ? text.Utf16.Length : text.Utf8.Length;
                text.ToString();
            }
        }

        """;
}
