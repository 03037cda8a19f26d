namespace BlitQueue.Generator.Tests.Execute;

/// <summary>The sorts of types and members there are.</summary>
public class ShapeTests
{
    [Fact]
    public void Records_come_back_through_their_constructors() => LoadedAssembly.Run("""
        [QueueMessage] public partial record Trade(long Id, string Symbol, decimal Price = 1.5m) {
            public int Lots { get; init; } = 3; public string? Note { get; set; } }
        [QueueMessage] public readonly partial record struct Tick(int A, string? B);
        [QueueMessage] public partial record struct Mutable(int A, List<Tick>? Ticks);
        [QueueMessage] public partial record Derived(long Id, string Symbol, int Extra) : Trade(Id, Symbol, 2m);

        public static class Probe
        {
            public static void Run()
            {
                var trade = new Trade(1, "ABC", 2.5m) { Lots = 9, Note = "n" };
                Xunit.Assert.Equal(trade, Packer.Unpack<Trade>(Packer.Pack(in trade)));
                var tick = new Tick(1, "b");
                Xunit.Assert.Equal(tick, Packer.Unpack<Tick>(Packer.Pack(in tick)));
                var mutable = new Mutable(7, [tick]);
                Xunit.Assert.Equal(mutable.Ticks, Packer.Unpack<Mutable>(Packer.Pack(in mutable)).Ticks);
                var derived = new Derived(1, "X", 5) { Price = 3m };
                Xunit.Assert.Equal(derived, Packer.Unpack<Derived>(Packer.Pack(in derived)));
            }
        }
        """);

    [Fact]
    public void Base_classes_come_first_whether_messages_or_not() => LoadedAssembly.Run("""
        public class Root { public int R { get; set; } }
        [QueueMessage] public partial class Middle : Root { public string? M { get; set; } }
        [QueueMessage] public sealed partial class Leaf : Middle { public int L { get; set; } [PackInclude] private int _secret;
            public void Set(int secret) => _secret = secret; public int Get() => _secret; }

        public static class Probe
        {
            public static void Run()
            {
                var leaf = new Leaf { R = 1, M = "m", L = 2 };
                leaf.Set(5);
                var back = Packer.Unpack<Leaf>(Packer.Pack(in leaf))!;
                Xunit.Assert.Equal((1, "m", 2, 5), (back.R, back.M, back.L, back.Get()));
                Xunit.Assert.Equal("#0{R:i32,M:string,L:i32,_secret:i32}", Leaf.Schema.Text);
                Xunit.Assert.Equal("#0{R:i32,M:string}", Middle.Schema.Text);
            }
        }
        """);

    [Fact]
    public void Required_init_and_read_only_members_come_back() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Settable { public required string Name { get; set; } public required int Age;
            [PackIgnore] public required object Extra { get; set; } }
        [QueueMessage] public partial class Initialized { public required string Name { get; init; } public List<int> Numbers { get; init; }
            = [1]; }
        [QueueMessage] public partial class ReadOnly { public ReadOnly(int id, string name) { Id = id; Name = name; } public int Id { get; }
            public readonly string Name; public int Free { get; set; } }
        [QueueMessage] public readonly partial struct Fixed {
            public Fixed(int x, int y) { X = x; Y = y; } public int X { get; } public int Y { get; } }
        [QueueMessage] public partial class Chosen { public Chosen() { Way = "simple"; }
            [PackConstructor] public Chosen(int id) { Id = id; Way = "chosen"; } public int Id { get; set; }
            [PackIgnore] public string Way { get; } }

