using System.Buffers;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    // False when the message was another consumer's before it was read: then its bytes may be anything. And when its time was over.
    private bool TryUnpack(in FoundRecord found, ref T? message, MessageProperties? properties = null)
    {
        try
        {
            if (found.IsSplit)
            {
                if (IsExpired(found))
                {
                    EndExpired(found);
                    return false;
                }
                UnpackSplit(found, ref message, properties);
            }
            else
            {
                UnpackPlain(found, ref message);
            }
            FailPoint.Reach(ProtocolStep.DequeueUnpacked);
            return true;
        }
        catch (Exception exception) when (exception is PackException or QueueCorruptException)
        {
            return _cursor.IsStillNext(found) ? throw Corrupt(found, exception) : false;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Unpack(in FoundRecord found, ref T? message, MessageProperties? properties = null)
    {
        if (found.IsSplit)
        {
            UnpackSplit(found, ref message, properties);
            return;
        }
        UnpackPlain(found, ref message);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void UnpackPlain(in FoundRecord found, ref T? message)
    {
        var reader = new PackReader(_cursor.Reader.Payload(found));
        T.Unpack(ref reader, ref message);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnpackSplit(in FoundRecord found, ref T? message, MessageProperties? properties)
    {
        if (found.HasProperties && properties is not null)
        {
            FillProperties(found, properties);
        }
        if (!found.IsInPieces)
        {
            var single = new PackReader(_cursor.Reader.Behind(found));
            T.Unpack(ref single, ref message);
            return;
        }
        byte[] joined = ArrayPool<byte>.Shared.Rent((int)found.Length);
        try
        {
            var reader = new PackReader(_cursor.Reader.Join(found, joined));
            T.Unpack(ref reader, ref message);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(joined);
        }
    }

    private QueueCorruptException Corrupt(in FoundRecord found, Exception cause)
    {
        if (cause is QueueCorruptException corrupt)
        {
            return corrupt;
        }
        PackException located = Locate(found, (PackException)cause);
        return _cursor.Reader.Damaged(found.Position, $"the message cannot be unpacked: {located.Message.TrimEnd('.')}", located);
    }

    // A split message is not put together again only to name the member.
    private PackException Locate(in FoundRecord found, PackException cause) =>
        found.IsInPieces ? cause : cause.Locate(T.Schema, _cursor.Reader.Behind(found));

    // null where it is whole. What the message's own code throws says nothing about its bytes.
    private QueueCorruptException? DamageOf(in FoundRecord found)
    {
        try
        {
            T? message = default;
            Unpack(found, ref message);
        }
        catch (Exception exception) when (exception is PackException or QueueCorruptException)
        {
            return Corrupt(found, exception);
        }
        catch
        {
        }
        return null;
    }
}
