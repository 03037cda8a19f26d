using BlitQueue.Reliability.Native;

namespace BlitQueue.Reliability.Faults;

/// <summary>Which call fails, how, and whether every later one of its kind does too.</summary>
internal sealed record FaultPlan(Call Call, int Error, bool ForGood)
{
    private const int Io = 5, TooManyFiles = 24, NoSpace = 28, NoMemory = 12, Interrupted = 4, NoLocks = 37, Invalid = 22, NoAccess = 13,
        NotPermitted = 1, NotSupported = 95;

    /// <summary>
    /// What a system may answer. Interruptions and calls that end early for no reason pass by; everything else comes once and for good.
    /// </summary>
    public static IReadOnlyList<FaultPlan> All { get; } =
    [
        .. Both(Call.Open, TooManyFiles), .. Both(Call.Open, Io), .. Both(Call.Open, NoSpace), .. Both(Call.Open, NoAccess),
        .. Both(Call.MakeDirectory, NoSpace), .. Both(Call.MakeDirectory, Io),
        .. Both(Call.Rename, Io), .. Both(Call.Rename, NoSpace),
        .. Both(Call.Unlink, Io),
        .. Both(Call.Allocate, NoSpace), .. Both(Call.Allocate, Io), Once(Call.Allocate, Interrupted),
        .. Both(Call.Write, NoSpace), .. Both(Call.Write, Io), Once(Call.Write, Interrupted),
        .. Both(Call.Read, Io), Once(Call.Read, Interrupted),
        .. Both(Call.Map, NoMemory), .. Both(Call.Map, TooManyFiles),
        .. Both(Call.SyncMemory, Io), .. Both(Call.SyncMemory, NoSpace),
        .. Both(Call.Sync, Io), .. Both(Call.Sync, NoSpace), Once(Call.Sync, Interrupted),
        .. Both(Call.Lock, NoLocks), Once(Call.Lock, Interrupted),
        .. Both(Call.Advise, Invalid), .. Both(Call.Advise, NoMemory),
        .. Both(Call.Status, NoMemory), .. Both(Call.Status, Io), .. Both(Call.Status, NoAccess),
        .. Both(Call.Control, NotSupported), .. Both(Call.Control, NoMemory),
        .. Both(Call.Rights, NotPermitted), .. Both(Call.Owner, NotPermitted),
        .. Both(Call.Times, NotPermitted), .. Both(Call.Times, Io),
        .. Both(Call.Protect, NoMemory),
        Once(Call.Futex, Interrupted), .. Both(Call.Futex, NoMemory),
    ];

    public bool IsInterruption => Error == Interrupted;

    /// <summary>Each kind of call once and for good, with one of its errors, and interrupted: what fits into seconds.</summary>
    public static IReadOnlyList<FaultPlan> Some(Random random) =>
        [.. All.GroupBy(static plan => (plan.Call, plan.ForGood, plan.IsInterruption))
            .Select(plans => plans.ElementAt(random.Next(plans.Count())))];

    public override string ToString() => $"{Call} errno {Error}{(ForGood ? " for good" : "")}";

    private static FaultPlan Once(Call call, int error) => new(call, error, ForGood: false);

    private static FaultPlan[] Both(Call call, int error) => [Once(call, error), new(call, error, ForGood: true)];
}
