using System.Security.Cryptography;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Quickstart;

/// <summary>
/// Writes lines to where they stood. Doing so twice changes nothing, so a message may come again. The file written last stays open.
/// </summary>
internal sealed class RebuiltFiles(string root) : IDisposable
{
    private byte[] _bytes = [];
    private string? _name;
    private SafeFileHandle? _file;
    private long _length;

    /// <summary>Does what a message says.</summary>
    /// <returns>false when its bytes had been there before.</returns>
    public bool Write(TextLine line) => line.Kind switch
    {
        LineKind.Line => WriteLine(line),
        LineKind.EndOfFile => End(line),
        LineKind.FileDropped => Drop(line),
        _ => true,
    };

    /// <summary>Hashes what is on the disk now.</summary>
    public void Prove(string manifestPath)
    {
        Close();
        using var manifest = new Manifest(manifestPath);
        var everything = new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 };
        foreach (string path in Directory.EnumerateFiles(root, "*", everything))
        {
            using FileStream file = File.OpenRead(path);
            string name = Path.GetRelativePath(root, path).Replace(Path.DirectorySeparatorChar, '/');
            manifest.Add(new FileProof(name, Convert.ToHexString(SHA256.HashData(file)), file.Length));
        }
    }

    public void Dispose() => Close();

    private bool WriteLine(TextLine line)
    {
        SafeFileHandle file = Open(line.File!);
        RandomAccess.Write(file, line.Raw is { } raw ? raw : Encode(line.Text!), line.Start);
        bool isNew = line.Start >= _length;
        _length = Math.Max(_length, line.End);
        return isNew;
    }

    private bool End(TextLine line)
    {
        RandomAccess.SetLength(Open(line.File!), line.End);
        Close();
        return true;
    }

    private bool Drop(TextLine line)
    {
        Close();
        File.Delete(PathOf(line.File!));
        return true;
    }

    private SafeFileHandle Open(string name)
    {
        if (_file is null || _name != name)
        {
            Close();
            Directory.CreateDirectory(Path.GetDirectoryName(PathOf(name))!);
            _file = File.OpenHandle(PathOf(name), FileMode.OpenOrCreate, FileAccess.ReadWrite);
            _name = name;
            _length = RandomAccess.GetLength(_file);
        }
        return _file;
    }

    private void Close()
    {
        _file?.Dispose();
        _file = null;
    }

    private ReadOnlySpan<byte> Encode(string text)
    {
        int most = Encoding.UTF8.GetMaxByteCount(text.Length);
        if (_bytes.Length < most)
        {
            _bytes = new byte[Math.Max(most, 2 * _bytes.Length)];
        }
        return _bytes.AsSpan(0, Encoding.UTF8.GetBytes(text, _bytes));
    }

    private string PathOf(string name) => Path.Combine(root, name);
}
