using BlitQueue.Calls;
using BlitQueue.Memory;

namespace BlitQueue.Tests.Processes;

/// <summary>Parts of calls by themselves.</summary>
public sealed class RpcPartTests
{
    private const long One = 0x1_0001, Other = 0x1_0002;

    [Fact]
    public void One_word_decides_each_call()
    {
        using var region = new MappedRegion(4096);
        var cell = new RpcCell<MachineMemory>(region.SharedWord(0));
        Assert.False(cell.TryTake(One));
        Assert.False(cell.TryGiveUp(out _));
        cell.Queue();
        Assert.True(cell.TryTake(One));
        Assert.False(cell.TryTake(Other));
        Assert.True(cell.TryAnswer(One, RpcState.Replied));
        Assert.True(RpcCell<MachineMemory>.IsAnswer(cell.Word));
        Assert.Equal(One, RpcFormat.ServerOf(cell.Word));
        Assert.False(cell.TryGiveUp(out _));
        Assert.True(cell.IsFree);

        // Given up before it was taken, and after.
        cell.Queue();
        Assert.True(cell.TryGiveUp(out long none) && none == 0);
        Assert.False(cell.TryTake(One));
        cell.Queue();
        Assert.True(cell.TryTake(One));
        Assert.True(cell.TryGiveUp(out long server) && server == One);
        Assert.False(cell.IsFree);
        Assert.False(cell.TryAnswer(One, RpcState.Replied));
        Assert.Equal(RpcState.Over, cell.State);
        Assert.True(cell.IsFree);

        // Withdrawn where there is no server, which a server that has taken it prevents.
        cell.Queue();
        Assert.True(cell.TryWithdraw());
        Assert.True(cell.IsFree);
        cell.Queue();
        Assert.True(cell.TryTake(One));
        Assert.False(cell.TryWithdraw());
        Assert.True(cell.TryAnswer(One, RpcState.Dropped));
        Assert.True(RpcCell<MachineMemory>.IsAnswer(cell.Word) && cell.IsFree);

        // Lost, and taken by a successor: the dead one's exchange is too late.
        cell.Queue();
        Assert.True(cell.TryTake(One));
        Assert.True(cell.TryLose(cell.Word, isQueuedAgain: true));
        Assert.True(cell.TryTake(Other));
        Assert.False(cell.TryAnswer(One, RpcState.Replied));
        Assert.Equal(RpcState.Taken, cell.State);
        Assert.True(cell.TryAnswer(Other, RpcState.Faulted));
    }

    [Fact]
    public void Bytes_come_out_of_a_pipe_as_they_went_in()
    {
        const int size = 100;
        using var region = new MappedRegion(4096);
        var pipe = new RpcPipe(region, 1024, size, region.SharedWord(0), region.SharedWord(8));
        var random = new Random(1);
        byte next = 0, expected = 0;
        byte[] bytes = new byte[2 * size];
        for (int step = 0; step < 10_000; step++)
        {
            int length = random.Next(2 * size);
            for (int i = 0; i < length; i++)
            {
                bytes[i] = (byte)(next + i);
            }
            int before = pipe.Space, written = pipe.Write(bytes.AsSpan(0, length));
            Assert.Equal(Math.Min(before, length), written);
            next += (byte)written;
            int read = pipe.Read(bytes.AsSpan(0, random.Next(2 * size)));
            for (int i = 0; i < read; i++)
            {
                Assert.Equal(expected++, bytes[i]);
            }
        }
    }

    [Fact]
    public void A_pipe_whose_words_another_process_has_spoiled_stays_inside_of_its_bytes()
    {
        using var region = new MappedRegion(4096);
        var pipe = new RpcPipe(region, 1024, 100, region.SharedWord(0), region.SharedWord(8));
        foreach (long spoiled in new[] { long.MinValue, -1, long.MaxValue, 1L << 40 })
        {
            region.Word(0) = spoiled;
            region.Word(8) = 3;
            Assert.InRange(pipe.Read(new byte[1000]), 0, 100);
            Assert.InRange(pipe.Write(new byte[1000]), 0, 100);
        }
    }

    [Fact]
    public void Times_are_right_to_a_quarter()
    {
        var latencies = new RpcLatencies();
        Assert.Equal(TimeSpan.Zero, latencies.Quantile(0.5));
        latencies.Add(TimeSpan.FromSeconds(10));
        Assert.InRange(latencies.Quantile(1), TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(13));
    }
}
