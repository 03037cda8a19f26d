using System.Text;

namespace Quickstart;

/// <summary>
/// The proofs of one side, appended one by one. It is the producer's checkpoint too: what stands in it need not be sent again.
/// </summary>
internal sealed class Manifest : IDisposable
{
    private readonly FileStream _file;

    /// <summary>Goes on behind the last whole entry: a killed process may have left half of one.</summary>
    public Manifest(string path)
    {
        _file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0);
        byte[] content = new byte[_file.Length];
        _file.ReadExactly(content);
        int whole = content.AsSpan().LastIndexOf((byte)'\0') + 1;
        Proofs = Parse(Encoding.UTF8.GetString(content, 0, whole));
        _file.SetLength(whole);
        _file.Position = whole;
    }

    /// <summary>What stood in the file when it was opened, by name. The last proof of a file counts.</summary>
    public IReadOnlyDictionary<string, FileProof> Proofs { get; }

    public void Add(FileProof proof) => _file.Write(Encoding.UTF8.GetBytes($"{proof.Hash} {proof.Length} {proof.Name}\0"));

    public void Dispose() => _file.Dispose();

    private static Dictionary<string, FileProof> Parse(string content)
    {
        var proofs = new Dictionary<string, FileProof>();
        foreach (string entry in content.Split('\0', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] fields = entry.Split(' ', 3);
            proofs[fields[2]] = new FileProof(fields[2], fields[0], long.Parse(fields[1]));
        }
        return proofs;
    }
}
