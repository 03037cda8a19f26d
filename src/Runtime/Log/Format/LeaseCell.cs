namespace BlitQueue.Log;

/// <summary>
/// A lease cell as it was read. A consumer acts on it only by an exchange of its message word, whose tag makes the exchange fail if the
/// cell has changed.
/// </summary>
/// <param name="Number">The cell, 1 or more.</param>
/// <param name="Message">Its message word, read first.</param>
/// <param name="Owner">Its owner word.</param>
/// <param name="Delivery">Its delivery word.</param>
internal readonly record struct LeaseCell(int Number, long Message, long Owner, long Delivery)
{
    public LeaseState State => SubscriptionFormat.State(Message);

    public long Position => SubscriptionFormat.MessagePosition(Message);

    public int Tag => SubscriptionFormat.Tag(Message);

    /// <summary>Whether a participant, dead or alive, has begun to take the cell, or the message in it, and has not ended.</summary>
    public bool IsBeingTaken => SubscriptionFormat.OwnerTag(Owner) == SubscriptionFormat.TagAfter(Tag, 1)
        && State is LeaseState.None or LeaseState.Returned or LeaseState.DeadLettering;

    /// <summary>The participant, dead or alive, that has the cell or is taking it; 0 = none.</summary>
    public long Holder => IsBeingTaken || (IsHeld && SubscriptionFormat.OwnerTag(Owner) == Tag) ? SubscriptionFormat.NameOf(Owner) : 0;

    /// <summary>How often the message was delivered. A consumer that was about to take it has counted one more.</summary>
    public int Attempt => SubscriptionFormat.Attempt(Delivery)
        - (SubscriptionFormat.Tag(Delivery) == SubscriptionFormat.TagAfter(Tag, 1) ? 1 : 0);

    /// <summary>From when on a message that was given back may be delivered; 0 at once.</summary>
    public long Due
        => State == LeaseState.Returned && SubscriptionFormat.Tag(Delivery) == Tag && SubscriptionFormat.Time(Delivery) is var due
            && due != SubscriptionFormat.AtOnce
                ? due
                : 0;

    private bool IsHeld =>
        State is not (LeaseState.None or LeaseState.Returned);
}
