using System.Reflection;
using BlitQueue.Hosting;
using BlitQueue.RabbitMq;
using BlitQueue.RabbitMq.Hosting;

namespace BlitQueue.Docs.Api;

/// <summary>What a user of the packages can name, read from all of their assemblies.</summary>
internal static class PublicApi
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>One assembly for each package.</summary>
    public static readonly Assembly[] Assemblies =
    [
        typeof(MappedQueue).Assembly, typeof(BlitQueueOptions).Assembly, typeof(ForwarderOptions).Assembly,
        typeof(BridgeHealthOptions).Assembly,
    ];

    /// <summary>All types but views, and those that only generated code calls.</summary>
    public static readonly Type[] Types =
    [
        .. Assemblies.SelectMany(static assembly => assembly.GetExportedTypes())
            .Where(static type => type.Namespace is not ("BlitQueue.Generated" or "BlitQueue.Views") && !type.IsNested),
    ];

    /// <summary>Their methods; those of interfaces are implemented by users, and those of the base class of all are known.</summary>
    public static readonly MethodInfo[] Calls =
    [
        .. Types.Where(static type => !type.IsInterface && !type.IsEnum && !type.IsAssignableTo(typeof(Delegate)))
            .SelectMany(static type => type.GetMethods(Declared))
            .Where(static method => !method.IsSpecialName && method.GetBaseDefinition().DeclaringType != typeof(object)
                && method.GetBaseDefinition().DeclaringType != typeof(Exception)),
    ];

    /// <summary>All options that a user can set, by the type that they are in.</summary>
    public static readonly Type[] Options =
        [.. Types.Where(static type => type.Name.EndsWith("Options", StringComparison.Ordinal))];

    /// <summary>Type and method, for lists of what is not as all others.</summary>
    public static string Name(MethodInfo call) => $"{call.DeclaringType!.Name}.{call.Name}";
}
