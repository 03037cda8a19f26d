using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>Where the broker is, and who asks.</summary>
/// <example>
/// <code>
/// var options = new ForwarderOptions { RoutingKey = "orders" };
/// options.Broker.Hosts = ["rabbit-1", "rabbit-2:5671"];
/// options.Broker.UseTls = true;
/// options.Broker.UserName = "shop";
/// options.Broker.Password = configuration["RabbitPassword"]!;
/// </code>
/// </example>
public sealed class BrokerOptions
{
    /// <summary>The longest message that the client takes, bytes; its own default is half of it.</summary>
    internal const uint MaxMessageSize = 128 << 20;

    /// <summary>
    /// The broker's nodes, as <c>host</c> or <c>host:port</c>; tried in random order at each connect. Default: <c>localhost</c>. Without a
    /// port: 5672, with TLS 5671.
    /// </summary>
    public IList<string> Hosts { get; set; } = ["localhost"];

    /// <summary>Default: <c>/</c>.</summary>
    public string VirtualHost { get; set; } = "/";

    /// <summary>Default: <c>guest</c>, which a broker accepts from its own machine alone.</summary>
    public string UserName { get; set; } = "guest";

    /// <summary>Default: <c>guest</c>. Take it from configuration that is not in the repository.</summary>
    public string Password { get; set; } = "guest";

    /// <summary>Whether the connection is encrypted, and the broker's certificate checked. Default: false.</summary>
    public bool UseTls { get; set; }

    /// <summary>The name in the broker's certificate. Default: null, the host's name.</summary>
    public string? TlsServerName { get; set; }

    /// <summary>The path of a client certificate with its key (PKCS 12). Default: null, none.</summary>
    public string? TlsCertificate { get; set; }

    /// <summary>What opens the client certificate's file. Default: null.</summary>
    public string? TlsCertificatePassword { get; set; }

    /// <summary>
    /// Decides whether the broker's certificate is accepted, instead of the system's own check: for a private authority. Default: null.
    /// </summary>
    public RemoteCertificateValidationCallback? TlsValidation { get; set; }

    /// <summary>How the connection is called in the broker's lists. Default: null, the forwarder's or receiver's queue.</summary>
    public string? ClientName { get; set; }

