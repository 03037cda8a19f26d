using BlitQueue.Tests.Packing.Samples;
using BlitQueue.Views;

namespace BlitQueue.Tests.Packing;

public sealed class ChangingBytesTests
{
    private const int Reads = 100_000;

    [Fact]
    public void Bytes_that_change_while_they_are_read_are_a_message_or_a_PackException()
    {
        Order? order = null;
        WhileChanging(Packer.Pack(Order.Full()), bytes =>
        {
            Packer.Unpack(bytes, ref order);
            Packer.Pack(in order);
        });
    }

    [Fact]
    public void Bytes_that_change_while_they_are_viewed_are_a_value_or_a_PackException()
        => WhileChanging(Packer.Pack(Board.Full()), bytes =>
        {
            var view = new Board.View(bytes);
            _ = view.Prices.TryGetValue("second", out PackedView<LineItem> price);
            price.ToObject();
            foreach ((StringView key, PackedView<LineItem> value) in view.Prices)
            {
                _ = key.ToString() + value.Bytes.Length;
            }

            _ = view.Pair.Item1 + view.Pair.Item2.ToString();
            GridView<Rank2, ValueView<bool>> seen = view.Seen;
            _ = seen.Count > 0 && seen[seen.GetLength(0) - 1, seen.GetLength(1) - 1];
            seen.AsSpanView().ToArray();
            foreach (ListView<StringView> row in view.Rows)
            {
                _ = row.Count > 0 && row[row.Count - 1] == "row";
            }

            view.ToObject();
        });

    private static void WhileChanging(byte[] good, Action<byte[]> read)
    {
        byte[] bytes = (byte[])good.Clone();
        using var done = new CancellationTokenSource();
        var peer = new Thread(() => Change(bytes, good, done.Token));
        peer.Start();
        try
        {
            for (int i = 0; i < Reads; i++)
            {
                try
                {
                    read(bytes);
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
            int at = random.Next(bytes.Length);
            bytes[at] = (byte)random.Next(256);
            Thread.SpinWait(20);
            bytes[at] = good[at];
        }
    }
}
