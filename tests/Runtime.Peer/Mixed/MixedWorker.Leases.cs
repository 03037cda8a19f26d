namespace BlitQueue.Peer.Mixed;

internal sealed partial class MixedWorker<T>
{
    private const int MostHeld = 8, LongestDelay = 30;

    // A consumer of the subscription has a time-out, whether this one has or not.
    private readonly bool _mayLose = arguments.Number("mayLose", 0) != 0;
    private readonly List<HeldParcel> _held = [];
    private readonly Lease<T>[] _leases = new Lease<T>[3];

    // Holds several leases at a time, and ends them in any order and in every way that there is.
    private void Lease()
    {
        Subscription<T> subscription = Subscribe();
        while (!IsOver)
        {
            LeaseSome(subscription, "lease");
        }
        GiveBackAll("lease");
    }

    private void LeaseSome(Subscription<T> subscription, string operation)
    {
        if (!TakeSome(subscription, operation))
        {
            RestSometimes(2);
        }
        while (_held.Count > _random.Next(MostHeld))
        {
            int index = _random.Next(_held.Count);
            HeldParcel held = _held[index];
            _held.RemoveAt(index);
            End(held, operation);
        }
        TakeLetters(subscription, operation);
    }

    private bool TakeSome(Subscription<T> subscription, string operation)
    {
        int count = 0;
        switch (_random.Next(8))
        {
            case 0:
                Try(operation, _name, () => count = subscription.TryReceive(_leases), poison: true);
                break;
            case 1:
                using (CancellationTokenSource soon = Soon())
                {
                    count = Try(operation, _name, () => _leases[0] = subscription.Receive(soon.Token), poison: true) ? 1 : 0;
                }
                break;
            case 2:
                using (CancellationTokenSource soon = Soon())
                {
                    count = Try(
                        operation, _name, () => _leases[0] = subscription.ReceiveAsync(soon.Token).AsTask().GetAwaiter().GetResult(),
                        poison: true)
                        ? 1
                        : 0;
                }
                break;
            default:
                Try(operation, _name, () => count = subscription.TryReceive(out _leases[0]) ? 1 : 0, poison: true);
                break;
        }
        long began = _log.Began;
        for (int i = 0; i < count; i++)
        {
            _log.Began = began;
            Read(_leases[i], operation);
        }
        return count > 0;
    }

    // What cannot be read is given back, or left to its time-out.
    private void Read(Lease<T> lease, string operation)
    {
        var parcel = new T();
        bool read = false;
        Prick.Arm(_isPricked && _random.Next(Pricks) == 0 ? 1 + _random.Next(Points) : 0, poison: _isPricked);
        try
        {
            lease.ReadInto(ref parcel!);
            read = true;
        }
        catch (Exception exception)
        {
            _log.Happened('X', $"{operation} {_name} {Describe(exception)}");
        }
        finally
        {
            Prick.Disarm();
        }
        if (read)
        {
            _log.Leased(parcel, lease.Attempt);
            _held.Add(new HeldParcel(lease, parcel));
        }
        else if (_timeout == 0 || _random.Next(2) == 0)
        {
            Try("unread", _name, lease.Dispose);
        }
    }

    private void End(HeldParcel held, string operation)
    {
        (Lease<T> lease, T parcel) = held;
        switch (_random.Next(40))
        {
            case 0:
                End(held, operation, () => lease.DeadLetter($"number {parcel.Number}"), () => _log.Buried(parcel, lease.Attempt));
                break;
            case < 4:
                End(held, operation, lease.Abandon, () => _log.Abandoned(parcel, lease.Attempt));
                break;
            case < 7:
                var delay = TimeSpan.FromMilliseconds(_random.Next(LongestDelay));
                End(held, operation, () => lease.Abandon(delay), () => _log.Abandoned(parcel, lease.Attempt));
                break;
            case 7:
                End(held, operation, lease.Dispose, () => _log.Abandoned(parcel, lease.Attempt));
                break;
            case < 12 when _timeout > 0:
                // About as long as the time-out: the end races with the taker.
                Thread.Sleep((int)Math.Max(1, _timeout - 1 + _random.Next(3)));
                End(held, operation, lease.Commit, () => _log.Committed(parcel, lease.Attempt));
                break;
            case < 14 when operation == "lease" && !_mayLose:
                CommitTogether(held, operation);
                break;
            default:
                End(held, operation, lease.Commit, () => _log.Committed(parcel, lease.Attempt));
                break;
        }
    }

    private void End(HeldParcel held, string operation, Action end, Action log)
    {
        _log.Begin();
        try
        {
            end();
        }
        catch (Exception exception)
        {
            if (exception is LeaseLostException)
            {
                _log.Lost(held.Parcel, held.Lease.Attempt);
            }
            _log.Happened('X', $"{(exception is LeaseLostException ? "lost" : operation)} {_name} {Describe(exception)}");
            return;
        }
        log();
    }

    // With all others that are open.
    private void CommitTogether(HeldParcel held, string operation)
    {
        HeldParcel[] all = [held, .. _held];
        _held.Clear();
        if (Try(operation, _name, () => all[0].Lease.Subscription!.Commit(all.Select(static one => one.Lease).ToArray())))
        {
            _log.CommittedBatch(
                [.. all.Select(static one => (one.Parcel.Producer, one.Parcel.Number))], [.. all.Select(static one => one.Lease.Attempt)]);
        }
    }

    private void TakeLetters(Subscription<T> subscription, string operation)
    {
        if (_random.Next(200) != 0)
        {
            return;
        }
        DeadLetter<T>? letter = null;
        bool found = true;
        while (found && Try(operation, _name, () => found = subscription.DeadLetters.TryTake(ref letter)) && found)
        {
            _log.FoundAmongLetters(letter!.Message);
        }
    }

    private void GiveBackAll(string operation)
    {
        foreach (HeldParcel held in _held)
        {
            End(held, operation, held.Lease.Dispose, () => _log.Abandoned(held.Parcel, held.Lease.Attempt));
        }
        _held.Clear();
    }

    private readonly record struct HeldParcel(Lease<T> Lease, T Parcel);
}
