namespace Quickstart;

/// <summary>A file to send.</summary>
/// <param name="Name">Its name for the consumer: relative, with slashes.</param>
/// <param name="Path">Where it is.</param>
/// <param name="Length">Its length when it was found.</param>
internal sealed record InputFile(string Name, string Path, long Length);
