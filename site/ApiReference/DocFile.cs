using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace BlitQueue.ApiReference;

/// <summary>The documentation files of the libraries, as Markdown with links between the pages.</summary>
internal sealed partial class DocFile
{
    private readonly Dictionary<string, XElement> _members;
    private readonly Dictionary<string, string> _pages;

    public DocFile(IEnumerable<string> paths, IEnumerable<Type> types)
    {
        // Code that is compiled into two libraries is documented twice.
        _members = paths.SelectMany(static path => XDocument.Load(path).Descendants("member"))
            .GroupBy(static member => member.Attribute("name")!.Value)
            .ToDictionary(static group => group.Key, static group => group.First());
        _pages = types.ToDictionary(Names.IdOf, Names.PageOf);
    }

    /// <summary>How many members were asked for and are documented.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// What is said of a member; if it inherits its comment, also what is said of the member that it names, implements or overrides.
    /// </summary>
    public XElement? Of(MemberInfo member)
    {
        if (!_members.TryGetValue(Names.IdOf(member), out XElement? found))
        {
            return null;
        }
        Count++;
        return found.Element("inheritdoc") is { } inherit && Inherited(inherit, member) is { } inherited
            ? Merged(found, inherit, inherited, depth: 0)
            : found;
    }

    // As compilers and editors do: what the member says itself comes first, and takes the place of what is inherited.
    private XElement Merged(XElement own, XElement inherit, XElement inherited, int depth)
    {
        const int Deepest = 5;
        if (depth < Deepest && inherited.Element("inheritdoc") is { } further && further.Attribute("cref") is { } named
            && _members.TryGetValue(named.Value, out XElement? above))
        {
            inherited = Merged(inherited, further, above, depth + 1);
        }
        HashSet<string> said = [.. own.Elements().Select(Key)];
        string[]? wanted = inherit.Attribute("path")?.Value.Split('|').Select(static path => path.Trim('/')).ToArray();
        return new XElement(
            own.Name, own.Attributes(), own.Elements().Where(static one => one.Name != "inheritdoc"),
            inherited.Elements().Where(one => one.Name != "inheritdoc" && !said.Contains(Key(one))
                && wanted?.Contains(one.Name.LocalName) != false));
    }

    private static string Key(XElement element) =>
        $"{element.Name} {element.Attribute("name")?.Value} {element.Attribute("cref")?.Value}";

    /// <summary>An element of a comment as Markdown; empty where there is none.</summary>
    public string Text(XElement? element) => element is null ? "" : Trimmed(Inline(element));

    private XElement? Inherited(XElement inherit, MemberInfo member)
    {
        if (inherit.Attribute("cref") is { } named)
        {
            return _members.GetValueOrDefault(named.Value);
        }
        IEnumerable<Type> above = member.DeclaringType is { } type
            ? type.GetInterfaces().Concat(type.BaseType is { } parent ? [parent] : [])
            : ((Type)member).GetInterfaces();
        return above.Select(one => one.IsGenericType ? one.GetGenericTypeDefinition() : one)
            .SelectMany(static one => one.GetMember(
                "*", BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static))
            .Where(one => one.Name == member.Name && one is not Type)
            .Select(one => _members.GetValueOrDefault(Names.IdOf(one))).OfType<XElement>().FirstOrDefault();
    }

    private string Inline(XElement element)
    {
        var text = new StringBuilder();
        foreach (XNode node in element.Nodes())
        {
            text.Append(node switch
            {
                XText words => Escape(words.Value),
                XElement { Name.LocalName: "see" or "seealso" } see => See(see),
                XElement { Name.LocalName: "c" } code => $"`{code.Value}`",
                XElement { Name.LocalName: "code" } code => $"\n\n```csharp\n{Unindented(code.Value)}\n```\n\n",
                XElement { Name.LocalName: "paramref" or "typeparamref" } parameter => $"`{parameter.Attribute("name")!.Value}`",
                XElement { Name.LocalName: "para" } paragraph => $"\n\n{Inline(paragraph)}\n\n",
                XElement { Name.LocalName: "em" } words => $"*{Inline(words)}*",
                XElement { Name.LocalName: "b" } words => $"**{Inline(words)}**",
                XElement other => Inline(other),
                _ => "",
            });
        }
        return text.ToString();
    }

    private string See(XElement see)
    {
        if (see.Attribute("langword") is { } word)
        {
            return $"`{word.Value}`";
        }
        if (see.Attribute("href") is { } link)
        {
            return $"[{(see.Value.Length > 0 ? see.Value : link.Value)}]({link.Value})";
        }
        string id = see.Attribute("cref")!.Value;
        // Of a member, the page of its type.
        string type = id[0] == 'T' ? id : "T:" + id[2..].Split('(')[0][..id[2..].Split('(')[0].LastIndexOf('.')];
        string name = see.Value.Length > 0 ? see.Value : Short(id);
        return _pages.TryGetValue(type, out string? page) ? $"[`{name}`]({page}.md)" : $"`{name}`";
    }

    // The type's name in front of a member's, without namespaces and numbers of type parameters.
    private static string Short(string id)
    {
        string[] parts = Arity().Replace(id[2..].Split('(')[0], "").Split('.');
        string name = parts[^1] == "#ctor" ? parts[^2] : parts[^1];
        return id[0] == 'T' || parts[^1] == "#ctor" ? name : $"{parts[^2]}.{name}";
    }

    private static string Escape(string text) => Special().Replace(Spaces().Replace(text, " "), static sign => sign.Value switch
    {
        "<" => "&lt;",
        ">" => "&gt;",
        "&" => "&amp;",
        "{" => "&#123;",
        "}" => "&#125;",
        _ => "\\" + sign.Value,
    });

    private static string Trimmed(string text) => Lines().Replace(text, "\n\n").Trim();

    private static string Unindented(string code)
    {
        string[] lines = code.Trim('\r', '\n').TrimEnd().Split('\n');
        int indent = lines.Where(static line => line.Trim().Length > 0)
            .Select(static line => line.Length - line.TrimStart().Length).DefaultIfEmpty().Min();
        return string.Join('\n', lines.Select(line => line.Length >= indent ? line[indent..] : ""));
    }

    [GeneratedRegex(@"``?[0-9]+")]
    private static partial Regex Arity();

    [GeneratedRegex(@"[<>&{}*_|\[\]\\]")]
    private static partial Regex Special();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex(@"[ ]*\n\s*\n[ ]*(?=\S)")]
    private static partial Regex Lines();
}
