using BlitQueue.Calls;
using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// Answers calls of clients in other processes of the machine, by a name or a path. Several servers may serve one channel: each request
/// goes to one of them.
/// </summary>
/// <typeparam name="TRequest">The type of requests.</typeparam>
/// <typeparam name="TReply">The type of replies.</typeparam>
/// <remarks>
/// A handler's exception is told to its client, and the server goes on. Requests of one client may be answered in any order. What a handler
/// does when its client gives up is its own: its token says so.
/// </remarks>
/// <example>
/// <code>
/// using var server = RpcServer&lt;Symbol, Quote&gt;.Open("pricing");
/// await server.ServeAsync(async (symbol, call) => await PriceAsync(symbol, call.CancellationToken), stopping);
/// </code>
/// </example>
public sealed partial class RpcServer<TRequest, TReply> : IDisposable, IAsyncDisposable
    where TRequest : IPackable<TRequest>
    where TReply : IPackable<TReply>
{
    private readonly RpcServerCore _core;
    private readonly RpcServerOptions _options;

    private RpcServer(string path, RpcServerOptions? options, CancellationToken cancellationToken)
    {
        _options = (options ?? new RpcServerOptions()).Checked();
        var channel = RpcChannel.Open(path, RpcTypes<TRequest, TReply>.Layout, _options.FileMode, cancellationToken);
        _core = new RpcServerCore(channel, _options);
    }

    /// <summary>The file where clients and servers meet, an absolute path.</summary>
    public string Path => _core.Path;

    /// <summary>Joins the channel with this name, or makes it. Clients count on this server once it serves.</summary>
    /// <param name="name">1 to 100 letters, digits, <c>-</c>, <c>_</c> and <c>.</c>, not beginning with a dot.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    /// <exception cref="ArgumentException">It cannot be a name.</exception>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of its range.</exception>
    /// <exception cref="SchemaMismatchException">The channel has other types, or the name is another object's.</exception>
    /// <exception cref="QueueFullException">There is no memory for it.</exception>
    /// <exception cref="QueueException">The system refuses.</exception>
    public static RpcServer<TRequest, TReply> Open(
        string name, RpcServerOptions? options = null, CancellationToken cancellationToken = default) =>
        new(SharedName.PathOf(name), options, cancellationToken);

    /// <summary>Joins the channel in this file, or makes it: for users that share a directory.</summary>
    /// <param name="path">The file. Its directory exists, and is best in memory.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <inheritdoc cref="Open" path="/exception"/>
    public static RpcServer<TRequest, TReply> OpenFile(
        string path, RpcServerOptions? options = null, CancellationToken cancellationToken = default) =>
        new(SharedName.FileAt(path), options, cancellationToken);

    /// <summary>Answers calls on the calling thread, one after the other, until the token is cancelled.</summary>
    /// <param name="handler">
    /// Gets the request and returns the reply. The instance of the request is filled again for the next one: what must last is copied.
    /// </param>
    /// <param name="cancellationToken">
    /// Takes no further calls, within 0.1 s; the last thread that serves ends when those that were taken are answered.
    /// </param>
    /// <inheritdoc cref="Serve(RpcHandler{TRequest, TReply}, CancellationToken)" path="/exception"/>
    public void Serve(Func<TRequest, TReply> handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        Serve((request, _, _) => handler(request), cancellationToken);
    }

    /// <summary>
    /// Answers calls on the calling thread, one after the other, until the token is cancelled: the shortest way, where nothing is allocated
    /// for a call. Several threads may serve at a time.
    /// </summary>
    /// <param name="handler">Gets the request, and returns the reply.</param>
    /// <param name="cancellationToken">
    /// Takes no further calls, within 0.1 s; the last thread that serves ends when those that were taken are answered.
    /// </param>
    /// <remarks>
    /// The thread waits for no client while another one calls: what is missing of a long request comes, and the rest of a long reply goes,
    /// without it, for at most <see cref="RpcServerOptions.Concurrency"/> calls of the server at a time.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The server is disposed.</exception>
    public void Serve(RpcHandler<TRequest, TReply> handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        TRequest? request = default;
        TReply? reply = default;
        ServeOnThread(
            context =>
            {
                if (!TryGet(context, ref request))
                {
                    return false;
                }
                BeginWork(context);
                reply = handler(request, reply, context);
                return TryEnd(context, reply);
            },
            cancellationToken);
    }

    /// <summary>
    /// Answers calls on the calling thread, as <see cref="Serve(RpcHandler{TRequest, TReply}, CancellationToken)"/> does, with handlers
    /// that read the packed request where it is: for a long request, of which the handler needs a part, or which it copies by itself.
    /// </summary>
    /// <param name="handler">Gets the request's bytes, which a view reads, and returns the reply.</param>
    /// <param name="cancellationToken">
    /// Takes no further calls, within 0.1 s; the last thread that serves ends when those that were taken are answered.
    /// </param>
    /// <remarks>
    /// The bytes are the client's memory. A client that breaks its contract can write over them meanwhile: a view then gives other values
    /// or throws, and reads nothing outside of them.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The server is disposed.</exception>
    public void ServeBytes(RpcBytesHandler<TReply> handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        TReply? reply = default;
        ServeOnThread(
            context =>
                (TryWorkInPlace(context, handler, ref reply) || TryWorkOnCopy(context, handler, ref reply)) && TryEnd(context, reply),
            cancellationToken);
    }

    // What works on a call says whether the call is over: else it goes on without the thread, and its context with it.
    private void ServeOnThread(Func<RpcContext, bool> work, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var context = new RpcContext(_core, blocks: true);
        _core.BeginServing();
        _core.Parking.BeginThread();
        try
        {
            for (long now = 0; ; cancellationToken.ThrowIfCancellationRequested())
            {
                if (_core.Parking.TryTake(out RpcContext? whole))
                {
                    TryAnswer(whole, work);
                }
                else if (!_core.TryTake(context, now))
                {
                    now = _core.Wait();
                    continue;
                }
                else if (!TryAnswer(context, work))
                {
                    context = new RpcContext(_core, blocks: true);
                }
                now = 0;
            }
        }
        finally
        {
            _core.EndServing();
            while (_core.Parking.TryTakeLast(out RpcContext? whole))
            {
                TryAnswer(whole, work);
            }
        }
    }

    // false if the call is not over.
    private bool TryAnswer(RpcContext context, Func<RpcContext, bool> work)
    {
        Exception? failure = null;
        bool isOver = true;
        try
        {
            bool isFirst = !context.TryGoOn();
            if (isFirst)
            {
                context.BeginSpan();
            }
            isOver = (isFirst && IsLate(context)) || work(context);
        }
        catch (Exception exception)
        {
            failure = exception;
            Fail(context, exception);
        }
        finally
        {
            if (isOver)
            {
                _core.End(context, failure);
            }
        }
        return isOver;
    }

    // The request; false if it comes without the thread.
    private bool TryGet(RpcContext context, [NotNullWhen(true)] ref TRequest? request)
    {
        if (context.HasReceived || !TryRead(context, ref request))
        {
            if (Receive(context) is not { } bytes)
            {
                return false;
            }
            Unpack(bytes, ref request);
        }
        Require(request);
        return true;
    }

    // A long request; null if the rest of it comes without the thread. A thread that serves goes on with the call then, this one or not.
    private PackedBytes? Receive(RpcContext context)
    {
        if (context.HasReceived)
        {
            return context.TakeReceived();
        }
        ValueTask<PackedBytes> receiving = context.ReceiveAsync();
        if (receiving.IsCompleted || !_core.Parking.TryPark())
        {
            return receiving.AsTask().GetAwaiter().GetResult();
        }
        context.LeaveThread();
        _ = ReceiveRestAsync(context, receiving);
        return null;
    }

    private async Task ReceiveRestAsync(RpcContext context, ValueTask<PackedBytes> receiving)
    {
        try
        {
            context.SetReceived(await receiving.ConfigureAwait(false));
        }
        catch (Exception exception)
        {
            EndParked(context, exception);
            return;
        }
        _core.GoOn(context);
    }

    // The request is not needed any more where it was: a client that awaits no reply goes on.
    private static void BeginWork(RpcContext context)
    {
        if (context.IsStream)
        {
            throw NoStream();
        }
        if (context.IsOneWay)
        {
            context.Answer(RpcState.Replied, 0);
        }
    }

    // false if the request is not there as a whole, or its memory is the client's again when the work begins.
    private bool TryWorkInPlace(RpcContext context, RpcBytesHandler<TReply> handler, ref TReply? reply)
    {
        using CallGate.Call inside = _core.Reading.Enter();
        if (context.HasReceived || context.IsOneWay || context.IsStream || !TryGetRequest(context, out ReadOnlySpan<byte> packed))
        {
            return false;
        }
        reply = handler(packed, reply, context);
        return true;
    }

    private bool TryGetRequest(RpcContext context, out ReadOnlySpan<byte> packed)
    {
        using CallGate.Call inside = _core.Gate.Enter();
        return context.TryGetRequest(out packed);
    }

    // false if the request comes without the thread.
    private bool TryWorkOnCopy(RpcContext context, RpcBytesHandler<TReply> handler, ref TReply? reply)
    {
        if ((Copy(context) ?? Receive(context)) is not { } bytes)
        {
            return false;
        }
        using (bytes)
        {
            BeginWork(context);
            reply = handler(bytes.Span, reply, context);
        }
        return true;
    }

    private PackedBytes? Copy(RpcContext context)
    {
        using CallGate.Call inside = _core.Gate.Enter();
        if (context.HasReceived || !context.TryGetRequest(out ReadOnlySpan<byte> packed))
        {
            return null;
        }
        return PackedBytes.Of(packed);
    }

    // false if the rest of the reply goes without the thread. The reply's instance is free for the next call: its bytes are a copy.
    private bool TryEnd(RpcContext context, TReply? reply)
    {
        if (context.IsOneWay || TryReply(context, reply, out PackedBytes? rest))
        {
            return true;
        }
        ValueTask sending = context.SendLongAsync(rest);
        if (!sending.IsCompleted && _core.Parking.TryPark())
        {
            context.LeaveThread();
            _ = SendRestAsync(context, rest, sending);
            return false;
        }
        using (rest)
        {
            sending.AsTask().GetAwaiter().GetResult();
        }
        return true;
    }

    private async Task SendRestAsync(RpcContext context, PackedBytes rest, ValueTask sending)
    {
        Exception? failure = null;
        try
        {
            using (rest)
            {
                await sending.ConfigureAwait(false);
            }
        }
        catch (Exception exception)
        {
            failure = exception;
        }
        EndParked(context, failure);
    }

    private void EndParked(RpcContext context, Exception? failure)
    {
        try
        {
            if (failure is not null)
            {
                Fail(context, failure);
            }
        }
        finally
        {
            _core.EndParked(context, failure);
        }
    }

    // The client does not wait any more: no handler runs.
    private static bool IsLate(RpcContext context)
    {
        if (!context.IsTakenLate)
        {
            return false;
        }
        context.Answer(RpcState.Late, length: null);
        return true;
    }

    private bool TryRead(RpcContext context, ref TRequest? request)
    {
        using CallGate.Call inside = _core.Gate.Enter();
        return context.TryReadRequest(ref request);
    }

    private static void Unpack(PackedBytes bytes, ref TRequest? request)
    {
        using (bytes)
        {
            Packer.Unpack(bytes.Span, ref request);
        }
    }

    private static void Require([NotNull] TRequest? request)
    {
        if (request is null)
        {
            throw new ArgumentNullException(nameof(request), "The request is null.");
        }
    }

    private bool TryReply(RpcContext context, TReply? reply, [NotNullWhen(false)] out PackedBytes? rest)
    {
        using CallGate.Call inside = _core.Gate.Enter();
        if (reply is null)
        {
            throw new InvalidOperationException("The handler's reply is null, which is no message.");
        }
        return context.TryReply(in reply, out rest);
    }

    private static InvalidOperationException NoStream() => new(
        "This server answers each request with one reply; the client has asked for a stream. Serve with ServeStreamAsync, or call with "
        + "CallAsync.");

    private void Fail(RpcContext context, Exception exception)
    {
        if (exception is not OperationCanceledException || !context.IsCancelled)
        {
            _core.Tell(exception);
        }
        try
        {
            context.Fault(exception);
        }
        catch (ObjectDisposedException)
        {
            // The client learns that the server is gone.
        }
    }

    /// <summary>What this server has counted.</summary>
    public RpcStatistics GetStatistics() => _core.Statistics;

    /// <summary>
    /// Takes no calls any more, cancels the tokens of handlers that run, and gives back memory and descriptors, at once or when the last
    /// call has left. Calls that were not answered end with <see cref="PeerLostException"/>: to answer them, cancel the token of
    /// <c>Serve</c> or <c>ServeAsync</c> and wait for its end first.
    /// </summary>
    public void Dispose() => _core.Dispose();

    /// <summary>The same: nothing of it waits.</summary>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }
}
