namespace BlitQueue.Generator.Tests.Execute;

public class NamedPackerTests
{
    private const string Foreign = """
        namespace Far
        {
            public sealed class Money { public Money(string text) => Text = text; public string Text { get; } }
            public struct Angle { public double Degrees; internal int Unseen; }
            public sealed class Range<T> { public T? From; public T? To; }
        }
        """;

    private const string Packers = """
        public sealed class MoneyPacker : IPacker<Far.Money>
        {
            public static void Pack(ref PackWriter writer, scoped in Far.Money? value) => writer.WriteString(value?.Text);
            public static void Unpack(ref PackReader reader, scoped ref Far.Money? value) => value = reader.ReadString() is { }
                text ? new(text) : null;
        }

        internal sealed class AnglePacker : IPacker<Far.Angle>
        {
            public static void Pack(ref PackWriter writer, scoped in Far.Angle value) => writer.WriteValue(value.Degrees + 1);
            public static void Unpack(ref PackReader reader, scoped ref Far.Angle value) => value.Degrees = reader.ReadValue<double>() - 1;
        }

        public sealed class RangePacker<T> : IPacker<Far.Range<T>> where T : unmanaged
        {
            public static void Pack(ref PackWriter writer, scoped in Far.Range<T>? value) {
                writer.WriteValue(value!.From); writer.WriteValue(value.To); }
            public static void Unpack(ref PackReader reader, scoped ref Far.Range<T>? value)
                => value = new() { From = reader.ReadValue<T>(), To = reader.ReadValue<T>() };
        }
        """;

    [Fact]
    public void A_packer_is_named_once_for_a_type_of_another_assembly() => LoadedAssembly.Of(Foreign).Above(
        """
        [assembly: PackWith(typeof(Far.Money), typeof(MoneyPacker)), PackWith(typeof(Far.Angle), typeof(AnglePacker))]
        [assembly: PackWith(typeof(Far.Range<>), typeof(RangePacker<>))]
        """,
        Packers,
        """
        [QueueMessage]
        public partial class Order
        {
            public Far.Money? Total { get; set; }
            public List<Far.Money?>? Parts { get; set; }
            public Dictionary<string, Far.Money>? ByName { get; set; }
            public (Far.Money?, int) Pair { get; set; }
            public Far.Angle Angle { get; set; }
            public Far.Angle[]? Angles { get; set; }
            public Far.Range<int>? Days { get; set; }
            public Far.Range<Guid>[]? Ids { get; set; }
        }

        [QueueMessage] public partial class Box<T> { public T? Value { get; set; } public List<T>? Values { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var given = new Order
                {
                    Total = new("a"), Parts = [new("b"), null], ByName = new() { ["c"] = new("d") }, Pair = (new("e"), 1),
                    Angle = new() { Degrees = 5 }, Angles = [new() { Degrees = 6 }], Days = new() { From = 1, To = 2 },
                    Ids = [new() { To = Guid.Parse("6f9619ff-8b86-d011-b42d-00c04fc964ff") }],
                };
                Order got = Packer.Unpack<Order>(Packer.Pack(given))!;
                Xunit.Assert.Equal("a", got.Total!.Text);
                Xunit.Assert.Equal("b", got.Parts![0]!.Text);
                Xunit.Assert.Null(got.Parts[1]);
                Xunit.Assert.Equal("d", got.ByName!["c"].Text);
                Xunit.Assert.Equal("e", got.Pair.Item1!.Text);
                Xunit.Assert.Equal((5, 6), (got.Angle.Degrees, got.Angles![0].Degrees));
                Xunit.Assert.Equal((1, 2), (got.Days!.From, got.Days.To));
                Xunit.Assert.Equal(given.Ids[0].To, got.Ids![0].To);
                Xunit.Assert.True(Order.Schema.RunsUserCode);

                Xunit.Assert.Equal(
                    "m", Packer.Unpack<Box<Far.Money>>(Packer.Pack(new Box<Far.Money> { Values = [new("m")] }))!.Values![0].Text);
                Xunit.Assert.Equal(
                    7, Packer.Unpack<Box<Far.Range<int>>>(Packer.Pack(new Box<Far.Range<int>> { Value = new() { To = 7 } }))!.Value!.To);
            }
        }
        """).Call<object>("Run");

