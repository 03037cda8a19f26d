namespace BlitQueue.Generator.Emit;

/// <summary>The runtime's names as generated code writes them.</summary>
internal static class Names
{
    public const string IPackable = "global::BlitQueue.IPackable";
    public const string IPacker = "global::BlitQueue.IPacker";
    public const string Writer = "global::BlitQueue.PackWriter";
    public const string Reader = "global::BlitQueue.PackReader";
    public const string BlockReader = "global::BlitQueue.Generated.FixedBlockReader";
    public const string PackException = "global::BlitQueue.PackException";
    public const string Schema = "global::BlitQueue.MessageSchema";
    public const string MemberSchema = "global::BlitQueue.MemberSchema";
    public const string TypeArgument = "global::BlitQueue.Generated.TypeArgument";
    public const string Utf16 = "global::BlitQueue.StringEncoding.Utf16";
    public const string Collections = "global::System.Runtime.InteropServices.CollectionsMarshal";
    public const string FixedMessage = "global::BlitQueue.Generated.FixedMessage";
    public const string UnsafeAccessor = "global::System.Runtime.CompilerServices.UnsafeAccessor";
    public const string ReadOnlySpan = "global::System.ReadOnlySpan";
    public const string Span = "global::System.Span";
    public const string NotSupported = "global::System.NotSupportedException";
}
