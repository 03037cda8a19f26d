namespace BlitQueue.Clients;

/// <summary>A directory for one test.</summary>
internal sealed class Folder : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("blitqueue-clients-");

    public string Path => _root.FullName;

    public string Of(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    public void Dispose() => _root.Delete(recursive: true);
}
