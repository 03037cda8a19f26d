using System.Globalization;

namespace BlitQueue.Peer;

internal sealed partial class Worker
{
    // By the number's last digit: a plain message; one with properties; one in pieces over segments, with properties; two in a batch.
    private void ProduceWithProperties()
    {
        var properties = new MessageProperties { Label = "mixed", Headers = { ["tenant"] = "acme" } };
        Parcel[] pair = [new Parcel(), new Parcel()];
        for (long number = 0; number < _count && !_inputEnded.IsCancellationRequested; number++)
        {
            properties.CorrelationId = number.ToString(CultureInfo.InvariantCulture);
            switch (number % 5)
            {
                case 0:
                    _queue.Enqueue(pair[0].Fill(_producer, number, SizeOf(number)));
                    break;
                case 3:
                    pair[0].Fill(_producer, number, SizeOf(number));
                    pair[1].Fill(_producer, number + 1, SizeOf(number));
                    _queue.EnqueueBatch(pair, properties);
                    _log.Enqueued(_producer, number++);
                    break;
                case var kind:
                    _queue.Enqueue(pair[0].Fill(_producer, number, kind == 2 ? 70_000 : SizeOf(number)), properties);
                    break;
            }
            _log.Enqueued(_producer, number);
            Rest();
        }
    }
}
