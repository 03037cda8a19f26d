using BlitQueue.Generator.Parse;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// Finds the messages of the files, one after the other; takes a result from the last run if nothing that it depends on has changed.
/// </summary>
internal sealed class FileParser
{
    private readonly Compilation _compilation;
    private readonly IReadOnlyList<SourceFile> _files;
    private readonly CancellationToken _cancellation;
    private readonly bool _isAnyAlias;
    private readonly bool _isAnyStatic;
    private Dictionary<SyntaxTree, int>? _numbers;

    public FileParser(Compilation compilation, IReadOnlyList<SourceFile> files, CancellationToken cancellation)
    {
        _compilation = compilation;
        _files = files;
        _cancellation = cancellation;
        _isAnyAlias = files.Any(file => file.HasGlobalAlias);
        _isAnyStatic = files.Any(file => file.HasGlobalStaticUsing);
    }

    public FileMessages Parse(int number, FileMessages? last)
    {
        SourceFile file = _files[number];
        CacheEntry?[]? types = null;
        for (int i = 0; i < file.Types.Count; i++)
        {
            if (file.MayBeMessage(i, _isAnyAlias))
            {
                (types ??= new CacheEntry?[file.Types.Count])[i] = Known(last, i) ?? Parse(number, i);
            }
        }

        if (types is null)
        {
            return FileMessages.None;
        }

        return last is not null && types.SequenceEqual(last.Types)
            ? last
            : new FileMessages(types, new EquatableArray<MessageModel>(types.Select(type => type?.Model).OfType<MessageModel>()));
    }

    private CacheEntry? Known(FileMessages? last, int type)
        => last is { Types.Length: > 0 } && last.Types[type] is { } known && known.IsValid(_files) ? known : null;

    private CacheEntry Parse(int number, int index)
    {
        _cancellation.ThrowIfCancellationRequested();
        TypeDeclarationSyntax declaration = _files[number].Types[index];
        if (_compilation.GetSemanticModel(declaration.SyntaxTree).GetDeclaredSymbol(declaration, _cancellation) is not { } type)
        {
            return new CacheEntry(null, null);
        }

        // A partial type comes here once for each part with attributes. It is one message, which belongs to the part with [QueueMessage].
        bool isMessage = KnownTypes.Has(type, KnownTypes.QueueMessage) && HeaderParser.Declaration(type) == declaration;
        MessageModel? model = isMessage ? MessageParser.Parse(type, _compilation, new DiagnosticBag(), _cancellation) : null;
        return new CacheEntry(model, DependenciesOf(type));
    }

    private Dependency[]? DependenciesOf(INamedTypeSymbol type)
    {
        var scan = DependencyScan.Of(type, _compilation, tree => _files[NumberOf(tree)], _isAnyStatic, _cancellation);
        if (!scan.IsComplete)
        {
            return null;
        }

        return [.. scan.Declarations.Select(found =>
        {
            int number = NumberOf(found.Tree);
            return new Dependency(number, found.Outermost, _files[number].TextOf(found.Outermost));
        })];
    }

    private int NumberOf(SyntaxTree tree)
    {
        _numbers ??= _compilation.SyntaxTrees.Select((other, number) => (other, number))
            .ToDictionary(pair => pair.other, pair => pair.number);
        return _numbers[tree];
    }
}
