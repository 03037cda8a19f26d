namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Views of unions, of version-tolerant messages and of messages with identity.</summary>
public class LayoutViewTests
{
    private const string Shapes = """
        [QueueMessage, PackUnion(0, typeof(Circle)), PackUnion(700, typeof(Group))] public partial interface IShape;
        [QueueMessage] public sealed partial class Circle : IShape { public double Radius { get; set; } public string? Name { get; set; } }
        [QueueMessage] public partial class Group : IShape { public List<IShape?>? Parts { get; set; } public IShape? First { get; set; } }
        """;

    private const string Nodes = """
        [QueueMessage(Layout = PackLayout.CircularReference)]
        public partial class Node { public int Id { get; set; } public Node? Parent { get; set; } public List<Node?>? Children { get; set; }
            public Line? Line { get; set; } }
        [QueueMessage] public partial class Line { public Node? From { get; set; } public Node? To { get; set; }
            public string? Label { get; set; } }
        """;

    [Fact]
    public void A_union_is_viewed_as_its_case() => LoadedAssembly.Run(Shapes, """
        public static class Probe
        {
            public static void Run()
            {
                IShape shape = new Group { Parts = [new Circle { Radius = 2, Name = "c" }, null, new Group()],
                    First = new Circle { Radius = 3 } };
                var bytes = Packer.Pack(in shape);
                var view = new IShape.View(bytes);
                Same(700, view.Tag);
                Same(false, view.TryGetCircle(out var none));
                Same((true, 0.0), (none.IsNull, none.Radius));
                Same(true, view.TryGetGroup(out var group));
                Same(3, group.Parts.Count);

                var tags = new List<int>();
                foreach (var part in group.Parts)
                    tags.Add(part.Tag);
                Same("0 -1 700", string.Join(' ', tags));
                Same(true, group.Parts[0].TryGetCircle(out var circle) && circle.Radius == 2 && circle.Name == "c");
                Same((true, false), (group.Parts[1].IsNull, group.Parts[1].TryGetCircle(out _)));
                Same(true, group.First.TryGetCircle(out circle) && circle.Radius == 3);
                Same(Convert.ToHexString(bytes), Convert.ToHexString(Packer.Pack(view.ToObject())));
                Same("c", ((Circle)group.Parts[0].ToObject()!).Name);

                IShape? used = new Circle { Radius = 9 };
                var given = used;
                group.First.CopyTo(ref used);
                Same((true, 3.0), (ReferenceEquals(given, used), ((Circle)used!).Radius));
                group.Parts[1].CopyTo(ref used);
                Same(null, used);
            }

            private static void Same<T>(T expected, T actual) => Xunit.Assert.Equal(expected, actual);
        }
        """);

    [Fact]
    public void A_case_that_is_not_listed_has_a_tag_only_and_what_is_no_union_is_refused() => LoadedAssembly.Run(Shapes, """
        public static class Probe
        {
            public static void Run()
            {
                byte[] newer = [2, 0, 1, 0, 5, 0, 4, 0, 0, 0, 0, 0, 0, 0];
                var view = new IShape.View(newer);
                Xunit.Assert.True(view.Tag == 5 && !view.TryGetCircle(out _) && !view.TryGetGroup(out _));
                Xunit.Assert.Contains("5 is no tag", Xunit.Assert.Throws<PackException>(() => new IShape.View(newer).ToObject()).Message);

                foreach (var bytes in (byte[][])[[], [255, 255, 255, 255], [1, 0, 1, 0, 5], [2, 0, 0, 0, 5, 0], [2, 0, 2, 0, 5, 0],
                    [2, 0, 1, 0, 5], [4, 0, 1, 0, 5, 0, 0, 0]])
                    Xunit.Assert.Throws<PackException>(() => new IShape.View(bytes).Tag);

                byte[] cut = [2, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0];
                var fault = Xunit.Assert.Throws<PackException>(() => new IShape.View(cut).TryGetCircle(out _));
                Xunit.Assert.Equal(("IShape", 10L), (fault.MessageName, fault.Offset));
            }
        }
        """);

