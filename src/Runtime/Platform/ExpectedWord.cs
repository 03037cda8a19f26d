namespace BlitQueue.Platform;

/// <summary>A 32-bit word in shared memory, and the value with which a sleep on it may begin.</summary>
/// <param name="Address">Where the word is.</param>
/// <param name="Value">The value.</param>
/// <param name="IsOwn">Whether the word is this process's own, and stays readable during the call.</param>
internal readonly record struct ExpectedWord(nint Address, int Value, bool IsOwn = false);
