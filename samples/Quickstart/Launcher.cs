using System.Security.Cryptography;
using BlitQueue;

namespace Quickstart;

/// <summary>The process that the user started: it starts the other two, and compares what went in with what came out.</summary>
internal sealed class Launcher(Workspace workspace, CancellationToken interrupt)
{
    // A link to a folder could lead round in circles.
    private static readonly EnumerationOptions All = new() { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint };

    /// <summary>Sends a folder, a file or standard input.</summary>
    /// <returns>Whether what came out is what went in.</returns>
    public async Task<bool> RunAsync(string path, bool kill)
    {
        List<SourceFile> input = Directory.Exists(path) ? FilesBelow(path) : [await OneFileAsync(path)];
        long bytes = input.Sum(static file => file.Length);
        Console.WriteLine($"BlitQueue quickstart: {Count(input.Count)}, {bytes:N0} bytes from {path}");
        using (MappedQueue<SourceFile> files = workspace.OpenFilesToSend())
        {
            input.ForEach(file => files.Enqueue(in file));
            files.Enqueue(new SourceFile());
        }
        await SendAsync(bytes, kill && bytes > 0);
        return Compare(input);
    }

    private async Task SendAsync(long bytes, bool kill)
    {
        using var consumer = new Worker(Program.ConsumerVerb, workspace, kill ? bytes / 3 : KillPoint.Never);
        using var producer = new Worker(Program.ProducerVerb, workspace, kill ? bytes - (bytes / 3) : KillPoint.Never);
        Console.WriteLine($"  the {producer.Name} sends each line, the {consumer.Name} rebuilds the files");
        if (kill)
        {
            await Task.WhenAny(consumer.KillAndReplaceAsync(), producer.WaitForEndAsync()).Unwrap().WaitAsync(interrupt);
            await Task.WhenAny(producer.KillAndReplaceAsync(), consumer.WaitForEndAsync()).Unwrap().WaitAsync(interrupt);
        }
        await foreach (Task end in Task.WhenEach(producer.WaitForEndAsync(), consumer.WaitForEndAsync()).WithCancellation(interrupt))
        {
            await end;
        }
    }

    private bool Compare(List<SourceFile> input)
    {
        using MappedQueue<SourceFile> sentFiles = workspace.OpenSentFiles();
        var sent = new Dictionary<string, string?>();
        for (SourceFile? file = null; sentFiles.TryDequeue(ref file);)
        {
            sent[file!.Name!] = file.Hash;
        }
        var rebuilt = FilesBelow(workspace.Rebuilt).ToDictionary(file => file.Name!, file => HashOf(file.Path!));
        string[] different = [.. input.Select(static file => file.Name!).Union(rebuilt.Keys)
            .Where(name => !sent.TryGetValue(name, out string? hash) || hash != rebuilt.GetValueOrDefault(name))];
        Array.ForEach(different, static name => Console.WriteLine($"  different: {name}"));
        Console.WriteLine(different is [] ? $"{Count(rebuilt.Count)}, all SHA-256 equal" : $"{Count(different.Length)} different");
        return different is [];
    }

    private static List<SourceFile> FilesBelow(string folder) =>
        [.. new DirectoryInfo(folder).EnumerateFiles("*", All).Select(file =>
            new SourceFile { Name = Path.GetRelativePath(folder, file.FullName), Path = file.FullName, Length = file.Length })];

    // What can be read but once, such as standard input, is copied, so that a new producer can read it again.
    private async Task<SourceFile> OneFileAsync(string path)
    {
        using Stream source = path == "-" ? Console.OpenStandardInput() : File.OpenRead(path);
        if (source.CanSeek)
        {
            return new SourceFile { Name = Path.GetFileName(path), Path = Path.GetFullPath(path), Length = source.Length };
        }
        using FileStream copy = File.Create(Path.Combine(workspace.Folder, "copy"));
        // A read from a terminal cannot be cancelled, but it need not be waited for either.
        await source.CopyToAsync(copy, interrupt).WaitAsync(interrupt);
        return new SourceFile { Name = "copy", Path = copy.Name, Length = copy.Length };
    }

    private static string HashOf(string path)
    {
        using FileStream file = File.OpenRead(path);
        return Convert.ToHexString(SHA256.HashData(file));
    }

    private static string Count(int files) => files == 1 ? "1 file" : $"{files:N0} files";
}
