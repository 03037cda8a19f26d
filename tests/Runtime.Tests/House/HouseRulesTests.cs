using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using BlitQueue.Log;

namespace BlitQueue.Tests.House;

/// <summary>Keeps the rules of the house by reading the source text.</summary>
public sealed partial class HouseRulesTests
{
    // Bottom up: a file may name what stands on its own floor or below.
    private static readonly string[] Floors = ["Platform", "Memory", "Packing", "Log", "Sharing", "Queue", "Calls"];

    // The folders of a floor, bottom up, by the same rule. What stands in none is above them all.
    private static readonly Dictionary<string, string[]> Folders = new()
    {
        ["Packing"] = ["Schema", "Wire", "Streams", "Packers", "Generated", "Views"],
        ["Log"] =
        [
            "FailPoints", "Format", "Files", "Segments", "Subscriptions", "Lifecycle", "Durability", "Append", "Consume", "Waiting",
            "Recovery", "Store", "Backup",
        ],
        ["Queue"] = ["Options", "Telemetry", "Producing", "Consuming"],
        ["Calls"] = ["Format"],
    };

    // A folder with more files is a hall, in which nobody finds anything.
    private const int MostFilesInAFolder = 40;

    private const int MostFilesOfBench = 89;

    // Of options: a message's producer, and what becomes of an expired message.
    private static readonly string[] MembersNamedLikeTypes = ["Producer", "DeadLetter"];

    // Beside the floors: attributes are named by any floor and name none.
    private const string Attributes = "Attributes";

    private static readonly List<SourceFile> Files = ReadRuntime();

    [Fact]
    public void The_source_is_found() => Assert.Contains(Files, file => file is { Floor: "Packing", Name: "PackWriter" });

    [Fact]
    public void Every_file_stands_on_a_floor()
        => Assert.Empty(
            Files.Where(file => file.Floor != Attributes && !Floors.Contains(file.Floor) && file.Floor != "Errors")
                .Select(file => file.Path));

    [Fact]
    public void No_file_names_a_type_of_a_higher_floor()
    {
        var faults = new List<string>();
        foreach (string floor in Floors)
        {
            int height = Array.IndexOf(Floors, floor);
            var above = Files.Where(file => Array.IndexOf(Floors, file.Floor) > height).SelectMany(file => file.Types).ToHashSet();
            foreach (SourceFile? file in Files.Where(file => file.Floor == floor))
            {
                // What a text tells people to call is named by its text alone.
                faults.AddRange(
                    Words().Matches(Texts().Replace(file.Text, "")).Select(word => word.Value).Distinct().Where(above.Contains)
                        .Select(word => $"{file.Path} names {word}"));
            }
        }

        Assert.Empty(faults);
    }

    [Fact]
    public void Every_folder_is_listed_on_its_floor() => Assert.Empty(
        from file in Files
        where file.Folder.Length > 0 && !(Folders.TryGetValue(file.Floor, out string[]? folders) && folders.Contains(file.Folder))
        select file.Path);

    [Fact]
    public void No_file_names_a_type_of_a_higher_folder()
        => Assert.Empty(
            HousePicture.Arrows(Files, Folders, MembersNamedLikeTypes).Where(arrow => arrow.IsUpward)
                .Select(arrow => $"{arrow.From.Path} names {arrow.Type}"));

    [Fact]
    public void No_folder_has_more_files_than_a_reader_can_look_over()
        => Assert.Empty(
            from path in Directory.EnumerateFiles(Path.Combine(Root(), "src"), "*.cs", SearchOption.AllDirectories)
            let folder = Path.GetRelativePath(Root(), Path.GetDirectoryName(path)!).Replace('\\', '/')
            where !folder.Contains("/obj") && !folder.Contains("/bin")
            group path by folder into files
            where files.Count() > MostFilesInAFolder
            select $"{files.Key} has {files.Count()} files");

    [Fact]
    public void The_benchmarks_have_as_many_files_as_ideas()
        => Assert.InRange(
            Directory.EnumerateFiles(Path.Combine(Root(), "bench"), "*.cs", SearchOption.AllDirectories)
                .Count(path => !path.Contains("/obj/") && !path.Contains("/bin/")),
            1, MostFilesOfBench);

    /// <summary>Drawn anew with <c>BLITQUEUE_DRAW=1</c>; else compared, so that it cannot tell of a house that is no more.</summary>
    [Fact]
    public void The_picture_of_the_house_is_that_of_the_code()
    {
        string path = Path.Combine(Root(), "docs", "architecture.svg"),
            drawn = HousePicture.Draw(Files, Floors, Folders, MembersNamedLikeTypes);
        if (Environment.GetEnvironmentVariable("BLITQUEUE_DRAW") == "1")
        {
            File.WriteAllText(path, drawn);
        }
        Assert.True(
            File.ReadAllText(path).ReplaceLineEndings("\n") == drawn,
            "docs/architecture.svg is not what the code is: run this test with BLITQUEUE_DRAW=1, look at the picture, and commit it.");
    }

    [Fact]
    public void Attributes_depend_on_no_floor()
    {
        // Their comments may point at the contract for the reader's sake.
        var floors = Files.Where(file => file.Floor != Attributes).SelectMany(file => file.Types).ToHashSet();
        Assert.Empty(
            from file in Files
            where file.Floor == Attributes
            from word in Words().Matches(Comments().Replace(file.Text, "")).Select(word => word.Value).Distinct()
            where floors.Contains(word)
            select $"{file.Path} names {word}");
    }

    [Fact]
    public void Unsafe_code_and_atomics_stand_in_Memory_alone()
        => Assert.Empty(Naming(UnsafeWords(), floor => floor == "Memory"));

