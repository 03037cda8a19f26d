using System.Buffers;
using System.Runtime.CompilerServices;
using BlitQueue.Peers.Models;

[assembly: BlitQueue.PackWith(typeof(Money), typeof(MoneyPacker))]
[assembly: BlitQueue.PackWith(typeof(Interval<>), typeof(IntervalPacker<>))]
[assembly: BlitQueue.PackWith(typeof(IPet), typeof(PetPacker))]

namespace BlitQueue.Peers.Models;

[MemoryPackable, QueueMessage]
internal partial class Called
{
    [ThreadStatic]
    private static List<string>? Heard;

    private int _number;

    public static List<string> Calls => Heard ??= [];

    public int Number
    {
        get
        {
            Calls.Add("get");
            return _number;
        }
        set
        {
            Calls.Add("set");
            _number = value;
        }
    }

    [MemoryPackOnSerializing, OnPacking] private void Before() => Calls.Add("before packing");
    [MemoryPackOnSerialized, OnPacked] private static void After() => Calls.Add("after packing");
    [MemoryPackOnDeserializing, OnUnpacking] private void BeforeUnpacking() => Calls.Add("before unpacking");
    [MemoryPackOnDeserialized, OnUnpacked] private void AfterUnpacking() => Calls.Add("after unpacking");
}

/// <summary>Writes numbers negated, which only its own reader takes back.</summary>
internal sealed class NegativePacker : IPacker<int>
{
    public static void Pack(ref PackWriter writer, scoped in int value) => writer.WriteValue(-value);

    public static void Unpack(ref PackReader reader, scoped ref int value) => value = -reader.ReadValue<int>();
}

internal sealed class NegativeAttribute : MemoryPackCustomFormatterAttribute<NegativeFormatter, int>
{
    public override NegativeFormatter GetFormatter() => new();
}

internal sealed class NegativeFormatter : MemoryPackFormatter<int>
{
    public override void Serialize<TBufferWriter>(ref MemoryPackWriter<TBufferWriter> writer, scoped ref int value)
        => writer.WriteUnmanaged(-value);

    public override void Deserialize(ref MemoryPackReader reader, scoped ref int value)
    {
        reader.ReadUnmanaged(out int negative);
        value = -negative;
    }
}

[MemoryPackable, QueueMessage]
internal partial class Custom
{
    [Negative, PackWith(typeof(NegativePacker))] public int Number { get; set; }
}

/// <summary>Of another assembly, as far as both are concerned: it cannot be marked.</summary>
internal sealed class Money(string text)
{
    public string Text { get; } = text;
}

internal sealed class Interval<T>
{
    public T? From { get; set; }
}

internal sealed class MoneyPacker : IPacker<Money>
{
    public static void Pack(ref PackWriter writer, scoped in Money? value) => writer.WriteString(value?.Text);

    public static void Unpack(ref PackReader reader, scoped ref Money? value)
        => value = reader.ReadString() is { } text ? new Money(text) : null;
}

internal sealed class IntervalPacker<T> : IPacker<Interval<T>>
    where T : unmanaged
{
    public static void Pack(ref PackWriter writer, scoped in Interval<T>? value) => writer.WriteValue(value!.From);

    public static void Unpack(ref PackReader reader, scoped ref Interval<T>? value)
        => value = new Interval<T> { From = reader.ReadValue<T>() };
}

internal sealed class MoneyFormatter : MemoryPackFormatter<Money>
{
    public override void Serialize<TBufferWriter>(ref MemoryPackWriter<TBufferWriter> writer, scoped ref Money? value)
        => writer.WriteString(value?.Text);

    public override void Deserialize(ref MemoryPackReader reader, scoped ref Money? value)
        => value = reader.ReadString() is { } text ? new Money(text) : null;
}

internal sealed class IntervalFormatter<T> : MemoryPackFormatter<Interval<T>>
    where T : unmanaged
{
    public override void Serialize<TBufferWriter>(ref MemoryPackWriter<TBufferWriter> writer, scoped ref Interval<T>? value)
        => writer.WriteUnmanaged(value!.From);

    public override void Deserialize(ref MemoryPackReader reader, scoped ref Interval<T>? value)
    {
        reader.ReadUnmanaged(out T from);
        value = new Interval<T> { From = from };
    }
}

[MemoryPackable, QueueMessage]
internal partial class Bill
{
    [MemoryPackAllowSerialize] public Money? Total { get; set; }
    [MemoryPackAllowSerialize] public List<Money?>? Parts { get; set; }
    [MemoryPackAllowSerialize] public Interval<int>? Days { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Underscored(int number)
{
    [MemoryPackInclude, PackInclude] private readonly int _number = number;

    public int Seen => _number;
}

[MemoryPackable, QueueMessage]
internal partial class Referring
{
    private int _number;

    [PackInclude] public ref int Number => ref _number;
}

[MemoryPackable, QueueMessage]
internal partial class Compressed
{
    [BrotliFormatter, PackWith(typeof(BrotliBytes))] public byte[]? Bytes { get; set; }
    [BrotliStringFormatter, PackWith(typeof(BrotliString))] public string? Text { get; set; }
    [BitPackFormatter, PackWith(typeof(BitPackedBools))] public bool[]? Bools { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Folded
{
    [MemoryPackOrder(0), PackOrder(0), OrdinalIgnoreCaseStringDictionaryFormatter<int>]
    public Dictionary<string, int> Numbers { get; set; } = new(StringComparer.OrdinalIgnoreCase);
}

[InlineArray(4)]
internal struct Four
{
    private int _first;
}

[MemoryPackable, QueueMessage]
internal partial class WithInline
{
    public Four Four { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Lots
{
    public List<int>? Numbers { get; set; }
    public int[]? Array { get; set; }
    public Dictionary<int, Texts>? Texts { get; set; }
    public string? Text { get; set; }
}

[MemoryPackable, QueueMessage]
internal partial class Shared
{
    public static readonly Texts Nothing = new() { Text = "nothing" };

    public Texts Member { get; set; } = Nothing;
}

[MemoryPackable, QueueMessage]
internal partial class Made(int number)
{
    public int Number { get; set; } = number;
    public string? Text { get; set; }
}

/// <summary>Three bytes lie between its fields.</summary>
[QueueMessage]
internal partial struct Padded
{
    public byte Small;
    public int Large;
}

[MemoryPackable, QueueMessage]
internal partial class WithPadded
{
    public Padded One { get; set; }
    public Padded[]? Many { get; set; }
}

internal struct Counter : IBufferWriter<byte>
{
    public int Written { get; private set; }

    public void Advance(int count) => Written += count;

    public readonly Memory<byte> GetMemory(int sizeHint = 0) => new byte[Math.Max(sizeHint, 64)];

    public readonly Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
