using System.ComponentModel;

namespace BlitQueue.Generated;

/// <summary>For generated code: finds the packer for what a message's type parameter stands for.</summary>
/// <typeparam name="T">The type argument.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class TypeArgument<T>
{
    // Written with an equal packer by the thread that comes first: no lock is needed. Not found is not
    // kept: an assembly may be loaded later.
    private static ArgumentPacker<T>? _packer;
    private static ArgumentPacker<T>? _utf16Packer;

    /// <summary>Packs strings as UTF-8.</summary>
    /// <exception cref="NotSupportedException">No generated code says how the type is packed.</exception>
    public static ArgumentPacker<T> Packer => _packer ??= TypeArguments.Find<T>(StringEncoding.Utf8);

    /// <summary>Packs strings as UTF-16, for messages with <see cref="StringEncoding.Utf16"/>.</summary>
    /// <exception cref="NotSupportedException">No generated code says how the type is packed.</exception>
    public static ArgumentPacker<T> Utf16Packer => _utf16Packer ??= TypeArguments.Find<T>(StringEncoding.Utf16);
}
