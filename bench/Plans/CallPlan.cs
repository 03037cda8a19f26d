using BlitQueue.Bench.Calling;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Pairs;
using static BlitQueue.Bench.Plans.Plan;

namespace BlitQueue.Bench.Plans;

/// <summary>Calls of a server in another process.</summary>
internal static class CallPlan
{
    private const int Small = 8, Medium = 1024, Large = 512 << 10, Company = 64;

    public static IEnumerable<ScenarioGroup> Groups() =>
    [
        new(Titles.CallsSpinning,
        [
            new CallScenario(Titles.OneKilobyte, isSpinning: true, Medium),
            new CallScenario("8 bytes", isSpinning: true, Small),
            new CallScenario(Titles.Company, isSpinning: true, Small, Company),
            Pair("Span.CopyTo, 1024 bytes", Role.Rival, static _ => new CopyPair(Medium)),
            .. RivalRows.Calls(),
            .. Native(Titles.NativeLine, "line"),
        ]),
        new(Titles.CallsSleeping,
        [
            new CallScenario(Titles.OneKilobyte, isSpinning: false, Medium),
            .. Native("futex there and back on two processors, in C", "futex-pinned", role: Role.Rival),
            .. Native(Titles.NativeFutex, "futex"),
        ]),
        new(Titles.CallsLong,
        [
            new CallScenario(Titles.LongRequest, isSpinning: true, Large),
            new CallScenario(Titles.LongRequest + ", 64 calls in flight", isSpinning: true, Large, Company),
            Pair(Titles.CopyLong, Role.Floor, static _ => new CopyPair(Large)),
        ]),
    ];
}
