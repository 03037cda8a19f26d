using BlitQueue.Calls;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class RpcServer<TRequest, TReply>
{
    /// <summary>
    /// Answers calls with an asynchronous handler, on the thread pool and without a thread per call, until the token is cancelled. At most
    /// <see cref="RpcServerOptions.Concurrency"/> handlers run at a time.
    /// </summary>
    /// <param name="handler">Gets a request that is its own, and returns the reply.</param>
    /// <param name="cancellationToken">Takes no further calls; ends when those that were taken are answered.</param>
    /// <returns>A task that ends by the token alone.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The server is disposed.</exception>
    public Task ServeAsync(Func<TRequest, RpcContext, ValueTask<TReply>> handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return RunAsync((request, context) => ReplyAsync(request, context, handler), cancellationToken);
    }

    /// <summary>
    /// Answers calls with streams of replies (<see cref="RpcClient{TRequest, TReply}.StreamAsync"/>), until the token is cancelled. The
    /// handler is asked for the next reply when there is space for it.
    /// </summary>
    /// <param name="handler">Gets a request that is its own, and returns the replies one after the other.</param>
    /// <param name="cancellationToken">Takes no further calls; ends when those that were taken are answered.</param>
    /// <inheritdoc cref="ServeAsync"/>
    public Task ServeStreamAsync(
        Func<TRequest, RpcContext, IAsyncEnumerable<TReply>> handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return RunAsync((request, context) => StreamAsync(request, context, handler), cancellationToken);
    }

    private async Task RunAsync(Func<TRequest, RpcContext, ValueTask> answer, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var handlers = new RpcHandlers(_options.Concurrency);
        bool isMine = false;
        _core.BeginServing();
        try
        {
            // The caller gets its task, whatever waits already.
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            for (; ; )
            {
                await handlers.EnterAsync(cancellationToken).ConfigureAwait(false);
                isMine = true;
                var context = new RpcContext(_core, blocks: false);
                while (!_core.TryTake(context))
                {
                    await _core.WaitAsync(cancellationToken).ConfigureAwait(false);
                }
                isMine = false;
                Task one = Begin(context, answer, handlers);
                if (_options.Concurrency == 1)
                {
                    await one.ConfigureAwait(false);
                }
                cancellationToken.ThrowIfCancellationRequested();
            }
        }
        finally
        {
            _core.EndServing();
            if (isMine)
            {
                handlers.Leave();
            }
            await handlers.EndAsync().ConfigureAwait(false);
        }
    }

    // The call is taken: whatever fails, it ends, and with it the handler.
    private Task Begin(RpcContext context, Func<TRequest, RpcContext, ValueTask> answer, RpcHandlers handlers)
    {
        try
        {
            return _options.Concurrency == 1 ? AnswerOneAsync(context, answer, handlers)
                // A handler that computes for long before its first await stops no other.
                : Task.Run(() => AnswerOneAsync(context, answer, handlers), CancellationToken.None);
        }
        catch (OutOfMemoryException exception)
        {
            _core.End(context, exception);
            handlers.Leave();
            throw;
        }
    }

    private async Task AnswerOneAsync(
        RpcContext context, Func<TRequest, RpcContext, ValueTask> answer, RpcHandlers handlers)
    {
        try
        {
            await AnswerAsync(context, answer).ConfigureAwait(false);
        }
        finally
        {
            handlers.Leave();
        }
    }

    // Answers one call: reads the request, and has it answered.
    private async Task AnswerAsync(RpcContext context, Func<TRequest, RpcContext, ValueTask> answer)
    {
        Exception? failure = null;
        try
        {
            context.BeginSpan();
            if (!IsLate(context))
            {
                await answer(await ReadAsync(context).ConfigureAwait(false), context).ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            failure = exception;
            await FailAsync(context, exception).ConfigureAwait(false);
        }
        finally
        {
            _core.End(context, failure);
        }
    }

    private async ValueTask ReplyAsync(TRequest request, RpcContext context, Func<TRequest, RpcContext, ValueTask<TReply>> handler)
    {
        if (context.IsOneWay)
        {
            context.Answer(RpcState.Replied, 0);
        }
        TReply reply = await handler(request, context).ConfigureAwait(false);
        if (context.IsStream)
        {
            RequireReply(reply);
            await context.SendItemAsync(reply).ConfigureAwait(false);
            context.Answer(RpcState.Replied, length: null);
        }
        else if (!context.IsOneWay && !TryReply(context, reply, out PackedBytes? rest))
        {
            using (rest)
            {
                await context.SendLongAsync(rest).ConfigureAwait(false);
            }
        }
    }

    private static async ValueTask StreamAsync(
        TRequest request, RpcContext context, Func<TRequest, RpcContext, IAsyncEnumerable<TReply>> handler)
    {
        if (!context.IsStream)
        {
            throw NoSingleReply();
        }
        await foreach (TReply reply in handler(request, context).WithCancellation(context.CancellationToken).ConfigureAwait(false))
        {
            RequireReply(reply);
            await context.SendItemAsync(reply).ConfigureAwait(false);
        }
        context.Answer(RpcState.Replied, length: null);
    }

    private async ValueTask<TRequest> ReadAsync(RpcContext context)
    {
        TRequest? request = default;
        if (!TryRead(context, ref request))
        {
            Unpack(await context.ReceiveAsync().ConfigureAwait(false), ref request);
        }
        Require(request);
        return request;
    }

    private static void RequireReply(TReply? reply)
    {
        if (reply is null)
        {
            throw new InvalidOperationException("A reply of the handler is null, which is no message.");
        }
    }

    private async ValueTask FailAsync(RpcContext context, Exception exception)
    {
        if (!context.IsStream || context.IsCancelled)
        {
            Fail(context, exception);
            return;
        }
        _core.Tell(exception);
        try
        {
            await context.SendFaultAsync(exception).ConfigureAwait(false);
        }
        catch (Exception late) when (late is OperationCanceledException or ObjectDisposedException)
        {
            // The client has given up meanwhile, or learns that the server is gone: the end of the context says so.
        }
    }

    private static InvalidOperationException NoSingleReply() => new(
        "This server answers with streams; the client has asked for one reply. Call with StreamAsync, or serve with ServeAsync.");
}
