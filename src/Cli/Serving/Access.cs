using System.Net;
using System.Security.Cryptography;

namespace BlitQueue.Cli.Serving;

/// <summary>
/// Decides which requests are answered. The page itself is the same for all users and says nothing of the queues. Everything else needs the
/// token, which the page sends as a header: unlike a cookie, a browser never adds it to a request of another page.
/// </summary>
internal sealed class Access
{
    private const string Scheme = "Bearer ";
    private const int Digits = 32;

    private readonly byte[] _token;
    private readonly string _host;

    /// <param name="host">The address and port that requests have to name.</param>
    public Access(string host)
    {
        _host = host;
        Token = RandomNumberGenerator.GetHexString(Digits, lowercase: true);
        _token = Encoding.ASCII.GetBytes(Token);
    }

    /// <summary>What the page has to know: 128 random bits.</summary>
    public string Token { get; }

    /// <summary>
    /// Whether a request names this address: a foreign page that was led here by another name (DNS rebinding) names that one.
    /// </summary>
    public bool IsHost(HttpListenerRequest request) => request.UserHostName == _host;

    /// <summary>Whether a request has the token, and no page of another origin has made it.</summary>
    public bool IsAllowed(HttpListenerRequest request) => HasToken(request.Headers["Authorization"])
        && (request.Headers["Origin"] is null || IsSameOrigin(request))
        && request.Headers["Sec-Fetch-Site"] is null or "same-origin";

    /// <summary>Whether the page that was served here has made a request.</summary>
    public bool IsSameOrigin(HttpListenerRequest request) => request.Headers["Origin"] == $"http://{_host}";

    private bool HasToken(string? given) => given is not null && given.StartsWith(Scheme, StringComparison.Ordinal)
        && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given[Scheme.Length..]), _token);
}
