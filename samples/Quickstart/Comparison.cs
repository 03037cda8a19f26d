namespace Quickstart;

/// <summary>The proof: SHA-256 of what the producer read, against SHA-256 of what the consumer rebuilt.</summary>
/// <param name="Files">How many files were compared.</param>
/// <param name="Bytes">Their length.</param>
/// <param name="Different">What differs: one line each.</param>
internal sealed record Comparison(int Files, long Bytes, IReadOnlyList<string> Different)
{
    public static Comparison Of(Workspace workspace)
    {
        using var sentManifest = new Manifest(workspace.SentManifest);
        using var rebuiltManifest = new Manifest(workspace.RebuiltManifest);
        IReadOnlyDictionary<string, FileProof> sent = sentManifest.Proofs, rebuilt = rebuiltManifest.Proofs;

        string[] names = [.. sent.Keys.Union(rebuilt.Keys)];
        string[] different = [.. names
            .Select(name => Difference(name, sent.GetValueOrDefault(name), rebuilt.GetValueOrDefault(name)))
            .OfType<string>()];
        return new Comparison(names.Length, sent.Values.Sum(proof => proof.Length), different);
    }

    private static string? Difference(string name, FileProof? sent, FileProof? rebuilt) =>
        sent == rebuilt ? null : $"{name}: sent {Describe(sent)}, rebuilt {Describe(rebuilt)}";

    private static string Describe(FileProof? proof) => proof is null ? "nothing" : $"{proof.Length} bytes, SHA-256 {proof.Hash}";
}
