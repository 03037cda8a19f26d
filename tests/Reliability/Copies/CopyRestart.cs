using System.Text;
using BlitQueue.Log;

namespace BlitQueue.Reliability.Copies;

/// <summary>Makes a copy look as if it came from another boot of the system.</summary>
internal static class CopyRestart
{
    /// <param name="path">The directory of a queue, or of a store, whose queues are not touched.</param>
    public static void Pretend(string path)
    {
        foreach (string words in (string[])[StoreFormat.ControlName, TransactionFormat.FileName])
        {
            if (File.Exists(Path.Combine(path, words)))
            {
                Write(path, words, ControlFormat.BootOffset, Encoding.ASCII.GetBytes("another boot of this machine        "));
            }
        }
        foreach (string name in Directory.EnumerateFiles(path, StoreFormat.SubscriptionPrefix + "*"))
        {
            Write(path, Path.GetFileName(name), SubscriptionFormat.BootOffset, [0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE]);
        }
    }

    private static void Write(string path, string name, long offset, byte[] bytes)
    {
        using FileStream file = File.OpenWrite(Path.Combine(path, name));
        file.Position = offset;
        file.Write(bytes);
    }
}
