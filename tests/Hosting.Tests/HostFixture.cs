using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BlitQueue.Hosting.Tests;

/// <summary>A directory, and real hosts whose logs can be read.</summary>
public abstract class HostFixture : IDisposable
{
    /// <summary>How long anything may take that is not itself measured. Only a hang takes so long.</summary>
    protected static readonly TimeSpan Patience = TimeSpan.FromSeconds(120);

    protected static readonly TimeSpan Instant = TimeSpan.FromMilliseconds(1);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("blitqueue-hosting-");

    /// <summary>Where the queue of a test lies.</summary>
    protected string QueuePath => Path.Combine(_folder.FullName, "jobs");

    /// <summary>A file of the test's own.</summary>
    protected string FileOf(string name) => Path.Combine(_folder.FullName, name);

    /// <summary>What all hosts of the test have logged.</summary>
    internal LogLines Log { get; } = new();

    /// <summary>A host with nothing but what a test adds: no files of configuration, no console.</summary>
    protected IHost HostOf(Action<IServiceCollection> add, params (string Key, string Value)[] configuration)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(
            configuration.Select(static pair => new KeyValuePair<string, string?>(pair.Key, pair.Value)));
        builder.Logging.AddProvider(Log);
        add(builder.Services);
        return builder.Build();
    }

    /// <summary>A host that has the test's queue.</summary>
    protected IHost HostOfJobs(Action<BlitQueueBuilder<Job>>? add = null, Action<BlitQueueOptions>? configure = null) => HostOf(services =>
    {
        BlitQueueBuilder<Job> builder = services.AddBlitQueue<Job>("jobs", options =>
        {
            options.Path = QueuePath;
            configure?.Invoke(options);
        });
        add?.Invoke(builder);
    });

    /// <summary>The test's queue with so many jobs, whose ids count from 0.</summary>
    protected void Fill(int count)
    {
        using var queue = MappedQueue<Job>.Open(QueuePath);
        for (int id = 0; id < count; id++)
        {
            queue.Enqueue(new Job { Id = id, Text = $"job {id}" });
        }
    }

    protected static async Task UntilAsync(Func<bool> isTrue)
    {
        using var giveUp = new CancellationTokenSource(Patience);
        while (!isTrue())
        {
            await Task.Delay(10, giveUp.Token);
        }
    }

    protected QueueStatus Status() => MappedQueue.GetStatus(QueuePath);

    /// <summary>Changes a byte of a text that the queue's files contain.</summary>
    protected void Damage(string text)
    {
        foreach (string path in Directory.EnumerateFiles(QueuePath, "*", SearchOption.AllDirectories))
        {
            byte[] content = File.ReadAllBytes(path);
            int at = content.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text));
            at = at < 0 ? content.AsSpan().IndexOf(Encoding.Unicode.GetBytes(text)) : at;
            if (at >= 0)
            {
                using FileStream file = File.OpenWrite(path);
                file.Position = at;
                file.WriteByte((byte)(content[at] ^ 1));
                return;
            }
        }
        Assert.Fail($"No file has '{text}'.");
    }

    public void Dispose()
    {
        _folder.Delete(recursive: true);
        GC.SuppressFinalize(this);
    }
}
