using System.Diagnostics;
using System.Globalization;
using BlitQueue.Bench.Measuring;

namespace BlitQueue.Reliability;

/// <summary>One run of one campaign: how far it is to go, and what it has found. May be used by several threads.</summary>
internal sealed class CampaignRun(ICampaign campaign, bool isLong, int seed, TimeSpan budget, long? onlyPart = null)
{
    // A fault that hits everything need not be shown a million times.
    private const int MostViolations = 20;

    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private readonly Lock _sync = new();
    private readonly SortedDictionary<string, long> _counters = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, LatencyHistogram> _durations = new(StringComparer.Ordinal);
    private readonly List<string> _violations = [];
    private readonly List<string> _log = [];

    public ICampaign Campaign => campaign;

    public bool IsLong => isLong;

    public int Seed => seed;

    /// <summary>The seed as command lines say it.</summary>
    public string SeedText { get; } = seed.ToString(CultureInfo.InvariantCulture);

    public TimeSpan Elapsed => _clock.Elapsed;

    /// <summary>Each aim is reached, the time is used up, or so much was found that looking on is of no use.</summary>
    public bool IsEnough => TimeIsUp || campaign.Aims.All(Reached) || Violations.Count >= MostViolations;

    /// <summary>Not all of it could be run here.</summary>
    public bool IsHindered { get; private set; }

    public bool TimeIsUp => _clock.Elapsed > budget;

    /// <summary>How far the run is, in a line.</summary>
    public string Progress =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"  {campaign.Name}: {Count(campaign.Aims[0].Counter, 0):N0} of {Target(campaign.Aims[0]):N0} {campaign.Aims[0].Counter}, "
                + $"{Elapsed.TotalMinutes:F0} minutes");

    public IReadOnlyList<KeyValuePair<string, long>> Counters
    {
        get
        {
            lock (_sync)
            {
                return [.. _counters];
            }
        }
    }

    /// <summary>How long calls took: figures, not judged.</summary>
    public IReadOnlyList<KeyValuePair<string, LatencyHistogram>> Durations
    {
        get
        {
            lock (_sync)
            {
                return [.. _durations];
            }
        }
    }

    public IReadOnlyList<string> Violations
    {
        get
        {
            lock (_sync)
            {
                return [.. _violations];
            }
        }
    }

    /// <summary>What happened, a line each, with the time since the beginning.</summary>
    public IReadOnlyList<string> Log
    {
        get
        {
            lock (_sync)
            {
                return [.. _log];
            }
        }
    }

    /// <summary>The numbers of parts, from 1, until it is enough; or the one that is to be repeated.</summary>
    private IEnumerable<long> Parts
    {
        get
        {
            for (long part = onlyPart ?? 1; part == onlyPart || (onlyPart is null && !IsEnough); part++)
            {
                yield return part;
            }
        }
    }

    /// <summary>Tries the parts. Whatever goes wrong in one of them is a violation, and the others are tried all the same.</summary>
    public void TryParts(Action<long> attempt)
    {
        foreach (long part in Parts)
        {
            try
            {
                attempt(part);
            }
            catch (Exception exception)
            {
                Violate($"--part {part}: {exception}");
            }
        }
    }

    /// <summary>A generator of its own for each part of the run, so that one part can be repeated alone.</summary>
    public Random RandomOf(long part) => new(HashCode(seed, part));

    /// <summary>How many of a counter this form is to reach.</summary>
    public long Target(Aim aim) => isLong ? aim.Long : aim.Short;

    public bool Reached(Aim aim) => Count(aim.Counter, 0) >= Target(aim);

    /// <summary>Adds to a counter.</summary>
    /// <returns>What it is then.</returns>
    public long Count(string counter, long by = 1)
    {
        lock (_sync)
        {
            return _counters[counter] = _counters.GetValueOrDefault(counter) + by;
        }
    }

    /// <summary>Keeps the highest value seen, for example of a latency; the counter's name says the unit.</summary>
    public void Highest(string counter, long value)
    {
        lock (_sync)
        {
            _counters[counter] = Math.Max(_counters.GetValueOrDefault(counter), value);
        }
    }

    /// <summary>Takes in how long calls took.</summary>
    public void Measure(string calls, LatencyHistogram durations)
    {
        lock (_sync)
        {
            _durations.TryAdd(calls, new LatencyHistogram());
            _durations[calls].Add(durations);
        }
    }

    /// <summary>Adds a line to the log of the run, for campaigns whose runs have a story.</summary>
    public void Note(string what)
    {
        lock (_sync)
        {
            _log.Add(string.Create(CultureInfo.InvariantCulture, $"{_clock.Elapsed:hh\\:mm\\:ss}  {what}"));
        }
    }

    /// <summary>The campaign, or a part of it, cannot be run on this machine, or by this user.</summary>
    /// <param name="why">What hinders it, and of what.</param>
    public void Hinder(string why)
    {
        Console.WriteLine($"  {campaign.Name}: NOT RUN: {why}.");
        IsHindered = true;
    }

    /// <summary>Something that must hold did not.</summary>
    /// <param name="what">What was expected and what was seen, and the part of the run, so that it can be repeated.</param>
    public void Violate(string what)
    {
        Console.WriteLine($"  VIOLATION {campaign.Name}, seed {seed}: {what}");
        lock (_sync)
        {
            _violations.Add(what);
        }
    }

    // Not System.HashCode, which differs from process to process.
    private static int HashCode(int seed, long part)
    {
        ulong mixed = ((ulong)(uint)seed << 32) ^ ((ulong)part * 0x9E3779B97F4A7C15UL);
        mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9UL;
        return (int)((mixed ^ (mixed >> 32)) & 0x7FFFFFFF);
    }
}
