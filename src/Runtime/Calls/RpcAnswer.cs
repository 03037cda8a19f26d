using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
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
        RpcClientCore client = call.Client;
        using CallGate.Call inside = client.Gate.Enter();
        call.BeginReading();
        Exception? failure = null;
        try
        {
            Unpack(client.Path, Require(call), ref reply);
        }
        catch (Exception exception)
        {
            failure = exception;
            throw;
        }
        finally
        {
            End(call, failure);
        }
    }

    /// <summary>That a one-way request was taken.</summary>
    /// <inheritdoc cref="Read" path="/exception"/>
    public static void ReadNothing(RpcClientCall call)
    {
        using CallGate.Call inside = call.Client.Gate.Enter();
        call.BeginReading();
        Exception? failure = null;
        try
        {
            Require(call);
        }
        catch (Exception exception)
        {
            failure = exception;
            throw;
        }
        finally
        {
            End(call, failure);
        }
    }

    /// <summary>The packed reply of a call that is over. The caller is inside of the gate.</summary>
    /// <inheritdoc cref="Read" path="/exception"/>
    public static ReadOnlySpan<byte> Require(RpcClientCall call)
    {
        if (call.Outcome != RpcOutcome.None)
        {
            throw call.Client.FailureOf(call);
        }
        long word = call.Words.Cell.Word;
        ReadOnlySpan<byte> packed = call.Reply;
        switch (RpcFormat.StateOf(word))
        {
            case RpcState.Replied:
                call.Client.NoteReply(packed.Length);
                return packed;
            case RpcState.Faulted:
                throw call.Client.FaultOf(packed, RpcFormat.ServerOf(word));
            default:
                throw call.Client.Spoiled();
        }
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

    /// <summary>Counts the call, and gives its cell back. The caller is inside of the gate.</summary>
    public static void End(RpcClientCall call, Exception? failure)
    {
        RpcClientCore client = call.Client;
        if (failure is null)
        {
            client.Counts.Answer();
            client.Counts.Latencies.AddSince(call.Began);
        }
        else if (failure is RpcFaultException)
        {
            client.Counts.Fault();
            client.Counts.Latencies.AddSince(call.Began);
        }
        else
        {
            client.Counts.End(call.Outcome);
        }
        if (QueueMeter.TimesCalls)
        {
            QueueMeter.NoteCall(client.Path, isClient: true, Stopwatch.GetElapsedTime(call.Began), failure);
        }
        if (call.Span is { } span)
        {
            if (failure is not null)
            {
                QueueTracing.Fail(span, failure);
            }
            span.Dispose();
        }
        client.End(call);
    }
}
