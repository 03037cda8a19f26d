namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Version-tolerant messages: members come and go, whoever reads.</summary>
public class TolerantTests
{
    private const string Old = """
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Order
        {
            [PackOrder(0)] public int Id { get; set; }
            [PackOrder(2)] public string? Name { get; set; }
            [PackOrder(3)] public decimal Price { get; set; }
            [PackOrder(6)] public List<string>? Tags { get; set; }
        }

        public static class Probe
        {
            public static byte[] Pack() => Packer.Pack(new Order { Id = 7, Name = "old", Price = 1.5m, Tags = ["a", "b"] });
            public static string Unpack(byte[] bytes) => Text(Packer.Unpack<Order>(bytes)!);
            public static string? Fault(byte[] bytes)
            {
                try { Packer.Unpack<Order>(bytes); return null; }
                catch (PackException e) { return e.Message; }
            }

            static string Text(Order order) => $"{order.Id} {order.Name} {order.Price} {string.Join('.', order.Tags ?? [])}";
        }
        """;

    // Price is gone, the declarations stand in another order, and members came between and behind.
    private const string New = """
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Order
        {
            [PackOrder(9)] public int? Rating { get; set; } = 4;
            [PackOrder(6)] public List<string>? Tags { get; set; }
            [PackOrder(2)] public string? Name { get; set; }
            [PackOrder(1)] public long Count { get; set; } = 5;
            [PackOrder(0)] public int Id { get; set; }
            [PackOrder(4)] public Order? Next { get; set; }
        }

        public static class Probe
        {
            public static byte[] Pack()
                => Packer.Pack(new Order { Id = 8, Name = "new", Count = 9, Rating = null, Next = new() { Id = 3 } });
            public static string Unpack(byte[] bytes) => Text(Packer.Unpack<Order>(bytes)!);

            public static string Reuse(byte[] bytes)
            {
                Order? order = new() { Count = 77, Rating = 1, Next = new() };
                var same = order;
                Packer.Unpack(bytes, ref order);
                Xunit.Assert.Same(same, order);
                return Text(order!);
            }

            static string Text(Order order)
                => $"{order.Id} {order.Name} {order.Count} {order.Rating} {order.Next?.Id} {string.Join('.', order.Tags ?? [])}";
        }
        """;

    private static readonly LoadedAssembly Before = LoadedAssembly.Of(Old);
    private static readonly LoadedAssembly After = LoadedAssembly.Of(New);

    [Fact]
    public void Each_version_reads_its_own()
    {
        Assert.Equal("7 old 1.5 a.b", Before.Call<string>("Unpack", Before.Call<byte[]>("Pack")));
        Assert.Equal("8 new 9  3 ", After.Call<string>("Unpack", After.Call<byte[]>("Pack")));
    }

    [Fact]
    public void An_old_reader_takes_what_it_knows() => Assert.Equal("8 new 0 ", Before.Call<string>("Unpack", After.Call<byte[]>("Pack")));

    [Fact]
    public void A_new_reader_preserves_initializers_in_a_new_instance()
        => Assert.Equal("7 old 5 4  a.b", After.Call<string>("Unpack", Before.Call<byte[]>("Pack")));

    [Fact]
    public void A_new_reader_clears_in_a_used_instance()
        => Assert.Equal("7 old 0   a.b", After.Call<string>("Reuse", Before.Call<byte[]>("Pack")));

    [Fact]
    public void The_bytes_are_variables_by_number()
        => Assert.Equal(
            "00000700"
            + "04000000" + "07000000"                               // 0 Id
            + "FEFFFFFF"                                            // 1
            + "07000000" + "03000000" + "6F6C64"                    // 2 Name
            + "10000000" + "0F000000000000000000000000000100"       // 3 Price
            + "FEFFFFFF" + "FEFFFFFF"                               // 4, 5
            + "16000000" + "02000000" + "05000000" + "01000000" + "61" + "05000000" + "01000000" + "62",
            Convert.ToHexString(Before.Call<byte[]>("Pack")));

    [Fact]
    public void The_schema_has_the_numbers() => LoadedAssembly.Run(New.Replace("class Probe", "class Unused", StringComparison.Ordinal), """
        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal("#0tolerant{Id@0:i32,Count@1:i64,Name@2:string,Next@4:#0,Tags@6:list<string>,Rating@9:i32?}",
                    Order.Schema.Text);
                Xunit.Assert.Equal(["Name@2: only here (string)", "Name@3: only there (string)"],
                    Order.Schema.Difference(Order.Schema.Text.Replace("Name@2", "Name@3")));
            }
        }
        """);

