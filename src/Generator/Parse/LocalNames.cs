namespace BlitQueue.Generator.Parse;

/// <summary>A local variable's name for each member, none of them twice nor one that the generated method has itself.</summary>
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
