using System.Formats.Tar;
using System.IO.Compression;
using System.Text.Json;
using BlitQueue.Mutations;
using BlitQueue.Shapes;

namespace BlitQueue.Tool;

/// <summary>The Python client, which was written from docs/FORMAT.md alone, prints the same JSON.</summary>
public sealed class PythonTests
{
    private const int OfEach = 10;

    [PythonFact]
    public void Python_agrees_on_every_golden_directory()
    {
        using var folder = new Folder();
        foreach (string archive in Directory.GetFiles(Path.Combine(Blitq.Root(), "tests", "Runtime.Tests", "Golden"), "*.tar.gz"))
        {
            using var stream = new GZipStream(File.OpenRead(archive), CompressionMode.Decompress);
            string into = folder.Of(Path.GetFileName(archive));
            Directory.CreateDirectory(into);
            TarFile.ExtractToDirectory(stream, into, overwriteFiles: false);
        }

        string before = Folder.Snapshot(folder.Path);
        IReadOnlyList<string> queues = MappedQueue.List(folder.Path);
        Assert.True(queues.Count >= 21);
        foreach (string queue in queues)
        {
            Compare(queue);
        }

        Assert.Equal(before, Folder.Snapshot(folder.Path));
    }

    [PythonFact]
    public void Python_agrees_on_random_messages_of_every_shape()
    {
        using var folder = new Folder();
        int seed = Random.Shared.Next();
        var values = new RandomValues(seed);
        foreach (Type type in AnyShape.Types)
        {
            string path = folder.Of(type.Name);
            ShapeWriter.Of(type).Write(path, [.. Enumerable.Range(0, OfEach).Select(_ => values.MakeRoot(type))]);
            List<JsonElement> ours = Blitq.Json("tail", path, "--from", "oldest", "--json"), theirs = Python(path);
            Assert.Equal(OfEach, ours.Count);
            for (int i = 0; i < OfEach; i++)
            {
                Assert.True(IsSame(ours[i], theirs[i]), $"seed {seed}, {type.Name}\n{ours[i]}\n{theirs[i]}");
            }
        }
    }

    private static void Compare(string queue)
    {
        AssertSame(Blitq.Json("tail", queue, "--from", "oldest", "--json"), Python(queue));
        JsonElement ours = Assert.Single(Blitq.Json("stat", queue, "--json")), theirs = Assert.Single(Python(queue, "--status"));
        foreach (JsonProperty one in theirs.EnumerateObject().Where(static one => one.Name != "subscriptions"))
        {
            Assert.True(IsSame(ours.GetProperty(one.Name), one.Value), $"{queue} {one.Name}: {ours} {theirs}");
        }

        foreach (JsonElement subscription in theirs.GetProperty("subscriptions").EnumerateArray())
        {
            string name = subscription.GetProperty("name").GetString()!;
            JsonElement same = ours.GetProperty("subscriptions").EnumerateArray()
                .Single(one => one.GetProperty("name").GetString() == name);

            // The age is that of another moment.
            Assert.All(
                subscription.EnumerateObject().Where(static one => one.Name != "oldest_age"),
                one => Assert.True(IsSame(same.GetProperty(one.Name), one.Value), $"{queue} {name} {one.Name}"));
            AssertSame(Blitq.Json("tail", queue, "-s", name, "--json"), Python(queue, "--subscription", name));
            AssertSame(Blitq.Json("dlq", "show", queue, "-s", name, "--json"), Python(queue, "--dead-letters", name));
        }
    }

    private static void AssertSame(List<JsonElement> ours, List<JsonElement> theirs)
    {
        Assert.Equal(theirs.Count, ours.Count);
        foreach ((JsonElement our, JsonElement their) in ours.Zip(theirs))
        {
            Assert.True(IsSame(our, their), $"{our}\n{their}");
        }
    }

    // Python has one size of NaN, and writes 1.0 for 1.
    private static bool IsSame(JsonElement one, JsonElement other)
    {
        if (one.ValueKind != other.ValueKind)
        {
            return false;
        }

        return one.ValueKind switch
        {
            JsonValueKind.Object => IsSameObject(one, other),
            JsonValueKind.Array => one.GetArrayLength() == other.GetArrayLength()
                && one.EnumerateArray().Zip(other.EnumerateArray()).All(static pair => IsSame(pair.First, pair.Second)),
            JsonValueKind.Number => one.GetRawText() == other.GetRawText() || one.GetDouble().Equals(other.GetDouble()),
            _ => one.GetRawText() == other.GetRawText() || Text(one) == Text(other),
        };
    }

    // The framework's own method refuses half of a surrogate pair: those are compared as they are written.
    private static string Text(JsonElement text)
    {
        try
        {
            return text.ToString();
        }
        catch (InvalidOperationException)
        {
            return System.Text.RegularExpressions.Regex.Replace(
                text.GetRawText(), "[^\\u0000-\\u007f\\u0080-\\u009f]", static unit => $"\\u{(int)unit.Value[0]:x4}");
        }
    }

    // A later value of the same key replaces the one before, as in a Python dict.
    private static bool IsSameObject(JsonElement one, JsonElement other)
    {
        Dictionary<string, JsonElement> ours = Members(one), theirs = Members(other);
        return ours.Count == theirs.Count
            && ours.All(member => theirs.TryGetValue(member.Key, out JsonElement value) && IsSame(member.Value, value));
    }

    private static Dictionary<string, JsonElement> Members(JsonElement element)
    {
        Dictionary<string, JsonElement> members = [];
        foreach (JsonProperty member in element.EnumerateObject())
        {
            members[NameOf(member)] = member.Value;
        }

        return members;
    }

    private static string NameOf(JsonProperty member)
    {
        try
        {
            return member.Name;
        }
        catch (InvalidOperationException)
        {
            return member.ToString().Split("\":")[0];
        }
    }

    private static List<JsonElement> Python(params ReadOnlySpan<string> arguments)
    {
        Outcome outcome = Blitq.RunIn(".", "", ["python3", "-m", "blitq", .. arguments]).Expect(0);
        return [.. outcome.Lines.Select(static line => JsonDocument.Parse(line, new JsonDocumentOptions { MaxDepth = 1000 }).RootElement)];
    }
}
