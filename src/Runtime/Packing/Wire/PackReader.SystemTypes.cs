using System.Collections;
using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Well-known types of variable size.</content>
public ref partial struct PackReader
{
    /// <summary>Reads a number of any size.</summary>
    /// <param name="reuse">Not used: a number is a value.</param>
    /// <returns>The number.</returns>
    /// <exception cref="PackException">The bytes are null or too many.</exception>
    public BigInteger ReadBigInteger(BigInteger reuse = default)
    {
        if (!TryReadElements(1, out ReadOnlySpan<byte> bytes, out _))
        {
            PackException.ThrowNullStruct(in this, typeof(BigInteger));
        }

        if (bytes.Length > ObjectFormat.MaxBigInteger)
        {
            PackException.ThrowObject(_position - bytes.Length, nameof(BigInteger));
        }

        return new BigInteger(bytes);
    }

    /// <summary>Reads a version.</summary>
    /// <param name="reuse">Comes back as it is when it already equals what the bytes say.</param>
    /// <returns>The version; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no version.</exception>
    public Version? ReadVersion(Version? reuse = null)
    {
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int start = _position;
        (int major, int minor, int build, int revision) = (ReadRaw<int>(), ReadRaw<int>(), ReadRaw<int>(), ReadRaw<int>());
        if (major < 0 || minor < 0 || build < -1 || revision < -1 || (build < 0 && revision >= 0))
        {
            PackException.ThrowObject(start, nameof(Version));
        }

        EndWholeVariable(scope);
        if (reuse is not null && reuse.Major == major && reuse.Minor == minor && reuse.Build == build && reuse.Revision == revision)
        {
            return reuse;
        }

        return build < 0 ? new Version(major, minor)
            : revision < 0 ? new Version(major, minor, build)
            : new Version(major, minor, build, revision);
    }

    /// <summary>Reads an address.</summary>
    /// <param name="reuse">Comes back as it is when it already is what the bytes say.</param>
    /// <returns>The address; null for the null mark.</returns>
    /// <exception cref="PackException">The text is no address.</exception>
    public Uri? ReadUri(Uri? reuse = null)
    {
        string? given = reuse?.OriginalString;
        if (ReadText(given, out int start) is not { } text)
        {
            return null;
        }

        bool isRooted = ObjectFormat.IsRooted(text);
        if (ReferenceEquals(text, given) && !(isRooted && reuse!.IsAbsoluteUri))
        {
            return reuse;
        }

        if (!Uri.TryCreate(text, isRooted ? UriKind.Relative : UriKind.RelativeOrAbsolute, out Uri? uri))
        {
            PackException.ThrowObject(start, nameof(Uri));
        }

        return uri;
    }

    /// <summary>Reads text into a builder.</summary>
    /// <param name="reuse">Cleared, filled and returned when there is one.</param>
    /// <returns>The builder; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no text.</exception>
    public StringBuilder? ReadStringBuilder(StringBuilder? reuse = null)
    {
        CountVariable();
        if (ReadString() is not { } text)
        {
            return null;
        }

        if (reuse is not null && (reuse.MaxCapacity < text.Length || reuse.Equals(text)))
        {
            return reuse.MaxCapacity < text.Length ? new StringBuilder(text) : reuse;
        }

        return reuse is null ? new StringBuilder(text) : reuse.Clear().Append(text);
    }

    /// <summary>Reads bits.</summary>
    /// <param name="reuse">Filled and returned when its length is right.</param>
    /// <returns>The bits; null for the null mark.</returns>
    /// <exception cref="PackException">The number of bits does not fit the bytes.</exception>
    public BitArray? ReadBitArray(BitArray? reuse = null)
    {
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int start = _position;
        uint count = ReadRaw<uint>();
        if (count > int.MaxValue || ObjectFormat.BitBytes(count) != Remaining)
        {
            PackException.ThrowObject(start, nameof(BitArray));
        }

        BitArray array = reuse is not null && reuse.Length == (int)count ? reuse : new BitArray((int)count);
        Span<byte> bytes = CollectionsMarshal.AsBytes(array)[..Remaining];
        _window[_position..].CopyTo(bytes);
        ObjectFormat.ClearSurplus(bytes, (int)count);
        EndVariable(scope);
        return array;
    }

    /// <summary>Reads a culture by its name.</summary>
    /// <param name="reuse">Comes back as it is when it has that name.</param>
    /// <returns>The culture; null for the null mark.</returns>
    /// <exception cref="PackException">This system has no culture of that name.</exception>
    public CultureInfo? ReadCultureInfo(CultureInfo? reuse = null)
    {
        string? given = reuse?.Name;
        if (ReadText(given, out int start) is not { } name)
        {
            return null;
        }

        if (ReferenceEquals(name, given))
        {
            return reuse;
        }

        try
        {
            // Only predefined cultures, because any other name would stay in the framework's cache for ever.
            return CultureInfo.GetCultureInfo(name, predefinedOnly: true);
        }
        catch (CultureNotFoundException cause)
        {
            throw PackException.Object(start, nameof(CultureInfo), cause);
        }
    }

    /// <summary>Reads a time zone.</summary>
    /// <param name="reuse">Comes back as it is when it already is what the bytes say.</param>
    /// <returns>The time zone; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no time zone, or this system has none of that id.</exception>
    public TimeZoneInfo? ReadTimeZoneInfo(TimeZoneInfo? reuse = null)
    {
        if (reuse is not null && TimeZoneFormat.Of(reuse) is { Length: > 0 } given && _window[_position..].StartsWith(given))
        {
            _position += given.Length;
            return reuse;
        }

        CountVariable();

        // If the length is less than that of a made zone's mark, this is an empty text, whatever bytes follow.
        bool isMade = Blit.TryRead(_window, _position, out uint length) && length >= sizeof(uint)
            && TimeZoneFormat.IsMade(_window[(_position + MessageFormat.HeaderSize)..]);
        TimeZoneInfo? zone = isMade ? ReadMadeZone() : ReadNamedZone();
        return zone is not null && reuse is not null && TimeZoneFormat.AreSame(zone, reuse) ? reuse : zone;
    }

    // The text from which an object is made, and its offset.
    private string? ReadText(string? given, out int start)
    {
        CountVariable();
        start = _position;
        return ReadString(given);
    }

    private TimeZoneInfo? ReadNamedZone()
    {
        int start = _position;
        if (ReadString() is not { } text)
        {
            return null;
        }

        if (text.Length > TimeZoneFormat.MaxLength)
        {
            PackException.ThrowObject(start, nameof(TimeZoneInfo));
        }

        if (!text.Contains(TimeZoneFormat.TextMark))
        {
            return TimeZoneFormat.Find(text) ?? throw PackException.NoZone(start, text);
        }

        try
        {
            return TimeZoneInfo.FromSerializedString(text);
        }
        catch (Exception cause) when (TimeZoneFormat.IsRefusal(cause))
        {
            throw PackException.Object(start, nameof(TimeZoneInfo), cause);
        }
    }

    // Each part is read once, so if the bytes change meanwhile, the result is another zone or none.
    private TimeZoneInfo? ReadMadeZone()
    {
        int start = _position;
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        if (Remaining > TimeZoneFormat.MaxLength || ReadRaw<uint>() != 0)
        {
            PackException.ThrowObject(start, nameof(TimeZoneInfo));
        }

        short offset = ReadRaw<short>();
        bool isDisabled = ReadValue<bool>();
        if (ReadString() is not { } id || ReadString() is not { } display || ReadString() is not { } standard
            || ReadString() is not { } daylight)
        {
            throw PackException.Object(start, nameof(TimeZoneInfo), cause: null);
        }

        try
        {
            var rules = new TimeZoneInfo.AdjustmentRule[CountElements<TimeZoneInfo.AdjustmentRule>(TimeZoneFormat.RuleSize)];
            foreach (ref TimeZoneInfo.AdjustmentRule rule in rules.AsSpan())
            {
                rule = ReadZoneRule();
            }

            EndWholeVariable(scope);
            return TimeZoneInfo.CreateCustomTimeZone(id, TimeSpan.FromMinutes(offset), display, standard, daylight, rules, isDisabled);
        }
        catch (Exception cause) when (TimeZoneFormat.IsRefusal(cause))
        {
            throw PackException.Object(start, nameof(TimeZoneInfo), cause);
        }
    }

    private TimeZoneInfo.AdjustmentRule ReadZoneRule()
    {
        (DateTime begin, DateTime end) = (ReadZoneDate(), ReadZoneDate());
        (TimeSpan daylight, TimeSpan baseOffset) = (new TimeSpan(ReadRaw<long>()), new TimeSpan(ReadRaw<long>()));
        (TimeZoneInfo.TransitionTime spring, TimeZoneInfo.TransitionTime autumn) = (ReadZoneTransition(), ReadZoneTransition());
        return TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(begin, end, daylight, spring, autumn, baseOffset);
    }

    // A rule of a made zone has no date in UTC: the framework would accept it and return another one, so that the zone could not be packed
    // again.
    private DateTime ReadZoneDate()
    {
        int start = _position;
        DateTime date = ReadValue<DateTime>();
        if (date.Kind != DateTimeKind.Unspecified)
        {
            PackException.ThrowObject(start, nameof(TimeZoneInfo));
        }

        return date;
    }

    private TimeZoneInfo.TransitionTime ReadZoneTransition()
    {
        bool isOnDate = ReadValue<bool>();
        var time = new DateTime(TimeSpan.TicksPerMillisecond * ReadRaw<int>());
        int month = ReadRaw<byte>(), week = ReadRaw<byte>(), day = ReadRaw<byte>(), dayOfWeek = ReadRaw<byte>();
        return isOnDate
            ? TimeZoneInfo.TransitionTime.CreateFixedDateRule(time, month, day)
            : TimeZoneInfo.TransitionTime.CreateFloatingDateRule(time, month, week, (DayOfWeek)dayOfWeek);
    }
}
