namespace BlitQueue.Generator.Tests.Execute;

public class LookupTests
{
    private const string Source = """
        using System.Linq;

        [QueueMessage]
        public partial class Shop
        {
            public ILookup<string?, int>? Numbers { get; set; }
            public ILookup<int, Item>? Items { get; set; }
            public IGrouping<DayOfWeek, Item?>? Group { get; set; }
            public List<IGrouping<int, int>>? Groups { get; set; }
        }

        [QueueMessage] public sealed partial record Item(string Name);

        public static class Probe
        {
            public static Shop Make() => new()
            {
                Numbers = new[] { 1, 2, 3, 4, 5 }.ToLookup(number => number % 3 == 0 ? null : number % 3 == 1 ? "one" : "two"),
                Items = new[] { new Item("a"), new Item("bb"), new Item("c") }.ToLookup(item => item.Name.Length),
                Group = new[] { new Item("x"), null }.GroupBy(_ => DayOfWeek.Friday).First(),
                Groups = [.. new[] { 1, 2, 3 }.GroupBy(number => number % 2)],
            };

            public static byte[] Pack() => Packer.Pack(Make());

            public static string Names(byte[] bytes)
                => string.Join(",", Packer.Unpack<Shop>(bytes)!.Items!.Single().Select(item => item.Name));

            public static bool TryUnpack(byte[] bytes)
            {
                Shop? shop = Make();
                try { Packer.Unpack(bytes, ref shop); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                var shop = Packer.Unpack<Shop>(Pack())!;
                Xunit.Assert.Equal(["one", "two", null], shop.Numbers!.Select(group => group.Key));
                Xunit.Assert.Equal([1, 4], shop.Numbers!["one"]);
                Xunit.Assert.Equal([3], shop.Numbers[null]);
                Xunit.Assert.Empty(shop.Numbers["none"]);
                Xunit.Assert.True(shop.Numbers.Contains(null) && shop.Numbers.Contains("two") && !shop.Numbers.Contains("none"));
                Xunit.Assert.Equal(3, shop.Numbers.Count);
                Xunit.Assert.Equal([new("a"), new("c")], shop.Items![1]);
                Xunit.Assert.Equal(DayOfWeek.Friday, shop.Group!.Key);
                Xunit.Assert.Equal([new("x"), null], shop.Group);
                Xunit.Assert.Equal([(1, 2), (0, 1)], shop.Groups!.Select(group => (group.Key, group.Count())));
                Xunit.Assert.Equal(Pack(), Packer.Pack(in shop));
                Xunit.Assert.Null(Packer.Unpack<Shop>(Packer.Pack(new Shop()))!.Numbers);
            }

            public static string Hex() => Convert.ToHexString(Packer.Pack(new Shop { Items = new[] { new Item("a") }.ToLookup(_ => 7) }));
        }
        """;

    // A lookup of one group: the key 7, and a list of one item.
    private const string OneGroup = "01000000" + "1D000000" + "07000000" + "15000000" + "01000000" + "0D000000" + "00000100" + "05000000"
        + "01000000" + "61";

    private const string Null = "FFFFFFFF";

    [Fact]
    public void Groups_preserves_their_order_and_keys_may_be_null() => LoadedAssembly.Run(Source);

    [Fact]
    public void Each_group_is_a_tuple_of_its_key_and_a_list()
        => Assert.Equal("00000400" + Null + "25000000" + OneGroup + Null + Null, LoadedAssembly.Of(Source).Call<string>("Hex"));

    // Two groups of the key 7, as two keys of text become equal in UTF-8.
    [Fact]
    public void Groups_of_the_same_key_are_one()
    {
        byte[] bytes = Convert.FromHexString(
            ("00000400 FFFFFFFF 46000000 02000000 1D000000 07000000 15000000 01000000 0D000000 00000100 05000000 01000000 61 "
            + "1D000000 07000000 15000000 01000000 0D000000 00000100 05000000 01000000 61 FFFFFFFF FFFFFFFF").Replace(" ", ""));
        Assert.Equal("a,a", LoadedAssembly.Of(Source).Call<string>("Names", bytes));
    }

    [Theory]
    [InlineData("00000400 FFFFFFFF 08000000 01000000 FFFFFFFF FFFFFFFF FFFFFFFF")]
    [InlineData("00000400 FFFFFFFF 04000000 FFFFFFFF FFFFFFFF FFFFFFFF")]
    [InlineData("00000400 FFFFFFFF 0C000000 01000000 04000000 07000000 FFFFFFFF FFFFFFFF")]
    [InlineData("00000400 FFFFFFFF 11000000 01000000 09000000 07000000 FFFFFFFF 00 FFFFFFFF FFFFFFFF")]
    public void Whatever_is_no_group_is_refused(string hex)
        => Assert.False(LoadedAssembly.Of(Source).Call<bool>("TryUnpack", Convert.FromHexString(hex.Replace(" ", ""))));

    [Fact]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours()
    {
        var loaded = LoadedAssembly.Of(Source);
        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(13);
        for (int i = 0; i < 5000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            loaded.Call<bool>("TryUnpack", hostile);
        }
    }

    [Fact]
    public void A_lookup_has_the_bytes_of_a_list_of_its_groups() => LoadedAssembly.Run("""
        using System.Linq;

        [QueueMessage] public partial class A { public ILookup<string, int>? All { get; set; } }
        [QueueMessage] public partial class B { public (string, int[])[]? All { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal(B.Schema.Text, A.Schema.Text);
                var bytes = Packer.Pack(new A { All = new[] { 1, 2 }.ToLookup(_ => "x") });
                Xunit.Assert.Equal(Packer.Pack(new B { All = [("x", [1, 2])] }), bytes);
                Xunit.Assert.True(A.Schema.RunsUserCode);
            }
        }
        """);
}
