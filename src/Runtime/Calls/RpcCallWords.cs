using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>The words and bytes of one call.</summary>
/// <param name="file">The client's file.</param>
/// <param name="cell">The cell.</param>
/// <param name="checkedBlock">The block that a server has found in the call's words, and checked; negative: what the words say.</param>
internal readonly struct RpcCallWords(RpcCallFile file, int cell, int checkedBlock = -1)
{
    private readonly long _start = RpcFormat.CellAt(cell);

    /// <summary>The word that decides.</summary>
    public RpcCell<MachineMemory> Cell => new(file.Region.SharedWord(_start + RpcFormat.StateOffset));

    public ref long Deadline => ref file.Region.Word(_start + RpcFormat.DeadlineOffset);

    public ref long RequestLength => ref file.Region.Word(_start + RpcFormat.RequestLengthOffset);

    public ref int Marks => ref file.Region.Word32(_start + RpcFormat.MarksOffset);

    public ref int Block => ref file.Region.Word32(_start + RpcFormat.BlockOffset);

    public ref long Number => ref file.Region.Word(_start + RpcFormat.NumberOffset);

    public ref long ReplyLength => ref file.Region.Word(_start + RpcFormat.ReplyLengthOffset);

    /// <summary>Trace id, span id and flags.</summary>
    public Span<byte> Trace => file.Region.Bytes(_start + RpcFormat.TraceOffset, RpcTrace.Size);

    /// <summary>The bytes of the request.</summary>
    public RpcPipe Request => Pipe(isReply: false, RpcFormat.RequestWrittenOffset, RpcFormat.RequestReadOffset);

    /// <summary>The bytes of the reply.</summary>
    public RpcPipe Reply => Pipe(isReply: true, RpcFormat.ReplyWrittenOffset, RpcFormat.ReplyReadOffset);

    /// <summary>By the client: nothing was written and read yet.</summary>
    public void Clear()
    {
        MachineMemory.Write(ref file.Region.Word(_start + RpcFormat.RequestWrittenOffset), 0);
        ClearAnswer();
    }

    /// <summary>By the client: nothing was read of the request, and nothing answered.</summary>
    public void ClearAnswer()
    {
        foreach (int offset in (ReadOnlySpan<int>)
            [RpcFormat.RequestReadOffset, RpcFormat.ReplyWrittenOffset, RpcFormat.ReplyReadOffset, RpcFormat.ReplyLengthOffset])
        {
            MachineMemory.Write(ref file.Region.Word(_start + offset), 0);
        }
    }

    private RpcPipe Pipe(bool isReply, int written, int read)
    {
        // Another process may have written it: the region checks what follows from it.
        int block = checkedBlock >= 0 ? checkedBlock : Math.Clamp(Block, 0, file.Blocks),
            size = block == 0 ? RpcFormat.OwnSize : RpcFormat.BlockSize;
        long first = block == 0 ? _start + RpcFormat.CellHeaderSize : RpcFormat.BlockAt(file.Cells, block);
        return new RpcPipe(
            file.Region, isReply ? first + size : first, size, file.Region.SharedWord(_start + written),
            file.Region.SharedWord(_start + read));
    }
}
