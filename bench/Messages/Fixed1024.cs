namespace BlitQueue.Bench.Messages;

/// <summary>1024 bytes: one fixed member, a struct that is copied as it lies.</summary>
[QueueMessage]
internal sealed partial class Fixed1024 : IBenchMessage<Fixed1024>
{
    public Words128 Words;

    public static Fixed1024 Create(int size, int variant = 0)
    {
        var message = new Fixed1024();
        Pattern.Fill(message.Words.Bytes);
        return message;
    }

    public void Stamp(long number) => Pattern.Stamp(Words.Bytes, number);

    public long Check() => Pattern.Check(Words.Bytes);
}
