using System.Net.Sockets;

namespace BlitQueue.Bench.Links;

/// <summary>A Unix domain socket.</summary>
internal readonly struct SocketEnd(Socket socket) : IByteEnd
{
    /// <summary>Waits for the other end.</summary>
    public static SocketEnd Accept(string place)
    {
        using var listener = NewSocket();
        listener.Bind(new UnixDomainSocketEndPoint(place));
        listener.Listen(1);
        return new SocketEnd(listener.Accept());
    }

    /// <summary>The other process may not listen yet.</summary>
    public static SocketEnd Connect(string place)
    {
        Socket socket = NewSocket();
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                socket.Connect(new UnixDomainSocketEndPoint(place));
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
