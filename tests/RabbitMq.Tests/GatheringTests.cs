using System.Net;
using System.Net.Sockets;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Publishes go to the system many at once, in order, and none stays behind.</summary>
public sealed class GatheringTests(Broker broker) : BridgeFixture(broker)
{
    private static readonly byte[] Publish = [1, 0, 1, 0, 0, 0, 4, 0, 60, 0, 40, 206], Heartbeat = [8, 0, 0, 0, 0, 0, 0, 206];

    [Fact]
    public async Task What_is_gathered_goes_in_one_call()
    {
        using Wire wire = await Wire.OpenAsync();
        wire.Stream.Gather();
        await wire.WriteAsync(Publish, Heartbeat, Publish);
        Assert.Equal((0L, 0), (wire.Stream.Sends, wire.Far.Available));
        wire.Stream.Send(2);
        byte[] come = await wire.ReadAsync();
        Assert.Equal([.. Publish, .. Heartbeat, .. Publish], come);
        Assert.Equal(1, wire.Stream.Sends);
        await wire.WriteAsync(Heartbeat);
        Assert.Equal(Heartbeat, await wire.ReadAsync());
    }

    /// <summary>The client's thread writes what it was given before, when it gets to it.</summary>
    [Fact]
    public async Task The_last_of_those_that_were_announced_takes_the_others_along()
    {
        using Wire wire = await Wire.OpenAsync();
        wire.Stream.Gather();
        await wire.WriteAsync(Publish);
        wire.Stream.Send(3);
        await wire.WriteAsync(Publish, Heartbeat);
        Assert.Equal(0, wire.Stream.Sends);
        await wire.WriteAsync(Publish);
        byte[] come = await wire.ReadAsync();
        Assert.Equal([.. Publish, .. Publish, .. Heartbeat, .. Publish], come);
        Assert.Equal(1, wire.Stream.Sends);
    }

    [Fact]
    public async Task What_does_not_fit_goes_before_it_is_announced_and_in_order()
    {
        using Wire wire = await Wire.OpenAsync();
        byte[] small = Frame(1_000), half = Frame(GatheringStream.Capacity - 999), huge = Frame(GatheringStream.Capacity + 1);
        wire.Stream.Gather();
        await wire.WriteAsync(small, half, huge, small);
        byte[] come = await wire.ReadAsync(small.Length + half.Length + huge.Length);
        Assert.Equal([.. small, .. half, .. huge], come);
        Assert.Equal((3L, 0), (wire.Stream.Sends, wire.Far.Available));
        wire.Stream.Send(4);
        Assert.Equal(small, await wire.ReadAsync());
    }

    /// <summary>Of a client that writes publishes in another form, or several in one call, the last is never recognized.</summary>
    [Fact]
    public async Task What_is_not_recognized_waits_until_all_is_to_be_sent()
    {
        using Wire wire = await Wire.OpenAsync();
        byte[] encrypted = [23, 3, 3, 0, 4, 1, 2, 3, 4], two = [.. Publish, .. Publish];
        wire.Stream.Gather();
        await wire.WriteAsync(encrypted, two);
        wire.Stream.Send(3);
        Assert.Equal((0L, 0), (wire.Stream.Sends, wire.Far.Available));
        wire.Stream.Send(0);
        byte[] come = await wire.ReadAsync();
        Assert.Equal([.. encrypted, .. two], come);
    }

    /// <summary>Bytes that went around the buffer would overtake those in it.</summary>
    [Theory]
    [InlineData("array")]
    [InlineData("begin")]
    [InlineData("call")]
    [InlineData("span")]
    [InlineData("byte")]
    public async Task Whatever_call_writes_the_order_stays(string call)
    {
        using Wire wire = await Wire.OpenAsync();
        byte[] last = call == "byte" ? [7] : Heartbeat;
        wire.Stream.Gather();
        await wire.WriteAsync(Publish);
        await (call switch
        {
            "array" => wire.Stream.WriteAsync(last, 0, last.Length, CancellationToken.None),
            "begin" => Task.Factory.FromAsync(wire.Stream.BeginWrite, wire.Stream.EndWrite, last, 0, last.Length, null),
            "call" => Task.Run(() => wire.Stream.Write(last, 0, last.Length)),
            "span" => Task.Run(() => wire.Stream.Write(last.AsSpan())),
            _ => Task.Run(() => wire.Stream.WriteByte(last[0])),
        });
        Assert.Equal((0L, 0), (wire.Stream.Sends, wire.Far.Available));
        wire.Stream.Send(1);
        byte[] come = await wire.ReadAsync();
        Assert.Equal([.. Publish, .. last], come);
    }

    /// <summary>A publish that was cancelled is never written.</summary>
    [Fact]
    public async Task The_good_bye_waits_for_no_publish()
    {
        using Wire wire = await Wire.OpenAsync();
        wire.Stream.Gather();
        await wire.WriteAsync(Publish);
        wire.Stream.Send(2);
        wire.Stream.Send(0);
        await wire.WriteAsync(Heartbeat);
        byte[] come = await wire.ReadAsync();
        Assert.Equal([.. Publish, .. Heartbeat], come);
    }

