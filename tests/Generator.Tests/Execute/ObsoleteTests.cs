namespace BlitQueue.Generator.Tests.Execute;

/// <summary>
/// What is out of use in code is still in the messages: it is packed as before, and the generated half compiles without a warning.
/// </summary>
public class ObsoleteTests
{
    [Fact]
    public void Obsolete_members_constructors_and_callbacks_are_used_as_any() => LoadedAssembly.Run("""
        using System.Diagnostics.CodeAnalysis;

        [QueueMessage] public partial class Order
        {
            [Obsolete("for the serializer", true)] public Order() { }
            public Order(string _) { }
            [Obsolete("x", true)] public int Old { get; set; }
            [Obsolete("x", true)] public string? OldText;
            [Obsolete("x", DiagnosticId = "MINE1")] public int Marked { get; set; }
            [Experimental("MINE2")] public int New { get; set; }
            public int Half { get; [Obsolete("x", true)] set; }
            public List<int>? Lots { get; set; }
            [OnPacked, Obsolete("x", true)] private void After() => _packed++;
            [PackIgnore] private int _packed;
            [Obsolete] public static Order Make() => new("") { Old = 1, OldText = "o", Marked = 2, Half = 4, Lots = [5] };
            [Obsolete] public override string ToString() => $"{Old} {OldText} {Marked} {Half} {Lots?[0]} {_packed}";
        }

        [QueueMessage] public partial struct Slot { [Obsolete("x", true)] public int Old; public int New; [Obsolete] public int Get()
            => Old; [Obsolete] public static Slot Make() => new() { Old = 7 }; }
        [QueueMessage] public partial record Trade([property: Obsolete("x", true)] int Old, string? Name) {
            [Obsolete] public int Get() => Old; }
        [QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Numbered {
            [PackOrder(0), Obsolete("x", true)] public int Old { get; set; } [Obsolete] public static Numbered Make() => new() { Old = 7 };
            [Obsolete] public int Get() => Old; }
        [QueueMessage] public partial class Taken { [Obsolete("x", true)] public int Old { get; set; } public int Pack;
            public int PackObsolete; public int UnpackObsolete; }

        public static class Probe
        {
            #pragma warning disable CS0612
            public static void Run()
            {
                var made = Order.Make();
                Xunit.Assert.Equal("1 o 2 4 5 0", Packer.Unpack<Order>(Packer.Pack(made))!.ToString());
                Xunit.Assert.EndsWith(" 1", made.ToString());
                Xunit.Assert.Equal(7, Packer.Unpack<Slot>(Packer.Pack(Slot.Make())).Get());
                Xunit.Assert.Equal(8, Packer.Unpack<Trade>(Packer.Pack(new Trade(8, "n")))!.Get());
                Xunit.Assert.Equal(7, Packer.Unpack<Numbered>(Packer.Pack(Numbered.Make()))!.Get());
                Xunit.Assert.Equal(3, Packer.Unpack<Taken>(Packer.Pack(new Taken { PackObsolete = 3 }))!.PackObsolete);
            }
        }
        """);

    [Fact]
    public void Constructors_may_take_references() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Order(ref readonly int id, in string? name, ref readonly long wide)
        {
            public int Id { get; } = id;
            public string? Name { get; } = name;
            public int Wide { get; } = (int)wide;
        }

        public static class Probe
        {
            public static void Run()
            {
                var (id, wide) = (3, 4L);
                var order = Packer.Unpack<Order>(Packer.Pack(new Order(in id, "n", in wide)))!;
                Xunit.Assert.Equal((3, "n", 4), (order.Id, order.Name, order.Wide));
            }
        }
        """);
}
