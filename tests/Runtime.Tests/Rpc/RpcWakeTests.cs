using System.Runtime.CompilerServices;
using BlitQueue.Calls;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>Which callers an answer wakes, and what a refusal of the system costs a client.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcWakeTests : IDisposable
{
    private const int Calls = 50;

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private RpcClient<Parcel, Parcel> Open(RpcClientOptions? options = null) => RpcClient<Parcel, Parcel>.OpenFile(File, options);

    private static Parcel Of(long number, int length = 100) => new Parcel().Fill(1, number, length);

    private long Word(long offset)
    {
        byte[] bytes = new byte[sizeof(long)];
        using SafeFileHandle file = System.IO.File.OpenHandle(
            CallFiles.In(_site).Single(), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        RandomAccess.Read(file, bytes, offset);
        return BitConverter.ToInt64(bytes);
    }

    [Fact]
    public async Task An_answer_wakes_the_thread_or_the_pump_that_waits_for_it_and_not_both()
    {
        using var server = new Serving(File, static async (request, _) =>
        {
            // The caller sleeps by then.
            await Task.Delay(2);
            return request;
        });
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { SpinDuration = TimeSpan.Zero, CallsInFlight = 1 });
        for (int number = 0; number < Calls; number++)
        {
            Assert.Equal(number, client.Call(Of(number)).Number);
        }
        Assert.Equal((0, 0), (Word(RpcFormat.AnsweredOffset), Word(RpcFormat.ClientWakeOffset)));
        long thread = Word(RpcFormat.CellAt(0) + RpcFormat.WakeOffset);
        Assert.InRange(thread >> 32, Calls / 2, long.MaxValue);
        for (int number = 0; number < Calls; number++)
        {
            Assert.Equal(number, (await client.CallAsync(Of(number))).Number);
        }
        Assert.Equal(thread, Word(RpcFormat.CellAt(0) + RpcFormat.WakeOffset));
        Assert.InRange(Word(RpcFormat.ClientWakeOffset) >> 32, 1, long.MaxValue);
    }

    [Fact]
    public void A_task_that_begins_to_wait_when_its_answer_is_there_goes_on()
    {
        using var server = Serving.Echo(File);
        using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { Timeout = Timeout.InfiniteTimeSpan });
        foreach (bool isOut in new[] { true, false })
        {
            ValueTaskAwaiter<Parcel> awaiter = client.CallAsync(Of(1)).GetAwaiter();
            // Its answer, and the bit of it, was there long ago; or is about to be.
            Assert.True(!isOut || SpinWait.SpinUntil(() => client.GetStatistics().InFlight == 0, Peer.Patience));
            var goesOn = new TaskCompletionSource();
            awaiter.OnCompleted(goesOn.SetResult);
            Soon.Of(goesOn.Task);
            Assert.Equal(1, Result(awaiter).Number);
        }
    }

    private static Parcel Result(ValueTaskAwaiter<Parcel> awaiter) => awaiter.GetResult();

    [Fact]
    public void A_client_whose_system_refuses_memory_for_a_block_loses_no_cell()
    {
        using var server = new Serving(File, static (Parcel request, Parcel? _, RpcContext _) => request);
        IPlatform usual = CurrentPlatform.Instance;
        var platform = new NoBlocks(usual);
        CurrentPlatform.Instance = platform;
        try
        {
            using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 1, Blocks = 2 });
            platform.Refuses = true;
            // From the second call on the client asks for a block before the call begins.
            for (int number = 0; number < 4; number++)
            {
                Parcel reply = client.Call(Of(number, 100_000));
                Assert.Equal((number, 100_000, true), (reply.Number, reply.Length, reply.IsIntact()));
            }
            Assert.InRange(platform.Refused, 4, int.MaxValue);
            platform.Refuses = false;
            Assert.True(client.Call(Of(5, 100_000)).IsIntact());
        }
        finally
        {
            CurrentPlatform.Instance = usual;
        }
    }

    /// <summary>Blocks are not reserved with the file, and later, for as long as it says, the system refuses.</summary>
    private sealed class NoBlocks(IPlatform inner) : PlatformAround(inner)
    {
        public bool Refuses { get; set; }

        public int Refused { get; private set; }

        public override bool TryReserve(SafeFileHandle file, long size, long offset, long length)
        {
            if (Refuses)
            {
                Refused++;
                throw new IOException("refused");
            }
            return base.TryReserve(file, size, offset, length);
        }
    }

    [TmpfsFact]
    public void On_a_full_file_system_calls_go_on_without_blocks_and_a_further_client_is_refused_by_name()
    {
        string disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName, path = Path.Combine(disk, "calls");
        TmpfsFactAttribute.Mount(disk, "size=1m");
        try
        {
            using (var server = new Serving(path, static (Parcel request, Parcel? _, RpcContext _) => request))
            using (var client = RpcClient<Parcel, Parcel>.OpenFile(path, new RpcClientOptions { CallsInFlight = 4 }))
            {
                Site.FillDisk(disk, leave: 0);
                for (int number = 0; number < 20; number++)
                {
                    Parcel reply = client.Call(Of(number, 50_000 * (number % 3)));
                    Assert.Equal((number, true), (reply.Number, reply.IsIntact()));
                }
                Assert.Throws<QueueFullException>(() => RpcClient<Parcel, Parcel>.OpenFile(path));
                Assert.Equal(3, Directory.GetFileSystemEntries(disk).Length);
            }
            Assert.Equal(["calls", "filler"], Directory.EnumerateFileSystemEntries(disk).Select(Path.GetFileName).Order());
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }
    }

    [Fact]
    public void A_clients_file_has_the_rights_of_its_channel()
    {
        const UnixFileMode all = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite
            | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;
        using RpcClient<Parcel, Parcel> first = Open(new RpcClientOptions { FileMode = all }), second = Open();
        Assert.All(Directory.GetFiles(_site.Root), static file => Assert.Equal(all, CurrentPlatform.Instance.RightsOf(file)?.Mode));
        Assert.Equal(3, Directory.GetFiles(_site.Root).Length);
    }

    /// <summary>Servers and clients that come and go in one process leave no descriptor, mapping and file.</summary>
    [Fact]
    public void A_thousand_clients_in_turn_leave_nothing_at_their_server()
    {
        const int clients = 1000;
        using var server = Serving.Echo(File);
        (int files, int mappings) = (0, 0);
        for (int number = 0; number < clients; number++)
        {
            using (RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 1, Blocks = 0 }))
            {
                Assert.Equal(number, client.Call(Of(number)).Number);
            }
            if (number == clients / 10)
            {
                (files, mappings) = Wait();
            }
        }
        (int laterFiles, int laterMappings) = Wait();
        Assert.InRange(laterFiles, 0, files + 5);
        Assert.InRange(laterMappings, 0, mappings + 5);
        Assert.Equal([File], _site.FilesLeft(1));

        // The server notices within half a second that a client has left.
        (int Files, int Mappings) Wait()
        {
            Assert.True(SpinWait.SpinUntil(() => Mappings() <= 2, Peer.Patience), $"{Mappings()} mappings");
            return (OwnProcess.Descriptors(), Mappings());
        }
    }

    /// <summary>A handler that reads its request for long is no reason for the memory of other clients to stay.</summary>
    [Fact]
    public async Task Clients_that_come_and_go_while_a_request_is_read_in_place_leave_nothing_at_their_server()
    {
        const int clients = 20;
        using ManualResetEventSlim taken = new(), goesOn = new();
        using var end = new CancellationTokenSource();
        using var server = new Serving(File, (ReadOnlySpan<byte> request, Parcel? _, RpcContext _) =>
        {
            taken.Set();
            goesOn.Wait(Peer.Patience);
            return Of(new Parcel.View(request).Number);
        });
        using RpcClient<Parcel, Parcel> reader = Open(new RpcClientOptions { CallsInFlight = 1, Blocks = 0 });
        Task<Parcel> read = reader.CallAsync(Of(1)).AsTask();
        Assert.True(taken.Wait(Peer.Patience));
        int before = Mappings();
        Task others = server.Server.ServeAsync(static (request, _) => new ValueTask<Parcel>(request), end.Token);
        for (int number = 0; number < clients; number++)
        {
            using RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 1, Blocks = 0 });
            Assert.Equal(number, client.Call(Of(number)).Number);
        }
        Assert.True(SpinWait.SpinUntil(() => Mappings() <= before, Peer.Patience), $"{Mappings()} mappings, {before} before");
        Assert.False(read.IsCompleted);
        goesOn.Set();
        Assert.Equal(1, (await read).Number);
        end.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => others);
    }

    /// <summary>The memory of a request stays mapped while a handler reads it, although its server is disposed.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(500_000)]
    public void A_server_that_is_disposed_while_a_request_is_read_in_place_unmaps_it_afterwards(int length)
    {
        using ManualResetEventSlim taken = new(), goesOn = new();
        bool isIntact = false;
        var server = new Serving(File, (ReadOnlySpan<byte> request, Parcel? _, RpcContext call) =>
        {
            taken.Set();
            goesOn.Wait(Peer.Patience);
            Parcel? read = null;
            Packer.Unpack(request, ref read);
            isIntact = read!.IsIntact() && call.IsCancelled;
            return read;
        });
        using (RpcClient<Parcel, Parcel> client = Open(new RpcClientOptions { CallsInFlight = 1, Blocks = 2 }))
        {
            Task<Parcel> call = client.CallAsync(Of(2, length)).AsTask();
            Assert.True(taken.Wait(Peer.Patience));
            server.Server.Dispose();
            goesOn.Set();
            Assert.True(Assert.Throws<PeerLostException>(() => Soon.Of(call)).WasTaken);
            server.Dispose();
        }
        Assert.True(isIntact);
        Assert.True(SpinWait.SpinUntil(() => Mappings() == 0, Peer.Patience), $"{Mappings()} mappings");
    }

    private int Mappings() => OwnProcess.Mappings(_site.Root).Length;

    public void Dispose() => _site.Dispose();
}
