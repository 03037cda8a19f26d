namespace BlitQueue.Mutations;

/// <summary>Mutations in an order that a seed determines: a round for each message type, again and again.</summary>
/// <remarks>A mutation is known by seed and number alone, so a failure can be made again without those before it.</remarks>
public sealed class Campaign(int seed, System.Reflection.Assembly assembly)
{
    private const int RoundLength = 256;

    private readonly IReadOnlyList<Target> _targets = Target.All(assembly);
    private long _current = -1;

    /// <summary>The mutation under way.</summary>
    public long Current => Volatile.Read(ref _current);

    /// <summary>Runs mutations; throws at the first that breaks the oracle.</summary>
    /// <param name="first">The first one's number.</param>
    /// <param name="count">How many.</param>
    public void Run(long first, long count)
    {
        Round? round = null;
        for (long number = first; number < first + count; number++)
        {
            Volatile.Write(ref _current, number);
            if (round is null || round.Number != number / RoundLength)
            {
                round = new Round(this, number / RoundLength);
            }

            byte[] bytes = round.Mutate((int)(number % RoundLength));
            try
            {
                round.Target.Try(bytes, round.Other);
            }
            catch (Exception broken)
            {
                throw new InvalidOperationException(
                    $"Seed {seed}, mutation {number}, {round.Target.Type.Name}: {broken.GetType().Name}: {broken.Message}\n"
                    + $"{Convert.ToHexString(bytes)}\ninto\n{Convert.ToHexString(round.Other)}", broken);
            }
        }
    }

    /// <summary>What came out, type by type.</summary>
    public IEnumerable<string> Report()
        => _targets.Select(
            target => $"{target.Type.Name,-24} {target.Messages,10:N0} messages {target.Faults,10:N0} faults, at most "
                + $"{target.MostAllocated,10:N0} bytes allocated");

    /// <summary>How many were read as messages and how many were refused.</summary>
    public (long Messages, long Faults) Outcome => (_targets.Sum(target => target.Messages), _targets.Sum(target => target.Faults));

    // One type and two payloads of it. Half of its mutations are single changes in order, which later rounds go on with.
    private sealed class Round
    {
        private readonly int _seed;
        private readonly byte[] _payload;
        private readonly long _lap;

        public Round(Campaign campaign, long number)
        {
            Number = number;
            Target = campaign._targets[(int)(number % campaign._targets.Count)];
            _lap = number / campaign._targets.Count;
            _seed = HashCode(campaign.Seed, number);
            var values = new RandomValues(_seed);
            _payload = Target.Pack(values.MakeRoot(Target.Type));
            Other = Target.Pack(values.MakeRoot(Target.Type));
        }

        public long Number { get; }

        public Target Target { get; }

        public byte[] Other { get; }

        public byte[] Mutate(int index)
        {
            var random = new Random(HashCode(_seed, index));
            return index % 2 == 0
                ? Mutator.Systematic(
                    _payload, (int)(((_lap * RoundLength) + index + (uint)_seed) % Mutator.CountSystematic(_payload.Length)))
                : Mutator.Random(_payload, Other, random);
        }

        // Not System.HashCode, which is another in every process.
        private static int HashCode(int seed, long number)
        {
            ulong mixed = ((ulong)(uint)seed << 32 ^ (ulong)number) * 0x9E3779B97F4A7C15;
            mixed = (mixed ^ mixed >> 32) * 0xD6E8FEB86659FD93;
            return (int)(mixed ^ mixed >> 32);
        }
    }

    private int Seed => seed;
}
