using System.Security.Cryptography;

namespace BlitQueue.Tool;

/// <summary>A directory for one test.</summary>
internal sealed class Folder : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("blitqueue-cli-");

    public string Path => _root.FullName;

    public string Of(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <summary>Everything in a directory: names, rights, times of the last change, sums of the contents.</summary>
    public static string Snapshot(string path, string except = "") => !Directory.Exists(path)
        ? File.Exists(path) ? Line(path) : "nothing"
        : string.Join('\n', Directory.GetFileSystemEntries(path, "*", SearchOption.AllDirectories)
            .Where(one => System.IO.Path.GetFileName(one) != except).Order(StringComparer.Ordinal).Select(Line));

    /// <summary>
    /// The same, once nothing changes any more: a thread of a queue that was disposed just now may still be making or giving up a segment
    /// where the machine is busy.
    /// </summary>
    public static string SettledSnapshot(string path, string except = "")
    {
        for (string last = ""; ;)
        {
            string now = Snapshot(path, except);
            if (now == last)
            {
                return now;
            }
            last = now;
            Thread.Sleep(100);
        }
    }

    private static string Line(string path)
    {
        try
        {
            return $"{path} {File.GetUnixFileMode(path)} {File.GetLastWriteTimeUtc(path):O} {(Directory.Exists(path) ? "" : Sum(path))}";
        }
        catch (FileNotFoundException)
        {
            // A thread of the queue's has renamed or deleted it since the names were listed: no other snapshot has this line.
            return $"{path} was there until now";
        }
    }

    private static string Sum(string path) => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path)));

    public void Dispose() => _root.Delete(recursive: true);
}
