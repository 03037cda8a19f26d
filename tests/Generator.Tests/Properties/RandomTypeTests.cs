using FsCheck;
using FsCheck.Fluent;

namespace BlitQueue.Generator.Tests.Properties;

/// <summary>
/// Any legal message type packs, unpacks, is unpacked over and viewed: types made at random, compiled, loaded and filled at random.
/// </summary>
public class RandomTypeTests
{
    private const int Batches = 2;
    private const int TypesInBatch = 10;
    private const int MessagesOfType = 8;
    private const int MutationsOfType = 30;

    [Fact]
    public void Any_type_comes_back_in_every_way()
        => Prop.ForAll(TypeBatch.Any(seed => new RandomTypes(seed).Make(TypesInBatch)), Check)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(Batches));

    // The messages of one type hold hundreds with identity, each of which a view makes by unpacking the root message: 80 KB, half a
    // megabyte
    // a time, 800 megabytes in all. That is what docs/views.md says it costs, and no message that takes much memory.
    [Fact]
    public void Each_object_that_a_view_makes_has_the_limit_of_one_unpacking()
    {
        const int seed = 582002703;
        IReadOnlyList<TypeShape> types = new RandomTypes(seed).Make(4);
        var target = Target.Of(LoadedAssembly.Of([RandomTypes.Common, .. types.Select(type => type.Source())]).Type("M3"));
        var values = new RandomValues(seed);
        for (int i = 0; i < MessagesOfType; i++)
        {
            values.MakeRoot(target.Type);
        }

        byte[] bytes = target.Pack(values.MakeRoot(target.Type));
        target.Try(bytes, bytes);
        Assert.InRange(target.MostAllocated, 2 * bytes.Length, 64L << 20);
    }

    private static void Check(TypeBatch batch)
    {
        var loaded = LoadedAssembly.Of([RandomTypes.Common, .. batch.Types.Select(type => type.Source())]);
        foreach (TypeShape shape in batch.Types)
        {
            Check(Target.Of(loaded.Type(shape.Name)), batch.Seed);
        }
    }

    private static void Check(Target target, int seed)
    {
        var values = new RandomValues(seed);
        byte[] used = target.Pack(values.MakeRoot(target.Type));
        for (int i = 0; i < MessagesOfType; i++)
        {
            object message = values.MakeRoot(target.Type);
            target.RoundTrip(message, used);
            used = target.Pack(message);
        }

        var random = new Random(seed);
        for (int i = 0; i < MutationsOfType; i++)
        {
            target.Try(Mutator.Random(used, used, random), used);
        }
    }
}
