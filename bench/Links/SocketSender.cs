using System.Net.Sockets;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>A Unix domain socket, one send per message.</summary>
internal readonly struct SocketSender : ISender
{
    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    private readonly byte[] _message;

    public SocketSender(string place, int size)
    {
        _message = new byte[size];
        Pattern.Fill(_message);
        Connect(place);
    }

    public void Send(long number)
    {
        Pattern.Stamp(_message, number);
        for (int sent = 0; sent < _message.Length;)
        {
            sent += _socket.Send(_message.AsSpan(sent));
        }
    }

    public void Dispose() => _socket.Dispose();

    // The other process may not listen yet.
    private void Connect(string place)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                _socket.Connect(new UnixDomainSocketEndPoint(place));
                return;
            }
            catch (SocketException) when (attempt < 1000)
            {
                Thread.Sleep(10);
            }
        }
    }
}