    [Fact]
    public void A_union_of_another_assembly_stands_for_a_type_parameter() => LoadedAssembly.Of(
        "namespace Far { public interface IShape { int Id { get; } } public interface IPart<T> { T? Value { get; } } }").Above(
        """
        [assembly: PackWith(typeof(Far.IShape), typeof(ShapePacker)), PackWith(typeof(Far.IPart<int>), typeof(PartPacker))]
        """,
        """
        [QueueMessage] public partial class Circle : Far.IShape { public int Id { get; set; } }
        [QueueMessage] public partial class Square : Far.IShape { public int Id { get; set; } public int Side { get; set; } }
        [QueueMessage] public partial class Wheel<T> : Far.IPart<T> { public T? Value { get; set; } }
        [PackUnionOf(typeof(Far.IShape)), PackUnion(0, typeof(Circle)), PackUnion(1, typeof(Square))] public partial class ShapePacker;
        [PackUnionOf(typeof(Far.IPart<int>)), PackUnion(0, typeof(Wheel<int>))] public partial class PartPacker;

        [QueueMessage] public partial class Box<T> { public T? Value { get; set; } public List<T?>? Values { get; set; } }
        [QueueMessage] public partial class Held { public Far.IShape? Shape { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var given = new Box<Far.IShape> { Value = new Square { Id = 3, Side = 5 }, Values = [new Circle { Id = 4 }, null] };
                Box<Far.IShape> got = Packer.Unpack<Box<Far.IShape>>(Packer.Pack(given))!;
                Xunit.Assert.Equal(5, ((Square)got.Value!).Side);
                Xunit.Assert.Equal(4, ((Circle)got.Values![0]!).Id);
                Xunit.Assert.Null(got.Values[1]);
                Xunit.Assert.False(Box<Far.IShape>.Schema.RunsUserCode);

                Far.IShape square = got.Value;
                Packer.Unpack(Packer.Pack(given), ref got!);
                Xunit.Assert.Same(square, got!.Value);

                Box<List<Far.IShape>> lists = Packer.Unpack<Box<List<Far.IShape>>>(
                    Packer.Pack(new Box<List<Far.IShape>> { Value = [new Circle { Id = 6 }] }))!;
                Xunit.Assert.Equal(6, lists.Value![0].Id);
                Xunit.Assert.Equal(
                    7, Packer.Unpack<Box<Far.IPart<int>>>(
                        Packer.Pack(new Box<Far.IPart<int>> { Value = new Wheel<int> { Value = 7 } }))!.Value!.Value);
                Xunit.Assert.Equal(8, Packer.Unpack<Held>(Packer.Pack(new Held { Shape = new Circle { Id = 8 } }))!.Shape!.Id);
            }
        }
        """).Call<object>("Run");

    [Fact]
    public void A_members_own_packer_comes_first() => LoadedAssembly.Of(Foreign).Above(
        "[assembly: PackWith(typeof(Far.Money), typeof(MoneyPacker))]",
        Packers,
        """
        public sealed class LoudPacker : IPacker<Far.Money>
        {
            public static void Pack(ref PackWriter writer, scoped in Far.Money? value)
                => writer.WriteString(value?.Text.ToUpperInvariant());
            public static void Unpack(ref PackReader reader, scoped ref Far.Money? value) => value = new(reader.ReadString()!);
        }

        [QueueMessage]
        public partial class Order
        {
            public Far.Money? Total { get; set; }
            [PackWith(typeof(LoudPacker))] public List<Far.Money>? Loud { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                Order got = Packer.Unpack<Order>(Packer.Pack(new Order { Total = new("a"), Loud = [new("b")] }))!;
                Xunit.Assert.Equal(("a", "B"), (got.Total!.Text, got.Loud![0].Text));
            }
        }
        """).Call<object>("Run");

