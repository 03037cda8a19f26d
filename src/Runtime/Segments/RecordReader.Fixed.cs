using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <content>Records of a known length; see the cursor's part of the same name.</content>
internal sealed partial class RecordReader<TMem>
{
    /// <summary>The place of a record of this length, if it is in the segment that is being read, and no other segment is to be given back after it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPlace(long position, int length, out RecordPlace place)
    {
        if (_only is { } segment)
        {
            return segment.TryPlace(position, length, out place);
        }
        place = default;
        return false;
    }

    /// <summary>Whether a plain record of this length was published in the place, in a batch or not; its check was compared.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasRecord(RecordPlace place, long position, int length)
    {
        Span<byte> payload = place.Payload(length);
        // SYNC POINT record: acquires the payload that the appender wrote before this header.
        long header = TMem.Load(ref place.Header);
        TMem.Reading(payload);
        bool isThere = header == _check.Header(RecordFormat.Kind(header).AsPlainMessage(), position, payload);
        FailPoint.ReachIf(isThere, ProtocolStep.DequeueFound);
        return isThere;
    }
}
