using System.Globalization;
using System.Reflection;
using FsCheck;
using FsCheck.Fluent;

namespace BlitQueue.Generator.Tests.Properties;

/// <summary>
/// New messages whose constructors, initializers and getters hand out instances that are used elsewhere: none of these is ever changed, the
/// messages come back as they were, and collections have the comparers of what they replaced. The variable asks for a long run.
/// </summary>
public class SharedInstanceTests
{
    private const string Variable = "BLITQUEUE_ROUND_TRIPS";
    private const int Usual = 600;
    private const int TypesInBatch = 10;
    private const int MaxMembers = 6;
    private const int MessagesInGroup = 10;

    // Each message is unpacked twice, into nothing and over another.
    private const int UnpackingsInGroup = 2 * MessagesInGroup;
    private const int MaxUnpackingsOfType = 1000;

    [Fact]
    public void What_new_messages_share_with_others_stays_as_it_is()
    {
        int asked = int.Parse(Environment.GetEnvironmentVariable(Variable) ?? Usual.ToString(CultureInfo.InvariantCulture),
            CultureInfo.InvariantCulture);
        int batches = Math.Max(1, asked / (TypesInBatch * MaxUnpackingsOfType));
        int groups = Math.Max(1, asked / batches / TypesInBatch / UnpackingsInGroup);
        Prop.ForAll(TypeBatch.Any(seed => new RandomTypes(seed, MaxMembers, hasDefaults: true).Make(TypesInBatch)), batch
            => Check(batch, groups))
            .Check(Config.QuickThrowOnFailure.WithMaxTest(batches));
    }

    private static void Check(TypeBatch batch, int groups)
    {
        var loaded = LoadedAssembly.Of([RandomTypes.Common, RandomTypes.Statics, .. batch.Types.Select(type => type.Source())]);
        Type statics = loaded.Type("Statics");
        var all = (Dictionary<(Type, int), object?>)statics.GetField("All")!.GetValue(null)!;
        var values = new RandomValues(batch.Seed);
        statics.GetField("Make")!.SetValue(null, (Func<Type, object?>)(type => WithComparer(values.Make(type))));
        foreach (TypeShape shape in batch.Types)
        {
            var target = Target.Of(loaded.Type(shape.Name));
            object fresh = target.UnpackNew(target.Pack(values.MakeRoot(target.Type)));
            List<string> before = Texts(all);
            if (shape.Form is not (TypeForm.Struct or TypeForm.RecordStruct))
            {
                CheckComparers(fresh, shape, all);
            }

            for (int i = 0; i < groups; i++)
            {
                target.ComeBack([.. Enumerable.Range(0, MessagesInGroup).Select(_ => values.MakeRoot(target.Type))]);
            }

            // What was made meanwhile is behind it.
            Assert.Equal(before, Texts(all).Take(before.Count));
        }
    }

    // To look at one may make others, by its getters.
    private static List<string> Texts(Dictionary<(Type, int), object?> all)
    {
        while (true)
        {
            KeyValuePair<(Type, int), object?>[] made = [.. all];
            List<string> texts = [.. made.Select(entry => $"{entry.Key}: {ValueText.Of(entry.Value)}")];
            if (all.Count == made.Length)
            {
                return texts;
            }
        }
    }

    // A comparer of its own, where it can be told from the usual one and finds the same equal.
    private static object? WithComparer(object? made)
    {
        if (made?.GetType() is not { IsGenericType: true } type || type.GetGenericArguments()[0] != typeof(string)
            || ComparerOf(made) is null)
        {
            return made;
        }

        try
        {
            return Activator.CreateInstance(type, made, StringComparer.Ordinal);
        }
        catch (MissingMethodException)
        {
            return made;
        }
    }

    // A struct is filled where it stands: nothing of it is constructed.
    private static void CheckComparers(object message, TypeShape shape, Dictionary<(Type, int), object?> all)
    {
        foreach (MemberShape? member in shape.Members.Where(
            member => member.Default is MemberDefault.Initializer or MemberDefault.Constructor))
        {
            (Type? type, object? come) = message.GetType().GetProperty(member.Name) is { } property
                ? (property.PropertyType, property.GetValue(message))
                : message.GetType().GetField(member.Name) is { } field ? (field.FieldType, field.GetValue(message))
                    : (typeof(object), null);
            object? shared = all.GetValueOrDefault((type, member.Number));
            if (come?.GetType() == shared?.GetType() && ComparerOf(shared) is { } comparer)
            {
                Assert.Same(comparer, ComparerOf(come));
            }
        }
    }

    private static object? ComparerOf(object? collection)
        => (collection?.GetType().GetProperty("Comparer") ?? collection?.GetType().GetProperty("KeyComparer"))?.GetValue(collection);
}
