using System.ComponentModel;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using System.Xml.Linq;

namespace BlitQueue.ApiReference;

/// <summary>The page of a public type: its declaration, what is said of it, and its members.</summary>
internal sealed class TypePage(Type type, DocFile docs)
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    private readonly StringBuilder _text = new();

    public string Write()
    {
        XElement? said = docs.Of(type);
        _text.Append($"---\ntitle: {Names.Of(type)}\neditLink: false\n---\n\n# {Markdown(Names.Of(type))}\n\n");
        _text.Append($"Namespace `{type.Namespace}`\n\n{docs.Text(said?.Element("summary"))}\n\n```csharp\n{Signature.Of(type)}\n```\n\n");
        Parameters(said, "typeparam");
        Paragraph(docs.Text(said?.Element("remarks")));
        foreach (XElement example in said?.Elements("example") ?? [])
        {
            Paragraph(docs.Text(example));
        }
        Section(type.IsEnum ? "Values" : "Fields", Members<FieldInfo>(static field => field.IsPublic && !field.IsSpecialName));
        Section("Constructors", Members<ConstructorInfo>(static one => one.IsPublic || one.IsFamily));
        Section("Properties", Members<PropertyInfo>(static one => one.GetAccessors(nonPublic: false).Length > 0));
        Section("Events", Members<EventInfo>(static one => one.AddMethod is { IsPublic: true }));
        Section("Methods", Members<MethodInfo>(static one => (one.IsPublic || one.IsFamily) && !one.IsSpecialName));
        Section(
            "Operators", Members<MethodInfo>(static one => one is { IsPublic: true, IsSpecialName: true } && one.Name.StartsWith("op_")));
        return _text.ToString();
    }

    // Those that an editor offers, and that somebody has written.
    private IEnumerable<T> Members<T>(Func<T, bool> isShown)
        where T : MemberInfo =>
        type.GetMembers(Declared).OfType<T>().Where(isShown)
            .Where(static member => member.GetCustomAttribute<EditorBrowsableAttribute>() is not { State: EditorBrowsableState.Never })
            .Where(static member => member.GetCustomAttribute<CompilerGeneratedAttribute>() is null || member is PropertyInfo)
            .Where(member => docs.Of(member) is not null)
            .OrderBy(static member => member.DeclaringType!.IsEnum ? "" : member.Name, StringComparer.Ordinal);

    private void Section(string heading, IEnumerable<MemberInfo> members)
    {
        MemberInfo[] all = [.. members];
        if (all.Length == 0)
        {
            return;
        }
        _text.Append($"## {heading}\n\n");
        foreach (IGrouping<string, MemberInfo> overloads in all.GroupBy(static member => member.Name))
        {
            string name = overloads.First() switch
            {
                ConstructorInfo => Names.Of(type).Split('<')[0],
                PropertyInfo property when property.GetIndexParameters().Length > 0 => "this[]",
                _ => overloads.Key,
            };
            _text.Append($"### {Markdown(name)}\n\n");
            foreach (MemberInfo member in overloads)
            {
                Member(member);
            }
        }
    }

    private void Member(MemberInfo member)
    {
        XElement? said = docs.Of(member);
        _text.Append($"```csharp\n{Signature.Of(member)}\n```\n\n");
        Paragraph(docs.Text(said?.Element("summary")));
        Parameters(said, "param");
        if (docs.Text(said?.Element("returns")) is { Length: > 0 } returns)
        {
            Paragraph($"**Returns** {returns}");
        }
        Paragraph(docs.Text(said?.Element("remarks")));
        XElement[] exceptions = [.. said?.Elements("exception") ?? []];
        if (exceptions.Length > 0)
        {
            _text.Append("**Exceptions**\n\n");
            foreach (XElement exception in exceptions)
            {
                string name = docs.Text(new XElement("summary", new XElement("see", exception.Attribute("cref"))));
                _text.Append($"- {name}: {docs.Text(exception)}\n");
            }
            _text.Append('\n');
        }
        foreach (XElement example in said?.Elements("example") ?? [])
        {
            Paragraph(docs.Text(example));
        }
    }

    private void Parameters(XElement? said, string kind)
    {
        XElement[] parameters = [.. said?.Elements(kind) ?? []];
        foreach (XElement parameter in parameters)
        {
            _text.Append($"- `{parameter.Attribute("name")!.Value}`: {docs.Text(parameter)}\n");
        }
        if (parameters.Length > 0)
        {
            _text.Append('\n');
        }
    }

    private void Paragraph(string text)
    {
        if (text.Length > 0)
        {
            _text.Append(text).Append("\n\n");
        }
    }

    private static string Markdown(string name) =>
        name.Replace("<", "&lt;", StringComparison.Ordinal).Replace(">", "&gt;", StringComparison.Ordinal)
            .Replace("[]", "\\[\\]", StringComparison.Ordinal);
}
