using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A broker with its own ports, node name, data, log and cookie, and its own name server (epmd).</summary>
/// <param name="first">The node whose cluster it joins at its first start; null for a broker of its own, or the first of a cluster.</param>
public class BrokerServer(BrokerServer? first = null)
{
    /// <summary>The largest message that it takes, bytes.</summary>
    public const int MaxMessageSize = 1 << 20;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly string _directory = Directory.CreateTempSubdirectory("blitqueue-broker-").FullName;
    private readonly int _port = FreePort(), _tlsPort = FreePort(), _distribution = FreePort(), _names = first?._names ?? FreePort();
    private readonly string _cookie = first?._cookie ?? Guid.NewGuid().ToString("N");
    private Process? _epmd;
    private Process? _beam;

    public static string? Program { get; } = FindProgram();

    public int Port => _port;

    public string Host => $"127.0.0.1:{_port}";

    public string TlsHost => $"127.0.0.1:{_tlsPort}";

    public X509Certificate2? Certificate { get; private set; }

    /// <summary>By whom the certificates of clients are signed that this broker accepts.</summary>
    public X509Certificate2 Authority { get; } = MakeAuthority();

    public BrokerOptions Options => new()
    {
        Hosts = [Host],
        MinRetryDelay = TimeSpan.FromMilliseconds(20),
        MaxRetryDelay = TimeSpan.FromMilliseconds(300),
    };

    private string Node => $"blitqueue{_port}@localhost";

    // It joins when it has no data yet.
    private string Joining => first is null ? "" : $"""
        cluster_formation.peer_discovery_backend = classic_config
        cluster_formation.classic_config.nodes.1 = {first.Node}
        cluster_formation.classic_config.nodes.2 = {Node}
        """;

    /// <summary>A certificate that signs others.</summary>
    public static X509Certificate2 MakeAuthority()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=authority", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    /// <summary>Writes its configuration, and starts it.</summary>
    public async Task BeginAsync()
    {
        Certificate = MakeCertificate();
        File.WriteAllText(FileOf("authority.pem"), Authority.ExportCertificatePem());
        File.WriteAllText(FileOf(".erlang.cookie"), _cookie);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(FileOf(".erlang.cookie"), UnixFileMode.UserRead);
        }
        File.WriteAllText(FileOf("rabbitmq.conf"), $"""
            listeners.tcp.default = 127.0.0.1:{_port}
            listeners.ssl.default = 127.0.0.1:{_tlsPort}
            ssl_options.certfile = {FileOf("certificate.pem")}
            ssl_options.keyfile = {FileOf("key.pem")}
            ssl_options.cacertfile = {FileOf("authority.pem")}
            ssl_options.verify = verify_peer
            ssl_options.fail_if_no_peer_cert = false
            ssl_cert_login_from = common_name
            auth_mechanisms.1 = PLAIN
            auth_mechanisms.2 = AMQPLAIN
            auth_mechanisms.3 = EXTERNAL
            max_message_size = {MaxMessageSize}
            log.console = false
            {Joining}

            """);
        File.WriteAllText(FileOf("enabled_plugins"), "[rabbitmq_auth_mechanism_ssl].");
        _epmd = first is null ? Start("epmd", "-port", $"{_names}", "-address", "127.0.0.1") : null;
        await StartAsync();
    }

    /// <summary>Starts it, and returns when it takes connections.</summary>
    public async Task StartAsync()
    {
        _beam = Start(Program!);
        await using IConnection connection = await ConnectAsync();
    }

    /// <summary>Runs <c>rabbitmqctl</c> for this node.</summary>
    /// <returns>What it says.</returns>
    /// <exception cref="InvalidOperationException">It failed.</exception>
    public async Task<string> ControlAsync(params string[] arguments)
    {
        using Process process = Process.Start(StartInfo(Path.Combine(Path.GetDirectoryName(Program!)!, "rabbitmqctl"), arguments))!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"rabbitmqctl {string.Join(' ', arguments)}: {await error} {output}");
    }

    /// <summary>SIGKILL to its process.</summary>
    public void Kill() => Kill(ref _beam);

    /// <summary>Connects to it. One that starts may take a connection, and refuse or end the next one.</summary>
    public async Task<IConnection> ConnectAsync()
    {
        var factory = new ConnectionFactory { HostName = "127.0.0.1", Port = _port };
        for (var giveUp = Stopwatch.StartNew(); ; await Task.Delay(50))
        {
            try
            {
                return await factory.CreateConnectionAsync();
            }
            catch (Exception exception) when (_beam is { HasExited: true })
            {
                throw new InvalidOperationException($"The broker has ended with {_beam.ExitCode}: {LastWords()}", exception);
            }
            catch (Exception) when (giveUp.Elapsed < Patience && _beam is not null)
            {
                // It is not ready.
            }
        }
    }

    private string LastWords() => !Directory.Exists(FileOf("log")) ? "it has no log" : string.Join(
        '\n', Directory.EnumerateFiles(FileOf("log")).SelectMany(static file => File.ReadLines(file).TakeLast(30)));

    /// <summary>Kills it, and deletes its directory.</summary>
    public void End()
    {
        Kill(ref _beam);
        Kill(ref _epmd);
        Directory.Delete(_directory, recursive: true);
    }

    private Process Start(string program, params string[] arguments)
    {
        Process process = Process.Start(StartInfo(program, arguments))!;
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }

    private ProcessStartInfo StartInfo(string program, string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = _directory,
        };
        foreach ((string name, string value) in Environment())
        {
            start.Environment[name] = value;
        }
        return start;
    }

    private Dictionary<string, string> Environment() => new()
    {
        ["HOME"] = _directory,
        ["RABBITMQ_NODENAME"] = Node,
        ["RABBITMQ_DIST_PORT"] = $"{_distribution}",
        ["ERL_EPMD_PORT"] = $"{_names}",
        ["RABBITMQ_MNESIA_BASE"] = FileOf("data"),
        ["RABBITMQ_LOG_BASE"] = FileOf("log"),
        ["RABBITMQ_CONFIG_FILE"] = FileOf("rabbitmq"),
        ["RABBITMQ_CONF_ENV_FILE"] = FileOf("none"),
        ["RABBITMQ_ENABLED_PLUGINS_FILE"] = FileOf("enabled_plugins"),
        ["RABBITMQ_PID_FILE"] = FileOf("pid"),
        // Its threads sleep when they have nothing to do: the processors are for the processes around it.
        ["RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"] = "+sbwt none +sbwtdcpu none +sbwtdio none",
    };

    private string FileOf(string name) => Path.Combine(_directory, name);

    private X509Certificate2 MakeCertificate()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        X509Certificate2 made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        File.WriteAllText(FileOf("certificate.pem"), made.ExportCertificatePem());
        File.WriteAllText(FileOf("key.pem"), key.ExportPkcs8PrivateKeyPem());
        return made;
    }

    private static void Kill(ref Process? process)
    {
        if (process is null)
        {
            return;
        }
        process.Kill(entireProcessTree: true);
        process.WaitForExit();
        process.Dispose();
        process = null;
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static string? FindProgram()
    {
        const string Root = "/usr/lib/rabbitmq/lib";
        return !Directory.Exists(Root)
            ? null
            : Directory.EnumerateDirectories(Root, "rabbitmq_server-*")
                .Select(static one => Path.Combine(one, "sbin", "rabbitmq-server")).FirstOrDefault(File.Exists);
    }
}
