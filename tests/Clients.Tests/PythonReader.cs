using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;

namespace BlitQueue.Clients;

/// <summary>A process that runs clients/python/tests/canonical.py, which reads what it is told and gives the canonical texts.</summary>
internal sealed class PythonReader : IDisposable
{
    /// <summary>The interpreter; tests without one are left out.</summary>
    public const string Interpreter = "python3";

    private readonly Process _process;

    /// <summary>Starts the process.</summary>
    /// <param name="isSparse">Whether the texts leave out members with default values.</param>
    public PythonReader(bool isSparse = false) => _process = Start([Script, isSparse ? "serve-sparse" : "serve"], redirectInput: true);

    /// <summary>Whether there is an interpreter that is new enough.</summary>
    public static bool IsThere { get; } = Look();

    private static string Script => Path.Combine(Root(), "clients", "python", "tests", "canonical.py");

    /// <summary>The texts of a queue's messages; the last line is "end", or says why reading ended before.</summary>
    public IReadOnlyList<string> Queue(string directory) => Ask("queue", directory);

    /// <summary>The text of a packed message, as <see cref="Queue"/> gives those of a queue.</summary>
    public IReadOnlyList<string> Message(string schema, ReadOnlySpan<byte> packed) => Ask("bytes", schema, Convert.ToHexString(packed));

    /// <summary>Runs the interpreter to its end, whose exit code is 0.</summary>
    /// <returns>The lines of its output.</returns>
    public static IEnumerable<string> Run(params string[] arguments) => RunTo([0], arguments);

    /// <summary>Runs the interpreter to its end, whose exit code is one of these.</summary>
    /// <returns>The lines of its output.</returns>
    public static IEnumerable<string> RunTo(int[] codes, params string[] arguments)
    {
        using Process process = Start(arguments, redirectInput: false);
        while (process.StandardOutput.ReadLine() is { } line)
        {
            yield return line;
        }

        process.WaitForExit();
        Assert.Contains(process.ExitCode, codes);
    }

    /// <summary>Reads whole queues, one after the other.</summary>
    public static IEnumerable<string> Queues(params IEnumerable<string> directories) => Run([Script, "queues", .. directories]);

    /// <summary>The directory that the repository is in.</summary>
    public static string Root([CallerFilePath] string self = "")
        => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(self)!, "..", ".."));

    private List<string> Ask(params string[] words)
    {
        _process.StandardInput.WriteLine(JsonSerializer.Serialize(words));
        _process.StandardInput.Flush();
        List<string> lines = [];
        do
        {
            lines.Add(_process.StandardOutput.ReadLine() ?? throw new InvalidOperationException($"{Script} ended at {words[^1]}."));
        }
        while (!IsLast(lines[^1]));

        return lines;
    }

    private static bool IsLast(string line)
        => line == "end" || line.StartsWith("damaged: ", StringComparison.Ordinal)
        || line.StartsWith("refused: ", StringComparison.Ordinal);

    private static Process Start(string[] arguments, bool redirectInput)
    {
        var start = new ProcessStartInfo(Interpreter, arguments)
        {
            RedirectStandardInput = redirectInput,
            RedirectStandardOutput = true,
            StandardOutputEncoding = Encoding.UTF8,
        };

        // It leaves nothing beside the sources.
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        start.Environment["PYTHONPATH"] = Path.Combine(Root(), "clients", "python");
        return Process.Start(start)!;
    }

    private static bool Look()
    {
        try
        {
            return Run("-c", "import sys; print(sys.version_info >= (3, 11))").First() == "True";
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }
}
