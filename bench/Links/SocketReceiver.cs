using System.Net.Sockets;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>Reads as much as the socket has, so that only the sender pays a system call for each message.</summary>
internal struct SocketReceiver : IReceiver
{
    private readonly Socket _socket;
    private readonly int _size;
    private readonly byte[] _buffer;
    private int _start;
    private int _end;

    public SocketReceiver(string place, int size)
    {
        _size = size;
        _buffer = new byte[64 * 1024];
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(place));
        listener.Listen(1);
        _socket = listener.Accept();
    }

    public long Receive()
    {
        while (_end - _start < _size)
        {
            Fill();
        }
        long number = Pattern.Check(_buffer.AsSpan(_start, _size));
        _start += _size;
        return number;
    }

    public readonly void Dispose() => _socket.Dispose();

    private void Fill()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _start = 0;
        int got = _socket.Receive(_buffer.AsSpan(_end));
        if (got == 0)
        {
            throw new EndOfStreamException("The other process has gone.");
        }
        _end += got;
    }
}
