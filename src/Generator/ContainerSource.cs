namespace BlitQueue.Generator;

/// <summary>What a collection is read as, before it is what it is.</summary>
internal enum ContainerSource
{
    None,
    Array,
    List,
    Set,

    /// <summary>Of dictionaries.</summary>
    Dictionary,
}
