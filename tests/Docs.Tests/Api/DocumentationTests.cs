using System.Reflection;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Docs.Api;

/// <summary>
/// What an editor shows beside a name. That it shows something for every name is the compiler's rule (CS1591).
/// </summary>
public sealed class DocumentationTests
{
    // "Top-level statements must precede namespace and type declarations."
    private const string TypesFirst = "CS8803";

    private static readonly Dictionary<string, XElement> Members = PublicApi.Assemblies
        .SelectMany(static assembly => XDocument.Load(Path.ChangeExtension(assembly.Location, "xml")).Descendants("member"))
        .GroupBy(static member => member.Attribute("name")!.Value).ToDictionary(static group => group.Key, static group => group.First());

    public static TheoryData<string> EntryTypes { get; } = [.. PublicApi.Types.Where(IsEntry).Select(static type => type.FullName!)];

    /// <summary>On the type, or on one of its members.</summary>
    [Theory]
    [MemberData(nameof(EntryTypes))]
    public void A_type_that_a_user_begins_with_has_an_example(string type) =>
        Assert.True(ExamplesOf(type).Any(), $"{type} has no example.");

    [Fact]
    public void There_are_entry_types_in_every_package()
    {
        HashSet<Assembly> found = [.. PublicApi.Types.Where(IsEntry).Select(static type => type.Assembly)];
        Assert.Equal(PublicApi.Assemblies.ToHashSet(), found);
        Assert.InRange(PublicApi.Types.Count(IsEntry), 60, int.MaxValue);
    }

    [Fact]
    public void Examples_are_code()
    {
        var faults = new List<string>();
        foreach (XElement member in Members.Values)
        {
            foreach (string code in member.Elements("example").Elements("code").Select(static code => code.Value))
            {
                faults.AddRange(FaultsOf(code).Select(fault => $"{member.Attribute("name")!.Value}: {fault}"));
            }
        }
        Assert.True(faults.Count == 0, string.Join('\n', faults));
    }

    /// <summary>A size or a time without a unit is read wrongly once.</summary>
    [Fact]
    public void A_number_of_bytes_says_so() => Assert.Empty(
        from type in PublicApi.Types
        from property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
        where (Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType) is var number
            && (number == typeof(long) || number == typeof(int))
        where property.Name.Contains("Size", StringComparison.Ordinal) || property.Name.Contains("Bytes", StringComparison.Ordinal)
            || property.Name is "Capacity" or "SoftLimit" or "MinFreeDisk" or "UnhealthyFreeDisk"
        where property.Name != "BatchSize"
        // What a record has as a parameter is documented there.
        where Members.ContainsKey($"P:{type.FullName}.{property.Name}")
        let text = Members[$"P:{type.FullName}.{property.Name}"].ToString()
        where !text.Contains("byte", StringComparison.OrdinalIgnoreCase) && !text.Contains("inheritdoc", StringComparison.Ordinal)
        select $"{type.Name}.{property.Name}: {text}");

    // They end something, or look at what this process has. Those of a packer throw PackException, as their types say.
    private static readonly string[] NeverThrow =
    [
        "Dispose", "DisposeAsync", "ToString", "Equals", "GetHashCode", "CompareTo", "PrintMembers", "Deconstruct", "<Clone>$", "Clear",
        "GetStatistics", "GetState", "GetMemory", "GetSpan", "AsChannelReader", "AsChannelWriter", "Difference", "Obstacles",
        "AsSpanView", "Pack", "Unpack", "TryGet",
    ];

    [Fact]
    public void A_call_that_can_fail_says_how()
    {
        MethodInfo[] silent =
        [
            .. PublicApi.Calls.Where(static call => call.DeclaringType!.Name is not ("PackReader" or "PackWriter" or "PackException")
                && !NeverThrow.Contains(call.Name)),
        ];
        HashSet<string> said =
        [
            .. Members.Where(static member => member.Value.Elements().Any(static one => one.Name.LocalName is "exception" or "inheritdoc"))
                .Select(static member => member.Key[2..].Split('(')[0].Split("``")[0]),
        ];
        Assert.Empty(silent.Where(call => !said.Contains($"{call.DeclaringType!.FullName}.{call.Name}")).Select(PublicApi.Name).Distinct());
    }

    private static IEnumerable<XElement> ExamplesOf(string type) =>
        from member in Members
        where member.Key[2..] == type || member.Key[2..].StartsWith(type + ".", StringComparison.Ordinal)
        from example in member.Value.Elements("example")
        select example;

    // Statements and types in any order, or members of a class.
    private static Diagnostic[] FaultsOf(string code)
    {
        Diagnostic[] asProgram = Parse(code);
        return asProgram.Length == 0 ? [] : Parse($"class Example {{\n{code}\n}}");
    }

    private static Diagnostic[] Parse(string code) =>
    [
        .. CSharpSyntaxTree.ParseText(code, new CSharpParseOptions(LanguageVersion.CSharp14)).GetDiagnostics()
            .Where(static fault => fault.Severity == DiagnosticSeverity.Error && fault.Id != TypesFirst),
    ];

    // What is opened, made, implemented, set, written above a declaration, or found behind a dot.
    private static bool IsEntry(Type type) => !type.IsEnum && !type.IsAssignableTo(typeof(Delegate))
        && !type.IsAssignableTo(typeof(Exception)) && !type.IsAssignableTo(typeof(EventArgs))
        && (type.IsInterface || type.IsAssignableTo(typeof(Attribute)) || type.Name.EndsWith("Options", StringComparison.Ordinal)
            || type is { IsAbstract: true, IsSealed: true } || IsOpened(type)
            || (type is { IsClass: true, IsAbstract: false } && type.IsAssignableTo(typeof(IDisposable)))
            || IsMade(type));

    private static bool IsOpened(Type type) => type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)
        .Any(static call => call.Name.StartsWith("Open", StringComparison.Ordinal) || call.Name is "List" or "Exists");

    // By new, and then called. Records are read, not called.
    private static bool IsMade(Type type) => type is { IsClass: true, IsAbstract: false } && type.GetConstructors().Length > 0
        && type.GetMethod("<Clone>$") is null
        && type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Any(static call => !call.IsSpecialName && !call.IsVirtual);
}
