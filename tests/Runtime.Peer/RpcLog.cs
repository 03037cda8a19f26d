using System.Text;

namespace BlitQueue.Peer;

/// <summary>Lines that are in the kernel's hands before the process goes on, so that they survive it.</summary>
internal sealed class RpcLog(string path) : IDisposable
{
    private readonly Lock _sync = new();
    private readonly FileStream _file = new(path, FileMode.Append, FileAccess.Write, FileShare.Read, bufferSize: 0);

    public void Note(string line)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(line + "\n");
        lock (_sync)
        {
            _file.Write(bytes);
        }
    }

    public void Dispose() => _file.Dispose();
}
