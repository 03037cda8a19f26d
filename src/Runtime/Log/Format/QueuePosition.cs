namespace BlitQueue;

/// <summary>
/// The position of a message in its queue: bytes from the queue's beginning. Later messages have greater positions; no position is used
/// twice, but for those that were lost with the machine's power (<see cref="QueueEpoch"/>).
/// </summary>
/// <param name="Value">0 or more.</param>
/// <example>
/// <code>
/// QueuePosition position = orders.Enqueue(order);    // the same as the Position of the lease that delivers it
/// audit.Seek(position);                              // audit's next message
/// </code>
/// </example>
public readonly record struct QueuePosition(long Value) : IComparable<QueuePosition>
{
    /// <summary>To seek: the oldest message that is still on disk.</summary>
    public static QueuePosition Oldest => new(0);

    /// <summary>To seek: behind the newest message.</summary>
    public static QueuePosition Newest => new(long.MaxValue);

    /// <inheritdoc/>
    public int CompareTo(QueuePosition other) => Value.CompareTo(other.Value);

    /// <summary>Whether the left message is the earlier one.</summary>
    public static bool operator <(QueuePosition left, QueuePosition right) => left.Value < right.Value;

    /// <summary>Whether the left message is the later one.</summary>
    public static bool operator >(QueuePosition left, QueuePosition right) => left.Value > right.Value;

    /// <summary>Whether the left message is the earlier one or the same.</summary>
    public static bool operator <=(QueuePosition left, QueuePosition right) => left.Value <= right.Value;

    /// <summary>Whether the left message is the later one or the same.</summary>
    public static bool operator >=(QueuePosition left, QueuePosition right) => left.Value >= right.Value;

    /// <summary>The number of bytes.</summary>
    public override string ToString() => Value.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
