using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

/// <summary>One call of the system for each message.</summary>
internal readonly struct StreamSender<TEnd> : ISender where TEnd : struct, IByteEnd
{
    private readonly TEnd _end;
    private readonly byte[] _message;

    public StreamSender(TEnd end, int size)
    {
        _end = end;
        _message = new byte[size];
        Pattern.Fill(_message);
    }

    public void Send(long number)
    {
        Pattern.Stamp(_message, number);
        for (int sent = 0; sent < _message.Length;)
        {
            sent += _end.Write(_message.AsSpan(sent));
        }
    }

    public void Dispose() => _end.Dispose();
}
