using System.Runtime.Serialization;
using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>A time zone: the id of one that the system has, or all that a made one consists of.</summary>
/// <remarks>
/// <code>
/// zone of the system := a string, its id: letters, digits, space and _ - + . ( ), in parts between slashes
/// made zone          := u32 0, i16 offset in minutes, u8 1 = never daylight saving time, id, display, standard and daylight name as
///                    strings, rules
/// rule               := begin and end as DateTime, i64 daylight delta, i64 base delta in ticks, transition, transition
/// transition         := u8 1 = on a date, i32 milliseconds of the day, u8 month, u8 week, u8 day, u8 day of the week
/// </code>
/// No string begins with a u32 0. A string with a semicolon is the result of <see cref="TimeZoneInfo.ToSerializedString"/>, which earlier
/// code wrote. The framework cannot read its own result for most zones of a Linux system, because only its own code can make their kind of
/// rules.
/// </remarks>
internal static class TimeZoneFormat
{
    /// <summary>The most bytes of a made zone, and chars of a zone as text. Two centuries of rules are 10,000 bytes.</summary>
    public const int MaxLength = 64 * 1024;

    /// <summary>The size of a made zone's rule.</summary>
    public const int RuleSize = 50;

    /// <summary>The offset of the id in a made zone.</summary>
    public const int IdOffset = sizeof(uint) + sizeof(short) + sizeof(byte);

    /// <summary>Every text of a zone contains it, and no id of the system.</summary>
    public const char TextMark = ';';

    private const int MaxIdLength = 128;

    private static readonly SearchValues<char> IdChars =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-+.()");

    // Whole variables, by zone. A zone never changes, and finding its variable takes comparing all its rules. Empty for a zone that cannot
    // be packed.
    private static readonly ConditionalWeakTable<TimeZoneInfo, byte[]> Known = [];

    /// <summary>The variable as which the zone is packed; empty if it could not be made again.</summary>
    public static byte[] Of(TimeZoneInfo zone) => Known.GetValue(zone, static zone => Make(zone));

    /// <summary>Whether a variable's content is that of a made zone.</summary>
    public static bool IsMade(ReadOnlySpan<byte> content) => Blit.TryRead(content, 0, out uint mark) && mark == 0;

    /// <summary>Whether the zones are equal in everything that the framework shows of them.</summary>
    public static bool AreSame(TimeZoneInfo one, TimeZoneInfo other)
        => ReferenceEquals(one, other)
        || (one.Id == other.Id
            && one.HasSameRules(other)
            && one.SupportsDaylightSavingTime == other.SupportsDaylightSavingTime
            && HaveSameNames(one, other)
            && one.ToSerializedString() == other.ToSerializedString());

    /// <summary>
    /// The system's zone of that id; null if there is none. Only valid ids are looked for, because an id is a file's name.
    /// </summary>
    public static TimeZoneInfo? Find(string id)
        => IsId(id) && TimeZoneInfo.TryFindSystemTimeZoneById(id, out TimeZoneInfo? zone) ? zone : null;

    /// <summary>Whether this is an exception that the framework throws for a zone whose parts do not fit each other.</summary>
    public static bool IsRefusal(Exception cause)
        => cause is ArgumentException or SerializationException or InvalidTimeZoneException or FormatException or OverflowException

            // For a text that ends behind a rule.
            or IndexOutOfRangeException;

    private static bool HaveSameNames(TimeZoneInfo one, TimeZoneInfo other)
        => one.DisplayName == other.DisplayName && one.StandardName == other.StandardName && one.DaylightName == other.DaylightName;

    private static bool IsId(string id)
    {
        if (id.Length > MaxIdLength)
        {
            return false;
        }

        foreach (Range part in id.AsSpan().Split('/'))
        {
            ReadOnlySpan<char> name = id.AsSpan()[part];
            if (name.IsEmpty || name[0] == '.' || name.ContainsAnyExcept(IdChars))
            {
                return false;
            }
        }

        return true;
    }

    private static byte[] Make(TimeZoneInfo zone)
    {
        TimeZoneInfo? known = Find(zone.Id);
        if (known is not null && AreSame(known, zone))
        {
            return Written(zone, static (ref writer, zone) => writer.WriteString(zone.Id));
        }

        if (TryMake(zone, WriteMade) is { } made)
        {
            return made;
        }

        if (TryMake(zone, WriteDisabled) is { } disabled)
        {
            return disabled;
        }

        // The same zone with names in another language, which was the system's language when the zone was taken from it.
        return known is not null && known.Equals(zone) ? Written(zone, static (ref writer, zone) => writer.WriteString(zone.Id)) : [];
    }

    // The zone must be equal when it is read: some rules can be made by the framework alone, and it does not show what is special about
    // them.
    private static byte[]? TryMake(TimeZoneInfo zone, Write write)
    {
        byte[] bytes = Written(zone, write);
        try
        {
            var reader = new PackReader(bytes);
            return reader.ReadTimeZoneInfo() is { } again && AreSame(zone, again) ? bytes : null;
        }
        catch (PackException)
        {
            return null;
        }
    }

    private static byte[] Written(TimeZoneInfo zone, Write write)
    {
        var destination = new ArrayBufferWriter<byte>();
        var writer = new PackWriter(destination);
        write(ref writer, zone);
        writer.Complete();
        return destination.WrittenSpan.ToArray();
    }

    private static void WriteMade(ref PackWriter writer, TimeZoneInfo zone) => WriteParts(ref writer, zone, isDisabled: false);

    private static void WriteDisabled(ref PackWriter writer, TimeZoneInfo zone) => WriteParts(ref writer, zone, isDisabled: true);

    private static void WriteParts(ref PackWriter writer, TimeZoneInfo zone, bool isDisabled)
    {
        VariableMark mark = writer.BeginVariable();
        writer.WriteValue(0u);
        writer.WriteValue((short)zone.BaseUtcOffset.TotalMinutes);
        writer.WriteValue(isDisabled);
        writer.WriteString(zone.Id);
        writer.WriteString(zone.DisplayName);
        writer.WriteString(zone.StandardName);
        writer.WriteString(zone.DaylightName);
        foreach (TimeZoneInfo.AdjustmentRule rule in zone.GetAdjustmentRules())
        {
            writer.WriteValue(rule.DateStart);
            writer.WriteValue(rule.DateEnd);
            writer.WriteValue(rule.DaylightDelta.Ticks);
            writer.WriteValue(rule.BaseUtcOffsetDelta.Ticks);
            WriteTransition(ref writer, rule.DaylightTransitionStart);
            WriteTransition(ref writer, rule.DaylightTransitionEnd);
        }

        writer.EndVariable(mark);
    }

    private static void WriteTransition(ref PackWriter writer, TimeZoneInfo.TransitionTime transition)
    {
        writer.WriteValue(transition.IsFixedDateRule);
        writer.WriteValue((int)(transition.TimeOfDay.Ticks / TimeSpan.TicksPerMillisecond));
        writer.WriteValue((byte)transition.Month);
        writer.WriteValue((byte)transition.Week);
        writer.WriteValue((byte)transition.Day);
        writer.WriteValue((byte)transition.DayOfWeek);
    }

    private delegate void Write(ref PackWriter writer, TimeZoneInfo zone);
}
