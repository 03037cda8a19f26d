namespace BlitQueue.Cli.Sources;

/// <summary>A module in another language with a type for each message of a schema.</summary>
/// <param name="schema">The messages.</param>
/// <param name="name">The type of the queue's own message; those of others have a number behind it.</param>
internal abstract class ModuleSource(StoredSchema schema, string name)
{
    protected StoredSchema Schema => schema;

    /// <summary>The module's text, up to where it is written.</summary>
    protected StringBuilder Module { get; } = new();

    /// <summary>The module's text.</summary>
    public override string ToString()
    {
        Module.Clear();
        AppendHead();
        for (int number = 0; number < schema.Types.Count; number++)
        {
            AppendType(number, schema.Types[number]);
        }
        return Module.ToString();
    }

    private void AppendType(int number, StoredType type)
    {
        switch (type.Form)
        {
            case "union":
                AppendUnion(number, type);
                break;
            case "raw":
                AppendRaw(number);
                break;
            default:
                AppendMessage(number, type);
                break;
        }
    }

    protected string ClassOf(int number) => number == 0 ? name : string.Create(CultureInfo.InvariantCulture, $"{name}{number}");

    /// <summary>The expression that reads and writes a kind.</summary>
    protected string KindOf(Kind kind)
    {
        if (kind.FixedSize == 0)
        {
            return VariableKindOf(kind);
        }
        string value = FixedKindOf(kind);
        return kind.IsNullable ? Made("Optional", value) : value;
    }

    private string VariableKindOf(Kind kind) => kind.Form switch
    {
        "list" => Made("List", KindOf(kind.Parts[0])),
        "map" => MapKindOf($"{KindOf(kind.Parts[0])}, {KindOf(kind.Parts[1])}", HasEqualKeys(kind)),
        "tuple" => Made("Tuple", string.Join(", ", kind.Parts.Select(KindOf))),
        "grid2" or "grid3" or "grid4" => Made(GridKind, $"{kind.Name[4]}, {KindOf(kind.Parts[0])}"),
        _ => OtherKindOf(kind),
    };

    /// <summary>What a member is that was never set.</summary>
    protected string DefaultOf(Kind kind) => kind.IsNullable || kind is { FixedSize: 0, Name: not "bigint" } ? Null : ZeroOf(kind);

    /// <summary>The number of bytes of a kind of fixed size, without the one that says whether there is a value.</summary>
    protected static string SizeOf(Kind kind) => kind.ValueSize.ToString(CultureInfo.InvariantCulture);

    /// <summary>What stands for no value.</summary>
    protected abstract string Null { get; }

    /// <summary>The class of the module that reads and writes arrays of several dimensions.</summary>
    protected abstract string GridKind { get; }

    /// <summary>The expression that makes an object of a class of the module.</summary>
    protected abstract string Made(string name, string arguments);

    /// <summary>The expression for a value of fixed size, which is not null.</summary>
    protected abstract string FixedKindOf(Kind kind);

    /// <summary>The expression for a map.</summary>
    /// <param name="parts">The expressions for keys and values.</param>
    /// <param name="hasEqualKeys">As <see cref="HasEqualKeys"/>.</param>
    protected abstract string MapKindOf(string parts, bool hasEqualKeys);

    /// <summary>The expression for what is a message, or has no parts.</summary>
    protected abstract string OtherKindOf(Kind kind);

    /// <summary>The zero of a kind of which null is no value.</summary>
    protected abstract string ZeroOf(Kind kind);

    /// <summary>Whether equal keys of a map are equal in the language as well.</summary>
    protected abstract bool HasEqualKeys(Kind map);

    /// <summary>Appends what is in front of the types.</summary>
    protected abstract void AppendHead();

    protected abstract void AppendUnion(int number, StoredType type);

    protected abstract void AppendRaw(int number);

    protected abstract void AppendMessage(int number, StoredType type);
}
