namespace BlitQueue.Cli.Codecs;

/// <summary>Dates and times: texts with all 7 digits of a second.</summary>
internal static class Times
{
    private const string Local = " local", Iso = "yyyy-MM-ddTHH:mm:ss.fffffff", Clock = "HH:mm:ss.fffffff";
    private const long MostTicks = 3_155_378_975_999_999_999, TicksPerDay = System.TimeSpan.TicksPerDay;
    private const int MostOffset = 840;

    private static readonly string[] ReadAs = ["yyyy-MM-ddTHH:mm:ss.FFFFFFF", "yyyy-MM-dd HH:mm:ss.FFFFFFF", "yyyy-MM-dd"];

    public static ValueCodec DateTime { get; } = new(8, DecodeDateTime, EncodeDateTime);

    public static ValueCodec DateTimeOffset { get; } = new(10, DecodeOffset, EncodeOffset);

    public static ValueCodec TimeSpan { get; } = new(8, DecodeSpan, EncodeSpan);

    public static ValueCodec Date { get; } = new(4, DecodeDate, EncodeDate);

    public static ValueCodec Time { get; } = new(8, DecodeTime, EncodeTime);

    /// <summary>A time as text.</summary>
    public static string TextOf(DateTime time) => time.ToString(Iso, CultureInfo.InvariantCulture)
        + time.Kind switch { DateTimeKind.Utc => "Z", DateTimeKind.Local => Local, _ => "" };

    /// <summary>A span of time as text.</summary>
    public static string TextOf(long ticks)
    {
        var all = (UInt128)Int128.Abs(ticks);
        long days = (long)(all / (UInt128)TicksPerDay);
        var clock = new TimeOnly((long)(all % (UInt128)TicksPerDay));
        string time = clock.ToString(Clock, CultureInfo.InvariantCulture);
        return string.Create(CultureInfo.InvariantCulture, $"{(ticks < 0 ? "-" : "")}{days}.{time}");
    }

    /// <summary>A time from its text; <c>Z</c> behind it says UTC.</summary>
    public static bool TryParse(string text, out DateTime time)
    {
        (DateTimeKind kind, string rest) = text.EndsWith('Z') ? (DateTimeKind.Utc, text[..^1])
            : text.EndsWith(Local, StringComparison.Ordinal) ? (DateTimeKind.Local, text[..^Local.Length])
            : (DateTimeKind.Unspecified, text);
        bool isTime = System.DateTime.TryParseExact(rest, ReadAs, CultureInfo.InvariantCulture, DateTimeStyles.None, out time);
        time = System.DateTime.SpecifyKind(time, kind);
        return isTime;
    }

    private static void DecodeDateTime(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
    {
        ulong bits = BinaryPrimitives.ReadUInt64LittleEndian(bytes), ticks = bits & ((1ul << 62) - 1);
        if (ticks > MostTicks || bits >> 62 > 2)
        {
            throw input.Fault($"0x{bits:X} is no DateTime");
        }
        json.Text(TextOf(new DateTime((long)ticks, (DateTimeKind)(bits >> 62))));
    }

    private static void EncodeDateTime(ref JsonInput json, Span<byte> bytes)
    {
        string text = json.Text();
        if (!TryParse(text, out DateTime time))
        {
            throw json.Fault($"'{text}' is no time: 2026-01-31T12:00:00.0000000, with Z behind it if it is UTC, is one");
        }
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, (ulong)time.Ticks | (ulong)time.Kind << 62);
    }

