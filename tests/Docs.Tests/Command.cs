using System.Diagnostics;
using System.Text;

namespace BlitQueue.Docs;

/// <summary>A process that a test starts; it ends with the test.</summary>
internal sealed class Command : IDisposable
{
    private readonly Process _process;
    private readonly string _line;
    private readonly StringBuilder _errors = new(), _output = new();

    private Command(string folder, string program, IReadOnlyCollection<string> arguments, IReadOnlyDictionary<string, string>? environment)
    {
        _line = $"{Path.GetFileNameWithoutExtension(program)} {string.Join(' ', arguments)}";
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        CommandEnvironment.Set(start, environment);
        _process = Process.Start(start)!;
        _process.OutputDataReceived += (_, line) => Note(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Note(_errors, line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        _process.StandardInput.Close();
    }

    /// <summary>The .NET host that runs the tests.</summary>
    public static string Dotnet => Environment.ProcessPath!;

    public int Id => _process.Id;

    public static Command Start(
        string folder, string program, IReadOnlyCollection<string> arguments, IReadOnlyDictionary<string, string>? environment = null) =>
        new(folder, program, arguments, environment);

    /// <summary>Runs a command to its end, which must be a good one.</summary>
    /// <returns>What it wrote to its output, lines ended by \n.</returns>
    public static string Run(
        string folder, string program, IReadOnlyCollection<string> arguments, IReadOnlyDictionary<string, string>? environment = null)
    {
        using var command = new Command(folder, program, arguments, environment);
        return command.End();
    }

    /// <summary>What it has written until now.</summary>
    public string Output => Text(_output);

    /// <summary>Waits for a good end.</summary>
    public string End()
    {
        int code = Wait();
        Assert.True(code == 0, $"{_line} ended with {code}:\n{Output}{Text(_errors)}");
        return Output;
    }

    /// <summary>Waits for the end.</summary>
    /// <returns>The exit code.</returns>
    public int Wait()
    {
        if (!_process.WaitForExit(TimeSpan.FromMinutes(5)))
        {
            _process.Kill(entireProcessTree: true);
            Assert.Fail($"{_line} did not end:\n{Output}{Text(_errors)}");
        }
        // Without a time the call also waits for the last of the output.
        _process.WaitForExit();
        return _process.ExitCode;
    }

    /// <summary>Waits until it has written the text.</summary>
    public void WaitFor(string text)
    {
        bool said = SpinWait.SpinUntil(
            () => Output.Contains(text, StringComparison.Ordinal) || _process.HasExited, TimeSpan.FromMinutes(1));
        Assert.True(said && Output.Contains(text, StringComparison.Ordinal), $"{_line} did not say '{text}':\n{Output}{Text(_errors)}");
    }

    /// <summary>SIGKILL.</summary>
    public void Kill()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
    }

    private static void Note(StringBuilder text, string? line)
    {
        lock (text)
        {
            if (line is not null)
            {
                text.Append(line).Append('\n');
            }
        }
    }

    private static string Text(StringBuilder text)
    {
        lock (text)
        {
            return text.ToString();
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            Kill();
        }
        _process.Dispose();
    }
}