        public static class Probe
        {
            public static void Run()
            {
                var settable = Packer.Unpack<Settable>(Packer.Pack(new Settable { Name = "n", Age = 3, Extra = "" }))!;
                Xunit.Assert.Equal(("n", 3), (settable.Name, settable.Age));
                var initialized = Packer.Unpack<Initialized>(Packer.Pack(new Initialized { Name = "i", Numbers = [4, 5] }))!;
                Xunit.Assert.Equal("i", initialized.Name);
                Xunit.Assert.Equal([4, 5], initialized.Numbers);
                var readOnly = Packer.Unpack<ReadOnly>(Packer.Pack(new ReadOnly(7, "r") { Free = 8 }))!;
                Xunit.Assert.Equal((7, "r", 8), (readOnly.Id, readOnly.Name, readOnly.Free));
                var fix = Packer.Unpack<Fixed>(Packer.Pack(new Fixed(1, 2)));
                Xunit.Assert.Equal((1, 2), (fix.X, fix.Y));
                Chosen? chosen = Packer.Unpack<Chosen>(Packer.Pack(new Chosen { Id = 4 }));
                Xunit.Assert.Equal((4, "chosen"), (chosen!.Id, chosen.Way));
                var same = chosen;
                Packer.Unpack(Packer.Pack(new Chosen { Id = 6 }), ref chosen);
                Xunit.Assert.Same(same, chosen);
                Xunit.Assert.Equal(6, same.Id);
            }
        }
        """);

    [Fact]
    public void What_is_no_member_is_left_out() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Odd
        {
            public const int Constant = 1;
            public static int Static { get; set; }
            public int Member { get; set; }
            public int Computed => Member + 1;
            public int Body { get { return Member; } }
            public int SetOnly { set { Member = value; } }
            public int this[int index] { get => index; set { } }
            internal int Internal { get; set; }
            private int Private { get; set; }
            public int PrivateSet { get; private set; }
            public event Action? Changed { add { } remove { } }
            public int Half { get => field; set => field = value; }
            public void Set(int value) => PrivateSet = value;
        }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal("#0{Member:i32,PrivateSet:i32,Half:i32}", Odd.Schema.Text);
                Xunit.Assert.True(Odd.Schema.RunsUserCode);
                var odd = new Odd { Member = 1, Half = 3 };
                odd.Set(2);
                var back = Packer.Unpack<Odd>(Packer.Pack(in odd))!;
                Xunit.Assert.Equal((1, 2, 3), (back.Member, back.PrivateSet, back.Half));
            }
        }
        """);

    [Fact]
    public void Names_may_be_anything() => LoadedAssembly.Run("""
        namespace @namespace.System
        {
            [QueueMessage] public partial class @class { public int @int { get; set; } public string? reader { get; set; }
                public int value { get; set; } public @class? @new { get; set; } }
            [QueueMessage] public partial record Clash(int block, string Block, int Given, int fresh);
        }

        public partial class Outer<T>
        {
            [QueueMessage] internal partial class Inner { public int A { get; set; } public List<Inner>? B { get; set; }
                private partial struct Hidden; }
            private protected partial interface IDeep { [QueueMessage] public partial struct Deep { public int X; } }
        }

        [QueueMessage] public partial class Taken
        {
            public int Pack { get; set; }
            public string? Unpack;
            public Schema? Schema { get; set; }
            public int PackListOfInt32 { get; set; }
            public int PackListOfInt322 { get; set; }
            public List<int>? Numbers { get; set; }
        }

        [QueueMessage] public partial class Schema { public int A { get; set; } public Taken? Taken { get; set; }
            public List<Taken>? Many { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var keyword = Packer.Unpack<@namespace.System.@class>(
                    Packer.Pack(new @namespace.System.@class { @int = 1, reader = "r", value = 2, @new = new() }))!;
                Xunit.Assert.Equal((1, "r", 2), (keyword.@int, keyword.reader, keyword.value));
                var clash = new @namespace.System.Clash(1, "b", 2, 3);
                Xunit.Assert.Equal(clash, Packer.Unpack<@namespace.System.Clash>(Packer.Pack(in clash)));
                var inner = Packer.Unpack<Outer<int>.Inner>(Packer.Pack(new Outer<int>.Inner { A = 5, B = [new()] }))!;
                Xunit.Assert.Equal(5, inner.A);
                var taken = Packer.Unpack<Taken>(
                    Packer.Pack(
                    new Taken { Pack = 1, Unpack = "u", Schema = new() { A = 2, Many = [new() { Pack = 9 }] }, Numbers = [3] }))!;
                Xunit.Assert.Equal((1, "u", 2, 9), (taken.Pack, taken.Unpack, taken.Schema!.A, taken.Schema.Many![0].Pack));
                Xunit.Assert.Equal([3], taken.Numbers!);
            }
        }
        """);

    [Fact]
    public void Numbers_decide_the_order_across_parts_and_base_classes() => LoadedAssembly.Run("""
        public class Root { [PackOrder(9)] public int R { get; set; } }
        [QueueMessage] public partial class Order : Root { [PackOrder(4)] public int B { get; set; }
            [PackOrder(2)] public string? A { get; set; } }
        public partial class Order { [PackOrder(0)] public int Z { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal("#0{Z:i32,A:string,B:i32,R:i32}", Order.Schema.Text);
                var back = Packer.Unpack<Order>(Packer.Pack(new Order { R = 1, B = 2, A = "3", Z = 4 }))!;
                Xunit.Assert.Equal((1, 2, "3", 4), (back.R, back.B, back.A, back.Z));
            }
        }
        """);

    [Fact]
    public void A_message_may_be_empty() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Nothing;
        [QueueMessage] public partial struct Void;
        [QueueMessage] public partial record Signal;

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal(4, Packer.Pack(new Nothing()).Length);
                Xunit.Assert.NotNull(Packer.Unpack<Nothing>(Packer.Pack(new Nothing())));
                Packer.Unpack<Void>(Packer.Pack(new Void()));
                Xunit.Assert.Equal(new Signal(), Packer.Unpack<Signal>(Packer.Pack(new Signal())));
            }
        }
        """);

    [Fact]
    public void Overridden_members_are_packed_once() => LoadedAssembly.Run("""
        public abstract class Shape { public abstract string Name { get; set; } public virtual int Sides { get; set; }
            public abstract int Area { get; } }
        [QueueMessage] public partial class Square : Shape { public override string Name { get; set; } = "";
            public override int Sides { get; set; } public override int Area => Sides * Sides; }

        public static class Probe
        {
            public static void Run()
            {
                var square = Packer.Unpack<Square>(Packer.Pack(new Square { Name = "s", Sides = 4 }))!;
                Xunit.Assert.Equal(("s", 4), (square.Name, square.Sides));
                Xunit.Assert.Equal("#0{Name:string,Sides:i32}", Square.Schema.Text);
                Xunit.Assert.False(Square.Schema.RunsUserCode);
            }
        }
        """);
}
