using System.Security.Cryptography;

namespace BlitQueue.Clients;

/// <summary>What a directory contains: names, times of the last change, sums of the contents.</summary>
internal static class Snapshot
{
    public static string Of(string directory) => string.Join('\n', Directory
        .GetFileSystemEntries(directory, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
        .Select(static path => $"{path} {File.GetLastWriteTimeUtc(path):O} {(Directory.Exists(path) ? "" : Sum(path))}"));

    private static string Sum(string path) => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path)));
}
