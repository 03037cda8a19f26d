using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A certificate instead of a password, as the broker's mechanism EXTERNAL has it.</summary>
public sealed class TlsTests(Broker broker) : BridgeFixture(broker)
{
    [BrokerFact]
    public async Task A_client_certificate_is_a_login()
    {
        string user = await AddUserAsync();
        ReceiverOptions receiving = ReceiverOptions;
        receiving.Broker = With(user, Broker.Authority);
        ForwarderOptions forwarding = ForwarderOptions;
        forwarding.Broker = With(user, Broker.Authority);
        Run(receiving);
        Forwarder<Parcel> forwarder = Run(forwarding);
        Send(0, 100);
        await TakeAllInOrderAsync(100);
        await UntilAsync(forwarder, BridgeProblem.None);
        string connections = await Broker.ControlAsync("--quiet", "list_connections", "user", "ssl", "peer_cert_subject");
        string[] ours = [.. connections.Split('\n').Where(line => line.StartsWith($"{user}\t", StringComparison.Ordinal))];
        Assert.Equal(2, ours.Length);
        Assert.All(ours, line => Assert.Equal($"{user}\ttrue\tCN={user}", line));
    }

    [BrokerFact]
    public async Task A_certificate_of_another_authority_is_refused()
    {
        string user = await AddUserAsync();
        using X509Certificate2 other = BrokerServer.MakeAuthority();
        ForwarderOptions options = ForwarderOptions;
        options.Broker = With(user, other);
        Send(0, 1);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, static state => state.Problem is BridgeProblem.Unreachable or BridgeProblem.AccessRefused);
        Assert.Equal((0L, 0L), (forwarder.GetState().Connections, forwarder.GetState().Messages));
        // The file of the right authority takes its name: it is read at each connect.
        ClientCertificate.Write(FileOf("client.pfx"), user, Broker.Authority);
        Run(ReceiverOptions);
        await TakeAllInOrderAsync(1);
    }

    [BrokerFact]
    public async Task A_certificate_of_a_user_whom_the_broker_does_not_know_is_told()
    {
        ForwarderOptions options = ForwarderOptions;
        options.Broker = With($"stranger-{Name}", Broker.Authority);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.AccessRefused);
    }

    [BrokerFact]
    public async Task Without_a_certificate_the_login_is_refused()
    {
        ForwarderOptions options = ForwarderOptions;
        options.Broker = With("unused", Broker.Authority);
        (options.Broker.TlsCertificate, options.Broker.TlsCertificatePassword) = (null, null);
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(forwarder, BridgeProblem.AccessRefused);
    }

    // Its password is not known to this test either.
    private async Task<string> AddUserAsync()
    {
        string user = $"shop-{Name}";
        await Broker.ControlAsync("add_user", user, Guid.NewGuid().ToString());
        await Broker.ControlAsync("set_permissions", user, ".*", ".*", ".*");
        return user;
    }

    private BrokerOptions With(string user, X509Certificate2 authority)
    {
        string file = FileOf("client.pfx");
        ClientCertificate.Write(file, user, authority);
        BrokerOptions options = Broker.Options;
        options.Hosts = [Broker.TlsHost];
        (options.UseTls, options.TlsServerName) = (true, "localhost");
        (options.TlsCertificate, options.TlsCertificatePassword) = (file, ClientCertificate.Password);
        options.TlsValidation = (_, certificate, _, _) => certificate?.GetCertHashString() == Broker.Certificate!.Thumbprint;
        options.Configure = static factory => factory.AuthMechanisms = [new ExternalMechanismFactory()];
        return options;
    }
}
