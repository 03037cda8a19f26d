namespace BlitQueue.Peer;

/// <summary>A request and its reply, whose lengths and bytes follow from the number of the call.</summary>
internal readonly struct RpcDeal
{
    // What fits into a cell.
    private const int Short = 1500;

    private readonly int _producer, _requestLength, _replyLength;
    private readonly long _number;

    /// <param name="producer">The client.</param>
    /// <param name="number">Which call of it.</param>
    /// <param name="longest">How long requests and replies are at most.</param>
    public RpcDeal(int producer, long number, int longest)
    {
        (_producer, _number) = (producer, number);
        var random = new Random((int)(((uint)producer * 7919) ^ (uint)number));
        int kind = random.Next(20);
        IsFault = kind == 0;
        _requestLength = random.Next(kind % 3 == 0 ? longest : Short);
        _replyLength = random.Next(kind % 4 == 1 ? longest : Short);
    }

    /// <summary>Whether the handler fails.</summary>
    public bool IsFault { get; }

    public Parcel Request(Parcel parcel) => parcel.Fill(_producer, _number, _requestLength);

    public bool IsRequest(Parcel parcel) => Is(parcel, _producer, _requestLength);

    public Parcel Reply(Parcel parcel) => parcel.Fill(-_producer, _number, _replyLength);

    public bool IsReply(Parcel parcel) => Is(parcel, -_producer, _replyLength);

    private bool Is(Parcel parcel, int producer, int length) =>
        parcel.Producer == producer && parcel.Number == _number && parcel.Length == length && parcel.IsIntact();
}
