namespace Quickstart;

/// <summary>The folder that the three processes share: the queue, the rebuilt files, and what they tell each other.</summary>
internal sealed class Workspace(string folder)
{
    public string Folder => folder;

    /// <summary>The queue's directory.</summary>
    public string Queue => Path.Combine(folder, "queue");

    /// <summary>Where the consumer rebuilds the files.</summary>
    public string Rebuilt => Path.Combine(folder, "rebuilt");

    /// <summary>A copy of standard input, so that a new producer can read it again.</summary>
    public string StandardInput => Path.Combine(folder, "standard-input");

    /// <summary>The files to send.</summary>
    public string InputList => Path.Combine(folder, "input-list");

    /// <summary>What the producer sent.</summary>
    public string SentManifest => Path.Combine(folder, "sent");

    /// <summary>What the consumer rebuilt.</summary>
    public string RebuiltManifest => Path.Combine(folder, "rebuilt-manifest");

    /// <summary>The counters.</summary>
    public string Scoreboard => Path.Combine(folder, "scoreboard");

    public static Workspace Create()
    {
        var workspace = new Workspace(Directory.CreateTempSubdirectory("blitqueue-quickstart-").FullName);
        Directory.CreateDirectory(workspace.Rebuilt);
        return workspace;
    }

    public void Delete() => Directory.Delete(folder, recursive: true);
}
