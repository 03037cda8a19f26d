using BlitQueue.Log;

namespace BlitQueue.Reliability.Corruption;

/// <summary>One store, damaged once or a few times, read, and judged.</summary>
internal sealed class Trial(CampaignRun run, Golden golden, string directory, long part, Random random)
{
    // More than a store has bytes many times over, and less than a length that leads astray would take.
    private const long MostAllocated = 256L << 20;

    private readonly List<Damage> _damages = [];
    private bool _restart, _durable;

    public void Run()
    {
        _restart = random.Next(3) == 0;
        _durable = random.Next(2) == 0;
        int count = random.Next(4) == 0 ? random.Next(2, 5) : 1, seed = random.Next();
        Make(count, seed);
        long before = GC.GetTotalAllocatedBytes();
        Reading reading = golden.Read(directory);
        Judge(reading, GC.GetTotalAllocatedBytes() - before);
        Clean();
        if (reading.Faults.Count > 0)
        {
            Make(count, seed);
            new RepairTrial(run, golden, directory, _restart && !_durable, Violate).Run();
            Clean();
        }
    }

    // The same each time.
    private void Make(int count, int seed)
    {
        _damages.Clear();
        golden.Files.Write(directory);
        if (_restart)
        {
            Golden.PretendRestart(directory, _durable);
        }
        var damaging = new Random(seed);
        for (int i = 0; i < count; i++)
        {
            var damage = new Damage(golden, directory, damaging);
            damage.Do();
            _damages.Add(damage);
        }
    }

    private void Judge(Reading reading, long allocated)
    {
        run.Highest("most bytes allocated", allocated);
        if (allocated > MostAllocated)
        {
            Violate($"{allocated} bytes were allocated");
        }
        foreach (string wrong in reading.Wrong)
        {
            Violate($"an exception that is none of the queue's: {wrong}");
        }
        foreach ((string step, QueueException exception) in reading.Faults)
        {
            JudgeException(step, exception);
        }
        Reading undamaged = golden.Undamaged[_restart ? 1 : 0];
        JudgeKeys("the log", reading.Log, undamaged.Log, isLog: true);
        foreach ((string name, List<long> keys) in reading.Delivered)
        {
            JudgeKeys(name, keys, undamaged.Delivered[name], isLog: false);
        }
        if (reading.Faults.Count > 0 || reading.Wrong.Count > 0)
        {
            run.Count("told by an exception");
            return;
        }
        JudgeCompleteness(reading, undamaged);
    }

    private void JudgeException(string step, QueueException exception)
    {
        if (exception is QueueCorruptException corrupt)
        {
            if (!corrupt.Path.StartsWith(directory, StringComparison.Ordinal) || corrupt.Offset < 0)
            {
                Violate($"{step}: the exception names no file of the queue: {exception.Message}");
            }
        }
        else if (!exception.Message.Contains(directory, StringComparison.Ordinal))
        {
            Violate($"{step}: the exception does not say where: {exception}");
        }
    }

    private bool HitsSubscription
        => _damages.Any(static damage => damage.File.Contains(StoreFormat.SubscriptionPrefix, StringComparison.Ordinal)
        || damage.Text.Contains(StoreFormat.SubscriptionPrefix, StringComparison.Ordinal));

    private void JudgeKeys(string where, List<long> keys, List<long> expected, bool isLog)
    {
        var known = expected.ToHashSet();
        known.UnionWith(golden.Undamaged[0].Log);
        var seen = new HashSet<long>();
        for (int i = 0; i < keys.Count; i++)
        {
            bool isAppended = keys[i] is >= Golden<Evidence>.FirstAppended and < Golden<Evidence>.FirstAppended + 10;
            if (!isAppended && !known.Contains(keys[i]))
            {
                if (golden.HasChecksum)
                {
                    Violate($"{where}: a wrong message came out, number {i} with key {keys[i]}");
                    return;
                }
                run.Count("changed payloads where there are no checksums");
            }
            else if (!seen.Add(keys[i]))
            {
                // An older position, or an older lease, is one that a subscription has had: what was consumed since comes again.
                if (!isLog && HitsSubscription)
                {
                    run.Count("messages that came again by an older position");
                    continue;
                }
                if (MayStandInForAnother(keys[i]))
                {
                    run.Count("payloads of others where there are no checksums");
                    continue;
                }
                Violate($"{where}: message {keys[i]} came twice");
                return;
            }
            else if (isLog && golden.HasChecksum && keys[i] != expected[i] && !isAppended && !MayEndEarlier)
            {
                Violate($"{where}: message {keys[i]} came where {expected[i]} is");
                return;
            }
        }
    }

    // Without checksums a header says nothing of what is behind it: where both payloads begin with a
    // page, one page may take the other's place.
    private bool MayStandInForAnother(long key)
        => !golden.HasChecksum && _damages.Any(static damage => damage.Text.Contains(" is page ", StringComparison.Ordinal))
        && golden.Records.Exists(record => record.Key == key && (record.Offset + RecordFormat.HeaderSize) % SegmentFormat.PageSize == 0);

    // The end of a log after a power loss: what was not known to be on the disk may be missing from some record on. And a segment that is
    // gone is taken for one that all subscriptions had passed.
    private bool MayEndEarlier
        => (_restart || IsControlLost)
        && _damages.Any(static damage => damage.Text.Contains(StoreFormat.SegmentPrefix, StringComparison.Ordinal))
        && (!_durable || IsControlLost
            || _damages.Any(
                static damage
                    => damage.Text.Contains("deleted", StringComparison.Ordinal)
                    || damage.File.Contains("dead-", StringComparison.Ordinal)));

    // It is rebuilt as after a restart.
    private bool IsControlLost
        => _damages.Any(static damage => damage.Text.Contains($"{StoreFormat.ControlName}: ", StringComparison.Ordinal));

    // Nothing was said, so nothing may be missing.
    private void JudgeCompleteness(Reading reading, Reading undamaged)
    {
        if (MayEndEarlier)
        {
            run.Count("logs that may end earlier after a restart");
        }
        else if (reading.Log.Count < undamaged.Log.Count)
        {
            Missing("the log", reading.Log.Count, undamaged.Log.Count);
        }
        else if (!reading.AppendIsRead)
        {
            Violate("what was appended did not come out, and nothing was said");
        }
        else if (reading.Delivered.Any(delivered => !delivered.Value.ToHashSet().SetEquals(undamaged.Delivered[delivered.Key])))
        {
            run.Count("positions or leases changed unnoticed");
            // A position is a number: another one that a message begins at cannot be told from it.
            if (golden.HasChecksum && !HitsSubscription)
            {
                string text = string.Join("; ", reading.Delivered.Select(delivered =>
                    $"{delivered.Key} {delivered.Value.Count} of {undamaged.Delivered[delivered.Key].Count}"));
                Violate($"messages were not delivered, and nothing was said: {text}");
            }
        }
        else
        {
            run.Count("right data");
        }
    }

    private void Missing(string where, int count, int expected)
    {
        Violate($"{where} ends after {count} of {expected} messages, and nothing was said");
    }

    private void Violate(string what) => run.Violate(
        $"trial {part}, store '{golden.Name}'{(_restart ? _durable ? " after a restart, durable" : " after a restart" : "")}, "
            + $"{string.Join("; ", _damages.Select(static damage => damage.Text))}: {what}");

    private void Clean()
    {
        Directory.Delete(directory, recursive: true);
        foreach (string aside in Directory.EnumerateFileSystemEntries(Path.GetDirectoryName(directory)!, $"aside-{part}-*"))
        {
            System.IO.File.Delete(aside);
        }
    }
}
