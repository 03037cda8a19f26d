namespace BlitQueue.Generator.Tests.Execute;

public class CallbackTests
{
    [Fact]
    public void Callbacks_run_in_order_base_first_and_never_for_null() => LoadedAssembly.Run("""
        public static class Log { public static List<string> Lines = [];
            public static string Take() { var all = string.Join(' ', Lines); Lines.Clear(); return all; } }

        public class Root { [OnPacking] protected void RootPacking() => Log.Lines.Add("root"); [OnUnpacked] protected virtual void Last()
            => Log.Lines.Add("virtual"); }

        [QueueMessage]
        public partial class Order : Root
        {
            private int _id;
            public int Id { get { Log.Lines.Add("get"); return _id; } set { Log.Lines.Add("set"); _id = value; } }
            [OnPacking] private static void Packing() => Log.Lines.Add("packing");
            [OnPacked] private void Packed() => Log.Lines.Add("packed");
            [OnUnpacking] private void Unpacking() => Log.Lines.Add("unpacking");
            [OnUnpacked] protected override void Last() => Log.Lines.Add("unpacked");
        }

        [QueueMessage] public partial record Trade(int Id) {
            [OnUnpacking] void Before() => Log.Lines.Add("before"); [OnUnpacked] void After() => Log.Lines.Add("after " + Id); }
        [QueueMessage] public partial struct Dot { public int X; [OnPacking] void Double() => X *= 2; [OnUnpacked] void Add() => X += 1; }
        [QueueMessage] public partial class Empty { [OnPacking, OnUnpacked] void Both() => Log.Lines.Add("both"); }

        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(new Order());
                Xunit.Assert.Equal("root packing get packed", Log.Take());
                Order? order = null;
                Packer.Unpack(bytes, ref order);
                Xunit.Assert.Equal("unpacking set unpacked", Log.Take());
                Packer.Unpack(bytes, ref order);
                Xunit.Assert.Equal("unpacking set unpacked", Log.Take());
                Packer.Unpack(Packer.Pack<Order>(null), ref order);
                Xunit.Assert.Equal("", Log.Take());
                Packer.Unpack<Trade>(Packer.Pack(new Trade(3)));
                Xunit.Assert.Equal("before after 3", Log.Take());
                var dot = new Dot { X = 5 };
                Xunit.Assert.Equal(11, Packer.Unpack<Dot>(Packer.Pack(in dot)).X);
                Xunit.Assert.Equal(5, dot.X);
                Packer.Unpack<Empty>(Packer.Pack(new Empty()));
                Xunit.Assert.Equal("both both", Log.Take());
                Xunit.Assert.True(Order.Schema.RunsUserCode && Dot.Schema.RunsUserCode && Empty.Schema.RunsUserCode);
                Xunit.Assert.False(Trade.Schema.RunsUserCode);
            }
        }
        """);

    [Fact]
    public void Custom_packers_are_confined_to_their_own_bytes() => LoadedAssembly.Run("""
        public sealed class VersionPacker : IPacker<Version>
        {
            public static void Pack(ref PackWriter writer, scoped in Version? value) => writer.WriteString(value?.ToString());
            public static void Unpack(ref PackReader reader, scoped ref Version? value) => value = reader.ReadString() is { }
                text ? Version.Parse(text) : null;
        }

        public static class Money
        {
            public struct AsCents : IPacker<(decimal Amount, string Currency)>
            {
                public static void Pack(ref PackWriter writer, scoped in (decimal Amount, string Currency) value) {
                    writer.WriteValue((long)(value.Amount * 100)); writer.WriteString(value.Currency); }
                public static void Unpack(ref PackReader reader, scoped ref (decimal Amount, string Currency) value)
                    => value = (reader.ReadValue<long>() / 100m, reader.ReadString(value.Currency)!);
            }
        }

        public sealed class Lazy : IPacker<int?>
        {
            public static void Pack(ref PackWriter writer, scoped in int? value) { writer.WriteValue(1L); writer.WriteValue(2L); }
            public static void Unpack(ref PackReader reader, scoped ref int? value) => value = 7;
        }

        [QueueMessage]
        public partial class Order
        {
            [PackWith(typeof(VersionPacker))] public Version? Version { get; set; }
            [PackWith(typeof(VersionPacker))] public Version Second { get; set; } = new();
            [PackWith(typeof(Money.AsCents))] public (decimal Amount, string Currency) Price { get; set; }
            [PackWith(typeof(Lazy))] public int? Lazy { get; set; }
            public string? After { get; set; }
        }

        [QueueMessage] public sealed partial record Fixed(
            [property: PackWith(typeof(VersionPacker))] Version Version, int Id,
            [property: PackWith(typeof(Money.AsCents))] (decimal Amount, string Currency) Price);

        public static class Probe
        {
            public static void Run()
            {
                var back = Packer.Unpack<Order>(
                    Packer.Pack(new Order { Second = new(1, 2), Price = (1.5m, "EUR"), Lazy = 1, After = "x" }))!;
                Xunit.Assert.Null(back.Version);
                Xunit.Assert.Equal(new Version(1, 2), back.Second);
                Xunit.Assert.Equal((1.5m, "EUR"), back.Price);
                Xunit.Assert.Equal(7, back.Lazy);
                Xunit.Assert.Equal("x", back.After);
                Xunit.Assert.True(Order.Schema.RunsUserCode);
                var fix = new Fixed(new(3, 4), 5, (2.5m, "USD"));
                Xunit.Assert.Equal(fix, Packer.Unpack<Fixed>(Packer.Pack(fix)));
            }
        }
        """);
}