    [Fact]
    public void Cases_of_one_name_and_of_little_access_are_told_apart() => LoadedAssembly.Run("""
        namespace A { [QueueMessage] public partial class Circle : Shape { public int X { get; set; } } }
        namespace B { [QueueMessage] public partial class Circle : Shape { public int Y { get; set; } } }
        [QueueMessage, PackUnion(1, typeof(A.Circle)), PackUnion(2, typeof(B.Circle)), PackUnion(3, typeof(Inner)),
            PackUnion(4, typeof(Secret)), PackUnion(5, typeof(Dot))]
        public abstract partial class Shape
        {
            [QueueMessage] internal sealed partial class Inner : Shape { public int Z { get; set; } }
            [QueueMessage] private sealed partial class Secret : Shape { public int W { get; set; } }
            public static Shape Hidden() => new Secret { W = 7 };
            public static int Look(Shape shape) => ((Secret)shape).W;
        }
        [QueueMessage] public sealed partial class Dot : Shape { public string? Label { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.True(Of(new A.Circle { X = 1 }).TryGetCircle(out var a) && a.X == 1);
                Xunit.Assert.True(Of(new B.Circle { Y = 2 }).TryGetCircle2(out var b) && b.Y == 2);
                Xunit.Assert.True(Of(new Shape.Inner { Z = 3 }).TryGetInner(out var inner) && inner.Z == 3);
                Xunit.Assert.True(Of(new Dot { Label = "v" }).TryGetDot(out var dot) && dot.Label == "v");
                Xunit.Assert.Equal((4, 7), (Of(Shape.Hidden()).Tag, Shape.Look(Of(Shape.Hidden()).ToObject()!)));
            }

            private static Shape.View Of(Shape shape) => new(Packer.Pack(in shape));
        }
        """);

    [Fact]
    public void A_tolerant_member_is_found_by_its_number() => LoadedAssembly.Run("""
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Old
        {
            [PackOrder(0)] public int Id { get; set; }
            [PackOrder(2)] public string? Name { get; set; }
            [PackOrder(3)] public decimal? Price { get; set; }
            [PackOrder(7)] public List<int>? Codes { get; set; }
        }

        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class New
        {
            [PackOrder(3)] public decimal? Price { get; set; } = 4;
            [PackOrder(1)] public bool Flag { get; set; } = true;
            [PackOrder(2)] public string? Name { get; set; }
            [PackOrder(9)] public New? Next { get; set; }
            [PackOrder(5)] public long? More { get; set; }
            [PackOrder(0)] public int Id { get; set; }
        }

        [QueueMessage] public partial class Simple { public int Id { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var old = Packer.Pack(new Old { Id = 5, Name = "n", Price = 1.5m, Codes = [1, 2] });
                var view = new New.View(old);
                Xunit.Assert.True(view.Id == 5 && view.Name == "n" && view.Price == 1.5m && !view.Flag && view.More is null
                    && view.Next.IsNull);
                Xunit.Assert.True(view.ToObject() is { Flag: true, Id: 5 });

                var next = Packer.Pack(new New { Id = 6, Flag = false, Price = null, Next = new() { Id = 8, More = 9 } });
                var back = new Old.View(next);
                Xunit.Assert.True(back.Id == 6 && back.Name.IsNull && back.Price is null && back.Codes.IsNull);
                Xunit.Assert.True(new New.View(next).Next is { Id: 8, More: 9, IsNull: false, Flag: true, Price: 4 });
                Xunit.Assert.Equal(next, Packer.Pack(new New.View(next).ToObject()));

                var fixedBlock = Packer.Pack(new Simple());
                Xunit.Assert.Contains("no fixed block", Xunit.Assert.Throws<PackException>(() => new Old.View(fixedBlock).IsNull).Message);

                // Id null, then of a wrong size; the second number cut off.
                Fault([0, 0, 1, 0, 255, 255, 255, 255], 4, "Null cannot be");
                Fault([0, 0, 1, 0, 3, 0, 0, 0, 1, 2, 3], 4, "3 bytes cannot be one");
                Fault([0, 0, 1, 0, 4, 0, 0, 0, 1, 2, 3], 8, "4 bytes are needed");

                static void Fault(byte[] bytes, long offset, string words)
                {
                    var fault = Xunit.Assert.Throws<PackException>(() => new Old.View(bytes).Id);
                    Xunit.Assert.Equal(("Old", "Id", offset), (fault.MessageName, fault.Member, fault.Offset));
                    Xunit.Assert.Contains(words, fault.Message);
                }
            }
        }
        """);

