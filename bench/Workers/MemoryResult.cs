namespace BlitQueue.Bench.Peers;

/// <summary>How much memory a process has.</summary>
/// <param name="Resident">Bytes of it, mapped files included.</param>
internal sealed record WeighResult(long Resident);
