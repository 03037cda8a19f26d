using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>What a record contains: a message, a piece of one, the properties in front of it.</content>
internal sealed partial class RecordReader<TMem>
{
    /// <summary>The payload of a message that is one record's whole payload, checked.</summary>
    /// <exception cref="QueueCorruptException">It is not the one that was published.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Payload(scoped in RecordRef found) => Payload(found.Segment, found.Position, found.Header);

    /// <summary>The payload of the record at a position, checked.</summary>
    /// <exception cref="QueueCorruptException">It is not the one that was published.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Payload(Segment segment, long position, long header)
    {
        ReadOnlySpan<byte> payload = segment.Payload(position, RecordFormat.Length(header));
        Verify(segment, position, header, payload);
        return payload;
    }

    // Copies the pieces into one span, without the properties, and compares each piece's check.
    private ReadOnlySpan<byte> Join(scoped in RecordRef found, Span<byte> destination)
    {
        long at = found.Position;
        int filled = 0;
        while (filled < found.Length && NextPiece(ref at, out Segment segment, out long header, out long after))
        {
            ReadOnlySpan<byte> piece = segment.Payload(at, RecordFormat.Length(header));
            if (piece.Length > found.Length - filled)
            {
                throw Damaged(found.Position, "the pieces of a split message do not add up");
            }
            TMem.Reading(piece);
            piece.CopyTo(destination[filled..]);
            Verify(segment, at, header, destination.Slice(filled, piece.Length));
            filled += piece.Length;
            at = after;
        }
        int skipped = found.HasProperties ? BlockOf(found, destination[..filled]).Length : 0;
        return destination[skipped..filled];
    }

    /// <summary>The message of one record, behind its properties, in place; checked.</summary>
    /// <exception cref="QueueCorruptException">It is not the one that was published.</exception>
    public ReadOnlySpan<byte> Behind(scoped in RecordRef found)
    {
        ReadOnlySpan<byte> payload = Payload(found);
        return found.HasProperties ? payload[BlockOf(found, payload).Length..] : payload;
    }

    /// <summary>A message as it was packed, checked: in place, or its pieces copied into a new array.</summary>
    /// <exception cref="QueueCorruptException">It is not the one that was published.</exception>
    public ReadOnlySpan<byte> Message(scoped in RecordRef found) => found.IsInPieces ? Join(found, new byte[found.Length]) : Behind(found);

    /// <summary>A message as it was packed, checked: in place, or its pieces copied into scratch bytes.</summary>
    /// <param name="found">The message.</param>
    /// <param name="joined">The scratch bytes, which the caller disposes, also if this throws; null if the message is in one piece.</param>
    /// <exception cref="QueueCorruptException">It is not the one that was published.</exception>
    public ReadOnlySpan<byte> Message(scoped in RecordRef found, out ScratchBytes? joined)
    {
        joined = found.IsInPieces ? ScratchBytes.Rent((int)found.Length) : null;
        return joined is null ? Behind(found) : Join(found, joined.GetSpan());
    }

    /// <summary>The properties that come before a message.</summary>
    /// <param name="found">A message that has properties.</param>
    /// <param name="isChecked">
    /// Whether to compare the record's check; not necessary if the caller unpacks the message afterwards, which compares it.
    /// </param>
    /// <exception cref="QueueCorruptException">The bytes are no properties, or not those that were published.</exception>
    public PropertyBlock Properties(scoped in RecordRef found, bool isChecked)
    {
        ReadOnlySpan<byte> payload = FirstPiece(found, isChecked);
        return BlockOf(found, payload);
    }

    /// <summary>Reads a time from a message's properties, without comparing the record's check.</summary>
    /// <returns>false if the properties have none of this kind, or are damaged.</returns>
    public bool TryReadTicks(in RecordRef found, PropertyKinds kind, out long ticks)
    {
        ticks = 0;
        return TryReadProperties(found, out PropertyBlock block) && block.TryGetTicks(kind, out ticks);
    }

    /// <summary>Reads a message's properties, without comparing the record's check.</summary>
    /// <returns>false if they are damaged.</returns>
    public bool TryReadProperties(scoped in RecordRef found, out PropertyBlock block) =>
        PropertyBlock.TryRead(FirstPiece(found, isChecked: false), out block);

    private bool AreAllWhole(in RecordRef found)
    {
        long at = found.Position;
        while (at < found.After && NextPiece(ref at, out Segment segment, out long header, out long after))
        {
            ReadOnlySpan<byte> piece = segment.Payload(at, RecordFormat.Length(header));
            TMem.Reading(piece);
            if (!_check.Fits(header, at, piece))
            {
                return false;
            }
            at = after;
        }
        return at == found.After;
    }

    /// <summary>The exception for damaged properties of a message.</summary>
    public QueueCorruptException DamagedProperties(in RecordRef found) =>
        Damaged(found.Position, "what stands before the message are no properties of one");

    private RecordRef FindPieces(long nextWord, Segment first, long position, long firstHeader)
    {
        long total = 0, at = position, after;
        while (NextPiece(ref at, out Segment segment, out long header, out after))
        {
            bool isFirst = total == 0;
            total += RecordFormat.Length(header);
            if (RecordFormat.Kind(header).ContinuesMessage() == isFirst)
            {
                break;
            }
            at = after;
            if (RecordFormat.Kind(header) == RecordKind.BatchLastFragment)
            {
                return total <= Array.MaxLength
                    ? new RecordRef(nextWord, first, position, after, firstHeader, total)
                    : throw Damaged(position, $"a split message of {total} bytes");
            }
        }
        throw Damaged(position, "a split message that is not whole");
    }

    // Steps over the padding at a segment's end, even if it is damaged, because there is no room for a piece. False if there is no piece of
    // a message at the position.
    private bool NextPiece(ref long position, out Segment segment, out long header, out long after)
    {
        segment = Enter(position);
        header = TMem.Load(ref segment.Header(position));
        if (segment.Room(position) < RecordFormat.HeaderSize)
        {
            position = segment.NextSegmentStart;
            segment = Enter(position);
            header = TMem.Load(ref segment.Header(position));
        }
        bool isPiece = RecordFormat.Kind(header).IsFragment() || RecordFormat.Kind(header) == RecordKind.BatchLastFragment;
        after = isPiece ? After(segment, position, RecordFormat.Length(header)) : position;
        return isPiece;
    }

    private PropertyBlock BlockOf(scoped in RecordRef found, ReadOnlySpan<byte> payload) =>
        PropertyBlock.TryRead(payload, out PropertyBlock block) ? block : throw DamagedProperties(found);
}
