using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Random values of any type that can be packed, null among them.</summary>
internal sealed class RandomValues(Random random)
{
    private const int MaxCount = 4;

    public object? Make(Type type)
    {
        if (type == typeof(string))
            return random.Next(4) == 0 ? null : string.Concat(Enumerable.Range(0, random.Next(9)).Select(_ => "ab\u00e9\u4e2d\U0001F600"[random.Next(4)]));
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return random.Next(3) == 0 ? null : Make(underlying);
        if (type.IsArray)
            return random.Next(4) == 0 ? null : MakeArray(type.GetElementType()!);
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>))
            return random.Next(4) == 0 ? null : Activator.CreateInstance(type, MakeArray(type.GetGenericArguments()[0]));
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
        : null;

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
        if (!type.IsValueType && random.Next(4) == 0 && type.Name != "Message")
            return null;

        var constructor = type.GetConstructors().OrderByDescending(candidate => candidate.GetParameters().Length).FirstOrDefault();
        var made = constructor is null
            ? Activator.CreateInstance(type)!
            : constructor.Invoke([.. constructor.GetParameters().Select(parameter => Make(parameter.ParameterType))]);
        foreach (var property in type.GetProperties(BindingFlags.Instance | BindingFlags.Public).Where(property => property.CanWrite))
            property.SetValue(made, Make(property.PropertyType));
        foreach (var field in type.GetFields(BindingFlags.Instance | BindingFlags.Public))
            field.SetValue(made, Make(field.FieldType));
        return made;
    }

    private static readonly MethodInfo SizeOf = typeof(Unsafe).GetMethod(nameof(Unsafe.SizeOf))!;

    private static readonly MethodInfo Cast = typeof(RandomValues).GetMethod(nameof(Read), BindingFlags.NonPublic | BindingFlags.Static)!;

    private static bool HasReferences(Type type)
        => (bool)typeof(RuntimeHelpers).GetMethod(nameof(RuntimeHelpers.IsReferenceOrContainsReferences))!.MakeGenericMethod(type).Invoke(null, null)!;

    private static T Read<T>(byte[] bytes)
        where T : struct => MemoryMarshal.Read<T>(bytes);
}
