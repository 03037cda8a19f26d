using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;
using BlitQueue.Cli.Sources;

namespace BlitQueue.Cli.Serving;

/// <summary>
/// Answers the browser: the page, its events, and changes if they are allowed. It uses the HTTP server of the base library: with that of
/// ASP.NET, no command of the tool would start where that framework is not installed.
/// </summary>
internal sealed class Server : IDisposable
{
    private const string Address = "127.0.0.1";
    private const int Attempts = 20, MostStreams = 100, MostBytes = 64 * 1024;

    private readonly CancellationTokenSource _stop = new();
    private readonly HttpListener _listener;
    private readonly Access _access;
    private readonly Sampler _sampler;
    private readonly string _root;
    private readonly Changes? _changes;
    private int _streams;

    private Server(HttpListener listener, int port, string root, Sampler sampler, bool writes)
    {
        (_listener, _root, _sampler) = (listener, root, sampler);
        _access = new Access(string.Create(CultureInfo.InvariantCulture, $"{Address}:{port}"));
        _changes = writes ? new Changes() : null;
        Url = string.Create(CultureInfo.InvariantCulture, $"http://{Address}:{port}/#{_access.Token}");
    }

    /// <summary>The page's address. A browser does not send what is behind the <c>#</c>: the page reads the token there.</summary>
    public string Url { get; }

    /// <summary>Begins to listen.</summary>
    /// <param name="port">Where; 0 for any port that is free.</param>
    /// <param name="root">The directory of the queues, absolute.</param>
    /// <param name="sampler">What tells pages how the queues stand.</param>
    /// <param name="writes">Whether pages may change queues.</param>
    /// <exception cref="QueueException">The port is in use, or the user has no right to it.</exception>
    public static Server Start(int port, string root, Sampler sampler, bool writes)
    {
        for (int attempt = 1; ; attempt++)
        {
            int chosen = port == 0 ? FreePort() : port;
            var listener = new HttpListener();
            listener.Prefixes.Add(string.Create(CultureInfo.InvariantCulture, $"http://{Address}:{chosen}/"));
            try
            {
                listener.Start();
                var server = new Server(listener, chosen, root, sampler, writes);
                _ = server.AcceptAsync();
                return server;
            }
            catch (Exception exception) when (exception is HttpListenerException or SocketException)
            {
                listener.Close();
                if (port != 0 || attempt == Attempts)
                {
                    throw Refusal(chosen, exception);
                }
            }
        }
    }

