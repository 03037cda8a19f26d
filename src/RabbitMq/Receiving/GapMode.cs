namespace BlitQueue.RabbitMq;

/// <summary>What a receiver does when a message is missing that its source has sent.</summary>
public enum GapMode
{
    /// <summary>It stops with a <see cref="MessageGapException"/>. What came later stays at the broker.</summary>
    Stop = 0,

    /// <summary>It notes <see cref="BridgeProblem.Gap"/>, goes on with what came later, and never takes the missing ones.</summary>
    Accept = 1,
}
