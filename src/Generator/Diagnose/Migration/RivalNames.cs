namespace BlitQueue.Generator.Diagnose.Migration;

/// <summary>
/// The attributes that mark a type for another serializer, shared with the code fix. Matched by full name: neither is referenced.
/// </summary>
internal static class RivalNames
{
    public const string MemoryPackable = "MemoryPack.MemoryPackableAttribute";
    public const string MessagePackObject = "MessagePack.MessagePackObjectAttribute";

    /// <summary>MessagePack marks an interface or abstract class by its cases alone.</summary>
    public const string MessagePackUnion = "MessagePack.UnionAttribute";

    public static readonly string[] All = [MemoryPackable, MessagePackObject, MessagePackUnion];
}
