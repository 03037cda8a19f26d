namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Whatever the bytes are: a message or a PackException.</summary>
public class HostileBytesTests
{
    private const string Source = """
        [QueueMessage]
        public partial class Order
        {
            public bool Flag { get; set; }
            public decimal Price { get; set; }
            public DateTimeOffset? When { get; set; }
            public string? Name { get; set; }
            public List<string>? Names { get; set; }
            public int?[]? Numbers { get; set; }
            public Order? Next { get; set; }
            public List<Order>? Many { get; set; }
            public Dot Where { get; set; }
            public Dot?[]? Dots { get; set; }
            public List<int[]>? Jagged { get; set; }
            public Row? Row { get; set; }
        }

        [QueueMessage] public partial struct Dot { public int X; public string? Label; }
        [QueueMessage] public sealed partial record Row(long Id, string? Name, DayOfWeek Day);

        public static class Probe
        {
            public static byte[] Pack() => Packer.Pack(new Order
            {
                Flag = true, Price = 1.25m, When = DateTimeOffset.UnixEpoch, Name = "n\u00e9", Names = ["a", "b"], Numbers = [1, null],
                Next = new() { Many = [new(), new() { Name = "x" }] }, Where = new() { Label = "l" }, Dots = [null, new Dot { X = 1 }],
                Jagged = [[1, 2], []], Row = new(1, "r", DayOfWeek.Monday),
            });

            public static bool TryUnpack(byte[] bytes)
            {
                Order? order = new() { Names = ["q"], Next = new() };
                try { Packer.Unpack(bytes, ref order); return true; }
                catch (PackException) { return false; }
            }

            public static string? FaultyMember(byte[] bytes)
            {
                try { Packer.Unpack<Order>(bytes); return null; }
                catch (PackException e) { return e.Member; }
            }
        }
        """;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Source);

    [Fact]
    public void Every_cut_is_refused()
    {
        byte[] bytes = Loaded.Call<byte[]>("Pack");
        Assert.True(Loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(Loaded.Call<bool>("TryUnpack", bytes[..length]));
        }
    }

    [Fact]
    public void No_changed_byte_does_worse_than_an_exception_of_ours()
    {
        byte[] bytes = Loaded.Call<byte[]>("Pack");
        foreach (byte changed in (byte[])[0, 1, 2, 0x7F, 0x80, 0xFF])
        {
            for (int i = 0; i < bytes.Length; i++)
            {
                byte[] hostile = (byte[])bytes.Clone();
                hostile[i] = changed;
                Loaded.Call<bool>("TryUnpack", hostile);
            }
        }
    }

    [Fact]
    public void Random_bytes_do_no_worse_either()
    {
        var random = new Random(7);
        for (int i = 0; i < 5000; i++)
        {
            byte[] bytes = Loaded.Call<byte[]>("Pack");
            for (int changes = random.Next(1, 6); changes > 0; changes--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            Loaded.Call<bool>("TryUnpack", bytes);
        }
    }

    [Fact]
    public void A_depth_bomb_is_refused()
    {
        // Each level has no fixed member and four variables: Name, Names and Numbers are null, Next is the next level.
        List<byte> bomb = [];
        for (int depth = 0; depth < 100; depth++)
        {
            bomb.InsertRange(0, Level(bomb.Count));
        }

        Assert.False(Loaded.Call<bool>("TryUnpack", bomb.ToArray()));
    }

    [Fact]
    public void The_faulty_member_is_named()
    {
        byte[] bytes = Loaded.Call<byte[]>("Pack");
        bytes[4] = 2;
        Assert.Equal("Flag", Loaded.Call<string?>("FaultyMember", bytes));
    }

    private static byte[] Level(int inner)
        => [0, 0, 4, 0, .. Null, .. Null, .. Null, .. BitConverter.GetBytes(inner == 0 ? -1 : inner)];

    private static ReadOnlySpan<byte> Null => [0xFF, 0xFF, 0xFF, 0xFF];
}