    /// <summary>
    /// How often both ends say that they are there; a connection that is silent for twice as long is lost. 1 s to 1 h. Default: 10 s.
    /// </summary>
    public TimeSpan Heartbeat { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long one attempt to connect may take. 100 ms to 1 h. Default: 10 s.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long to wait after the first failure; doubles with each further one. Half of it is random. 1 ms or more. Default: 200 ms.
    /// </summary>
    public TimeSpan MinRetryDelay { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>The longest wait between two attempts, which never end. Not below <see cref="MinRetryDelay"/>. Default: 30 s.</summary>
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Changes the client's factory before each connect: another way to authenticate, a proxy. Recovery stays
    /// off, because the forwarder and the receiver connect anew by themselves. Default: null.
    /// </summary>
    public Action<ConnectionFactory>? Configure { get; set; }

    /// <summary>Takes host, port, user, password, virtual host and whether to use TLS from a URI; what it does not name stays.</summary>
    /// <param name="uri">
    /// <c>amqp://user:password@host:5672/virtualhost</c>, or <c>amqps</c>. Parts of it are unescaped. Behind it may stand
    /// <c>?heartbeat=</c> (seconds) and <c>connection_timeout=</c> (milliseconds).
    /// </param>
    /// <exception cref="ArgumentException">
    /// It is no such URI, or has a parameter that is not known. The text does not repeat it, because it has a password.
    /// </exception>
    public void SetUri(string uri)
    {
        if (!Uri.TryCreate(uri, UriKind.Absolute, out Uri? parsed) || parsed.Host.Length == 0
            || parsed.Fragment.Length > 0 || parsed.Scheme is not ("amqp" or "amqps"))
        {
            throw new ArgumentException(
                "It is no URI of a broker. Write amqp://user:password@host:5672/virtualhost, and in it ? as %3F and # as %23.");
        }
        foreach (string parameter in parsed.Query.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            SetParameter(parameter.Split('=', 2));
        }
        UseTls = parsed.Scheme == "amqps";
        Hosts = [parsed.Port > 0 ? $"{parsed.Host}:{parsed.Port}" : parsed.Host];
        if (parsed.UserInfo.Length > 0)
        {
            string[] user = parsed.UserInfo.Split(':', 2);
            UserName = Uri.UnescapeDataString(user[0]);
            Password = user.Length > 1 ? Uri.UnescapeDataString(user[1]) : "";
        }
        if (parsed.AbsolutePath.Length > 1)
        {
            VirtualHost = Uri.UnescapeDataString(parsed.AbsolutePath[1..]);
        }
    }

    private void SetParameter(string[] parts)
    {
        if (parts[0] is not ("heartbeat" or "connection_timeout"))
        {
            // It may be a part of the password.
            throw new ArgumentException(
                "The broker's URI has a parameter that is not known: it may have heartbeat and connection_timeout, and the properties of "
                + "BrokerOptions have more. In a name or a password, write ? as %3F and # as %23.");
        }
        if (parts.Length < 2 || !int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out int number))
        {
            throw new ArgumentException($"The parameter '{parts[0]}' of the broker's URI is no number.");
        }
        if (parts[0] == "heartbeat")
        {
            Heartbeat = TimeSpan.FromSeconds(number);
        }
        else
        {
            ConnectTimeout = TimeSpan.FromMilliseconds(number);
        }
    }

    internal void Validate()
    {
        Require(Hosts.Count > 0 && !Hosts.Any(string.IsNullOrWhiteSpace), nameof(Hosts), "at least one name", Hosts.Count);
        foreach (string host in Hosts)
        {
            EndpointOf(host);
        }
        Require(!string.IsNullOrEmpty(VirtualHost), nameof(VirtualHost), "not empty", VirtualHost);
        Require(UserName is not null, nameof(UserName), "not null", UserName);
        Require(Password is not null, nameof(Password), "not null", null);
        Require(UseTls || TlsCertificate is null, nameof(TlsCertificate), "null where UseTls is false", TlsCertificate);
        Require(
            Heartbeat >= TimeSpan.FromSeconds(1) && Heartbeat <= TimeSpan.FromHours(1), nameof(Heartbeat), "1 s to 1 h", Heartbeat);
        Require(
            ConnectTimeout >= TimeSpan.FromMilliseconds(100) && ConnectTimeout <= TimeSpan.FromHours(1), nameof(ConnectTimeout),
            "100 ms to 1 h", ConnectTimeout);
        Require(MinRetryDelay >= TimeSpan.FromMilliseconds(1), nameof(MinRetryDelay), "1 ms or more", MinRetryDelay);
        Require(MaxRetryDelay >= MinRetryDelay, nameof(MaxRetryDelay), $"not below MinRetryDelay ({MinRetryDelay})", MaxRetryDelay);
    }

    internal IEnumerable<AmqpTcpEndpoint> Endpoints => Hosts.Select(EndpointOf);

    /// <param name="gathering">
    /// Told of each connection that gathers publishes; null: none does. With TLS, and with a socket of the caller's, none does either.
    /// </param>
    internal ConnectionFactory CreateFactory(Action<GatheringClient>? gathering = null)
    {
        var factory = new ConnectionFactory
        {
            VirtualHost = VirtualHost,
            UserName = UserName,
            Password = Password,
            RequestedHeartbeat = Heartbeat,
            RequestedConnectionTimeout = ConnectTimeout,
            HandshakeContinuationTimeout = ConnectTimeout,
        };
        Func<AddressFamily, ITcpClient> sockets = factory.SocketFactory;
        Configure?.Invoke(factory);
        if (gathering is not null && !UseTls && factory.SocketFactory == sockets)
        {
            factory.SocketFactory = family =>
            {
                var client = new GatheringClient(ConnectionFactoryBase.DefaultSocketFactory(family).Client);
                gathering(client);
                return client;
            };
        }
        factory.AutomaticRecoveryEnabled = false;
        factory.TopologyRecoveryEnabled = false;
        return factory;
    }

    private AmqpTcpEndpoint EndpointOf(string host)
    {
        int colon = host.LastIndexOf(':');
        // An IPv6 address without a port has several colons, and no bracket before the last one.
        bool hasPort = colon > 0 && (host.IndexOf(':', StringComparison.Ordinal) == colon || host[colon - 1] == ']');
        int port = UseTls ? 5671 : 5672;
        if (hasPort && !(int.TryParse(host.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port is > 0 and < 65536))
        {
            throw new ArgumentException($"BrokerOptions.Hosts has '{host}', whose port is no number from 1 to 65535.");
        }
        string name = (hasPort ? host[..colon] : host).Trim('[', ']');
        return new AmqpTcpEndpoint(name, port, TlsOf(name), MaxMessageSize);
    }

    private SslOption TlsOf(string name) => !UseTls
        ? new SslOption()
        : new SslOption(TlsServerName ?? name, TlsCertificate ?? "", enabled: true)
        {
            CertPassphrase = TlsCertificatePassword,
            CertificateValidationCallback = TlsValidation,
        };

    private static void Require(bool isMet, string name, string range, object? value) =>
        OptionCheck.Require(isMet, $"{nameof(BrokerOptions)}.{name}", range, value);
}
