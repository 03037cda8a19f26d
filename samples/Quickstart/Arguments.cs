namespace Quickstart;

/// <summary>What the user asked for.</summary>
/// <param name="Path">A folder, a file, or <see cref="StandardInput"/>.</param>
/// <param name="Kill">Whether both processes are to be killed and replaced midway.</param>
internal sealed record Arguments(string Path, bool Kill)
{
    public const string StandardInput = "-";

    private const string Usage = """
        Usage: dotnet run -c Release --project samples/Quickstart [path] [--kill]

          path     a folder, a file, or - for standard input; without it, this repository
          --kill   kill the consumer, then the producer, midway, and go on with new ones
        """;

    /// <exception cref="ArgumentsException">They cannot be understood, or the path is not there.</exception>
    public static Arguments Parse(string[] args)
    {
        string? path = null;
        bool kill = false;
        foreach (string arg in args)
        {
            switch (arg)
            {
                case "--kill":
                    kill = true;
                    break;
                case "-h" or "--help":
                    throw new ArgumentsException(Usage, isHelp: true);
                case [] or ['-', _, ..]:
                    throw new ArgumentsException($"Unknown argument '{arg}'.\n\n{Usage}");
                default:
                    path = path is null ? arg : throw new ArgumentsException($"More than one path: '{path}' and '{arg}'.\n\n{Usage}");
                    break;
            }
        }
        return new Arguments(Existing(path ?? ThisRepository()), kill);
    }

    private static string Existing(string path) =>
        path == StandardInput ? path
        : System.IO.Path.Exists(path) ? System.IO.Path.GetFullPath(path)
        : throw new ArgumentsException($"No such file or folder: '{path}'.");

    // The folder of the solution, from here upwards, so that the sample has real files to send wherever it is started.
    private static string ThisRepository()
    {
        string here = Directory.GetCurrentDirectory();
        for (DirectoryInfo? folder = new(here); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(System.IO.Path.Combine(folder.FullName, "Solution.sln")))
            {
                return folder.FullName;
            }
        }
        return here;
    }
}
