namespace BlitQueue.Generated;

/// <summary>For generated code: finds the packer of a message's type argument.</summary>
/// <typeparam name="T">The type argument.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TypeArgument<T>
{
    // Any thread may write it; all packers are equal, so no lock is needed. That a packer was not found is not stored, because an assembly
    // may be loaded later.
    private static ArgumentPacker<T>? _packer;
    private static ArgumentPacker<T>? _utf16Packer;

    /// <summary>Packs strings as UTF-8.</summary>
    /// <exception cref="NotSupportedException">No generated code says how the type is packed.</exception>
    public static ArgumentPacker<T> Packer => _packer ??= TypeArguments.Find<T>(StringEncoding.Utf8);

    /// <summary>Packs strings as UTF-16, for messages with <see cref="StringEncoding.Utf16"/>.</summary>
    /// <exception cref="NotSupportedException">No generated code says how the type is packed.</exception>
    public static ArgumentPacker<T> Utf16Packer => _utf16Packer ??= TypeArguments.Find<T>(StringEncoding.Utf16);
}