    [Fact]
    public void What_is_constructed_preserves_initializers_and_parameter_defaults()
    {
        var old = LoadedAssembly.Of("""
            [QueueMessage(Layout = PackLayout.VersionTolerant)] public partial record Trade(
                [property: PackOrder(5)] int Id, [property: PackOrder(2)] string Gone);
            public static class Probe { public static byte[] Pack() => Packer.Pack(new Trade(3, "g")); }
            """);
        var next = LoadedAssembly.Of("""
            [QueueMessage(Layout = PackLayout.VersionTolerant)]
            public partial record Trade([property: PackOrder(5)] int Id, [property: PackOrder(0)] string Symbol = "none",
                [property: PackOrder(8)] double? Price = 2.5)
            {
                [PackOrder(1)] public int Lots { get; init; } = 6;
                [PackOrder(6)] public string Venue { get; set; } = "here";
            }
            public static class Probe
            {
                public static string Unpack(byte[] bytes) => Packer.Unpack<Trade>(bytes)!.ToString();
                public static string Expected() => new Trade(3).ToString();
                public static byte[] Pack() => Packer.Pack(new Trade(4, "s", null) { Lots = 1, Venue = "v" });
            }
            """);
        Assert.Equal(next.Call<string>("Expected"), next.Call<string>("Unpack", old.Call<byte[]>("Pack")));
        Assert.Equal("Trade { Id = 4, Symbol = s, Price = , Lots = 1, Venue = v }", next.Call<string>("Unpack", next.Call<byte[]>("Pack")));
    }

    [Fact]
    public void Every_kind_of_value_is_a_member() => LoadedAssembly.Run("""
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial struct All
        {
            [PackOrder(0)] public bool A; [PackOrder(1)] public DateTimeOffset B; [PackOrder(2)] public Guid? C;
                [PackOrder(3)] public DayOfWeek D;
            [PackOrder(4)] public Dot E; [PackOrder(5)] public Dot? F; [PackOrder(6)] public Name G; [PackOrder(7)] public Name? H;
                [PackOrder(8)] public int?[]? I;
        }
        public struct Dot { public int X; public int Y; }
        [QueueMessage] public partial struct Name { public string? First; }

        public static class Probe
        {
            public static void Run()
            {
                var all = new All
                {
                    A = true, B = DateTimeOffset.UnixEpoch, C = Guid.NewGuid(), D = DayOfWeek.Friday,
                    E = new() { X = 1 }, F = new Dot { Y = 2 }, G = new() { First = "g" }, H = new Name { First = "h" }, I = [1, null],
                };
                var back = Packer.Unpack<All>(Packer.Pack(in all));
                Xunit.Assert.Equal((all.A, all.B, all.C, all.D, all.E, all.F, all.G, all.H),
                    (back.A, back.B, back.C, back.D, back.E, back.F, back.G, back.H));
                Xunit.Assert.Equal(all.I, back.I);
                Xunit.Assert.Equal(default(All), Packer.Unpack<All>(Packer.Pack(default(All))));
            }
        }
        """);

    [Fact]
    public void Bytes_of_no_such_message_are_refused()
    {
        byte[] bytes = Before.Call<byte[]>("Pack");
        Assert.Equal("Order.Id: 5 bytes cannot be one Int32 (byte 4)", Before.Call<string?>("Fault", With(bytes, 4, 5)));
        Assert.Equal("Order.Id: Null cannot be a Int32 (byte 4)", Before.Call<string?>("Fault", (byte[])[0, 0, 1, 0, 255, 255, 255, 255]));
        Assert.StartsWith("Order: A version-tolerant message has no fixed block; here is one of 2 bytes (byte 0)",
            Before.Call<string?>("Fault", With(bytes, 0, 2)), StringComparison.Ordinal);
        Assert.StartsWith("Order.Price: ", Before.Call<string?>("Fault", With(bytes, 46, 255)), StringComparison.Ordinal);
    }

    [Fact]
    public void Hostile_bytes_do_no_worse_than_an_exception_of_ours()
    {
        foreach (byte[] bytes in (byte[][])[Before.Call<byte[]>("Pack"), After.Call<byte[]>("Pack")])
        {
            Assert.Null(Before.Call<string?>("Fault", bytes));
            for (int length = 0; length < bytes.Length; length++)
            {
                Assert.NotNull(Before.Call<string?>("Fault", bytes[..length]));
            }

            foreach (byte changed in (byte[])[0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF])
            {
                for (int i = 0; i < bytes.Length; i++)
                {
                    Before.Call<string?>("Fault", With(bytes, i, changed));
                }
            }

            var random = new Random(5);
            for (int i = 0; i < 10_000; i++)
            {
                byte[] hostile = (byte[])bytes.Clone();
                for (int changes = random.Next(1, 6); changes > 0; changes--)
                {
                    hostile[random.Next(hostile.Length)] = (byte)(random.Next(3) == 0 ? 0xFE + random.Next(2) : random.Next(256));
                }

                Before.Call<string?>("Fault", hostile);
            }
        }
    }

    private static byte[] With(byte[] bytes, int index, byte value)
    {
        byte[] changed = (byte[])bytes.Clone();
        changed[index] = value;
        return changed;
    }
}
