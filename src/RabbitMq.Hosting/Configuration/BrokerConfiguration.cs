using System.Data.Common;
using BlitQueue.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>Reads where the broker is and who asks. No error shows a connection string, which has a password.</summary>
internal static class BrokerConfiguration
{
    /// <summary>The part of a section that has the keys of the broker.</summary>
    public const string Broker = "Broker";

    // The key that names a connection string, and the one that is read without it.
    private const string Connection = "Connection", DefaultConnection = "rabbitmq";

    /// <exception cref="OptionsValidationException">A key or a value cannot be used; the text names it.</exception>
    public static void Read(BrokerOptions options, string optionsName, IConfigurationSection section, IConfiguration configuration)
    {
        string? named = section[Connection];
        if (configuration.GetConnectionString(named ?? DefaultConnection) is { } text)
        {
            ReadConnectionString(options, optionsName, $"ConnectionStrings:{named ?? DefaultConnection}", text);
        }
        else if (named is not null)
        {
            throw Invalid(optionsName, $"{section.Path}:{Connection} is '{named}', and there is no ConnectionStrings:{named}.");
        }
        foreach (IConfigurationSection child in section.GetChildren())
        {
            if (!string.Equals(child.Key, Connection, StringComparison.OrdinalIgnoreCase))
            {
                BrokerKeys.All.Set(options, optionsName, child.Key, ValueOf(child), child.Path);
            }
        }
    }

    // A list in JSON has a child for each entry.
    private static string? ValueOf(IConfigurationSection section) =>
        section.Value ?? string.Join(',', section.GetChildren().Select(static one => one.Value));

    private static void ReadConnectionString(BrokerOptions options, string optionsName, string where, string text)
    {
        if (text.StartsWith("amqp://", StringComparison.OrdinalIgnoreCase)
            || text.StartsWith("amqps://", StringComparison.OrdinalIgnoreCase))
        {
            ReadUri(options, optionsName, where, text);
            return;
        }
        var parts = new DbConnectionStringBuilder();
        try
        {
            parts.ConnectionString = text;
        }
        catch (ArgumentException)
        {
            throw Invalid(
                optionsName,
                $"{where} cannot be read. Write amqp://user:password@host:5672/virtualhost, or Hosts=...;UserName=...;Password=...");
        }
        foreach (string key in parts.Keys)
        {
            BrokerKeys.All.Set(options, optionsName, key, (string)parts[key], $"{where}: {key}");
        }
    }

    private static void ReadUri(BrokerOptions options, string optionsName, string where, string text)
    {
        try
        {
            options.SetUri(text);
        }
        catch (ArgumentException)
        {
            throw Invalid(optionsName, $"{where} is no URI of a broker. Write amqp://user:password@host:5672/virtualhost.");
        }
    }

    private static OptionsValidationException Invalid(string optionsName, string failure) =>
        OptionKeys<BrokerOptions>.Invalid(optionsName, failure);
}
