using System.Diagnostics;
using System.Globalization;
using System.Text;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Reporting;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace BlitQueue.Bench.Generating;

/// <summary>What the generator costs the compiler and the editor of a project with 1,000 message types, beside MemoryPack's.</summary>
internal static class GeneratorBench
{
    public const string Verb = "generator";

    // A process of its own that runs one of them once.
    private const string Once = "once";
    private const int FirstRuns = 7;
    private const int WarmRuns = 7;
    private const int Keystrokes = 31;

    // An editor has typed much before: the JIT must have done its best here too.
    private const int WarmUp = 100;
    private const double ColdLimit = 1.3;
    private const double KeystrokeLimit = 1.0 / 3;

    private static readonly Subject[] Subjects = [Subject.Ours, Subject.Peer];

    public static int Run(string[] arguments)
    {
        if (arguments is [_, Once, var name])
        {
            Subject subject = Subjects.Single(subject => subject.Name == name);
            Console.WriteLine(subject.Cold(subject.Project()).ToString("R", CultureInfo.InvariantCulture));
            return 0;
        }
        if (Subjects.Select(static subject => subject.Error()).FirstOrDefault(static error => error is not null) is { } error)
        {
            Console.Error.WriteLine(error);
            return 1;
        }
        string page = Page(arguments);
        Console.Write(page);
        if (arguments is [_, "--output", var path])
        {
            File.WriteAllText(path, page);
        }
        return 0;
    }

    private static string Page(string[] arguments)
    {
        var page = new StringBuilder();
        MarkdownReport.AppendHead(page, Circumstances.Now(arguments));
        page.AppendLine(CultureInfo.InvariantCulture, $"""

            ## {Subject.Types} message types of ten members

            | what | ms | MemoryPack's, ms | beside it | at most | |
            |---|--:|--:|--:|--:|---|
            """);
        Append(page, "cold, first in a process", ColdLimit, FirstRuns, static (subject, _) => First(subject));
        Append(page, "cold, warmed up", ColdLimit, WarmRuns, static (subject, _) => subject.Cold(subject.Project()));
        Dictionary<Subject, Typing> editors = Subjects.ToDictionary(static subject => subject, static subject => new Typing(subject));
        AppendKeystroke(page, editors, "keystroke in an unrelated file", static _ => Subject.Types, static number => $"// {number}\n");
        AppendKeystroke(page, editors, "keystroke in a method of one message", static number => number, static number => $"// {number}\n");
        AppendKeystroke(
            page, editors, "keystroke that adds a member to one", static number => number,
            static number => $"public int Added{number} {{ get; set; }}\n");
        return page.ToString();
    }

    private static void AppendKeystroke(
        StringBuilder page, Dictionary<Subject, Typing> editors, string what, Func<int, int> fileOf, Func<int, string> typed)
    {
        foreach (int number in Enumerable.Range(0, WarmUp))
        {
            foreach (Typing editor in editors.Values)
            {
                editor.Type(fileOf(number), typed(number));
            }
        }
        Append(
            page, what, KeystrokeLimit, Keystrokes,
            (subject, round) => editors[subject].Type(fileOf(WarmUp + round), typed(WarmUp + round)));
    }

    // One after the other in each round, in turns the one and the other first.
    private static void Append(StringBuilder page, string what, double limit, int rounds, Func<Subject, int, double> measure)
    {
        Dictionary<Subject, List<double>> times = Subjects.ToDictionary(static subject => subject, static _ => new List<double>());
        for (int round = 0; round < rounds; round++)
        {
            foreach (Subject subject in round % 2 == 0 ? Subjects : Subjects.Reverse())
            {
                times[subject].Add(measure(subject, round));
            }
        }
        (List<double> ours, List<double> peers) = (times[Subject.Ours], times[Subject.Peer]);
        double ratio = Statistics.Median(ours.Zip(peers, static (mine, theirs) => mine / theirs));
        page.AppendLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {what} | {Statistics.Median(ours):#,0.00} | {Statistics.Median(peers):#,0.00} | {ratio:0.00} | {limit:0.00} "
                + $"| {(ratio <= limit ? "met" : "MISSED")} |"));
    }

    // The compiler's own code is compiled to machine code in it, too.
    private static double First(Subject subject)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardOutput = true };
        string[] self = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [typeof(Subject).Assembly.Location] : [];
        foreach (string argument in (string[])[.. self, Verb, Once, subject.Name])
        {
            start.ArgumentList.Add(argument);
        }
        using Process process = Process.Start(start)!;
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? double.Parse(text, CultureInfo.InvariantCulture)
            : throw new InvalidOperationException($"The process that runs the generator once ended with {process.ExitCode}.");
    }
}

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
