using BlitQueue.Calls;
using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// Calls a server in another process of the machine, by a name or a path. Any number of threads may use one client, and have many calls
/// open; each gets its own answer.
/// </summary>
/// <typeparam name="TRequest">The type of requests.</typeparam>
/// <typeparam name="TReply">The type of replies.</typeparam>
/// <remarks>
/// A call ends with its reply, with the handler's exception (<see cref="RpcFaultException"/>), with its time
/// (<see cref="RpcTimeoutException"/>), with its token, or because the server is dead (<see cref="PeerLostException"/>, as a rule within
/// 0.1 s; it says whether the request had been taken). Client and servers may start in any order: a call waits for a server as long as it
/// may. A client may be disposed while calls are open: they end with <see cref="ObjectDisposedException"/>.
/// </remarks>
/// <example>
/// <code>
/// using var pricing = RpcClient&lt;Symbol, Quote&gt;.Open("pricing");
/// Quote quote = await pricing.CallAsync(new Symbol { Name = "ACME" });
/// </code>
/// </example>
public sealed partial class RpcClient<TRequest, TReply> : IDisposable, IAsyncDisposable
    where TRequest : IPackable<TRequest>
    where TReply : IPackable<TReply>
{
    private readonly RpcClientCore _core;
    private readonly RpcClientOptions _options;

    private RpcClient(RpcClientCore core, RpcClientOptions options) => (_core, _options) = (core, options);

    /// <summary>The file where clients and servers meet, an absolute path.</summary>
    public string Path => _core.Path;

    /// <summary>Joins the channel with this name, or makes it.</summary>
    /// <param name="name">1 to 100 letters, digits, <c>-</c>, <c>_</c> and <c>.</c>, not beginning with a dot.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    /// <exception cref="ArgumentException">It cannot be a name.</exception>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of its range.</exception>
    /// <exception cref="SchemaMismatchException">The channel has other types, or the name is another object's.</exception>
    /// <exception cref="QueueFullException">There is no memory for it.</exception>
    /// <exception cref="QueueException">The system refuses.</exception>
    public static RpcClient<TRequest, TReply> Open(
        string name, RpcClientOptions? options = null, CancellationToken cancellationToken = default) =>
        Join(SharedName.PathOf(name), options, cancellationToken);

    /// <summary>Joins the channel in this file, or makes it: for users that share a directory.</summary>
    /// <param name="path">The file. Its directory exists, and is best in memory.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <inheritdoc cref="Open" path="/exception"/>
    public static RpcClient<TRequest, TReply> OpenFile(
        string path, RpcClientOptions? options = null, CancellationToken cancellationToken = default) =>
        Join(SharedName.FileAt(path), options, cancellationToken);

    private static RpcClient<TRequest, TReply> Join(
        string path, RpcClientOptions? options, CancellationToken cancellationToken)
    {
        options = (options ?? new RpcClientOptions()).Checked();
        var channel = RpcChannel.Open(path, RpcTypes<TRequest, TReply>.Layout, options.FileMode, cancellationToken);
        bool isJoined = false;
        try
        {
            var client = new RpcClient<TRequest, TReply>(new RpcClientCore(channel, options, cancellationToken), options);
            isJoined = true;
            return client;
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            throw SharedRefusal.Of(path, exception);
        }
        finally
        {
            if (!isJoined)
            {
                channel.Dispose();
            }
        }
    }

    /// <summary>Calls, and waits on the calling thread for the reply.</summary>
    /// <param name="request">The request.</param>
    /// <param name="cancellationToken">Ends the call, and cancels the handler's token.</param>
    /// <returns>The reply, a new instance.</returns>
    /// <exception cref="RpcFaultException">The handler threw an exception.</exception>
    /// <exception cref="PeerLostException">The server is dead, or has stopped serving, and there is no other.</exception>
    /// <exception cref="RpcTimeoutException">The time is over (<see cref="RpcClientOptions.Timeout"/>).</exception>
    /// <exception cref="PackException">The request cannot be packed; no server has seen it.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The client is disposed.</exception>
    public TReply Call(in TRequest request, CancellationToken cancellationToken = default)
    {
        TReply? reply = default;
        Call(in request, ref reply, _options.Timeout, cancellationToken);
        return reply;
    }

    /// <summary>Calls, and waits for the reply for a time of its own.</summary>
    /// <param name="request">The request.</param>
    /// <param name="timeout">Longer than zero, or <see cref="Timeout.InfiniteTimeSpan"/>. The server sees it.</param>
    /// <param name="cancellationToken">Ends the call, and cancels the handler's token.</param>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)"/>
    public TReply Call(in TRequest request, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        TReply? reply = default;
        Call(in request, ref reply, timeout, cancellationToken);
        return reply;
    }

    /// <summary>Calls, and unpacks the reply into an instance.</summary>
    /// <param name="request">The request.</param>
    /// <param name="reply">An instance to fill, or null to get a new one. After an exception its content may have changed.</param>
    /// <param name="cancellationToken">Ends the call, and cancels the handler's token.</param>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)" path="/exception"/>
    public void Call(in TRequest request, [NotNull] ref TReply? reply, CancellationToken cancellationToken = default) =>
        Call(in request, ref reply, _options.Timeout, cancellationToken);

    /// <summary>Calls, and unpacks the reply into an instance, within a time of its own.</summary>
    /// <param name="request">The request.</param>
    /// <param name="reply">An instance to fill, or null to get a new one. After an exception its content may have changed.</param>
    /// <param name="timeout">Longer than zero, or <see cref="Timeout.InfiniteTimeSpan"/>. The server sees it.</param>
    /// <param name="cancellationToken">Ends the call, and cancels the handler's token.</param>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)" path="/exception"/>
    public void Call(
        in TRequest request, [NotNull] ref TReply? reply, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        RpcClientCall call = _core.NewCall();
        Await(call, in request, timeout, marks: 0, cancellationToken);
        RpcAnswer.Read(call, ref reply);
        _core.Reuse(call);
    }

    /// <summary>Calls, and gives the packed reply where it is, to be read by the generated view without a copy.</summary>
    /// <param name="request">The request.</param>
    /// <param name="cancellationToken">Ends the call, and cancels the handler's token.</param>
    /// <returns>Dispose it on the same thread, as soon as nothing of it is used any more.</returns>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)" path="/exception"/>
    public RpcReplyBytes CallForBytes(in TRequest request, CancellationToken cancellationToken = default) =>
        CallForBytes(in request, _options.Timeout, cancellationToken);

    /// <summary>Calls within a time of its own, and gives the packed reply where it is.</summary>
    /// <param name="request">The request.</param>
    /// <param name="timeout">Longer than zero, or <see cref="Timeout.InfiniteTimeSpan"/>. The server sees it.</param>
    /// <param name="cancellationToken">Ends the call, and cancels the handler's token.</param>
    /// <inheritdoc cref="CallForBytes(in TRequest, CancellationToken)"/>
    public RpcReplyBytes CallForBytes(in TRequest request, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        var call = new RpcClientCall(_core);
        Await(call, in request, timeout, marks: 0, cancellationToken);
        RpcAnswer.BeginReading(call);
        CallGate.LongCall stay = default;
        try
        {
            stay = _core.Gate.EnterLong();
            return new RpcReplyBytes(stay, call, RpcAnswer.Require(call));
        }
        catch (Exception exception)
        {
            stay.TryLeave();
            RpcAnswer.End(call, exception);
            throw;
        }
    }

    /// <summary>Sends a request that has no reply, and waits until a server has taken it.</summary>
    /// <param name="request">The request.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <remarks>The handler's exceptions are the server's alone (<see cref="RpcServerOptions.OnFault"/>).</remarks>
    /// <inheritdoc cref="Call(in TRequest, CancellationToken)" path="/exception[position()&gt;1]"/>
    public void Send(in TRequest request, CancellationToken cancellationToken = default)
    {
        RpcClientCall call = _core.NewCall();
        Await(call, in request, _options.Timeout, RpcFormat.OneWay, cancellationToken);
        RpcAnswer.ReadNothing(call);
        _core.Reuse(call);
    }

    // Begins a call and waits for its end.
    private void Await(RpcClientCall call, in TRequest request, TimeSpan timeout, int marks, CancellationToken cancellationToken)
    {
        Require(in request, timeout);
        cancellationToken.ThrowIfCancellationRequested();
        if (!_core.TryEnter())
        {
            timeout = _core.Enter(timeout, cancellationToken);
        }
        Begin(call, in request, timeout, marks | RpcFormat.OnThread, cancellationToken);
        try
        {
            using CallGate.Call inside = _core.Gate.Enter();
            _core.Wait(call);
        }
        catch (Exception exception)
        {
            RpcAnswer.Break(call, exception);
            throw;
        }
    }

    private static void Require(in TRequest request, TimeSpan timeout)
    {
        if (request is null)
        {
            throw new ArgumentNullException(nameof(request));
        }
        RpcLimits.RequireTime(timeout, nameof(timeout));
    }

    private void Begin(RpcClientCall call, in TRequest request, TimeSpan timeout, int marks, CancellationToken cancellationToken) =>
        Begin(call, in request, packed: null, timeout, marks, cancellationToken);

    // The caller has the right to a cell, which is given back if this throws. The packed request is null where it is not packed yet.
    private void Begin(
        RpcClientCall call, in TRequest request, PackedBytes? packed, TimeSpan timeout, int marks, CancellationToken cancellationToken)
    {
        bool hasCell = false, isQueued = false;
        try
        {
            using CallGate.Call inside = _core.Gate.Enter();
            try
            {
                marks |= StartSpan(call);
                _core.Begin(call, timeout, marks, cancellationToken);
                hasCell = true;
                if (call.Span.Activity is { } span)
                {
                    RpcTrace.Write(call.Words.Trace, span.Context);
                }
                Pack(call, in request, packed);
                _core.Queue(call);
                isQueued = true;
            }
            finally
            {
                if (!isQueued)
                {
                    if (hasCell)
                    {
                        // In front of what listeners do.
                        _core.End(call, how: null);
                    }
                    call.Span.Dispose();
                }
            }
            _core.Register(call);
        }
        finally
        {
            if (!hasCell)
            {
                _core.Leave();
            }
        }
    }

    private int StartSpan(RpcClientCall call)
    {
        if (!QueueTracing.IsOn)
        {
            return 0;
        }
        call.Span = QueueTracing.StartCall(Path);
        return call.Span.Activity is { IdFormat: ActivityIdFormat.W3C } ? RpcFormat.Traced : 0;
    }

    // What was packed before the call had a cell is copied.
    private void Pack(RpcClientCall call, in TRequest request, PackedBytes? packed)
    {
        if (packed is not null)
        {
            _core.SetRequest(call, packed.Span);
            return;
        }
        var writer = new PackWriter(Packer.Nowhere, call.Words.Request.Whole);
        try
        {
            TRequest.Pack(ref writer, in request);
            _core.SetRequest(call, ref writer);
        }
        finally
        {
            writer.Abandon();
        }
    }

    /// <summary>What this client has counted.</summary>
    public RpcStatistics GetStatistics() => _core.Statistics;

    /// <summary>
    /// Ends all calls that are open, and gives back memory and descriptors, at once or when the last caller has left. Requests that no
    /// server has taken are withdrawn; handlers of the others are told.
    /// </summary>
    public void Dispose() => _core.Dispose();

    /// <summary>The same: nothing of it waits.</summary>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }
}
