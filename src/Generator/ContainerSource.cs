namespace BlitQueue.Generator;

/// <summary>The collection that the bytes are read into first, from which the member's own collection is then made.</summary>
internal enum ContainerSource
{
    None,
    Array,
    List,
    Set,

    /// <summary>For dictionaries.</summary>
    Dictionary,
}
