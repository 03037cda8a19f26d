// A host that works on the jobs of a queue until it is stopped: <queue> <log> <milliseconds of a job> <deaf|hears> <seconds to stop>
// [file for the spans] [bare, without instruments]; or what enqueues until it is killed: <queue> sends
using System.Globalization;
using BlitQueue;
using BlitQueue.Hosting.Peer;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry;
using OpenTelemetry.Trace;

if (args[1] == "sends")
{
    using var queue = MappedQueue<Job>.Open(args[0], new QueueOptions { FullMode = FullMode.DropOldest });
    while (true)
    {
        queue.Enqueue(new Job());
    }
}
AppContext.SetSwitch("BlitQueue.Instruments.IsSupported", args is not [.., "bare"]);
HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
builder.Services.AddSingleton(new Work(args[1], int.Parse(args[2], CultureInfo.InvariantCulture), args[3] == "deaf"));
builder.Services.Configure<HostOptions>(
    options => options.ShutdownTimeout = TimeSpan.FromSeconds(int.Parse(args[4], CultureInfo.InvariantCulture)));
builder.Services.AddBlitQueue<Job>("jobs", options => options.Path = args[0])
    .AddConsumer<JobHandler>("default", options => options.Concurrency = 4);
if (args.Length > 5)
{
    builder.Services.AddOpenTelemetry().WithTracing(
        tracing => tracing.AddSource("BlitQueue").AddProcessor(new SimpleActivityExportProcessor(new SpanFile(args[5]))));
}
await builder.Build().RunAsync();
Console.WriteLine("stopped");
