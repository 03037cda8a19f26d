using BlitQueue.Calls;
using BlitQueue.Log;
using BlitQueue.Sharing;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>A process of the same user writes over the words and bytes of calls: each call ends, by an answer or by an exception.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcHostileTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private RpcClient<Parcel, Parcel> Open(RpcClientOptions? options = null) => RpcClient<Parcel, Parcel>.OpenFile(File, options);

    private static Parcel Of(long number, int length = 100) => new Parcel().Fill(1, number, length);

    private SafeFileHandle OpenCalls() => System.IO.File.OpenHandle(
        CallFiles.In(_site).Single(), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    private static void Write(SafeFileHandle file, long offset, long word) =>
        RandomAccess.Write(file, BitConverter.GetBytes(word), offset);

    [Theory]
    [InlineData(0)]
    [InlineData(6L << 48)]
    [InlineData((5L << 48) | 0x1234)]
    [InlineData(77L << 48)]
    [InlineData((1L << 48) | 0x1234)]
    [InlineData(-1)]
    public void A_word_that_no_server_writes_ends_a_call_without_a_time(long word)
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan, CallsInFlight = 1 });
        Task<Parcel> awaited = client.CallAsync(Of(1)).AsTask();
        using (SafeFileHandle file = OpenCalls())
        {
            Write(file, RpcFormat.CellAt(0), word);
        }
        Assert.Throws<QueueCorruptException>(() => Soon.Of(awaited));
        // The cell can be used again.
        using var server = Serving.Echo(File);
        Assert.Equal(2, client.Call(Of(2)).Number);
    }

    [Theory]
    [InlineData(long.MaxValue)]
    [InlineData(1L << 29)]
    [InlineData(5000)]
    [InlineData(-1)]
    public void A_reply_of_a_length_that_never_comes_ends_a_call_without_a_time(long length)
    {
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan, CallsInFlight = 1 });
        Task<Parcel> onThread = Task.Run(() => client.Call(Of(1)));
        Assert.True(SpinWait.SpinUntil(() => client.GetStatistics().InFlight == 1, Peer.Patience));
        Thread.Sleep(20);
        using (SafeFileHandle file = OpenCalls())
        {
            Write(file, RpcFormat.CellAt(0) + RpcFormat.ReplyLengthOffset, length);
            Write(file, RpcFormat.CellAt(0), RpcFormat.Word(RpcState.Replied, 0x1_0001));
        }
        Assert.Throws<QueueCorruptException>(() => Soon.Of(onThread));
        using var server = Serving.Echo(File);
        Assert.Equal(2, client.Call(Of(2)).Number);
    }

    [Theory]
    [InlineData("rpc-serve", false)]
    [InlineData("rpc-spin", false)]
    [InlineData("rpc-serve", true)]
    public async Task A_peer_that_scribbles_over_calls_makes_none_hang_and_breaks_no_process(string command, bool wholeCells)
    {
        const int cells = 8, rounds = 200;
        using Peer server = Peer.Start(_site, command).WaitFor("ready");
        using (RpcClient<Parcel, Parcel> client = Open(
            new RpcClientOptions { Timeout = TimeSpan.FromMilliseconds(500), CallsInFlight = cells, Blocks = 1 }))
        {
            using SafeFileHandle file = OpenCalls();
            var random = new Random(7);
            int answers = 0, failures = 0;
            for (int round = 0; round < rounds; round++)
            {
                Task<bool>[] calls = [.. Enumerable.Range(0, cells / 2).Select(
                    number => Task.Run(() => TryCallAsync(client, number, random.Next(40) == 0 ? 3_000_000 : 100)))];
                for (int scribble = random.Next(6); scribble > 0; scribble--)
                {
                    Scribble(file, random, cells, wholeCells);
                }
                int answered = (await Task.WhenAll(calls).WaitAsync(Peer.Patience)).Count(static isAnswered => isAnswered);
                (answers, failures) = (answers + answered, failures + calls.Length - answered);
            }
            Assert.Equal(rounds * (cells / 2), answers + failures);
            Assert.InRange(answers, 1, int.MaxValue);
        }
        // Server and channel go on.
        using RpcClient<Parcel, Parcel> next = Open();
        for (int number = 0; number < 100; number++)
        {
            Assert.Equal(number, (await next.CallAsync(Of(number))).Number);
        }
        server.Finish();
    }

    private static async Task<bool> TryCallAsync(RpcClient<Parcel, Parcel> client, int number, int length)
    {
        try
        {
            if (number % 2 == 0)
            {
                client.Call(Of(number, length));
            }
            else
            {
                await client.CallAsync(Of(number, length));
            }
            return true;
        }
        catch (QueueException)
        {
            return false;
        }
    }

    // Words of one cell, or all of its words and bytes.
    private static void Scribble(SafeFileHandle file, Random random, int cells, bool wholeCell)
    {
        long cell = RpcFormat.CellAt(random.Next(cells));
        if (wholeCell)
        {
            byte[] bytes = new byte[RpcFormat.CellSize];
            random.NextBytes(bytes);
            RandomAccess.Write(file, bytes, cell);
            return;
        }
        long word = random.Next(6) switch
        {
            0 => 0,
            1 => random.NextInt64(),
            2 => random.Next(5000),
            3 => RpcFormat.Word((RpcState)random.Next(8), random.NextInt64(1L << 48)),
            4 => -random.Next(5000),
            _ => 1L << random.Next(64),
        };
        Write(file, cell + (sizeof(long) * random.Next(RpcFormat.CellHeaderSize / sizeof(long))), word);
    }

    /// <summary>The system ends a process that touches a hole where there is no memory for it.</summary>
    [TmpfsFact]
    public void A_client_that_names_a_block_which_it_has_not_reserved_ends_no_server()
    {
        TmpfsFactAttribute.Mount(_site.Root);
        try
        {
            using (RpcClient<Parcel, Parcel> broken = Open(new RpcClientOptions { CallsInFlight = 1, Blocks = 2 }),
                sound = Open(new RpcClientOptions { CallsInFlight = 1, Blocks = 0 }))
            {
                Task<Parcel> call = broken.CallAsync(Of(1)).AsTask();
                using (SafeFileHandle file = System.IO.File.OpenHandle(
                    CallFiles.In(_site).Single(static path => new FileInfo(path).Length > RpcFormat.BlockSize),
                    FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
                {
                    RandomAccess.Write(file, BitConverter.GetBytes(2), RpcFormat.CellAt(0) + RpcFormat.BlocksOfCallOffset);
                }
                Site.FillDisk(_site.Root, leave: 0);
                using Peer server = Peer.Start(_site, "rpc-serve").WaitFor("ready");
                Assert.True(Assert.Throws<PeerLostException>(() => Soon.Of(call)).WasTaken);
                Assert.Equal(2, sound.Call(Of(2)).Number);
                Assert.Equal(1, sound.GetStatistics().Answers);
                server.Finish();
            }
        }
        finally
        {
            TmpfsFactAttribute.Unmount(_site.Root);
        }
    }

    [Fact]
    public void A_peer_that_scribbles_over_hints_makes_no_call_hang()
    {
        using Peer server = Peer.Start(_site, "rpc-serve").WaitFor("ready");
        using RpcClient<Parcel, Parcel> client = Open();
        using SafeFileHandle calls = OpenCalls(), channel = System.IO.File.OpenHandle(
            File, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        var random = new Random(7);
        for (int number = 0; number < 200; number++)
        {
            Task<Parcel> call = client.CallAsync(Of(number)).AsTask();
            Write(calls, RpcFormat.PendingOffset, random.Next(2) == 0 ? 0 : random.NextInt64());
            Write(channel, SharedFormat.DataOffset + RpcFormat.CallingOffset, random.Next(2) == 0 ? 0 : random.NextInt64());
            Write(calls, RpcFormat.ClientWakeOffset, random.NextInt64());
            Assert.Equal(number, Soon.Of(call).Number);
        }
        server.Finish();
    }

    /// <summary>A server that is killed between clearing the channel's hint and setting it again.</summary>
    [Fact]
    public void A_hint_of_the_channel_that_is_gone_comes_back()
    {
        using RpcClient<Parcel, Parcel> client = Open();
        Task<Parcel> call = client.CallAsync(Of(1)).AsTask();
        using (SafeFileHandle channel = System.IO.File.OpenHandle(
            File, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
        {
            for (int word = 0; word < RpcFormat.CallingWords; word++)
            {
                Write(channel, SharedFormat.DataOffset + RpcFormat.CallingOffset + (word * sizeof(long)), 0);
            }
        }
        using var server = Serving.Echo(File);
        Assert.Equal(1, Soon.Of(call).Number);
    }

    public void Dispose() => _site.Dispose();
}
