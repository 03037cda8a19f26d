using System.Formats.Tar;
using System.IO.Compression;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;
using BlitQueue.Log;
using BlitQueue.Platform;
using Xunit;

namespace BlitQueue.Tests.Golden;

/// <summary>
/// What earlier versions have left opens for ever; README.md beside this file says what it is. GoldenMaker of the peer made it.
/// </summary>
public sealed class GoldenTests
{
    // A directory of archives that the same GoldenMaker has made on another system, see .ci/exchange; without it, those beside this file.
    private const string Elsewhere = "BLITQUEUE_GOLDEN";

    private const string OtherBoot = "00000000-0000-0000-0000-000000000000";

    /// <summary>Each archive, as files of a system that still runs, and as those of one that runs no more.</summary>
    public static TheoryData<string, bool> Archives()
    {
        var data = new TheoryData<string, bool>();
        foreach (string path in Directory.GetFiles(Archived(), "format-*.tar.gz").Order(StringComparer.Ordinal))
        {
            data.Add(Path.GetFileName(path), true);
            data.Add(Path.GetFileName(path), false);
        }
        return data;
    }

    [Fact]
    public void No_archive_was_changed()
    {
        string[] seals = File.ReadAllLines(Path.Combine(Here(), "seals.sha256"));
        Assert.Equal(
            Directory.GetFiles(Here(), "format-*.tar.gz").Order(StringComparer.Ordinal)
                .Select(static path => $"{Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(path)))}  {Path.GetFileName(path)}"),
            seals);
    }

    [Theory]
    [MemberData(nameof(Archives))]
    public void A_closed_queue_opens(string archive, bool isThisBoot)
    {
        using var copy = new Copy(archive, isThisBoot);
        using var queue = MappedQueue<Parcel>.Open(copy.Of("closed"));
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        Assert.Equal([250L, 210L], queue.GetStatus().Subscriptions.OrderByDescending(static one => one.Lag).Select(static one => one.Lag));
        AssertProperties(queue);
        Assert.Equal(Numbers(150, 400), Take(queue.Subscribe("default")));
        Assert.Equal(Numbers(190, 400), Take(audit));
        GoOn(queue, queue.Subscribe("default"), audit);
    }

    [Theory]
    [MemberData(nameof(Archives))]
    public void A_queue_whose_process_was_killed_opens(string archive, bool isThisBoot)
    {
        using var copy = new Copy(archive, isThisBoot);
        using var queue = MappedQueue<Parcel>.Open(copy.Of("killed"));
        using Subscription<Parcel> first = queue.Subscribe("default"), audit = queue.Subscribe("audit"), late = queue.Subscribe("late");
        Assert.Equal(Numbers(40, 300), Take(first));
        Assert.Equal(Numbers(200, 300), Take(late));
        // The open leases and what was given back come again; what was committed or set aside after leases were
        // taken may, where the system runs no more.
        long[] audited = Take(audit);
        Assert.Equal(audited.Distinct().Count(), audited.Length);
        Assert.Empty(Numbers(20, 25).Concat(Numbers(30, 300)).Except(audited));
        Assert.All(audited, static number => Assert.InRange(number, 20, 299));
        Assert.Equal([(28, "golden, the first"), (29, "golden, the second")], Letters(audit));
        GoOn(queue, first, audit, late);
    }

    [Theory]
    [MemberData(nameof(Archives))]
    public void A_store_opens(string archive, bool isThisBoot)
    {
        using var copy = new Copy(archive, isThisBoot);
        using var store = MappedStore.Open(copy.Of("store"));
        MappedQueue<Parcel> from = store.OpenQueue<Parcel>("from"), to = store.OpenQueue<Parcel>("to");
        using (QueueTransaction transaction = store.Begin())
        {
            Parcel? parcel = null;
            Assert.True(transaction.TryReceive(from, ref parcel));
            transaction.Enqueue(to, parcel!);
            transaction.Commit();
        }
        long[] left = Take(from.Subscribe("default")), transferred = Take(to.Subscribe("default"));
        // What was consumed by transactions that are not durable may come again where the system runs no more.
        Assert.Empty(Numbers(121, 200).Except(left));
        Assert.Equal(Numbers(0, 120), transferred[..120]);
        Assert.Single(transferred[120..]);
        if (isThisBoot)
        {
            Assert.Equal((120, 79), (transferred[120], left.Length));
        }
        GoOn(to, to.Subscribe("default"));
    }

