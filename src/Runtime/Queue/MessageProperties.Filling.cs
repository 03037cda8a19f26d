using System.Text;
using System.Text.Unicode;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class MessageProperties
{
    private const int MostCharsOnStack = 256;

    /// <summary>Whether a message's properties were read into this instance since it was last set to false.</summary>
    internal bool IsFilled { get; set; }

    /// <summary>Takes over what stands in front of a message; a text that is equal stays the same object.</summary>
    /// <returns>false when some text is none: the bytes are damaged.</returns>
    internal bool TryFill(in PropertyBlock block)
    {
        IsFilled = true;
        bool isText = true;
        _timeToLive = null;
        EnqueuedAt = Time(block, PropertyKinds.EnqueuedAt);
        _expiresAt = Time(block, PropertyKinds.ExpiresAt);
        MessageId = Text(block, PropertyKinds.MessageId, MessageId, ref isText);
        Producer = Text(block, PropertyKinds.EnqueuedBy, Producer, ref isText);
        CorrelationId = Text(block, PropertyKinds.CorrelationId, CorrelationId, ref isText);
        ReplyTo = Text(block, PropertyKinds.ReplyTo, ReplyTo, ref isText);
        Label = Text(block, PropertyKinds.Label, Label, ref isText);
        return isText & TryFillHeaders(block);
    }

    private static DateTime? Time(in PropertyBlock block, PropertyKinds kind) =>
        block.TryGetTicks(kind, out long ticks) ? new DateTime(ticks, DateTimeKind.Utc) : null;

    private static string? Text(in PropertyBlock block, PropertyKinds kind, string? current, ref bool isText)
    {
        if (!block.TryGetBytes(kind, out ReadOnlySpan<byte> utf8))
        {
            return null;
        }
        isText &= Utf8.IsValid(utf8);
        return Text(utf8, current);
    }

    private static string Text(ReadOnlySpan<byte> utf8, string? current)
    {
        if (utf8.Length > MostCharsOnStack)
        {
            return Encoding.UTF8.GetString(utf8);
        }
        Span<char> chars = stackalloc char[MostCharsOnStack];
        chars = chars[..Encoding.UTF8.GetChars(utf8, chars)];
        return current is not null && chars.SequenceEqual(current) ? current : new string(chars);
    }

    private bool TryFillHeaders(in PropertyBlock block)
    {
        if (!block.TryGetBytes(PropertyKinds.Headers, out ReadOnlySpan<byte> pairs))
        {
            _headers?.Clear();
            return true;
        }
        if (_headers is not null && AreThoseOf(pairs))
        {
            return true;
        }
        _headers ??= [];
        _headers.Clear();
        while (!pairs.IsEmpty)
        {
            if (!TryTakePair(ref pairs, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
            {
                return false;
            }
            _headers[Encoding.UTF8.GetString(key)] = Encoding.UTF8.GetString(value);
        }
        return true;
    }

    // Messages of one producer often have the same headers: then nothing is allocated.
    private bool AreThoseOf(ReadOnlySpan<byte> pairs)
    {
        Span<char> name = stackalloc char[MostCharsOnStack], text = stackalloc char[MostCharsOnStack];
        var table = _headers!.GetAlternateLookup<ReadOnlySpan<char>>();
        int count = 0;
        while (TryTakePair(ref pairs, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
        {
            if (key.Length > MostCharsOnStack || value.Length > MostCharsOnStack
                || !table.TryGetValue(name[..Encoding.UTF8.GetChars(key, name)], out string? known)
                || !text[..Encoding.UTF8.GetChars(value, text)].SequenceEqual(known))
            {
                return false;
            }
            count++;
        }
        return pairs.IsEmpty && count == _headers.Count;
    }

    private static bool TryTakePair(scoped ref ReadOnlySpan<byte> pairs, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        value = default;
        return PropertyBlock.TryTake(ref pairs, out key) && PropertyBlock.TryTake(ref pairs, out value)
            && Utf8.IsValid(key) && Utf8.IsValid(value);
    }
}
