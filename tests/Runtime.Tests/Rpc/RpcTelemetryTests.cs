using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace BlitQueue.Tests.Processes;

/// <summary>What listeners are told of calls, and how many threads calls take.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcTelemetryTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    private static Parcel Of(long number) => new Parcel().Fill(1, number, 10);

    // Every third call fails.
    private Serving Serve() => new(File, static (request, _) => request.Number % 3 == 0
        ? throw new InvalidOperationException("three") : new ValueTask<Parcel>(request));

    private async Task CallAsync(int count)
    {
        using var client = RpcClient<Parcel, Parcel>.OpenFile(File);
        for (int number = 1; number <= count; number++)
        {
            try
            {
                // By turns awaited, and on a thread.
                _ = number % 2 == 0 ? client.Call(Of(number)) : await client.CallAsync(Of(number));
            }
            catch (RpcFaultException)
            {
            }
        }
    }

    [Fact]
    public async Task Each_call_is_timed_once_at_both_ends_with_its_channel_and_its_failure()
    {
        const int calls = 6;
        var measured = new ConcurrentQueue<(string Name, double Seconds, string? Error)>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, itself) =>
            {
                if (instrument.Meter.Name == "BlitQueue" && instrument.Name.StartsWith("rpc.", StringComparison.Ordinal))
                {
                    itself.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>((instrument, seconds, tags, _) =>
        {
            Dictionary<string, string?> all = tags.ToArray().ToDictionary(static tag => tag.Key, static tag => tag.Value as string);
            if (all["messaging.destination.name"] == File && all["rpc.system.name"] == "blitqueue")
            {
                measured.Enqueue((instrument.Name, seconds, all.GetValueOrDefault("error.type")));
            }
        });
        listener.Start();
        using (Serving server = Serve())
        {
            await CallAsync(calls);
            Assert.True(SpinWait.SpinUntil(() => measured.Count == 2 * calls, Peer.Patience));
        }
        foreach (string name in (string[])["rpc.client.call.duration", "rpc.server.call.duration"])
        {
            (string Name, double Seconds, string? Error)[] its = [.. measured.Where(one => one.Name == name)];
            Assert.Equal(calls, its.Length);
            Assert.All(its, static one => Assert.InRange(one.Seconds, double.Epsilon, Peer.Patience.TotalSeconds));
            Assert.Equal(calls / 3, its.Count(static one => one.Error == "System.InvalidOperationException"));
            Assert.Equal(calls - (calls / 3), its.Count(static one => one.Error is null));
        }
    }

    [Fact]
    public async Task A_call_is_a_span_of_its_callers_trace_with_one_at_its_server_inside()
    {
        const int calls = 4;
        var ended = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name is "BlitQueue" or nameof(RpcTelemetryTests),
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span =>
            {
                if (span.GetTagItem("messaging.destination.name") as string == File)
                {
                    ended.Enqueue(span);
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        using var source = new ActivitySource(nameof(RpcTelemetryTests));
        using (Serving server = Serve())
        using (Activity? outer = source.StartActivity("outer"))
        {
            Assert.NotNull(outer);
            await CallAsync(calls);
            Assert.True(SpinWait.SpinUntil(() => ended.Count == 2 * calls, Peer.Patience));
            Activity[] asked = [.. ended.Where(span => span.Kind == ActivityKind.Client)];
            Assert.Equal(calls, asked.Length);
            Assert.All(asked, span => Assert.Equal((outer.SpanId, outer.TraceId), (span.ParentSpanId, span.TraceId)));
            foreach (Activity call in asked)
            {
                Activity answer = Assert.Single(ended, span => span.Kind == ActivityKind.Server && span.ParentSpanId == call.SpanId);
                Assert.Equal((call.TraceId, call.Status), (answer.TraceId, answer.Status));
            }
            Assert.Single(asked, static span => span.Status == ActivityStatusCode.Error);
        }
    }

    [Fact]
    public async Task Open_channels_and_calls_take_no_thread_each()
    {
        const int channels = 40, callsEach = 25, few = 30;
        int before = ThreadCount();
        using var release = new SemaphoreSlim(0);
        var servers = new List<Serving>();
        var clients = new List<RpcClient<Parcel, Parcel>>();
        var calls = new List<Task<Parcel>>();
        try
        {
            for (int channel = 0; channel < channels; channel++)
            {
                servers.Add(new Serving($"{File}-{channel}", async (request, _) =>
                {
                    await release.WaitAsync();
                    return request;
                }));
                clients.Add(RpcClient<Parcel, Parcel>.OpenFile($"{File}-{channel}"));
                calls.AddRange(Enumerable.Range(0, callsEach).Select(number => clients[^1].CallAsync(Of(number)).AsTask()));
            }
            Assert.True(SpinWait.SpinUntil(
                () => servers.Sum(static one => one.Server.GetStatistics().InFlight) == channels * callsEach, Peer.Patience));
            Assert.InRange(ThreadCount() - before, int.MinValue, few);
            release.Release(channels * callsEach);
            await Task.WhenAll(calls).WaitAsync(Peer.Patience);
        }
        finally
        {
            // Where the test fails, too: else the end of the servers waits for their handlers, and that is what is told.
            release.Release(channels * callsEach);
            clients.ForEach(static one => one.Dispose());
            servers.ForEach(static one => one.Dispose());
        }
    }

    private static int ThreadCount()
    {
        using var self = Process.GetCurrentProcess();
        return self.Threads.Count;
    }

    public void Dispose() => _site.Dispose();
}
