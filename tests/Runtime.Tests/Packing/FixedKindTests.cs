using System.Text;
using BlitQueue.Tests.Packing.Samples;

namespace BlitQueue.Tests.Packing;

public sealed class FixedKindTests
{
    [Fact]
    public void Every_fixed_kind_has_its_bytes_for_ever()
    {
        Golden(true, "01");
        Golden(false, "00");
        Golden((byte)0xAB, "AB");
        Golden((sbyte)-2, "FE");
        Golden((short)-2, "FEFF");
        Golden((ushort)0x1234, "3412");
        Golden('Ä', "C400");
        Golden('\uD800', "00D8");
        Golden(0x12345678, "78563412");
        Golden(0x89ABCDEFu, "EFCDAB89");
        Golden(0x0102030405060708L, "0807060504030201");
        Golden(ulong.MaxValue - 1, "FEFFFFFFFFFFFFFF");
        Golden(1.5f, "0000C03F");
        Golden(-2.0, "00000000000000C0");
        Golden((Half)1, "003C");
        Golden(new Int128(0x0102, 0x0304), "0403000000000000" + "0201000000000000");
        Golden(new UInt128(0x0102, 0x0304), "0403000000000000" + "0201000000000000");
        Golden(Day.Sunday, "0700");
        Golden((Day)99, "6300");
        Golden(new Pair(1, 2), "0100000002000000");
        Golden(TimeSpan.FromTicks(-1), "FFFFFFFFFFFFFFFF");
        Golden(new Guid("00112233-4455-6677-8899-aabbccddeeff"), "33221100554477668899AABBCCDDEEFF");
        Golden(new DateOnly(1, 1, 2), "01000000");
        Golden(new TimeOnly(0, 0, 0, 1), "1027000000000000");
        Golden(new Rune(0x1F680), "80F60100");
    }

    [Fact]
    public void A_decimal_is_low_middle_high_and_flags()
    {
        Golden(-1.5m, "0F000000" + "00000000" + "00000000" + "00000180");
        Golden(decimal.MaxValue, "FFFFFFFF" + "FFFFFFFF" + "FFFFFFFF" + "00000000");
        Golden(decimal.MinValue, "FFFFFFFF" + "FFFFFFFF" + "FFFFFFFF" + "00000080");
        Golden(new decimal(1, 2, 3, false, 28), "01000000" + "02000000" + "03000000" + "00001C00");
    }

    [Fact]
    public void A_decimal_preserves_its_scale()
        => Assert.Equal(
            "1.500",
            Hand.Unpack(Hand.Pack((ref PackWriter w) => w.WriteValue(1.500m)), (ref PackReader r) => r.ReadValue<decimal>()).ToString());

    [Fact]
    public void A_time_carries_its_kind_in_the_two_highest_bits()
    {
        Golden(new DateTime(1, DateTimeKind.Unspecified), "0100000000000000");
        Golden(new DateTime(1, DateTimeKind.Utc), "0100000000000040");
        Golden(new DateTime(1, DateTimeKind.Local), "0100000000000080");
        Golden(DateTime.MaxValue, Hex(DateTime.MaxValue.Ticks));
        Assert.Equal(
            DateTimeKind.Utc, Hand.Unpack(Convert.FromHexString("0100000000000040"), (ref PackReader r) => r.ReadValue<DateTime>()).Kind);
    }

