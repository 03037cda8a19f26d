using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>The words and bytes of one call.</summary>
/// <param name="file">The client's file.</param>
/// <param name="cell">The cell.</param>
/// <param name="blocks">Where its bytes are: a server has read it from the words, and checked it, once.</param>
internal readonly struct RpcCallWords(RpcCallFile file, int cell, RpcFormat.BlockPair blocks)
{
    private readonly long _start = RpcFormat.CellAt(cell);

    /// <summary>The same with its bytes elsewhere.</summary>
    public RpcCallWords With(RpcFormat.BlockPair elsewhere) => new(file, cell, elsewhere);

    /// <summary>The word that decides.</summary>
    public RpcCell<MachineMemory> Cell => new(file.Region.SharedWord(_start + RpcFormat.StateOffset));

    public ref long Deadline => ref file.Region.Word(_start + RpcFormat.DeadlineOffset);

    public ref long RequestLength => ref file.Region.Word(_start + RpcFormat.RequestLengthOffset);

    public ref int Marks => ref file.Region.Word32(_start + RpcFormat.MarksOffset);

    /// <summary>The word of <see cref="RpcFormat.BlockPair"/>.</summary>
    public ref int Blocks => ref file.Region.Word32(_start + RpcFormat.BlocksOfCallOffset);

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
        Clear(RpcFormat.RequestWrittenOffset);
        ClearBytes();
        // A shorter one says nothing before the call is queued, and its line is the server's until then.
        if (MachineMemory.Read(ref ReplyLength) > RpcFormat.OwnSize)
        {
            MachineMemory.Write(ref ReplyLength, 0);
        }
    }

    /// <summary>By the client: nothing was read of the request, and nothing answered.</summary>
    public void ClearAnswer()
    {
        Clear(RpcFormat.ReplyLengthOffset);
        ClearBytes();
    }

    private void ClearBytes()
    {
        Clear(RpcFormat.ReplyReadOffset);
        Clear(RpcFormat.RequestReadOffset);
        Clear(RpcFormat.ReplyWrittenOffset);
    }

    // Of short calls most are zero: their line is not taken from the other process.
    private void Clear(int offset)
    {
        ref long word = ref file.Region.Word(_start + offset);
        if (MachineMemory.Read(ref word) != 0)
        {
            MachineMemory.Write(ref word, 0);
        }
    }

    /// <summary>By the client, right in front of the queueing: a server that looks at the cell all the time takes its line.</summary>
    public void Describe(long deadline, long number, long length, int marks)
    {
        Marks = marks;
        Blocks = blocks.Word;
        MachineMemory.Write(ref Deadline, deadline);
        MachineMemory.Write(ref Number, number);
        MachineMemory.Write(ref RequestLength, length);
        MachineMemory.Write(ref ReplyLength, 0);
    }

    /// <summary>By a server that is about to take the call: the processor begins to get the lines of a short request.</summary>
    public void ExpectRequest() =>
        Expect(RpcFormat.CellHeaderSize, MachineMemory.Read(ref RequestLength));

    /// <summary>By a client whose call is over: the processor begins to get the lines of a short reply.</summary>
    public void ExpectReply() =>
        Expect(RpcFormat.CellHeaderSize + RpcFormat.OwnSize, MachineMemory.Read(ref ReplyLength));

    // Longer ones are not in the cell. The other process may have written any length.
    private void Expect(int offset, long length)
    {
        if (length is > 0 and <= RpcFormat.OwnSize)
        {
            file.Region.Prefetch(_start + offset, (int)length);
        }
    }

    private RpcPipe Pipe(bool isReply, int written, int read)
    {
        int block = isReply ? blocks.Reply : blocks.Request;
        long own = _start + RpcFormat.CellHeaderSize + (isReply ? RpcFormat.OwnSize : 0);
        return new RpcPipe(
            file.Region, block == 0 ? own : RpcFormat.BlockAt(file.Cells, block), block == 0 ? RpcFormat.OwnSize : RpcFormat.BlockSize,
            file.Region.SharedWord(_start + written), file.Region.SharedWord(_start + read));
    }
}
