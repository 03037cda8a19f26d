namespace BlitQueue.Tests.Queue;

/// <summary>More than a <see cref="Tick"/>, and not packed as one.</summary>
internal sealed class DerivedTick : Tick;
