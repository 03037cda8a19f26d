using BlitQueue.Generator.Caching;
using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Incremental;

/// <summary>What is parsed again is another object; what is reused is the same one.</summary>
public class MessageMemoTests
{
    private const int Messages = 6;

    private readonly MessageMemo _memo = new();
    private CSharpCompilation _compilation = Compile.Source([.. Enumerable.Range(0, Messages).Select(Message)]);

    [Theory]
    [InlineData("long Twice() => Id * 2;", "long Twice() => Id * 3;")]
    [InlineData("void Empty() { }", "void Empty() { var local = 1; }")]
    [InlineData("{", "{ // a comment\n")]
    [InlineData("void Empty() { }", "void Empty() { \n#pragma warning disable CS0219\nint unused = 1; }")]
    public void A_methods_body_is_no_reason_to_parse(string old, string other)
        => Assert.Empty(ParsedAgain(2, Message(2).Replace(old, other, StringComparison.Ordinal)));

    [Fact]
    public void A_packer_that_the_assembly_names_is_a_reason_for_all()
        => Assert.Equal(Messages, ParsedAgain(2, "[assembly: PackWith(typeof(Exception), typeof(string))]\n" + Message(2)).Count);

    [Fact]
    public void What_such_a_packer_says_is_a_reason_for_all()
    {
        const string Named = "[assembly: PackWith(typeof(Exception), typeof(ExceptionPacker))]";
        const string Packer = "public class ExceptionPacker : IPacker<Exception> { public static void Pack(ref PackWriter writer, scoped "
            + "in Exception? value) { } }";
        _compilation = _compilation.AddSyntaxTrees(Compile.Tree(Named, "Named.cs"), Compile.Tree(Packer, $"Source{Messages}.cs"));
        Assert.Equal(Messages, ParsedAgain(Messages, Packer.Replace("public static", "private static", StringComparison.Ordinal)).Count);
    }

    [Fact]
    public void A_new_member_is_a_reason_for_its_message_and_for_those_that_mention_it()
        => Assert.Equal(
            ["Message1", "Message2"], ParsedAgain(2, Message(2).Replace("long Id", "int Added; public long Id", StringComparison.Ordinal)));

    [Fact]
    public void A_directive_in_a_body_is_a_reason()
        => Assert.Equal(["Message1", "Message2"], ParsedAgain(
            2, Message(2).Replace("Empty() { }", "Empty() { \n#nullable disable\n }", StringComparison.Ordinal)));

    [Fact]
    public void A_new_name_is_a_reason_for_all()
        => Assert.Equal(Messages, ParsedAgain(2, Message(2) + " class Another;").Count);

    [Fact]
    public void A_compilation_seen_before_the_last_one_is_no_harm()
    {
        List<MessageModel> before = Models(_compilation);
        ParsedAgain(2, Message(2).Replace("long Id", "int Id", StringComparison.Ordinal));
        Assert.Equal(before, Models(_compilation));
    }

    [Fact]
    public void No_compilation_is_alive_later()
    {
        WeakReference seen = Seen();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.False(seen.IsAlive);
        Assert.Equal(Messages, Models(_compilation).Count);
    }

    // A method of its own, so that no local variable holds it.
    private WeakReference Seen()
    {
        CSharpCompilation compilation = Compile.Source("[QueueMessage] public partial class Only { public int Id { get; set; } }")
            .AddReferences(_compilation.ToMetadataReference());
        Assert.Single(Models(compilation));
        return new WeakReference(compilation);
    }

    private List<string> ParsedAgain(int index, string text)
    {
        List<MessageModel> before = Models(_compilation);
        Microsoft.CodeAnalysis.SyntaxTree old = _compilation.SyntaxTrees.Single(tree => tree.FilePath == $"Source{index}.cs");
        List<MessageModel> after = Models(_compilation.ReplaceSyntaxTree(old, Compile.Tree(text, old.FilePath)));
        return [.. before.Zip(after).Where(pair => !ReferenceEquals(pair.First, pair.Second))
            .Select(pair => pair.First.Header.DisplayName)];
    }

    private List<MessageModel> Models(CSharpCompilation compilation) => [.. _memo.Find(compilation, default).SelectMany(models => models)];

    private static string Message(int number) => $$"""
        [QueueMessage] public partial class Message{{number}} {
            public long Id { get; set; }
            public List<Message{{(number + 1) % Messages}}>? Next { get; set; }
            public long Twice() => Id * 2;
            public void Empty() { }
        }
        """;
}