    [Fact]
    public void An_object_that_stands_elsewhere_is_a_reference() => LoadedAssembly.Run(Nodes, """
        public static class Probe
        {
            public static void Run()
            {
                var root = new Node { Id = 1 };
                root.Parent = root;
                root.Children = [new() { Id = 2, Parent = root }, null, new() { Id = 3 }];
                root.Children[2]!.Parent = root.Children[0];
                root.Line = new() { From = root.Children[2], To = new() { Id = 4, Parent = root.Children[2] }, Label = "l" };
                root.Line.To.Children = [root.Line.To];
                var bytes = Packer.Pack(in root);
                var view = new Node.View(bytes);

                Xunit.Assert.True(view is { Id: 1, IsReference: false, ReferenceNumber: -1 });
                Xunit.Assert.True(view.Parent is { IsNull: false, IsReference: true, ReferenceNumber: 0 });
                Xunit.Assert.True(view.Children[0] is { Id: 2, IsReference: false } && view.Children[0].Parent.ReferenceNumber == 0);
                Xunit.Assert.True(view.Children[1].IsNull && view.Children[1].Parent.IsNull && !view.Children[1].IsReference);
                Xunit.Assert.True(view.Children[2] is { Id: 3 } && view.Children[2].Parent.ReferenceNumber == 1);
                Xunit.Assert.True(view.Line.From.ReferenceNumber == 2 && view.Line.To.Parent.ReferenceNumber == 2
                    && view.Line.Label == "l");
                var fault = Xunit.Assert.Throws<PackException>(() => new Node.View(bytes).Parent.Id);
                Xunit.Assert.Equal(("Node", "Parent"), (fault.MessageName, fault.Member));

                // Whatever part is unpacked, it is the whole's.
                var child = view.Children[2].ToObject()!;
                Xunit.Assert.True(child is { Id: 3, Parent: { Id: 2, Parent.Id: 1 } });
                Xunit.Assert.Same(child, child.Parent!.Parent!.Children![2]);
                Xunit.Assert.Same(child, child.Parent.Parent.Line!.From);
                var parent = view.Children[2].Parent.ToObject()!;
                Xunit.Assert.True(parent is { Id: 2, Parent.Children.Count: 3 } && ReferenceEquals(parent.Parent!.Children![0], parent));
                Xunit.Assert.True(view.Parent.ToObject() is { Id: 1 } loop && ReferenceEquals(loop, loop.Parent));

                var line = view.Line.ToObject()!;
                Xunit.Assert.True(line is { Label: "l", From: { Id: 3, Parent: { Id: 2, Parent.Id: 1 } }, To.Id: 4 });
                Xunit.Assert.Same(line.From, line.To!.Parent);
                Xunit.Assert.Same(line.To, line.To.Children![0]);
                Xunit.Assert.Same(line.From, line.From!.Parent!.Parent!.Children![2]);
                Xunit.Assert.Equal(bytes, Packer.Pack(line.From.Parent.Parent));

                Node? copy = new() { Id = 77 };
                view.Line.To.CopyTo(ref copy);
                Xunit.Assert.True(copy is { Id: 4, Parent.Id: 3 });
                Line? given = new(), same = given;
                view.Line.CopyTo(ref given);
                Xunit.Assert.True(ReferenceEquals(given, same) && given!.From!.Id == 3);
                Xunit.Assert.Equal(bytes, Packer.Pack(view.ToObject()));
            }
        }
        """);

    [Fact]
    public void A_reference_to_nothing_is_refused() => LoadedAssembly.Run(Nodes, """
        public static class Probe
        {
            public static void Run()
            {
                foreach (var bytes in (byte[][])[[4, 0, 254, 255, 0, 0, 0, 0], [4, 0, 254, 255, 255, 255, 255, 255], [0, 0, 254, 255],
                    [3, 0, 254, 255, 0, 0, 0]])
                    Xunit.Assert.Throws<PackException>(() => new Node.View(bytes).IsReference);

                // A parent that is said to be object 1: there is none yet.
                byte[] ahead = [4, 0, 3, 0, 5, 0, 0, 0, 8, 0, 0, 0, 4, 0, 254, 255, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255];
                Xunit.Assert.Equal((5, 1), (new Node.View(ahead).Id, new Node.View(ahead).Parent.ReferenceNumber));
                Xunit.Assert.Equal("Parent", Xunit.Assert.Throws<PackException>(() => new Node.View(ahead).Parent.ToObject()).Member);
            }
        }
        """);
}
