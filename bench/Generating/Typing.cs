using BlitQueue.Bench.Measuring;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace BlitQueue.Bench.Generating;

/// <summary>One generator in an editor: what it takes after each edit.</summary>
internal sealed class Typing
{
    private CSharpCompilation _project;
    private GeneratorDriver _driver;

    public Typing(Subject subject)
    {
        _project = subject.Project();
        subject.Cold(_project, out _driver);
    }

    /// <summary>Types something into the first class of a file.</summary>
    /// <param name="file">The file's number; that of <see cref="Subject.Types"/> has no message.</param>
    /// <param name="typed">What is typed.</param>
    /// <returns>How many milliseconds the generator took. To make the new compilation is the editor's part.</returns>
    public double Type(int file, string typed)
    {
        SyntaxTree old = _project.SyntaxTrees[file];
        SourceText text = old.GetText();
        string all = text.ToString();
        int at = all.IndexOf("public", all.IndexOf('{', StringComparison.Ordinal), StringComparison.Ordinal);
        SyntaxTree edited = old.WithChangedText(text.WithChanges(new TextChange(new TextSpan(at, 0), typed)));
        _project = _project.ReplaceSyntaxTree(old, edited);
        TimeSpan before = ProcessorClock.Spent();
        _driver = _driver.RunGenerators(_project);
        return (ProcessorClock.Spent() - before).TotalMilliseconds;
    }
}
