using System.Globalization;
using System.Text;
using BlitQueue.Cli.Schemas;

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

    /// <summary>Appends what is in front of the types.</summary>
    protected abstract void AppendHead();

    protected abstract void AppendUnion(int number, StoredType type);

    protected abstract void AppendRaw(int number);

    protected abstract void AppendMessage(int number, StoredType type);
}
