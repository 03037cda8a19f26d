namespace BlitQueue.RabbitMq;

/// <summary>What the broker says about publishes, in its order.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Number">Of the publish on its channel; for a return, the message's position.</param>
/// <param name="IsMultiple">Whether all publishes up to that one are meant.</param>
/// <param name="Failure">Why the channel is closed.</param>
/// <param name="Text">Why a message was returned.</param>
internal readonly record struct BrokerSignal(
    SignalKind Kind, ulong Number = 0, bool IsMultiple = false, Exception? Failure = null, string? Text = null);
