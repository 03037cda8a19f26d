using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class ChangingBytesTests
{
    private const int Reads = 100_000;

    [Fact]
    public void Bytes_that_change_while_they_are_read_are_a_message_or_a_PackException()
    {
        var good = Packer.Pack(Order.Full());
        var bytes = (byte[])good.Clone();
        using var done = new CancellationTokenSource();
        var peer = new Thread(() => Change(bytes, good, done.Token));
        peer.Start();
        try
        {
            Order? order = null;
            for (var i = 0; i < Reads; i++)
            {
                try
                {
                    Packer.Unpack(bytes, ref order);
                    Packer.Pack(in order);
                }
                catch (PackException)
                {
                }
            }
        }
        finally
        {
            done.Cancel();
            peer.Join();
        }
    }

    private static void Change(byte[] bytes, byte[] good, CancellationToken done)
    {
        var random = new Random(7);
        while (!done.IsCancellationRequested)
        {
            var at = random.Next(bytes.Length);
            bytes[at] = (byte)random.Next(256);
            Thread.SpinWait(20);
            bytes[at] = good[at];
        }
    }
}
