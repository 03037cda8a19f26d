namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Whatever the bytes are, and while they change, views of every kind and layout give a value or a PackException.</summary>
public class HostileViewTests
{
    private const string Types = """
        [QueueMessage]
        public partial class Order
        {
            public Dictionary<string, Line?>? Lines { get; set; }
            public Dictionary<decimal, DateTime?>? Days { get; set; }
            public (bool, string?)? Pair { get; set; }
            public KeyValuePair<Rune, int[]> Entry { get; set; }
            public decimal[,]? Prices { get; set; }
            public string?[,,]? Names { get; set; }
            public bool?[,]? Flags { get; set; }
            public Uri? Link { get; set; }
            public System.Numerics.BigInteger Big { get; set; }
            public Version? Version { get; set; }
            public System.Collections.BitArray? Bits { get; set; }
            public List<IShape?>? Shapes { get; set; }
            public Late? Late { get; set; }
            public Node? Node { get; set; }
            public Node? Other { get; set; }
        }

        [QueueMessage] public partial class Line { public string? Sku { get; set; } public Node? Node { get; set; } }
        [QueueMessage, PackUnion(0, typeof(Circle)), PackUnion(1, typeof(Line2))] public partial interface IShape;
        [QueueMessage] public sealed partial class Circle : IShape { public bool Filled { get; set; } public string? Name { get; set; } }
        [QueueMessage] public sealed partial class Line2 : IShape { public IShape? Inner { get; set; } }
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Late
        {
            [PackOrder(1)] public decimal Price { get; set; }
            [PackOrder(2)] public bool? Flag { get; set; }
            [PackOrder(5)] public string? Text { get; set; }
            [PackOrder(6)] public Late? Next { get; set; }
        }
        [QueueMessage(Layout = PackLayout.CircularReference)]
        public partial class Node { public bool Flag { get; set; } public Node? Parent { get; set; }
            public List<Node?>? Children { get; set; } }
        """;

