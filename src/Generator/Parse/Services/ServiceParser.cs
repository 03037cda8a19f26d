using BlitQueue.Generator.Diagnose;

namespace BlitQueue.Generator.Parse.Services;

/// <summary>Makes the model of an interface marked [QueueService].</summary>
internal static class ServiceParser
{
    // What the generated part declares.
    private static readonly string[] Generated = ["Client", "Server"];

    /// <summary>Adds diagnostics for what cannot be a call.</summary>
    /// <returns>null if no code can be generated.</returns>
    public static ServiceModel? Parse(INamedTypeSymbol type, DiagnosticBag diagnostics)
    {
        HeaderParser.CheckPartial(type, diagnostics);
        if (FaultOf(type) is { } fault)
        {
            diagnostics.Add(
                Descriptors.UnusableService, HeaderParser.Declaration(type)?.Identifier.GetLocation(), TypeNames.Text(type), fault);
        }

        List<ServiceMethod> methods = [];
        HashSet<string> names = new(StringComparer.OrdinalIgnoreCase);
        foreach (ISymbol member in type.GetMembers().Where(static member => member.IsAbstract))
        {
            if (member is IMethodSymbol { MethodKind: MethodKind.Ordinary } method)
            {
                string? wrong = names.Add(method.Name) ? FaultOf(method) : "another method has its name, and its channel too";
                if (wrong is null)
                {
                    methods.Add(Model(method));
                }
                else
                {
                    diagnostics.Add(Descriptors.UnusableCall, method.Locations.FirstOrDefault(), method.Name, wrong);
                }
            }
            else if (member is IPropertySymbol or IEventSymbol)
            {
                diagnostics.Add(
                    Descriptors.UnusableCall, member.Locations.FirstOrDefault(), member.Name, "only a method can be a call");
            }
        }

        return diagnostics.Any
            ? null
            : new ServiceModel { Header = HeaderParser.Parse(type), Methods = new EquatableArray<ServiceMethod>(methods) };
    }

    private static string? FaultOf(INamedTypeSymbol type)
        => HeaderParser.TypeParameters(type).Any() ? "it has type parameters, or is inside of a type that has"
        : type.AllInterfaces.Length > 0 ? "it derives from another interface, whose methods have no channels"
        : type.IsFileLocal ? "it is local to its file, where nothing can be generated into it"
        : Generated.FirstOrDefault(name => type.GetMembers(name).Any(static member => !member.IsImplicitlyDeclared
            && member.DeclaringSyntaxReferences.Any(static part => !IsGenerated(part)))) is { } taken
            ? $"it has a member named {taken}, which is generated"
        : null;

    private static bool IsGenerated(SyntaxReference part) => part.SyntaxTree.FilePath.EndsWith(".g.cs", StringComparison.Ordinal);

    private static string? FaultOf(IMethodSymbol method)
        => method.IsStatic ? "it is static"
        : method.TypeParameters.Length > 0 ? "it has type parameters"
        : ReplyFault(method) ?? ParameterFault(method);

    private static string? ReplyFault(IMethodSymbol method)
    {
        bool isNothing = KnownTypes.Is(method.ReturnType, KnownTypes.ValueTask);
        if (KnownTypes.Has(method, KnownTypes.OneWay) && !isNothing)
        {
            return "it is one-way and returns something; let it return ValueTask";
        }

        return isNothing ? null
            : method.ReturnType is INamedTypeSymbol { TypeArguments: [{ } reply] } returned
                && (KnownTypes.Is(returned.OriginalDefinition, KnownTypes.ValueTaskOf)
                    || KnownTypes.Is(returned.OriginalDefinition, KnownTypes.IAsyncEnumerable))
                ? MessageFault(reply)
                : "it must return ValueTask<T>, ValueTask, or IAsyncEnumerable<T>";
    }

    private static string? ParameterFault(IMethodSymbol method)
    {
        ImmutableArray<IParameterSymbol> parameters = method.Parameters;
        int messages = parameters.Length;
        if (messages > 0 && IsToken(parameters[messages - 1]))
        {
            messages--;
        }

        return parameters.Any(static parameter => parameter.RefKind != RefKind.None) ? "a parameter is passed by reference"
            : messages > 1 ? "it takes more than one message; put them into one"
            : messages == 1 ? MessageFault(parameters[0].Type)
            : null;
    }

    private static bool IsToken(IParameterSymbol parameter) => KnownTypes.Is(parameter.Type, KnownTypes.CancellationToken);

    private static string? MessageFault(ITypeSymbol type)
        => type.TypeKind == TypeKind.Error || KnownTypes.Has(type, KnownTypes.QueueMessage)
            || type.AllInterfaces.Any(static one => KnownTypes.Is(one.OriginalDefinition, KnownTypes.IPackable))
                ? null
                : $"{TypeNames.Text(type)} is no message; mark it [QueueMessage]";

    private static ServiceMethod Model(IMethodSymbol method)
    {
        ImmutableArray<IParameterSymbol> parameters = method.Parameters;
        IParameterSymbol? token = parameters.LastOrDefault(IsToken), request = parameters.FirstOrDefault(static one => !IsToken(one));
        var returned = (INamedTypeSymbol)method.ReturnType;
        return new ServiceMethod
        {
            Name = method.Name,
            Identifier = TypeNames.Identifier(method.Name),
            Request = request is null ? "" : TypeNames.Code(request.Type),
            RequestName = request is null ? "" : TypeNames.Identifier(request.Name),
            Reply = returned.TypeArguments.Length == 0 ? "" : TypeNames.Code(returned.TypeArguments[0]),
            IsStream = KnownTypes.Is(returned.OriginalDefinition, KnownTypes.IAsyncEnumerable),
            IsOneWay = KnownTypes.Has(method, KnownTypes.OneWay),
            TokenName = token is null ? "" : TypeNames.Identifier(token.Name),
        };
    }
}
