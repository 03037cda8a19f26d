namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Random types of members, and the code that compares a view of each with the value.</summary>
internal sealed class RandomKinds(Random random)
{
    private const int MaxNesting = 3;

    private static readonly string[] Values =
    [
        "bool", "byte", "short", "char", "int", "ulong", "float", "double", "Half", "Int128", "decimal", "Guid", "DateTime",
        "DateTimeOffset",
        "TimeSpan", "DateOnly", "TimeOnly", "System.Text.Rune", "DayOfWeek", "System.Numerics.Vector3", "Pair",
    ];

    private static readonly string[] Messages = ["Leaf", "Row", "Shape", "Late", "Node"];

    private static readonly string[] Keys = ["int", "string", "Guid", "DayOfWeek", "decimal"];

    private static readonly string[] Sequences = ["List", "Queue", "LinkedList", "IReadOnlyList",
        "System.Collections.ObjectModel.Collection"];

    /// <summary>
    /// A type in C#; the statements that compare a view with a value. In maps, tuples and grids a value is viewed as what has a Value.
    /// </summary>
    internal sealed record Kind(string Type, Func<string, string, string, bool, string> Code, bool IsValue = false)
    {
        public string Compare(string view, string value, string id) => Code(view, value, id, false);

        public string CompareItem(string view, string value, string id) => Code(view, value, id, true);
    }

    public Kind Any(int nesting) => random.Next(nesting < MaxNesting ? 15 : 7) switch
    {
        0 => Text(),
        1 or 2 => Message(Pick(Messages)),
        3 => random.Next(2) == 0 ? Struct("Dot") : Nullable(Struct("Dot")),
        4 => Value(Pick(Values) + "?"),
        5 => Value(Pick(Values)),
        6 => random.Next(3) switch { 0 => Object("Uri?"), 1 => Object("Version?"), _ => Object("System.Numerics.BigInteger") },
        7 => Sequence(NotArray(nesting), "[]"),
        8 or 9 => Sequence(Any(nesting + 1), Pick(Sequences)),
        10 => Map(Pick(Keys), Any(nesting + 1)),
        11 => Tuple([.. Enumerable.Range(0, random.Next(2, 6)).Select(_ => Any(nesting + 1))]),
        12 => Nullable(Tuple([Any(nesting + 1), Any(nesting + 1)])),
        13 => Entry(Any(nesting + 1), Any(nesting + 1)),
        _ => Grid(NotArray(nesting), random.Next(2, 5)),
    };

    private static Kind Value(string type)
        => new(type, (view, value, _, isItem) => $"Same({value}, {view}{(isItem ? ".Value" : "")});\n", IsValue: true);

    private static Kind Text() => new(
        "string?", (view, value, _, _)
            => $"Same({value}, {view}.ToString()); Same({value} is null, {view}.IsNull); Same(true, {view} == {value});\n");

    private static Kind Message(string type) => new(type + "?", (view, value, id, _) => OfMessage(type, view, value, id));

    private static Kind Struct(string type) => new(type, (view, value, id, _) => OfMessage(type, view, value, id));

    private static string OfMessage(string type, string view, string value, string id)
        => $"if ({value} is {{ }} v{id}) {{ var o{id} = {view}.ToObject()!; Xunit.Assert.Equal(Packer.Pack<{type}>(in v{id}), "
            + $"Packer.Pack<{type}>(in o{id})); }} else Same(true, {view}.IsNull);\n";

    private static Kind Object(string type)
        => new(type, (view, value, _, _)
        => $"Same({value}{(type.EndsWith('?') ? "?" : "")}.ToString(), {view}.ToObject(){(type.EndsWith('?') ? "?" : "")}.ToString());\n");

    private static Kind Nullable(Kind kind) => new(
        kind.Type + "?", (view, value, id, _)
            => $"if ({value} is {{ }} n{id}) {{ {kind.Compare(view, "n" + id, id + "n")} }} else Same(true, {view}.IsNull);\n");

    private static Kind Sequence(Kind element, string container) => new(
        container == "[]" ? $"{element.Type}[]?" : $"{container}<{element.Type}>?",
        (view, value, id, _) => element.IsValue
            ? $"Same<{element.Type}>({value}, {view}.ToArray()); Same({value} is null, {view}.IsNull);\n"
            : $"var i{id} = 0; foreach (var e{id} in {view}) {{ var x{id} = System.Linq.Enumerable.ElementAt({value}!, "
                + $"i{id}++);\n{element.Compare("e" + id, "x" + id, id + "e")} }}\n"
                + $"Same({value} is null, {view}.IsNull); Same({value} is null ? 0 : System.Linq.Enumerable.Count({value}), i{id});\n");

    private static Kind Map(string key, Kind element)
    {
        Kind keys = key == "string" ? Text() : Value(key);
        return new(
            $"Dictionary<{key}, {element.Type}>?",
            (view, value, id, _) => $$"""
                var i{{id}} = 0;
                foreach (var e{{id}} in {{view}})
                {
                    var x{{id}} = System.Linq.Enumerable.ElementAt({{value}}!, i{{id}}++);
                    {{keys.CompareItem($"e{id}.Key", $"x{id}.Key", id + "k")}}
                    {{element.CompareItem($"e{id}.Value", $"x{id}.Value", id + "v")}}
                    if ({{view}}.TryGetValue(x{{id}}.Key, out var f{{id}})) { {{element.CompareItem("f" + id, $"x{id}.Value", id + "f")}} }
                        else Same("found", "not found");
                }
                Same({{value}} is null, {{view}}.IsNull); Same({{value}}?.Count ?? 0, {{view}}.Count); Same({{view}}.Count, i{{id}});

                """);
    }

    private static Kind Tuple(Kind[] parts) => new(
        $"({string.Join(", ", parts.Select(part => part.Type))})",
        (view, value, id, _)
            => string.Concat(parts.Select((part, i) => part.CompareItem($"{view}.Item{i + 1}", $"{value}.Item{i + 1}", $"{id}t{i}"))));

    private static Kind Entry(Kind key, Kind value) => new(
        $"KeyValuePair<{key.Type}, {value.Type}>",
        (view, pair, id, _) => key.CompareItem($"{view}.Key", $"{pair}.Key", id + "k") + value.CompareItem(
            $"{view}.Value", $"{pair}.Value", id + "v"));

    private static Kind Grid(Kind element, int rank) => new(
        $"{element.Type}[{new string(',', rank - 1)}]?",
        (view, value, id, _) => $$"""
            for (var d = 0; d < {{rank}}; d++) Same({{value}}?.GetLength(d) ?? 0, {{view}}.GetLength(d));
            var i{{id}} = 0;
            foreach (var e{{id}} in {{view}})
            {
                var x{{id}} = System.Linq.Enumerable.ElementAt(System.Linq.Enumerable.Cast<{{element.Type}}>({{value}}!), i{{id}}++);
                {{element.CompareItem("e" + id, "x" + id, id + "e")}}
            }
            Same({{value}} is null, {{view}}.IsNull); Same({{value}}?.Length ?? 0, i{{id}});

            """);

    // The brackets of an array's element would stand behind those of the array.
    private Kind NotArray(int nesting)
    {
        Kind element = Any(nesting + 1);
        return element.Type.EndsWith("]?", StringComparison.Ordinal) ? Sequence(element, "List") : element;
    }

    private string Pick(string[] choices) => choices[random.Next(choices.Length)];
}
