namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Two versions of a type, compiled apart: what one writes the other reads.</summary>
public class EvolutionTests
{
    private const string Old = """
        [QueueMessage] public partial class Order { public int Id { get; set; } public string? Name { get; set; } }
        public static class Probe
        {
            public static byte[] Pack() => Packer.Pack(new Order { Id = 7, Name = "old" });
            public static string Unpack(byte[] bytes) { var order = Packer.Unpack<Order>(bytes)!; return $"{order.Id} {order.Name}"; }
        }
        """;

    private const string New = """
        [QueueMessage] public partial class Order
        {
            public int Id { get; set; }
            public string? Name { get; set; }
            public int Count { get; set; } = 5;
            public List<int> Numbers { get; set; } = [1, 2];
            public int? Rating { get; set; } = 4;
        }

        public static class Probe
        {
            public static byte[] Pack() => Packer.Pack(new Order { Id = 8, Name = "new", Count = 9, Numbers = [3], Rating = null });

            public static string Unpack(byte[] bytes) => Text(Packer.Unpack<Order>(bytes)!);

            public static string Reuse(byte[] bytes)
            {
                Order? order = new() { Count = 77, Numbers = [7], Rating = 1 };
                Packer.Unpack(bytes, ref order);
                return Text(order!);
            }

            public static bool IsRefused(byte[] bytes)
            {
                try { Packer.Unpack<Order>(bytes); return false; }
                catch (PackException) { return true; }
            }

            static string Text(Order order) => $"{order.Id} {order.Name} {order.Count} "
                + $"{(order.Numbers is null ? "null" : string.Join('.', order.Numbers))} {order.Rating}";
        }
        """;

    [Fact]
    public void An_old_reader_skips_what_a_new_writer_appended()
        => Assert.Equal("8 new", LoadedAssembly.Of(Old).Call<string>("Unpack", LoadedAssembly.Of(New).Call<byte[]>("Pack")));

    [Fact]
    public void A_new_reader_preserves_initializers_in_a_new_instance()
        => Assert.Equal("7 old 5 1.2 4", LoadedAssembly.Of(New).Call<string>("Unpack", LoadedAssembly.Of(Old).Call<byte[]>("Pack")));

    [Fact]
    public void A_new_reader_clears_in_a_used_instance()
        => Assert.Equal("7 old 0 null ", LoadedAssembly.Of(New).Call<string>("Reuse", LoadedAssembly.Of(Old).Call<byte[]>("Pack")));

    [Fact]
    public void A_member_cut_in_half_is_refused()
    {
        byte[] cut = [6, 0, 0, 0, 1, 0, 0, 0, 2, 0];
        Assert.True(LoadedAssembly.Of(New).Call<bool>("IsRefused", cut));
    }

    [Fact]
    public void Every_byte_cut_off_is_refused()
    {
        var reader = LoadedAssembly.Of(New);
        byte[] bytes = reader.Call<byte[]>("Pack");
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.True(reader.Call<bool>("IsRefused", bytes[..length]));
        }
    }

    [Fact]
    public void What_is_constructed_preserves_initializers_and_parameter_defaults()
    {
        var old = LoadedAssembly.Of("""
            [QueueMessage] public partial record Trade(int Id);
            public static class Probe { public static byte[] Pack() => Packer.Pack(new Trade(3)); }
            """);
        var next = LoadedAssembly.Of("""
            public enum Side : byte { Buy, Sell }
            [QueueMessage] public partial record Trade(int Id, string Symbol = "none", Side Side = Side.Sell, double Price = double.NaN,
                long? Big = long.MinValue, char Mark = '\'')
            {
                public int Lots { get; init; } = 6;
                public string Venue { get; set; } = "here";
            }
            public static class Probe
            {
                public static string Unpack(byte[] bytes) => Packer.Unpack<Trade>(bytes)!.ToString();
                public static string Expected() => new Trade(3).ToString();
            }
            """);
        Assert.Equal(next.Call<string>("Expected"), next.Call<string>("Unpack", old.Call<byte[]>("Pack")));
    }
}
