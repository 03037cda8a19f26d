namespace BlitQueue.Generator.Emit;

/// <summary>Writes the members of a union's view: its tag, and a method for each case.</summary>
internal static class UnionViewEmitter
{
    public static void WriteCases(MessageModel model, SourceWriter writer)
    {
        writer.Line();
        writer.Line("/// <summary>The case's tag, be it listed or not; -1 for null.</summary>");
        writer.Line("public int Tag => _message.Tag;");
        HashSet<string> taken = [.. model.Cases.Select(option => option.Type.Word)];
        HashSet<string> used = [];
        foreach (CaseModel? option in model.Cases.Where(option => option.ViewAccess.Length > 0))
        {
            string view = ViewTypes.Of(option.Type);
            writer.Line();
            writer.Line($"/// <summary>Views the message where it is a {option.Type.Word}.</summary>");
            writer.Line(
                $"{option.ViewAccess} bool TryGet{NameOf(option, used, taken)}(out {view} view) "
                    + $"=> _message.TryGet<{view}>({option.Tag}, out view);");
        }
    }

    // Types of one name, from different namespaces, get a number.
    private static string NameOf(CaseModel option, HashSet<string> used, HashSet<string> taken)
    {
        string word = option.Type.Word;
        if (used.Add(word))
        {
            return word;
        }

        string name = $"{word}{option.Tag}";
        for (int i = 2; !taken.Add(name); i++)
        {
            name = $"{word}{option.Tag}Case{i}";
        }

        return name;
    }
}