    // Another program may take the port first: then this tries again.
    private static int FreePort()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }

    private static QueueException Refusal(int port, Exception cause)
    {
        bool isTaken = (cause as SocketException ?? cause.InnerException as SocketException)?.SocketErrorCode != SocketError.AccessDenied;
        string why = isTaken ? "is in use" : "may not be used by this user";
        return new QueueException(
            string.Create(CultureInfo.InvariantCulture, $"port {port} of {Address} {why}. Give another with --port, or 0 for a free one."),
            cause)
        { Reason = isTaken ? QueueError.InUse : QueueError.AccessDenied };
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                _ = AnswerAsync(await _listener.GetContextAsync().ConfigureAwait(false));
            }
            catch (Exception exception) when (exception is HttpListenerException or ObjectDisposedException or InvalidOperationException)
            {
                if (!_listener.IsListening)
                {
                    return;
                }
            }
        }
    }

    private async Task AnswerAsync(HttpListenerContext context)
    {
        try
        {
            await RouteAsync(context.Request, context.Response).ConfigureAwait(false);
            context.Response.Close();
        }
        catch (Exception exception) when (exception is IOException or HttpListenerException or ObjectDisposedException
            or OperationCanceledException or InvalidOperationException)
        {
            // The page was closed, or the server stops.
            context.Response.Abort();
        }
    }

    private Task RouteAsync(HttpListenerRequest request, HttpListenerResponse response)
    {
        Harden(response);
        string asked = $"{request.HttpMethod} {request.Url?.AbsolutePath}";
        return !_access.IsHost(request) ? RefuseAsync(response, HttpStatusCode.Forbidden, "This is not the host that was asked for.")
            : asked == "GET /" ? SendPageAsync(response)
            : asked is not ("GET /events" or "POST /change") ? RefuseAsync(response, HttpStatusCode.NotFound, "There is no such page.")
            : !_access.IsAllowed(request)
            ? RefuseAsync(response, HttpStatusCode.Unauthorized, "The token is missing or wrong. Open the address that blitq printed.")
            : request.HttpMethod == "GET" ? SendEventsAsync(request, response)
            : ChangeAsync(request, response);
    }

    private static void Harden(HttpListenerResponse response)
    {
        response.Headers["Cache-Control"] = "no-store";
        response.Headers["X-Content-Type-Options"] = "nosniff";
        response.Headers["Referrer-Policy"] = "no-referrer";
        response.Headers["Cross-Origin-Opener-Policy"] = "same-origin";
        response.Headers["Cross-Origin-Resource-Policy"] = "same-origin";
    }

    private static Task RefuseAsync(HttpListenerResponse response, HttpStatusCode code, string why)
        => SendAsync(response, code, "text/plain; charset=utf-8", Encoding.UTF8.GetBytes(why + "\n"));

    private static async Task SendAsync(HttpListenerResponse response, HttpStatusCode code, string type, byte[] body)
    {
        response.StatusCode = (int)code;
        response.ContentType = type;
        response.ContentLength64 = body.Length;
        await response.OutputStream.WriteAsync(body).ConfigureAwait(false);
    }

    // Whatever a message contains, the browser runs only the page's own script, and loads nothing from elsewhere.
    private static Task SendPageAsync(HttpListenerResponse response)
    {
        string nonce = RandomNumberGenerator.GetHexString(32);
        response.Headers["Content-Security-Policy"] = $"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";
        string page = EmbeddedText.Of("page.html").Replace("{{nonce}}", nonce, StringComparison.Ordinal);
        return SendAsync(response, HttpStatusCode.OK, "text/html; charset=utf-8", Encoding.UTF8.GetBytes(page));
    }

    private async Task SendEventsAsync(HttpListenerRequest request, HttpListenerResponse response)
    {
        if (Interlocked.Increment(ref _streams) > MostStreams)
        {
            Interlocked.Decrement(ref _streams);
            await RefuseAsync(response, HttpStatusCode.ServiceUnavailable, "Too many pages are open.").ConfigureAwait(false);
            return;
        }
        var stream = new EventStream(request.QueryString["queue"], request.QueryString["subscription"]);
        response.ContentType = "text/event-stream";
        response.SendChunked = true;
        _sampler.Add(stream);
        try
        {
            await stream.CopyToAsync(response.OutputStream, _stop.Token).ConfigureAwait(false);
        }
        finally
        {
            _sampler.Remove(stream);
            Interlocked.Decrement(ref _streams);
        }
    }

    private async Task ChangeAsync(HttpListenerRequest request, HttpListenerResponse response)
    {
        (HttpStatusCode code, string why)? refused = _changes is null
            ? (HttpStatusCode.Forbidden, "Pages may only look: blitq serve was started without --allow-write.")
            : !_access.IsSameOrigin(request) ? (HttpStatusCode.Forbidden, "The request comes from another page.")
            : request.ContentType?.StartsWith("application/json", StringComparison.Ordinal) != true
            ? (HttpStatusCode.UnsupportedMediaType, "A request is JSON.")
            : request.ContentLength64 is < 0 or > MostBytes ? (HttpStatusCode.RequestEntityTooLarge, "The request is too long.")
            : null;
        if (refused is { } refusal)
        {
            await RefuseAsync(response, refusal.code, refusal.why).ConfigureAwait(false);
            return;
        }
        byte[] body = new byte[request.ContentLength64];
        await request.InputStream.ReadExactlyAsync(body, _stop.Token).ConfigureAwait(false);
        (int exit, string text) = await TryChangeAsync(body).ConfigureAwait(false);
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("code", exit);
        json.Member("text", text);
        json.EndObject();
        HttpStatusCode status = exit == ExitCode.Fine ? HttpStatusCode.OK : HttpStatusCode.Conflict;
        await SendAsync(response, status, "application/json", json.Bytes.ToArray()).ConfigureAwait(false);
    }

    // Whatever name is given, the path is one that was found below the root.
    private async Task<(int Code, string Text)> TryChangeAsync(byte[] body)
    {
        try
        {
            var request = ChangeRequest.Parse(body);
            string? path = MappedQueue.List(_root).FirstOrDefault(path => Looks.NameOf(_root, path) == request.Queue);
            return path is null
                ? (ExitCode.NoQueue, $"there is no queue '{request.Queue}' below {_root}")
                : await _changes!.RunAsync(request.Command(path)).ConfigureAwait(false);
        }
        catch (Exception exception) when (Guarded.CodeOf(exception) is not null)
        {
            return (Guarded.CodeOf(exception)!.Value, Guarded.TextOf(exception));
        }
    }

    /// <summary>Stops at once, also in the middle of answers.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        _listener.Abort();
        _changes?.Dispose();
    }
}