    [Fact]
    public void The_packer_of_one_type_comes_before_that_of_its_definition() => LoadedAssembly.Of(Foreign).Above(
        """
        [assembly: PackWith(typeof(Far.Range<>), typeof(RangePacker<>))]
        [assembly: PackWith(typeof(Far.Range<int>), typeof(IntRangePacker))]
        """,
        Packers,
        """
        public sealed class IntRangePacker : IPacker<Far.Range<int>>
        {
            public static void Pack(ref PackWriter writer, scoped in Far.Range<int>? value) => writer.WriteValue(value!.From + 100);
            public static void Unpack(ref PackReader reader, scoped ref Far.Range<int>? value)
                => value = new() { From = reader.ReadValue<int>() };
        }

        [QueueMessage]
        public partial class Order
        {
            public Far.Range<int>? Days { get; set; }
            public Far.Range<long>? Ticks { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var given = new Order { Days = new() { From = 1, To = 2 }, Ticks = new() { From = 3, To = 4 } };
                Order got = Packer.Unpack<Order>(Packer.Pack(given))!;
                Xunit.Assert.Equal((101, 0, 3L, 4L), (got.Days!.From, got.Days.To, got.Ticks!.From, got.Ticks.To));
            }
        }
        """).Call<object>("Run");

    [Fact]
    public void A_packer_inside_a_generic_class_serves_what_has_as_many_type_parameters() => LoadedAssembly.Of(Foreign).Above(
        """
        [assembly: PackWith(typeof(Far.Range<>), typeof(Packers<>.OfRange))]
        [assembly: PackWith(typeof(Shelf<>.Slot), typeof(Packers<>.OfSlot))]
        [assembly: PackWith(typeof(Shelf<>.Pair<>), typeof(PairPacker<,>))]

        public class Shelf<T>
        {
            public sealed class Slot { public Slot(int number) => Number = number; public int Number { get; } }
            public sealed class Pair<U> { public Pair(T one, U other) => (One, Other) = (one, other);
                public T One { get; } public U Other { get; } }
        }

        public static class Packers<T>
        {
            public sealed class OfRange : IPacker<Far.Range<T>>
            {
                public static void Pack(ref PackWriter writer, scoped in Far.Range<T>? value)
                    => writer.WriteString(value!.From!.ToString());
                public static void Unpack(ref PackReader reader, scoped ref Far.Range<T>? value)
                    => value = new() { From = (T)Convert.ChangeType(reader.ReadString()!, typeof(T)) };
            }

            public sealed class OfSlot : IPacker<Shelf<T>.Slot>
            {
                public static void Pack(ref PackWriter writer, scoped in Shelf<T>.Slot? value) => writer.WriteValue(value!.Number);
                public static void Unpack(ref PackReader reader, scoped ref Shelf<T>.Slot? value) => value = new(reader.ReadValue<int>());
            }
        }

        public sealed class PairPacker<A, B> : IPacker<Shelf<A>.Pair<B>> where A : unmanaged where B : unmanaged
        {
            public static void Pack(ref PackWriter writer, scoped in Shelf<A>.Pair<B>? value) {
                writer.WriteValue(value!.One); writer.WriteValue(value.Other); }
            public static void Unpack(ref PackReader reader, scoped ref Shelf<A>.Pair<B>? value)
                => value = new(reader.ReadValue<A>(), reader.ReadValue<B>());
        }

        [QueueMessage]
        public partial class Order
        {
            public Far.Range<string>? Text { get; set; }
            public Far.Range<int>? Number { get; set; }
            public Shelf<string>.Slot? Slot { get; set; }
            public Shelf<int>.Pair<double>? Pair { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                Order order = new() { Text = new() { From = "a" }, Number = new() { From = 7 }, Slot = new(3), Pair = new(4, 0.5) };
                Order? back = Packer.Unpack<Order>(Packer.Pack(order));
                if (back is not { Text.From: "a", Number.From: 7, Slot.Number: 3, Pair: { One: 4, Other: 0.5 } })
                    throw new Exception("other");
            }
        }
        """).Call<object>("Run");
}
