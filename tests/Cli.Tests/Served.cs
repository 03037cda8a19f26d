using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;

namespace BlitQueue.Tool;

/// <summary><c>blitq serve</c> in a process of its own, as a browser sees it.</summary>
internal sealed class Served : IDisposable
{
    private readonly HttpClient _client = new(new SocketsHttpHandler { UseProxy = false, UseCookies = false });
    private bool _isStopped;

    private Served(Process process, string line)
    {
        Process = process;
        Url = new Uri(line);
        Token = Url.Fragment[1..];
        _client.BaseAddress = new Uri(Url.GetLeftPart(UriPartial.Authority));
    }

    public Process Process { get; }

    /// <summary>The address that it has printed.</summary>
    public Uri Url { get; }

    public string Token { get; }

    public string Origin => Url.GetLeftPart(UriPartial.Authority);

    /// <summary>Starts it for a directory, with a look ten times a second.</summary>
    public static Served Start(string root, params string[] options)
        => TryStart([Blitq.Program, "serve", root, "--every", "0.1", .. options], out Outcome? refused)
            ?? throw new InvalidOperationException(refused!.Error);

    /// <summary>Starts it as a user does.</summary>
    public static Served StartSlow(string root) => TryStart([Blitq.Program, "serve", root, "--allow-write"], out _)!;

    /// <summary>Starts it; gives how it ended if it does not listen.</summary>
    public static Served? TryStart(string[] command, out Outcome? refused)
    {
        Process process = Blitq.Start("/", command);
        refused = null;
        if (process.StandardOutput.ReadLine() is { } line)
        {
            return new Served(process, line);
        }

        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        refused = new Outcome(process.ExitCode, "", error);
        process.Dispose();
        return null;
    }

    /// <summary>Runs it until it has shown the queues once: what it then complains of is the output.</summary>
    public static Outcome Look(string[] command)
    {
        using Served? served = TryStart(command, out Outcome? refused);
        if (served is null)
        {
            return refused!;
        }

        using Events events = served.Open();
        JsonElement sample = events.Next("sample");
        string[] faults =
        [
            .. sample.GetProperty("queues").EnumerateArray()
                .Where(static queue => queue.GetProperty("fault").ValueKind != JsonValueKind.Null)
                .Select(static queue => $"{queue.GetProperty("state").GetString()}: {queue.GetProperty("fault").GetString()}"),
        ];
        Outcome outcome = served.Stop("-TERM");
        Assert.Equal("", outcome.Error);
        return new Outcome(outcome.Code, "", string.Join('\n', faults));
    }

    /// <summary>Sends a request; the token is the right one, or what is given.</summary>
    public HttpResponseMessage Ask(
        HttpMethod method, string path, string? token = null, string? host = null, string? origin = null, string? json = null)
    {
        using var request = new HttpRequestMessage(method, path);
        token ??= Token;
        request.Headers.Authorization = token.Length > 0 ? new AuthenticationHeaderValue("Bearer", token) : null;
        request.Headers.Host = host;
        // The base library's server closes the connection behind a host that is none of its own; one that asks on it in between gets an
        // answer without content.
        request.Headers.ConnectionClose = host is not null;
        if (origin is not null)
        {
            request.Headers.Add("Origin", origin);
        }

        request.Content = json is null ? null : new StringContent(json, Encoding.UTF8, "application/json");
        return _client.Send(request, HttpCompletionOption.ResponseHeadersRead);
    }

    /// <summary>Asks for a change, as the page does.</summary>
    /// <returns>What was said.</returns>
    public string Change(string json, HttpStatusCode expected = HttpStatusCode.OK)
    {
        using HttpResponseMessage response = Ask(HttpMethod.Post, "/change", origin: Origin, json: json);
        using var reader = new StreamReader(response.Content.ReadAsStream());
        string text = reader.ReadToEnd();
        Assert.True(response.StatusCode == expected, $"{response.StatusCode} {text}");
        return text.StartsWith('{') ? JsonDocument.Parse(text).RootElement.GetProperty("text").GetString()! : text;
    }

    /// <summary>Opens a page's events.</summary>
    public Events Open(string query = "") => new(Ask(HttpMethod.Get, $"/events{query}"));

    /// <summary>Ends it with a signal.</summary>
    public Outcome Stop(string signal)
    {
        using (var kill = Process.Start("kill", [signal, Process.Id.ToString(CultureInfo.InvariantCulture)]))
        {
            kill.WaitForExit();
        }

        Process.WaitForExit();
        _isStopped = true;
        return new Outcome(Process.ExitCode, Process.StandardOutput.ReadToEnd(), Process.StandardError.ReadToEnd());
    }

    public void Dispose()
    {
        if (!_isStopped)
        {
            Process.Kill();
            Process.WaitForExit();
        }

        Process.Dispose();
        _client.Dispose();
    }

    /// <summary>The events of one page.</summary>
    public sealed class Events(HttpResponseMessage response) : IDisposable
    {
        private readonly StreamReader _reader = new(response.EnsureSuccessStatusCode().Content.ReadAsStream());

        /// <summary>The data of the next event of a name.</summary>
        public JsonElement Next(string name)
        {
            while (_reader.ReadLine() is { } line)
            {
                if (line == $"event: {name}")
                {
                    return JsonDocument.Parse(_reader.ReadLine()!["data: ".Length..]).RootElement;
                }
            }

            throw new EndOfStreamException($"there is no more {name}");
        }

        /// <summary>The first of the events of a name that is as expected.</summary>
        public JsonElement Await(string name, Func<JsonElement, bool> isExpected)
        {
            for (; ; )
            {
                JsonElement data = Next(name);
                if (isExpected(data))
                {
                    return data;
                }
            }
        }

        /// <summary>Reads on to the end.</summary>
        public void ReadToEnd()
        {
            try
            {
                _reader.ReadToEnd();
            }
            catch (Exception exception) when (exception is IOException or HttpRequestException)
            {
                // The server cut it.
            }
        }

        public void Dispose()
        {
            _reader.Dispose();
            response.Dispose();
        }
    }
}
