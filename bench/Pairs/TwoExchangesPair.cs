using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Pairs;

/// <summary>Two compare-exchanges on lines of their own: what appending under a turn and consuming among others ask for at least.</summary>
internal struct TwoExchangesPair() : IPair
{
    private const int Apart = 16;

    private readonly long[] _words = new long[3 * Apart];

    public readonly long Pass(long number)
    {
        Interlocked.CompareExchange(ref _words[Apart], number + 1, number);
        Interlocked.CompareExchange(ref _words[2 * Apart], number + 1, number);
        return _words[2 * Apart] - 1;
    }

    public readonly void Dispose()
    {
    }
}
