using System.Reflection;

namespace BlitQueue.ApiReference;

/// <summary>How types are written: in C#, in the name of a page, and in the ids of the documentation file.</summary>
internal static class Names
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void", [typeof(bool)] = "bool", [typeof(byte)] = "byte", [typeof(sbyte)] = "sbyte", [typeof(short)] = "short",
        [typeof(ushort)] = "ushort", [typeof(int)] = "int", [typeof(uint)] = "uint", [typeof(long)] = "long", [typeof(ulong)] = "ulong",
        [typeof(float)] = "float", [typeof(double)] = "double", [typeof(decimal)] = "decimal", [typeof(char)] = "char",
        [typeof(string)] = "string", [typeof(object)] = "object",
    };

    /// <summary><c>MappedQueue&lt;T&gt;</c>, <c>ReadOnlySpan&lt;byte&gt;</c>, <c>int?</c>.</summary>
    public static string Of(Type type)
    {
        if (type.IsByRef)
        {
            return Of(type.GetElementType()!);
        }
        if (type.IsArray)
        {
            return $"{Of(type.GetElementType()!)}[{new string(',', type.GetArrayRank() - 1)}]";
        }
        if (Keywords.TryGetValue(type, out string? keyword))
        {
            return keyword;
        }
        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return Of(value) + "?";
        }
        // The arguments of a nested type begin with those of the types around it.
        Type[] arguments = type.GetGenericArguments();
        int outer = type.DeclaringType is { } declaring && !type.IsGenericParameter ? declaring.GetGenericArguments().Length : 0;
        string own = arguments.Length > outer && !type.IsGenericParameter
            ? $"<{string.Join(", ", arguments[outer..].Select(Of))}>"
            : "";
        string name = type.Name.Split('`')[0] + own;
        return type.IsNested && !type.IsGenericParameter ? $"{Of(type.DeclaringType!)}.{name}" : name;
    }

    /// <summary>With the marks of nullable references.</summary>
    public static string Of(Type type, NullabilityInfo nullability)
    {
        if (type.IsByRef)
        {
            return Of(type.GetElementType()!, nullability);
        }
        bool isMarked = nullability.ReadState == NullabilityState.Nullable && Nullable.GetUnderlyingType(type) is null;
        if (type.IsGenericType && !type.IsNested && Nullable.GetUnderlyingType(type) is null
            && nullability.GenericTypeArguments.Length == type.GetGenericArguments().Length)
        {
            IEnumerable<string> arguments = type.GetGenericArguments().Zip(nullability.GenericTypeArguments, Of);
            return $"{type.Name.Split('`')[0]}<{string.Join(", ", arguments)}>{(isMarked ? "?" : "")}";
        }
        return Of(type) + (isMarked ? "?" : "");
    }

    /// <summary>The name of a type's page: <c>mappedqueue-1</c>.</summary>
    public static string PageOf(Type type) =>
        (type.IsNested ? $"{PageOf(type.DeclaringType!)}-{type.Name}" : type.Name).Replace('`', '-').ToLowerInvariant();

    /// <summary>As the C# specification says it (documentation comments, ID string format).</summary>
    public static string IdOf(MemberInfo member) => member switch
    {
        Type type => "T:" + Declared(type),
        FieldInfo => $"F:{Declared(member.DeclaringType!)}.{member.Name}",
        EventInfo => $"E:{Declared(member.DeclaringType!)}.{member.Name}",
        PropertyInfo property => $"P:{Declared(member.DeclaringType!)}.{Escaped(member)}{Parameters(property.GetIndexParameters())}",
        MethodBase method =>
            $"M:{Declared(member.DeclaringType!)}.{Escaped(member)}{Arity(method)}{Parameters(method.GetParameters())}{Result(method)}",
        _ => throw new ArgumentException($"{member} has no id.", nameof(member)),
    };

    private static string Escaped(MemberInfo member) => member.Name.Replace('.', '#');

    private static string Arity(MethodBase method) => method.IsGenericMethod ? "``" + method.GetGenericArguments().Length : "";

    private static string Result(MethodBase method) =>
        method is MethodInfo { Name: "op_Implicit" or "op_Explicit" } conversion ? "~" + Used(conversion.ReturnType) : "";

    private static string Parameters(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? "" : $"({string.Join(",", parameters.Select(static parameter => Used(parameter.ParameterType)))})";

    private static string Declared(Type type) =>
        (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!.Replace('+', '.');

    // With the number of a type parameter of the type or, behind two marks, of the method.
    private static string Used(Type type)
    {
        if (type.IsGenericParameter)
        {
            return (type.DeclaringMethod is null ? "`" : "``") + type.GenericParameterPosition;
        }
        if (type.HasElementType)
        {
            return Used(type.GetElementType()!) + (type.IsByRef ? "@" : type.IsPointer ? "*" : "[]");
        }
        var arguments = new Queue<string>(type.GetGenericArguments().Select(Used));
        return string.Join('.', Declared(type).Split('.').Select(part =>
        {
            string[] words = part.Split('`');
            int own = words.Length == 1 ? 0 : int.Parse(words[1]);
            return own == 0 ? part : $"{words[0]}{{{string.Join(",", Enumerable.Range(0, own).Select(_ => arguments.Dequeue()))}}}";
        }));
    }
}
