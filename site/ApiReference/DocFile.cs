using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace BlitQueue.ApiReference;

/// <summary>The documentation file of the library, as Markdown with links between the pages.</summary>
internal sealed partial class DocFile
{
    private readonly Dictionary<string, XElement> _members;
    private readonly Dictionary<string, string> _pages;

    public DocFile(string path, IEnumerable<Type> types)
    {
        _members = XDocument.Load(path).Descendants("member").ToDictionary(static member => member.Attribute("name")!.Value);
        _pages = types.ToDictionary(Names.IdOf, Names.PageOf);
    }

    /// <summary>How many members were asked for and are documented.</summary>
    public int Count { get; private set; }

    /// <summary>What is said of a member, or of the member that it implements or overrides if it inherits its comment.</summary>
    public XElement? Of(MemberInfo member)
    {
        if (!_members.TryGetValue(Names.IdOf(member), out XElement? found))
        {
            return null;
        }
        Count++;
        return found.Element("inheritdoc") is { } inherit ? Inherited(inherit, member) ?? found : found;
    }

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
