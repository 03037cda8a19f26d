using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>Reads the answer of a call that is over, and ends the call.</summary>
internal static class RpcAnswer
{
    /// <summary>The reply, into an instance.</summary>
    /// <exception cref="QueueException">There is none.</exception>
    /// <exception cref="OperationCanceledException">The call was cancelled.</exception>
    public static void Read<TReply>(RpcClientCall call, [NotNull] ref TReply? reply)
        where TReply : IPackable<TReply>
    {
        Read(call, ref reply, isOneWay: false);
        Debug.Assert(reply is not null, "Unpack has refused null.");
    }

    /// <summary>That a one-way request was taken.</summary>
    /// <inheritdoc cref="Read{TReply}(RpcClientCall, ref TReply)" path="/exception"/>
    public static void ReadNothing(RpcClientCall call)
    {
        RpcNothing nothing = default;
        Read(call, ref nothing, isOneWay: true);
    }

    private static void Read<TReply>(RpcClientCall call, ref TReply? reply, bool isOneWay)
        where TReply : IPackable<TReply>
    {
        bool isMine = false;
        Exception? failure = null;
        try
        {
            using CallGate.Call inside = call.Client.Gate.Enter();
            call.BeginReading();
            isMine = true;
            ReadOnlySpan<byte> packed = Require(call);
            if (!isOneWay)
            {
                Unpack(call.Client.Path, packed, ref reply);
            }
        }
        catch (Exception exception)
        {
            failure = exception;
            throw;
        }
        finally
        {
            if (isMine)
            {
                End(call, failure);
            }
            else if (failure is ObjectDisposedException)
            {
                Break(call, failure);
            }
        }
    }

    /// <summary>From now on the caller alone reads the call's answer, and ends the call.</summary>
    /// <exception cref="InvalidOperationException">It was read already, or is not over.</exception>
    /// <exception cref="ObjectDisposedException">The client is disposed; the call has ended by this.</exception>
    public static void BeginReading(RpcClientCall call)
    {
        try
        {
            using CallGate.Call inside = call.Client.Gate.Enter();
            call.BeginReading();
        }
        catch (ObjectDisposedException disposed)
        {
            Break(call, disposed);
            throw;
        }
    }

    /// <summary>Ends a call of which nothing more is read, unless another caller reads it.</summary>
    public static void Break(RpcClientCall call, Exception? failure)
    {
        if (call.TryBeginEnd())
        {
            End(call, failure);
        }
    }

    /// <summary>The packed reply of a call that is over. The caller is inside of the gate.</summary>
    /// <inheritdoc cref="Read{TReply}(RpcClientCall, ref TReply)" path="/exception"/>
    public static ReadOnlySpan<byte> Require(RpcClientCall call)
    {
        if (call.Failure is { } failure)
        {
            throw failure;
        }
        ReadOnlySpan<byte> packed = call.Reply;
        call.Client.NoteReply(packed.Length);
        return packed;
    }

    /// <exception cref="QueueCorruptException">The bytes are no reply.</exception>
    public static void Unpack<TReply>(string path, ReadOnlySpan<byte> packed, [NotNull] ref TReply? reply)
        where TReply : IPackable<TReply>
    {
        try
        {
            Packer.Unpack(packed, ref reply);
        }
        catch (PackException exception)
        {
            throw new QueueCorruptException(path, 0, "the server's reply cannot be unpacked.", exception);
        }
        if (reply is null)
        {
            throw new QueueCorruptException(path, 0, "the server's reply is null.");
        }
    }

    /// <summary>Counts the call, and gives its cell back, unless the watch has done so.</summary>
    public static void End(RpcClientCall call, Exception? failure)
    {
        // In front of what listeners do.
        call.Client.End(call, EndOf(failure));
        Tell(call, failure);
    }

    /// <summary>Tells listeners of the call's end, once.</summary>
    public static void Tell(RpcClientCall call, Exception? failure)
    {
        // Without a listener a call's end takes no lock for it.
        if ((!QueueMeter.TimesCalls && call.Span.Activity is null) || !call.TryBeginTelling())
        {
            return;
        }
        if (QueueMeter.TimesCalls)
        {
            QueueMeter.NoteCall(call.Client.Path, isClient: true, Stopwatch.GetElapsedTime(call.Began), failure);
        }
        if (failure is not null)
        {
            QueueTracing.Fail(call.Span, failure);
        }
        // It never was the current one of who ends the call.
        Activity? current = Activity.Current;
        call.Span.Dispose();
        Activity.Current = current;
    }

    /// <summary>How a call with this exception, or with a reply, is counted.</summary>
    public static RpcEnd EndOf(Exception? failure) => failure switch
    {
        null => RpcEnd.Answered,
        RpcFaultException => RpcEnd.Faulted,
        RpcTimeoutException => RpcEnd.TimedOut,
        PeerLostException => RpcEnd.PeerLost,
        OperationCanceledException or ObjectDisposedException => RpcEnd.Cancelled,
        _ => RpcEnd.Failed,
    };
}
