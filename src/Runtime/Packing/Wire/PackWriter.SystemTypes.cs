using System.Collections;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Well-known types of variable size.</content>
public ref partial struct PackWriter
{
    /// <summary>Writes a variable: the number's two's complement, little-endian.</summary>
    /// <param name="value">The number.</param>
    public void WriteBigInteger(BigInteger value)
    {
        Span<byte> content = ClaimContent(value.GetByteCount());
        value.TryWriteBytes(content, out _);
        _written += content.Length;
    }

    /// <summary>Writes a variable: major, minor, build and revision, 4 bytes each, -1 where there is none; or the null mark.</summary>
    /// <param name="value">The version.</param>
    public void WriteVersion(Version? value)
    {
        if (value is null)
        {
            WriteNull();
            return;
        }

        Span<byte> content = ClaimContent(ObjectFormat.VersionSize);
        BinaryPrimitives.WriteInt32LittleEndian(content, value.Major);
        BinaryPrimitives.WriteInt32LittleEndian(content[4..], value.Minor);
        BinaryPrimitives.WriteInt32LittleEndian(content[8..], value.Build);
        BinaryPrimitives.WriteInt32LittleEndian(content[12..], value.Revision);
        _written += content.Length;
    }

    /// <summary>
    /// Writes a string: the address as it was given. An address that is absolute only because it looks like a file path is written out.
    /// </summary>
    /// <param name="value">The address.</param>
    public void WriteUri(Uri? value)
        => WriteString(
            value is { IsAbsoluteUri: true } && ObjectFormat.IsRooted(value.OriginalString) ? value.AbsoluteUri : value?.OriginalString);

    /// <summary>Writes a string: the text built so far, or the null mark.</summary>
    /// <param name="value">The builder.</param>
    /// <param name="encoding">The form.</param>
    public void WriteStringBuilder(StringBuilder? value, StringEncoding encoding = StringEncoding.Utf8)
        => WriteString(value?.ToString(), encoding);

    /// <summary>Writes a variable: u32 number of bits, then the bits, the lowest of each byte first; or the null mark.</summary>
    /// <param name="value">The bits.</param>
    public void WriteBitArray(BitArray? value)
    {
        if (value is null)
        {
            WriteNull();
            return;
        }

        long bytes = ObjectFormat.BitBytes((uint)value.Length);
        Span<byte> content = ClaimContent(sizeof(uint) + bytes);
        Blit.TryWrite(content, 0, (uint)value.Length);
        CollectionsMarshal.AsBytes(value)[..(int)bytes].CopyTo(content[sizeof(uint)..]);
        ObjectFormat.ClearSurplus(content, value.Length);
        _written += content.Length;
    }

    /// <summary>Writes a string: the culture's name, or the null mark.</summary>
    /// <param name="value">The culture.</param>
    public void WriteCultureInfo(CultureInfo? value) => WriteString(value?.Name);

    /// <summary>
    /// Writes a string, the id, if the system has the time zone; otherwise a variable with the zone's parts; or the null mark.
    /// </summary>
    /// <param name="value">The time zone.</param>
    /// <exception cref="PackException">
    /// The zone has rules that only the framework can make, and no id by which it is found; or its parts
    /// take more than 64 KiB.
    /// </exception>
    public void WriteTimeZoneInfo(TimeZoneInfo? value)
    {
        if (value is null)
        {
            WriteNull();
            return;
        }

        byte[] variable = TimeZoneFormat.Of(value);
        if (variable.Length == 0)
        {
            PackException.ThrowZone(value.Id);
        }

        variable.CopyTo(Claim(variable.Length));
        _written += variable.Length;
    }
}
