using BlitQueue.Memory;

namespace BlitQueue.Views;

/// <summary>A packed string, read in place: compared and measured without making it.</summary>
/// <remarks>Making the view checks that the lengths fit each other; making the string checks that the bytes are text.</remarks>
/// <example>
/// <code>
/// if (order.Customer == "Ada"u8) Console.WriteLine(order.Customer.Length);
/// </code>
/// </example>
public readonly ref struct StringView : IPackView<StringView>
{
    private readonly VariableView _content;
    private readonly uint _prefix;

    /// <summary>Views a string.</summary>
    /// <param name="variable">The variable.</param>
    /// <exception cref="PackException">The lengths contradict each other.</exception>
    public StringView(VariableView variable)
    {
        _content = variable;
        if (variable.Length == 0)
        {
            return;
        }

        if (variable.Length < MessageFormat.StringPrefixSize || !Blit.TryRead(variable.Source.Bytes, variable.Start, out uint prefix))
        {
            ViewSource.Throw(variable.Source, PackException.StringLengths(variable.Start, 0, variable.Length));
            return;
        }

        int bytes = variable.Length - MessageFormat.StringPrefixSize;
        if (!MessageFormat.FitsString(prefix, bytes))
        {
            ViewSource.Throw(
                variable.Source,
                PackException.StringLengths(variable.Start + MessageFormat.StringPrefixSize, prefix & ~MessageFormat.Utf16Flag, bytes));
        }

        _prefix = prefix;
    }

    /// <summary>There is no string; an empty one is not null.</summary>
    public bool IsNull => _content.IsNull;

    /// <summary>The number of chars that the string has, or would have; 0 for null.</summary>
    public int Length => (int)(_prefix & ~MessageFormat.Utf16Flag);

    /// <summary>Whether the bytes are UTF-16 rather than UTF-8. For empty and null strings it is false, and both spans are empty.</summary>
    public bool IsUtf16 => (_prefix & MessageFormat.Utf16Flag) != 0;

    /// <summary>The text's bytes, not checked to be valid UTF-8; empty for null.</summary>
    /// <exception cref="PackException">The writer has packed the text as UTF-16.</exception>
    public ReadOnlySpan<byte> Utf8
    {
        get
        {
            if (IsUtf16)
            {
                ViewSource.Throw(_content.Source, PackException.WrongEncoding(_content.Start, isUtf16: true));
            }

            return Text;
        }
    }

    /// <summary>The text's chars, in no particular alignment; empty for null.</summary>
    /// <exception cref="PackException">The writer has packed the text as UTF-8.</exception>
    public ReadOnlySpan<char> Utf16
    {
        get
        {
            if (!IsUtf16 && _content.Length > 0)
            {
                ViewSource.Throw(_content.Source, PackException.WrongEncoding(_content.Start, isUtf16: false));
            }

            return Blit.View<char>(Text);
        }
    }

    private ReadOnlySpan<byte> Text
        => _content.Length == 0 ? default : _content.Bytes[MessageFormat.StringPrefixSize..];

    /// <summary>Whether both are the same text, or both null.</summary>
    /// <param name="left">The packed string.</param>
    /// <param name="right">The string.</param>
    public static bool operator ==(StringView left, string? right) => left.Equals(right);

    /// <summary>Whether the texts differ, or one of them is null.</summary>
    /// <param name="left">The packed string.</param>
    /// <param name="right">The string.</param>
    public static bool operator !=(StringView left, string? right) => !left.Equals(right);

    /// <summary>Whether both are the same text; null is none.</summary>
    /// <param name="left">The packed string.</param>
    /// <param name="right">UTF-8, such as <c>"Ada"u8</c>.</param>
    public static bool operator ==(StringView left, ReadOnlySpan<byte> right) => left.Equals(right);

    /// <summary>Whether the texts differ; null differs from every text.</summary>
    /// <param name="left">The packed string.</param>
    /// <param name="right">UTF-8, such as <c>"Ada"u8</c>.</param>
    public static bool operator !=(StringView left, ReadOnlySpan<byte> right) => !left.Equals(right);

    /// <summary>Whether both are the same text, or both null.</summary>
    /// <param name="other">The string.</param>
    /// <returns>False also for bytes that are no text.</returns>
    public bool Equals(string? other) => other is null ? IsNull : Equals(other.AsSpan());

    /// <summary>Whether both are the same chars; null is none.</summary>
    /// <param name="other">The chars.</param>
    /// <returns>False also for bytes that are no text.</returns>
    public bool Equals(ReadOnlySpan<char> other)
    {
        if (IsNull || Length != other.Length)
        {
            return false;
        }

        ReadOnlySpan<byte> text = Text;
        return text.Length == other.Length ? AsciiText.Equal(text, other)
            : IsUtf16 ? Blit.AsBytes(other).SequenceEqual(text)
            : PackReader.EqualsUtf8(other, text);
    }

    /// <summary>Whether both are the same text; null is none.</summary>
    /// <param name="utf8">UTF-8, such as <c>"Ada"u8</c>.</param>
    /// <returns>False also if the packed text is UTF-16 and <paramref name="utf8"/> is no UTF-8.</returns>
    public bool Equals(ReadOnlySpan<byte> utf8)
        => !IsNull && (IsUtf16 ? PackReader.EqualsUtf8(Blit.View<char>(Text), utf8) : Text.SequenceEqual(utf8));

    /// <summary>Not possible: a view cannot be an object.</summary>
    /// <param name="obj">Anything.</param>
    /// <exception cref="NotSupportedException">Always.</exception>
    public override bool Equals(object? obj) => throw new NotSupportedException("A view cannot be compared with an object.");

    /// <summary>Not possible: the bytes may change.</summary>
    /// <exception cref="NotSupportedException">Always.</exception>
    public override int GetHashCode() => throw new NotSupportedException("A view has no hash code: make it a string.");

    /// <summary>Makes the string.</summary>
    /// <returns>The string; null for null.</returns>
    /// <exception cref="PackException">The bytes are no such text.</exception>
    public override string? ToString()
    {
        if (_content.Length == 0)
        {
            return IsNull ? null : "";
        }

        try
        {
            return PackReader.ReadText(Text, _prefix, _content.Start + MessageFormat.StringPrefixSize);
        }
        catch (PackException fault)
        {
            throw _content.Source.Named(fault);
        }
    }

    static StringView IPackView<StringView>.Of(VariableView variable) => new(variable);
}
