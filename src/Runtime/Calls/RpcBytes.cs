using System.Buffers;

namespace BlitQueue.Calls;

/// <summary>Where messages of calls are packed.</summary>
internal static class RpcBytes
{
    /// <summary>
    /// A destination that gets no bytes: what was packed is taken out of the writer, which so packs messages of any length.
    /// </summary>
    public static readonly ArrayBufferWriter<byte> Nowhere = new();
}
