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
