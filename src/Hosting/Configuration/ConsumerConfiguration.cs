using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace BlitQueue.Hosting;

/// <summary>Reads a consumer's options from its configuration section.</summary>
/// <param name="queue">The queue's name.</param>
/// <param name="subscription">The subscription's.</param>
/// <param name="configuration">The host's; null where it has none.</param>
internal sealed class ConsumerConfiguration(string queue, string subscription, IConfiguration? configuration)
    : IConfigureNamedOptions<BlitQueueConsumerOptions>, IValidateOptions<BlitQueueConsumerOptions>
{
    private readonly string _name = NameOf(queue, subscription);

    /// <summary>The name of a consumer's options.</summary>
    public static string NameOf(string queue, string subscription) => $"{queue}/{subscription}";

    /// <summary>The section of a consumer.</summary>
    public static string SectionOf(string queue, string subscription) =>
        $"{QueueConfiguration.SectionOf(queue)}:{QueueConfiguration.Consumers}:{subscription}";

    public void Configure(BlitQueueConsumerOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, BlitQueueConsumerOptions options)
    {
        if (name != _name || configuration is null)
        {
            return;
        }
        foreach (IConfigurationSection child in configuration.GetSection(SectionOf(queue, subscription)).GetChildren())
        {
            ConsumerKeys.All.Set(options, _name, child.Key, child.Value, child.Path);
        }
    }

    public ValidateOptionsResult Validate(string? name, BlitQueueConsumerOptions options) => name != _name ? ValidateOptionsResult.Skip
        : options.FinishTime < TimeSpan.Zero
            ? ValidateOptionsResult.Fail(
                $"{SectionOf(queue, subscription)}:FinishTime is {options.FinishTime}: it must be zero or longer, or left out.")
            : ValidateOptionsResult.Success;
}
