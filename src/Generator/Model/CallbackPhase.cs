namespace BlitQueue.Generator.Model;

/// <summary>When a callback runs.</summary>
internal enum CallbackPhase
{
    Packing,
    Packed,
    Unpacking,
    Unpacked,
}
