using System.Collections;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Random values of any type that can be packed, null among them.</summary>
internal sealed class RandomValues(Random random)
{
    private const int MaxCount = 4;
    private const int MaxDepth = 4;

    // How many objects are being made inside each other.
    private int _depth;

    public object? Make(Type type)
    {
        if (type == typeof(string))
            return random.Next(4) == 0 ? null : string.Concat(Enumerable.Range(0, random.Next(9)).Select(_ => "ab\u00e9\u4e2d\U0001F600"[random.Next(4)]));
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return random.Next(3) == 0 ? null : Make(underlying);
        if (type.IsArray)
            return random.Next(4) == 0 ? null : type.GetArrayRank() > 1 ? MakeGrid(type) : MakeArray(type.GetElementType()!);
        if (type.IsGenericType)
            return MakeGeneric(type, type.GetGenericArguments());
        return MakeKnown(type) ?? (type.IsValueType && !HasReferences(type) ? MakeBlit(type) : MakeObject(type));
    }

    private object? MakeKnown(Type type)
        => type == typeof(bool) ? random.Next(2) == 0
        : type == typeof(decimal) ? new decimal(random.Next(), random.Next(), random.Next(), random.Next(2) == 0, (byte)random.Next(29))
        : type == typeof(DateTime) ? new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(3))
        : type == typeof(DateTimeOffset) ? new DateTimeOffset(random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay), TimeSpan.FromMinutes(random.Next(-840, 841)))
        : type == typeof(DateOnly) ? DateOnly.FromDayNumber(random.Next(DateOnly.MaxValue.DayNumber))
        : type == typeof(TimeOnly) ? new TimeOnly(random.NextInt64(TimeSpan.TicksPerDay))
        : type == typeof(Rune) ? new Rune(random.Next(0xD800))
        : type == typeof(BigInteger) ? new BigInteger(random.NextInt64()) * random.Next(-1000, 1000)
        : type == typeof(Version) ? new Version(random.Next(9), random.Next(9), random.Next(9))
        : type == typeof(Uri) ? new Uri(random.Next(2) == 0 ? "https://host/\u00e9?q=1" : "over/there", UriKind.RelativeOrAbsolute)
        : null;

    private object? MakeGeneric(Type type, Type[] arguments)
    {
        if (type.IsValueType)
            return Activator.CreateInstance(type, [.. arguments.Select(Make)]);
        if (random.Next(4) == 0)
            return null;
        if (arguments.Length == 1)
            return Activator.CreateInstance(type.IsInterface ? typeof(List<>).MakeGenericType(arguments) : type, MakeArray(arguments[0]));

        var map = (IDictionary)Activator.CreateInstance(type)!;
        for (var count = random.Next(MaxCount); count > 0; count--)
            map[Make(arguments[0]) ?? ""] = Make(arguments[1]);
        return map;
    }

    private Array MakeGrid(Type type)
    {
        var grid = Array.CreateInstance(type.GetElementType()!, [.. Enumerable.Range(0, type.GetArrayRank()).Select(_ => random.Next(MaxCount))]);
        var indices = new int[grid.Rank];
        for (var place = 0; place < grid.Length; place++)
        {
            for (int d = grid.Rank - 1, rest = place; d >= 0; rest /= grid.GetLength(d--))
                indices[d] = rest % grid.GetLength(d);
            grid.SetValue(Make(type.GetElementType()!), indices);
        }

        return grid;
    }

    private Array MakeArray(Type element)
    {
        var array = Array.CreateInstance(element, random.Next(MaxCount));
        for (var i = 0; i < array.Length; i++)
            array.SetValue(Make(element), i);
        return array;
    }

    // Any bit pattern will do.
    private object MakeBlit(Type type)
    {
        var size = type.IsEnum ? Marshal.SizeOf(Enum.GetUnderlyingType(type)) : (int)SizeOf.MakeGenericMethod(type).Invoke(null, null)!;
        var bytes = new byte[size];
        random.NextBytes(bytes);
        return Cast.MakeGenericMethod(type).Invoke(null, [bytes])!;
    }

    private object? MakeObject(Type type)
    {
        if (!type.IsValueType && type.Name != "Message" && (random.Next(4) == 0 || _depth > MaxDepth))
            return null;

        if (type.IsAbstract)
        {
            var cases = type.Assembly.GetTypes().Where(found => found.BaseType == type).ToArray();
            return MakeObject(cases[random.Next(cases.Length)]);
        }

        var constructor = type.GetConstructors().OrderByDescending(candidate => candidate.GetParameters().Length).FirstOrDefault();
        var made = constructor is null
            ? Activator.CreateInstance(type)!
            : constructor.Invoke([.. constructor.GetParameters().Select(parameter => Make(parameter.ParameterType))]);
        _depth++;
        foreach (var property in type.GetProperties(BindingFlags.Instance | BindingFlags.Public).Where(property => property.CanWrite))
            property.SetValue(made, Make(property.PropertyType));
        foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public))
            field.SetValue(made, Make(field.FieldType));
        _depth--;
        return made;
    }

    private static readonly MethodInfo SizeOf = typeof(Unsafe).GetMethod(nameof(Unsafe.SizeOf))!;

    private static readonly MethodInfo Cast = typeof(RandomValues).GetMethod(nameof(Read), BindingFlags.NonPublic | BindingFlags.Static)!;

    private static bool HasReferences(Type type)
        => (bool)typeof(RuntimeHelpers).GetMethod(nameof(RuntimeHelpers.IsReferenceOrContainsReferences))!.MakeGenericMethod(type).Invoke(null, null)!;

    private static T Read<T>(byte[] bytes)
        where T : struct => MemoryMarshal.Read<T>(bytes);
}