    private static void DecodeOffset(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
    {
        long utc = BinaryPrimitives.ReadInt64LittleEndian(bytes);
        int minutes = BinaryPrimitives.ReadInt16LittleEndian(bytes[8..]);
        Int128 local = utc + (Int128)minutes * System.TimeSpan.TicksPerMinute;
        if (Math.Abs(minutes) > MostOffset || utc is < 0 or > MostTicks || local < 0 || local > MostTicks)
        {
            throw input.Fault($"{utc} ticks and {minutes} minutes are no DateTimeOffset");
        }
        string sign = minutes < 0 ? "-" : "+";
        string offset = string.Create(CultureInfo.InvariantCulture, $"{sign}{Math.Abs(minutes) / 60:00}:{Math.Abs(minutes) % 60:00}");
        json.Text(new DateTime((long)local).ToString(Iso, CultureInfo.InvariantCulture) + offset);
    }

    private static void EncodeOffset(ref JsonInput json, Span<byte> bytes)
    {
        string text = json.Text();
        string[] formats = ["yyyy-MM-ddTHH:mm:ss.FFFFFFFzzz", "yyyy-MM-dd HH:mm:ss.FFFFFFFzzz"];
        string zoned = text.EndsWith('Z') ? text[..^1] + "+00:00" : text;
        if (!System.DateTimeOffset.TryParseExact(
            zoned, formats, CultureInfo.InvariantCulture, DateTimeStyles.None, out DateTimeOffset time))
        {
            throw json.Fault($"'{text}' is no time with an offset: 2026-01-31T12:00:00.0000000+01:00 is one");
        }
        BinaryPrimitives.WriteInt64LittleEndian(bytes, time.UtcTicks);
        BinaryPrimitives.WriteInt16LittleEndian(bytes[8..], (short)time.TotalOffsetMinutes);
    }

    private static void DecodeSpan(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
        => json.Text(TextOf(BinaryPrimitives.ReadInt64LittleEndian(bytes)));

    // Without the days too: 01:30:00.
    private static void EncodeSpan(ref JsonInput json, Span<byte> bytes)
    {
        string text = json.Text(), rest = text.TrimStart('-');
        int dot = rest.IndexOf('.', StringComparison.Ordinal), colon = rest.IndexOf(':', StringComparison.Ordinal);
        string days = dot >= 0 && dot < colon ? rest[..dot] : "0", clock = dot >= 0 && dot < colon ? rest[(dot + 1)..] : rest;
        if (!long.TryParse(days, NumberStyles.None, CultureInfo.InvariantCulture, out long whole)
            || !TimeOnly.TryParseExact(clock, "HH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture, DateTimeStyles.None, out TimeOnly part))
        {
            throw json.Fault($"'{text}' is no span of time: 1.02:03:04.0000000 is one");
        }
        Int128 ticks = ((Int128)whole * TicksPerDay) + part.Ticks;
        ticks = text.StartsWith('-') ? -ticks : ticks;
        if (ticks < long.MinValue || ticks > long.MaxValue)
        {
            throw json.Fault($"'{text}' is longer than a span of time can be");
        }
        BinaryPrimitives.WriteInt64LittleEndian(bytes, (long)ticks);
    }

    private static void DecodeDate(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
    {
        uint day = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        if (day > DateOnly.MaxValue.DayNumber)
        {
            throw input.Fault($"{day} is the number of no day");
        }
        json.Text(DateOnly.FromDayNumber((int)day).ToString("yyyy-MM-dd", CultureInfo.InvariantCulture));
    }

    private static void EncodeDate(ref JsonInput json, Span<byte> bytes)
    {
        string text = json.Text();
        if (!DateOnly.TryParseExact(text, "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out DateOnly date))
        {
            throw json.Fault($"'{text}' is no date: 2026-01-31 is one");
        }
        BinaryPrimitives.WriteInt32LittleEndian(bytes, date.DayNumber);
    }

    private static void DecodeTime(ReadOnlySpan<byte> bytes, in PackedInput input, JsonOutput json)
    {
        ulong ticks = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        if (ticks >= (ulong)TicksPerDay)
        {
            throw input.Fault($"{ticks} ticks are more than a day");
        }
        json.Text(new TimeOnly((long)ticks).ToString(Clock, CultureInfo.InvariantCulture));
    }

    private static void EncodeTime(ref JsonInput json, Span<byte> bytes)
    {
        string text = json.Text();
        if (!TimeOnly.TryParseExact(text, "HH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture, DateTimeStyles.None, out TimeOnly time))
        {
            throw json.Fault($"'{text}' is no time of day: 12:00:00.0000000 is one");
        }
        BinaryPrimitives.WriteInt64LittleEndian(bytes, time.Ticks);
    }
}
