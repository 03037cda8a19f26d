namespace BlitQueue.Tests.Packing.Samples;

/// <summary>An enum, which packs as the type under it.</summary>
public enum Day : ushort
{
    Monday = 1,
    Sunday = 7,
}
