namespace BlitQueue.Cli.Sources;

/// <summary>Source text that each generated file contains, the same for all schemas.</summary>
internal static class EmbeddedText
{
    /// <summary>The text of a file in this folder.</summary>
    public static string Of(string file)
    {
        using Stream stream = typeof(EmbeddedText).Assembly.GetManifestResourceStream(file)
            ?? throw new InvalidOperationException($"{file} is not in the assembly.");
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
