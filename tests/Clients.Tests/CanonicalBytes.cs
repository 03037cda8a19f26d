using System.Buffers;
using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Clients;

/// <summary>What only generic code can get of an object: its bytes, its elements, the schema of its type.</summary>
internal static class CanonicalBytes
{
    /// <summary>Packs something.</summary>
    public delegate void Write(ref PackWriter writer);

    /// <summary>The bytes in hexadecimal, as the canonical text has them.</summary>
    public static string Hex(ReadOnlySpan<byte> bytes) => $"b:{Convert.ToHexStringLower(bytes)}";

    /// <summary>The bytes that were packed.</summary>
    public static byte[] Packed(Write write)
    {
        var destination = new ArrayBufferWriter<byte>();
        var writer = new PackWriter(destination);
        write(ref writer);
        writer.Complete();
        return destination.WrittenSpan.ToArray();
    }

    /// <summary>The bytes that a packer makes of a value.</summary>
    public static byte[] PackedBy(Type packer, Type type, object? value)
        => (byte[])Call(nameof(PackedByPacker), [packer, type], value)!;

    /// <summary>A struct as it is in memory.</summary>
    public static byte[] OfStruct(object value, Type type)
        => (byte[])Call(nameof(InMemory), [Nullable.GetUnderlyingType(type) ?? type], value)!;

    /// <summary>The elements of an inline array, and their type.</summary>
    public static (Type Element, IEnumerable Items) ElementsOf(object value, Type type)
    {
        Type element = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).Single().FieldType;
        return (element, (IEnumerable)Call(
            nameof(Inline), [type, element], value, type.GetCustomAttribute<InlineArrayAttribute>()!.Length)!);
    }

    /// <summary>The schema of a message type, under whatever name the type has it.</summary>
    public static MessageSchema SchemaOf(Type type) => (MessageSchema)Call(nameof(Schema), [type])!;

    private static object? Call(string method, Type[] types, params object?[] arguments)
        => typeof(CanonicalBytes).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(types)
            .Invoke(null, arguments);

    private static byte[] PackedByPacker<TPacker, T>(T? value)
        where TPacker : IPacker<T>
        => Packed((ref writer) => TPacker.Pack(ref writer, in value));

    private static byte[] InMemory<T>(T value)
        where T : unmanaged
        => MemoryMarshal.AsBytes(MemoryMarshal.CreateReadOnlySpan(ref value, 1)).ToArray();

    private static TElement[] Inline<T, TElement>(T value, int length)
        where T : struct
        => MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, TElement>(ref value), length).ToArray();

    private static MessageSchema Schema<T>()
        where T : IPackable<T> => T.Schema;
}