    [Theory]
    [MemberData(nameof(Archives))]
    public void Lanes_open(string archive, bool isThisBoot)
    {
        using var copy = new Copy(archive, isThisBoot);
        using var lanes = MappedLanes<Parcel>.Open(copy.Of("lanes"));
        using LaneSubscription<Parcel> all = lanes.Subscribe("default");
        lanes.Enqueue(new Parcel().Fill(1, 1000, 10), lane: 0);
        List<long> numbers = [];
        Parcel? parcel = null;
        while (all.TryDequeue(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            numbers.Add(parcel.Number);
        }
        Assert.Equal([1000, .. Numbers(110, 130), .. Numbers(200, 230)], numbers);
    }

    private static void AssertProperties(MappedQueue<Parcel> queue)
    {
        using Subscription<Parcel> properties = queue.Subscribe("properties");
        var seen = new MessageProperties();
        Parcel? parcel = null;
        int count = 0;
        while (properties.TryDequeue(ref parcel, seen))
        {
            bool has = parcel!.Number is >= 203 and < 300;
            Assert.Equal(
                has ? ($"id-{parcel.Number}", "golden", "c", "nobody") : default,
                (seen.MessageId, seen.Label, seen.CorrelationId, seen.ReplyTo));
            Assert.Equal(has ? $"{parcel.Number}" : null, seen.Headers.TryGetValue("number", out string? number) ? number : null);
            count += has ? 1 : 0;
        }
        Assert.Equal(97, count);
        Assert.True(queue.DeleteSubscription("properties"));
    }

    // Over the end of the segment that the old code has written last, and of some more.
    private static void GoOn(MappedQueue<Parcel> queue, params Subscription<Parcel>[] subscriptions)
    {
        for (int number = 5000; number < 5300; number++)
        {
            queue.Enqueue(new Parcel().Fill(2, number, 900));
        }
        Assert.All(subscriptions, static subscription => Assert.Equal(Numbers(5000, 5300), Take(subscription)));
        Assert.Equal(0, queue.GetStatus().MessageCount);
    }

    private static long[] Take(Subscription<Parcel> subscription)
    {
        List<long> numbers = [];
        Parcel? parcel = null;
        while (subscription.TryDequeue(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            numbers.Add(parcel.Number);
        }
        return [.. numbers];
    }

    private static List<(long, string)> Letters(Subscription<Parcel> subscription)
    {
        List<(long, string)> letters = [];
        DeadLetter<Parcel>? letter = null;
        while (subscription.DeadLetters.TryTake(ref letter))
        {
            letters.Add((letter!.Message.Number, letter.Reason));
        }
        return letters;
    }

    private static long[] Numbers(int from, int to) => [.. Enumerable.Range(from, to - from).Select(static number => (long)number)];

    private static string Archived() => Environment.GetEnvironmentVariable(Elsewhere) is { Length: > 0 } elsewhere ? elsewhere : Here();

    private static string Here([CallerFilePath] string self = "") => Path.GetDirectoryName(self)!;

    /// <summary>What an archive holds, in a directory of its own.</summary>
    private sealed class Copy : IDisposable
    {
        private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("blitqueue-golden-");

        public Copy(string archive, bool isThisBoot)
        {
            using (var stream = new GZipStream(File.OpenRead(Path.Combine(Archived(), archive)), CompressionMode.Decompress))
            {
                TarFile.ExtractToDirectory(stream, _root.FullName, overwriteFiles: false);
            }
            byte[] boot = Encoding.ASCII.GetBytes(isThisBoot ? CurrentPlatform.Instance.BootId : OtherBoot);
            foreach (string path in Directory.GetFiles(_root.FullName, "*", SearchOption.AllDirectories)
                .Where(static path => Path.GetFileName(path) is StoreFormat.ControlName or TransactionFormat.FileName))
            {
                using FileStream file = File.OpenWrite(path);
                file.Position = ControlFormat.BootOffset;
                file.Write(boot);
                if (isThisBoot)
                {
                    // Nor copied: a copy is recovered, as what another boot left is.
                    file.Position = ControlFormat.IdentityOffset;
                    file.Write(CurrentPlatform.Instance.IdentityOf(path));
                }
            }
        }

        public string Of(string name) => Path.Combine(_root.FullName, name);

        public void Dispose() => _root.Delete(recursive: true);
    }
}
