namespace BlitQueue.Peer;

internal sealed partial class Worker
{
    // Until the input ends; then takes what is still there.
    private void ConsumeLanes()
    {
        using MappedLanes<Parcel> lanes = arguments.OpenLanes();
        using LaneSubscription<Parcel> subscription = lanes.Subscribe("default");
        Say("lanes");
        Parcel? parcel = null;
        try
        {
            while (true)
            {
                subscription.Dequeue(ref parcel, _inputEnded.Token);
                _log.Dequeued(parcel!);
            }
        }
        catch (OperationCanceledException)
        {
            while (subscription.TryDequeue(ref parcel))
            {
                _log.Dequeued(parcel!);
            }
        }
    }

    // One message.
    private void MoveToDeadLettersOfLanes()
    {
        using MappedLanes<Parcel> lanes = arguments.OpenLanes();
        using LaneSubscription<Parcel> subscription = lanes.Subscribe("default");
        subscription.Receive(_inputEnded.Token).DeadLetter("no");
    }

    // Takes leases without ending them, and waits.
    private void HoldLanes()
    {
        using MappedLanes<Parcel> lanes = arguments.OpenLanes();
        using LaneSubscription<Parcel> subscription = lanes.Subscribe("default");
        Say("lanes");
        for (int held = 0; held < _count; held++)
        {
            subscription.Receive(_inputEnded.Token);
        }
        Say("holding");
        _inputEnded.Token.WaitHandle.WaitOne();
    }
}
