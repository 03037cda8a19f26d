using System.Reflection;
using BlitQueue.Clients;
using BlitQueue.Generator.Tests.Golden;
using BlitQueue.Generator.Tests.Properties;

namespace BlitQueue.Generator.Tests.Clients;

/// <summary>Python decodes by the schema alone what generated code packs: every wire form, types made at random, damaged bytes.</summary>
public sealed class PythonTests
{
    private static readonly int Batches = PythonRun.Count(small: 2, full: 40);
    private static readonly int MessagesOfType = PythonRun.Count(small: 25, full: 250);
    private const int TypesInBatch = 10;

    [PythonFact]
    public void Python_decodes_every_wire_form()
    {
        var loaded = LoadedAssembly.Of([GoldenRows.Common, .. GoldenRows.All.Select(static (row, number) => row.Source($"G{number}"))]);
        using var python = new PythonReader();
        for (int number = 0; number < GoldenRows.All.Count; number++)
        {
            GoldenRow row = GoldenRows.All[number];
            Type type = loaded.Type($"G{number}");
            object message = Activator.CreateInstance(type)!;
            if (row.Value == "default!")
            {
                PropertyInfo property = type.GetProperty("Value")!;
                property.SetValue(message, RandomContainers.Of(property.PropertyType, 7, "x"));
            }

            // Half of a pair of surrogates has no UTF-8. Zones as text are read as the text that they are.
            string text = row.Value == "\"\\uD800\"" ? "M{Value:\"\\fffd\"}"
                : row.Content.StartsWith("0C0000005A", StringComparison.Ordinal)
                    ? "M{Value:\"Z\\003b90\\003bD\\003bS\\003bS\\003b\\003b\"}"
                : CanonicalText.Of(message, type);
            string[] expected = [text, "end"];
            Assert.Equal(expected, python.Message(SchemaOf(type), Convert.FromHexString(row.Message())));
        }
        PythonRun.Record("golden messages, one of each wire form", GoldenRows.All.Count);
    }

    [PythonFact]
    public void Python_decodes_messages_of_types_made_at_random()
    {
        using var python = new PythonReader();
        int first = PythonRun.Seed();
        for (int batch = 0; batch < Batches; batch++)
        {
            int seed = first + batch;
            IReadOnlyList<TypeShape> shapes = new RandomTypes(seed).Make(TypesInBatch);
            var loaded = LoadedAssembly.Of([RandomTypes.Common, .. shapes.Select(static type => type.Source())]);
            var values = new RandomValues(seed);
            foreach (TypeShape shape in shapes)
            {
                Type type = loaded.Type(shape.Name);
                var writer = QueueWriter.Of(type);
                for (int i = 0; i < MessagesOfType; i++)
                {
                    object message = values.MakeRoot(type);
                    string[] expected = [CanonicalText.Of(message, type), "end"];
                    IReadOnlyList<string> read = python.Message(SchemaOf(type), writer.Pack(message));
                    Assert.True(expected.SequenceEqual(read), $"seed {seed}, {shape.Source()}\n{expected[0]}\n{string.Join('\n', read)}");
                }
            }
        }
        PythonRun.Record(
            $"messages of {Batches * TypesInBatch} types made at random", Batches * TypesInBatch * MessagesOfType, seed: first);
    }

    private static string SchemaOf(Type type) => CanonicalBytes.SchemaOf(type).Text;
}
