namespace BlitQueue.Platform;

/// <summary>A 32-bit word in shared memory, and the value with which a sleep on it may begin.</summary>
internal readonly record struct ExpectedWord(nint Address, int Value);
