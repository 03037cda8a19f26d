using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Segments;

public sealed class RecordFormatTests
{
    [Theory]
    [InlineData(0, 8)]
    [InlineData(1, 16)]
    [InlineData(8, 16)]
    [InlineData(9, 24)]
    [InlineData(RecordFormat.MaximumLength, 8 + (1L << 28))]
    public void A_record_takes_its_header_and_a_multiple_of_eight_bytes(int length, long extent) =>
        Assert.Equal(extent, RecordFormat.Extent(length));

    [Theory]
    [InlineData(0, 0u)]
    [InlineData(5, 1u)]
    [InlineData(RecordFormat.MaximumLength, uint.MaxValue)]
    public void A_header_gives_back_what_it_was_made_of(int length, uint check)
    {
        foreach (RecordKind kind in Enum.GetValues<RecordKind>().Where(static kind => kind != RecordKind.None))
        {
            long header = RecordFormat.Header(kind, length, check);

            Assert.NotEqual(0, header);
            Assert.Equal((kind, length, check), (RecordFormat.Kind(header), RecordFormat.Length(header), RecordFormat.Check(header)));
        }
    }

    [Theory]
    [InlineData(4096, 0)]
    [InlineData(4096, 2047)]
    [InlineData((1L << 52) + 8, 1)]
    public void A_next_word_gives_back_position_and_cell(long position, int cell)
    {
        long word = SubscriptionFormat.NextWord(position, cell);

        Assert.Equal((position, cell), (SubscriptionFormat.Position(word), SubscriptionFormat.Cell(word)));
    }

    [Theory]
    [InlineData(0, 1u)]
    [InlineData(1023, uint.MaxValue)]
    public void An_owner_word_gives_back_participant_and_incarnation(int participant, uint incarnation)
    {
        long word = ControlFormat.OwnerWord(participant, incarnation);

        Assert.NotEqual(0, word);
        Assert.Equal((participant, incarnation), (ControlFormat.ParticipantIndex(word), ControlFormat.Incarnation(word)));
    }
}
