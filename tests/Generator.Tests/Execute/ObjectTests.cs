namespace BlitQueue.Generator.Tests.Execute;

public class ObjectTests
{
    private const string Source = """
        using System.Collections;
        using System.Globalization;
        using System.Linq;
        using System.Numerics;
        using System.Text;

        [QueueMessage]
        public partial class All
        {
            public BigInteger Big { get; set; }
            public BigInteger? Some { get; set; }
            public BigInteger? None { get; set; }
            public Version? Version { get; set; }
            public Uri? Uri { get; set; }
            public StringBuilder? Text { get; set; }
            public BitArray? Bits { get; set; }
            public Complex Complex { get; set; }
            public Complex? NullableComplex { get; set; }
            public CultureInfo? Culture { get; set; }
            public TimeZoneInfo? Zone { get; set; }
            public Dictionary<Version, Uri?>? Map { get; set; }
            public BigInteger[]? Bigs { get; set; }
            public List<Complex>? Points { get; set; }
        }

        public static class Probe
        {
            public static All Make() => new()
            {
                Big = BigInteger.Parse("-123456789012345678901234567890"), Some = 5, Version = new(1, 2), Uri = new("http://a/b?c"),
                Text = new("abc"),
                Bits = new([true, false, true, true, false, false, false, false, true]), Complex = new(1, -2),
                NullableComplex = Complex.One,
                Culture = CultureInfo.InvariantCulture, Zone = TimeZoneInfo.CreateCustomTimeZone("z", TimeSpan.FromHours(2), "zed", "zed"),
                Map = new() { [new(1, 2, 3)] = new("a/b", UriKind.Relative), [new(1, 2, 3, 4)] = null }, Bigs = [0, -1, long.MaxValue],
                Points = [Complex.ImaginaryOne],
            };

            public static byte[] Pack() => Packer.Pack(Make());

            public static bool TryUnpack(byte[] bytes)
            {
                All? all = Make();
                try { Packer.Unpack(bytes, ref all); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                var from = Make();
                All? to = null;
                for (var round = 0; round < 2; round++)
                {
                    Packer.Unpack(Packer.Pack(in from), ref to);
                    Xunit.Assert.Equal((from.Big, from.Some, from.None, from.Version, from.Uri),
                        (to!.Big, to.Some, to.None, to.Version, to.Uri));
                    Xunit.Assert.Equal("abc", to.Text!.ToString());
                    Xunit.Assert.Equal(from.Bits!.Cast<bool>(), to.Bits!.Cast<bool>());
                    Xunit.Assert.Equal((from.Complex, from.NullableComplex, from.Culture, from.Zone),
                        (to.Complex, to.NullableComplex, to.Culture, to.Zone));
                    Xunit.Assert.Equal(from.Map, to.Map);
                    Xunit.Assert.Equal(from.Bigs, to.Bigs);
                    Xunit.Assert.Equal(from.Points, to.Points);
                }

                var (version, uri, text, bits) = (to!.Version, to.Uri, to.Text, to.Bits);
                Packer.Unpack(Packer.Pack(in from), ref to);
                Xunit.Assert.Same(version, to.Version);
                Xunit.Assert.Same(uri, to.Uri);
                Xunit.Assert.Same(text, to.Text);
                Xunit.Assert.Same(bits, to.Bits);

                Packer.Unpack(Packer.Pack(new All()), ref to);
                foreach (var member in typeof(All).GetProperties()
                    .Where(member => member.Name != "Schema" && !member.PropertyType.IsValueType))
                    Xunit.Assert.Null(member.GetValue(to));
                Xunit.Assert.Equal((default, null, default), (to.Big, to.Some, to.Complex));
            }

            public static void Uris()
            {
                foreach (var uri in (Uri[])[new("http://a"), new("/a/b", UriKind.Relative), new("file:///tmp/x"), new("mailto:a@b"),
                    new("", UriKind.Relative), new("a b", UriKind.Relative), new("//host/x", UriKind.Relative)])
                {
                    All? back = new() { Uri = uri };
                    var bytes = Packer.Pack(in back);
                    Xunit.Assert.Equal(
                        (uri, uri.IsAbsoluteUri), (Packer.Unpack<All>(bytes)!.Uri, Packer.Unpack<All>(bytes)!.Uri!.IsAbsoluteUri));
                    Packer.Unpack(bytes, ref back);
                    Xunit.Assert.Same(uri, back.Uri);
                }

                if (!OperatingSystem.IsWindows())
                    Xunit.Assert.Equal("file:///tmp/x", Packer.Unpack<All>(Packer.Pack(new All { Uri = new("/tmp/x") }))!.Uri!.AbsoluteUri);
            }
        }
        """;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Source);

    [Fact]
    public void Every_object_comes_back() => Loaded.Call<object>("Run");

    [Fact]
    public void An_address_stays_relative_or_absolute() => Loaded.Call<object>("Uris");

    [Fact]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours()
    {
        byte[] bytes = Loaded.Call<byte[]>("Pack");
        Assert.True(Loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(Loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(14);
        for (int i = 0; i < 10_000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            Loaded.Call<bool>("TryUnpack", hostile);
        }
    }

    [Fact]
    public void Time_zones_go_through_a_queue_and_stay_where_they_are_equal() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Meeting { public TimeZoneInfo? Zone { get; set; }
            public Dictionary<string, TimeZoneInfo>? Zones { get; set; } }

        public static class Probe
        {
            static TimeZoneInfo Made(string name) => TimeZoneInfo.CreateCustomTimeZone("Made", TimeSpan.FromHours(2), name, "S");

            public static void Run()
            {
                var path = System.IO.Directory.CreateTempSubdirectory().FullName;
                try
                {
                    using var queue = MappedQueue<Meeting>.Open(path);
                    Meeting? meeting = null;
                    foreach (var zone in TimeZoneInfo.GetSystemTimeZones())
                    {
                        for (var i = 0; i < 2; i++)
                        {
                            queue.Enqueue(new Meeting { Zone = zone, Zones = new() { ["a"] = Made("D"), ["b"] = zone } });
                            var (made, same) = (meeting?.Zones!["a"], zone);
                            Xunit.Assert.True(queue.TryDequeue(ref meeting));
                            Xunit.Assert.Same(same, meeting!.Zone);
                            Xunit.Assert.Same(same, meeting.Zones!["b"]);
                            if (made is not null)
                                Xunit.Assert.Same(made, meeting.Zones["a"]);
                        }
                    }

                    var bytes = Packer.Pack(new Meeting { Zone = Made("E") });
                    meeting!.Zone = Made("D");
                    Packer.Unpack(bytes, ref meeting);
                    Xunit.Assert.Equal("E", meeting!.Zone!.DisplayName);
                    var view = Meeting.View.From(bytes);
                    Xunit.Assert.Equal("Made", view.Zone.Text.ToString());
                    Xunit.Assert.Equal(meeting.Zone, view.Zone.ToObject());
                    Xunit.Assert.Equal("UTC", Meeting.View.From(Packer.Pack(new Meeting { Zone = TimeZoneInfo.Utc })).Zone.Text.ToString());
                }
                finally { System.IO.Directory.Delete(path, recursive: true); }
            }
        }
        """);

    // The framework takes such a rule and shows it with other dates: what would come out of the bytes could not be packed.
    [Fact]
    public void A_made_zone_has_no_rule_with_a_date_in_utc() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Meeting { public TimeZoneInfo? Zone { get; set; } }

        public static class Probe
        {
            static readonly DateTime Begin = new(2001, 1, 1), End = new(2020, 12, 31);

            static TimeZoneInfo.TransitionTime On(int month)
                => TimeZoneInfo.TransitionTime.CreateFixedDateRule(new(1, 1, 1, 2, 0, 0), month, 1);

            public static void Run()
            {
                var rule = TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(Begin, End, TimeSpan.FromHours(1), On(3), On(10));
                var bytes = Packer.Pack(
                    new Meeting { Zone = TimeZoneInfo.CreateCustomTimeZone("Made", TimeSpan.FromHours(-7), "D", "S", "Y", [rule]) });
                Xunit.Assert.NotNull(Packer.Unpack<Meeting>(bytes)!.Zone);
                foreach (var date in new[] { Begin, End })
                {
                    var changed = (byte[])bytes.Clone();
                    changed[changed.AsSpan().IndexOf(BitConverter.GetBytes(date.Ticks)) + 7] |= 0x40;
                    Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Meeting>(changed));
                }
            }
        }
        """);

    [Fact]
    public void The_bytes_are_those_of_the_format() => LoadedAssembly.Run("""
        using System.Collections;
        using System.Numerics;

        [QueueMessage]
        public partial class Order
        {
            public BigInteger Big { get; set; }
            public Version? Version { get; set; }
            public Uri? Uri { get; set; }
            public System.Text.StringBuilder? Text { get; set; }
            public BitArray? Bits { get; set; }
            public Complex Complex { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var order = new Order { Big = -2, Version = new(1, 2), Uri = new("a", UriKind.Relative), Text = new("b"),
                    Bits = new(9, true), Complex = new(1, 0) };
                Xunit.Assert.Equal(
                    "10000500" + "000000000000F03F" + "0000000000000000"
                    + "01000000FE" + "10000000" + "0100000002000000FFFFFFFFFFFFFFFF" + "050000000100000061" + "050000000100000062"
                        + "0600000009000000FF01",
                    Convert.ToHexString(Packer.Pack(in order)));
                Xunit.Assert.Equal("#0{Big:bigint,Version:version,Uri:uri,Text:string,Bits:bits,Complex:complex}", Order.Schema.Text);
                Xunit.Assert.False(Order.Schema.RunsUserCode);
            }
        }
        """);
}