    private const string Hostile = """
        using System.Text;

        public static class Sample
        {
            public static byte[] Full()
            {
                var node = new Node { Flag = true };
                node.Parent = node;
                node.Children = [new() { Parent = node }, node, null];
                return Packer.Pack(new Order
                {
                    Lines = new() { ["a"] = new() { Sku = "s", Node = node }, ["\u00e9"] = null },
                    Days = new() { [1.5m] = DateTime.UnixEpoch, [2] = null },
                    Pair = (true, "p"), Entry = new(new Rune('r'), [1, 2]), Prices = new[,] { { 1m, 2 }, { 3, 4 } },
                    Names = new[,,] { { { "n", null, "" } } },
                    Flags = new bool?[,] { { true }, { null } }, Link = new("https://h/"), Big = 1000, Version = new(1, 2, 3),
                    Bits = new([true, false]),
                    Shapes = [new Circle { Filled = true, Name = "c" }, null, new Line2 { Inner = new Circle { Name = "i" } }],
                    Late = new() { Price = 2, Flag = true, Text = "t", Next = new() { Price = 3 } }, Node = node, Other = node.Children[0],
                });
            }
        }

        public static class Hostile
        {
            public static bool Survives(byte[] bytes)
            {
                var good = true;
                Order.View view;
                try { view = new Order.View(bytes); }
                catch (PackException) { return false; }

                try { foreach (var (key, line) in view.Lines) { key.ToString(); line.Sku.ToString(); Look(line.Node, ref good, 0); } }
                    catch (PackException) { good = false; }
                try { _ = view.Lines.TryGetValue("\u00e9", out _) | view.Lines.TryGetValue("x"u8, out _); }
                    catch (PackException) { good = false; }
                try { foreach (var (price, day) in view.Days) _ = day.Value?.AddDays((double)(price.Value % 2)); }
                    catch (PackException) { good = false; }
                try { _ = view.Days.TryGetValue(2, out _); } catch (PackException) { good = false; }
                try { var (flag, text) = view.Pair; _ = flag.Value; text.ToString(); } catch (PackException) { good = false; }
                try { _ = view.Pair.Item2 == "p"; } catch (PackException) { good = false; }
                try { _ = view.Entry.Key.Value.Utf16SequenceLength; view.Entry.Value.ToArray(); } catch (PackException) { good = false; }
                try { view.Prices.AsSpanView().ToArray(); } catch (PackException) { good = false; }
                try { var prices = view.Prices; if (prices.Count > 0) _ = prices[prices.GetLength(0) - 1, prices.GetLength(1) - 1].Value; }
                    catch (PackException) { good = false; }
                try { foreach (var name in view.Names) name.ToString(); } catch (PackException) { good = false; }
                try { var names = view.Names;
                    if (names.Count > 0) names[names.GetLength(0) - 1, names.GetLength(1) - 1, names.GetLength(2) - 1].ToString(); }
                    catch (PackException) { good = false; }
                try { foreach (var flag in view.Flags) _ = flag.Value; } catch (PackException) { good = false; }
                try { view.Link.Text.ToString(); view.Link.ToObject(); } catch (PackException) { good = false; }
                try { view.Big.ToObject(); view.Version.ToObject(); view.Bits.ToObject(); } catch (PackException) { good = false; }
                try { foreach (var shape in view.Shapes) Look(shape, ref good, 0); } catch (PackException) { good = false; }
                try { Look(view.Late, ref good, 0); } catch (PackException) { good = false; }
                try { Look(view.Node, ref good, 0); Look(view.Other, ref good, 0); } catch (PackException) { good = false; }
                try { view.ToObject(); } catch (PackException) { good = false; }
                return good;
            }

            private static void Look(IShape.View view, ref bool good, int depth)
            {
                _ = view.Tag;
                try { if (view.TryGetCircle(out var circle)) { _ = circle.Filled; circle.Name.ToString(); } }
                    catch (PackException) { good = false; }
                try { if (view.TryGetLine2(out var line) && !line.IsNull) Look(line.Inner, ref good, depth + 1); }
                    catch (PackException) { good = false; }
                try { if (depth == 0) view.ToObject(); } catch (PackException) { good = false; }
            }

            private static void Look(Late.View view, ref bool good, int depth)
            {
                try { _ = view.Price; } catch (PackException) { good = false; }
                try { _ = view.Flag; } catch (PackException) { good = false; }
                try { view.Text.ToString(); } catch (PackException) { good = false; }
                try { if (depth == 0) view.ToObject(); } catch (PackException) { good = false; }
                try { var next = view.Next; if (!next.IsNull) Look(next, ref good, depth + 1); } catch (PackException) { good = false; }
            }

            private static void Look(Node.View view, ref bool good, int depth)
            {
                try { if (depth == 0) view.ToObject(); } catch (PackException) { good = false; }
                if (view.IsNull || view.IsReference)
                    return;
                try { _ = view.Flag; } catch (PackException) { good = false; }
                try { Look(view.Parent, ref good, depth + 1); } catch (PackException) { good = false; }
                try { foreach (var child in view.Children) Look(child, ref good, depth + 1); } catch (PackException) { good = false; }
            }
        }
        """;

    [Fact]
    public void Bad_bytes_are_a_value_or_a_PackException() => LoadedAssembly.Run(Usings + Types, Hostile, """
        public static class Probe
        {
            public static void Run()
            {
                var good = Sample.Full();
                Xunit.Assert.True(Hostile.Survives(good));
                for (var length = 0; length < good.Length; length++)
                    Hostile.Survives(good[..length]);

                foreach (byte changed in (byte[])[0, 1, 0x7F, 0xFE, 0xFF])
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
                for (var i = 0; i < 4_000; i++)
                {
                    var bytes = (byte[])good.Clone();
                    for (var changes = random.Next(1, 4); changes > 0; changes--)
                        bytes[random.Next(bytes.Length)] = unchecked((byte)(random.Next(3) == 0 ? random.Next(256) : random.Next(5) - 2));
                    faults += Hostile.Survives(bytes) ? 0 : 1;
                }

                Xunit.Assert.InRange(faults, 400, 3_999);
            }
        }
        """);

    [Fact]
    public void Bytes_that_change_meanwhile_are_a_value_or_a_PackException() => LoadedAssembly.Run(Usings + Types, Hostile, """
        public static class Probe
        {
            public static void Run()
            {
                var good = Sample.Full();
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
                    for (var i = 0; i < 4_000; i++)
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

    private const string Usings = "using System.Text;\n\n";
}
