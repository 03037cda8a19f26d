using System.IO.Pipelines;

namespace BlitQueue;

/// <summary>Frames of a pipe. Beyond what the pipe reads by itself, it has to buffer the bytes of one message at most.</summary>
/// <remarks>
/// It does not use <see cref="PipeReader.ReadAtLeastAsync"/>, because a pipe over a stream would allocate the announced length, whatever
/// arrives.
/// </remarks>
internal sealed class PipeFrames(PipeReader source, PackStreamOptions options) : FrameSource(options)
{
    private SequencePosition _end;

    public override async ValueTask<FrameKind> NextAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await source.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> bytes = result.Buffer;
            SequencePosition examined = bytes.Start;
            FrameKind? kind = null;
            try
            {
                if (result.IsCanceled)
                {
                    throw new OperationCanceledException("The read of the pipe was cancelled.");
                }
                kind = Find(bytes, result.IsCompleted);
                examined = kind is null ? bytes.End : _end;
            }
            finally
            {
                // The caller skips a message when it has read it.
                if (kind != FrameKind.Message)
                {
                    source.AdvanceTo(kind == FrameKind.EndMark ? _end : bytes.Start, examined);
                }
            }
            if (kind is { } found)
            {
                return found;
            }
        }
    }

    public override void Skip()
    {
        base.Skip();
        source.AdvanceTo(_end);
    }

    // null if more bytes are needed. If the frame is there, it ends at _end.
    private FrameKind? Find(in ReadOnlySequence<byte> bytes, bool isAll)
    {
        Span<byte> header = stackalloc byte[FrameFormat.HeaderSize];
        _end = bytes.Start;
        if (bytes.Length < header.Length)
        {
            return !isAll ? null : bytes.IsEmpty ? FrameKind.EndOfStream : throw FrameFaults.CutOffLength(Offset, (int)bytes.Length);
        }
        bytes.Slice(0, header.Length).CopyTo(header);
        FrameKind kind = ReadHeader(header, out int length);
        if (bytes.Length - header.Length < length)
        {
            return !isAll ? null : throw FrameFaults.CutOff(Offset, bytes.Length - header.Length, length);
        }
        Message = bytes.Slice(header.Length, length);
        _end = Message.End;
        return kind;
    }
}
