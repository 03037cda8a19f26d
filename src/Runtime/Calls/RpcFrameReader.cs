using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>Reads a stream of replies: each has its length in front, 4 bytes, which is negative for a fault.</summary>
/// <param name="call">The call. All callers are inside of its client's gate.</param>
internal sealed class RpcFrameReader(RpcClientCall call) : IDisposable
{
    private readonly byte[] _header = new byte[sizeof(int)];
    private ScratchBytes? _bytes;
    private int _headerRead, _length, _read;

    /// <summary>Whether the frame that was read is a fault.</summary>
    public bool IsFault { get; private set; }

    /// <summary>The frame that was read.</summary>
    public ReadOnlySpan<byte> Frame => _bytes is null ? default : _bytes.GetSpan()[.._length];

    /// <summary>Whether a frame is begun, and not whole.</summary>
    public bool IsBegun => _headerRead > 0;

    /// <summary>Reads what is there.</summary>
    /// <returns>Whether a frame is whole.</returns>
    /// <exception cref="QueueCorruptException">It cannot be one.</exception>
    public bool TryRead()
    {
        RpcPipe pipe = call.Words.Reply;
        int header = 0, body = 0;
        if (_headerRead < sizeof(int))
        {
            header = pipe.Read(_header.AsSpan(_headerRead));
            _headerRead += header;
            if (_headerRead == sizeof(int))
            {
                Begin(BinaryPrimitives.ReadInt32LittleEndian(_header));
            }
        }
        bool isWhole = _headerRead == sizeof(int);
        while (isWhole && _read < _length && (body = pipe.Read(_bytes!.GetSpan()[_read.._length])) > 0)
        {
            _read += body;
            call.Client.WakeServers();
        }
        // A header's four bytes are told of together with the first bytes behind it, where there are any.
        if (header > 0 && _read == 0)
        {
            call.Client.WakeServers();
        }
        return isWhole && _read == _length;
    }

    private void Begin(int length)
    {
        IsFault = length < 0;
        if (length is < -RpcFault.LongestFault or > RpcLimits.LongestMessage)
        {
            throw new QueueCorruptException(call.Client.Path, 0, $"a reply of a stream has {length} bytes.");
        }
        (_length, _read) = (Math.Abs(length), 0);
        if (_bytes is null || _bytes.Length < _length)
        {
            Dispose();
            _bytes = ScratchBytes.Rent(_length);
        }
    }

    /// <summary>The frame was used.</summary>
    public void Next() => (_headerRead, _read) = (0, 0);

    public void Dispose()
    {
        ((IDisposable?)_bytes)?.Dispose();
        _bytes = null;
    }
}
