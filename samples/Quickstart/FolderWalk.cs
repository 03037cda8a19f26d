namespace Quickstart;

/// <summary>Finds the regular, readable files below a folder, and notes what it leaves out.</summary>
internal sealed class FolderWalk(string root)
{
    private readonly List<InputFile> _files = [];
    private readonly List<string> _notes = [];

    public IReadOnlyList<InputFile> Files => _files;

    public IReadOnlyList<string> Notes => _notes;

    public void Run() => Visit(new DirectoryInfo(root));

    private void Visit(DirectoryInfo folder)
    {
        foreach (FileSystemInfo entry in Entries(folder))
        {
            // A link to a folder could lead round in circles.
            if (entry is DirectoryInfo inner && entry.LinkTarget is null)
            {
                Visit(inner);
            }
            else if (RegularFile.WhyNot(entry.FullName) is { } reason)
            {
                _notes.Add($"{NameOf(entry)}: {reason}");
            }
            else
            {
                _files.Add(new InputFile(NameOf(entry), entry.FullName, ((FileInfo)entry).Length));
            }
        }
    }

    private IEnumerable<FileSystemInfo> Entries(DirectoryInfo folder)
    {
        try
        {
            return folder.GetFileSystemInfos().OrderBy(entry => entry.Name, StringComparer.Ordinal);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            _notes.Add($"{NameOf(folder)}: {exception.Message}");
            return [];
        }
    }

    private string NameOf(FileSystemInfo entry) => Path.GetRelativePath(root, entry.FullName).Replace(Path.DirectorySeparatorChar, '/');
}
