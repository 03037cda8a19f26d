namespace BlitQueue.Shapes;

/// <summary>A struct that a constructor fills.</summary>
[QueueMessage]
public readonly partial record struct Tick(int A, decimal? Price, string? Symbol);
