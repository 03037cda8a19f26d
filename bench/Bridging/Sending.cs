namespace BlitQueue.Bench.Bridging;

/// <summary>What it took to send messages.</summary>
/// <param name="Rate">Messages a second.</param>
/// <param name="Processor">Microseconds that this process's threads had a processor, for each message.</param>
internal readonly record struct Sending(double Rate, double Processor);
