namespace BlitQueue.Segments;

internal sealed partial class Appender<TMem>
{
    // The turn was a dead participant's. What it had published counts: the tail goes behind it.
    private void Repair()
    {
        FailPoint.Reach(ProtocolStep.RepairTurnTaken);
        long position = TMem.Read(ref control.Tail);
        PublishDecided(position);
        for (;;)
        {
            Segment segment = EnterSegment(position);
            long header = TMem.Load(ref segment.Header(position));
            if (header == 0)
            {
                break;
            }
            position = RecordFormat.Kind(header).IsPad()
                ? segment.NextSegmentStart
                : segment.After(position, RecordFormat.Length(header));
            if (position < 0)
            {
                throw new QueueCorruptException(
                    segment.Path, TMem.Read(ref control.Tail) & (segment.Size - 1),
                    $"the record at the tail says that it ends outside of its segment, so that nothing can be enqueued. {QueueCorruptException.Mending(table.Directory)}");
            }
            TMem.Store(ref control.Tail, position);
            FailPoint.Reach(ProtocolStep.RepairTailMoved);
        }
        TMem.Write(ref control.Repairs, TMem.Read(ref control.Repairs) + 1);
    }

    // The dead participant had committed a transaction, and not yet published what it sends here.
    private void PublishDecided(long position)
    {
        long header = transactions.HeaderAt(position);
        if (header != 0)
        {
            // SYNC POINT record: what the header publishes was written before the transaction was decided.
            TMem.Store(ref EnterSegment(position).Header(position), header);
            FailPoint.Reach(ProtocolStep.RepairPublished);
        }
    }
}
