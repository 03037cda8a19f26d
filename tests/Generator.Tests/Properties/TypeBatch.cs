using System.Text.RegularExpressions;
using FsCheck;
using FsCheck.Fluent;

namespace BlitQueue.Generator.Tests.Properties;

/// <summary>Random types that are compiled together, and what they were made from.</summary>
internal sealed record TypeBatch(int Seed, IReadOnlyList<TypeShape> Types)
{
    public static Arbitrary<TypeBatch> Any(Func<int, IReadOnlyList<TypeShape>> make)
        => Arb.From(Gen.Choose(0, int.MaxValue).Select(seed => new TypeBatch(seed, make(seed))), Shrink);

    public override string ToString() => $"seed {Seed}\n{string.Join('\n', Types)}";

    // Fewer types, then fewer members; what a member needs and no longer has does not compile and so is no smaller failure.
    private static IEnumerable<TypeBatch> Shrink(TypeBatch batch)
    {
        foreach (TypeShape? type in batch.Types.Reverse())
        {
            var others = batch.Types.Where(other => other != type).ToList();
            if (others.Count > 0 && !others.Exists(other => other.Members.Any(member => Mentions(member, type))))
            {
                yield return batch with { Types = others };
            }
        }

        if (batch.Types is not [var last])
        {
            yield break;
        }

        foreach (MemberShape? member in last.Members.Where(_ => last.Members.Count > 1))
        {
            yield return batch with { Types = [last with { Members = [.. last.Members.Where(other => other != member)] }] };
        }
    }

    private static bool Mentions(MemberShape member, TypeShape type) => Regex.IsMatch(member.Type, $@"\b{type.Name}\b");
}
