namespace BlitQueue.Peer;

internal sealed partial class Worker
{
    // Several leases at once, which end in any order; one in eight is given back. What was committed how often goes to a file at the end.
    private void Crowd()
    {
        const int Held = 8;
        int producers = (int)arguments.Number("producers", 1);
        byte[] commits = new byte[producers * _count];
        var random = new Random((int)arguments.Number("seed", 1));
        var options = new SubscriptionOptions { MaxAttempts = int.MaxValue };
        Subscription<Parcel> subscription = _queue.Subscribe(arguments.Text("subscription"), options);
        var held = new List<Lease<Parcel>>();
        Parcel? parcel = null;
        try
        {
            while (true)
            {
                held.Add(subscription.Receive(_inputEnded.Token));
                while (held.Count < Held && subscription.TryReceive(out Lease<Parcel> more))
                {
                    held.Add(more);
                }
                EndAll(held, random, ref parcel, commits);
            }
        }
        catch (OperationCanceledException)
        {
            while (subscription.TryReceive(out Lease<Parcel> lease))
            {
                held.Add(lease);
                EndAll(held, random, ref parcel, commits);
            }
        }
        File.WriteAllBytes(arguments.LogPath + ".commits", commits);
    }

    private void EndAll(List<Lease<Parcel>> held, Random random, ref Parcel? parcel, byte[] commits)
    {
        while (held.Count > 0)
        {
            int index = random.Next(held.Count);
            Lease<Parcel> lease = held[index];
            held.RemoveAt(index);
            if (random.Next(8) == 0)
            {
                lease.Abandon();
                continue;
            }
            lease.ReadInto(ref parcel);
            if (!parcel!.IsIntact())
            {
                throw new InvalidOperationException($"Parcel {parcel.Producer}/{parcel.Number} is torn.");
            }
            lease.Commit();
            commits[((parcel.Producer - 1) * _count) + parcel.Number]++;
        }
    }
}
