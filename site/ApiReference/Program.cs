using System.Reflection;
using BlitQueue.Hosting;
using BlitQueue.RabbitMq;
using BlitQueue.RabbitMq.Hosting;

namespace BlitQueue.ApiReference;

/// <summary><c>dotnet run --project site/ApiReference -- folder</c>: writes the pages into that folder.</summary>
internal static class Program
{
    // What only generated code calls is no part of the reference, and no editor offers it.
    private const string Generated = "BlitQueue.Generated";

    public static int Main(string[] args)
    {
        if (args is not [var folder])
        {
            Console.Error.WriteLine("Usage: ApiReference <folder>");
            return 1;
        }
        // One of each package.
        Assembly[] libraries =
        [
            typeof(QueueMessageAttribute).Assembly, typeof(BlitQueueOptions).Assembly, typeof(ForwarderOptions).Assembly,
            typeof(BridgeHealthOptions).Assembly,
        ];
        Type[] types =
        [
            .. libraries.SelectMany(static library => library.GetExportedTypes()).Where(static type => type.Namespace != Generated)
                .OrderBy(static type => type.Namespace, StringComparer.Ordinal).ThenBy(Names.Of, StringComparer.Ordinal),
        ];
        var docs = new DocFile(libraries.Select(static library => Path.ChangeExtension(library.Location, "xml")), types);
        Directory.CreateDirectory(folder);
        foreach (Type type in types)
        {
            File.WriteAllText(Path.Combine(folder, Names.PageOf(type) + ".md"), new TypePage(type, docs).Write());
        }
        File.WriteAllText(Path.Combine(folder, "index.md"), IndexPage.Write(types, docs));
        // For the site's navigation, which takes a text for HTML.
        IEnumerable<string> links =
            from type in types
            let name = Names.Of(type).Replace("<", "&lt;", StringComparison.Ordinal).Replace(">", "&gt;", StringComparison.Ordinal)
            select $$"""{"text":"{{name}}","link":"/api/{{Names.PageOf(type)}}"}""";
        File.WriteAllText(Path.Combine(folder, "types.json"), $"[{string.Join(",\n", links)}]\n");
        Console.WriteLine($"{types.Length} types, {docs.Count} members documented");
        return 0;
    }
}
