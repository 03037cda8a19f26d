using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace BlitQueue.Clients;

/// <summary>The canonical text of values that are no messages and contain none.</summary>
internal static class CanonicalValues
{
    private const string Unescaped = " -_./:?=";

    /// <summary>null for a value that is a container, or a struct of the user's.</summary>
    public static string? Text(object value) => value switch
    {
        bool one => one ? "true" : "false",
        Enum one => Convert.ChangeType(one, Enum.GetUnderlyingType(one.GetType()), CultureInfo.InvariantCulture) is var number
            ? Text(number)
            : null,
        sbyte or byte or short or ushort or int or uint or long or ulong or Int128 or UInt128 or BigInteger
            => ((IFormattable)value).ToString(null, CultureInfo.InvariantCulture),
        Half one => Float((double)one),
        float one => Float(one),
        double one => Float(one),
        Complex one => $"x:{Float(one.Real)}:{Float(one.Imaginary)}",
        char one => Quoted(one.ToString()),
        Rune one => Quoted(one.ToString()),
        string one => Quoted(one),
        StringBuilder one => Quoted(one.ToString()),
        Uri one => Quoted(one.OriginalString),
        CultureInfo one => Quoted(one.Name),
        decimal one => Decimal(one),
        Guid one => $"g:{one:D}",
        DateTime one => $"t:{one.Ticks}:{(int)one.Kind}",
        DateTimeOffset one => $"o:{one.UtcTicks}:{one.TotalOffsetMinutes}",
        TimeSpan one => $"s:{one.Ticks}",
        TimeOnly one => $"c:{one.Ticks}",
        DateOnly one => $"a:{one.DayNumber}",
        Version one => $"v:{one.Major}.{one.Minor}.{one.Build}.{one.Revision}",
        BitArray one => $"[{string.Join(',', one.Cast<bool>().Select(static bit => Text(bit)))}]",
        TimeZoneInfo one => Zone(one),
        _ => null,
    };

    private static string Float(double value)
        => double.IsNaN(value) ? "f:nan" : $"f:{BitConverter.DoubleToUInt64Bits(value):x16}";

    private static string Decimal(decimal value)
    {
        int[] bits = decimal.GetBits(value);
        UInt128 digits = ((UInt128)(uint)bits[2] << 64) | ((UInt128)(uint)bits[1] << 32) | (uint)bits[0];
        int scale = bits[3] >> 16 & 0xFF;
        return $"d:{(bits[3] < 0 ? "-" : "")}{digits}E{(scale == 0 ? "0" : $"-{scale}")}";
    }

    private static string Quoted(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (char unit in text)
        {
            _ = char.IsAsciiLetterOrDigit(unit) || Unescaped.Contains(unit, StringComparison.Ordinal)
                ? quoted.Append(unit)
                : quoted.Append(CultureInfo.InvariantCulture, $"\\{(int)unit:x4}");
        }

        return quoted.Append('"').ToString();
    }

    // What is written for a zone depends on the system's zones: its bytes say whether it is an id alone.
    private static string Zone(TimeZoneInfo zone)
    {
        ReadOnlySpan<byte> packed = CanonicalBytes.Packed((ref writer) => writer.WriteTimeZoneInfo(zone));
        return packed.Length < 8 || BitConverter.ToInt32(packed[4..]) != 0
            ? Quoted(zone.Id)
            : $"({(int)zone.BaseUtcOffset.TotalMinutes},{(packed[10] == 1 ? "true" : "false")},{Quoted(zone.Id)},"
                + $"{Quoted(zone.DisplayName)},{Quoted(zone.StandardName)},{Quoted(zone.DaylightName)},"
                + $"({string.Join(',', zone.GetAdjustmentRules().Select(Rule))}))";
    }

    private static string Rule(TimeZoneInfo.AdjustmentRule rule)
        => $"({Text(rule.DateStart)},{Text(rule.DateEnd)},{Text(rule.DaylightDelta)},{Text(rule.BaseUtcOffsetDelta)},"
            + $"{Transition(rule.DaylightTransitionStart)},{Transition(rule.DaylightTransitionEnd)})";

    private static string Transition(TimeZoneInfo.TransitionTime time)
        => $"({Text(time.IsFixedDateRule)},{time.TimeOfDay.Ticks / TimeSpan.TicksPerMillisecond},{time.Month},{time.Week},{time.Day},"
            + $"{(int)time.DayOfWeek})";
}
