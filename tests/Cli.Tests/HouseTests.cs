using System.Text.RegularExpressions;

namespace BlitQueue.Tool;

/// <summary>The folders of src/Cli, from the bottom: a file names nothing from a folder further up.</summary>
public sealed partial class HouseTests
{
    private static readonly string[] Folders =
        ["Schemas", "Wire", "Sources", "Codecs", "Lines", "Output", "Queues", "Bridging", "Serving", "Commands"];

    [Fact]
    public void No_file_names_a_folder_further_up()
    {
        List<string> faults = [];
        string root = Path.Combine(Blitq.Root(), "src", "Cli");
        Assert.Equal(
            Folders.Order(),
            Directory.GetDirectories(root).Select(static path => Path.GetFileName(path))
                .Where(static name => name is not ("bin" or "obj")).Order());
        foreach (string file in Folders.SelectMany(folder => Directory.GetFiles(Path.Combine(root, folder), "*.cs")))
        {
            int own = Array.IndexOf(Folders, Path.GetFileName(Path.GetDirectoryName(file)));
            faults.AddRange(
                Usings().Matches(File.ReadAllText(file)).Select(static match => match.Groups[1].Value)
                    .Where(used => Array.IndexOf(Folders, used) > own).Select(used => $"{Path.GetFileName(file)} uses {used}"));
        }

        Assert.Empty(faults);
    }

    [GeneratedRegex("BlitQueue\\.Cli\\.([A-Z][a-z]+)")]
    private static partial Regex Usings();
}