    [Fact]
    public void A_time_with_offset_is_utc_ticks_and_minutes()
    {
        Golden(new DateTimeOffset(TimeSpan.TicksPerHour * 2, TimeSpan.FromHours(1)), Hex(TimeSpan.TicksPerHour) + "3C00");
        Golden(new DateTimeOffset(TimeSpan.TicksPerHour, TimeSpan.FromHours(-1)), Hex(TimeSpan.TicksPerHour * 2) + "C4FF");
        Golden(DateTimeOffset.MaxValue, Hex(DateTime.MaxValue.Ticks) + "0000");
        Golden(new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.FromHours(14)), Hex(new DateTime(2023, 12, 31, 10, 0, 0).Ticks) + "4803");
    }

    [Fact]
    public void A_nullable_is_presence_and_a_slot_of_zeros_for_null()
    {
        Assert.Equal("01FEFF", Hand.Hex((ref PackWriter w) => w.WriteNullable<short>(-2)));
        Assert.Equal("000000", Hand.Hex((ref PackWriter w) => w.WriteNullable<short>(null)));
        Assert.Equal("00" + new string('0', 20), Hand.Hex((ref PackWriter w) => w.WriteNullable<DateTimeOffset>(null)));
        Assert.Equal("0101", Hand.Hex((ref PackWriter w) => w.WriteNullable<bool>(true)));
        Assert.Null(Hand.Unpack([0, 0, 0], (ref PackReader r) => r.ReadNullable<short>()));
        Assert.Equal((short)258, Hand.Unpack([1, 2, 1], (ref PackReader r) => r.ReadNullable<short>()));
    }

    [Fact]
    public void A_null_never_shows_what_its_memory_contained()
    {
        // Memory of a nullable that says null but holds a value, as a reused slot may.
        Span<int?> slot = [0x11223344];
        System.Runtime.InteropServices.MemoryMarshal.AsBytes(System.Runtime.InteropServices.MemoryMarshal.CreateSpan(
            ref System.Runtime.CompilerServices.Unsafe.As<int?, long>(ref slot[0]), 1))[0] = 0;
        int? value = slot[0];
        Assert.Null(value);
        Assert.Equal("0000000000", Hand.Hex((ref PackWriter w) => w.WriteNullable(value)));
    }

    [Theory]
    [InlineData("02")]
    [InlineData("FF")]
    public void A_bool_is_0_or_1(string hex) => Assert.Equal(0, Hand.Refused(hex, (ref PackReader r) => r.ReadValue<bool>()).Offset);

    [Theory]
    [InlineData("01000000 00000000 00000000 0000C800")]
    [InlineData("01000000 00000000 00000000 00001D00")]
    [InlineData("01000000 00000000 00000000 01000000")]
    [InlineData("01000000 00000000 00000000 00000001")]
    public void A_decimal_has_a_scale_to_28_and_no_other_flags(string hex)
        => Hand.Refused(hex, (ref PackReader r) => r.ReadValue<decimal>());

    [Theory]
    [InlineData(unchecked((long)0xC000000000000000))]
    [InlineData(3155378976000000000L)]
    [InlineData(0x3FFFFFFFFFFFFFFFL)]
    public void A_time_has_its_range_and_three_kinds(long bits) => Hand.Refused(Hex(bits), (ref PackReader r) => r.ReadValue<DateTime>());

    [Theory]
    [InlineData(0L, 0x7FFF)]
    [InlineData(0L, 841)]
    [InlineData(0L, -841)]
    [InlineData(0L, -1)]
    [InlineData(-1L, 0)]
    [InlineData(long.MinValue, 840)]
    [InlineData(long.MaxValue, 840)]
    [InlineData(3155378975999999999L, 1)]
    [InlineData(3155378976000000000L, 0)]
    public void A_time_with_offset_has_both_clocks_in_range(long utcTicks, int minutes)
        => Hand.Refused(Hex(utcTicks) + Hex((short)minutes), (ref PackReader r) => r.ReadValue<DateTimeOffset>());

    [Theory]
    [InlineData(-1)]
    [InlineData(3652059)]
    [InlineData(int.MinValue)]
    public void A_date_has_its_range(int day) => Hand.Refused(Hex(day), (ref PackReader r) => r.ReadValue<DateOnly>());

    [Theory]
    [InlineData(-1L)]
    [InlineData(TimeSpan.TicksPerDay)]
    public void A_time_of_day_has_its_range(long ticks) => Hand.Refused(Hex(ticks), (ref PackReader r) => r.ReadValue<TimeOnly>());

    [Theory]
    [InlineData(0xD800)]
    [InlineData(0x110000)]
    [InlineData(-1)]
    public void A_rune_is_a_scalar_value(int value) => Hand.Refused(Hex(value), (ref PackReader r) => r.ReadValue<Rune>());

    [Fact]
    public void A_presence_is_0_or_1() => Hand.Refused("020000", (ref PackReader r) => r.ReadNullable<short>());

    [Fact]
    public void A_null_whose_slot_is_cut_off_is_refused() => Hand.Refused("0000", (ref PackReader r) => r.ReadNullable<short>());

    [Fact]
    public void A_value_that_is_cut_off_is_refused_wherever_it_ends()
    {
        CutOff(0x1122334455667788L);
        CutOff(1.5m);
        CutOff(DateTimeOffset.MaxValue);
        CutOff(Guid.NewGuid());
        CutOff(true);

        static void CutOff<V>(V value)
            where V : unmanaged
        {
            byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteValue(value));
            for (int length = 0; length < bytes.Length; length++)
            {
                Hand.Refused(Convert.ToHexString(bytes, 0, length), (ref PackReader r) => r.ReadValue<V>());
            }
        }
    }

    private static void Golden<V>(V value, string hex)
        where V : unmanaged, IEquatable<V>
        => GoldenOf(value, hex);

    private static void Golden(Day value, string hex) => GoldenOf(value, hex);

    private static void GoldenOf<V>(V value, string hex)
        where V : unmanaged
    {
        byte[] bytes = Hand.Pack((ref PackWriter w) => w.WriteValue(value));
        Assert.Equal(hex, Convert.ToHexString(bytes));
        Assert.Equal(value, Hand.Unpack(bytes, (ref PackReader r) => r.ReadValue<V>()));

        // The same bytes in a fixed block, and element by element in a sequence.
        byte[] block = Hand.Pack((ref PackWriter w) =>
        {
            w.BeginMessage(bytes.Length, 0).Write(0, value);
            w.EndMessage();
        });
        Assert.Equal(hex, Convert.ToHexString(block, 4, bytes.Length));

        byte[] sequence = Hand.Pack((ref PackWriter w) => w.WriteSpan<V>([value, value]));
        Assert.Equal(Hex(2 * bytes.Length) + hex + hex, Convert.ToHexString(sequence));
        Assert.Equal([value, value], Hand.Unpack(sequence, (ref PackReader r) => r.ReadArray<V>()));
        Assert.Equal([value, value], Hand.Unpack(sequence, (ref PackReader r) => r.ReadList<V>()));

        V?[] some = [value, null];
        byte[] nullable = Hand.Pack((ref PackWriter w) => w.WriteNullableSpan<V>(some));
        Assert.Equal(Hex(2 * (1 + bytes.Length)) + "01" + hex + "00" + new string('0', hex.Length), Convert.ToHexString(nullable));
        Assert.Equal(some, Hand.Unpack(nullable, (ref PackReader r) => r.ReadNullableArray<V>()));
        Assert.Equal(some, Hand.Unpack(nullable, (ref PackReader r) => r.ReadNullableList<V>()));
    }

    private static string Hex(long value) => Convert.ToHexString(BitConverter.GetBytes(value));

    private static string Hex(int value) => Convert.ToHexString(BitConverter.GetBytes(value));

    private static string Hex(short value) => Convert.ToHexString(BitConverter.GetBytes(value));
}
