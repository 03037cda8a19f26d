namespace BlitQueue.Calls;

/// <summary>
/// What the words of calls mean. The channel is a shared file (<see cref="Sharing.SharedFormat"/>), whose data are
/// <code>
/// offset  size
///      0   128  calling: a bit for each participant that may have calls which no server has taken
///    128     8  servers gone: how many servers have stopped or were found dead
///    256  8192  server: the owner word of each participant that serves; 0 = it does not
///   8448  8192  client: the owner word of each participant whose file of calls is complete
/// </code>
/// and the file of a client's calls is
/// <code>
///      0     8  magic "BLITCAL3"
///      8     8  owner word of the client
///     16     4  how many cells
///     20     4  how many blocks
///    128     8  pending: bit b says that one of the cells b, b + 64, ... may wait for a server
///    192     8  answered: bit b says that one of the cells b, b + 64, ... has an answer, or bytes, that no thread waits for
///    256     8  sleepers for the client's tasks: mark and ticket (EventCount)
///    384     8  sleepers of servers that wait for bytes, or for space
///    512        cells of 4,224 bytes; a short call touches the first 64 of them, and its bytes:
///                 0  8  who has the call: see <see cref="RpcCell{TMem}"/>
///                 8  8  deadline, milliseconds of <see cref="Milliseconds"/>; 0 = none
///                16  8  bytes of the request
///                24  4  marks: 1 one-way, 2 the reply is a stream, 4 traced, 8 a thread waits for the answer
///                28  2  block of the request, from 1 on; 0 = the cell's own bytes
///                30  2  block of the reply, as well
///                32  8  bytes of the request that were written
///                40  8  bytes of the reply that were read
///                48  8  number of the call
///                56  8  bytes of the reply; of a fault negative if they are where the request was
///                72  8  bytes of the request that were read
///                80  8  bytes of the reply that were written
///                88 25  trace id, span id, flags
///               120  8  sleeper of the client, where a thread waits
///               128 2048  the request
///              2176 2048  the reply
///            blocks of 1 MiB, from a multiple of 4,096 on
/// </code>
/// </summary>
internal static class RpcFormat
{
    public const long Magic = 0x334C_4143_5449_4C42;

    public const int CallingOffset = 0, CallingWords = 16, ServersGoneOffset = 128, ServersOffset = 256,
        ClientsOffset = 8448, ChannelSize = 16640;

    public const int OwnerOffset = 8, CellsOffset = 16, BlocksOffset = 20, PendingOffset = 128, AnsweredOffset = 192,
        ClientWakeOffset = 256, ServerWakeOffset = 384, FirstCellOffset = 512;

    public const int StateOffset = 0, DeadlineOffset = 8, RequestLengthOffset = 16, MarksOffset = 24, BlocksOfCallOffset = 28,
        RequestWrittenOffset = 32, ReplyReadOffset = 40, NumberOffset = 48, ReplyLengthOffset = 56, RequestReadOffset = 72,
        ReplyWrittenOffset = 80, TraceOffset = 88, WakeOffset = 120, CellHeaderSize = 128;

    public const int OwnSize = 2048, CellSize = CellHeaderSize + (2 * OwnSize), BlockSize = 1 << 20;

    public const int OneWay = 1, Stream = 2, Traced = 4, OnThread = 8;

    public const int MostCells = 4096, MostBlocks = 1024, Bits = 64;

    private const int StateShift = 48;

    private static readonly long TicksPerMillisecond = Stopwatch.Frequency / 1000;

    /// <summary>Of the system's stopwatch, which is the same for all processes: so one look at it also times the call.</summary>
    public static long Milliseconds => MillisecondsOf(Stopwatch.GetTimestamp());

    /// <param name="timestamp">Of <see cref="Stopwatch"/>.</param>
    public static long MillisecondsOf(long timestamp) => timestamp / TicksPerMillisecond;

    /// <summary>The state of a word.</summary>
    public static RpcState StateOf(long word) => (RpcState)(word >> StateShift);

    /// <summary>The server in a word; 0 for none.</summary>
    public static long ServerOf(long word) => word & ((1L << StateShift) - 1);

    public static long Word(RpcState state, long server = 0) => ((long)state << StateShift) | server;

    public static long CellAt(int cell) => FirstCellOffset + ((long)cell * CellSize);

    public static long BlocksAt(int cells) => (CellAt(cells) + 4095) & -4096;

    /// <param name="cells">How many cells there are.</param>
    /// <param name="block">From 1 on.</param>
    public static long BlockAt(int cells, int block) => BlocksAt(cells) + ((long)BlockSize * (block - 1));

    /// <summary>Where the bytes of a call are, as one word of it says.</summary>
    /// <param name="Request">The block of the request, from 1 on; 0 for the cell's own bytes.</param>
    /// <param name="Reply">The block of the reply, as well.</param>
    internal readonly record struct BlockPair(int Request, int Reply)
    {
        private const int ReplyShift = 16;

        /// <summary>The word.</summary>
        public int Word => (Reply << ReplyShift) | Request;

        /// <summary>What a word says, which another process may have written.</summary>
        /// <param name="word">The word.</param>
        /// <param name="most">How many blocks there are.</param>
        public static BlockPair Of(int word, int most) =>
            new(Math.Min((ushort)word, most), Math.Min((int)((uint)word >> ReplyShift), most));
    }

    public static long SizeOf(int cells, int blocks) => BlocksAt(cells) + ((long)BlockSize * blocks);
}
