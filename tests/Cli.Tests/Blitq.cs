using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;

namespace BlitQueue.Tool;

/// <summary>Runs the tool as a user does.</summary>
internal static class Blitq
{
#if DEBUG
    private const string Configuration = "Debug";
#else
    private const string Configuration = "Release";
#endif

    /// <summary>The executable.</summary>
    public static string Program { get; } = Path.Combine(Root(), "src", "Cli", "bin", Configuration, "net10.0", "blitq");

    /// <summary>The directory that the repository is in.</summary>
    public static string Root([CallerFilePath] string self = "")
        => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(self)!, "..", ".."));

    /// <summary>In front of a command: it runs as a user who owns nothing.</summary>
    public static string[] Nobody { get; } = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

    /// <summary>Runs it to its end.</summary>
    public static Outcome Run(params ReadOnlySpan<string> arguments) => RunIn(".", "", [Program, .. arguments]);

    /// <summary>Runs it with an input.</summary>
    public static Outcome RunWith(string input, params ReadOnlySpan<string> arguments) => RunIn(".", input, [Program, .. arguments]);

    /// <summary>Runs it, expects the exit code 0, and parses each line of its output.</summary>
    public static List<JsonElement> Json(params ReadOnlySpan<string> arguments)
    {
        Outcome outcome = Run(arguments);
        Assert.True(outcome.Code == 0, $"{outcome.Code} {outcome.Error}");
        return [.. outcome.Lines.Select(static line => JsonDocument.Parse(line, new JsonDocumentOptions { MaxDepth = 1000 }).RootElement)];
    }

    /// <summary>Starts it, for tests that look at it while it runs.</summary>
    public static Process Start(string directory, params string[] command)
    {
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            WorkingDirectory = directory,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
        };
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        start.Environment["PYTHONPATH"] = Path.Combine(Root(), "clients", "python");
        return Process.Start(start)!;
    }

    /// <summary>Runs any command to its end.</summary>
    public static Outcome RunIn(string directory, string input, params string[] command)
    {
        using Process process = Start(directory, command);
        Task<string> error = process.StandardError.ReadToEndAsync();
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        process.StandardInput.Write(input);
        process.StandardInput.Close();
        process.WaitForExit();
        return new Outcome(process.ExitCode, output.Result, error.Result);
    }
}
