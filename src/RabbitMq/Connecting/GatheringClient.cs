using System.Net.Sockets;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>The client's TCP connection as it is by default, with a stream that gathers publishes.</summary>
internal sealed class GatheringClient(Socket socket) : TcpClientAdapter(socket)
{
    /// <summary>The stream that the client writes to; null before it is connected.</summary>
    public GatheringStream? Stream { get; private set; }

    public override NetworkStream GetStream() => Stream ??= new GatheringStream(Client);
}
