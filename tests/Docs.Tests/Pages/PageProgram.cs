using System.Collections.Immutable;
using System.Text;
using BlitQueue.Generator;
using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Diagnose.Usage;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Emit;

namespace BlitQueue.Docs.Pages;

/// <summary>
/// The blocks of a page as one program, in their order and word for word: a reader who pastes one after the other has the same. Types go to
/// the end and usings to the beginning, where C# wants them.
/// </summary>
internal sealed class PageProgram
{
    // What the project file of `dotnet new console` brings along, or `dotnet new web`.
    private const string Usings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;

        """;

    private const string WebUsings = """
        global using Microsoft.AspNetCore.Builder;
        global using Microsoft.AspNetCore.Http;
        global using Microsoft.Extensions.DependencyInjection;
        global using Microsoft.Extensions.Hosting;
        global using Microsoft.Extensions.Logging;

        """;

    // The packages, and what they bring along that is in no shared framework.
    private static readonly string[] Libraries =
    [
        "BlitQueue.dll", "BlitQueue.Hosting.dll", "BlitQueue.RabbitMq.dll", "BlitQueue.RabbitMq.Hosting.dll", "RabbitMQ.Client.dll",
        "System.Threading.RateLimiting.dll",
    ];

    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.CSharp14);

    internal static readonly MetadataReference[] References =
    [
        .. File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "references.txt"))
            .Where(static path => path.Contains("Microsoft.NETCore.App.Ref", StringComparison.Ordinal)
                || Libraries.Contains(Path.GetFileName(path)))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private readonly string _page;
    private readonly bool _isWeb;
    private readonly bool _isRun;

    public PageProgram(string page, IReadOnlyList<PageBlock> blocks)
    {
        _page = page;
        Blocks = blocks;
        _isWeb = blocks.Any(static block => block.Text.Contains("WebApplication.", StringComparison.Ordinal));
        _isRun = !blocks.Any(static block => block.IsCompiledOnly);
    }

    private IReadOnlyList<PageBlock> Blocks { get; }

    /// <summary>The page's programs: one, or as many as blocks begin one.</summary>
    public static IEnumerable<PageProgram> Of(Page page)
    {
        var blocks = new List<PageBlock>();
        foreach (PageBlock block in page.Blocks.Where(static block => block is { IsForeign: false, File: null }))
        {
            if (block.BeginsProgram && blocks.Exists(static one => one is { Language: "csharp", RunsBefore: false }))
            {
                yield return new PageProgram(page.Name, [.. blocks]);
                blocks.Clear();
            }
            blocks.Add(block);
        }
        if (blocks.Exists(static one => one is { Language: "csharp", RunsBefore: false }))
        {
            yield return new PageProgram(page.Name, blocks);
        }
    }

    /// <summary>Compiles with generator and analyzers, as a build does, and takes no warning for good.</summary>
    private async Task<CSharpCompilation> CompileAsync()
    {
        CSharpCompilationOptions options = new CSharpCompilationOptions(OutputKind.ConsoleApplication)
            .WithNullableContextOptions(NullableContextOptions.Enable);
        var compilation = CSharpCompilation.Create(
            "Page",
            [
                CSharpSyntaxTree.ParseText(Compose(), ParseOptions, _page),
                CSharpSyntaxTree.ParseText(_isWeb ? Usings + WebUsings : Usings, ParseOptions, "Usings.cs"),
            ],
            _isWeb ? [.. References, .. WebReferences()] : References, options);
        CSharpGeneratorDriver.Create([new QueueMessageGenerator().AsSourceGenerator()], parseOptions: ParseOptions)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation whole, out _);
        ImmutableArray<Diagnostic> found = await whole.WithAnalyzers([new MessageAnalyzer(), new UsageAnalyzer()]).GetAllDiagnosticsAsync();
        string[] complaints =
            [.. found.Where(static one => one.Severity >= DiagnosticSeverity.Warning).Select(static one => one.ToString())];
        Assert.True(complaints.Length == 0, string.Join('\n', complaints) + "\n" + Compose());
        return (CSharpCompilation)whole;
    }

    /// <summary>Runs it as a program of its own in an empty folder, and compares what it prints with what the page says.</summary>
    public async Task RunAsync()
    {
        CSharpCompilation compilation = await CompileAsync();
        if (!_isRun)
        {
            return;
        }
        DirectoryInfo folder = Folder();
        try
        {
            foreach (PageBlock before in Blocks.Where(static block => block.RunsBefore))
            {
                var program = new PageProgram(_page, [before with { Mark = "" }]);
                program.Run(await program.CompileAsync(), folder);
            }
            string said = Run(compilation, folder);
            Output.AssertIs(string.Concat(Blocks.Where(static block => block.IsOutput).Select(static block => block.Text)), said);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private string Run(CSharpCompilation compilation, DirectoryInfo folder)
    {
        DirectoryInfo program = folder.CreateSubdirectory(Guid.NewGuid().ToString("N")), work = folder.CreateSubdirectory("work");
        string path = Path.Combine(program.FullName, "Page.dll");
        EmitResult emitted = compilation.Emit(path);
        Assert.True(emitted.Success, string.Join('\n', emitted.Diagnostics));
        foreach (string library in Libraries)
        {
            File.Copy(Path.Combine(AppContext.BaseDirectory, library), Path.Combine(program.FullName, library));
        }
        string framework = _isWeb ? "Microsoft.AspNetCore.App" : "Microsoft.NETCore.App";
        File.WriteAllText(
            Path.ChangeExtension(path, "runtimeconfig.json"),
            $$"""
            { "runtimeOptions": {
                "tfm": "net10.0",
                "framework": { "name": "{{framework}}", "version": "10.0.0" },
                "configProperties": { "System.Globalization.Invariant": true } } }
            """);
        return Command.Run(work.FullName, Command.Dotnet, ["exec", path]);
    }

    // On a disk: in memory nothing can be made durable.
    private static DirectoryInfo Folder() =>
        new DriveInfo(Path.GetTempPath()).DriveFormat is "tmpfs" or "ramfs"
            ? Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, $"page-{Guid.NewGuid():N}"))
            : Directory.CreateTempSubdirectory("blitqueue-page-");

    private string Compose()
    {
        var usings = new StringBuilder();
        var statements = new StringBuilder();
        var types = new StringBuilder();
        foreach (PageBlock block in Blocks.Where(static block => block is { Language: "csharp", RunsBefore: false }))
        {
            SyntaxTree tree = CSharpSyntaxTree.ParseText(block.Text, ParseOptions);
            CompilationUnitSyntax unit = tree.GetCompilationUnitRoot();
            foreach (UsingDirectiveSyntax one in unit.Usings)
            {
                // Several blocks may repeat it, as several files would.
                if (!usings.ToString().Contains(one.ToString(), StringComparison.Ordinal))
                {
                    Append(usings, block, one);
                }
            }
            foreach (MemberDeclarationSyntax member in unit.Members)
            {
                Append(member is GlobalStatementSyntax ? statements : types, block, member);
            }
        }
        return $"{usings}{statements}{types}";
    }

    private void Append(StringBuilder text, PageBlock block, SyntaxNode part)
    {
        int line = block.Line + part.SyntaxTree.GetLineSpan(part.FullSpan).StartLinePosition.Line;
        text.Append($"#line {line} \"{_page}\"\n").Append(part.ToFullString());
        if (text[^1] != '\n')
        {
            text.Append('\n');
        }
    }

    internal static IEnumerable<MetadataReference> WebReferences()
    {
        // <dotnet>/shared/Microsoft.NETCore.App/<version>, and beside it the framework for the web.
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string web = Path.Combine(runtime, "..", "..", "Microsoft.AspNetCore.App", Path.GetFileName(runtime));
        return Directory.EnumerateFiles(web, "Microsoft.*.dll").Select(static path => MetadataReference.CreateFromFile(path));
    }
}
