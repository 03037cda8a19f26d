using BlitQueue.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>Reads the options of a forwarder or a receiver: the broker's connection string, then the section.</summary>
/// <param name="optionsName">The options' name.</param>
/// <param name="section">The section's path.</param>
/// <param name="keys">The keys, but for those of the broker.</param>
/// <param name="broker">Gives the part of the options that names the broker.</param>
/// <param name="configuration">The host's; null where it has none.</param>
internal sealed class BridgeConfiguration<TOptions>(
    string optionsName, string section, OptionKeys<TOptions> keys, Func<TOptions, BrokerOptions> broker, IConfiguration? configuration)
    : IConfigureNamedOptions<TOptions>
    where TOptions : class
{
    public void Configure(TOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, TOptions options)
    {
        if (name != optionsName || configuration is null)
        {
            return;
        }
        IConfigurationSection own = configuration.GetSection(section);
        BrokerConfiguration.Read(broker(options), optionsName, own.GetSection(BrokerConfiguration.Broker), configuration);
        foreach (IConfigurationSection child in own.GetChildren())
        {
            if (!string.Equals(child.Key, BrokerConfiguration.Broker, StringComparison.OrdinalIgnoreCase))
            {
                keys.Set(options, optionsName, child.Key, child.Value, child.Path);
            }
        }
    }
}
