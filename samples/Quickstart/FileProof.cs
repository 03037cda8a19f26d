namespace Quickstart;

/// <summary>What one side saw of a file.</summary>
/// <param name="Name">The file.</param>
/// <param name="Hash">SHA-256 of its bytes.</param>
/// <param name="Length">How many there were.</param>
internal sealed record FileProof(string Name, string Hash, long Length);
