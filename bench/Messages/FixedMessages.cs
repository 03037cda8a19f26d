using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Messages;

/// <summary>8 bytes: one fixed member.</summary>
[QueueMessage]
internal sealed partial class Fixed8 : IBenchMessage<Fixed8>
{
    public long Number;

    public static Fixed8 Create(int size, int variant = 0) => new();

    public static void Stamp(Fixed8 message, long number) => message.Number = number;

    public static long Check(Fixed8 message) => message.Number;
}

/// <summary>64 bytes: eight fixed members.</summary>
[QueueMessage]
internal sealed partial class Fixed64 : IBenchMessage<Fixed64>
{
    private static readonly long W1 = Pattern.Word(1), W2 = Pattern.Word(2), W3 = Pattern.Word(3), W4 = Pattern.Word(4),
        W5 = Pattern.Word(5), W6 = Pattern.Word(6);

    public long Number, A = W1, B = W2, C = W3, D = W4, E = W5, F = W6, Complement;

    public static Fixed64 Create(int size, int variant = 0) => new();

    public static void Stamp(Fixed64 message, long number)
    {
        message.Number = number;
        message.Complement = ~number;
    }

    public static long Check(Fixed64 message)
    {
        if (message.Complement != ~message.Number || message.A != W1 || message.B != W2 || message.C != W3
            || message.D != W4 || message.E != W5 || message.F != W6)
        {
            Pattern.ThrowDamaged(message.Number);
        }
        return message.Number;
    }
}

/// <summary>1024 bytes: one fixed member, a struct that is copied as it lies.</summary>
[QueueMessage]
internal sealed partial class Fixed1024 : IBenchMessage<Fixed1024>
{
    public Words128 Words;

    public static Fixed1024 Create(int size, int variant = 0)
    {
        var message = new Fixed1024();
        Pattern.Fill(message.Words.Bytes);
        return message;
    }

    public static void Stamp(Fixed1024 message, long number) => Pattern.Stamp(message.Words.Bytes, number);

    public static long Check(Fixed1024 message) => Pattern.Check(message.Words.Bytes);
}

/// <summary>The same bytes as a message, as a value that in-process rivals copy in and out.</summary>
internal interface IWords
{
    [System.Diagnostics.CodeAnalysis.UnscopedRef]
    Span<byte> Bytes { get; }
}

/// <summary>8 bytes.</summary>
[InlineArray(Count)]
internal struct Words1 : IWords
{
    private const int Count = 1;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}

/// <summary>64 bytes.</summary>
[InlineArray(Count)]
internal struct Words8 : IWords
{
    private const int Count = 8;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}

/// <summary>1024 bytes.</summary>
[InlineArray(Count)]
internal struct Words128 : IWords
{
    private const int Count = 128;
    private long _first;

    [UnscopedRef]
    public Span<byte> Bytes => MemoryMarshal.AsBytes((Span<long>)this);
}
