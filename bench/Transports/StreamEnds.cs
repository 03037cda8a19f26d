using System.Net.Sockets;
using System.Runtime.InteropServices;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>One end of a stream of bytes that the system carries. Structs implement it, so that the loops are compiled for each.</summary>
internal interface IByteEnd : IDisposable
{
    /// <summary>Writes some of the bytes.</summary>
    /// <returns>How many.</returns>
    int Write(ReadOnlySpan<byte> bytes);

    /// <summary>Waits for bytes.</summary>
    /// <returns>How many; 0 at the end.</returns>
    int Read(Span<byte> room);
}

/// <summary>One call of the system for each message.</summary>
internal readonly struct StreamSender<TEnd> : ISender where TEnd : struct, IByteEnd
{
    private readonly TEnd _end;
    private readonly byte[] _message;

    public StreamSender(TEnd end, int size)
    {
        _end = end;
        _message = new byte[size];
        Pattern.Fill(_message);
    }

    public void Send(long number)
    {
        Pattern.Stamp(_message, number);
        for (int sent = 0; sent < _message.Length;)
        {
            sent += _end.Write(_message.AsSpan(sent));
        }
    }

    public void Dispose() => _end.Dispose();
}

/// <summary>Reads as much as the stream has, so that only the sender pays a system call for each message.</summary>
internal struct StreamReceiver<TEnd>(TEnd end, int size) : IReceiver where TEnd : struct, IByteEnd
{
    private readonly byte[] _buffer = new byte[Math.Max(64 * 1024, 2 * size)];
    private int _start;
    private int _end;

    public long Receive()
    {
        while (_end - _start < size)
        {
            Fill();
        }
        long number = Pattern.Check(_buffer.AsSpan(_start, size));
        _start += size;
        return number;
    }

    public readonly void Dispose() => end.Dispose();

    private void Fill()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _start = 0;
        int got = end.Read(_buffer.AsSpan(_end));
        if (got == 0)
        {
            throw new EndOfStreamException("The other process has gone.");
        }
        _end += got;
    }
}

/// <summary>A Unix domain socket.</summary>
internal readonly struct SocketEnd(Socket socket) : IByteEnd
{
    /// <summary>Waits for the other end.</summary>
    public static SocketEnd Accept(string path)
    {
        using Socket listener = NewSocket();
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen(1);
        return new SocketEnd(listener.Accept());
    }

    /// <summary>The other process may not listen yet.</summary>
    public static SocketEnd Connect(string path)
    {
        Socket socket = NewSocket();
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                socket.Connect(new UnixDomainSocketEndPoint(path));
                return new SocketEnd(socket);
            }
            catch (SocketException) when (attempt < 1000)
            {
                Thread.Sleep(10);
            }
        }
    }

    public int Write(ReadOnlySpan<byte> bytes) => socket.Send(bytes);

    public int Read(Span<byte> room) => socket.Receive(room);

    public void Dispose() => socket.Dispose();

    private static Socket NewSocket() => new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
}

/// <summary>A pipe that has a name in the file system. Linux and macOS alone.</summary>
internal readonly partial struct PipeEnd(string path, FileAccess access) : IByteEnd
{
    private const uint OwnerOnly = 0x180;

    // Opening waits for the other end.
    private readonly FileStream _pipe = Open(path, access);

    public int Write(ReadOnlySpan<byte> bytes)
    {
        _pipe.Write(bytes);
        return bytes.Length;
    }

    public int Read(Span<byte> room) => _pipe.Read(room);

    public void Dispose() => _pipe.Dispose();

    private static FileStream Open(string path, FileAccess access)
    {
        // The second of the two processes finds it there.
        _ = MakePipe(path, OwnerOnly);
        return new FileStream(path, FileMode.Open, access, FileShare.ReadWrite, bufferSize: 0);
    }

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);
}
