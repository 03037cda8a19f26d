using System.Collections;

namespace BlitQueue.Views;

/// <summary>A packed object of a framework type without a fixed size: a number of any size, a version, an address...</summary>
/// <typeparam name="T">Its type.</typeparam>
public readonly ref struct ObjectView<T> : IPackView<ObjectView<T>>
{
    private readonly VariableView _content;

    private ObjectView(VariableView variable) => _content = variable;

    /// <summary>There is no object.</summary>
    public bool IsNull => _content.IsNull;

    /// <summary>The packed bytes, as docs/FORMAT.md has them; empty for null.</summary>
    public ReadOnlySpan<byte> Bytes => _content.Bytes;

    /// <summary>The text as which the object is packed: an address as it was given, a culture's name, a time zone's id.</summary>
    /// <exception cref="PackException">The lengths contradict each other.</exception>
    /// <exception cref="NotSupportedException">Such objects are not packed as text.</exception>
    public StringView Text
        => typeof(T) == typeof(TimeZoneInfo) && TimeZoneFormat.IsMade(Bytes) ? new StringView(_content.Walk(TimeZoneFormat.IdOffset).Next())
            : typeof(T) == typeof(Uri) || typeof(T) == typeof(StringBuilder) || typeof(T) == typeof(CultureInfo)
            || typeof(T) == typeof(TimeZoneInfo)
            ? new StringView(_content)
            : throw new NotSupportedException($"{typeof(T)} is not packed as text.");

    /// <summary>Makes the object.</summary>
    /// <returns>The object; null, or the default of a struct, for null.</returns>
    /// <exception cref="PackException">The bytes are no such object.</exception>
    public T? ToObject()
    {
        if (IsNull)
        {
            return default;
        }

        try
        {
            PackReader reader = _content.Source.Reader(_content.Start - MessageFormat.HeaderSize, _content.End, _content.Depth);
            return (T?)Read(ref reader);
        }
        catch (PackException fault)
        {
            throw _content.Source.Named(fault);
        }
    }

    static ObjectView<T> IPackView<ObjectView<T>>.Of(VariableView variable) => new(variable);

    private static object? Read(ref PackReader reader)
        => typeof(T) == typeof(BigInteger) ? reader.ReadBigInteger()
        : typeof(T) == typeof(Version) ? reader.ReadVersion()
        : typeof(T) == typeof(Uri) ? reader.ReadUri()
        : typeof(T) == typeof(StringBuilder) ? reader.ReadStringBuilder()
        : typeof(T) == typeof(BitArray) ? reader.ReadBitArray()
        : typeof(T) == typeof(CultureInfo) ? reader.ReadCultureInfo()
        : typeof(T) == typeof(TimeZoneInfo) ? reader.ReadTimeZoneInfo()
        : throw new NotSupportedException($"{typeof(T)} has no packed form of its own.");
}
