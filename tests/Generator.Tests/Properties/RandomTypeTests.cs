using FsCheck;
using FsCheck.Fluent;

namespace BlitQueue.Generator.Tests.Properties;

/// <summary>Any legal message type packs, unpacks, is unpacked over and viewed: types made at random, compiled, loaded and filled at random.</summary>
public class RandomTypeTests
{
    private const int Batches = 2;
    private const int TypesInBatch = 10;
    private const int MessagesOfType = 8;
    private const int MutationsOfType = 30;

    [Fact]
    public void Any_type_comes_back_in_every_way()
        => Prop.ForAll(Arb.From(Gen.Choose(0, int.MaxValue).Select(Batch.Of), Batch.Shrink), batch => batch.Check())
            .Check(Config.QuickThrowOnFailure.WithMaxTest(Batches));

    // The messages of one type hold hundreds with identity, each of which a view makes by unpacking the root message: 80 KB, half a megabyte
    // a time, 800 megabytes in all. That is what docs/views.md says it costs, and no message that takes much memory.
    [Fact]
    public void Each_object_that_a_view_makes_has_the_limit_of_one_unpacking()
    {
        const int seed = 582002703;
        var types = new RandomTypes(seed).Make(4);
        var target = Target.Of(LoadedAssembly.Of([RandomTypes.Common, .. types.Select(type => type.Source())]).Type("M3"));
        var values = new RandomValues(seed);
        for (var i = 0; i < MessagesOfType; i++)
            values.MakeRoot(target.Type);
        var bytes = target.Pack(values.MakeRoot(target.Type));
        target.Try(bytes, bytes);
        Assert.InRange(target.MostAllocated, 2 * bytes.Length, 64L << 20);
    }

    private sealed record Batch(int Seed, IReadOnlyList<TypeShape> Types)
    {
        public static Batch Of(int seed) => new(seed, new RandomTypes(seed).Make(TypesInBatch));

        // Fewer types, then fewer members; what a member needs and no longer has does not compile and so is no smaller failure.
        public static IEnumerable<Batch> Shrink(Batch batch)
        {
            foreach (var type in batch.Types.Reverse())
            {
                var others = batch.Types.Where(other => other != type).ToList();
                if (others.Count > 0 && !others.Exists(other => other.Members.Any(member => Mentions(member, type))))
                    yield return batch with { Types = others };
            }

            if (batch.Types is not [var last])
                yield break;
            foreach (var member in last.Members.Where(_ => last.Members.Count > 1))
                yield return batch with { Types = [last with { Members = [.. last.Members.Where(other => other != member)] }] };
        }

        public void Check()
        {
            var loaded = LoadedAssembly.Of([RandomTypes.Common, .. Types.Select(type => type.Source())]);
            foreach (var shape in Types)
                Check(Target.Of(loaded.Type(shape.Name)));
        }

        public override string ToString() => $"seed {Seed}\n{string.Join('\n', Types)}";

        private void Check(Target target)
        {
            var values = new RandomValues(Seed);
            var used = target.Pack(values.MakeRoot(target.Type));
            for (var i = 0; i < MessagesOfType; i++)
            {
                var message = values.MakeRoot(target.Type);
                target.RoundTrip(message, used);
                used = target.Pack(message);
            }

            var random = new Random(Seed);
            for (var i = 0; i < MutationsOfType; i++)
                target.Try(Mutator.Random(used, used, random), used);
        }

        private static bool Mentions(MemberShape member, TypeShape type)
            => System.Text.RegularExpressions.Regex.IsMatch(member.Type, $@"\b{type.Name}\b");
    }
}
