using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>How each fixed-size kind is written, and checked when read.</summary>
/// <remarks>
/// <code>
/// bool 1 (0 or 1)              decimal 16 (lo, mid, hi, flags)       DateTime 8 (ticks | kind &lt;&lt; 62)
/// Rune 4                       DateOnly 4 (day number)               DateTimeOffset 10 (i64 UTC ticks, i16 offset in minutes)
/// TimeOnly 8 (ticks)           all else: its own bytes, any pattern  Nullable 1 (0 or 1) + the value, zeros when null
/// </code>
/// The typeof comparisons are constants to the JIT: of each method only the branch of its kind remains.
/// </remarks>
internal static class FixedFormat
{
    private const int DateTimeKindShift = 62;
    private const ulong DateTimeTicksMask = (1UL << DateTimeKindShift) - 1;
    private const int DateTimeOffsetSize = sizeof(long) + sizeof(short);
    private const int MaxOffsetMinutes = 14 * 60;
    private const uint DecimalUnusedFlags = 0x7F00FFFF;
    private const int DecimalScaleShift = 16;
    private const uint MaxDecimalScale = 28;

    /// <summary>The packed size in bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Size<V>()
        where V : unmanaged => typeof(V) == typeof(DateTimeOffset) ? DateTimeOffsetSize : Blit.SizeOf<V>();

    /// <summary>Whether the packed bytes are the value's own and every pattern of them is valid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsBlittable<V>()
        where V : unmanaged => typeof(V) != typeof(bool) && IsCopiedWhenWritten<V>();

    /// <summary>Whether the packed bytes are the value's own, even if not every pattern of them is valid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsCopiedWhenWritten<V>()
        where V : unmanaged
        => typeof(V) != typeof(decimal)
        && typeof(V) != typeof(DateTime)
        && typeof(V) != typeof(DateTimeOffset)
        && typeof(V) != typeof(DateOnly)
        && typeof(V) != typeof(TimeOnly)
        && typeof(V) != typeof(Rune);

    /// <summary>Writes a value at an offset; false when it would not be wholly inside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWrite<V>(Span<byte> destination, int offset, V value)
        where V : unmanaged
    {
        if (typeof(V) == typeof(bool))
        {
            return Blit.TryWrite(destination, offset, Blit.Cast<V, bool>(value) ? (byte)1 : (byte)0);
        }

        if (typeof(V) == typeof(decimal))
        {
            return TryWriteDecimal(destination, offset, Blit.Cast<V, decimal>(value));
        }

        if (typeof(V) == typeof(DateTime))
        {
            DateTime time = Blit.Cast<V, DateTime>(value);
            return Blit.TryWrite(destination, offset, (ulong)time.Ticks | ((ulong)time.Kind << DateTimeKindShift));
        }

        if (typeof(V) == typeof(DateTimeOffset))
        {
            return TryWriteDateTimeOffset(destination, offset, Blit.Cast<V, DateTimeOffset>(value));
        }

        if (typeof(V) == typeof(DateOnly))
        {
            return Blit.TryWrite(destination, offset, Blit.Cast<V, DateOnly>(value).DayNumber);
        }

        if (typeof(V) == typeof(TimeOnly))
        {
            return Blit.TryWrite(destination, offset, Blit.Cast<V, TimeOnly>(value).Ticks);
        }

        if (typeof(V) == typeof(Rune))
        {
            return Blit.TryWrite(destination, offset, Blit.Cast<V, Rune>(value).Value);
        }

        return Blit.TryWrite(destination, offset, value);
    }

    /// <summary>Reads a value at an offset; <see cref="PackException"/> when it is cut off or no valid value.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="offset">Where in <paramref name="source"/> the value starts.</param>
    /// <param name="origin">The offset of <paramref name="source"/> itself, for messages.</param>
    /// <param name="root">For a view: the message in <paramref name="source"/>, so that a fault can name the member.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static V Read<V>(ReadOnlySpan<byte> source, int offset, int origin, ViewRoot? root = null)
        where V : unmanaged
    {
        if (typeof(V) == typeof(bool))
        {
            byte bits = Raw<byte>(source, offset, origin);
            if (bits > 1)
            {
                ThrowInvalid<V>(origin + offset, bits, source, root);
            }

            return Blit.Cast<bool, V>(bits != 0);
        }

        if (typeof(V) == typeof(decimal))
        {
            return Blit.Cast<decimal, V>(ReadDecimal(source, offset, origin, root));
        }

        if (typeof(V) == typeof(DateTime))
        {
            return Blit.Cast<DateTime, V>(ReadDateTime(source, offset, origin, root));
        }

        if (typeof(V) == typeof(DateTimeOffset))
        {
            return Blit.Cast<DateTimeOffset, V>(ReadDateTimeOffset(source, offset, origin, root));
        }

        if (typeof(V) == typeof(DateOnly))
        {
            int day = Raw<int>(source, offset, origin);
            if ((uint)day > (uint)DateOnly.MaxValue.DayNumber)
            {
                ThrowInvalid<V>(origin + offset, day, source, root);
            }

            return Blit.Cast<DateOnly, V>(DateOnly.FromDayNumber(day));
        }

        if (typeof(V) == typeof(TimeOnly))
        {
            long ticks = Raw<long>(source, offset, origin);
            if ((ulong)ticks >= TimeSpan.TicksPerDay)
            {
                ThrowInvalid<V>(origin + offset, ticks, source, root);
            }

            return Blit.Cast<TimeOnly, V>(new TimeOnly(ticks));
        }

        if (typeof(V) == typeof(Rune))
        {
            int scalar = Raw<int>(source, offset, origin);
            if (!Rune.IsValid(scalar))
            {
                ThrowInvalid<V>(origin + offset, scalar, source, root);
            }

            return Blit.Cast<Rune, V>(new Rune(scalar));
        }

        return Raw<V>(source, offset, origin);
    }

