using BlitQueue.Calls;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class RpcClient<TRequest, TReply>
{
    /// <summary>Calls, and waits for the reply without a thread.</summary>
    /// <param name="request">The request, which is packed before the call returns.</param>
    /// <param name="reuse">
    /// An instance to fill, or null to get a new one. It is the call's until its task ends; where that ends with an exception, its content
    /// may have changed.
    /// </param>
    /// <param name="timeout">null: <see cref="RpcClientOptions.Timeout"/>. The server sees it.</param>
    /// <param name="cancellationToken">Ends the call, and cancels the handler's token.</param>
    /// <returns>
    /// The reply. Many calls can be begun before the first is awaited, in any order. The reply of one that is not awaited waits in memory,
    /// and not in one of the client's cells, as a rule from 0.1 s on.
    /// </returns>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)" path="/exception"/>
    public ValueTask<TReply> CallAsync(
        TRequest request, TReply? reuse = default, TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        TimeSpan time = timeout ?? _options.Timeout;
        try
        {
            Require(in request, time);
            cancellationToken.ThrowIfCancellationRequested();
            return _core.TryEnter()
                ? BeginCall(request, reuse, time, cancellationToken)
                : CallWhenFreeAsync(request, reuse, time, cancellationToken);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<TReply>(exception);
        }
    }

    private ValueTask<TReply> BeginCall(TRequest request, TReply? reuse, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var call = new RpcPendingReply<TReply>(_core, reuse);
        Begin(call, in request, timeout, marks: 0, cancellationToken);
        MoveRest(call);
        return call.Task;
    }

    // Packs the request before it waits for a cell: from then on the caller may change it.
    private async ValueTask<TReply> CallWhenFreeAsync(
        TRequest request, TReply? reuse, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var call = new RpcPendingReply<TReply>(_core, reuse);
        await BeginWhenFreeAsync(call, request, timeout, marks: 0, cancellationToken).ConfigureAwait(false);
        return await call.Task.ConfigureAwait(false);
    }

    private async ValueTask BeginWhenFreeAsync(
        RpcClientCall call, TRequest request, TimeSpan timeout, int marks, CancellationToken cancellationToken)
    {
        using var packed = PackedBytes.Pack(in request);
        TimeSpan left = await _core.EnterAsync(timeout, cancellationToken).ConfigureAwait(false);
        Begin(call, in request, packed, left, marks, cancellationToken);
        MoveRest(call);
    }

    /// <summary>Sends a request that has no reply; the task ends when a server has taken it.</summary>
    /// <param name="request">The request, which is packed before the call returns.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>What ends with the call; only it tells of a failure.</returns>
    /// <inheritdoc cref="Send" path="/remarks"/>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)" path="/exception[position()&gt;1]"/>
    public ValueTask SendAsync(TRequest request, CancellationToken cancellationToken = default)
    {
        try
        {
            Require(in request, _options.Timeout);
            cancellationToken.ThrowIfCancellationRequested();
            return _core.TryEnter()
                ? BeginSend(request, cancellationToken)
                : SendWhenFreeAsync(request, cancellationToken);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException(exception);
        }
    }

    private ValueTask BeginSend(TRequest request, CancellationToken cancellationToken)
    {
        var call = new RpcPendingSend(_core);
        Begin(call, in request, _options.Timeout, RpcFormat.OneWay, cancellationToken);
        MoveRest(call);
        return call.Task;
    }

    private async ValueTask SendWhenFreeAsync(TRequest request, CancellationToken cancellationToken)
    {
        var call = new RpcPendingSend(_core);
        await BeginWhenFreeAsync(call, request, _options.Timeout, RpcFormat.OneWay, cancellationToken).ConfigureAwait(false);
        await call.Task.ConfigureAwait(false);
    }

    // A long request goes on while the caller does something else.
    private void MoveRest(RpcClientCall call)
    {
        if (!call.IsRequestWhole)
        {
            _ = _core.MoveRestAsync(call);
        }
    }

    /// <summary>
    /// Calls a server that answers with a stream, for <c>await foreach</c>. The server is never more than a window ahead of the reader: 1
    /// MiB of replies, or 2 KiB where all blocks are in use (<see cref="RpcClientOptions.Blocks"/>).
    /// </summary>
    /// <param name="request">The request, which is packed when the loop begins, and not to be changed before the first reply.</param>
    /// <param name="timeout">For the whole stream; null: none.</param>
    /// <param name="cancellationToken">Ends the stream, and cancels the handler's token.</param>
    /// <returns>New instances each, yours to store. Leaving the loop cancels the handler's token.</returns>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)" path="/exception"/>
    public async IAsyncEnumerable<TReply> StreamAsync(
        TRequest request, TimeSpan? timeout = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        TimeSpan time = timeout ?? Timeout.InfiniteTimeSpan;
        Require(in request, time);
        cancellationToken.ThrowIfCancellationRequested();
        if (!_core.TryEnter())
        {
            time = await _core.EnterAsync(time, cancellationToken).ConfigureAwait(false);
        }
        var call = new RpcClientCall(_core);
        Begin(call, in request, time, RpcFormat.Stream, cancellationToken);
        MoveRest(call);
        var reader = new RpcFrameReader(call);
        var end = new StreamEnd();
        try
        {
            Func<bool, bool> look = _ => HasNews(call);
            while (true)
            {
                switch (TryRead(call, reader, end, out TReply? reply))
                {
                    case true:
                        yield return reply!;
                        break;
                    case false:
                        yield break;
                    default:
                        await _core.WaitAsync(look).ConfigureAwait(false);
                        break;
                }
            }
        }
        finally
        {
            End(call, reader, end);
        }
    }

    // true: a reply; false: there will be no more; null: not yet.
    private bool? TryRead(RpcClientCall call, RpcFrameReader reader, StreamEnd end, out TReply? reply)
    {
        reply = default;
        using CallGate.Call inside = _core.Gate.Enter();
        try
        {
            // Before the bytes: all of them are there when the call is over.
            bool isOver = call.IsOver;
            if (reader.TryRead())
            {
                if (reader.IsFault)
                {
                    throw _core.FaultOf(reader.Frame, RpcFormat.ServerOf(call.Words.Cell.Word));
                }
                RpcAnswer.Unpack(Path, reader.Frame, ref reply);
                reader.Next();
                return true;
            }
            if (!isOver)
            {
                return null;
            }
            end.IsComplete = true;
            RpcAnswer.Require(call);
            return reader.IsBegun ? throw new QueueCorruptException(Path, 0, "a stream of replies ends inside of a reply.") : false;
        }
        catch (Exception exception)
        {
            end.Failure = exception;
            throw;
        }
    }

    private bool HasNews(RpcClientCall call)
    {
        using CallGate.Call inside = _core.Gate.Enter();
        return call.IsOver || call.Words.Reply.Waiting > 0;
    }

    private void End(RpcClientCall call, RpcFrameReader reader, StreamEnd end)
    {
        reader.Dispose();
        if (!end.IsComplete)
        {
            _core.LeaveStream(call);
        }
        RpcAnswer.Break(call, end.Failure ?? (end.IsComplete ? null : new OperationCanceledException()));
    }

    /// <summary>How a stream ended.</summary>
    private sealed class StreamEnd
    {
        /// <summary>Whether the server has ended it.</summary>
        public bool IsComplete { get; set; }

        public Exception? Failure { get; set; }
    }
}
