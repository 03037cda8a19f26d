using System.Runtime.CompilerServices;

namespace BlitQueue.Tests.Processes;

/// <summary>What long messages leave behind in a process.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcMemoryTests : IDisposable
{
    private const int Long = 64 << 20, Most = 16 << 20, Count = 8;

    private readonly Site _site = new(inMemory: true);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Long_requests_and_replies_leave_no_memory_of_their_length(bool isAsync)
    {
        // What the first calls make once.
        Call(isAsync, 1, 100);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        Call(isAsync, Count, Long);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, Most);
    }

    // Of its own, so that nothing of it is reachable afterwards.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Call(bool isAsync, int count, int length)
    {
        using Serving server = isAsync ? Serving.Echo(_site.Queue)
            : new Serving(_site.Queue, static (Parcel request, Parcel? _, RpcContext _) => request);
        using var client = RpcClient<Parcel, Parcel>.OpenFile(_site.Queue);
        Parcel request = new Parcel().Fill(1, 1, length);
        Parcel? reply = null;
        for (int number = 0; number < count; number++)
        {
            client.Call(in request, ref reply);
            Assert.True(reply.IsIntact());
        }
    }

    /// <summary>A thread that does not spin leaves each long call to the pool: its request, and its reply.</summary>
    [Fact]
    public void Calls_that_wait_without_a_thread_leave_no_memory()
    {
        var options = new RpcServerOptions { SpinDuration = TimeSpan.Zero };
        using var server = new Serving(_site.Queue, static (Parcel request, Parcel? _, RpcContext _) => request, options);
        using var client = RpcClient<Parcel, Parcel>.OpenFile(_site.Queue);
        CallAtOnce(client, 20);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        CallAtOnce(client, 300);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 2 << 20);
        Assert.Equal((960, 0), (server.Server.GetStatistics().Answers, server.Server.GetStatistics().InFlight));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CallAtOnce(RpcClient<Parcel, Parcel> client, int count)
    {
        const int atOnce = 3, length = 3_000_000;
        Parallel.For(0, atOnce, new ParallelOptions { MaxDegreeOfParallelism = atOnce }, caller =>
        {
            Parcel request = new Parcel().Fill(caller, 1, length);
            Parcel? reply = null;
            for (int number = 0; number < count; number++)
            {
                client.Call(in request, ref reply);
                Assert.Equal((caller, length), (reply.Producer, reply.Length));
            }
        });
    }

    [Fact]
    public void Long_messages_that_are_packed_to_an_array_leave_no_memory_of_their_length()
    {
        long before = GC.GetTotalMemory(forceFullCollection: true);
        Pack();
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, Most);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Pack()
    {
        Parcel parcel = new Parcel().Fill(1, 1, Long);
        for (int number = 0; number < Count; number++)
        {
            Assert.InRange(Packer.Pack(in parcel).Length, Long, Long + 100);
        }
    }

    public void Dispose() => _site.Dispose();
}
