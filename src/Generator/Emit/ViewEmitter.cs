namespace BlitQueue.Generator.Emit;

/// <summary>Writes a message's view: a property for each member, which reads it in place.</summary>
internal static class ViewEmitter
{
    private const string Variable = "global::BlitQueue.Views.VariableView";
    private const string Contract = "global::BlitQueue.Views.IPackView";
    private const string Packed = "global::System.ReadOnlySpan<byte>";

    // A factory method, which is not written if a member has this name.
    private const string Factory = "From";

    // The view's own members, and those that every type has from object.
    private static readonly string[] Always =
    [
        "_message", "IsNull", "ToObject", "CopyTo", "Equals", "GetHashCode", "GetType", "ToString", "ReferenceEquals", "MemberwiseClone",
        "Finalize",
    ];

    private static readonly string[] OfCircular = [.. Always, "IsReference", "ReferenceNumber"];

    public static void Emit(SourceWriter writer, MessageModel model)
    {
        string name = model.View;
        writer.Line("#pragma warning disable CS1591 // a member is documented where it is declared");
        writer.Line("/// <summary>Reads single members of a packed message where it stands, without unpacking the rest.</summary>");
        writer.Open($"public {(model.HidesBaseView ? "new " : "")}readonly ref struct {name} : {Contract}<{name}>");
        writer.Line($"private readonly {Reader(model)} _message;");
        writer.Line();
        WriteConstruction(model, writer);
        writer.Line();
        writer.Line("/// <summary>There is no message: every member is its type's default.</summary>");
        writer.Line("public bool IsNull => _message.IsNull;");
        if (model.Layout == MessageLayout.Circular)
        {
            WriteReference(writer);
        }

        if (model.IsUnion)
        {
            UnionViewEmitter.WriteCases(model, writer);
        }
        else
        {
            WriteMembers(model, writer);
        }

        writer.Line();
        WriteObject(model, writer);
        writer.Close();
    }

    private static void WriteConstruction(MessageModel model, SourceWriter writer)
    {
        string name = model.View;
        writer.Line("/// <summary>Views bytes that begin with a packed message; others, and the null mark, are a PackException.</summary>");
        writer.Line($"public {name}({Packed} packed) => _message = {Reader(model)}.Of<{model.Header.Name}>(packed);");
        writer.Line();
        writer.Line($"private {name}({Variable} variable) => _message = new {Reader(model)}(variable);");
        writer.Line();
        if (model.Members.All(member => member.Name != Factory))
        {
            writer.Line(
                "/// <summary>Views bytes that begin with a packed message; others, and the null mark, are a PackException.</summary>");
            writer.Line($"public static {name} {Factory}({Packed} packed) => new {name}(packed);");
            writer.Line();
        }

        writer.Line($"static {name} {Contract}<{name}>.Of({Variable} variable) => new {name}(variable);");
    }

    // The runtime's type that reads this layout.
    private static string Reader(MessageModel model) => model switch
    {
        { IsUnion: true } => "global::BlitQueue.Views.UnionView",
        { Layout: MessageLayout.Tolerant } => "global::BlitQueue.Views.TolerantView",
        { Layout: MessageLayout.Circular } => "global::BlitQueue.Views.CircularView",
        _ => "global::BlitQueue.Views.MessageView",
    };

    private static void WriteReference(SourceWriter writer)
    {
        writer.Line();
        writer.Line(
            "/// <summary>Here is only the number of an object that stands elsewhere: ToObject gives it, to read a member is a "
                + "PackException.</summary>");
        writer.Line("public bool IsReference => _message.IsReference;");
        writer.Line();
        writer.Line("/// <summary>That number; -1 where the object itself stands.</summary>");
        writer.Line("public int ReferenceNumber => _message.ReferenceNumber;");
    }

    private static void WriteMembers(MessageModel model, SourceWriter writer)
    {
        string[] reserved = [.. model.Layout == MessageLayout.Circular ? OfCircular : Always, model.View];
        HashSet<string> taken = [.. reserved, .. model.Members.Select(member => member.Name).Except(reserved)];
        var members = model.Members.Where(member => member.ViewAccess.Length > 0).ToList();
        if (members.Count > 0)
        {
            writer.Line();
        }

        foreach (MemberModel? member in members)
        {
            writer.Line($"{member.ViewAccess} {Property(member, NameOf(member, reserved, taken))}");
        }
    }

    private static string NameOf(MemberModel member, string[] reserved, HashSet<string> taken)
    {
        if (!reserved.Contains(member.Name))
        {
            return member.Identifier;
        }

        string name = member.Name + "Member";
        for (int i = 2; !taken.Add(name); i++)
        {
            name = $"{member.Name}Member{i}";
        }

        return name;
    }

    private static string Property(MemberModel member, string name)
    {
        WireType type = member.Type;
        if (type.Kind == WireKind.NullableValue)
        {
            return $"{type.Name} {name} => _message.ReadNullable<{type.Element!.Name}>({member.Slot});";
        }

        if (type.IsFixed)
        {
            return $"{type.Name} {name} => _message.Read<{type.Name}>({member.Slot});";
        }

        if (type.Packer.Length > 0 && !(type is { Kind: WireKind.Custom, IsDirect: true }))
        {
            return $"{type.Name}{(type.IsStruct ? "" : "?")} {name} "
                + $"=> _message.Variable({member.Slot}).Unpack<{type.Name}, {type.Packer}>();";
        }

        string view = ViewTypes.Of(type);
        return $"{view} {name} => _message.Variable<{view}>({member.Slot});";
    }

    private static void WriteObject(MessageModel model, SourceWriter writer)
    {
        string name = model.Header.Name;
        string value = model.IsStruct ? name : name + "?";
        writer.Line($"/// <summary>Unpacks the whole message{(model.IsStruct ? "" : "; null for a null view")}.</summary>");
        writer.Line($"public {value} ToObject() => _message.ToObject<{name}>();");
        writer.Line();
        writer.Line("/// <summary>Unpacks the whole message into an instance where there is one.</summary>");
        writer.Line($"public void CopyTo(ref {value} target) => _message.CopyTo<{name}>(ref target);");
    }
}
