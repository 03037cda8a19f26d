namespace BlitQueue.Generator.Tests.Properties;

/// <summary>A message type to be: what it is and how its members are declared.</summary>
internal sealed record TypeShape(string Name, TypeForm Form, PackLayout Layout, bool IsUtf16, IReadOnlyList<MemberShape> Members)
{
    private bool IsRecord => Form is TypeForm.Record or TypeForm.PositionalRecord or TypeForm.RecordStruct;

    private IEnumerable<MemberShape> Parameters => Members.Where(member => member.Way == MemberWay.Constructor);

    /// <summary>The declaration in C#.</summary>
    public string Source()
    {
        string head = $"[QueueMessage(Layout = PackLayout.{Layout}, Strings = StringEncoding.{(IsUtf16 ? "Utf16" : "Utf8")})]\npublic "
            + $"partial {Keyword()} {Name}";
        bool isPositional = IsRecord && Parameters.Any();
        if (isPositional)
        {
            head += $"({string.Join(", ", Parameters.Select(member => $"{Order(member, "property: ")}{member.Type} {member.Name}"))})";
        }

        IEnumerable<string> members = Members.Where(member => !isPositional || member.Way != MemberWay.Constructor).Select(Declaration);
        return $"{head}\n{{\n{string.Join('\n', members)}\n{(isPositional ? "" : Constructor())}\n}}\n";
    }

    public override string ToString() => Source();

    private string Keyword() => Form switch
    {
        TypeForm.Class => "class",
        TypeForm.SealedClass => "class",
        TypeForm.Record => "record",
        TypeForm.PositionalRecord => "record",
        TypeForm.Struct => "struct",
        _ => "record struct",
    };

    private string Declaration(MemberShape member) => $"    {Order(member, "")}public " + member.Way switch
    {
        MemberWay.Init => $"{member.Type} {member.Name} {{ {Getter(member)} init; }}{Initializer(member)}",
        MemberWay.Required => $"required {member.Type} {member.Name} {{ {Getter(member)} set; }}{Initializer(member)}",
        MemberWay.Field => $"{member.Type} {member.Name}{(Initializer(member) is { Length: > 0 } initializer ? initializer : ";")}",
        MemberWay.Constructor => $"{member.Type} {member.Name} {{ get; }}",
        _ => $"{member.Type} {member.Name} {{ {Getter(member)} set; }}{Initializer(member)}",
    };

    private static string Getter(MemberShape member)
        => member.Default == MemberDefault.Getter ? $"get => field ?? {member.Shared};" : "get;";

    private static string Initializer(MemberShape member) => member.Default == MemberDefault.Initializer ? $" = {member.Shared};" : "";

    // What a constructor sets for all, and what a struct needs for its initializers.
    private string Simple()
        => Members.All(member => member.Default is MemberDefault.None or MemberDefault.Getter) ? ""
        : $"    public {Name}() {{ {string.Concat(Members.Where(IsConstructed).Select(member => $"{member.Name} = {member.Shared}; "))}}}";

    private static bool IsConstructed(MemberShape member) => member.Default == MemberDefault.Constructor;

    private string Constructor()
        => !Parameters.Any() ? Simple()
        : $"    [PackConstructor] public {Name}({string.Join(", ", Parameters.Select(member => $"{member.Type} {Lower(member.Name)}"))})\n"
        + $"    {{ {string.Concat(Parameters.Select(member => $"{member.Name} = {Lower(member.Name)}; "))}}}";

    private string Order(MemberShape member, string target)
        => Layout == PackLayout.VersionTolerant ? $"[{target}PackOrder({member.Number})] " : "";

    private static string Lower(string name) => name.ToLowerInvariant();
}
