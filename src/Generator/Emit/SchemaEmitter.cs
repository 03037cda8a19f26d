using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>Writes the Schema property: names, kinds and order of the members. The runtime computes the fingerprint.</summary>
internal static class SchemaEmitter
{
    public static void Emit(SourceWriter writer, MessageModel model)
    {
        string form = model.Layout == MessageLayout.Sequential
            ? ""
            : $", form: \"{(model.Layout == MessageLayout.Tolerant ? "tolerant" : "circular")}\"";
        string end = model.RunsUserCode ? $"]{form}, runsUserCode: true);" : $"]{form});";
        writer.Line("/// <summary>The message's members, in packed order.</summary>");
        if (model.Members.Count == 0)
        {
            writer.Line($"{Signatures.Schema(model)} {{ get; }} = new(\"{model.Header.DisplayName}\", [{end}");
            return;
        }

        writer.Line($"{Signatures.Schema(model)} {{ get; }} = new(\"{model.Header.DisplayName}\",");
        writer.Line("[");
        foreach (MemberModel member in model.Members)
        {
            writer.Inner(Member(member, model) + ",");
        }

        writer.Line(end);
        if (model.Members.Any(NamesHidden))
        {
            WriteSchemaOf(writer, model);
        }
    }

    private static bool NamesHidden(MemberModel member)
        => NestedOf(member).Exists(type => type.Kind != WireKind.Argument && !type.IsDirect);

    private static List<WireType> NestedOf(MemberModel member)
    {
        List<WireType> nested = [];
        KindCodes.For(member.Type).Schema(member.Type, nested);
        return nested;
    }

    // An explicitly implemented static member can only be called through a type parameter.
    public static void WriteSchemaOf(SourceWriter writer, MessageModel model)
    {
        string message = "M";
        while (model.Header.TypeParameters.Contains(message))
        {
            message += "M";
        }

        writer.Line();
        writer.Line($"private static {Names.Schema} SchemaOf<{message}>()");
        writer.Inner($"where {message} : {Names.IPackable}<{message}> => {message}.Schema;");
    }

    private static string Member(MemberModel member, MessageModel model)
    {
        List<WireType> nested = [];
        string kind = KindCodes.For(member.Type).Schema(member.Type, nested);
        string links = string.Concat(
            nested.Where(type => type.Kind != WireKind.Argument).Select(type => $", static () => {Link(type, model)}"));
        List<string> details = [];
        if (model.Layout == MessageLayout.Tolerant)
        {
            details.Add($"Number = {member.Slot}");
        }

        var arguments = nested.Where(type => type.Kind == WireKind.Argument)
            .Select(type => $"static () => {ArgumentCode.SchemaOf(type)}").ToList();
        if (arguments.Count > 0)
        {
            details.Add($"Arguments = [{string.Join(", ", arguments)}]");
        }

        string braces = details.Count == 0 ? "" : $" {{ {string.Join(", ", details)} }}";
        string name = member.Type.Kind == WireKind.Inline ? $"{member.Name}[{member.Type.Length}]" : member.Name;
        return $"new {Names.MemberSchema}(\"{name}\", \"{kind}\"{links}){braces}";
    }

    // Inside the property's own initializer the property is still null: the lambda reads it later.
    public static string Link(WireType type, MessageModel model)
        => !type.IsDirect ? $"SchemaOf<{type.Name}>()"
        : type.Target == model.Header.Name ? $"{type.Target}.Schema!"
        : $"{type.Target}.Schema";
}
