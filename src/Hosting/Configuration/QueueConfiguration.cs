using System.Data.Common;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace BlitQueue.Hosting;

/// <summary>Reads a queue's options from its configuration section, then from its connection string.</summary>
/// <param name="queue">The queue's name.</param>
/// <param name="configuration">The host's; null where it has none.</param>
internal sealed class QueueConfiguration(string queue, IConfiguration? configuration)
    : IConfigureNamedOptions<BlitQueueOptions>, IValidateOptions<BlitQueueOptions>
{
    /// <summary>The section's part that has the sections of consumers.</summary>
    public const string Consumers = "Consumers";

    // The parts that others read: consumers, and the package BlitQueue.RabbitMq.Hosting.
    private static readonly string[] Parts = [Consumers, "Forwarders", "Receiver"];

    /// <summary>The section of a queue.</summary>
    public static string SectionOf(string queue) => $"BlitQueue:{queue}";

    public void Configure(BlitQueueOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, BlitQueueOptions options)
    {
        if (name != queue || configuration is null)
        {
            return;
        }
        IConfigurationSection section = configuration.GetSection(SectionOf(queue));
        foreach (IConfigurationSection child in section.GetChildren())
        {
            if (!Parts.Contains(child.Key, StringComparer.OrdinalIgnoreCase))
            {
                QueueKeys.All.Set(options, queue, child.Key, child.Value, child.Path);
            }
        }
        if (configuration.GetConnectionString(queue) is { } text)
        {
            ReadConnectionString(options, text);
        }
    }

    private void ReadConnectionString(BlitQueueOptions options, string text)
    {
        var parts = new DbConnectionStringBuilder();
        try
        {
            parts.ConnectionString = text;
        }
        catch (ArgumentException exception)
        {
            throw OptionKeys<BlitQueueOptions>.Invalid(
                queue,
                $"ConnectionStrings:{queue} is '{text}': {exception.Message} Write Key=value;Key=value, Path=/var/lib/app/{queue} for "
                + "instance.");
        }
        foreach (string key in parts.Keys)
        {
            QueueKeys.All.Set(options, queue, key, (string)parts[key], $"ConnectionStrings:{queue}: {key}");
        }
    }

    public ValidateOptionsResult Validate(string? name, BlitQueueOptions options) => name != queue ? ValidateOptionsResult.Skip
        : string.IsNullOrWhiteSpace(options.Path)
            ? ValidateOptionsResult.Fail(
                $"The queue '{queue}' has no path. Set {SectionOf(queue)}:Path in the configuration, or the connection string '{queue}' to "
                + $"Path=/var/lib/app/{queue}, or options.Path in AddBlitQueue.")
            : ValidateOptionsResult.Success;
}
