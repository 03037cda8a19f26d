using System.Buffers;
using System.Text;

namespace BlitQueue.Tests.Packing;

public sealed class TimeZoneTests
{
    private static readonly TimeZoneInfo.TransitionTime Spring =
        TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new DateTime(1, 1, 1, 2, 0, 0, 5), 3, 5, DayOfWeek.Sunday);

    private static readonly TimeZoneInfo.TransitionTime Autumn = TimeZoneInfo.TransitionTime.CreateFixedDateRule(
        new DateTime(1, 1, 1, 3, 59, 59), 10, 9);

    // What stands in no list of zones and is found by its id all the same.
    private static readonly string[] Unlisted = ["UTC", "Etc/GMT+5", "US/Pacific", "EST5EDT"];

    public static TheoryData<string> Made { get; } = ["simple", "summer", "winter", "many rules", "base", "seconds", "disabled",
        "ends of time", "UTC", "no names", "text"];

    [Fact]
    public void Every_zone_of_this_system_comes_back()
    {
        var zones = TimeZoneInfo.GetSystemTimeZones().Concat(Unlisted.Where(IsKnown).Select(TimeZoneInfo.FindSystemTimeZoneById)).ToList();
        // Windows has one zone where others have one for each town.
        Assert.True(zones.Count > (OperatingSystem.IsWindows() ? 50 : 400));
        foreach (TimeZoneInfo? zone in zones)
        {
            byte[] bytes = Pack(zone);
            AssertSame(zone, Read(bytes));
            Assert.Equal(zone.Id, Encoding.UTF8.GetString(bytes.AsSpan(8)));
            Assert.Same(zone, Read(bytes, zone));
            AssertSame(zone, Read(bytes, TimeZoneInfo.CreateCustomTimeZone(zone.Id, TimeSpan.FromMinutes(7), "D", "S")));
            Assert.Equal(bytes, Pack(Read(bytes)));
        }
    }

    [Fact]
    public void The_local_zone_comes_back()
    {
        // Where the system does not say what it is called, its rules can be nobody else's.
        if (IsKnown(TimeZoneInfo.Local.Id))
        {
            AssertSame(TimeZoneInfo.Local, Read(Pack(TimeZoneInfo.Local)));
        }
    }

    [Theory]
    [MemberData(nameof(Made))]
    public void A_made_zone_comes_back(string name)
    {
        TimeZoneInfo zone = Make(name);
        byte[] bytes = Pack(zone);
        TimeZoneInfo? again = Read(bytes);
        AssertSame(zone, again);
        Assert.Equal(bytes, Pack(again));
        Assert.Same(zone, Read(bytes, zone));
        Assert.Same(again, Read(bytes, again));
        AssertSame(zone, Read(bytes, TimeZoneInfo.Utc));
        AssertSame(
            zone,
            Read(
                bytes,
                TimeZoneInfo.CreateCustomTimeZone(
                    zone.Id, zone.BaseUtcOffset + TimeSpan.FromHours(1), zone.DisplayName, zone.StandardName)));
    }

    [Fact]
    public void No_zone_and_many_zones()
    {
        Assert.Equal([0xFF, 0xFF, 0xFF, 0xFF], Pack(null));
        Assert.Null(Read(Pack(null), TimeZoneInfo.Utc));
    }

    // What earlier code has written, and reads no more of than the framework does.
    [Fact]
    public void The_text_of_earlier_code_is_read()
    {
        TimeZoneInfo zone = Make("many rules");
        byte[] text = Text(zone.ToSerializedString());
        AssertSame(zone, Read(text));
        Assert.Same(zone, Read(text, zone));
        AssertSame(TimeZoneInfo.Utc, Read(Text(TimeZoneInfo.Utc.ToSerializedString())));
        Refused(Text(new string('x', 70_000) + ";0;D;S;S;;"));
    }

    [Fact]
    public void A_zone_that_could_not_be_made_again_is_refused_where_it_is_packed()
    {
        // Rules of a kind that only the framework makes, under an id that no system has.
        int count = 0;
        foreach (TimeZoneInfo zone in TimeZoneInfo.GetSystemTimeZones())
        {
            if (Renamed(zone) is not { } renamed)
            {
                continue;
            }

            count++;
            try
            {
                AssertSame(renamed, Read(Pack(renamed)));
            }
            catch (PackException fault)
            {
                Assert.Contains("'No/Such'", fault.Message, StringComparison.Ordinal);
            }
        }

        // Windows has no such rules.
        Assert.True(OperatingSystem.IsWindows() || count > 50);
        Func<int, TimeZoneInfo.AdjustmentRule> rule = (int day) => TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
            new DateTime(1, 1, 1).AddDays(2 * day), new DateTime(1, 1, 1).AddDays((2 * day) + 1), TimeSpan.FromHours(1), Spring, Autumn);
        var huge = TimeZoneInfo.CreateCustomTimeZone("Huge", TimeSpan.Zero, "D", "S", "L", [.. Enumerable.Range(0, 2000).Select(rule)]);
        Assert.Contains("'Huge'", Assert.Throws<PackException>(() => Pack(huge)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("No/Such")]
    [InlineData("../../../dev/zero")]
    [InlineData("/dev/zero")]
    [InlineData("Europe/../Europe/Berlin")]
    [InlineData("Europe")]
    [InlineData("Europe//Berlin")]
    [InlineData("Europe/Berlin\0")]
    [InlineData("Europ\u00e9/Berlin")]
    public void What_is_no_id_of_a_zone_is_refused(string id) => Refused(Text(id));

    [Fact]
    public void It_says_which_zone_the_system_lacks()
        => Assert.Contains(
            "'Atlantis/Capital'", Assert.Throws<PackException>(() => Read(Text("Atlantis/Capital"))).Message, StringComparison.Ordinal);

    [Fact]
    public void Bad_bytes_are_refused_and_nothing_else()
    {
        foreach (string name in Made)
        {
            // Many rules are like one, but for those who wait.
            if ((string)name == "many rules")
            {
                continue;
            }

            byte[] bytes = Pack(Make((string)name));
            for (int length = 4; length < bytes.Length; length++)
            {
                byte[] cut = bytes[..length];
                BitConverter.TryWriteBytes(cut, length - 4);
                Try(cut);
            }

            for (int at = 0; at < bytes.Length; at++)
            {
                foreach (byte value in (byte[])[0, 1, 0x7F, 0x80, 0xFF, (byte)(bytes[at] + 1)])
                {
                    byte[] changed = (byte[])bytes.Clone();
                    changed[at] = value;
                    Try(changed);
                }
            }
        }
    }

    [Fact]
    public void An_equal_zone_is_read_without_an_allocation()
    {
        foreach (TimeZoneInfo zone in (TimeZoneInfo[])[Make("many rules"), TimeZoneInfo.Utc, TimeZoneInfo.GetSystemTimeZones()[0]])
        {
            byte[] bytes = Pack(zone);
            Read(bytes, zone);
            long before = GC.GetAllocatedBytesForCurrentThread();
            TimeZoneInfo? again = new PackReader(bytes).ReadTimeZoneInfo(zone);
            Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.Same(zone, again);
        }
    }

    private static TimeZoneInfo Make(string name) => name switch
    {
        "simple" => TimeZoneInfo.CreateCustomTimeZone("Simple", TimeSpan.FromMinutes(-61), "D", "S"),
        "summer" => Zone("Summer", Rule(2000, 2001, 60, 0)),
        "winter" => Zone("Winter", Rule(2000, 2001, -60, 0)),
        "many rules" => Zone("Many", [.. Enumerable.Range(1900, 200).Select(year => Rule(year, year, year % 3 * 30, year % 2))]),
        "base" => Zone("Base", Rule(2000, 2001, 0, 90)),
        "seconds" => Zone(
            "Seconds",
            TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
                new(2000, 1, 1), new(2001, 1, 1), TimeSpan.Zero, Spring, Autumn, TimeSpan.FromSeconds(61))),
        "disabled" => TimeZoneInfo.CreateCustomTimeZone(
            "Off", TimeSpan.FromHours(12), "D", "S", "L", [Rule(2000, 2001, -60, 0)], disableDaylightSavingTime: true),
        "ends of time" => Zone(
            "Ends",
            TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
                DateTime.MinValue.Date, DateTime.MaxValue.Date, TimeSpan.FromHours(1), Spring, Autumn)),
        "UTC" => TimeZoneInfo.CreateCustomTimeZone("UTC", TimeSpan.Zero, "Mine", "Mine"),
        "no names" => TimeZoneInfo.CreateCustomTimeZone("N", TimeSpan.Zero, null, null),
        _ => Zone("a;b[c]\\/\u00e9\U0001F680", Rule(2000, 2001, 60, 0)),
    };

    private static TimeZoneInfo Zone(string id, params TimeZoneInfo.AdjustmentRule[] rules)
        => TimeZoneInfo.CreateCustomTimeZone(id, TimeSpan.FromMinutes(61), "Display;", "[Standard]", "Daylight", rules);

    private static TimeZoneInfo.AdjustmentRule Rule(int from, int to, int minutes, int baseMinutes)
        => TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
            new(from, 1, 1), new(to, 12, 31), TimeSpan.FromMinutes(minutes), Spring, Autumn, TimeSpan.FromMinutes(baseMinutes));

    // Some of the system's zones survive the framework's text, and their id does not.
    private static TimeZoneInfo? Renamed(TimeZoneInfo zone)
    {
        try
        {
            string text = zone.ToSerializedString();
            return TimeZoneInfo.FromSerializedString("No/Such" + text[text.IndexOf(';', StringComparison.Ordinal)..]);
        }
        catch (Exception)
        {
            return null;
        }
    }

    private static bool IsKnown(string id) => TimeZoneInfo.TryFindSystemTimeZoneById(id, out _);

    private static byte[] Pack(TimeZoneInfo? zone)
    {
        var destination = new ArrayBufferWriter<byte>();
        var writer = new PackWriter(destination);
        writer.WriteTimeZoneInfo(zone);
        writer.Complete();
        return destination.WrittenSpan.ToArray();
    }

    private static byte[] Text(string text)
    {
        var destination = new ArrayBufferWriter<byte>();
        var writer = new PackWriter(destination);
        writer.WriteString(text);
        writer.Complete();
        return destination.WrittenSpan.ToArray();
    }

    private static TimeZoneInfo? Read(byte[] bytes, TimeZoneInfo? reuse = null)
    {
        var reader = new PackReader(bytes);
        TimeZoneInfo? zone = reader.ReadTimeZoneInfo(reuse);
        Assert.Equal(0, reader.Remaining);
        return zone;
    }

    private static void Refused(byte[] bytes) => Assert.Throws<PackException>(() => Read(bytes));

    private static void Try(byte[] bytes)
    {
        try
        {
            var reader = new PackReader(bytes);
            if (reader.ReadTimeZoneInfo() is { } zone)
            {
                AssertSame(zone, Read(Pack(zone)));
            }
        }
        catch (PackException)
        {
        }
    }

    private static void AssertSame(TimeZoneInfo zone, TimeZoneInfo? other)
    {
        Assert.NotNull(other);
        Assert.Equal(zone.Id, other.Id);
        Assert.True(zone.Equals(other), zone.Id);
        Assert.Equal(zone.SupportsDaylightSavingTime, other.SupportsDaylightSavingTime);
        Assert.Equal((zone.DisplayName, zone.StandardName, zone.DaylightName), (other.DisplayName, other.StandardName, other.DaylightName));
        Assert.Equal(zone.ToSerializedString(), other.ToSerializedString());
    }
}
