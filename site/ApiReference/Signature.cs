using System.Reflection;
using System.Runtime.CompilerServices;

namespace BlitQueue.ApiReference;

/// <summary>The declaration of a type or a member, as C# has it.</summary>
internal static class Signature
{
    private static readonly NullabilityInfoContext Nullability = new();

    public static string Of(Type type)
    {
        string kind = type switch
        {
            { IsEnum: true } => "enum",
            { IsInterface: true } => "interface",
            { IsValueType: true } => (Has<IsReadOnlyAttribute>(type) ? "readonly " : "") + (type.IsByRefLike ? "ref struct" : "struct"),
            _ => (type.IsAbstract && type.IsSealed ? "static " : type.IsAbstract ? "abstract " : type.IsSealed ? "sealed " : "") + "class",
        };
        Type[] above = [.. (type.BaseType is { } parent && !IsRoot(parent) ? [parent] : Array.Empty<Type>()), .. OwnInterfaces(type)];
        string bases = above.Length == 0 || type.IsEnum ? "" : " : " + string.Join(", ", above.Select(Names.Of));
        return $"public {kind} {Names.Of(type)}{bases}{Constraints(type.GetGenericArguments())}";
    }

    public static string Of(MemberInfo member) => member switch
    {
        ConstructorInfo constructor =>
            $"{Access(constructor)} {Names.Of(constructor.DeclaringType!).Split('<')[0]}({Parameters(constructor)})",
        MethodInfo method => Of(method),
        PropertyInfo property => Of(property),
        EventInfo occasion => $"public event {Names.Of(occasion.EventHandlerType!, Nullability.Create(occasion))} {occasion.Name}",
        FieldInfo field => Of(field),
        _ => throw new ArgumentException($"{member} has no signature.", nameof(member)),
    };

    private static string Of(MethodInfo method)
    {
        string arguments = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(Names.Of))}>" : "";
        string result = Names.Of(method.ReturnType, Nullability.Create(method.ReturnParameter));
        string extended = method.IsDefined(typeof(ExtensionAttribute)) ? "this " : "";
        string name = method.Name switch
        {
            "op_Equality" => "operator ==",
            "op_Inequality" => "operator !=",
            "op_LessThan" => "operator <",
            "op_GreaterThan" => "operator >",
            "op_LessThanOrEqual" => "operator <=",
            "op_GreaterThanOrEqual" => "operator >=",
            "op_Implicit" => "implicit operator",
            "op_Explicit" => "explicit operator",
            _ => method.Name,
        };
        return $"{Access(method)} {(method.IsStatic ? "static " : "")}{result} {name}{arguments}({extended}{Parameters(method)})"
            + Constraints(method.IsGenericMethod ? method.GetGenericArguments() : []);
    }

    private static string Of(PropertyInfo property)
    {
        ParameterInfo[] index = property.GetIndexParameters();
        string name = index.Length == 0 ? property.Name : $"this[{string.Join(", ", index.Select(Of))}]";
        bool isInit = property.SetMethod?.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) ?? false;
        string set = property.SetMethod is { IsPublic: true } ? isInit ? " init;" : " set;" : "";
        string type = Names.Of(property.PropertyType, Nullability.Create(property));
        bool isStatic = (property.GetMethod ?? property.SetMethod)!.IsStatic;
        return $"public {(isStatic ? "static " : "")}{type} {name} {{{(property.GetMethod is { IsPublic: true } ? " get;" : "")}{set} }}";
    }

    private static string Of(FieldInfo field)
    {
        string kind = field.IsLiteral ? "const " : field.IsStatic ? "static " : "";
        return field.DeclaringType!.IsEnum
            ? $"{field.Name} = {Convert.ToInt64(field.GetRawConstantValue())}"
            : $"public {kind}{(field.IsInitOnly ? "readonly " : "")}{Names.Of(field.FieldType, Nullability.Create(field))} {field.Name}";
    }

    private static string Of(ParameterInfo parameter)
    {
        string kind = parameter switch
        {
            { IsOut: true } => "out ",
            { ParameterType.IsByRef: true, IsIn: true } => "in ",
            { ParameterType.IsByRef: true } => "ref ",
            _ => parameter.IsDefined(typeof(ParamArrayAttribute)) ? "params " : "",
        };
        string given = !parameter.HasDefaultValue ? "" : " = " + parameter.RawDefaultValue switch
        {
            null => parameter.ParameterType.IsValueType && Nullable.GetUnderlyingType(parameter.ParameterType) is null ? "default" : "null",
            string text => $"\"{text}\"",
            bool flag => flag ? "true" : "false",
            object value => value.ToString(),
        };
        return $"{kind}{Names.Of(parameter.ParameterType, Nullability.Create(parameter))} {parameter.Name}{given}";
    }

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Of));

    private static string Access(MethodBase method) => method.IsPublic ? "public" : "protected";

    private static string Constraints(Type[] parameters) => string.Concat(
        from parameter in parameters
        let bounds = parameter.GetGenericParameterConstraints().Where(static bound => bound != typeof(ValueType)).Select(Names.Of)
        let kinds = parameter.GenericParameterAttributes.HasFlag(GenericParameterAttributes.NotNullableValueTypeConstraint) ? ["struct"]
            : parameter.GenericParameterAttributes.HasFlag(GenericParameterAttributes.ReferenceTypeConstraint) ? (string[])["class"] : []
        let all = kinds.Concat(bounds).ToArray()
        where all.Length > 0
        select $"\n    where {parameter.Name} : {string.Join(", ", all)}");

    private static IEnumerable<Type> OwnInterfaces(Type type) =>
        type.GetInterfaces().Where(static one => one.IsPublic)
            .Except(type.BaseType?.GetInterfaces() ?? []).Except(type.GetInterfaces().SelectMany(static one => one.GetInterfaces()));

    private static bool IsRoot(Type type) => type == typeof(object) || type == typeof(ValueType) || type == typeof(Enum);

    private static bool Has<T>(Type type)
        where T : Attribute => type.IsDefined(typeof(T), inherit: false);
}
