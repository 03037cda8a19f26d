using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Bench.Operations;

/// <summary>
/// Messages about as long as messages may be, and what the same bytes cost without a queue; then the memory of the process, once idle.
/// </summary>
internal sealed class LargeMessages(string name, Role role, Errand errand) : Scenario(name, role)
{
    /// <summary>Bytes of a message: 1000 MiB. The longest is 1 GiB.</summary>
    public const int Length = 1000 << 20;

    /// <summary>Bytes that an idle process may have.</summary>
    public const long Idle = 300_000_000;

    private const int Rounds = 5;
    private static readonly TimeSpan LongestIdle = TimeSpan.FromSeconds(60), BetweenLooks = TimeSpan.FromSeconds(1);

    public override Sample Measure(TimeSpan duration, string root)
    {
        using var process = new OtherProcess(errand, root);
        process.Go();
        long[] figures = process.Await() ?? throw new InvalidDataException("A large message was refused.");
        return new Sample(1, Ns: null) { FirstTime = figures[0], Time = figures[1], Resident = figures[2], Anonymous = figures[3] };
    }

    /// <summary>In the other process.</summary>
    /// <returns>Nanoseconds of the first time, and of the median of those that follow; memory, and memory without mapped files.</returns>
    public static Done Do(Errand errand, string root)
    {
        string path = Path.Combine(root, "large");
        MappedQueue<ByteMessage>? queue = errand == Errand.DeliverLarge ? MappedQueue<ByteMessage>.Open(path) : null;
        List<double> times = queue is not null ? Deliver(queue) : errand == Errand.CopyLarge ? Copy() : WriteAndRead(path);
        (long resident, long anonymous) = AwaitIdle();
        return new Done([(long)times[0], (long)Statistics.Median(times.Skip(1)), resident, anonymous], queue);
    }

    // What these have used is nobody's any more when they return.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<double> Deliver(MappedQueue<ByteMessage> queue)
    {
        var sent = ByteMessage.Create(Length);
        ByteMessage? received = null;
        return Repeat(number =>
        {
            ByteMessage.Stamp(sent, number);
            queue.Enqueue(in sent);
            if (!queue.TryDequeue(ref received))
            {
                throw new InvalidDataException("A large message is not there.");
            }
            Numbers.Expect(ByteMessage.Check(received!), number);
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<double> Copy()
    {
        byte[] sent = ByteMessage.Create(Length).Payload!, between = new byte[Length], received = new byte[Length];
        return Repeat(number =>
        {
            Pattern.Stamp(sent, number);
            sent.CopyTo(between, 0);
            between.CopyTo(received, 0);
            Numbers.Expect(Pattern.Check(received), number);
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<double> WriteAndRead(string path)
    {
        byte[] sent = ByteMessage.Create(Length).Payload!, received = new byte[Length];
        return Repeat(number =>
        {
            Pattern.Stamp(sent, number);
            using SafeFileHandle file = File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite, options: FileOptions.DeleteOnClose);
            RandomAccess.Write(file, sent, 0);
            for (int offset = 0; offset < Length;)
            {
                offset += RandomAccess.Read(file, received.AsSpan(offset), offset);
            }
            Numbers.Expect(Pattern.Check(received), number);
        });
    }

    private static List<double> Repeat(Action<int> pass)
    {
        var times = new List<double>();
        for (int number = 0; number <= Rounds; number++)
        {
            long started = Stopwatch.GetTimestamp();
            pass(number);
            times.Add(Stopwatch.GetElapsedTime(started).TotalNanoseconds);
        }
        return times;
    }

    // The messages' own arrays are the caller's to let go.
    private static (long Resident, long Anonymous) AwaitIdle()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < LongestIdle && Memory("VmRSS") > Idle)
        {
            Thread.Sleep(BetweenLooks);
        }
        return (Memory("VmRSS"), Memory("RssAnon"));
    }

    private static long Memory(string word)
    {
        string line = File.ReadLines("/proc/self/status").First(line => line.StartsWith(word, StringComparison.Ordinal));
        return 1024 * long.Parse(line.AsSpan(line.IndexOf(':') + 1).Trim()[..^3], CultureInfo.InvariantCulture);
    }
}
