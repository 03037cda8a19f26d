namespace BlitQueue.Generator.Parse;

/// <summary>Gives each member a local variable's name that no other member and no variable of the generated method has.</summary>
internal sealed class LocalNames
{
    private readonly HashSet<string> _taken = ["reader", "value", "block", "given", "message", "fresh", "made", "known"];

    public string For(string member)
    {
        string wanted = char.ToLowerInvariant(member[0]) + member.Substring(1);
        string name = wanted;
        for (int i = 2; !_taken.Add(name); i++)
        {
            name = wanted + i;
        }

        return TypeNames.Identifier(name);
    }
}