    /// <summary>Writes presence and value at an offset; false when they would not be wholly inside.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryWriteNullable<V>(Span<byte> destination, int offset, V? value)
        where V : unmanaged
    {
        if (!Blit.Fits(destination.Length, offset, 1 + Size<V>()))
        {
            return false;
        }

        // The bytes of a null's value in memory are never written.
        bool present = value.HasValue;
        return Blit.TryWrite(destination, offset, present ? (byte)1 : (byte)0)
            && TryWrite(destination, offset + 1, present ? value.GetValueOrDefault() : default);
    }

    /// <summary>Reads presence and value at an offset; <see cref="PackException"/> when cut off or invalid.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static V? ReadNullable<V>(ReadOnlySpan<byte> source, int offset, int origin, ViewRoot? root = null)
        where V : unmanaged
    {
        if (Read<bool>(source, offset, origin, root))
        {
            return Read<V>(source, offset + 1, origin, root);
        }

        if (source.Length - offset - 1 < Size<V>())
        {
            PackException.ThrowCutOff(origin + offset + 1, Size<V>(), source.Length - offset - 1);
        }

        return null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static V Raw<V>(ReadOnlySpan<byte> source, int offset, int origin)
        where V : unmanaged
    {
        if (!Blit.TryRead(source, offset, out V value))
        {
            PackException.ThrowCutOff(origin + offset, Blit.SizeOf<V>(), source.Length - offset);
        }

        return value;
    }

    private static bool TryWriteDecimal(Span<byte> destination, int offset, decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        return Blit.TryWrite(destination, offset, new Int128(High(parts[2], parts[3]), High(parts[0], parts[1])));

        static ulong High(int low, int high) => (uint)low | ((ulong)(uint)high << 32);
    }

    private static decimal ReadDecimal(ReadOnlySpan<byte> source, int offset, int origin, ViewRoot? root)
    {
        UInt128 bits = Raw<UInt128>(source, offset, origin);
        uint flags = (uint)(bits >> 96);
        uint scale = (flags >> DecimalScaleShift) & 0xFF;
        if ((flags & DecimalUnusedFlags) != 0 || scale > MaxDecimalScale)
        {
            ThrowInvalid<decimal>(origin + offset, flags, source, root);
        }

        return new decimal((int)(uint)bits, (int)(uint)(bits >> 32), (int)(uint)(bits >> 64), (flags & 0x80000000) != 0, (byte)scale);
    }

    private static DateTime ReadDateTime(ReadOnlySpan<byte> source, int offset, int origin, ViewRoot? root)
    {
        ulong bits = Raw<ulong>(source, offset, origin);
        ulong ticks = bits & DateTimeTicksMask;
        var kind = (DateTimeKind)(bits >> DateTimeKindShift);
        if (ticks > (ulong)DateTime.MaxValue.Ticks || kind > DateTimeKind.Local)
        {
            ThrowInvalid<DateTime>(origin + offset, (long)bits, source, root);
        }

        return new DateTime((long)ticks, kind);
    }

    private static bool TryWriteDateTimeOffset(Span<byte> destination, int offset, DateTimeOffset value)
        => Blit.Fits(destination.Length, offset, DateTimeOffsetSize)
        && Blit.TryWrite(destination, offset, value.UtcTicks)
        && Blit.TryWrite(destination, offset + sizeof(long), (short)value.TotalOffsetMinutes);

    private static DateTimeOffset ReadDateTimeOffset(ReadOnlySpan<byte> source, int offset, int origin, ViewRoot? root)
    {
        long utc = Raw<long>(source, offset, origin);
        short minutes = Raw<short>(source, offset + sizeof(long), origin);
        if (minutes is < -MaxOffsetMinutes or > MaxOffsetMinutes)
        {
            ThrowInvalid<DateTimeOffset>(origin + offset + sizeof(long), minutes, source, root);
        }

        long max = DateTime.MaxValue.Ticks;
        if ((ulong)utc > (ulong)max || (ulong)(utc + (minutes * TimeSpan.TicksPerMinute)) > (ulong)max)
        {
            ThrowInvalid<DateTimeOffset>(origin + offset, utc, source, root);
        }

        return new DateTimeOffset(utc + (minutes * TimeSpan.TicksPerMinute), TimeSpan.FromMinutes(minutes));
    }

    [DoesNotReturn]
    private static void ThrowInvalid<V>(int offset, long bits, ReadOnlySpan<byte> source, ViewRoot? root)
    {
        var fault = PackException.Invalid<V>(offset, bits);
        throw root is null ? fault : fault.Locate(root.Schema, source);
    }
}
