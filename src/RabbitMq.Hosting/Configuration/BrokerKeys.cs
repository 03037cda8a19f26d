using Keys = BlitQueue.Hosting.OptionKeys<BlitQueue.RabbitMq.BrokerOptions>;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>The keys of a broker. Callbacks cannot be written as text: <see cref="BrokerOptions.Configure"/> has none.</summary>
internal static class BrokerKeys
{
    /// <summary>The table.</summary>
    public static readonly Keys All = new(
        (nameof(BrokerOptions.Hosts), static (options, text) => options.Hosts = HostsOf(text)),
        (nameof(BrokerOptions.VirtualHost), static (options, text) => options.VirtualHost = text),
        (nameof(BrokerOptions.UserName), static (options, text) => options.UserName = text),
        (nameof(BrokerOptions.Password), static (options, text) => options.Password = text),
        (nameof(BrokerOptions.UseTls), static (options, text) => options.UseTls = Keys.Flag(text)),
        (nameof(BrokerOptions.TlsServerName), static (options, text) => options.TlsServerName = text),
        (nameof(BrokerOptions.TlsCertificate), static (options, text) => options.TlsCertificate = text),
        (nameof(BrokerOptions.TlsCertificatePassword), static (options, text) => options.TlsCertificatePassword = text),
        (nameof(BrokerOptions.ClientName), static (options, text) => options.ClientName = text),
        (nameof(BrokerOptions.Heartbeat), static (options, text) => options.Heartbeat = Keys.Time(text)),
        (nameof(BrokerOptions.ConnectTimeout), static (options, text) => options.ConnectTimeout = Keys.Time(text)),
        (nameof(BrokerOptions.MinRetryDelay), static (options, text) => options.MinRetryDelay = Keys.Time(text)),
        (nameof(BrokerOptions.MaxRetryDelay), static (options, text) => options.MaxRetryDelay = Keys.Time(text)));

    private static string[] HostsOf(string text) =>
        text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) is { Length: > 0 } hosts
            ? hosts
            : throw new FormatException("write names with commas between them: rabbit-1, rabbit-2:5673.");
}