    /// <summary>Two threads, and each of the last publishes is the last of its burst at any moment.</summary>
    [Fact]
    public async Task Nothing_stays_behind_however_the_two_threads_meet()
    {
        const int Bursts = 20_000;
        using Wire wire = await Wire.OpenAsync();
        using var given = new SemaphoreSlim(0);
        var writing = Task.Run(async () =>
        {
            for (int i = 0; i < Bursts; i++)
            {
                await given.WaitAsync();
                await wire.Stream.WriteAsync(Publish);
            }
        });
        byte[] come = new byte[Publish.Length];
        using var giveUp = new CancellationTokenSource(Patience);
        for (int i = 1; i <= Bursts; i++)
        {
            wire.Stream.Gather();
            given.Release();
            Thread.SpinWait(i % 200);
            wire.Stream.Send(i);
            for (int at = 0; at < come.Length;)
            {
                at += await wire.Far.ReceiveAsync(come.AsMemory(at), giveUp.Token);
            }
            Assert.Equal(Publish, come);
        }
        await writing;
    }

    /// <summary>The client's own frames are recognized: a window of small messages takes a few calls.</summary>
    [BrokerFact]
    public async Task A_burst_of_the_client_takes_few_calls()
    {
        await DeclareAsync();
        BrokerSession session = await BrokerSession.OpenAsync(Broker.Options, "test", confirms: true, CancellationToken.None);
        await using (session)
        {
            long before = session.Stream!.Sends;
            for (int i = 0; i < 500; i++)
            {
                session.BeginPublish();
                await session.Channel.BasicPublishAsync("", Name, mandatory: true, new BasicProperties(), new byte[100]);
            }
            session.Send();
            await UntilAsync(() => session.Channel.MessageCountAsync(Name).GetAwaiter().GetResult() == 500);
            // A few buffers, and the questions for the count.
            Assert.InRange(session.Stream.Sends - before, 1, 250);
            before = session.Stream.Sends;
            Assert.Equal(500u, await session.Channel.MessageCountAsync(Name));
            // The question, and perhaps a heartbeat.
            Assert.InRange(session.Stream.Sends - before, 1, 2);
        }
    }

    [BrokerFact]
    public async Task What_waits_is_sent_before_the_good_bye()
    {
        await DeclareAsync();
        BrokerSession session = await BrokerSession.OpenAsync(Broker.Options, "test", confirms: true, CancellationToken.None);
        await using (session)
        {
            session.BeginPublish();
            await session.Channel.BasicPublishAsync("", Name, mandatory: true, new BasicProperties(), new byte[100]);
        }
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        Assert.Equal(1u, await channel.MessageCountAsync(Name));
    }

    /// <summary>
    /// What the client writes is not recognized, as it would be with a version that writes otherwise: here it is encrypted, without the
    /// stream being told. What waits is sent when nothing was confirmed for a second.
    /// </summary>
    [BrokerFact]
    public async Task Publishes_that_are_not_recognized_are_sent_all_the_same()
    {
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Hosts = [Broker.TlsHost];
        options.Broker.Configure = EncryptUnnoticed;
        BrokerSession session = await BrokerSession.OpenAsync(options.Broker, "test", confirms: true, CancellationToken.None);
        await using (session)
        {
            Assert.NotNull(session.Stream);
        }
        Send(0, 100);
        Forwarder<Parcel> forwarder = Run(options);
        await TakeAllInOrderAsync(100);
        Assert.Equal((1L, 0L), (forwarder.GetState().Connections, forwarder.GetState().Duplicates));
    }

    private void EncryptUnnoticed(ConnectionFactory factory) => factory.EndpointResolverFactory = hosts => new DefaultEndpointResolver(
        hosts.Select(host => new AmqpTcpEndpoint(host.HostName, host.Port, new SslOption("localhost", "", enabled: true)
        {
            CertificateValidationCallback = (_, certificate, _, _) => certificate?.GetCertHashString() == Broker.Certificate!.Thumbprint,
        })));

    [BrokerFact]
    public async Task A_socket_of_the_caller_stays_the_callers()
    {
        BrokerOptions options = Broker.Options;
        options.Configure = static factory =>
            factory.SocketFactory = static family => ConnectionFactoryBase.DefaultSocketFactory(family);
        BrokerSession session = await BrokerSession.OpenAsync(options, "test", confirms: true, CancellationToken.None);
        await using (session)
        {
            Assert.Null(session.Stream);
        }
    }

    private static byte[] Frame(int length)
    {
        byte[] frame = new byte[length];
        Random.Shared.NextBytes(frame);
        Publish.AsSpan(0, 11).CopyTo(frame);
        return frame;
    }

    /// <summary>A stream that gathers, and the other end of its connection.</summary>
    private sealed record Wire(GatheringStream Stream, Socket Near, Socket Far) : IDisposable
    {
        public static async Task<Wire> OpenAsync()
        {
            using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            listener.Listen();
            var near = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await near.ConnectAsync(listener.LocalEndPoint!);
            return new Wire(new GatheringStream(near), near, await listener.AcceptAsync());
        }

        public async Task WriteAsync(params byte[][] frames)
        {
            foreach (byte[] frame in frames)
            {
                await Stream.WriteAsync(frame);
            }
        }

        public async Task<byte[]> ReadAsync(int length = 0)
        {
            using var giveUp = new CancellationTokenSource(Patience);
            byte[] bytes = new byte[1 << 20];
            int count = 0;
            do
            {
                count += await Far.ReceiveAsync(bytes.AsMemory(count), giveUp.Token);
            }
            while (count < length);
            return bytes[..count];
        }

        public void Dispose()
        {
            Stream.Dispose();
            Near.Dispose();
            Far.Dispose();
        }
    }
}