    [Fact]
    public void Calls_to_the_system_are_declared_in_Platform_alone()
        => Assert.Empty(Naming(ImportWords(), floor => floor == "Platform"));

    // Where the system refuses to say, they say no: a queue whose files are taken for missing is made anew.
    [Fact]
    public void Whether_a_file_is_there_is_asked_in_Platform_alone()
        => Assert.Empty(Naming(ExistsWords(), floor => floor == "Platform"));

    [Fact]
    public void Files_are_written_by_the_one_way_that_tells_a_refused_length_as_a_full_disk()
        => Assert.Equal(
            ["ManagedPlatform", "QueueFiles"],
            Files.Where(file => file.Text.Contains("RandomAccess.Write(", StringComparison.Ordinal)).Select(file => file.Name).Order());

    [Fact]
    public void Every_protocol_step_is_reached_once_named_in_the_code_and_told_in_the_architecture_page()
    {
        string page = File.ReadAllText(Path.Combine(Root(), "docs", "ARCHITECTURE.md"));
        string code = string.Concat(Files.Where(file => file.Name != nameof(ProtocolStep)).Select(file => file.Text));
        foreach (string step in Enum.GetNames<ProtocolStep>())
        {
            Assert.True(page.Contains($"`{step}`"), $"docs/ARCHITECTURE.md does not tell what {step} leaves behind.");
            Assert.True(code.Contains($"FailPoint.Reach(ProtocolStep.{step})"), $"No code reaches {step}.");
        }
    }

    [Fact]
    public void A_file_contains_one_type_and_has_its_name()
    {
        var faults = new List<string>();
        foreach (SourceFile file in Files)
        {
            if (file.Types.Count != 1)
            {
                faults.Add($"{file.Path} declares {file.Types.Count} types: {string.Join(", ", file.Types)}");
            }
            else if (file.Types[0] != file.Name)
            {
                faults.Add($"{file.Path} declares {file.Types[0]}");
            }
        }

        Assert.Empty(faults);
    }

    [Fact]
    public void A_part_of_a_type_is_named_for_what_it_contains()
        => Assert.Empty(Files.Where(file => file.Part is not null && !PartNames().IsMatch(file.Part)).Select(file => file.Path));

    [Fact]
    public void The_rules_see_what_they_forbid()
    {
        Assert.Matches(UnsafeWords(), "var x = Unsafe.As<A, B>(ref y);");
        Assert.Matches(UnsafeWords(), "unsafe void F()");
        Assert.Matches(ExistsWords(), "if (!System.IO.Directory.Exists(path))");
        Assert.DoesNotMatch(ExistsWords(), "files.Exists(name)");
        Assert.DoesNotMatch(UnsafeWords(), "CollectionsMarshal.AsSpan(list)");
        Assert.Equal(["A", "B", "C", "D", "E", "F"], SourceFile.TypesIn(
            "public sealed class A;\ninternal readonly ref struct B\n{\n    class Inner;\n}\npublic sealed record C(int X);\npublic record "
            + "struct D(int X);\n"
            + "public static partial class A\n{\n}\ninternal enum E\n{\n}\npublic delegate void F(int x);\n"));
    }

    private static IEnumerable<string> Naming(Regex words, Func<string, bool> allowed)
        => from file in Files where !allowed(file.Floor) from Match word in words.Matches(file.Text) select $"{file.Path}: {word.Value}";

    internal static string Root([CallerFilePath] string self = "")
        => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(self)!, "..", "..", ".."));

    private static List<SourceFile> ReadRuntime()
    {
        string root = Path.Combine(Root(), "src", "Runtime");
        return
        [
            .. from path in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
               let relative = Path.GetRelativePath(root, path).Replace('\\', '/')
               where !relative.StartsWith("bin/") && !relative.StartsWith("obj/")
               select new SourceFile(relative, File.ReadAllText(path)),
        ];
    }

    // Windows refuses to rename or delete a file, and to open it for writing, while a handle is open that shares less. The lines of the
    // last report of a recovery are read in one call, and no step changes a report.
    [Fact]
    public void Each_file_is_opened_so_that_others_may_do_everything_with_it()
        => Assert.Empty(
            from file in Files
            where file.Name is not ("LinuxPlatform" or "Quarantine")
            from Match opening in Openings().Matches(Comments().Replace(file.Text, ""))
            where !opening.Value.Contains("FileShare.ReadWrite | FileShare.Delete")
            select $"{file.Path}: {opening.Value}");

    // Of files, up to the end of the statement; and the options for it.
    [GeneratedRegex(@"(\bFile\.(Open|Create|Read|Write|Append)\w*\(|new FileStream\((?!path, options\))|new FileStreamOptions\b)[^;]*;")]
    private static partial Regex Openings();

    [GeneratedRegex("\"[^\"\n]*\"")]
    private static partial Regex Texts();

    [GeneratedRegex(@"\w+")]
    private static partial Regex Words();

    [GeneratedRegex(@"//.*")]
    private static partial Regex Comments();

    [GeneratedRegex(@"\b(unsafe|Unsafe\.|MemoryMarshal|Interlocked|Volatile)")]
    private static partial Regex UnsafeWords();

    [GeneratedRegex(@"\b(LibraryImport|DllImport)")]
    private static partial Regex ImportWords();

    [GeneratedRegex(@"\b(File|Directory|Path)\.Exists\b|\bExists: ")]
    private static partial Regex ExistsWords();

    // A noun: no numbers, and not the word that says nothing.
    [GeneratedRegex(@"^(?!Part)[A-Z][A-Za-z]+$")]
    private static partial Regex PartNames();
}
