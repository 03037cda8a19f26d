// A host that works on the jobs of a queue until it is stopped: <queue> <log> <milliseconds of a job> <deaf|hears> <seconds to stop>
// [file for the spans]
using System.Globalization;
using BlitQueue.Hosting.Peer;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using OpenTelemetry;
using OpenTelemetry.Trace;

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
