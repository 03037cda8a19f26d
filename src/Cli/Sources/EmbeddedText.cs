namespace BlitQueue.Cli.Sources;

/// <summary>Files in the assembly: what each generated file contains, the same for all schemas, and the page for a browser.</summary>
internal static class EmbeddedText
{
    /// <summary>The text of a file.</summary>
    public static string Of(string file)
    {
        using Stream stream = typeof(EmbeddedText).Assembly.GetManifestResourceStream(file)
            ?? throw new InvalidOperationException($"{file} is not in the assembly.");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
